"""Why a request has no response in time: the facts in the transcript, and the text and hint that follow from them.

Every sentence names only what exists: no stderr over HTTP, no timeout while bytes come, no button of the window on the command line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import Hint, TimedOut
from inspector.session.diagnostics import cause_lines, exit_causes, unusable_responses
from inspector.session.diagnostics.known_mistakes import ENCODING, Explanation, find_mistake
from inspector.session.diagnostics.silence import Asked, Silence, silence_of
from inspector.session.error_responses import undeclared_hint
from inspector.spec import methods
from inspector.transport.stdio import KEEP_STDIN, STDIN_CLOSED
from inspector.wire.frame import Channel

if TYPE_CHECKING:
    from inspector.errors import ConnectionLost, HttpStatus
    from inspector.session.outgoing import Pending
    from inspector.transcript.transcript import Transcript

_RESPOND_FIRST = "Let the server respond to {method} first, and send its own requests after `notifications/initialized`."

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
_RESPOND_TO_IT = "Respond to the request of the server."
_READ_MEANWHILE = "Check that the server reads its input while a handler waits: a handler that blocks never gets the response to its own request."
_HANDLE_ERROR = "Let the server respond with an error where a request of its own is refused."
_REQUIRE_INPUT = "Let the server return a result with `resultType: input_required` that has the request in `inputRequests`."
_CHECK_URL = "Check that this URL is an MCP endpoint"
_STDERR_ERROR = "Correct the error that is named on stderr, and let the server respond with an error where a request fails."
_NO_STDIN = "Check that the server reads the standard input of the command: a script or a background process in between can keep it closed."


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


def explain_body(error: HttpStatus) -> None:
    """Complete the error of a request whose HTTP response has a good status, and a message in a wrong encoding."""
    found = find_mistake(ENCODING, error.body) if 200 <= error.status < 300 else None
    if found is not None:
        error.reason = f"{error.line}; {found.text}: {error.body}"
        error.hint = found.hint


def explain_silence(facts: Silence) -> Explanation:
    """Return the reason of a time-out as a clause (what came instead of the response, or that nothing did), and what to try."""
    if facts.obstacle is not None:
        text = f"no response; {facts.obstacle.text}: {_quoted(facts.stderr)}"
        return Explanation(text, facts.obstacle.hint)
    opening = _explain_opening(facts) if facts.is_greeting else None
    if opening is not None:
        return opening
    if facts.messages:
        return _explain_messages(facts)
    if facts.resuming:
        text = f"Check what the server does on {facts.method}: it ended the event stream, and lets the client wait before the rest."
        return Explanation(f"no response; {facts.resuming}", text)
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


def _explain_opening(facts: Silence) -> Explanation | None:
    """Explain what is special about a time-out of the request that opens a session; None for nothing special."""
    if facts.opening is not None:
        found = facts.opening.explanation
        return Explanation(f"no response; {found.text}", found.hint)
    if facts.runner is not None and not facts.messages:
        latest = f"; latest stderr output: {_quoted(facts.stderr)}" if facts.stderr else ""
        text = f"no response; `{facts.runner.name}` may still {facts.runner.work}{latest}"
        return Explanation(text, _runner_hint(facts.runner.name))
    return None


def _explain_messages(facts: Silence) -> Explanation:
    """Explain a time-out before which other messages came."""
    asked = facts.asked
    if asked is not None and not asked.went_on and not facts.is_greeting:
        return _explain_asked(asked)  # while a session opens, no request may be sent yet
    if facts.logged:
        hint = f"Correct what the log message names, and let the server respond to {facts.method} with an error where it fails."
        return Explanation(f"no response; the server logged: {_quoted(facts.logged)}", hint)
    several = "message" if facts.messages == 1 else "messages"
    named = f", the latest one {facts.latest_method}" if facts.latest_method else ""
    is_request = bool(facts.latest_method) and "notifications/" not in facts.latest_method
    return Explanation(
        f"no response, although {facts.messages:,} other {several} came{named} {_ago(facts.latest_ago_s)}",
        _RESPOND_FIRST.format(method=facts.method)
        if facts.is_greeting and is_request
        else f"Check what the server does on {facts.method}: it sends other messages, but no response with the id of the request.",
    )


def _explain_asked(asked: Asked) -> Explanation:
    """Explain the time-out of a request while which the server sent one of its own."""
    came = f"the server requested {asked.method} in frame {asked.frame}"
    if asked.is_stateless:
        text = f"no response; {came}, which gets no response: servers send no requests in this revision"
        return Explanation(text, _REQUIRE_INPUT)
    if not asked.response:
        text = f"no response; {came}, to which no response was sent yet"
        return Explanation(text, _RESPOND_TO_IT)
    end = ", and sent nothing after that" if asked.is_last else ""
    if not asked.refused:
        text = f"{came}, got the response in frame {asked.response}{end}"
        return Explanation(text, _READ_MEANWHILE)
    text = f"{came}, was refused it with error {asked.refused}{end}"
    row = methods.find_any(asked.method)
    if not asked.is_unsupported or row is None or row.needs is None:
        return Explanation(text, _HANDLE_ERROR)
    return Explanation(text, undeclared_hint(row.needs.path[0]))


def _explain_no_bytes(facts: Silence) -> Explanation:
    """Explain a time-out before which nothing came that could become a response."""
    if facts.is_stdin_closed:
        return Explanation(f"no response; {STDIN_CLOSED}", KEEP_STDIN)
    if facts.cause:
        rules = exit_causes.NOTIFICATION_ID if facts.took_notification else ()
        is_certain = not cause_lines.is_below_error(facts.cause)
        rules = (*rules, *exit_causes.EXIT_CAUSES) if is_certain else rules
        known = find_mistake(rules, facts.cause) if not facts.went_on else None
        # A server that has not reacted may have gone on after an error of its start.
        unknown = _STDERR_ERROR if facts.has_reacted else _explain_no_output(facts).hint
        hint = known.hint if known is not None else unknown
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
