"""Putting beside the step that failed what may explain it: what the server printed, and what was suspected while it ran."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import PeerError, ProcessExited, TimedOut
from inspector.session import story
from inspector.session.meanwhile import NOT_ON_STDOUT
from inspector.session.steps import StepState
from inspector.wire import jsontext

if TYPE_CHECKING:
    from inspector.errors import InspectorError
    from inspector.session.steps import Step, Steps
    from inspector.transcript.transcript import Transcript


NOTHING_SAID = "Raise the limit, or look at what the server itself logs: it printed nothing here that says why."


def explain(
    failure: InspectorError,
    steps: Steps,
    transcript: Transcript,
    suspicion: tuple[str, int] | None,
) -> None:
    """Complete the last step that failed; `suspicion` is words and a frame."""
    if not transcript.count:  # nothing was started: without this the record would say nothing
        transcript.note("not-connected", f"could not connect: {failure.words}")
    failed = _last_failed(steps) or _missing_step(failure, steps)
    if suspicion and isinstance(failure, TimedOut):
        words, failed.frame = suspicion
        failed.words = failure.words = f"{words} ({failure.words})"
        failed.remedy = failure.remedy = ""
    elif isinstance(failure, TimedOut) and failure.is_explained:
        failed.frame = failure.frame
    elif isinstance(failure, TimedOut):
        _explain_silence(failure, failed, transcript)
    failed.detail = _error_data(failure) + story.detail(transcript)
    if isinstance(failure, ProcessExited) and not failed.remedy:
        failed.remedy = (
            "Its last lines on stderr say why."
            if story.stderr_tail(transcript)
            else "It said nothing on stderr; start it in a terminal."
        )
    steps.changed.fire()


def _explain_silence(failure: InspectorError, failed: Step, transcript: Transcript) -> None:
    """What a server printed instead of an answer is the first thing to know; where it printed nothing, there is nothing to look at."""
    stray = story.first_stray(transcript)
    if stray:
        words = f"{story.stray_sentence(transcript, stray)}, and then did not answer"
        failed.frame = stray
        failed.words = failure.words = f"{words}: {failure.words}"
        failed.remedy = failure.remedy = NOT_ON_STDOUT
    elif not story.stderr_tail(transcript):
        failed.remedy = failure.remedy = NOTHING_SAID


def _last_failed(steps: Steps) -> Step | None:
    return next((step for step in reversed(list(steps)) if step.state is StepState.FAILED), None)


def _missing_step(failure: InspectorError, steps: Steps) -> Step:
    with steps.run("Prepare") as failed:
        failed.state = StepState.FAILED
        failed.words = failure.words
        failed.remedy = failure.remedy
        failed.frame = failure.frame
    return failed


def _error_data(error: InspectorError) -> str:
    if not isinstance(error, PeerError) or error.data is None:
        return ""
    return f"data: {jsontext.write(error.data, indent=2)}\n\n"
