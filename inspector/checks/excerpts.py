"""A few lines of a message around what a finding points at.

    "structuredContent": {
      "orders": [ … ],
      "total": "1204.50"        ← the part that is meant, by line and columns
    }

Bounded for any message: some lines, some characters each, and nothing of a message of many megabytes. Secrets are masked.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.frozen import FrozenStruct
from inspector.spec.pointer import join, member, parts
from inspector.transcript.redaction import Masking
from inspector.visible_text import one_line
from inspector.wire import json_codec
from inspector.wire.frame import MESSAGE_CHANNELS, Channel
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.message import Absent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.json_value import Json
    from inspector.transcript.transcript import Transcript

MAX_LINES = 7
"""Lines of an excerpt."""

MAX_CHARACTERS = 100
"""Characters of one line."""

MAX_SHORT = 48
"""Characters of an object or array that is written whole."""

MAX_BYTES = 1 << 20
"""Of a larger message there is no excerpt: reading it takes too long."""

MAX_MEMBERS = MAX_LINES - 2
"""Members of the object or array around that part: the others are counted out by a line at the edge."""

INDENT = "  "
MORE = "…"


class Excerpt(FrozenStruct, frozen=True):
    """Lines of a message."""

    lines: tuple[str, ...] = ()
    """Without line ends; what was left out is `…`. Empty if the message cannot be read."""
    line: int = -1
    """The line with the part that is meant, from 0; -1 if that is the whole."""
    start: int = 0
    """Where that part begins in the line, in characters."""
    end: int = 0
    """Where it ends."""

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join(self.lines)


class Excerpts:
    """Excerpts of the messages of one transcript, without its secrets."""

    def __init__(self, transcript: Transcript) -> None:
        """Read from `transcript`."""
        self._transcript = transcript
        self._masking = Masking(transcript)

    def around(self, number: int, pointer: str) -> Excerpt:
        """Return the lines of frame `number` around `pointer`; empty ones if the frame cannot be read, is too large, or is a note."""
        columns = self._transcript.columns
        if not 1 <= number <= self._transcript.count or columns.size[number - 1] > MAX_BYTES:
            return Excerpt()
        if columns.channel[number - 1] == Channel.NOTE:
            return Excerpt()  # the finding says as much
        try:
            raw = self._masking.apply(number, self._raw(number))
        except StorageError:
            return Excerpt()
        if columns.channel[number - 1] in MESSAGE_CHANNELS:
            try:
                return excerpt(json_codec.read(raw).value, pointer)
            except JsonSyntaxError:
                pass
        return Excerpt(_text_lines(raw))

    def masked(self, text: str) -> str:
        """Return a text about a frame without the secrets of the transcript."""
        return self._masking.text(text)

    def _raw(self, number: int) -> bytes:
        is_event = self._transcript.columns.channel[number - 1] == Channel.SSE
        return self._transcript.message(number).raw if is_event else self._transcript.raw(number)


def excerpt(value: Json, pointer: str) -> Excerpt:
    """Return the lines of `value` around `pointer`; if it leads nowhere, those of what it leads to before that."""
    chain: list[tuple[str, Json]] = [("", value)]
    for step in parts(pointer):
        inner = member(chain[-1][1], join("", step))
        if isinstance(inner, Absent):
            return _lines(*chain[-1], is_name_meant=True)
        chain.append((step, inner))
    if len(chain) == 1:
        return _lines("", value)
    return _lines(*chain[-2], chain[-1][0])


def _lines(
    name: str, value: Json, step: str | None = None, *, is_name_meant: bool = False
) -> Excerpt:
    """Return the line of `name`, and below it the members of `value` around the one at `step`."""
    own = "" if not name or name.isdecimal() else f"{_written(name)}: "
    if not isinstance(value, (dict, list)) or not value:
        line = _cut(f"{own}{_brief(value)}")
        return Excerpt((line,), 0, min(len(own), len(line)), len(line))
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    at, count = _position(value, step), len(value)
    start = max(min(at - MAX_MEMBERS // 2, count - MAX_MEMBERS), 0)
    lines = [_cut(f"{own}{opening}")]
    mark = (0, 0, max(min(len(own), MAX_CHARACTERS) - 2, 1)) if is_name_meant else (-1, 0, 0)
    for offset, (key, text) in enumerate(_members(value, start), start):
        is_first, is_last = offset == start, offset == start + MAX_MEMBERS - 1
        if offset != at and ((is_first and start) or (is_last and offset < count - 1)):
            lines.append(f"{INDENT}{MORE}")
            continue
        if offset == at and step is not None:
            begin = len(INDENT) + len(key)
            end = min(begin + len(text), MAX_CHARACTERS)
            mark = (len(lines), min(begin, end - 1), end)
        comma = "," if offset < count - 1 else ""
        lines.append(_cut(f"{INDENT}{key}{text}{comma}"))
    return Excerpt((*lines, closing), *mark)


def _position(value: dict[str, Json] | list[Json], step: str | None) -> int:
    if step is None:
        return 0
    return (
        int(step)
        if isinstance(value, list)
        else next(at for at, key in enumerate(value) if key == step)
    )


def _members(value: dict[str, Json] | list[Json], start: int) -> Iterator[tuple[str, str]]:
    """Yield how the names of some members from `start` on are written, and their values in short."""
    if isinstance(value, dict):
        for key in islice(value, start, start + MAX_MEMBERS):
            yield f"{_written(key)}: ", _brief(value[key])
    else:
        for each in value[start : start + MAX_MEMBERS]:
            yield "", _brief(each)


def _brief(value: Json) -> str:
    """Return a value on one line; an object or array that is not short without its members."""
    if isinstance(value, (dict, list)):
        opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
        if not value:
            return f"{opening}{closing}"
        text = _flat_text(value) if len(value) <= MAX_SHORT // 4 else ""
        if text and len(text) <= MAX_SHORT:
            return f"{opening} {text} {closing}"
        return f"{opening} {MORE} {closing}"
    if isinstance(value, str) and len(value) > MAX_CHARACTERS:
        return one_line(f'{json_codec.write(value[:MAX_CHARACTERS])[:-1]}{MORE}"', MAX_CHARACTERS)
    return one_line(json_codec.write(value), MAX_CHARACTERS)


def _flat_text(value: dict[str, Json] | list[Json]) -> str:
    """Return the members of a small object or array on one line; empty if any of them is not plain and short."""
    members = list(value.values() if isinstance(value, dict) else value)
    if any(isinstance(each, (dict, list)) for each in members):
        return ""
    if any(isinstance(each, str) and len(each) > MAX_SHORT for each in members):
        return ""
    names = [f"{_written(name)}: " for name in value] if isinstance(value, dict) else ()
    texts = (_brief(each) for each in members)
    if not names:
        return ", ".join(texts)
    return ", ".join(f"{name}{text}" for name, text in zip(names, texts, strict=True))


def _written(name: str) -> str:
    return one_line(json_codec.write(name[:MAX_SHORT]), MAX_SHORT + 2)


def _cut(line: str) -> str:
    return line if len(line) <= MAX_CHARACTERS else f"{line[: MAX_CHARACTERS - 1]}{MORE}"


def _text_lines(raw: bytes) -> tuple[str, ...]:
    """Return the first lines of what is not JSON."""
    text = raw[: MAX_LINES * MAX_CHARACTERS].decode("utf-8", "replace")
    return tuple(_cut(one_line(line, MAX_CHARACTERS)) for line in text.splitlines()[:MAX_LINES])
