"""What a drawer hands back: facts for the header, remarks, and the views of the content, made when first shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from inspector.wire.json_codec import JsonObject
    from ui.theme import Theme


class View(FrozenStruct, frozen=True):
    """One way to look at the content."""

    key: str
    """A stable name."""
    label: str
    """What the button says."""
    make: Callable[[], QWidget]
    """Called once, when the view is first wanted."""


class Saveable(FrozenStruct, frozen=True):
    """Content that can go to a file."""

    supply: Callable[[], bytes]
    """The exact bytes."""
    wanted: str = ""
    """What the server calls it; cleaned before it is suggested."""
    mime: str = ""
    """Its media type, for the ending of the name."""


class Rendering(FrozenStruct, frozen=True):
    """One content block, ready to be framed."""

    icon: str
    """Icon of the kind."""
    kind: str
    """The kind in words: `text`, `image`."""
    facts: tuple[str, ...] = ()
    """Media type, size, dimensions: in this order, for the header."""
    notes: tuple[str, ...] = ()
    """What is odd about it; nothing is hidden because of it."""
    views: tuple[View, ...] = ()
    """The first is shown; raw JSON always follows as the last."""
    save: Saveable | None = None
    """What *Save as…* writes; None if there is nothing to save."""
    address: str = ""
    """Where it is, for the header; the first to give way where there is little room."""


class Host(Protocol):
    """Where wishes of the person go that a drawer cannot fulfil itself."""

    @property
    def theme(self) -> Theme:
        """The look."""
        ...

    def open_link(self, url: str) -> None:
        """The person clicked a link; somebody may ask and open it."""
        ...

    def read_resource(self, uri: str) -> None:
        """The person wants the resource of this URI read from the server."""
        ...


class Renderer(Protocol):
    """Draws one kind of content."""

    def __call__(self, content: JsonObject, host: Host) -> Rendering:
        """Draw `content`; what it raises makes the block fall back to raw."""
        ...


class Malformed(ValueError):
    """The content is not what its type says; the words are for the header."""


def text_of(content: JsonObject, name: str) -> str:
    """The string called `name`, or nothing if it is missing or no string."""
    value = content.get(name)
    return value if isinstance(value, str) else ""
