"""Failures, the steps of connecting, and findings with the part of the message at their pointer, on stderr. Secrets in messages are masked."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

from inspector.checks.message_order import SPLIT_MESSAGE
from inspector.checks.output_schema import OutputState
from inspector.cli.arguments import suggested_url
from inspector.cli.console import indented
from inspector.cli.json_output import error_to_json, steps_to_json
from inspector.errors import PeerError, StorageError, for_cli
from inspector.finding import Severity
from inspector.session.diagnostics import server_output
from inspector.session.error_responses import hint_of
from inspector.session.transport_factory import transport_kind
from inspector.spec.pointer import member
from inspector.transcript.redaction import Masking
from inspector.wire import json_codec
from inspector.wire.frame import MESSAGE_CHANNELS, Channel, Direction
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.message import Absent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inspector.checks.output_schema import OutputCheck
    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.errors import InspectorError
    from inspector.finding import Finding
    from inspector.session.session import Session
    from inspector.session.steps import Steps
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript

PENDING_INTERVAL_S = 10.0
"""Interval at which the command line prints what connecting waits for."""


MAX_LINES_PER_RULE = 20
"""Findings of one rule that are printed."""

MAX_FRAMES_PER_TURN = 1_000
"""Frames that are read before other tasks get their turn."""

MAX_EXCERPT_LENGTH = 160
"""Characters of a message that are printed."""

MAX_BYTES = 1 << 20
"""Larger messages are not read for a part of them; their beginning is printed."""

ARROWS = {Direction.SENT: "→", Direction.RECEIVED: "←", Direction.NOTE: "·"}


def print_error(console: Console, error: InspectorError, revision: Revision | None = None) -> None:
    """Print the reason, the data and the hint of an error; `revision` is the one in use."""
    is_named = error.reason.startswith("error")  # an error of the server: `error -32603: …`
    console.err(error.reason if is_named else f"error: {error.reason}")
    if isinstance(error, PeerError) and error.data is not None:
        console.err(indented(f"data: {json_codec.write(error.data, indent=2)}"))
    if hint := hint_of(error, revision):
        console.err(indented(for_cli(hint)))


async def print_pending_step(
    console: Console, session: Session, seconds: float = PENDING_INTERVAL_S
) -> None:
    """Print every `seconds` which response connecting waits for."""
    while True:
        await asyncio.sleep(seconds)
        step, now = session.steps.pending, session.steps.clock.monotonic()
        if step is not None:
            left = "" if step.times_out_at is None else f", {step.times_out_at - now:.0f} s left"
            console.err(f"{step.name}: {now - step.started_at:.0f} s{left}")
            console.err(indented(step.status_text))


def print_connection_steps(console: Console, steps: Steps) -> None:
    """Print the steps of connecting, with the reason for a failure."""
    for step in steps:
        took = "" if step.took_seconds is None else f", {duration_text(step.took_seconds)}"
        console.err(f"{step.name}: {step.state}{took}")
        for part in (step.status_text, for_cli(step.hint), step.detail):
            if part:
                console.err(indented(part.rstrip()))


def print_server_output(console: Console, transcript: Transcript) -> None:
    """Print the output of the server that may explain a failure."""
    detail = server_output.detail(transcript)
    if detail:
        console.err(indented(detail))


def print_failed_connection(
    session: Session, error: InspectorError, options: Options, console: Console, *, login: str = ""
) -> None:
    """Print the steps of connecting and the failure, with `--json` also as JSON; `login` is the command that may help."""
    print_connection_steps(console, session.steps)
    if all(
        step.status_text != error.reason for step in session.steps
    ):  # the cause of several failed steps
        print_error(console, error)
    if options.json:
        failure = error_to_json(error, login=login)
        steps = steps_to_json(session.steps)
        console.out_json({"error": failure, "steps": steps}, hides=True)
    if login:
        console.err(f"To log in: {login}")
    _suggest_url(console, session)


def _suggest_url(console: Console, session: Session) -> None:
    profile = session.profile
    url = (
        suggested_url(profile.command)
        if transport_kind(profile.transport).is_process and not profile.args
        else ""
    )
    if url:
        console.err(f"Did you mean {url}? A URL begins with http:// or https://.")


def duration_text(value: float) -> str:
    """Return a duration, short."""
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"


async def print_findings(console: Console, transcript: Transcript) -> int:
    """Print the findings of a transcript in the order of its frames, and return the number of problems.

    At most `MAX_LINES_PER_RULE` findings of a rule are printed; the others are counted.
    """
    printed: Counter[str] = Counter()
    evidence = Evidence(transcript)
    problems, split = 0, set[str]()
    for number in range(1, transcript.count + 1):
        if number % MAX_FRAMES_PER_TURN == 0:
            await asyncio.sleep(0)  # Ctrl+C works here too
        if not transcript.columns.flags[number - 1]:
            continue
        findings = transcript.findings(number)
        problems += sum(finding.severity > Severity.INFO for finding in findings)
        for finding in _without_parts(findings, split):
            printed[finding.rule] += 1
            if printed[finding.rule] <= MAX_LINES_PER_RULE:
                console.err("".join(finding_lines([finding], evidence.label(number))))
                if excerpt := evidence.excerpt(number, finding.pointer):
                    console.err(indented(excerpt))
    for rule, count in printed.items():
        if count > MAX_LINES_PER_RULE:
            console.err(f"{rule}: {count - MAX_LINES_PER_RULE:,} more of {count:,} not printed")
    if transcript.dropped_findings:
        console.err(f"{transcript.dropped_findings:,} more problems not kept")
    return problems + transcript.dropped_findings


def print_output_checks(console: Console, outcomes: Mapping[int, OutputCheck]) -> None:
    """Print which results have structured content that fits the output schema, or why that is unknown."""
    for number, outcome in outcomes.items():
        if outcome.state is OutputState.VALID:
            console.err(f"#{number}: structured content fits the output schema")
        elif outcome.state is OutputState.NOT_VALIDATED:
            console.err(f"#{number}: structured content not validated: {'; '.join(outcome.notes)}")


def _without_parts(findings: Sequence[Finding], split: set[str]) -> list[Finding]:
    """Return the findings about one line, unless it is part of a message over several lines, of which only the first is worth a line.

    `split` has the summaries of such messages that are printed already.
    """
    whole = next((finding for finding in findings if finding.rule == SPLIT_MESSAGE), None)
    if whole is None:
        return list(findings)
    if whole.summary in split:
        return []
    split.add(whole.summary)
    return [whole]


def print_unchecked(console: Console, frames: int) -> None:
    """Print that validation stopped at its time limit, if it did."""
    if frames:
        console.err(f"{frames:,} frames not validated: time limit reached")


def finding_lines(findings: Iterable[Finding], about: str) -> list[str]:
    """One line for each finding about a frame or a thing."""
    return [
        " ".join(
            part
            for part in (
                f"{each.severity.name.lower()}:",
                about,
                each.rule,
                f"at {each.pointer}:" if each.pointer else "",
                each.summary,
            )
            if part
        )
        for each in findings
    ]


class Evidence:
    """Names and quotes the frames of one transcript."""

    def __init__(self, transcript: Transcript) -> None:
        """Quote `transcript` without its secrets."""
        self._transcript = transcript
        self._masking = Masking(transcript)

    def label(self, number: int) -> str:
        """Return number, direction, method, id and channel of a frame: `#12 ← tools/call id 3 (stdout)`."""
        columns = self._transcript.columns
        message = self._transcript.message(number)
        method = columns.methods.texts[columns.method[number - 1]]
        id_ = "" if isinstance(message.id, Absent) else f"id {json_codec.write(message.id)[:40]}"
        channel = Channel(columns.channel[number - 1]).name.lower()
        arrow = ARROWS[Direction(columns.direction[number - 1])]
        parts = (f"#{number}", arrow, method or message.kind.name.lower(), id_, f"({channel})")
        return " ".join(part for part in parts if part)

    def excerpt(self, number: int, pointer: str) -> str:
        """Return the part of a frame at a JSON pointer, or its beginning, shortened to `MAX_EXCERPT_LENGTH` characters."""
        try:
            raw = self._masking.raw(number)
        except StorageError:
            return ""
        text = self._part(number, raw, pointer) or raw[: 4 * MAX_EXCERPT_LENGTH].decode(
            "utf-8", "replace"
        )
        line = " ".join(text.split())
        return line if len(line) <= MAX_EXCERPT_LENGTH else f"{line[: MAX_EXCERPT_LENGTH - 1]}…"

    def _part(self, number: int, raw: bytes, pointer: str) -> str:
        is_message = self._transcript.columns.channel[number - 1] in MESSAGE_CHANNELS
        if not pointer or not is_message or len(raw) > MAX_BYTES:
            return ""
        try:
            value = member(json_codec.read(raw).value, pointer)
        except JsonSyntaxError:
            return ""
        return "" if isinstance(value, Absent) else json_codec.write(value)
