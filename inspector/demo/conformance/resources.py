"""Two resources that never change, one that may, and a template."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from inspector.demo.content import blob_contents, text_contents
from inspector.demo.library import Resource
from inspector.demo.samples.image import png

if TYPE_CHECKING:
    from inspector.demo.conversation import Conversation
    from inspector.wire.json_codec import Json, JsonObject

TEXT_URI = "test://static-text"
IMAGE_URI = "test://static-binary"
WATCHED_URI = "test://watched-resource"


def _text(conversation: Conversation) -> list[Json]:
    del conversation
    return [text_contents(TEXT_URI, "text/plain", "A text that never changes.")]


def _image(conversation: Conversation) -> list[Json]:
    del conversation
    return [blob_contents(IMAGE_URI, "image/png", png(8, 8))]


def _watched(conversation: Conversation) -> list[Json]:
    del conversation
    return [text_contents(WATCHED_URI, "text/plain", "A text to subscribe to.")]


def filled(conversation: Conversation, values: dict[str, str]) -> tuple[str, str] | None:
    """What the template leads to: MIME type and text."""
    del conversation
    number = values["id"]
    value: JsonObject = {"id": number, "templateTest": True, "data": f"What belongs to {number}"}
    return "application/json", json.dumps(value)


RESOURCES = (
    Resource(TEXT_URI, "A text", "Text that never changes.", "text/plain", _text),
    Resource(IMAGE_URI, "A picture", "A picture that never changes.", "image/png", _image),
    Resource(WATCHED_URI, "A watched text", "Can be subscribed to.", "text/plain", _watched),
)

TEMPLATE: JsonObject = {
    "uriTemplate": "test://template/{id}/data",
    "name": "template",
    "title": "A template",
    "description": "Repeats its variable.",
    "mimeType": "application/json",
}

PATTERN = re.compile(r"test://template/(?P<id>[^/]+)/data")
"""What a filled-in template looks like."""
