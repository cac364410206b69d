"""Why connecting failed: which failure is the cause, and what the transcript adds to it.

Where several ways to a server failed, the response that means most for the URL is the cause: a 415 or a challenge, not the 404 of the
fallback. Of two that mean as much, it is the first. The others become side notes, and only the hint of the cause is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.errors import (
    ConnectFailed,
    ConnectionLost,
    Hint,
    PeerError,
    ProcessExited,
    TimedOut,
    for_cli,
)
from inspector.session import negotiation, package_runner
from inspector.session.diagnostics import known_mistakes, no_response, server_output
from inspector.session.diagnostics.process_exit import explain_exit
from inspector.session.diagnostics.silence import opening_in, silence_of
from inspector.session.diagnostics.unusable_responses import malformed
from inspector.session.error_responses import NOT_FOR_POST, hint_of, http_of, opening_hint
from inspector.session.negotiation import RetryDiscover
from inspector.session.placeholders import placeholders_of
from inspector.session.steps import StepState
from inspector.session.transport_factory import transport_kind
from inspector.spec.error_codes import (
    HEADER_MISMATCH,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
)
from inspector.transcript.findings import PROBE_METHODS
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.errors import HttpStatus, InspectorError
    from inspector.session.discovery import DiscoverProbe
    from inspector.session.session import Session
    from inspector.session.steps import Step, Steps
    from inspector.session.transport_factory import ConnectionTarget
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript

UNAUTHORIZED = {401, 403}
"""HTTP statuses of a server that does not accept the credentials."""

_ABSENT = {404, 410}

ONE_LINE = "Write each message on one line, without indentation."

OPENING_HINTS: dict[int, str] = {
    INVALID_REQUEST: "Compare the request with what the server expects.",
    HEADER_MISMATCH: "Check which headers the server requires: MCP-Protocol-Version, Mcp-Method and, where a request has one, Mcp-Name are sent.",
    INVALID_PARAMS: "Check how the server reads the parameters of the request, as the specification defines them.",
    INTERNAL_ERROR: "Look at the log of the server: it failed to handle the request.",
}
"""Code of an error by which a server refuses to open a session → what to do."""

BUFFERED = "Flush stdout after each message (Python: flush=True or -u), and respond to each message as soon as it is read, not at the end of input."


def explain(failure: InspectorError, session: Session, suspicion: tuple[str, int] | None) -> None:
    """Complete `failure` and the last step that failed with what the transcript holds.

    `suspicion` is text and frame of what may be the reason, as `Session.suspect` was called with.
    """
    steps, transcript, target = session.steps, session.transcript, session.profile
    if not transcript.count:  # nothing was started: without this the recording would be empty
        transcript.note("not-connected", f"connection failed: {failure.reason}")
    failed = _last_failed(steps) or _missing_step(failure, steps)
    if isinstance(failure, TimedOut):
        if suspicion:
            text, failure.frame = suspicion
            failure.reason, failure.hint = f"{text}; no response otherwise", ONE_LINE
            failure.is_explained = True
        elif not failure.is_explained:
            _explain_time_out(failure, failed, transcript, target)
    explain_exit(failure, transcript, target)
    stray = server_output.first_stray(transcript)
    if type(failure) is ConnectionLost and stray and transport_kind(target.transport).key == "tcp":
        found = malformed(transcript, stray)
        failure.reason = failed.status_text = f"{failure.reason}: {found.text}"
        failure.hint, failure.frame = found.hint, stray
        failed.hint, failed.frame = found.hint, stray
    _explain_opening(failure, failed, transcript)
    if isinstance(failure, PeerError) and not failure.hint:
        code = failure.code if isinstance(failure.code, int) else 0
        failure.hint = opening_hint(failure) if _is_of_initialize(transcript, failure.frame) else ""
        failure.hint = failed.hint = hint_of(failure, None, OPENING_HINTS.get(code, ""))
    _name_placeholders(failure, failed, target)
    if isinstance(failure, TimedOut | ProcessExited):  # other failures sum up several steps
        failed.status_text, failed.hint = failure.reason, failure.hint
        failed.frame = failure.frame or failed.frame
    if failed.status_text == failure.reason:  # the hint may have been found after the step
        failed.hint = failure.hint
    failed.detail = _error_data(failure) + server_output.detail(transcript)
    steps.changed.fire()


def _is_of_initialize(transcript: Transcript, number: int | None) -> bool:
    """Whether a frame responds to `initialize`; an error without an id does by its HTTP exchange."""
    columns = transcript.columns
    opener = columns.stream[number - 1] if number else 0
    frames = [each for each in (number, opener) if each]
    return "initialize" in [columns.methods.texts[columns.method[each - 1]] for each in frames]


def explain_end(failure: InspectorError, session: Session, before: int) -> None:
    """Complete a time-out with what came after frame `before`, when standard input had been closed.

    A response that comes only then was in a buffer of the server, or the server reads its input to the end before it responds.
    """
    steps, transcript = session.steps, session.transcript
    failed = _last_failed(steps)
    if failed is None or not isinstance(failure, TimedOut):
        return
    columns = transcript.columns
    late = next(
        (
            at + 1
            for at in range(before, transcript.count)
            if columns.kind[at] in {MessageKind.RESPONSE, MessageKind.ERROR}
            and columns.channel[at] == Channel.STDOUT
        ),
        0,
    )
    timed_out = failure.reason.partition(": ")[0]
    printed = server_output.stderr_excerpt(transcript, before)
    source = known_mistakes.find_mistake(known_mistakes.RUNS_INPUT, printed)
    if late and not failure.is_explained:
        text = f"the response came in frame {late}, but only after standard input was closed"
        failed.status_text = failure.reason = f"{timed_out}: {text}"
        failed.hint = failure.hint = BUFFERED
        failed.frame = failure.frame = late
    elif source is not None and not failure.is_explained:
        failed.status_text = failure.reason = f"{timed_out}: {source.text}"
        failed.hint = failure.hint = source.hint
    failed.detail = _error_data(failure) + server_output.detail(transcript)
    steps.changed.fire()


def explain_refusal(
    error: PeerError, offer: Revision, probe: DiscoverProbe | None, pinned: str, steps: Steps
) -> None:
    """Complete an error of `initialize` with `offer`, after which nothing else is tried, in the step that failed.

    `probe` is the `server/discover` before it, `pinned` the revision that is set for the server.
    """
    explained: tuple[str, str] | None = None
    if error.code == METHOD_NOT_FOUND and probe is not None:
        explained = negotiation.no_opening(error, has_discovered=probe.has_result)
    elif error.code == METHOD_NOT_FOUND and pinned:
        explained = error.reason, negotiation.stateless_pin_hint()
    elif text := negotiation.nothing_shared(error):
        explained = f"{text} ({error.reason})", negotiation.refusal_hint(error)
    elif negotiation.names(error, offer):
        explained = negotiation.contradiction(error, RetryDiscover(offer))
    if explained is not None:
        error.reason, error.hint = explained
        steps.fail(steps[-1], error)


async def contradiction(
    probe: DiscoverProbe, decision: RetryDiscover, steps: Steps
) -> InspectorError:
    """Return the failure of a server that refuses what it has named itself."""
    try:
        await probe.answer(0)
    except PeerError as error:
        error.reason, error.hint = negotiation.contradiction(error, decision)
        steps.fail(steps[-1], error)
        return error
    raise AssertionError("unreachable")


def cause_of_transports(
    newer: InspectorError, older: InspectorError, steps: Steps, tried: int
) -> InspectorError:
    """Return the cause, where streamable HTTP failed by `newer` in the first `tried` steps, and then HTTP+SSE by `older` in the others.

    A server whose event stream of HTTP+SSE could be opened is one of that transport.
    """
    is_older = any(step.state is StepState.DONE for step in list(steps)[tried:])
    refused = http_of(older)
    # the newer transport works without GET, so that its absence means nothing
    has_no_get = refused is not None and refused.status in NOT_FOR_POST
    cause = older if is_older else newer if has_no_get else min((newer, older), key=_rank)
    other = ("over HTTP+SSE", older) if cause is newer else ("over streamable HTTP", newer)
    cause.reason = _with_other(cause, *other)
    first, second = range(tried), range(tried, len(steps))
    causes, others = (first, second) if cause is newer else (second, first)
    for at in others:
        steps[at].hint = ""
    steps.blame(causes)
    return cause


def cause_of_openings(
    discovered: HttpStatus | None, initialized: InspectorError, steps: Steps
) -> InspectorError:
    """Return the cause, where `initialize` failed by `initialized`, and HTTP responded with `discovered` to `server/discover`."""
    if discovered is None or _rank(initialized) <= _rank(discovered):
        return initialized
    discovered.reason = _with_other(discovered, "to initialize", initialized)
    for step in steps:
        step.hint = ""
    steps[-1].hint = discovered.hint
    return discovered


def _with_other(cause: InspectorError, name: str, other: InspectorError) -> str:
    """Return the reason of the cause, and in short how the other way of that name failed."""
    http = http_of(other)
    if http is None:
        short = other.reason
    elif http.status < 300:
        short = f"{http.line} without a usable response"
    else:
        short = "; ".join((http.line, *http.explained))
    return f"{cause.reason}; {name}: {short}"


def _rank(error: InspectorError) -> int:
    """Return how much a failure means for the URL: 0 means most."""
    http = http_of(error)
    if http is None:
        return 2 if isinstance(error, ConnectFailed) else 0
    if http.is_named:
        return 1
    if http.status in _ABSENT:
        return 5
    if http.status < 300 or http.status in NOT_FOR_POST:
        return 4
    return 3 if http.status == 400 else 1


def _name_placeholders(failure: InspectorError, failed: Step, target: ConnectionTarget) -> None:
    """Name placeholders that were sent instead of values: they are the likely reason of a refusal, or of an exit."""
    http = http_of(failure)
    is_refused = http is not None and http.status in UNAUTHORIZED
    found = placeholders_of(target)
    fields = ("headers", "url") if is_refused else ("env", "args")
    names = [name for field in fields for name in found.get(field, ())]
    if names and (is_refused or isinstance(failure, ProcessExited)):
        listed = ", ".join(dict.fromkeys(names))
        hint = f"Replace the placeholder {listed} with its value: it was sent as it is."
        window, cli = (f"{hint} {rest}".strip() for rest in (failure.hint, for_cli(failure.hint)))
        failure.hint = failed.hint = Hint(window, cli=cli)
        failure.is_of_settings = True


def _explain_opening(failure: InspectorError, failed: Step, transcript: Transcript) -> None:
    """Explain the error of a program that requests to open a session: one that sends back what it reads, or a client."""
    number = _opening_request(transcript) if isinstance(failure, PeerError) else 0
    if number:
        found = opening_in(transcript, number).explanation
        failure.reason = failed.status_text = found.text
        failure.hint = failed.hint = found.hint
        failure.frame = failed.frame = number


def _opening_request(transcript: Transcript) -> int:
    """Return the frame in which the server requested to open a session, if that is the first request received; otherwise 0."""
    columns = transcript.columns
    opening = {columns.methods.number(method) for method in PROBE_METHODS}
    for at in range(min(transcript.count, server_output.MAX_FRAMES)):
        if columns.kind[at] == MessageKind.REQUEST and columns.direction[at] == Direction.RECEIVED:
            return at + 1 if columns.method[at] in opening else 0
    return 0


def _explain_time_out(
    failure: TimedOut, failed: Step, transcript: Transcript, target: ConnectionTarget
) -> None:
    """Name what a server printed before the request, or the command that may still be downloading the server."""
    stray = server_output.first_stray(transcript)
    is_process = transport_kind(target.transport).is_process
    runner = package_runner.find_runner(target.command, target.args) if is_process else None
    timed_out = failure.reason.partition(": ")[0]
    if stray:
        found = malformed(transcript, stray)
        failure.reason, failure.hint = f"{timed_out}: {found.text}", found.hint
        failure.frame, failure.is_explained = stray, True
    elif is_process and package_runner.is_bare_interpreter(target.command, target.args):
        name = package_runner.program_name(target.command)
        failure.reason = f"{timed_out}: `{name}` was started without a program, so it runs what it reads from standard input"
        failure.hint, failure.is_explained = known_mistakes.SOURCE_HINT, True
    elif runner is not None and failure.frame:
        waited = failed.took_seconds or 0.0
        facts = silence_of(transcript, failure.frame, waited)
        silence = no_response.explain_silence(replace(facts, runner=runner))
        failure.reason = f"timed out after {waited:.1f} s: {silence.text}"
        failure.hint = silence.hint


def _last_failed(steps: Steps) -> Step | None:
    return next((step for step in reversed(list(steps)) if step.state is StepState.FAILED), None)


def _missing_step(failure: InspectorError, steps: Steps) -> Step:
    with steps.run("Prepare") as step:
        steps.fail(step, failure)
    return step


def _error_data(error: InspectorError) -> str:
    if not isinstance(error, PeerError) or error.data is None:
        return ""
    return f"data: {json_codec.write_readable(error.data)}\n\n"
