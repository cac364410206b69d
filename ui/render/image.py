"""Image blocks: drawn if their bytes are what is drawn here; else their facts, their bytes and *Save as…*.

SVG is a document that can load and run things: it is shown as its source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QSizePolicy

from inspector.spec.media_types import essence, mismatch
from ui.render.image_view import dimensions, view_of_image
from ui.render.payload import Payload, decode
from ui.render.rendering import Host, Malformed, Rendering, Saveable, View, text_of
from ui.render.text import text_views
from ui.widgets import units
from ui.widgets.hex_view import HexView

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.wire.json_codec import JsonObject

SVG = "image/svg+xml"


def render_image(content: JsonObject, host: Host) -> Rendering:
    """An `image` block."""
    data = content.get("data")
    if not isinstance(data, str):
        raise Malformed("image block without data")
    mime = text_of(content, "mimeType")
    notes = () if mime else ("media type missing",)
    return image_rendering(decode(data), host, mime=mime, encoded=data, notes=notes)


def image_rendering(
    payload: Payload,
    host: Host,
    *,
    mime: str,
    encoded: str,
    file_name: str = "",
    notes: tuple[str, ...] = (),
) -> Rendering:
    """A picture from any field."""
    if payload.unreadable:
        return _unreadable(payload, host, mime=mime, encoded=encoded, notes=notes)
    raw = payload.raw
    shape, problem = _shape(raw)
    is_svg = essence(mime) == SVG or b"<svg" in raw[:1000]
    views: list[View] = []
    if shape:
        views.append(View("picture", "Image", lambda: view_of_image(raw, theme=host.theme)))
        problem = ()
    elif is_svg:
        views += text_views(raw.decode("utf-8", "replace"), host, mime=SVG, file_name=file_name)
        problem = ("SVG can contain scripts; showing the source instead",)
    views.append(bytes_view(raw, host, mime=mime, file_name=file_name))
    return Rendering(
        icon="mdi6.image-outline",
        kind="image",
        facts=(mime or payload.found, shape, units.size(len(raw))),
        notes=(*notes, *payload.notes, *_mismatch(payload, mime), *problem),
        views=tuple(views),
        save=Saveable(lambda: raw, file_name, payload.found or mime),
    )


def _shape(raw: bytes) -> tuple[str, tuple[str, ...]]:
    try:
        size = dimensions(raw)
        return f"{size.width():,} × {size.height():,}", ()
    except Malformed as error:
        return "", (str(error),) if raw else ()


def _mismatch(payload: Payload, mime: str) -> tuple[str, ...]:
    found = mismatch(mime, payload.raw)
    return (f"declared {mime}, content is {found}",) if found else ()


def _unreadable(
    payload: Payload, host: Host, *, mime: str, encoded: str, notes: tuple[str, ...]
) -> Rendering:
    return Rendering(
        icon="mdi6.image-broken-variant",
        kind="image",
        facts=(mime,),
        notes=(*notes, *payload.notes),
        views=text_views(encoded, host),
    )


def bytes_view(raw: bytes, host: Host, *, mime: str = "", file_name: str = "") -> View:
    """The bytes themselves, as a view of any block."""

    def make() -> QWidget:
        view = HexView(theme=host.theme, mime=mime, file_name=file_name)
        view.set_bytes(raw)
        rows = min(max(view.rows(), 1), 12) + 1
        view.setFixedHeight(rows * view.row_height())
        view.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        return view

    return View("bytes", "Bytes", make)
