"""What stands beside a result, on stderr: findings, failures, the steps of connecting."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

from inspector.checks.output_schema import OutputState
from inspector.checks.split_message import RULE as SPLIT_MESSAGE
from inspector.cli.evidence import Evidence
from inspector.errors import PeerError, for_cli
from inspector.finding import Severity
from inspector.session import story
from inspector.session.refusals import hint_of
from inspector.wire import jsontext

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inspector.checks.output_schema import OutputCheck
    from inspector.cli.console import Console
    from inspector.errors import InspectorError
    from inspector.finding import Finding
    from inspector.session.session import Session
    from inspector.session.steps import Steps
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript

MAX_LINES_PER_RULE = 20
"""Findings of one rule that are printed."""

MAX_FRAMES_PER_TURN = 1_000
"""Frames looked at before other tasks get their turn."""


WAITING_INTERVAL_S = 10.0
"""How often the command line shows what connecting waits for."""


def print_error(console: Console, error: InspectorError, revision: Revision | None = None) -> None:
    """Cause, remedy, and the data of an error that the server answered by `revision`."""
    is_named = error.words.startswith("error")  # an error of the server: `error -32603: …`
    console.err(error.words if is_named else f"error: {error.words}")
    if isinstance(error, PeerError) and error.data is not None:
        console.err(_indented(f"data: {jsontext.write(error.data, indent=2)}"))
    if hint := hint_of(error, revision):
        console.err(_indented(for_cli(hint)))


async def print_waiting(
    console: Console, session: Session, seconds: float = WAITING_INTERVAL_S
) -> None:
    """Print, every now and then, which response connecting still waits for."""
    while True:
        await asyncio.sleep(seconds)
        step, now = session.steps.waiting, session.steps.clock.monotonic()
        if step is not None:
            left = "" if step.gives_up_at is None else f", {step.gives_up_at - now:.0f} s left"
            console.err(f"{step.name}: {now - step.started_at:.0f} s{left}")
            console.err(_indented(step.words))


def print_connection_steps(console: Console, steps: Steps) -> None:
    """How far connecting came, and why no farther."""
    for step in steps:
        took = "" if step.took_seconds is None else f", {duration_text(step.took_seconds)}"
        console.err(f"{step.name}: {step.state}{took}")
        for part in (step.words, for_cli(step.remedy), step.detail):
            if part:
                console.err(_indented(part.rstrip()))


def print_server_output(console: Console, transcript: Transcript) -> None:
    """What the server printed that may explain a failure."""
    detail = story.detail(transcript)
    if detail:
        console.err(_indented(detail))


async def print_findings(console: Console, transcript: Transcript) -> int:
    """Print what was found about the frames of a record, in their order, and return the number of problems.

    Of each rule only the first `MAX_LINES_PER_RULE` findings are printed; the others are counted.
    """
    printed: Counter[str] = Counter()
    evidence = Evidence(transcript)
    problems, split = 0, set[str]()
    for number in range(1, transcript.count + 1):
        if number % MAX_FRAMES_PER_TURN == 0:
            await asyncio.sleep(0)  # Ctrl+C works here too
        if not transcript.columns.mark[number - 1]:
            continue
        findings = transcript.findings(number)
        problems += sum(finding.severity > Severity.INFO for finding in findings)
        for finding in _without_parts(findings, split):
            printed[finding.rule] += 1
            if printed[finding.rule] <= MAX_LINES_PER_RULE:
                console.err("".join(finding_lines([finding], evidence.label(number))))
                if excerpt := evidence.excerpt(number, finding.place):
                    console.err(_indented(excerpt))
    for rule, count in printed.items():
        if count > MAX_LINES_PER_RULE:
            console.err(f"{rule}: {count - MAX_LINES_PER_RULE:,} more of {count:,} are not printed")
    if transcript.dropped_findings:
        console.err(f"{transcript.dropped_findings:,} more findings were not kept")
    return problems + transcript.dropped_findings


def print_output_checks(console: Console, outcomes: Mapping[int, OutputCheck]) -> None:
    """Print of which results the structured content fits the output schema, or why that is not known."""
    for number, outcome in outcomes.items():
        if outcome.state is OutputState.VALID:
            console.err(f"#{number}: structured content fits the output schema")
        elif outcome.state is OutputState.NOT_VALIDATED:
            console.err(f"#{number}: structured content not validated: {'; '.join(outcome.notes)}")


def _without_parts(findings: Sequence[Finding], split: set[str]) -> list[Finding]:
    """The findings about one line, unless it is part of a message over several lines, of which only the first is worth a line.

    `split` holds what was said of such messages before.
    """
    whole = next((finding for finding in findings if finding.rule == SPLIT_MESSAGE), None)
    if whole is None:
        return list(findings)
    if whole.words in split:
        return []
    split.add(whole.words)
    return [whole]


def print_unchecked(console: Console, frames: int) -> None:
    """Print that judging stopped at its time limit, if it did."""
    if frames:
        console.err(f"{frames:,} frames were not checked: that would have taken too long")


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


def duration_text(value: float) -> str:
    """A duration, short."""
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))
