"""Every kind of content."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo import content
from inspector.demo.conversation import SUPPORTED
from inspector.demo.library import FILES
from inspector.demo.samples import texts
from inspector.demo.samples.icons import ICONS_OF_IMAGE
from inspector.demo.samples.image import png
from inspector.demo.samples.tone import wav
from inspector.demo.schema import NO_ARGUMENTS, choice, number, record, titled_choice, whole
from inspector.demo.tool import Tool

if TYPE_CHECKING:
    from inspector.demo.call import Call
    from inspector.wire.json_codec import JsonObject

README = content.text_contents("demo://texts/markdown", "text/markdown", texts.MARKDOWN)
BYTES = content.blob_contents(
    "demo://data/bytes.bin", "application/octet-stream", bytes(range(256))
)
SVG = content.text_contents("demo://images/lens.svg", "image/svg+xml", texts.SVG)
EMBEDDED = {"text": README, "bytes": BYTES, "picture": SVG}


def _text(call: Call) -> JsonObject:
    return content.result(content.text(texts.SAMPLES[call.arguments.text("sample")]))


def _long_text(call: Call) -> JsonObject:
    return content.result(content.text(texts.long_text(call.arguments.whole("paragraphs"))))


def _image(call: Call) -> JsonObject:
    if call.arguments.text("format") == "svg":
        return content.result(content.image(texts.SVG.encode(), "image/svg+xml"))
    data = png(call.arguments.whole("width"), call.arguments.whole("height"))
    return content.result(content.image(data, "image/png"))


def _audio(call: Call) -> JsonObject:
    data = wav(call.arguments.number("hertz"), call.arguments.number("seconds"))
    return content.result(content.audio(data, "audio/wav"))


def _links(call: Call) -> JsonObject:
    links = [
        content.link(each.entry(SUPPORTED[-1])) for each in FILES[: call.arguments.whole("count")]
    ]
    return content.result(content.text(f"{len(links)} of the resources of this server:"), *links)


def _embedded(call: Call) -> JsonObject:
    return content.result(content.embedded(EMBEDDED[call.arguments.text("kind")]))


def _everything(call: Call) -> JsonObject:
    del call
    result = content.result(
        content.text(
            "For everyone; high priority.", {"audience": ["user", "assistant"], "priority": 1}
        ),
        content.text(
            "For the assistant only; low priority.",
            {"audience": ["assistant"], "priority": 0.1},
        ),
        content.text(texts.JSON),
        content.text(texts.MARKDOWN),
        content.image(
            png(240, 150),
            "image/png",
            {"audience": ["user"], "priority": 0.5, "lastModified": "2025-06-01T12:00:00Z"},
        ),
        content.audio(wav(440, 0.4), "audio/wav"),
        content.link(FILES[0].entry(SUPPORTED[-1])),
        content.embedded(README, {"audience": ["user"]}),
        content.embedded(BYTES),
    )
    return {**result, "_meta": {"spyglass.demo/origin": "made in code", "spyglass.demo/took": 0}}


TOOLS = (
    Tool(
        "show_text",
        "Show text",
        "Returns sample text: Markdown, JSON, right-to-left, emoji, HTML that must stay text, and more.",
        _text,
        record({"sample": titled_choice("Which text", texts.TITLES)}, "sample"),
    ),
    Tool(
        "show_long_text",
        "Show a long text",
        "Returns as many paragraphs as you like, each of about 400 characters.",
        _long_text,
        record({"paragraphs": whole("How many", minimum=1, maximum=20_000, default=100)}),
    ),
    Tool(
        "show_image",
        "Show a picture",
        "Returns a generated image: PNG in the given size, or SVG.",
        _image,
        record(
            {
                "format": choice("File format; SVG has a fixed size", "png", "svg"),
                "width": whole("Pixels", minimum=1, maximum=4096, default=320),
                "height": whole("Pixels", minimum=1, maximum=4096, default=200),
            }
        ),
        icons=ICONS_OF_IMAGE,
    ),
    Tool(
        "show_audio",
        "Play a tone",
        "Returns a tone as WAV.",
        _audio,
        record(
            {
                "hertz": number("Pitch", minimum=20, maximum=7000, default=440),
                "seconds": number("Length", minimum=0.1, maximum=10, default=0.6),
            }
        ),
        is_known=lambda revision: revision.has_audio,
    ),
    Tool(
        "show_resource_links",
        "Show resource links",
        "Returns links to resources that can then be read.",
        _links,
        record({"count": whole("How many", minimum=1, maximum=len(FILES), default=3)}),
        is_known=lambda revision: revision.has_resource_links,
    ),
    Tool(
        "show_embedded_resource",
        "Show an embedded resource",
        "Returns a resource with its contents inside the result.",
        _embedded,
        record({"kind": choice("What is in it", *EMBEDDED)}),
    ),
    Tool(
        "show_everything",
        "Show one of each",
        "Returns every kind of content in one result, some of it annotated for an audience, and _meta.",
        _everything,
        NO_ARGUMENTS,
    ),
)
