"""What a renderer returns: facts for the header, problems, and the views of the content, made when first shown."""

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
    """The label of its button."""
    make: Callable[[], QWidget]
    """Makes the widget; called once, when the view is first shown."""


class Saveable(FrozenStruct, frozen=True):
    """Content that can go to a file."""

    supply: Callable[[], bytes]
    """The exact bytes."""
    file_name: str = ""
    """The name from the server; sanitized before it is suggested."""
    mime: str = ""
    """Its media type, for the ending of the name."""


class Rendering(FrozenStruct, frozen=True):
    """One rendered content block."""

    icon: str
    """Icon of the kind."""
    kind: str
    """The label of the kind: `text`, `image`."""
    facts: tuple[str, ...] = ()
    """Media type, size, dimensions: in this order, for the header."""
    notes: tuple[str, ...] = ()
    """Problems of the content, which is shown anyway."""
    views: tuple[View, ...] = ()
    """The first is shown; raw JSON always follows as the last."""
    save: Saveable | None = None
    """What *Save as…* writes; None if there is nothing to save."""
    address: str = ""
    """Where it is, for the header; the first to give way where there is little room."""


class Host(Protocol):
    """Carries out what the user requests from the widget of a renderer."""

    @property
    def theme(self) -> Theme:
        """The theme."""
        ...

    def open_link(self, url: str) -> None:
        """Ask whether to open a link that the user clicked."""
        ...

    def read_resource(self, uri: str) -> None:
        """Read the resource of this URI."""
        ...


class Renderer(Protocol):
    """Renders one kind of content."""

    def __call__(self, content: JsonObject, host: Host) -> Rendering:
        """Render `content`; if that raises, the block shows raw JSON."""
        ...


class Malformed(ValueError):
    """The content does not match its type; the message is shown in the header."""


def text_of(content: JsonObject, name: str) -> str:
    """Return the string member `name`; empty if it is missing or no string."""
    value = content.get(name)
    return value if isinstance(value, str) else ""
