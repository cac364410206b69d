"""The findings of one session, each with a name of its own that is the same in the next session: for exports and baselines.

A finding is named by its rule and by what it is about: `tools/list · search · /inputSchema/properties/q`, not by the number of a frame or the
position of an item, which change from one session to the next. One that counts several items is named by all of them, so that a baseline hides no new one.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.background_tasks import at_once
from inspector.checks.excerpts import Excerpts
from inspector.checks.report import Outcome, Report, occurrences
from inspector.frozen import FrozenStruct
from inspector.spec.findings import rule_link
from inspector.spec.pointer import join, member, parts
from inspector.transcript.redaction import Masking
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.redaction import without_markers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from inspector.background_tasks import Steps
    from inspector.checks.probed import ProbeRecord
    from inspector.checks.report import RuleResult
    from inspector.finding import Severity
    from inspector.rules import Rule
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json

MAX_FINDINGS = 100
"""Findings of one rule that a document names; the others are counted."""

FINGERPRINT_LENGTH = 16

_LISTS = {
    "tools": "name",
    "prompts": "name",
    "resources": "uri",
    "resourceTemplates": "uriTemplate",
}
"""The members of a result that are lists, and the member that names an item."""


class ReportedFinding(FrozenStruct, frozen=True):
    """One finding."""

    rule: Rule
    """The rule that it breaks."""
    severity: Severity
    """How grave it is."""
    summary: str
    """What is wrong."""
    number: int
    """Its frame."""
    pointer: str
    """The JSON pointer into that frame, with secrets masked; empty for the whole."""
    method: str
    """The method of the message, or of its request; empty for a line that is no message."""
    item: str
    """The tool, prompt or resource that it is about; empty for none."""
    path: str
    """The JSON pointer below that item, with secrets masked."""
    link: str
    """Where the specification says so; empty if it does not."""
    excerpt: str
    """Some lines of the message, with secrets masked."""
    counted: str = ""
    """A hash of the items that it counts; empty if it is about one."""
    is_known: bool = False
    """Whether the baseline has it."""

    @property
    def subject(self) -> str:
        """What it is about, in a line."""
        return " · ".join(part for part in (self.method, self.item, self.path) if part)

    @property
    def fingerprint(self) -> str:
        """A short text that is the same for the same finding in another session."""
        parts = (self.rule.id, self.method, self.item, self.path, self.counted)
        named = "\0".join(parts if self.counted else parts[:-1])
        return hashlib.sha256(named.encode("utf-8", "replace")).hexdigest()[:FINGERPRINT_LENGTH]


class ReportDocument(FrozenStruct, frozen=True):
    """A report with its findings."""

    report: Report
    """The result of every rule."""
    findings: tuple[ReportedFinding, ...]
    """The findings of rules that are not muted, by rule, the gravest rules before the others."""
    server: str
    """Name and version of the server, as far as they are known."""
    target: str
    """How it was reached: its command, its URL, or a recording."""
    revision: str
    """The date of the revision; empty if none was agreed on."""
    source: str = ""
    """The file that findings are attached to where a format needs one."""
    left_out: int = 0
    """Findings beyond `MAX_FINDINGS` of a rule, and those that were not kept."""
    probes: tuple[ProbeRecord, ...] = ()
    """What the probes came to, without secrets."""
    unchecked: int = 0
    """Frames, items and results that were not checked, because the time was over."""
    failure: str = ""
    """Why the session failed; empty if it did not."""
    clients: tuple[str, ...] = ()
    """The clients whose limits it is about; empty for all."""

    def facts(self) -> list[str]:
        """Return what it is about: the server, the revision, and the clients if not all."""
        facts = (
            self.server,
            self.revision and f"revision {self.revision}",
            f"for {', '.join(self.clients)}" if self.clients else "",
        )
        return [fact for fact in facts if fact]

    def gaps(self) -> list[str]:
        """Return why the report is not whole, a sentence each; none if it is."""
        return [
            sentence
            for sentence in (
                self.failure and f"The session failed: {self.failure}",
                self.unchecked
                and f"{self.unchecked:,} messages, items and results were not checked: the time was over.",
                self.left_out
                and f"{self.left_out:,} findings are left out: at most {MAX_FINDINGS} of a rule are listed.",
            )
            if sentence
        ]

    def grave(self, threshold: Severity) -> list[ReportedFinding]:
        """Return the findings of at least this severity that the baseline does not have."""
        return [each for each in self.findings if each.severity >= threshold and not each.is_known]


def make_findings(
    transcript: Transcript,
    results: Iterable[RuleResult],
    revision: Revision | None,
    baseline: Collection[str] = (),
) -> tuple[ReportedFinding, ...]:
    """Return the findings of these rules, the gravest rules before the others; those whose fingerprint is in `baseline` are known."""
    return at_once(find_in_steps(transcript, results, revision, baseline))


def find_in_steps(
    transcript: Transcript,
    results: Iterable[RuleResult],
    revision: Revision | None,
    baseline: Collection[str] = (),
) -> Steps[tuple[ReportedFinding, ...]]:
    """Return what `make_findings` does, with a pause after each finding: each reads a message."""
    names, excerpts, masking = _Names(transcript), Excerpts(transcript), Masking(transcript)
    found: list[ReportedFinding] = []
    for result in sorted(results, key=lambda each: -each.severity):
        if result.outcome is not Outcome.FOUND or result.is_muted:
            continue
        kept = transcript.rule_findings[result.rule.id]
        for number, finding in occurrences(kept, MAX_FINDINGS):
            item, path = names.split(number, finding.pointer)
            text = excerpts.around(number, finding.pointer).text
            link = finding.link or rule_link(result.rule, revision)
            made = ReportedFinding(
                result.rule, finding.severity, masking.text(finding.summary), number, names.masked(finding.pointer),
                names.method(number), item, path, link, text, finding.counted,
            )  # fmt: skip
            found.append(replace(made, is_known=made.fingerprint in baseline))
            yield
    return tuple(found)


class _Names:
    """Names what findings are about; keeps the message that was read last."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._masking = Masking(transcript)
        self._read: tuple[int, Json] = (0, None)

    def method(self, number: int) -> str:
        columns = self._transcript.columns
        owner = columns.request[number - 1] or number
        return self._text(columns.methods.texts[columns.method[owner - 1]])

    def masked(self, pointer: str) -> str:
        """Return a pointer without the secrets that are names of members in it."""
        return join("", *map(self._text, parts(pointer)))

    def split(self, number: int, pointer: str) -> tuple[str, str]:
        """Return the item that a pointer leads into, or else the subject of the request, and the pointer below that; secrets are masked."""
        steps = parts(pointer)
        name = _LISTS.get(steps[1]) if len(steps) > 2 and steps[0] == "result" else None
        if name is None:
            return self._label(number), self.masked(pointer)
        text = member(self._value(number), join("", *steps[:3], name))
        item = text if isinstance(text, str) else f"#{steps[2]}"
        return self._text(item), self.masked(join("", *steps[3:]))

    def _label(self, number: int) -> str:
        columns = self._transcript.columns
        owner = columns.request[number - 1] or number
        return self._text(columns.labels.texts[columns.label[owner - 1]])

    def _text(self, text: str) -> str:
        """Return a text without secrets, the same for a session and for its recording, which has markers in their place."""
        return without_markers(self._masking.text(text))

    def _value(self, number: int) -> Json:
        if self._read[0] != number:
            try:
                value = json_codec.read(self._transcript.message(number).raw).value
            except JsonSyntaxError:
                value = None
            self._read = (number, value)
        return self._read[1]
