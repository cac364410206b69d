"""From a content block to a widget. Never raises: what cannot be rendering is shown raw, and that is said.

The registry is `RENDERERS`; a new kind of content is one line in it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from msgspec.structs import replace

from inspector.visible_text import one_line
from ui.render.audio import render_audio
from ui.render.block import BlockWidget
from ui.render.image import render_image
from ui.render.rendering import Host, Malformed, Renderer, Rendering, View
from ui.render.resource import render_contents, render_embedded, render_link
from ui.render.text import render_text
from ui.render.tools import render_tool_result, render_tool_use
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from inspector.wire.json_codec import Json
    from ui.theme import Theme

T = TypeVar("T")

Renderers: TypeAlias = tuple[tuple[str, Renderer], ...]

RENDERERS: Renderers = (
    ("text", render_text),
    ("image", render_image),
    ("audio", render_audio),
    ("resource_link", render_link),
    ("resource", render_embedded),
    ("tool_use", render_tool_use),
    ("tool_result", render_tool_result),
)
"""Type of a content block → its renderer."""


def render(
    block: Json, *, theme: Theme, renderers: Renderers = RENDERERS, parent: QWidget | None = None
) -> BlockWidget:
    """A content block of a tool result, prompt message or sampling message."""
    draw = partial(rendering_of, block, renderers=renderers)
    return BlockWidget(block, draw, theme=theme, parent=parent)


def rendering_of(block: Json, host: Host, renderers: Renderers = RENDERERS) -> Rendering:
    """Facts, problems and views of a content block, for a `host` that arranges them itself."""
    return _rendering(block, _renderer_of(block, renderers), host)


def render_resource(item: Json, *, theme: Theme, parent: QWidget | None = None) -> BlockWidget:
    """One item of the `contents` that `resources/read` gave."""
    return BlockWidget(item, partial(_rendering, item, render_contents), theme=theme, parent=parent)


def _renderer_of(block: Json, renderers: Renderers) -> Renderer | None:
    kind = block.get("type") if isinstance(block, dict) else None
    return next((renderer for name, renderer in renderers if name == kind), None)


def _rendering(block: Json, renderer: Renderer | None, host: Host) -> Rendering:
    if not isinstance(block, dict):
        return _raw("malformed block", "content block must be an object")
    if renderer is None:
        return _unknown(block.get("type"))
    kind = one_line(str(block.get("type", "content")), 40)
    rendering = _tried(
        lambda: renderer(block, host), lambda text: _raw(f"{kind} (malformed)", text)
    )
    return replace(rendering, views=tuple(_guarded(view, host) for view in rendering.views))


def _tried(make: Callable[[], T], sorry: Callable[[str], T]) -> T:
    try:
        return make()
    except Malformed as error:
        return sorry(str(error))
    except Exception as error:  # noqa: BLE001 - a block that cannot be rendered must not hide the rest
        return sorry(f"cannot be displayed: {error!r}")


def _unknown(kind: Json) -> Rendering:
    if not isinstance(kind, str):
        return _raw("malformed block", "block type missing or not a string")
    return _raw(one_line(kind, 40), "unknown content type; shown as raw JSON")


def _raw(kind: str, text: str) -> Rendering:
    return Rendering(icon="mdi6.code-json", kind=kind, notes=(text,))


def _guarded(view: View, host: Host) -> View:
    return replace(view, make=lambda: _tried(view.make, lambda text: _sorry(text, host)))


def _sorry(text: str, host: Host) -> QWidget:
    label = plain_label(
        one_line(f"{text}. See Raw for the full content.", 400),
        tone="warning",
        name="could_not_draw",
        wrap=True,
    )
    label.setMargin(host.theme.PADDING_PX)
    return label
