"""Why a request has no response in time: the facts in the transcript, and the text and hint that follow from them.

Every sentence names only what exists: no stderr over HTTP, no timeout while bytes come, no button of the window on the command line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import Hint, TimedOut
from inspector.frozen import FrozenStruct
from inspector.session.diagnostics import (
    exit_causes,
    known_mistakes,
    server_output,
    unusable_responses,
)
from inspector.session.diagnostics.known_mistakes import Explanation, find_mistake
from inspector.session.diagnostics.server_output import MAX_FRAMES
from inspector.spec import methods
from inspector.transcript.index import newest_with
from inspector.transport.stdio import KEEP_STDIN, STDIN_CLOSED
from inspector.visible_text import one_line
from inspector.wire.frame import Channel
from inspector.wire.line_splitter import last_written
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.errors import ConnectionLost
    from inspector.session.outgoing import Pending
    from inspector.session.package_runner import PackageRunner
    from inspector.transcript.transcript import Transcript

_MESSAGES = {MessageKind.NOTIFICATION, MessageKind.REQUEST, MessageKind.BATCH}

_RESPOND_FIRST = "Let the server respond to {method} first, and send its own requests after `notifications/initialized`."

MAX_REST = 200
"""Characters of a line that has no end yet."""

SILENT = "without a sign of life"
"""The text for a server that sent nothing at all."""

INCREASE_TIMEOUT = Hint("Increase the timeout of this server.", cli="Increase --timeout.")

_SILENT_START = (
    "Check that the command starts an MCP server over stdio, that the server reads each line of standard input as one message (without "
    "`Content-Length` headers), and that it flushes stdout after each response."
)
_BUFFERS = "Let the server send its response as soon as it has it: the server, or a proxy in between, may hold back the event stream."
_OLD_STREAM = "Let the server send the response as a `message` event on the event stream that the client opened with GET."
_NO_CONNECTION = Hint(
    "Check host and port of the URL, any firewall or proxy in between, and whether the server uses TLS; or increase the timeout of this server.",
    cli="Check host and port of the URL, any firewall or proxy in between, and whether the server uses TLS; or increase --timeout.",
)
_SLOW_START = Hint(
    "If the server is only slow to start, select Keep waiting the next time.",
    cli="If the server is only slow to start, increase --timeout.",
)
_CHECK_URL = "Check that this URL is an MCP endpoint"
_STDERR_ERROR = "Correct the error that is named on stderr, and let the server respond with an error where a request fails."
_NO_STDIN = "Check that the server reads the standard input of the command: a script or a background process in between can keep it closed."


class Silence(FrozenStruct, frozen=True):
    """What came instead of the response to one request."""

    channel: Channel
    """Where the request was sent."""
    method: str
    """The method of the request."""
    is_greeting: bool = False
    """True for a request that opens a session."""
    http_status: str = ""
    """Status line of the HTTP response that belongs to the request, e.g. `200 OK`; empty when none came."""
    events: int = 0
    """SSE events without a message, such as comments, since the request."""
    messages: int = 0
    """Notifications and requests of the server since the request."""
    latest_method: str = ""
    """Method of the latest message."""
    latest_ago_s: float = 0.0
    """Seconds before the end of the wait at which the latest message or event came."""
    stderr: str = ""
    """The latest line on stderr; empty for no output."""
    stderr_ago_s: float = 0.0
    """Seconds before the end of the wait at which it came."""
    has_reacted: bool = False
    """True when something came on stderr since the request, so that the server may have read it."""
    cause: str = ""
    """The line on stderr since the request that looks like an error; empty for no such line."""
    responses: int = 0
    """Responses of the server before the request."""
    is_stdin_closed: bool = False
    """True when the server closed its standard input and went on running."""
    is_sent: bool = True
    """False while there is no connection over which the HTTP request can be sent."""
    obstacle: Explanation | None = None
    """A well-known mistake that keeps the server from responding."""
    runner: PackageRunner | None = None
    """The command that may still be downloading the server."""


def timed_out(transcript: Transcript, pending: Pending, now: float) -> TimedOut:
    """Return the error of a request whose limit has passed at `now`, in seconds of the loop's clock."""
    limit, waited = pending.timeouts.total_seconds, now - pending.started
    found = (
        unusable_responses.among_text(transcript, pending.among_text)
        if pending.among_text
        else unusable_responses.find_reason(transcript, pending.frame)
        or unusable_responses.earlier_reason(transcript)
    )
    if found is not None:
        text = f"timed out after {waited:.1f} s: {found.text}"
        error = TimedOut(text, hint=found.hint, frame=found.frame or pending.frame)
        error.is_explained = True
        return error
    silence = explain_silence(silence_of(transcript, pending.frame, waited))
    reason = silence.text
    if waited - pending.paused_s >= limit:
        reason = f"the total limit of {limit:g} s" + (f": {reason}" if reason != SILENT else "")
    text = f"timed out after {waited:.1f} s: {reason}"
    return TimedOut(text, hint=silence.hint, frame=pending.frame)


def explain_lost(transcript: Transcript, request: int, error: ConnectionLost) -> None:
    """Complete the error of a request whose response was expected in something that ended."""
    found = unusable_responses.find_reason(transcript, request)
    if found is not None:
        error.reason = f"{error.reason}; {found.text}"
        error.hint = found.hint
        error.frame = found.frame or error.frame


def silence_of(transcript: Transcript, request: int, waited_s: float) -> Silence:
    """Gather what came since the frame `request`, `waited_s` seconds ago."""
    columns = transcript.columns
    now = columns.monotonic_s[request - 1] + waited_s
    status, events, messages, latest, latest_method, stderr = "", 0, 0, 0, "", 0
    for number in server_output.received(transcript, request):
        kind, channel = columns.kind[number - 1], columns.channel[number - 1]
        if channel == Channel.STDERR:
            stderr = number
        elif channel == Channel.HTTP and columns.stream[number - 1] == request:
            status = status or server_output.status_of(transcript, number)
        elif kind == MessageKind.SSE_OTHER:
            events, latest = events + 1, number
        elif kind in _MESSAGES and columns.request[number - 1] in {0, number, request}:
            messages, latest = messages + 1, number
            latest_method = columns.methods.texts[columns.method[number - 1]]
    head, tail = server_output.skipped(transcript, request)
    kinds = columns.kind[head : tail - 1]
    events += kinds.count(MessageKind.SSE_OTHER)
    messages += sum(map(kinds.count, _MESSAGES))
    printed = stderr or _latest_stderr(transcript)
    cause = server_output.stderr_lines(transcript, request) if stderr else []
    method = columns.methods.texts[columns.method[request - 1]]
    channel = Channel(columns.channel[request - 1])
    unfinished = _unfinished_stderr(transcript)
    searched = "\n".join(server_output.stderr_ends(transcript)) if printed else ""
    return Silence(
        channel,
        method,
        is_greeting=methods.opens_session(method),
        http_status=status,
        events=events,
        messages=messages,
        latest_method=latest_method,
        latest_ago_s=max(0.0, now - columns.monotonic_s[latest - 1]) if latest else 0.0,
        stderr=(server_output.line_of(transcript, printed).strip() if printed else "")
        or one_line(last_written(unfinished).strip(), MAX_REST),
        stderr_ago_s=max(0.0, now - columns.monotonic_s[printed - 1]) if printed else 0.0,
        has_reacted=bool(stderr),
        cause=known_mistakes.cause_line(cause),
        responses=_responses(transcript, request),
        is_stdin_closed=_is_stdin_closed(transcript, request),
        is_sent=channel is not Channel.BODY or _is_sent(transcript, request),
        obstacle=find_mistake(known_mistakes.STDERR_OBSTACLES, searched)
        or find_mistake(known_mistakes.PROMPTS, unfinished),
    )


def _latest_stderr(transcript: Transcript) -> int:
    start = max(0, transcript.count - MAX_FRAMES)
    channels = transcript.columns.channel
    return next(newest_with(channels, Channel.STDERR, start, transcript.count), 0)


def _unfinished_stderr(transcript: Transcript) -> str:
    rest = transcript.unfinished.of(Channel.STDERR)
    return rest.tail.decode("utf-8", "replace") if rest is not None else ""


def _responses(transcript: Transcript, request: int) -> int:
    """Count the responses among the frames before `request`."""
    kinds = transcript.columns.kind[max(0, request - MAX_FRAMES) : request]
    return sum(kinds.count(kind) for kind in (MessageKind.RESPONSE, MessageKind.ERROR))


def _is_stdin_closed(transcript: Transcript, request: int) -> bool:
    """Whether the process that the frame `request` was sent to closed its standard input."""
    for number in server_output.notes(transcript, max(0, transcript.count - MAX_FRAMES)):
        event = server_output.note_event(transcript, number)
        if event == "stdin-closed" or (event in server_output.CONNECTED and number < request):
            return event == "stdin-closed"
    return False


def _is_sent(transcript: Transcript, request: int) -> bool:
    """Whether the HTTP headers were sent to the server, and not only to a proxy that is to make a tunnel."""
    latest = server_output.latest_headers(transcript, request)
    return bool(latest) and not latest.startswith(server_output.TUNNEL)


def explain_silence(facts: Silence) -> Explanation:
    """Return the reason of a time-out as a clause (what came instead of the response, or that nothing did), and what to try."""
    if facts.obstacle is not None:
        text = f"no response; {facts.obstacle.text}: {_quoted(facts.stderr)}"
        return Explanation(text, facts.obstacle.hint)
    if facts.runner is not None and facts.is_greeting and not facts.messages:
        latest = f"; latest stderr output: {_quoted(facts.stderr)}" if facts.stderr else ""
        text = f"no response; `{facts.runner.name}` may still {facts.runner.work}{latest}"
        return Explanation(text, _runner_hint(facts.runner.name))
    if facts.messages:
        several = "message" if facts.messages == 1 else "messages"
        named = f", the latest one {facts.latest_method}" if facts.latest_method else ""
        is_request = bool(facts.latest_method) and "notifications/" not in facts.latest_method
        return Explanation(
            f"no response, although {facts.messages:,} other {several} came{named} {_ago(facts.latest_ago_s)}",
            _RESPOND_FIRST.format(method=facts.method)
            if facts.is_greeting and is_request
            else f"Check what the server does on {facts.method}: it sends other messages, but no response with the id of the request.",
        )
    if facts.events:
        several = (
            "SSE comment or empty event" if facts.events == 1 else "SSE comments or empty events"
        )
        return Explanation(
            f"no response; only {facts.events:,} {several} came, the latest one {_ago(facts.latest_ago_s)}",
            f"Check what the server does on {facts.method}: it only keeps the event stream open.",
        )
    if facts.http_status.startswith("202"):
        text = f"the server accepted {facts.method} ({facts.http_status}), but sent no response on its event stream"
        return Explanation(text, _OLD_STREAM)
    if facts.http_status:
        text = f"the HTTP response ({facts.http_status}) began, but nothing came in it"
        return Explanation(text, _BUFFERS)
    return _explain_no_bytes(facts)


def _explain_no_bytes(facts: Silence) -> Explanation:
    """Explain a time-out before which nothing came that could become a response."""
    if facts.is_stdin_closed:
        return Explanation(f"no response; {STDIN_CLOSED}", KEEP_STDIN)
    if facts.cause:
        known = find_mistake(exit_causes.EXIT_CAUSES, facts.cause)
        hint = known.hint if known is not None else _STDERR_ERROR
        return Explanation(f"no response; on stderr: {_quoted(facts.cause)}", hint)
    found = _explain_no_output(facts)
    if not facts.stderr:
        return found
    ago, stderr = _ago(facts.stderr_ago_s), _quoted(facts.stderr)
    return Explanation(f"no response; latest stderr output {ago}: {stderr}", found.hint)


def _explain_no_output(facts: Silence) -> Explanation:
    if not facts.is_sent:
        return Explanation("no connection to the server", _NO_CONNECTION)
    if facts.responses:
        before = "1 earlier request" if facts.responses == 1 else "earlier requests"
        text = (
            f"no response to {facts.method}, and nothing else; the server did respond to {before}"
        )
        return Explanation(text, _hanging_hint(facts))
    if facts.channel is not Channel.STDIN:
        is_http = facts.channel is Channel.BODY
        text = "the server accepted the connection and sent nothing back" if is_http else SILENT
        check = _CHECK_URL if facts.is_greeting else "Look at the log of the server"
        return Explanation(text, _or_more_time(f"{check}, or "))
    if not facts.is_greeting:
        return Explanation(SILENT, INCREASE_TIMEOUT)
    check = _NO_STDIN if facts.stderr and not facts.has_reacted else _SILENT_START
    return Explanation(SILENT, Hint(f"{check} {_SLOW_START}", cli=f"{check} {_SLOW_START.cli}"))


def _hanging_hint(facts: Silence) -> Hint:
    """Return the hint for one request that hangs, while the server runs and responds."""
    stderr = " See its output on stderr." if facts.stderr else ""
    check = f"Check what the server does on {facts.method}: it may wait for a lock, a network, or input.{stderr}"
    return _or_more_time(f"{check} If it is only slow, ")


def _or_more_time(check: str) -> Hint:
    return Hint(f"{check}increase the timeout of this server.", cli=f"{check}increase --timeout.")


def _runner_hint(name: str) -> Hint:
    again = "what was downloaded is kept."
    return Hint(
        f"Connect again: {again} Select Keep waiting to give `{name}` more time, or run the command once in a terminal.",
        cli=f"Run this again: {again} Increase --timeout to give `{name}` more time, or run the command once in a terminal.",
    )


def _ago(seconds: float) -> str:
    return f"{seconds:.1f} s before that"


def _quoted(text: str) -> str:
    return f"“{text}”"
