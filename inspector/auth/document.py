"""A JSON document that a server was asked for, or what it sent instead (a web page, a text, a list), and how its members are read.

Pure; never raises: there is a sentence for everything that is not the document.
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
    """What was found at a URL."""

    url: str
    """Where it was looked for."""
    response: HttpResponse
    """What came."""
    value: JsonObject | None = None
    """The object; None if it is none, or the status is a bad one."""
    reason: str = ""
    """What came in the place of a document; empty if one came."""
    notes: tuple[str, ...] = ()
    """What was odd about the JSON text."""

    @property
    def is_found(self) -> bool:
        """Whether there is a document."""
        return self.value is not None

    @property
    def is_out_of_order(self) -> bool:
        """Whether the server could not respond: the document may be there, and another place is no substitute."""
        return self.response.status >= 500 or not self.response.status


def read(url: str, response: HttpResponse) -> Document:
    """What a response to a request for a document holds."""
    if response.problem:
        return Document(url, response, None, response.problem)
    if not response.is_good:
        return Document(url, response, None, f"HTTP {response.status}")
    value, text, notes = read_object(response)
    return Document(url, response, value, text, notes)


def read_object(response: HttpResponse) -> tuple[JsonObject | None, str, tuple[str, ...]]:
    """The object in a body, or in words what is there instead, and what was odd about its text."""
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
    """What kind of JSON value that is, with its article."""
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
    """A member that is a string; empty if it is anything else."""
    found = value.get(name)
    return found if isinstance(found, str) else ""


def texts(value: JsonObject, name: str) -> tuple[str, ...] | None:
    """A member that is a list of strings, without anything else in it; None if it is missing or no list."""
    found = value.get(name)
    if not isinstance(found, list):
        return None
    return tuple(each for each in found[:MAX_ITEMS] if isinstance(each, str))


def texts_or_text(value: JsonObject, name: str) -> tuple[str, ...] | None:
    """A member that should be a list of strings; a single string stands for the words in it."""
    found = value.get(name)
    return tuple(found.split()) if isinstance(found, str) else texts(value, name)


def is_true(value: JsonObject, name: str) -> bool:
    """Whether a member is `true`."""
    return value.get(name) is True


def excerpt(body: bytes) -> str:
    """The beginning of a body as text in one line."""
    return one_line(body[: MAX_EXCERPT * 4].decode("utf-8", "replace"))


def one_line(text: str) -> str:
    """The beginning of a text in one line: with a line of its own it would pass for one of ours."""
    shown = " ".join(text[: MAX_EXCERPT * 4].split())
    return shown if len(shown) <= MAX_EXCERPT else f"{shown[: MAX_EXCERPT - 1]}…"


def page_excerpt(body: bytes) -> str:
    """The beginning of what can be seen of a page, in one line."""
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
