"""A server every word of which is hostile: names, titles, descriptions, answers, errors, logs, and what it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import PeerError
from inspector.spec.revision import NEWEST_STATEFUL
from tests.support.answering import AnsweringServer
from tests.ui.hostile import LONG, MARKUP, NASTY, SHORT, TEXTS, icon, schema

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

WORDS: JsonObject = {"title": NASTY, "description": f"{NASTY}\n{LONG}", "icons": [icon()]}

ANNOTATIONS: JsonObject = {
    "audience": [NASTY],
    "priority": 2,
    "lastModified": NASTY,
    "title": NASTY,
}

TOOLS: list[Json] = [
    {
        "name": NASTY,
        **WORDS,
        "inputSchema": schema(),
        "outputSchema": schema(),
        "annotations": {**ANNOTATIONS, "readOnlyHint": NASTY},
        "execution": {"taskSupport": NASTY},
        NASTY: NASTY,
    },
    *({"name": text, "inputSchema": {"type": "object"}} for text in TEXTS),
]

BLOCKS: list[Json] = [
    *({"type": "text", "text": text, "annotations": ANNOTATIONS} for text in TEXTS),
    {"type": "text", "text": f"# {MARKUP}\n\n![x](http://127.0.0.1:9/x.png)\n\n[go](javascript:1)"},
    {"type": "resource_link", "uri": NASTY, "name": NASTY, "mimeType": NASTY, "size": 5, **WORDS},
    {"type": "resource", "resource": {"uri": NASTY, "mimeType": "text/html", "text": MARKUP}},
    {"type": "resource", "resource": {"uri": NASTY, "mimeType": NASTY, "blob": "aGk="}},
    {"type": "image", "mimeType": NASTY, "data": NASTY},
    {"type": "audio", "mimeType": NASTY, "data": "aGk="},
    {"type": NASTY, NASTY: NASTY},
]

RESOURCES: list[Json] = [
    {"uri": f"x://{NASTY}/{SHORT}", "name": NASTY, "mimeType": NASTY, **WORDS},
    *({"uri": text, "name": text, "annotations": ANNOTATIONS} for text in TEXTS),
]

TEMPLATES: list[Json] = [
    {"uriTemplate": "x://{a}/{b}", "name": NASTY, "mimeType": NASTY, **WORDS},
    {"uriTemplate": NASTY, "name": SHORT},
]

PROMPTS: list[Json] = [
    {
        "name": NASTY,
        **WORDS,
        "arguments": [
            {"name": NASTY, "description": NASTY, "title": NASTY, "required": True},
            {"name": SHORT},
        ],
    },
    *({"name": text} for text in TEXTS),
]

MESSAGES: list[Json] = [{"role": "user", "content": block} for block in BLOCKS]

SAMPLING: JsonObject = {
    "messages": [*MESSAGES, {"role": NASTY, "content": {"type": "text", "text": NASTY}}],
    "systemPrompt": NASTY,
    "maxTokens": 5,
    "includeContext": NASTY,
    "stopSequences": [NASTY],
    "modelPreferences": {"hints": [{"name": NASTY}]},
    "tools": TOOLS[:2],
    "toolChoice": {"mode": NASTY},
    "metadata": {NASTY: NASTY},
}

FORM: JsonObject = {"message": NASTY, "requestedSchema": schema()}

VISIT: JsonObject = {
    "mode": "url",
    "message": NASTY,
    "url": f"https://раypal.example/{SHORT}",
    "elicitationId": NASTY,
}


def refuse(_params: JsonObject) -> Json:
    """Refuse in hostile words."""
    raise PeerError(-32000, NASTY, {"why": NASTY, NASTY: MARKUP})


def hostile_server() -> AnsweringServer:
    """It declares everything and answers with hostile words."""
    return AnsweringServer(
        {
            "initialize": lambda _: _greeting(),
            "tools/list": lambda _: {"tools": TOOLS},
            "tools/call": lambda _: {
                "content": BLOCKS,
                "structuredContent": {SHORT: NASTY, NASTY: [NASTY]},
                "isError": True,
            },
            "resources/list": lambda _: {"resources": RESOURCES},
            "resources/templates/list": lambda _: {"resourceTemplates": TEMPLATES},
            "resources/read": lambda _: {
                "contents": [{"uri": NASTY, "mimeType": NASTY, "text": text} for text in TEXTS]
            },
            "prompts/list": lambda _: {"prompts": PROMPTS},
            "prompts/get": lambda _: {"description": NASTY, "messages": MESSAGES},
            "completion/complete": lambda _: {"completion": {"values": list(TEXTS)}},
            "logging/setLevel": refuse,
        }
    )


def log(server: AnsweringServer) -> None:
    """Log every text, as text and in data, at levels that are none."""
    for text in TEXTS:
        datas: tuple[Json, ...] = (text, {text: [text]})
        for data in datas:
            params: JsonObject = {"level": text[:200], "logger": text, "data": data}
            server.notify("notifications/message", params)


def _greeting() -> Json:
    about: JsonObject = {"name": NASTY, "version": NASTY, "websiteUrl": f"javascript:{NASTY}"}
    return {
        "protocolVersion": NEWEST_STATEFUL.date,
        "capabilities": {
            "tools": {"listChanged": True},
            "resources": {"subscribe": True},
            "prompts": {},
            "completions": {},
            "logging": {},
            "experimental": {NASTY: {NASTY: NASTY}},
            NASTY: {},
        },
        "serverInfo": {**about, **WORDS},
        "instructions": f"{NASTY}\n{LONG}",
    }
