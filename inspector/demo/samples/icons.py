"""Icons as `data:` URIs, so that nothing has to be fetched to show them."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from inspector.demo.samples.image import png

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject

_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="{stroke}"'
    ' stroke-width="2" stroke-linecap="round">{shapes}</svg>'
)

_LENS_SHAPES = '<circle cx="10" cy="10" r="6"/><path d="M15 15l6 6"/>'
_CLOCK_SHAPES = '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l4 2"/>'
_SUN_SHAPES = '<circle cx="12" cy="12" r="4"/><path d="M12 2v3M12 19v3M2 12h3M19 12h3"/>'


def data_uri(mime_type: str, data: bytes) -> str:
    """`data` as an address that holds it."""
    return f"data:{mime_type};base64,{base64.b64encode(data).decode()}"


def _svg(shapes: str, stroke: str, theme: str) -> JsonObject:
    image = _SVG.format(shapes=shapes, stroke=stroke).encode()
    return {
        "src": data_uri("image/svg+xml", image),
        "mimeType": "image/svg+xml",
        "sizes": ["any"],
        "theme": theme,
    }


def _pair(shapes: str) -> tuple[JsonObject, ...]:
    """The same shapes for light and for dark surroundings."""
    return (_svg(shapes, "#1f4f82", "light"), _svg(shapes, "#8fc7ff", "dark"))


LENS: tuple[JsonObject, ...] = (
    *_pair(_LENS_SHAPES),
    {"src": data_uri("image/png", png(48, 48)), "mimeType": "image/png", "sizes": ["48x48"]},
)
CLOCK = _pair(_CLOCK_SHAPES)
SUN = _pair(_SUN_SHAPES)
ICONS_OF_IMAGE: tuple[JsonObject, ...] = (
    {"src": data_uri("image/png", png(32, 32)), "mimeType": "image/png", "sizes": ["32x32"]},
)
