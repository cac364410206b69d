"""What stands beside a result, on stderr: findings, failures, the steps of connecting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import PeerError
from inspector.session import story
from inspector.wire import jsontext

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.cli.screen import Screen
    from inspector.errors import InspectorError
    from inspector.finding import Finding
    from inspector.session.steps import Steps
    from inspector.transcript.transcript import Transcript


def tell_error(screen: Screen, error: InspectorError) -> None:
    """Cause, remedy, and the data of an error that the server answered."""
    screen.tell(f"error: {error.words}")
    if isinstance(error, PeerError) and error.data is not None:
        screen.tell(_indented(f"data: {jsontext.write(error.data, indent=2)}"))
    if error.remedy:
        screen.tell(_indented(error.remedy))


def tell_steps(screen: Screen, steps: Steps) -> None:
    """How far connecting came, and why no farther."""
    for step in steps:
        took = "" if step.took_seconds is None else f", {seconds(step.took_seconds)}"
        screen.tell(f"{step.name}: {step.state}{took}")
        for part in (step.words, step.remedy, step.detail):
            if part:
                screen.tell(_indented(part.rstrip()))


def tell_printed(screen: Screen, transcript: Transcript) -> None:
    """What the server printed that may explain a failure."""
    detail = story.detail(transcript)
    if detail:
        screen.tell(_indented(detail))


def tell_findings(screen: Screen, transcript: Transcript) -> None:
    """Everything that was found about the frames of a record, in their order."""
    for number in range(1, transcript.count + 1):
        if transcript.columns.mark[number - 1]:
            for line in finding_lines(transcript.findings(number), f"#{number}"):
                screen.tell(line)
    if transcript.dropped_findings:
        screen.tell(f"{transcript.dropped_findings:,} more findings were not kept")


def finding_lines(findings: Iterable[Finding], about: str) -> list[str]:
    """One line for each finding about a frame or a thing."""
    return [
        " ".join(
            part
            for part in (
                f"{each.severity.name.lower()}:",
                about,
                each.rule,
                f"at {each.place}:" if each.place else "",
                each.words,
            )
            if part
        )
        for each in findings
    ]


def seconds(value: float) -> str:
    """A duration, short."""
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))
