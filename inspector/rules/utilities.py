"""Rules that readers decide about stdio, pages, progress, cancellation, log messages and completion.

Decided in `checks.message_order`, `checks.openings`, `transcript`, and the views of `spec`.
"""

from __future__ import annotations

from inspector.finding import Severity
from inspector.rules.jsonrpc import ERRORS, MESSAGES
from inspector.rules.opening import LISTED, OPENING
from inspector.rules.rule import STDIO_ONLY, On, Rule, Subject

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

PROGRESS = On(Subject.NOTIFICATION, "notifications/progress")
CANCELLED = On(Subject.NOTIFICATION, "notifications/cancelled")
LOG = On(Subject.NOTIFICATION, "notifications/message")
COMPLETION = On(Subject.RESULT, "completion/complete")

_STDIO = (
    Rule(
        "L-STD-01",
        ERROR,
        "stdio",
        "text on stdout",
        why="Clients read every line of stdout as a message: some show an error for each, some disconnect.",
        hint="Write logs and banners to stderr.",
        python="Replace `print(…)` by `print(…, file=sys.stderr)` or `logging`.",
        typescript="Replace `console.log(…)` by `console.error(…)`.",
        section="stdio",
        level="MUST NOT",
        transports=STDIO_ONLY,
        on=MESSAGES,
    ),
    Rule(
        "L-STD-02",
        ERROR,
        "stdio",
        "message spread over several lines",
        why="Clients read each line by itself, and none of them is a message.",
        hint="Write each message on one line.",
        python="Do not pass `indent` to `json.dumps`.",
        typescript="Do not pass a third argument to `JSON.stringify`.",
        section="stdio",
        level="MUST NOT",
        transports=STDIO_ONLY,
        on=MESSAGES,
    ),
    Rule(
        "L-STD-04",
        INFO,
        "stdio",
        "CRLF line end or byte order mark",
        why="Strict JSON parsers refuse a line that begins with a byte order mark.",
        hint="Write UTF-8 without a byte order mark, and end lines with a line feed.",
        level="quality",
        on=MESSAGES,
    ),
    Rule(
        "L-STD-13",
        INFO,
        "stdio",
        "slow start, or a first request left alone",
        why="Clients give up after some seconds, and report that the server cannot be started.",
        hint="Answer the handshake before loading what takes time.",
        level="quality",
        transports=STDIO_ONLY,
        on=OPENING,
    ),
    Rule(
        "L-STD-14",
        INFO,
        "stdio",
        "connection ended by a request that is not known",
        why="Clients of newer revisions begin with `server/discover`, and find a server that has ended.",
        hint="Answer an unknown request with error -32601, also before `initialize`.",
        level="quality",
        until=4,
        transports=STDIO_ONLY,
        on=(*OPENING, ERRORS),
    ),
)

_PAGES = (
    Rule(
        "L-PAG-01",
        ERROR,
        "pagination",
        "nextCursor is not a string",
        why="Clients with typed models refuse the page, or take null for one more page.",
        hint="Leave `nextCursor` out on the last page.",
        level="schema",
        on=LISTED,
    ),
    Rule(
        "L-PAG-04",
        WARNING,
        "pagination",
        "cursor that comes back",
        why="Clients that follow cursors read the same pages until they are stopped.",
        hint="Return a cursor that leads past the items of the page.",
        level="quality",
        on=LISTED,
    ),
    Rule(
        "L-PAG-05",
        WARNING,
        "pagination",
        "items repeated across pages",
        why="Users and models see an item twice, and may miss another.",
        hint="Order the list by something that does not change between pages.",
        level="quality",
        on=LISTED,
    ),
    Rule(
        "L-PAG-06",
        INFO,
        "pagination",
        "empty page before the last",
        why="Some clients stop at the first empty page, and miss what follows.",
        hint="Leave `nextCursor` out if nothing follows.",
        level="quality",
        on=LISTED,
    ),
)

_PROGRESS = (
    Rule(
        "L-PRG-01",
        ERROR,
        "progress",
        "progress with an unknown token",
        why="The client cannot tell which request it is about, and shows nothing.",
        hint="Send the `progressToken` of the request, with its JSON type, and nothing if there is none.",
        python="`ctx.report_progress(…)` does so, and is silent without a token.",
        level="MUST",
        on=(PROGRESS,),
    ),
    Rule(
        "L-PRG-02",
        ERROR,
        "progress",
        "progress after the response",
        why="The client has forgotten the request, and reports an unknown token.",
        hint="Send the last progress before the response.",
        level="MUST",
        on=(PROGRESS,),
    ),
    Rule(
        "L-PRG-03",
        ERROR,
        "progress",
        "progress does not increase",
        why="Users see a bar that stands still or runs backwards.",
        hint="Count up with each notification, also if the total is not known.",
        level="MUST",
        on=(PROGRESS,),
    ),
    Rule(
        "L-PRG-04",
        INFO,
        "progress",
        "progress negative or above its total",
        why="Users see a bar below 0 or above 100 percent.",
        hint="Keep `progress` between 0 and `total`.",
        level="quality",
        on=(PROGRESS,),
    ),
    Rule(
        "L-PRG-06",
        WARNING,
        "progress",
        "too many progress notifications",
        why="They delay other messages, and no user can follow them.",
        hint="Send a few notifications a second at most.",
        level="SHOULD",
        on=(PROGRESS,),
    ),
    Rule(
        "L-PRG-07",
        ERROR,
        "progress",
        "progress or total is not a number",
        why="Clients with typed models drop the notification.",
        hint="Send `progress` and `total` as JSON numbers.",
        level="schema",
        on=(PROGRESS,),
    ),
    Rule(
        "L-PRG-09",
        INFO,
        "progress",
        "progress message in a revision without it",
        why="Clients of this revision do not show it.",
        hint="Send `message` only in later revisions.",
        level="quality",
        until=1,
        on=(PROGRESS,),
    ),
    Rule(
        "L-CAN-01",
        ERROR,
        "cancellation",
        "cancellation of a request that was not sent",
        why="Only the sender may cancel a request, so clients ignore it and keep waiting.",
        hint="Cancel only requests of the server; answer a request of the client with an error.",
        level="MUST",
        until=4,
        on=(CANCELLED,),
    ),
)

_OTHERS = (
    Rule(
        "L-LOG-01",
        ERROR,
        "logging",
        "log message without a valid level or data",
        why="Clients filter by level, and drop what has none.",
        hint="Send one of the eight levels of syslog as `level`, and any JSON value as `data`.",
        level="schema",
        on=(LOG,),
    ),
    Rule(
        "L-CMP-01",
        ERROR,
        "completion",
        "more than 100 completion values",
        why="Clients with typed models refuse the whole result.",
        hint="Return at most 100 values, and set `hasMore`.",
        level="RULE",
        on=(COMPLETION,),
    ),
    Rule(
        "L-CMP-02",
        ERROR,
        "completion",
        "completion values missing or not strings",
        why="Clients with typed models refuse the result, and users see no suggestions.",
        hint="Return `completion.values` as an array of strings.",
        level="schema",
        on=(COMPLETION,),
    ),
    Rule(
        "L-CMP-03",
        WARNING,
        "completion",
        "total and hasMore do not fit the values",
        why="Users are told that there is more, or that there is not, and it is wrong.",
        hint="Set `total` to the number of all matches, and `hasMore` if not all were returned.",
        level="quality",
        on=(COMPLETION,),
    ),
    Rule(
        "L-CMP-04",
        INFO,
        "completion",
        "completion values duplicated or not matching",
        why="Users see suggestions that do not fit what they typed.",
        hint="Return each value that matches once.",
        level="quality",
        on=(COMPLETION,),
    ),
)

RULES = (*_STDIO, *_PAGES, *_PROGRESS, *_OTHERS)
