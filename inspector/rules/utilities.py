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
LOG = On(Subject.NOTIFICATION, "notifications/message")
COMPLETION = On(Subject.RESULT, "completion/complete")

_STDIO = (
    Rule(
        "L-STD-01",
        ERROR,
        "stdio",
        "text on stdout",
        why="Clients read every line of stdout as a message: some report an error for each line, others disconnect.",
        hint="Write logs and banners to stderr.",
        python="Replace `print(…)` with `print(…, file=sys.stderr)` or the `logging` module.",
        typescript="Replace `console.log(…)` with `console.error(…)`.",
        section="stdio",
        level="MUST NOT",
        transports=STDIO_ONLY,
        on=MESSAGES,
    ),
    Rule(
        "L-STD-02",
        ERROR,
        "stdio",
        "message split across several lines",
        why="Clients read each line separately, and no line is a valid message.",
        hint="Write each message on one line.",
        python="Do not pass `indent` to `json.dumps()`.",
        typescript="Do not pass a third argument to `JSON.stringify()`.",
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
        why="Strict JSON parsers reject a line that starts with a byte order mark.",
        hint="Write UTF-8 without a byte order mark, and end lines with a line feed.",
        level="quality",
        on=MESSAGES,
    ),
    Rule(
        "L-STD-13",
        INFO,
        "stdio",
        "slow start, or no response to the first request",
        why="Clients time out after some seconds, and report that the server cannot be started.",
        hint="Respond to the first request before you load what takes time.",
        level="quality",
        transports=STDIO_ONLY,
        on=OPENING,
    ),
    Rule(
        "L-STD-14",
        INFO,
        "stdio",
        "server exits on an unknown request",
        why="Clients of newer revisions send `server/discover` first, and cannot connect to a server that exits.",
        hint="Respond to an unknown request with error -32601, even before `initialize`.",
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
        why="Clients with typed models reject the page, or request one more page for null.",
        hint="Leave `nextCursor` out on the last page.",
        level="schema",
        on=LISTED,
    ),
    Rule(
        "L-PAG-04",
        WARNING,
        "pagination",
        "the same cursor again, or very many pages",
        why="Clients that follow cursors read the same pages again, or stop before the end of the list.",
        hint="Return a cursor that continues after the last item of the page, none on the last page, and more items on each page of a long list.",
        level="quality",
        on=LISTED,
    ),
    Rule(
        "L-PAG-05",
        WARNING,
        "pagination",
        "items repeated across pages",
        why="Users and models see an item twice, and may miss another.",
        hint="Sort the list by a key that does not change between pages.",
        level="quality",
        on=LISTED,
    ),
    Rule(
        "L-PAG-06",
        INFO,
        "pagination",
        "empty page before the last",
        why="Some clients stop at the first empty page, and miss what follows.",
        hint="Leave `nextCursor` out if no items follow.",
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
        why="Clients cannot match the progress to a request, and show nothing.",
        hint="Send the `progressToken` of the request with its JSON type, and no progress if the request has none.",
        python="`ctx.report_progress(…)` sends the token of the request, and sends nothing without one.",
        level="MUST",
        on=(PROGRESS,),
    ),
    Rule(
        "L-PRG-02",
        ERROR,
        "progress",
        "progress after the response",
        why="Clients no longer track the request, and report an unknown token.",
        hint="Send the last progress notification before the response.",
        level="MUST",
        on=(PROGRESS,),
    ),
    Rule(
        "L-PRG-03",
        ERROR,
        "progress",
        "progress does not increase",
        why="Users see a progress bar that stands still or moves backward.",
        hint="Increase `progress` with each notification, even if the total is unknown.",
        level="MUST",
        on=(PROGRESS,),
    ),
    Rule(
        "L-PRG-04",
        INFO,
        "progress",
        "progress negative or above its total",
        why="Users see a progress bar below 0 or above 100 percent.",
        hint="Keep `progress` between 0 and `total`.",
        level="quality",
        on=(PROGRESS,),
    ),
    Rule(
        "L-PRG-06",
        WARNING,
        "progress",
        "too many progress notifications",
        why="They delay other messages, and users cannot follow them.",
        hint="Send a few notifications per second at most.",
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
        why="Clients of this revision do not show the message.",
        hint="Send `message` only in revisions that define it.",
        level="quality",
        until=1,
        on=(PROGRESS,),
    ),
)

_OTHERS = (
    Rule(
        "L-LOG-01",
        ERROR,
        "logging",
        "log message without a valid level or data",
        why="Clients filter by level, and drop messages without one.",
        hint="Send one of the eight syslog levels as `level`, and any JSON value as `data`.",
        level="schema",
        on=(LOG,),
    ),
    Rule(
        "L-CMP-01",
        ERROR,
        "completion",
        "more than 100 completion values",
        why="Clients with typed models reject the whole result.",
        hint="Return at most 100 values, and set `hasMore`.",
        level="RULE",
        on=(COMPLETION,),
    ),
    Rule(
        "L-CMP-02",
        ERROR,
        "completion",
        "completion values missing or not strings",
        why="Clients with typed models reject the result, and users see no suggestions.",
        hint="Return `completion.values` as an array of strings.",
        level="schema",
        on=(COMPLETION,),
    ),
    Rule(
        "L-CMP-03",
        WARNING,
        "completion",
        "total and hasMore do not match the values",
        why="Clients show a wrong count, or offer more values when there are none.",
        hint="Set `total` to the number of all matches, and `hasMore` to true if some were left out.",
        level="quality",
        on=(COMPLETION,),
    ),
    Rule(
        "L-CMP-04",
        INFO,
        "completion",
        "completion values duplicated or not matching",
        why="Users see suggestions that do not match their input.",
        hint="Return each matching value once.",
        level="quality",
        on=(COMPLETION,),
    ),
)

RULES = (*_STDIO, *_PAGES, *_PROGRESS, *_OTHERS)
