"""The one value behind both views of a form, and where the value of a pointer is in its text. Pure.

A document is either a text as the user wrote it, valid or not, or a value as the form made it of that. Editing in the form replaces the
text; displaying it never does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.event import Event
from inspector.schema.json_edit import MISSING
from inspector.schema.json_input import is_json, problem_of
from inspector.wire.json_codec import Json, JsonSyntaxError, RawJson, compact, read, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.schema.json_edit import JsonOrMissing

_BLANK = re.compile(r"\s")
_CHANGED_BY_BOXES = re.compile("[\u2028\u2029\ud800-\udfff\ufdd0\ufdd1]")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


class Document:
    """A JSON value as text and as a value."""

    def __init__(self, value: Json = None) -> None:
        """Start with `value`."""
        self.changed: Event[()] = Event()
        self._value: Json = {} if value is None else value
        self._source: str | None = None
        self._error = ""
        self._text: str | None = None

    @property
    def value(self) -> Json:
        """The value; if `error` is not empty, the last one that the form could show."""
        return self._value

    @property
    def error(self) -> str:
        """Why the form cannot show the text; empty if it can."""
        return self._error

    def set_value(self, value: JsonOrMissing) -> None:
        """Set a value that the form made; MISSING sets an empty text."""
        self._value = RawJson("") if value is MISSING else value
        self._source, self._error, self._text = None, "", None
        self.changed.fire()

    def set_text(self, text: str) -> None:
        """Set a text, valid or not."""
        self._source, self._text = text, None
        self._error = self._read(text)
        self.changed.fire()

    def text(self) -> str:
        """The exact text that would be sent, in one line if it is JSON."""
        if self._text is None:
            self._text = self._compacted()
        return self._text

    def _compacted(self) -> str:
        text = write(self._value) if self._is_made() else str(self._source)
        spread = self._source is not None or "\n" in text
        return compact(text) if spread and _BLANK.search(text) and is_json(text) else text

    def _is_made(self) -> bool:
        """Whether the value is sent, not a text; a blank text stands for an empty object."""
        return self._source is None or not self._source.strip()

    def pretty(self) -> str:
        """The text to edit: as it was written if it has lines or is invalid, else indented."""
        if self._source is not None and (self._error or "\n" in self._source):
            return typable(self._source)
        return typable(write(self._value, indent=2))

    def _read(self, text: str) -> str:
        if not text.strip():
            self._value = {}
            return ""
        try:
            found = read(text.encode("utf-8", "surrogatepass"))
        except JsonSyntaxError as error:
            return problem_of(text, error)
        for note in found.notes:
            if note.rule == "duplicate-key":
                return f"{note.text}; a form cannot show duplicate fields"
        try:
            write(found.value)
        except ValueError as error:
            return str(error)
        self._value = found.value
        return ""


def typable(text: str) -> str:
    """JSON text in which the characters that a text box would change are escapes."""
    return _CHANGED_BY_BOXES.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def span_of(text: str, path: Sequence[str]) -> tuple[int, int]:
    """Start and end of the value at `path`, a sequence of unescaped steps; without one, the start of its nearest container."""
    walk = _Walk(path)
    for token in _TOKEN.finditer(text):
        walk.process(token)
        if walk.end is not None:
            return walk.start, walk.end
    return walk.start, walk.start + 1


class _Walk:
    """Goes through the tokens of a text and counts the steps of a path that it is in."""

    def __init__(self, path: Sequence[str]) -> None:
        self.start = 0
        self.end: int | None = None
        self._path = path
        self._keys: list[str | int] = []
        """The steps to the next value; a number within an array."""
        self._matched = -1
        self._open_at = -1
        self._expects_key = False

    def process(self, token: re.Match[str]) -> None:
        """Process one token."""
        text = token[0]
        if text in "}],":
            if self._keys:  # else it is no JSON
                self._next() if text == "," else self._close(token)
        elif text == ":":
            self._expects_key = False
        elif self._expects_key and self._keys:
            self._keys[-1] = _key(text)
        else:
            self._start(token)

    def _start(self, token: re.Match[str]) -> None:
        depth = len(self._keys)
        if self._matched < depth and self._is_on_path():
            self._matched, self.start = depth, token.start()
            if depth == len(self._path):
                self._open_at = depth
                if token[0] not in "{[":
                    self.end = token.end()
        if token[0] in "{[":
            self._expects_key = token[0] == "{"
            self._keys.append("" if self._expects_key else 0)

    def _close(self, token: re.Match[str]) -> None:
        self._keys.pop()
        self._expects_key = False
        if len(self._keys) == self._open_at:
            self.end = token.end()

    def _next(self) -> None:
        last = self._keys[-1]
        if isinstance(last, int):
            self._keys[-1] = last + 1
        self._expects_key = isinstance(last, str)

    def _is_on_path(self) -> bool:
        return [str(key) for key in self._keys] == list(self._path[: len(self._keys)])


def _key(text: str) -> str:
    found = read(text.encode("utf-8", "surrogatepass")).value
    return found if isinstance(found, str) else text
