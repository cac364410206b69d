"""No rule fails on values of the wrong kind: each case is written again with a few of its values replaced."""

from __future__ import annotations

import copy
import json
import random
from typing import TYPE_CHECKING

import pytest

from inspector.checks.background_validator import BackgroundValidator
from inspector.transcript.transcript import Transcript
from inspector.wire import json_codec
from inspector.wire.frame import Direction
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.line_splitter import RawChunk
from tests.engine.checks.families.cases import CASES
from tests.support.findings import rules_of, validate_all
from tests.support.talk import Talk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inspector.transcript.frame_processor import RecordedMessage
    from inspector.wire.frame import Channel
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.talk import HeldClock

VALUES: tuple[Json, ...] = (
    *(None, True, 0, -1, 2**70, 1.5, "", "x", "\0", [], {}, [[]], [None], {"a": None}, [{}]),
    *("https://[::1", "http://a:99999999/", "data:,", "\u202e", {"": {}}, "\ud800", {"\ud800": {}}),
)
LARGE = "9" * 5000
"""A number that is larger than any float."""

SEEDS = range(2)


def holders(value: Json) -> Iterator[tuple[JsonObject | list[Json], str | int]]:
    """Each object or list inside of a value, with each of its keys or indexes."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield value, key
            yield from holders(inner)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield value, index
            yield from holders(inner)


def changed(raw: bytes, chance: random.Random) -> bytes:
    """The message with one of its values replaced; the same bytes if there is no value in it."""
    try:
        json_codec.read(raw)
        value: Json = json.loads(raw)
    except (JsonSyntaxError, ValueError):
        return raw
    found = list(holders(value))
    if not found:
        return raw
    holder, key = chance.choice(found)
    new = copy.deepcopy(chance.choice((*VALUES, LARGE)))
    if isinstance(holder, dict):
        holder[str(key)] = new
    else:
        holder[int(key)] = new
    return json.dumps(value).replace(f'"{LARGE}"', LARGE).encode()


class ChangedTranscript(Transcript):
    """A transcript in which what the server sends has other values."""

    def __init__(self, clock: HeldClock, chance: random.Random) -> None:
        super().__init__(clock=clock)
        self._chance = chance

    def append(
        self, direction: Direction, channel: Channel, lines: Sequence[RawChunk], stream: int = 0
    ) -> list[RecordedMessage]:
        """Record frames, those of the server with a change."""
        if direction is Direction.RECEIVED:
            lines = [RawChunk(changed(line.raw, self._chance)) for line in lines]
        return super().append(direction, channel, lines, stream)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_rule_fails_on_a_value_of_another_kind(seed: int) -> None:
    """Ours: without a loop, the fault of a rule is raised."""
    chance = random.Random(seed)
    found: list[str] = []
    for case in CASES:
        talk = Talk()
        talk.transcript = ChangedTranscript(talk.clock, chance)
        case.breaks(talk)
        validator = BackgroundValidator(talk.transcript, case.revision)
        validator.end()
        validate_all(validator)
        found += rules_of(talk.transcript)

    assert found
