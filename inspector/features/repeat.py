"""Sending a message again, edited or not: the text with a new id, what was changed in it, and what differs in the result."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from inspector.background_tasks import at_once, in_steps
from inspector.compare.compared_frame import ComparedFrame
from inspector.compare.exchange_parts import ExchangePart, part_of
from inspector.compare.json_difference import ChangeKind, compare_json
from inspector.compare.json_text import (
    ARRAY,
    OBJECT,
    items,
    json_text,
    kind,
    members,
    readable,
    string,
)
from inspector.compare.paths import path_text
from inspector.visible_text import one_line
from inspector.wire.json_edits import value_span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from inspector.compare.json_difference import Change

MAX_ROWS = 500
"""Sends and drafts that are kept; the oldest ones go, and their frames stay in the traffic."""

MAX_CHARACTERS = 8_000_000
"""Characters of their texts."""

MAX_EDITED = 1_000_000
"""Bytes of a message that is put into an editor."""

MAX_COMPARED = 200_000
"""Characters of a text up to which it is read and compared while it is edited."""

NAMED = 3
"""Changes that are named; the others are counted."""

MAX_VALUE = 40
"""Characters of a value that is named."""

ID = ("id",)
TOKEN = ("params", "_meta", "progressToken")
"""The progress token, which is renewed with the id."""

_ARGUMENTS = ("params", "arguments")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')


class Send(msgspec.Struct, eq=False):
    """A text that was sent, or a draft of one."""

    text: str
    original: ComparedFrame | None = None
    """The message that it was made from; None for one that was written."""
    number: int = 0
    """Counted from 1; 0 for a draft."""
    frame: ComparedFrame | None = None
    """Where it was sent; None for a draft."""
    wall_s: float = 0
    """When it was sent."""
    changed: str = ""
    """What differs from the original."""
    against: str | None = None
    """How its result differs from the one before; None until there is one."""


class Sends:
    """Sends and drafts, the newest first, within bounds."""

    def __init__(self) -> None:
        """Start empty."""
        self.rows: list[Send] = []
        self.dropped = 0
        """Rows that were dropped for the bounds."""

    def add(self, row: Send) -> None:
        """Add a send or a draft."""
        self.rows.insert(0, row)
        while len(self.rows) > 1 and (
            len(self.rows) > MAX_ROWS or sum(len(each.text) for each in self.rows) > MAX_CHARACTERS
        ):
            del self.rows[-1]
            self.dropped += 1

    def remove(self, draft: Send) -> None:
        """Remove a draft, if it is still there."""
        if draft in self.rows:
            self.rows.remove(draft)

    def before(self, row: Send) -> tuple[str, ComparedFrame] | None:
        """Return what the result of a send is compared with, with its name: the send before it, or the original message.

        Messages that were written are compared with the send before of the same method; None without one.
        """
        older = self.rows[self.rows.index(row) + 1 :] if row in self.rows else self.rows
        for each in older:
            if each.frame is not None and _is_alike(each, row):
                return str(each.number), each.frame
        original = row.original
        return (f"#{original.number}", original) if original is not None else None


def _is_alike(older: Send, row: Send) -> bool:
    if row.original is not None:
        return older.original == row.original
    if older.original is not None or older.frame is None or row.frame is None:
        return False
    methods = [each.transcript.row(each.number).method for each in (older.frame, row.frame)]
    return methods[0] == methods[1]


def new_id(number: int, name: str) -> str:
    """Return the id of a send, as JSON; it begins with `name`."""
    return f'"{name}-{number}"'


def renewed_spans(text: str) -> list[tuple[int, int]]:
    """Return where a message has what is renewed with each send, from the end of the text: its id, and its progress token."""
    spans = [id_span(text), value_span(text, *TOKEN)]
    return sorted((each for each in spans if each is not None), reverse=True)


def numbered(text: str, name: str) -> Callable[[int], str]:
    """Return what makes a message of its number: with an id of its own, which begins with `name`, and a progress token of its own."""
    rest, parts = text, list[str]()
    for start, end in renewed_spans(text):
        parts.insert(0, rest[end:])
        rest = rest[:start]

    def made(number: int) -> str:
        return new_id(number, name).join([rest, *parts])

    return made


def id_span(text: str) -> tuple[int, int] | None:
    """Return where the id of a message is in its text; None without one."""
    depth, last = 0, ("", "")
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if depth == 1 and last == ('"id"', ":") and sign not in "{[":
            return token.span()
        if sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
        last = (last[1], sign)
    return None


def request_changes(original: str, text: str) -> list[Change] | None:
    """Return what differs between two messages, id and progress token left out; None for texts that are too long to compare at once."""
    if max(len(original), len(text)) > MAX_COMPARED:
        return None
    raws = (each.encode("utf-8", "surrogatepass") for each in (original, text))
    changes = at_once(compare_json(*raws)).changes()
    return [change for change in changes if change.path[:1] != ID and change.path != TOKEN]


def names(changes: Sequence[Change]) -> str:
    """Return where changes are: `limit, customer and 2 more`."""
    return _listed([_name(change) for change in changes])


def changes_text(changes: Sequence[Change] | None) -> str:
    """Return changes with their new values: `limit: 50`."""
    if changes is None:
        return "long text"
    return _listed([_with_value(change) for change in changes])


def _listed(found: Iterable[str]) -> str:
    every = list(dict.fromkeys(found))
    more = len(every) - NAMED
    text = ", ".join(every[:NAMED])
    return f"{text} and {more:,} more" if more > 0 else text


def _name(change: Change) -> str:
    """Return where a change is; of an argument, its name."""
    path = change.path
    if path[:2] == _ARGUMENTS and len(path) > len(_ARGUMENTS):
        path = path[len(_ARGUMENTS) :]
    return one_line(path_text(path), MAX_VALUE) or "text"


def _with_value(change: Change) -> str:
    if not change.path or change.kind is ChangeKind.MOVED:
        return f"{_name(change)} {change.kind}"
    if change.new is None:
        return f"{_name(change)} removed"
    return f"{_name(change)}: {one_line(readable(change.new), MAX_VALUE)}"


async def result_difference(before: ComparedFrame, after: ComparedFrame, name: str) -> str:
    """Return how a result differs from the one called `name`: `same as 13`, `1 changed: total`; empty if either has none.

    Raises:
        StorageError: a frame cannot be read.
    """
    old, new = (part_of(each, ExchangePart.RESULT) for each in (before, after))
    if old is None or new is None:
        return ""
    if old.path != new.path:
        return f"{new.path[-1]} instead of {old.path[-1]}"
    changes = list((await in_steps(compare_json(old.raw, new.raw))).changes())
    if not changes:
        return f"same as {name}"
    steps = [
        next((str(step) for step in reversed(each.path) if isinstance(step, str)), "")
        for each in changes
    ]
    return f"{len(changes):,} changed: {one_line(_listed(steps), 2 * MAX_VALUE)}"


def called_tools(text: str) -> tuple[str, ...]:
    """Return the names of the tools that a text calls, each once: as a message, as a batch, or in one of several lines, which are messages of their own over stdio."""
    raw = text.encode("utf-8", "surrogatepass")
    found = _called(raw)
    if b"\n" in raw:
        for line in raw.split(b"\n"):
            if _METHOD in line or b"\\" in line:
                found += _called(line)
    return tuple(dict.fromkeys(filter(None, found)))


_NONE = msgspec.Raw(b"null")
_METHOD = b'"method"'


def _called(raw: bytes) -> list[str]:
    text = json_text(raw)
    batch = (items(text) or []) if kind(text) == ARRAY else [text]
    return [_tool(bytes(each)) for each in batch]


def _tool(raw: bytes) -> str:
    message = _members(raw)
    if string(message.get("method", _NONE)) != "tools/call":
        return ""
    params = message.get("params", _NONE)
    return string(_members(bytes(params)).get("name", _NONE)) or ""


def _members(raw: bytes) -> dict[str, msgspec.Raw]:
    text = json_text(raw)
    return (members(text) or {}) if kind(text) == OBJECT else {}
