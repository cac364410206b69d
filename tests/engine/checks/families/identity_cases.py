"""Cases of `checks.families.identity` and `checks.families.icons`."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from inspector.spec.keys import META_SERVER_INFO
from inspector.spec.revision import V2026_07_28
from tests.engine.checks.families.conversations import SERVER, ask, discover, post, respond
from tests.engine.checks.families.lifecycle_cases import discovered, opened
from tests.support.rule_cases import Case

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.talk import Talk

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def server(**members: Json) -> Callable[[Talk], object]:
    """A handshake with a server of these members."""
    info: JsonObject = {**SERVER, **members}
    return opened(serverInfo=info)


def icon(source: str) -> Callable[[Talk], object]:
    """A prompt with an icon."""

    def write(talk: Talk) -> None:
        talk.request(1, "prompts/list")
        talk.result(1, prompts=[{"name": "greet", "icons": [{"src": source}]}])

    return write


def data(media_type: str, raw: bytes) -> str:
    """A `data:` URI."""
    return f"data:{media_type};base64,{base64.b64encode(raw).decode()}"


def answered_by(name: str) -> Callable[[Talk], object]:
    """A result of a server of this name, after one of another result."""

    def write(talk: Talk) -> None:
        discover(talk)
        ask(talk, 2, "prompts/list")
        meta: JsonObject = {META_SERVER_INFO: {**SERVER, "name": name}}
        talk.result(2, prompts=[], resultType="complete", ttlMs=0, cacheScope="public", _meta=meta)

    return write


def traced(**values: Json) -> Callable[[Talk], object]:
    """A result of the stateless era with these keys in `_meta`."""
    meta: JsonObject = {META_SERVER_INFO: SERVER, **values}
    return discovered(_meta=meta)


WHOLE: JsonObject = {
    "title": "Clock",
    "description": "Tells the time.",
    "websiteUrl": "https://a.example",
}
NAMELESS: JsonObject = {META_SERVER_INFO: {"name": "x"}}
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>'


def http_icon(source: str) -> Callable[[Talk], object]:
    """A prompt with an icon, of a server on the web."""

    def write(talk: Talk) -> None:
        talk.note(
            "opened", "POST endpoint https://tools.example/mcp", url="https://tools.example/mcp"
        )
        number = post(talk, {"jsonrpc": "2.0", "id": 1, "method": "prompts/list"})
        icons: Json = [{"src": source}]
        result: JsonObject = {"prompts": [{"name": "greet", "icons": icons}]}
        respond(talk, {"jsonrpc": "2.0", "id": 1, "result": result}, number)

    return write


CASES = (
    Case(
        "L-ICO-02", http_icon("https://cdn.example/a.png"), http_icon("https://tools.example/a.png")
    ),
    Case("L-MET-03", opened(_meta={"example.com/x": 1}), opened(_meta={"com.example/x": 1})),
    Case("L-MET-05", answered_by("other"), answered_by("clock"), V2026_07_28),
    Case("L-MET-05", traced(**NAMELESS), traced(), V2026_07_28, "malformed"),
    Case("L-MET-06", traced(traceparent="00-xyz"), traced(traceparent=TRACE), V2026_07_28),
    Case(
        "L-MET-06",
        traced(tracestate="=1"),
        traced(tracestate="vendor=1,other=2"),
        V2026_07_28,
        "state",
    ),
    Case(
        "L-MET-06",
        traced(baggage="user"),
        traced(baggage="user=1;x, place=a%20b"),
        V2026_07_28,
        "baggage",
    ),
    Case(
        "L-MET-06",
        traced(baggage="a=" + "," * 4_000 + '"'),
        traced(baggage="a=" + "," * 4_000),
        V2026_07_28,
        "long baggage",
    ),
    Case(
        "L-MET-06",
        traced(tracestate="a=b" + " ," * 4_000 + "\x00"),
        traced(tracestate="a=b" + " ," * 4_000),
        V2026_07_28,
        "long state",
    ),
    Case("L-IMP-02", server(), server(**WHOLE)),
    Case(
        "L-IMP-03",
        server(websiteUrl="www.example.com"),
        server(websiteUrl="https://www.example.com"),
    ),
    Case("L-IMP-04", server(name="example-server"), server(name="weather-server")),
    Case("L-IMP-04", server(version=""), server(version="0.0.1"), name="no version"),
    Case("L-ICO-04", icon(data("image/gif", PNG)), icon(data("image/png", PNG))),
    Case("L-ICO-04", icon("data:text/html,hi"), icon(data("image/png", PNG)), name="no image"),
    Case(
        "L-ICO-05",
        icon(data("image/svg+xml", SVG.replace(b"<path", b"<script/><path"))),
        icon(data("image/svg+xml", SVG)),
    ),
)
