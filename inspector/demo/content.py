"""Content blocks and the results that hold them, as the newest revision has them; `revision_filter.py` takes out what is too new."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject


def text(text: str, annotations: JsonObject | None = None) -> JsonObject:
    """A text block."""
    return _block({"type": "text", "text": text}, annotations)


def image(data: bytes, mime_type: str, annotations: JsonObject | None = None) -> JsonObject:
    """A picture."""
    return _media("image", data, mime_type, annotations)


def audio(data: bytes, mime_type: str, annotations: JsonObject | None = None) -> JsonObject:
    """A sound."""
    return _media("audio", data, mime_type, annotations)


def embedded(contents: JsonObject, annotations: JsonObject | None = None) -> JsonObject:
    """A resource with its contents: see `text_contents` and `blob_contents`."""
    return _block({"type": "resource", "resource": contents}, annotations)


def link(resource: JsonObject) -> JsonObject:
    """A resource without its contents; `resource` is an entry of `resources/list`."""
    return {"type": "resource_link", **resource}


def text_contents(uri: str, mime_type: str, text: str) -> JsonObject:
    """What is in a resource, as text."""
    return {"uri": uri, "mimeType": mime_type, "text": text}


def blob_contents(uri: str, mime_type: str, data: bytes) -> JsonObject:
    """What is in a resource, as bytes."""
    return {"uri": uri, "mimeType": mime_type, "blob": base64.b64encode(data).decode()}


def result(*blocks: Json) -> JsonObject:
    """The result of a tool."""
    return {"content": [*blocks]}


def structured(value: JsonObject) -> JsonObject:
    """A structured result, repeated as text for clients that do not know it.

    Source: tools, "Structured Content".
    """
    return {"content": [text(pretty(value))], "structuredContent": value}


def failure(message: str) -> JsonObject:
    """The result of a tool that could not do it."""
    return {"content": [text(message)], "isError": True}


def pretty(value: Json) -> str:
    """JSON for reading."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def _media(kind: str, data: bytes, mime_type: str, annotations: JsonObject | None) -> JsonObject:
    encoded = base64.b64encode(data).decode()
    return _block({"type": kind, "data": encoded, "mimeType": mime_type}, annotations)


def _block(block: JsonObject, annotations: JsonObject | None) -> JsonObject:
    return block if annotations is None else {**block, "annotations": annotations}
