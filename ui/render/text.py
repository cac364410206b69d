"""Text: literal by default; as JSON or Markdown where it can be read so, on request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.spec.media_types import essence
from inspector.wire import json_codec
from ui.render.auto_height import AutoHeightJson, AutoHeightText
from ui.render.csv_table import CsvTable, csv_rows
from ui.render.markdown import MarkdownView
from ui.render.rendering import Host, Malformed, Rendering, Saveable, View
from ui.widgets import units
from ui.widgets.labels import plain_label
from ui.widgets.markdown_html import is_markdown, is_too_long_for_markdown

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.wire.json_codec import JsonObject

CHECKED_LENGTH = 200_000
"""Up to this many characters, whether a text is JSON is found out by reading it; beyond, by its ends."""
MARKDOWN_TYPES = {"text/markdown", "text/x-markdown"}
"""Media types of Markdown."""
CHECKED_START = 4000
"""Characters by which it is decided whether a text is prose."""

_NOT_PROSE = re.compile(
    r"[^\s.!?:] {2,}\S|^[ \t]+\S|\t|[{}<>|=;,]\s*$|[\u2500-\u259f]", re.MULTILINE
)
"""Columns, indented lines, tabs, ends of lines of code, frames of text."""

LONG_LINE = 80
"""Characters from which on an object or array in one line opens as JSON."""


def render_text(content: JsonObject, host: Host) -> Rendering:
    """A `text` block."""
    text = content.get("text")
    if not isinstance(text, str):
        raise Malformed("text block without text" if text is None else "text is not a string")
    mime = content.get("mimeType")
    return text_rendering(text, host, mime=mime if isinstance(mime, str) else "")


def text_rendering(
    text: str, host: Host, *, mime: str = "", file_name: str = "", kind: str = "text"
) -> Rendering:
    """Render a text from any field."""
    return Rendering(
        icon="mdi6.text",
        kind=kind,
        facts=(mime, text_extent(text)),
        views=text_views(text, host, mime=mime, file_name=file_name),
        save=Saveable(
            lambda: text.encode("utf-8", "surrogatepass"), file_name, mime or "text/plain"
        ),
    )


def text_extent(text: str) -> str:
    """How long a text is."""
    return units.size(len(text)) if text.isascii() else f"{len(text):,} characters"


def text_views(text: str, host: Host, *, mime: str = "", file_name: str = "") -> tuple[View, ...]:
    """The ways to look at `text`."""

    def plain() -> QWidget:
        is_json = not mime and may_be_json(text)
        view = AutoHeightText(
            theme=host.theme,
            mime="application/json" if is_json else mime or "text/plain",
            file_name=file_name,
            mono=is_json or not is_prose(text, mime),
        )
        view.set_text(text)
        return view

    views = [View("text", "Text", plain)]
    if may_be_json(text, mime):
        view = View("json", "JSON", lambda: _json_view(text, host))
        views.insert(0 if is_one_long_line(text) else 1, view)
    is_declared = essence(mime) in MARKDOWN_TYPES
    if is_markdown(text, is_declared=is_declared):
        views.append(View("markdown", "Markdown", lambda: MarkdownView(text, host=host)))
    elif is_too_long_for_markdown(text, is_declared=is_declared):
        views.append(View("markdown", "Markdown", _markdown_limit))
    if (rows := csv_rows(text, mime)) is not None:
        views.append(View("table", "Table", lambda: CsvTable(rows, theme=host.theme)))
    return tuple(views)


def _markdown_limit() -> QWidget:
    text = "Too long to format as Markdown. The view Text shows all of it."
    return plain_label(text, tone="muted", name="markdown_limit", wrap=True)


def _json_view(text: str, host: Host) -> QWidget:
    view = AutoHeightJson(None, theme=host.theme)
    view.set_raw(text.encode("utf-8", "surrogatepass"))
    return view


def is_prose(text: str, mime: str = "") -> bool:
    """Return whether a text reads as sentences: nothing in it is aligned by characters of one width, and it is no single value to copy."""
    start = text[:CHECKED_START].strip()
    is_plain = essence(mime) in {"", "text/plain", *MARKDOWN_TYPES}
    return is_plain and " " in start and _NOT_PROSE.search(start) is None


def may_be_json(text: str, mime: str = "") -> bool:
    """Whether a JSON view would show something."""
    ends = text[:1000].lstrip()[:1] + text[-1000:].rstrip()[-1:]
    if not ends:
        return False
    if len(text) > CHECKED_LENGTH:
        return ends in {"{}", "[]"}
    if ends not in {"{}", "[]"} and essence(mime) != "application/json" and len(text) > 100:
        return False
    try:
        json_codec.read(text.encode("utf-8", "surrogatepass"))
    except json_codec.JsonSyntaxError:
        return False
    return True


def is_one_long_line(text: str) -> bool:
    """Whether JSON is written as one line that is too long to be read as text."""
    return len(text) > LONG_LINE and text.lstrip()[:1] in {"{", "["} and "\n" not in text.strip()
