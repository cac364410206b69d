"""The test of the id of requests and responses: only frames whose bytes may contain the id are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.transcript.filter.expression import Content
from inspector.transcript.filter.patterns import matches_any, name_patterns
from inspector.transcript.filter.predicates import ANSWERED_KINDS, id_text
from inspector.transcript.text_search import TextPattern
from inspector.wire.message import Absent, MessageKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.transcript.filter.expression import Block, Numbers
    from inspector.transcript.filter.parser import Value
    from inspector.transcript.filter.patterns import NamePattern
    from inspector.transcript.transcript import Transcript


class IdCondition(Content, frozen=True):
    """Ids, of any JSON type, that match one of several patterns."""

    patterns: Sequence[NamePattern]
    needles: Sequence[TextPattern]
    """Of which one is in the bytes of each frame with such an id."""

    def select(self, block: Block, numbers: Numbers) -> Numbers:
        """Return the frames with such an id."""
        transcript = block.transcript
        kinds = transcript.columns.kind
        numbers = [number for number in numbers if ANSWERED_KINDS[kinds[number - 1]]]
        raws = block.raws(numbers)
        found = {at for needle in self.needles for at in needle.find_in(raws)}
        return [numbers[at] for at in sorted(found) if self._has_id(transcript, numbers[at])]

    def _has_id(self, transcript: Transcript, number: int) -> bool:
        message = transcript.message(number)
        messages = message.members if message.kind is MessageKind.BATCH else [message]
        ids = [each.id for each in messages if not isinstance(each.id, Absent)]
        return any(matches_any(self.patterns, id_text(id_)) for id_ in ids)


def by_id(value: Value) -> IdCondition:
    """Test the id, of any JSON type, of requests and responses."""
    pieces = [[""]] if value.is_pattern else [each.pieces for each in value.alternatives]
    return IdCondition(name_patterns(value), tuple(map(TextPattern, pieces)))
