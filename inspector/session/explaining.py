"""Putting beside the step that failed what may explain it: what the server printed, and what was suspected while it ran."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.errors import Hint, PeerError, ProcessExited, TimedOut, for_cli
from inspector.session import advice, amiss, evidence, package_runner, shapes, story
from inspector.session.http_verdict import http_of
from inspector.session.placeholders import placeholders_of
from inspector.session.refusals import hint_of
from inspector.session.steps import StepState
from inspector.session.transport_factory import transport_kind
from inspector.spec.error_codes import INTERNAL_ERROR, INVALID_PARAMS
from inspector.wire import json_codec
from inspector.wire.frame import Channel
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.errors import InspectorError
    from inspector.session.connection_target import ConnectionTarget
    from inspector.session.steps import Step, Steps
    from inspector.transcript.transcript import Transcript


REFUSALS = {401, 403}
"""HTTP statuses of a server that does not accept the credentials."""

ONE_LINE = "Write each message on one line, without indentation."

OPENING_HINTS: dict[int, str] = {
    INVALID_PARAMS: "Check how the server reads the parameters of the request, as the specification defines them.",
    INTERNAL_ERROR: "Look at the log of the server: it failed to handle the request.",
}
"""Code of an error by which a server refuses to open a session → what to do."""

NO_SERVER = "Check that the command starts an MCP server: this program repeats its input."

BUFFERED = "Flush stdout after each message (Python: flush=True or -u), and respond to each message as soon as it is read, not at the end of input."


def explain(
    failure: InspectorError,
    steps: Steps,
    transcript: Transcript,
    target: ConnectionTarget,
    suspicion: tuple[str, int] | None,
) -> None:
    """Complete the last step that failed, by what the recording holds; `suspicion` is words and a frame."""
    if not transcript.count:  # nothing was started: without this the record would say nothing
        transcript.note("not-connected", f"could not connect: {failure.reason}")
    failed = _last_failed(steps) or _missing_step(failure, steps)
    if isinstance(failure, TimedOut):
        if suspicion:
            text, failure.frame = suspicion
            failure.reason, failure.hint = f"{text}; no response otherwise", ONE_LINE
            failure.is_explained = True
        elif not failure.is_explained:
            _explain_silence(failure, failed, transcript, target)
    explain_exit(failure, transcript, target)
    _name_echo(failure, failed, transcript)
    if isinstance(failure, PeerError) and not failure.hint:
        code = failure.code if isinstance(failure.code, int) else 0
        failure.hint = failed.hint = OPENING_HINTS.get(code) or hint_of(failure, None)
    _name_placeholders(failure, failed, target)
    if isinstance(failure, TimedOut | ProcessExited):  # other failures sum up several steps
        failed.status_text, failed.hint = failure.reason, failure.hint
        failed.frame = failure.frame or failed.frame
    failed.detail = _error_data(failure) + story.detail(transcript)
    steps.changed.fire()


def _name_placeholders(failure: InspectorError, failed: Step, target: ConnectionTarget) -> None:
    """A refusal, or an exit, of a server that was given a placeholder in the place of a value is likely due to that."""
    http = http_of(failure)
    is_refused = http is not None and http.status in REFUSALS
    found = placeholders_of(target)
    fields = ("headers", "url") if is_refused else ("env", "args")
    names = [name for field in fields for name in found.get(field, ())]
    if names and (is_refused or isinstance(failure, ProcessExited)):
        listed = ", ".join(dict.fromkeys(names))
        hint = f"Replace the placeholder {listed} with its value: it was sent as it is."
        window, cli = (f"{hint} {rest}".strip() for rest in (failure.hint, for_cli(failure.hint)))
        failure.hint = failed.hint = Hint(window, cli=cli)


def _name_echo(failure: InspectorError, failed: Step, transcript: Transcript) -> None:
    """A program that sends back what it reads gets its own requests refused, and seems to refuse ours."""
    number = story.first_echo(transcript) if isinstance(failure, PeerError) else 0
    if number:
        text = f"the program sends back what it receives, such as frame {number}"
        failure.reason = failed.status_text = text
        failure.hint = failed.hint = NO_SERVER
        failure.frame = failed.frame = number


def explain_exit(failure: InspectorError, transcript: Transcript, target: ConnectionTarget) -> None:
    """Complete the end of a process by what it printed and what to do about it; other failures stay as they are."""
    if not isinstance(failure, ProcessExited) or failure.hint:
        return
    container = package_runner.lacks_stdin(target.command, target.args)
    facts = evidence.exit_of(transcript, failure.frame or 0, container)
    failure.reason = advice.exit_words(failure.reason, facts)
    failure.hint = advice.exit_hint(facts)


def explain_end(failure: InspectorError, steps: Steps, transcript: Transcript, before: int) -> None:
    """Complete a time-out by what came after frame `before`, when standard input had been closed.

    A response that comes only then lay in a buffer of the server, or the server reads its input to the end before it responds.
    """
    failed = _last_failed(steps)
    if failed is None or not isinstance(failure, TimedOut):
        return
    late = next(
        (n for n in range(before + 1, transcript.count + 1) if _is_response(transcript, n)), 0
    )
    timed_out = failure.reason.partition(": ")[0]
    source = shapes.as_source(story.stderr_excerpt(transcript, before))
    if late and not failure.is_explained:
        text = f"the response came in frame {late}, but only after standard input was closed"
        failed.status_text = failure.reason = f"{timed_out}: {text}"
        failed.hint = failure.hint = BUFFERED
        failed.frame = failure.frame = late
    elif source is not None and not failure.is_explained:
        failed.status_text = failure.reason = f"{timed_out}: {source.text}"
        failed.hint = failure.hint = source.hint
    failed.detail = _error_data(failure) + story.detail(transcript)
    steps.changed.fire()


def _is_response(transcript: Transcript, number: int) -> bool:
    columns = transcript.columns
    is_message = columns.kind[number - 1] in {MessageKind.RESPONSE, MessageKind.ERROR}
    return is_message and columns.channel[number - 1] == Channel.STDOUT


def _explain_silence(
    failure: TimedOut, failed: Step, transcript: Transcript, target: ConnectionTarget
) -> None:
    """Name what a server printed before the request, or the command that may still be downloading it."""
    stray = story.first_stdout_noise(transcript)
    runner = package_runner.find_runner(target.command, target.args)
    timed_out = failure.reason.partition(": ")[0]
    if stray:
        seen = amiss.malformed(transcript, stray)
        failure.reason, failure.hint = f"{timed_out}: {seen.text}", seen.hint
        failure.frame, failure.is_explained = stray, True
    elif transport_kind(target.transport).is_process and package_runner.is_bare_interpreter(
        target.command, target.args
    ):
        name = package_runner.program_name(target.command)
        failure.reason = f"{timed_out}: `{name}` was started without a program, so it runs what it reads from standard input"
        failure.hint, failure.is_explained = shapes.SOURCE_HINT, True
    elif runner is not None and transport_kind(target.transport).is_process and failure.frame:
        waited = failed.took_seconds or 0.0
        facts = replace(evidence.silence(transcript, failure.frame, waited), runner=runner)
        failure.reason = f"timed out after {waited:.1f} s: {advice.silence_words(facts)}"
        failure.hint = advice.silence_hint(facts)


def _last_failed(steps: Steps) -> Step | None:
    return next((step for step in reversed(list(steps)) if step.state is StepState.FAILED), None)


def _missing_step(failure: InspectorError, steps: Steps) -> Step:
    with steps.run("Prepare") as failed:
        failed.state = StepState.FAILED
        failed.status_text = failure.reason
        failed.hint = failure.hint
        failed.frame = failure.frame
    return failed


def _error_data(error: InspectorError) -> str:
    if not isinstance(error, PeerError) or error.data is None:
        return ""
    return f"data: {json_codec.write(error.data, indent=2)}\n\n"
