"""JSON-RPC beside the history of a connection: ids that come twice, answers to what expects none, requests without an answer.

Source: JSON-RPC 2.0; basic, "Messages" and "Error Codes"; the rules about one message alone are in `rules.jsonrpc`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.checks.calls import RACE_SECONDS
from inspector.checks.latest import json_key
from inspector.checks.message_order import LISTS
from inspector.checks.seen import At
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec import error_codes, methods
from inspector.spec.findings import make_finding
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding

SLOW_SECONDS = 10.0
"""An answer that takes longer without progress is worth a remark."""

ABANDONED_SECONDS = 60.0
"""A request that was open for so long is unanswered although the user disconnected: most are only cut off by that."""

_DRAFT_CODES = {
    -32001: re.compile(r"header|mcp-(method|name|param)", re.IGNORECASE),
    -32003: re.compile(r"capabilit", re.IGNORECASE),
    -32004: re.compile(r"(unsupported|protocol).*version", re.IGNORECASE),
}
"""Codes of drafts, and what an error is about that uses them with their old meaning."""


def check_id_reuse(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a request of the server with an id that it has used before."""
    before = history.server_requests.ids.get(json_key(message.value.get("id")))
    if before is not None:
        text = f"the id was already used by the request in #{before}"
        yield make_finding("L-JR-12", text, "/id", message.revision)


def _is_unlinked_after_notice(message: ReceivedMessage, history: History) -> bool:
    notice = history.calls.last_notice
    is_recent = message.monotonic_s - notice.sent_s <= RACE_SECONDS
    return not message.request and notice.number > 0 and is_recent


def _follows_notice(message: ReceivedMessage, history: History) -> bool:
    del message
    return history.calls.last_notice.number > 0


def check_answered_notice(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a response that can only be the answer to a notification of ours."""
    if not _is_unlinked_after_notice(message, history) or message.value.get("id") is not None:
        return
    calls = history.calls
    notice, text = calls.last_notice, str(message.error.get("message", ""))
    if not len(calls.open) or notice.method in text:
        answer = (
            f"`{notice.method}` (#{notice.number}) is a notification and must not get a response"
        )
        yield make_finding("L-JR-13", answer, "", message.revision)


def check_unanswered(history: History, _: History) -> Iterator[At]:
    """Yield a finding about each request that was open long before the connection ended."""
    revision = history.revision
    is_ours = history.notes["closed"].get("words") == "disconnected"
    for number in history.calls.open:
        call = history.calls.open.get(number)
        if call is None or methods.opens_session(call.method) or call.method == _LISTEN:
            continue
        waited = history.now_s - call.sent_s
        if waited > (ABANDONED_SECONDS if is_ours else RACE_SECONDS):
            text = f"no response to `{one_line(call.method, 60)}` for {waited:.1f} s, until the connection ended"
            yield At(number, make_finding("L-JR-14", text, "", revision))
    for number in history.calls.timed_out:
        call, at = history.calls.known.get(number), history.calls.timed_out.get(number) or 0.0
        if call is None or call.method not in _QUICK or number in history.calls.answered:
            continue
        if (waited := at - call.sent_s) > SLOW_SECONDS:
            text = f"no response to `{call.method}` in {waited:.1f} s, and none after that"
            yield At(number, make_finding("L-JR-14", text, "", revision))


_LISTEN = "subscriptions/listen"

_QUICK = frozenset(["ping", "logging/setLevel", *LISTS])
"""Requests that need no work: when one of them has no answer after `SLOW_SECONDS`, the server will not give any."""


def _had_requests(history: History, _: History) -> bool:
    return history.has_ended and len(history.calls.known) > 0


def _is_batch_open(message: ReceivedMessage, history: History) -> bool:
    return history.calls.last_batch > 0 and not message.request


def check_refused_batch(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about an error that answers a batch as a whole."""
    if message.code in {error_codes.INVALID_REQUEST, error_codes.PARSE_ERROR}:
        text = f"the batch in #{history.calls.last_batch} was rejected with code {message.code}"
        yield make_finding("L-JR-17", text, "/error/code", message.revision)


def check_draft_code(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a code of a draft that is used as the draft did."""
    del history
    code, text = message.error.get("code"), str(message.error.get("message", ""))
    pattern = _DRAFT_CODES.get(code) if isinstance(code, int) else None
    if pattern is not None and pattern.search(text[:1000]):
        found = f"code {code} comes from a draft of the specification: “{one_line(text, 80)}”"
        yield make_finding("L-JR-28", found, "/error/code", message.revision)


def _has_time(message: ReceivedMessage, history: History) -> bool:
    return message.request in history.calls.known and not methods.opens_session(message.method)


def check_duration(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about an answer that took long without any sign of life."""
    calls = history.calls
    call = calls.known.get(message.request)
    seconds = calls.seconds_of(message.request, message.monotonic_s)
    if call is None or seconds is None or seconds < SLOW_SECONDS:
        return
    if call.method in {_LISTEN, "ping"} or call.number in calls.interrupted:
        return  # a slow ping is L-LC-08
    if not (call.token and call.token in calls.with_progress):
        text = f"`{one_line(call.method, 60)}` took {seconds:.1f} s without progress"
        yield make_finding("L-JR-35", text, "", message.revision)


RULES = (
    Rule(
        "L-JR-12",
        Severity.ERROR,
        "messages",
        "request id used again",
        why="The responses to both requests have the same id, and the server may mix them up.",
        hint="Use a new id for each request of a session, such as the next number.",
        section="Requests",
        level="MUST",
        until=4,
        on=(On(Subject.REQUEST),),
        check=check_id_reuse,
    ),
    Rule(
        "L-JR-13",
        Severity.ERROR,
        "messages",
        "response to a notification",
        why="The response matches no request, and some clients disconnect.",
        hint="Send nothing in response to a message without `id`, not even an error.",
        section="Notifications",
        level="MUST NOT",
        since=2,
        transports=frozenset({"stdio", "tcp", "sse"}),
        on=(On(Subject.ERROR), On(Subject.RESULT)),
        check=check_answered_notice,
        when=_follows_notice,
    ),
    Rule(
        "L-JR-14",
        Severity.WARNING,
        "messages",
        "request without a response",
        why="Users wait until a timeout, and models get no result.",
        hint="Respond to every request, with an error if it cannot be served.",
        python="The SDK turns an exception in a handler into an error; a handler that never returns sends nothing.",
        level="RULE",
        on=(On(Subject.CONNECTION),),
        check=check_unanswered,
        when=_had_requests,
    ),
    Rule(
        "L-JR-17",
        Severity.ERROR,
        "batching",
        "batch rejected",
        why="Clients of this revision may send batches, and get no response to the messages in them.",
        hint="Accept an array of messages, and respond to the requests in it.",
        section="Batching",
        level="MUST",
        since=2,
        until=2,
        on=(On(Subject.ERROR),),
        check=check_refused_batch,
        when=_is_batch_open,
    ),
    Rule(
        "L-JR-28",
        Severity.WARNING,
        "errors",
        "error code of a draft",
        why="Clients support only the codes of the final specification, and do not react.",
        hint="Use -32020 for headers, -32021 for capabilities and -32022 for versions.",
        section="Error Codes",
        level="SHOULD NOT",
        since=5,
        on=(On(Subject.ERROR),),
        check=check_draft_code,
    ),
    Rule(
        "L-JR-35",
        Severity.INFO,
        "progress",
        "slow response without progress",
        why="Users cannot distinguish work from a server that hangs, and clients time out.",
        hint="Send progress notifications if the request carries a `progressToken`.",
        python="Call `await ctx.report_progress(…)` in the tool.",
        typescript="Send `notifications/progress` with `progressToken` from `extra._meta`, in version 2 from `ctx.mcpReq._meta`.",
        level="quality",
        on=(On(Subject.RESULT),),
        check=check_duration,
        when=_has_time,
    ),
)
