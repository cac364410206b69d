"""What the probes of a session came to, read from the notes that they leave: the same live and in a recording."""

from __future__ import annotations

from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.checks.latest import Latest
from inspector.frozen import FrozenStruct
from inspector.transcript.redaction import Masking
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json, JsonObject

PROBING, PROBED = "probing", "probed"
"""Events of the notes around what a probe sends."""

MAX_PROBES = 200
"""Probes whose outcome is kept."""

MAX_TEXT = 500
"""Characters of a title, or of what was received."""


class ProbeOutcome(StrEnum):
    """What a probe came to."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_APPLICABLE = "not applicable"
    NOT_TRIED = "could not be tried"


class ProbeRecord(FrozenStruct, frozen=True):
    """What one probe came to."""

    key: str
    """Its name, e.g. `unknown-method`."""
    title: str
    """What it tries, for the user."""
    outcome: ProbeOutcome
    """What it came to."""
    text: str
    """What was received, or why nothing was sent."""
    rules: tuple[str, ...]
    """The ids of the rules that it decides in the revision of the session."""
    frame: int = 0
    """The frame of the finding, or of the note; 0 if it is not known."""

    def facts(self) -> JsonObject:
        """Return what the note about it says besides its text."""
        return {
            "probe": self.key,
            "title": self.title,
            "outcome": self.outcome.value,
            "rules": list(self.rules),
            "frame": self.frame,
        }

    @property
    def sentence(self) -> str:
        """The text of the note about it."""
        return f"{self.outcome.value}: {self.text}"


class ProbeRecords:
    """The latest outcome of each probe."""

    def __init__(self) -> None:
        """Begin without any."""
        self._latest: Latest[str, ProbeRecord] = Latest(MAX_PROBES)

    def add_note(self, note: JsonObject) -> None:
        """Take the note at the end of a probe, which may be from a file of any content."""
        record = _read(note)
        if record is not None:
            self._latest[record.key] = record

    def restore(self, records: Iterable[ProbeRecord]) -> None:
        """Know these outcomes from an earlier time."""
        for each in records:
            self._latest[each.key] = each

    @property
    def all(self) -> tuple[ProbeRecord, ...]:
        """One for each probe, in the order in which they ended."""
        found = (self._latest.get(key) for key in self._latest)
        return tuple(each for each in found if each is not None)

    @property
    def passed_rules(self) -> frozenset[str]:
        """The ids of the rules for which a probe had something to check, and found nothing."""
        passed = (each.rules for each in self.all if each.outcome is ProbeOutcome.PASSED)
        return frozenset(rule for rules in passed for rule in rules)


def without_secrets(
    records: Iterable[ProbeRecord], transcript: Transcript
) -> tuple[ProbeRecord, ...]:
    """Return the records with secrets masked: their texts quote responses."""
    masking = Masking(transcript)
    return tuple(replace(each, text=masking.text(each.text)) for each in records)


def _read(note: JsonObject) -> ProbeRecord | None:
    key, rules, frame = _text(note.get("probe")), note.get("rules"), note.get("frame")
    try:
        outcome = ProbeOutcome(_text(note.get("outcome")))
    except ValueError:
        return None
    text = _text(note.get("words")).removeprefix(f"{outcome.value}: ")
    from inspector.rules import RULES  # the texts of all rules: most sessions are never probed

    known = rules if isinstance(rules, list) else []
    return ProbeRecord(
        key,
        _text(note.get("title")) or key,
        outcome,
        text,
        tuple(id_ for id_ in islice(known, 20) if isinstance(id_, str) and id_ in RULES),
        frame if isinstance(frame, int) and not isinstance(frame, bool) and frame > 0 else 0,
    )


def _text(value: Json) -> str:
    return one_line(value, MAX_TEXT) if isinstance(value, str) else ""
