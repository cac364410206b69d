"""A requested JSON document, or what the server sent instead (a web page, a text, a list), and how its members are read.

Pure; never raises: a sentence describes anything that is not the document.
"""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError

if TYPE_CHECKING:
    from inspector.auth.messages import HttpResponse
    from inspector.wire.json_codec import Json, JsonObject

MAX_EXCERPT = 200
MAX_PAGE = 65_536
"""Bytes of a page that are read."""

_UNSEEN = {"script", "style", "title", "head", "noscript", "template"}

MAX_ITEMS = 200
"""Items of a list that are read."""


class Document(FrozenStruct, frozen=True):
    """The response for a document at a URL."""

    url: str
    """The requested URL."""
    response: HttpResponse
    """The response."""
    value: JsonObject | None = None
    """The object; None if the body is something else, or the status is not 2xx."""
    reason: str = ""
    """Why there is no document; empty if there is one."""
    notes: tuple[str, ...] = ()
    """Warnings about the JSON text."""

    @property
    def is_found(self) -> bool:
        """Whether the document was found."""
        return self.value is not None

    @property
    def is_out_of_order(self) -> bool:
        """Whether the server could not respond: the document may exist, and another URL is no substitute."""
        return self.response.status >= 500 or not self.response.status


def read(url: str, response: HttpResponse) -> Document:
    """Return the document of a response."""
    if response.problem:
        return Document(url, response, None, response.problem)
    if not response.is_good:
        return Document(url, response, None, f"HTTP {response.status}")
    value, text, notes = read_object(response)
    return Document(url, response, value, text, notes)


def read_object(response: HttpResponse) -> tuple[JsonObject | None, str, tuple[str, ...]]:
    """Return the object in a body or None, why it is None, and warnings about the JSON text."""
    if not response.body.strip():
        return None, "the body is empty", ()
    try:
        text = json_codec.read(response.body)
    except JsonSyntaxError as error:
        if response.media_type == "text/html" or response.body.lstrip()[:1] == b"<":
            seen = page_excerpt(response.body)
            return None, f"a web page came instead of JSON{f': {seen}' if seen else ''}", ()
        return None, f"the body is not JSON: {error.reason}", ()
    if not isinstance(text.value, dict):
        return None, f"the body is {kind_text(text.value)}, not an object", ()
    return text.value, "", tuple(each.text for each in text.notes)


def kind_text(value: Json) -> str:
    """Return the JSON type of a value, with its article."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, list):
        return "an array"
    return "an object" if isinstance(value, dict) else "a number"


def text(value: JsonObject, name: str) -> str:
    """Return a member that is a string; empty for anything else."""
    found = value.get(name)
    return found if isinstance(found, str) else ""


def texts(value: JsonObject, name: str) -> tuple[str, ...] | None:
    """Return the strings of a member that is an array; None if it is missing or something else."""
    found = value.get(name)
    if not isinstance(found, list):
        return None
    return tuple(each for each in found[:MAX_ITEMS] if isinstance(each, str))


def texts_or_text(value: JsonObject, name: str) -> tuple[str, ...] | None:
    """Return a member that should be an array of strings; a string is split at its spaces."""
    found = value.get(name)
    return tuple(found.split()) if isinstance(found, str) else texts(value, name)


def is_true(value: JsonObject, name: str) -> bool:
    """Whether a member is `true`."""
    return value.get(name) is True


def excerpt(body: bytes) -> str:
    """Return the beginning of a body as text in one line."""
    return one_line(body[: MAX_EXCERPT * 4].decode("utf-8", "replace"))


def one_line(text: str) -> str:
    """Return the beginning of a text in one line: a second line could pass for a line of Spyglass."""
    line = " ".join(text[: MAX_EXCERPT * 4].split())
    return line if len(line) <= MAX_EXCERPT else f"{line[: MAX_EXCERPT - 1]}…"


def page_excerpt(body: bytes) -> str:
    """Return the beginning of the visible text of a web page, in one line."""
    page = _Page()
    page.feed(body[:MAX_PAGE].decode("utf-8", "replace"))
    text = " ".join(" ".join(page.seen).split())
    return one_line(text)


class _Page(HTMLParser):
    """The visible text of a web page."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in _UNSEEN

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in _UNSEEN and self._unseen > 0

    def handle_data(self, data: str) -> None:
        if not self._unseen and data.strip():
            self.seen.append(data.strip())
