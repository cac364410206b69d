"""What `resources.py` offers: every kind of contents, and enough of them for several pages and a tree."""

from __future__ import annotations

import functools
import json
import time
from typing import TYPE_CHECKING

from inspector.demo import notebook
from inspector.demo.content import blob_contents, pretty, text_contents
from inspector.demo.embedded_inputs import form
from inspector.demo.revision_filter import ENTRY_FIELDS, fitted
from inspector.demo.samples import texts
from inspector.demo.samples.icons import CLOCK, ICONS_OF_IMAGE
from inspector.demo.samples.image import png
from inspector.demo.samples.tone import wav
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.demo.conversation import Conversation
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

    Contents = Callable[[Conversation], "list[Json]"]

CLOCK_URI = "demo://clock"
EXTRA_URI = "demo://surprise"

MIME_TYPES = {"markdown": "text/markdown", "json": "application/json", "markup": "text/html"}
"""Of the samples that are not plain text."""

SHELVES: dict[str, tuple[str, ...]] = {
    "astronomy": ("comets", "eclipses", "galaxies", "telescopes"),
    "birds": ("herons", "kites", "ravens", "swifts"),
    "seas": ("currents", "lighthouses", "tides", "whales"),
    "tools": ("compasses", "levers", "lenses", "pulleys"),
}
"""Books of the library, by shelf."""


class Resource(FrozenStruct, frozen=True):
    """One resource as it is listed, and how to read it."""

    uri: str
    """Where it is."""
    title: str
    """What it is shown as; its name is the end of its URI."""
    summary: str
    """Its description."""
    mime_type: str
    """What its contents are."""
    contents: Contents
    """Reads it."""
    size: Callable[[], int] | None = None
    """Counts its bytes, where they are always the same."""
    annotations: JsonObject | None = None
    """Audience, priority, last change."""
    icons: tuple[JsonObject, ...] = ()
    """Its icons."""
    is_asking: bool = False
    """Whether reading it asks the user, so that it is not listed where that cannot be."""

    def is_known(self, revision: Revision) -> bool:
        """Whether it is there in a revision."""
        return not self.is_asking or revision.has_input_required

    def entry(self, revision: Revision) -> JsonObject:
        """How `resources/list` shows it."""
        entry: JsonObject = {
            "uri": self.uri,
            "name": self.uri.partition("://")[2],
            "title": self.title,
            "description": self.summary,
            "mimeType": self.mime_type,
        }
        if self.size is not None:
            entry["size"] = self.size()
        if self.annotations is not None:
            entry["annotations"] = self.annotations
        if self.icons:
            entry["icons"] = [*self.icons]
        return fitted(entry, ENTRY_FIELDS, revision)


def book(shelf: str, name: str) -> str:
    """What a book of the library says."""
    return f"# {name.title()}\n\nA short book about {name}, from the shelf *{shelf}*.\n"


def _text(
    uri: str,
    title: str,
    message: str,
    mime_type: str,
    text: str,
    annotations: JsonObject | None = None,
) -> Resource:
    def contents(conversation: Conversation) -> list[Json]:
        del conversation
        return [text_contents(uri, mime_type, text)]

    size = len(text.encode())
    return Resource(uri, title, message, mime_type, contents, lambda: size, annotations)


def _blob(
    uri: str,
    title: str,
    text: str,
    mime_type: str,
    make: Callable[[], bytes],
    icons: tuple[JsonObject, ...] = (),
) -> Resource:
    """Made when first asked for, so that the server starts at once."""
    data = functools.cache(make)

    def contents(conversation: Conversation) -> list[Json]:
        del conversation
        return [blob_contents(uri, mime_type, data())]

    return Resource(uri, title, text, mime_type, contents, lambda: len(data()), icons=icons)


def _notes(conversation: Conversation) -> list[Json]:
    text = pretty(conversation.notebook.entries())
    return [text_contents(notebook.URI, "application/json", text)]


def _clock(conversation: Conversation) -> list[Json]:
    del conversation
    return [text_contents(CLOCK_URI, "text/plain", time.strftime("It is %H:%M:%S."))]


def _guest_book(conversation: Conversation) -> list[Json]:
    """Asks who reads before it is read."""
    assert conversation.inputs is not None
    conversation.require("elicitation", "elicitation/create", part="form")
    asked = form("Who would like to read the guest book?", "name", "Name")
    answer = conversation.inputs.demand({"guest": asked})["guest"]
    text = f"# Guest book\n\nThe last guest answered:\n\n    {json.dumps(answer)}\n"
    return [text_contents("demo://guest-book", "text/markdown", text)]


def _folder(conversation: Conversation) -> list[Json]:
    """Several contents for one URI, as a folder has them."""
    del conversation
    return [
        text_contents(
            "demo://folder/readme.md", "text/markdown", "# A folder\n\nWith two files.\n"
        ),
        blob_contents("demo://folder/lens.png", "image/png", png(64, 64)),
    ]


def _extra(conversation: Conversation) -> list[Json]:
    del conversation
    return [text_contents(EXTRA_URI, "text/plain", "You found the resource that came later.")]


CHANGING = (
    Resource(
        notebook.URI,
        "The notebook",
        "Changed by the notes_… tools. Subscribe, then call them.",
        "application/json",
        _notes,
        annotations={"audience": ["user", "assistant"], "priority": 1},
    ),
    Resource(
        CLOCK_URI,
        "The time",
        "Content changes on every read.",
        "text/plain",
        _clock,
        icons=CLOCK,
    ),
    Resource(
        "demo://folder",
        "A folder",
        "Returns two contents with their own URIs.",
        "inode/directory",
        _folder,
    ),
    Resource(
        "demo://guest-book",
        "The guest book",
        "Requests user input before it can be read.",
        "text/markdown",
        _guest_book,
        is_asking=True,
    ),
)

FILES = (
    _blob(
        "demo://images/lens.png",
        "A PNG picture",
        "320 by 200 pixels.",
        "image/png",
        lambda: png(320, 200),
        ICONS_OF_IMAGE,
    ),
    _text(
        "demo://images/lens.svg",
        "An SVG picture",
        "An image in a text format.",
        "image/svg+xml",
        texts.SVG,
    ),
    _blob(
        "demo://sounds/tone.wav",
        "A sound",
        "Half a second of A.",
        "audio/wav",
        lambda: wav(440, 0.5),
    ),
    _blob(
        "demo://data/bytes.bin",
        "Every byte",
        "The bytes 0 to 255.",
        "application/octet-stream",
        lambda: bytes(range(256)),
    ),
    _text("demo://data/cities.csv", "A table", "Comma-separated values.", "text/csv", texts.CSV),
    _text(
        "demo://code/fibonacci.py",
        "A program",
        "Python, for syntax colours.",
        "text/x-python",
        texts.PYTHON,
        {"audience": ["assistant"], "priority": 0.4, "lastModified": "2025-06-01T12:00:00Z"},
    ),
)

TEXTS = tuple(
    _text(
        f"demo://texts/{name}",
        texts.TITLES[name],
        "Text that is easy to render incorrectly.",
        MIME_TYPES.get(name, "text/plain"),
        sample,
        {"audience": ["user"], "priority": 0.2},
    )
    for name, sample in texts.SAMPLES.items()
    if sample
)

BOOKS = tuple(
    _text(
        f"demo://library/{shelf}/{name}.md",
        name.title(),
        f"From the shelf {shelf}.",
        "text/markdown",
        book(shelf, name),
    )
    for shelf, names in SHELVES.items()
    for name in names
)

RESOURCES = (*CHANGING, *FILES, *TEXTS, *BOOKS)
"""In the order of the list."""

EXTRA = Resource(EXTRA_URI, "A surprise", "Added by toggle_tool.", "text/plain", _extra)
"""Listed on request."""
