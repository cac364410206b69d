"""The icon for a media type, as a server gives it. Pure."""

from __future__ import annotations

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


def icon_of(mime: str) -> str:
    """The name of an icon."""
    essence = mime.partition(";")[0].strip().lower()
    if essence in _EXACT:
        return _EXACT[essence]
    if essence.endswith(("+json", "/json")):
        return _EXACT["application/json"]
    if essence.endswith(("+xml", "/xml")) and not essence.startswith("image/"):
        return "mdi6.file-code-outline"
    return _FAMILIES.get(essence.partition("/")[0], PLAIN)
