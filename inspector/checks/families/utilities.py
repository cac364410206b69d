"""Pages, progress and cancellation beside the requests that they belong to.

Source: server/utilities/pagination; basic/utilities/progress and cancellation (basic/patterns since 2026-07-28).
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING

from inspector.checks.latest import json_key
from inspector.checks.remembered import FEATURE_OF, MAX_ID
from inspector.checks.seen import At
from inspector.finding import Severity
from inspector.rules.rule import Kind, On, Rule, Subject
from inspector.spec.error_codes import INVALID_PARAMS
from inspector.spec.findings import make_finding
from inspector.spec.json_types import format_value
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding

_INTERNALS = re.compile(
    r"\bselect\b.{1,200}\bfrom\b|[a-z]:\\\\?[\w.-]+\\|(?<![\w/])/(home|usr|var|etc|srv|opt)/",
    re.IGNORECASE,
)
"""What a cursor should not tell: a query, a path."""


def _cursor_of(message: ReceivedMessage) -> str | None:
    params = message.request_params()
    cursor = params.get("cursor") if isinstance(params, dict) else None
    return cursor if isinstance(cursor, str) else None


def check_unknown_cursor(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a cursor that the server never issued, and does not refuse by -32602."""
    cursor = _cursor_of(message)
    if cursor is None or f"{message.method} {cursor[:MAX_ID]}" in history.pages.issued:
        return
    code = message.error.get("code")
    if not message.error:
        text = f"the cursor “{one_line(cursor, 40)}”, which the server never issued, should return error -32602, not a page"
        yield make_finding("L-PAG-02", text, "", message.revision)
    elif code != INVALID_PARAMS:
        text = f"the cursor “{one_line(cursor, 40)}”, which the server never issued, should return error -32602, not {format_value(code)}"
        yield make_finding("L-PAG-02", text, "/error/code", message.revision)


def _was_listed(message: ReceivedMessage, history: History) -> bool:
    return message.method in history.lists and message.method not in history.pages.skipped


def check_stable_page(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a cursor that leads to another page than before."""
    cursor, digest, changes = history.pages.page(message)
    before = history.pages.digests.get(cursor)
    if before is not None and before[1] == changes and before[0] != digest:
        quoted = one_line(cursor.partition(" ")[2], 40)
        text = f"the cursor “{quoted}” returns different items than before"
        yield make_finding("L-PAG-03", text, "/result", message.revision)


def _is_page_read_again(message: ReceivedMessage, history: History) -> bool:
    return history.pages.page(message)[0] in history.pages.digests


def check_plain_cursor(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a cursor that tells what is behind it."""
    del history
    cursor = message.result.get("nextCursor")
    if not isinstance(cursor, str):
        return
    found = _INTERNALS.search(cursor[:MAX_CURSOR]) or _INTERNALS.search(_decoded(cursor))
    if found is not None:
        text = f"the cursor contains “{one_line(found.group(), 60)}”"
        yield make_finding("L-PAG-07", text, "/result/nextCursor", message.revision)


MAX_CURSOR = 2_000
"""Characters of a cursor that are looked at."""


def _decoded(cursor: str) -> str:
    try:
        raw = base64.urlsafe_b64decode(cursor[:MAX_CURSOR] + "==")
    except (binascii.Error, ValueError):
        return ""
    return raw.decode("latin-1")


def _has_cursor(message: ReceivedMessage, history: History) -> bool:
    del history
    return isinstance(message.result.get("nextCursor"), str)


def check_progress_text(history: History, _: History) -> Iterator[At]:
    """Yield a finding about the first progress that has no text for users, if none has."""
    calls = history.calls
    if calls.bare_progress and not calls.has_progress_text:
        text = "no progress notification has a `message`"
        yield At(calls.bare_progress, make_finding("L-PRG-05", text, "/params", history.revision))


def _has_progress(history: History, _: History) -> bool:
    return bool(history.calls.with_progress)


def check_after_cancel(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a response that comes long after we gave the request up."""
    since = history.calls.seconds_since_given_up(message.request, message.monotonic_s)
    if since and not _is_stdio_of_new_era(message, history):
        text = f"the response was sent {since:.1f} s after the request was cancelled"
        yield make_finding("L-CAN-02", text, "", message.revision)


def check_work_after_cancel(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about progress long after we gave the request up."""
    since = history.calls.seconds_since_given_up(message.request, message.monotonic_s)
    if since and not _is_stdio_of_new_era(message, history):
        text = f"`{message.method}` was sent {since:.1f} s after its request was cancelled"
        yield make_finding("L-CAN-03", text, "", message.revision)


def _is_stdio_of_new_era(message: ReceivedMessage, history: History) -> bool:
    """Whether L-STD-11 is about it."""
    return history.transport == "stdio" and not message.revision.stateful


def _has_given_up(message: ReceivedMessage, history: History) -> bool:
    return message.request in history.calls.given_up


def check_foreign_cancel(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a cancellation of a request of ours."""
    if message.request in history.calls.known:
        id_ = one_line(format_value(message.params.get("requestId")), 40)
        text = f"only the sender may cancel request {id_}; ignored"
        yield make_finding("L-CAN-01", text, "/params/requestId", message.revision)


def check_server_cancel(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a cancellation that ends no stream of notifications."""
    id_ = message.params.get("requestId")
    call = history.calls.known.get(history.calls.frames.get(json_key(id_)) or 0)
    if history.transport == "http":
        text = "over HTTP, a server must end a stream by closing it, not with `notifications/cancelled`"
    elif call is None or call.method != "subscriptions/listen":
        text = f"`requestId` must be that of a `subscriptions/listen` request, not {one_line(format_value(id_), 40)}"
    else:
        return
    yield make_finding("L-CAN-04", text, "/params/requestId", message.revision)


def check_own_cancel(history: History, _: History) -> Iterator[Finding]:
    """Yield a finding about a handshake that was cancelled on our side."""
    if history.openings.cancelled:
        text = f"`initialize` was cancelled in #{history.openings.cancelled}"
        yield make_finding("L-CAN-05", text, "", history.revision)


def _has_cancelled(history: History, _: History) -> bool:
    return "notifications/cancelled" in history.sent


def check_cancelled_task(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a task that is cancelled like a plain request."""
    id_ = json_key(message.params.get("requestId"))
    if id_ in history.server_requests.tasks:
        text = "the request runs as a task, which must be cancelled with `tasks/cancel`"
        yield make_finding("L-CAN-06", text, "/params/requestId", message.revision)


_PROGRESS = On(Subject.NOTIFICATION, "notifications/progress")
_CANCELLED = On(Subject.NOTIFICATION, "notifications/cancelled")
_PAGES = tuple(On(Subject.RESULT, method) for method in FEATURE_OF)
_REFUSED_PAGES = tuple(On(Subject.ERROR, method) for method in FEATURE_OF)

RULES = (
    Rule(
        "L-PAG-02",
        Severity.INFO,
        "pagination",
        "unknown cursor without error -32602",
        why="Clients with an outdated cursor get the first page in the middle of the list.",
        hint="Reject a cursor that the server did not issue with error -32602.",
        python="`FastMCP` and `MCPServer` ignore the cursor and send the whole list; the low-level `Server` passes it to your handler.",
        typescript="`McpServer` ignores the cursor and sends the whole list; the low-level `Server` passes it to your handler.",
        section="Error Handling",
        level="SHOULD",
        on=(*_PAGES, *_REFUSED_PAGES),
        check=check_unknown_cursor,
        when=_was_listed,
    ),
    Rule(
        "L-PAG-03",
        Severity.WARNING,
        "pagination",
        "same cursor, different page",
        why="Clients that read a page again miss items, or show them twice.",
        hint="Derive the cursor from a position in a stable order.",
        section="Implementation Guidelines",
        level="SHOULD",
        on=_PAGES,
        check=check_stable_page,
        when=_is_page_read_again,
    ),
    Rule(
        "L-PAG-07",
        Severity.INFO,
        "pagination",
        "cursor reveals internals",
        why="Users can read queries and paths of the server, and may change them.",
        hint="Use an opaque cursor, such as a random key or a signed position.",
        level="quality",
        on=_PAGES,
        check=check_plain_cursor,
        when=_has_cursor,
    ),
    Rule(
        "L-PRG-05",
        Severity.INFO,
        "progress",
        "progress without a readable message",
        why="Users see a number without an explanation.",
        hint="Send a short sentence as `message`.",
        python="Pass `message=` to `ctx.report_progress`.",
        level="SHOULD",
        since=2,
        on=(On(Subject.CONNECTION),),
        check=check_progress_text,
        when=_has_progress,
    ),
    Rule(
        "L-CAN-01",
        Severity.ERROR,
        "cancellation",
        "cancellation of a request that the server did not send",
        why="Only the sender can cancel a request, so clients ignore the notification and keep waiting.",
        hint="Cancel only requests that the server sent; end a request of the client with an error response.",
        level="MUST",
        until=4,
        on=(_CANCELLED,),
        check=check_foreign_cancel,
    ),
    Rule(
        "L-CAN-02",
        Severity.WARNING,
        "cancellation",
        "response to a cancelled request",
        why="The server did work that is no longer needed.",
        hint="Stop upon `notifications/cancelled`, and send no response.",
        level="SHOULD",
        on=(On(Subject.RESULT), On(Subject.ERROR)),
        check=check_after_cancel,
        when=_has_given_up,
    ),
    Rule(
        "L-CAN-03",
        Severity.INFO,
        "cancellation",
        "work continues after a cancellation",
        why="The server spends time and money on work that is no longer needed.",
        hint="Stop the work upon `notifications/cancelled`.",
        level="quality",
        on=(_PROGRESS, On(Subject.NOTIFICATION, "notifications/message")),
        check=check_work_after_cancel,
        when=_has_given_up,
    ),
    Rule(
        "L-CAN-04",
        Severity.ERROR,
        "cancellation",
        "cancellation by the server",
        why="Clients ignore it, and wait for the response until a timeout.",
        hint="End a request with an error response; cancel only `subscriptions/listen`, over stdio.",
        level="MUST NOT",
        since=5,
        on=(_CANCELLED,),
        check=check_server_cancel,
    ),
    Rule(
        "L-CAN-05",
        Severity.WARNING,
        "cancellation",
        "handshake cancelled by the client",
        why="Clients must not cancel `initialize`, and servers may ignore the cancellation.",
        hint="Leave the server as it is: a message that was sent by hand in Spyglass caused this.",
        level="MUST NOT",
        until=4,
        kind=Kind.OWN,
        on=(On(Subject.CONNECTION),),
        check=check_own_cancel,
        when=_has_cancelled,
    ),
    Rule(
        "L-CAN-06",
        Severity.ERROR,
        "cancellation",
        "task cancelled like a plain request",
        why="Clients drop the request, but the task keeps running.",
        hint="Send `tasks/cancel` with the id of the task.",
        level="MUST",
        since=4,
        until=4,
        on=(_CANCELLED,),
        check=check_cancelled_task,
    ),
)
