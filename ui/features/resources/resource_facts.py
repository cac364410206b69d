"""What the window derives from a resource or template without asking the server: a table, an icon, folders. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.wire import json_codec
from ui.widgets import units
from ui.widgets.key_values import KeyValue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.spec.views.resource import Addressed

UNTRUSTED = "Reported by the server (untrusted)"

DIRECTORY = "mdi6.folder-outline"
TEMPLATE = "mdi6.code-braces"
PLAIN = "mdi6.file-outline"

_EXACT = {
    "application/json": "mdi6.code-json",
    "application/pdf": "mdi6.file-pdf-box",
    "application/zip": "mdi6.folder-zip-outline",
    "application/gzip": "mdi6.folder-zip-outline",
    "application/octet-stream": "mdi6.file-cog-outline",
    "inode/directory": DIRECTORY,
    "text/csv": "mdi6.file-delimited-outline",
    "text/html": "mdi6.language-html5",
    "text/markdown": "mdi6.language-markdown-outline",
    "text/x-python": "mdi6.language-python",
    "text/javascript": "mdi6.language-javascript",
    "text/css": "mdi6.language-css3",
}
_FAMILIES = {
    "text": "mdi6.file-document-outline",
    "image": "mdi6.file-image-outline",
    "audio": "mdi6.file-music-outline",
    "video": "mdi6.file-video-outline",
    "font": "mdi6.format-font",
}

MAX_SEGMENTS = 24
"""Segments of a URI; the rest stays in one piece."""

_PREFIX = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*:)?(//)?")
_QUERY = re.compile(r"[?#]")


def facts(entry: Addressed) -> tuple[KeyValue, ...]:
    """Return the rows of the table, without those that have no value."""
    return tuple(fact for fact in _facts(entry) if fact.value)


def _facts(entry: Addressed) -> Iterator[KeyValue]:
    if entry.name != entry.label:
        yield KeyValue("name", entry.name)
    yield KeyValue("type", entry.mime_type)
    size = getattr(entry, "size", None)
    if isinstance(size, int):
        yield KeyValue("size", units.size(size), units.size_exact(size), mono=False)
    annotations = entry.annotations
    yield KeyValue("for", ", ".join(annotations.audience), UNTRUSTED, mono=False)
    if annotations.priority is not None:
        texts = {0: "0 (optional)", 1: "1 (required)"}
        priority = texts.get(int(annotations.priority)) if annotations.priority in texts else None
        yield KeyValue("priority", priority or f"{annotations.priority:g}", UNTRUSTED, mono=False)
    yield KeyValue("changed", annotations.last_modified, UNTRUSTED)
    if entry.icons:
        yield KeyValue("icons", f"{len(entry.icons)} (not loaded)", mono=False)
    if entry.unknown:
        yield KeyValue("other", ", ".join(entry.unknown), "Not defined in this revision (see JSON)")
    if entry.meta:
        yield KeyValue("_meta", json_codec.write(entry.meta))


def icon_of(mime: str) -> str:
    """Return the name of the icon of a media type, as the server gives it."""
    essence = mime.partition(";")[0].strip().lower()
    if essence in _EXACT:
        return _EXACT[essence]
    if essence.endswith(("+json", "/json")):
        return _EXACT["application/json"]
    if essence.endswith(("+xml", "/xml")) and not essence.startswith("image/"):
        return "mdi6.file-code-outline"
    return _FAMILIES.get(essence.partition("/")[0], PLAIN)


def segments(uri: str) -> tuple[str, ...]:
    """Split a URI into its folders, from the scheme down, and last the name of the resource.

    Nothing is normalized: joined, the segments are the URI again. A query or fragment belongs to the last segment.
    """
    found = _PREFIX.match(uri)
    start = found.end() if found is not None else 0
    prefix, rest = uri[:start], uri[start:]
    cut = _QUERY.search(rest)
    path, tail = (rest[: cut.start()], rest[cut.start() :]) if cut else (rest, "")
    path_parts = (
        re.findall(r"[^/]*/|[^/]+", path) if prefix.endswith("//") or "/" in path else [path]
    )
    parts = [part for part in (prefix, *path_parts) if part]
    if len(parts) > MAX_SEGMENTS:
        parts = [*parts[: MAX_SEGMENTS - 1], "".join(parts[MAX_SEGMENTS - 1 :])]
    if not parts:
        return (tail,) if tail else ("",)
    return (*parts[:-1], parts[-1] + tail)
