"""What was found: one line for each finding on stderr, with the part of the message at its pointer."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

from inspector.checks.background_validator import FINISH_SECONDS, BackgroundValidator
from inspector.checks.catalog import CHECKED_RULES
from inspector.checks.clients import read_targets
from inspector.checks.message_order import SPLIT_MESSAGE
from inspector.checks.output_schema import OutputState
from inspector.cli.console import indented
from inspector.errors import StorageError
from inspector.finding import Severity
from inspector.spec.pointer import member
from inspector.transcript.redaction import Masking
from inspector.wire import json_codec
from inspector.wire.frame import MESSAGE_CHANNELS, Channel, Direction
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.message import Absent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from inspector.checks.probed import ProbeRecord
    from inspector.cli.console import Console
    from inspector.finding import Finding
    from inspector.session.session import Session
    from inspector.transcript.transcript import Transcript

MAX_LINES_PER_RULE = 20
"""Findings of one rule that are printed."""

MAX_LINES_OF_FAILURE = 3
"""Findings of one rule that are printed for a server that was not connected: the failure quotes what matters."""

MAX_LINES_OF_OUTPUT = 3
"""Findings about lines that are not messages which are printed of a rule: a server that logs to stdout writes very many."""

_OUTPUT = {"L-STD-01", "not-a-message"}

MAX_FRAMES_PER_TURN = 1_000
"""Frames that are read before other tasks get their turn."""

MAX_EXCERPT_LENGTH = 160
"""Characters of a message that are printed."""

MAX_BYTES = 1 << 20
"""Larger messages are not read for a part of them; their beginning is printed."""

_ADVICE = {rule.id for rule in CHECKED_RULES}

ARROWS = {Direction.SENT: "→", Direction.RECEIVED: "←", Direction.NOTE: "·"}


class FindingsReport:
    """Prints the findings of one transcript; a second report has what the one before had not."""

    def __init__(self, console: Console, transcript: Transcript) -> None:
        """Print the findings of `transcript` on `console`."""
        self._console = console
        self._transcript = transcript
        self._evidence = Evidence(transcript)
        self._printed: Counter[str] = Counter()
        self._counted: Counter[str] = Counter()
        self._reported: Counter[int] = Counter()
        self._split: set[str] = set()
        self._problems = 0
        self.max_lines = MAX_LINES_PER_RULE
        self.left_out = 0
        """Findings that were not printed because they were not to be."""

    async def print(self, is_printed: Callable[[int, Finding], bool] | None = None) -> int:
        """Print what was found since the report before, in the order of the frames, and return the number of problems so far.

        At most `MAX_LINES_PER_RULE` findings of a rule are printed; the others are counted. Those that are not `is_printed` are only counted.
        """
        transcript = self._transcript
        for number in range(1, transcript.count + 1):
            if number % MAX_FRAMES_PER_TURN == 0:
                await asyncio.sleep(0)  # Ctrl+C works here too
            if transcript.columns.flags[number - 1]:
                self._print(number, is_printed)
        for rule, count in self._printed.items():
            limit = self._limit_of(rule)
            if count > max(limit, self._counted[rule]):
                self._console.err(f"{rule}: {count - limit:,} more of {count:,} not printed")
                self._counted[rule] = count
        if transcript.dropped_findings:
            self._console.err(f"{transcript.dropped_findings:,} more problems not kept")
        return self._problems + transcript.dropped_findings

    def _limit_of(self, rule: str) -> int:
        return min(self.max_lines, MAX_LINES_OF_OUTPUT) if rule in _OUTPUT else self.max_lines

    def _print(self, number: int, is_printed: Callable[[int, Finding], bool] | None) -> None:
        findings = self._transcript.findings(number)[self._reported[number] :]
        self._reported[number] += len(findings)
        self._problems += sum(finding.severity > Severity.INFO for finding in findings)
        for finding in _without_parts(findings, self._split):
            if is_printed is not None and not is_printed(number, finding):
                self.left_out += 1
                continue
            self._printed[finding.rule] += 1
            if self._printed[finding.rule] <= self._limit_of(finding.rule):
                label = self._evidence.label(number)
                self._console.err("".join(finding_lines([finding], label)))
                if excerpt := self._evidence.excerpt(number, finding.pointer):
                    self._console.err(indented(excerpt))


class SessionFindings:
    """Validates a session while it runs, and prints what was found."""

    def __init__(self, console: Console, transcript: Transcript, *, is_on: bool) -> None:
        """Validate `transcript` if it `is_on`, and print on `console`."""
        self._console, self._transcript = console, transcript
        self._validator = BackgroundValidator(transcript) if is_on else None
        self._report = FindingsReport(console, transcript)
        self._reported_results: set[int] = set()

    def start(self, session: Session) -> None:
        """Validate what is received from now on."""
        if self._validator is not None:
            self._validator.settings.suspect = session.suspect
            session.tasks.spawn(self._validator.run(), name="validate messages")

    def use_revision_of(self, session: Session) -> None:
        """Validate by the revision that was agreed on."""
        if self._validator is not None:
            self._validator.settings.revision = session.revision

    def use_targets(self, clients: Sequence[str]) -> None:
        """Report limits of these clients alone; of all of them without any."""
        if self._validator is not None:
            self._validator.set_targets(read_targets([*clients]))

    @property
    def seen_rules(self) -> frozenset[str]:
        """The ids of the rules that had something to check."""
        return self._validator.rules.seen_rules if self._validator is not None else frozenset()

    @property
    def probes(self) -> tuple[ProbeRecord, ...]:
        """What the probes came to that were run."""
        return self._validator.rules.history.probes.all if self._validator is not None else ()

    async def finish(self, limit_seconds: float = FINISH_SECONDS) -> int:
        """Validate what is left, and return how many frames could not be validated within the time."""
        if self._validator is None:
            return 0
        unchecked = await self._validator.finish(limit_seconds)
        print_unchecked(self._console, unchecked)
        return unchecked

    async def print(self, *, is_connected: bool = True) -> int:
        """Validate what is left, print what was found since the last time, and return the number of problems so far.

        Advice is for `check`, and left out. Of a server that was not connected (`is_connected` is False) only
        problems of what it sent are printed: the steps have named the cause, and how the connection ended.
        """
        if self._validator is None:
            return 0
        await self.finish()
        self._print_output_checks(self._validator)
        if not is_connected:
            self._report.max_lines = MAX_LINES_OF_FAILURE
            return await self._report.print(self._is_sent)
        before = self._report.left_out
        problems = await self._report.print(self._is_event)
        if more := self._report.left_out - before:
            self._console.err(f"notes not printed: {more:,}; `check` prints them")
        return problems

    def _is_event(self, number: int, finding: Finding) -> bool:
        """Whether a finding is a problem, or about what happened and not about what a server should do better."""
        is_note = self._transcript.columns.direction[number - 1] == Direction.NOTE
        is_usual = finding.rule == "no-session-id"  # most servers have no sessions, and all is well
        is_advice = is_usual or bool(finding.pointer) or (finding.rule in _ADVICE and not is_note)
        return finding.severity > Severity.INFO or not is_advice

    def _is_sent(self, number: int, finding: Finding) -> bool:
        is_note = self._transcript.columns.direction[number - 1] == Direction.NOTE
        return finding.severity > Severity.INFO and not is_note

    def _print_output_checks(self, validator: BackgroundValidator) -> None:
        """Print which results have structured content that fits the output schema, or why that is unknown."""
        for number, outcome in validator.results.outcomes.items():
            if number in self._reported_results:
                continue
            self._reported_results.add(number)
            if outcome.state is OutputState.VALID:
                self._console.err(f"#{number}: structured content fits the output schema")
            elif outcome.state is OutputState.NOT_VALIDATED:
                notes = "; ".join(outcome.notes)
                self._console.err(f"#{number}: structured content not validated: {notes}")


async def print_findings(console: Console, transcript: Transcript) -> int:
    """Print the findings of a transcript, and return the number of problems."""
    return await FindingsReport(console, transcript).print()


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
        if columns.direction[number - 1] == Direction.NOTE:
            return f"#{number}"
        message = self._transcript.message(number)
        method = columns.methods.texts[columns.method[number - 1]]
        id_ = "" if isinstance(message.id, Absent) else f"id {json_codec.write(message.id)[:40]}"
        channel = Channel(columns.channel[number - 1]).name.lower()
        arrow = ARROWS[Direction(columns.direction[number - 1])]
        parts = (f"#{number}", arrow, method or message.kind.name.lower(), id_, f"({channel})")
        return " ".join(part for part in parts if part)

    def excerpt(self, number: int, pointer: str) -> str:
        """Return the part of a frame at a JSON pointer, or its beginning, shortened to `MAX_EXCERPT_LENGTH` characters; nothing of a note."""
        if self._transcript.columns.direction[number - 1] == Direction.NOTE:
            return ""
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
