"""Resources: links to them, which open only on request, and those that came embedded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.spec.media_types import essence
from ui.render.image import SVG, bytes_view, image_rendering
from ui.render.payload import PICTURES, Payload, decode, is_textual
from ui.render.rendering import Host, Malformed, Rendering, Saveable, View, text_of
from ui.render.text import text_extent, text_rendering, text_views
from ui.widgets import units
from ui.widgets.buttons import push_button
from ui.widgets.key_values import KeyValue, KeyValues

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject

LINK_FIELDS = ("uri", "name", "title", "description", "mimeType", "size")
"""Fields of a link that are shown; the others are in the raw view."""
NEVER_READ = {"javascript", "vbscript", "data", "blob", "about"}
"""Schemes that no server can mean as a resource."""


def render_link(content: JsonObject, host: Host) -> Rendering:
    """A `resource_link` block; it opens only on request."""
    uri = content.get("uri")
    if not isinstance(uri, str):
        raise Malformed("link without uri")
    scheme = uri.partition(":")[0].strip().lower()
    readable = scheme not in NEVER_READ
    size = content.get("size")
    return Rendering(
        icon="mdi6.link-variant",
        kind="resource link",
        facts=(text_of(content, "mimeType"), units.size(size) if isinstance(size, int) else ""),
        notes=() if readable else (f"{scheme}: URLs cannot be opened",),
        views=(View("link", "Link", lambda: _link_widget(content, uri, host, readable=readable)),),
    )


def _link_widget(content: JsonObject, uri: str, host: Host, *, readable: bool) -> QWidget:
    facts = [
        KeyValue(name, str(value), mono=name in {"uri", "name", "mimeType"})
        for name in LINK_FIELDS
        if isinstance(value := content.get(name), (str, int)) and value != ""
    ]
    body = QWidget()
    table = KeyValues(theme=host.theme, name="link_facts", parent=body)
    table.set_facts(facts)
    column = QVBoxLayout(body)
    column.setContentsMargins(
        host.theme.PADDING_PX, host.theme.SPACING_PX, host.theme.PADDING_PX, host.theme.PADDING_PX
    )
    column.addWidget(table)
    if readable:
        button = push_button("Read resource", name="read_resource", parent=body)
        button.clicked.connect(lambda: host.read_resource(uri))
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
    return body


def render_embedded(content: JsonObject, host: Host) -> Rendering:
    """A `resource` block."""
    resource = content.get("resource")
    if not isinstance(resource, dict):
        raise Malformed("resource block without resource")
    return render_contents(resource, host)


def render_contents(content: JsonObject, host: Host) -> Rendering:
    """An embedded resource, or one item of what `resources/read` gave."""
    text, blob = content.get("text"), content.get("blob")
    uri, mime = text_of(content, "uri"), text_of(content, "mimeType")
    file_name = text_of(content, "name") or uri
    notes = [] if uri else ["uri missing"]
    if isinstance(text, str) and isinstance(blob, str):
        notes.append("both text and blob present; showing text")
    if isinstance(text, str):
        rendering = text_rendering(text, host, mime=mime, file_name=file_name, kind="resource")
    elif isinstance(blob, str):
        rendering = _blob_rendering(
            decode(blob), host, encoded=blob, mime=mime, file_name=file_name
        )
    else:
        raise Malformed("resource without text or blob")
    return Rendering(
        icon=rendering.icon if rendering.kind == "image" else "mdi6.file-document-outline",
        kind="resource",
        facts=rendering.facts,
        address=uri,
        notes=(*notes, *rendering.notes),
        views=rendering.views,
        save=rendering.save,
    )


def _blob_rendering(
    payload: Payload, host: Host, *, encoded: str, mime: str, file_name: str
) -> Rendering:
    raw = payload.raw
    if payload.unreadable:
        return Rendering("", "resource", (mime,), payload.notes, text_views(encoded, host))
    if payload.found in PICTURES or essence(mime) == SVG:
        return image_rendering(payload, host, mime=mime, encoded=encoded, file_name=file_name)
    views = [bytes_view(raw, host, mime=mime, file_name=file_name)]
    extent = units.size(len(raw))
    if is_textual(mime) or (not mime and _is_plain(raw)):
        text = raw.decode("utf-8", "replace")
        views = [*text_views(text, host, mime=mime, file_name=file_name), *views]
        extent = text_extent(text)
    save = Saveable(lambda: raw, file_name, mime or payload.found)
    return Rendering(
        "", "resource", (mime or payload.found, extent), payload.notes, tuple(views), save
    )


def _is_plain(raw: bytes) -> bool:
    """Whether bytes of no declared type read as text."""
    try:
        text = raw[:4000].decode("utf-8")
    except UnicodeDecodeError as error:
        text = raw[: error.start].decode("utf-8") if error.start > 3990 else "\0"
    return bool(text) and all(
        character.isprintable() or character in "\t\r\n" for character in text
    )
