"""The one value behind both views of a form.

Its truth is either a text as someone wrote it, valid or not, or a value as the form made it of that. Editing in the form
replaces the text; looking at it never does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.event import Event
from inspector.schema.json_edit import MISSING
from inspector.schema.json_input import is_json, trouble_of
from inspector.wire.json_codec import Json, JsonSyntaxError, RawJson, compact, read, write

if TYPE_CHECKING:
    from inspector.schema.json_edit import JsonOrMissing


class Document:
    """A JSON value as text and as a value."""

    def __init__(self, value: Json = None) -> None:
        """Hold `value`."""
        self.changed: Event[()] = Event()
        self._value: Json = {} if value is None else value
        self._source: str | None = None
        self._trouble = ""
        self._text: str | None = None

    @property
    def value(self) -> Json:
        """The value; where `trouble` is not empty, the last one the form could show."""
        return self._value

    @property
    def trouble(self) -> str:
        """Why the form cannot show the text, in words; empty if it can."""
        return self._trouble

    def put(self, value: JsonOrMissing) -> None:
        """Hold another value, made by the form; where there is none, a text that is empty."""
        self._value = RawJson("") if value is MISSING else value
        self._source, self._trouble, self._text = None, "", None
        self.changed.fire()

    def set_text(self, text: str) -> None:
        """Hold a text, whatever it is."""
        self._source, self._text = text, None
        self._trouble = self._read(text)
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
        """Whether the value counts, not a text; one without anything in it stands for an empty object."""
        return self._source is None or not self._source.strip()

    def pretty(self) -> str:
        """The text to edit: as it was written if that has lines or is wrong, else indented."""
        if self._source is not None and (self._trouble or "\n" in self._source):
            return typable(self._source)
        return typable(write(self._value, indent=2))

    def _read(self, text: str) -> str:
        if not text.strip():
            self._value = {}
            return ""
        try:
            found = read(text.encode("utf-8", "surrogatepass"))
        except JsonSyntaxError as error:
            return trouble_of(text, error)
        for note in found.notes:
            if note.rule == "duplicate-key":
                return f"{note.text}; a form cannot show duplicate fields"
        try:
            write(found.value)
        except ValueError as error:
            return str(error)
        self._value = found.value
        return ""


_BLANK = re.compile(r"\s")

_CHANGED_BY_BOXES = re.compile("[\u2028\u2029\ud800-\udfff\ufdd0\ufdd1]")


def typable(text: str) -> str:
    """JSON text with the characters that a text box would change as escapes."""
    return _CHANGED_BY_BOXES.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
