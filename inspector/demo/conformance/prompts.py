"""Prompts with and without arguments, with a resource and with a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo import content
from inspector.demo.conformance import rounds
from inspector.demo.prompt import Prompt, argument, says
from inspector.demo.samples.image import png

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json


def _simple(values: dict[str, str]) -> list[Json]:
    del values
    return [says("user", content.text("A simple prompt."))]


def _with_arguments(values: dict[str, str]) -> list[Json]:
    text = f"Prompt with arguments: arg1='{values['arg1']}', arg2='{values['arg2']}'"
    return [says("user", content.text(text))]


def _with_resource(values: dict[str, str]) -> list[Json]:
    inside = content.text_contents(values["resourceUri"], "text/plain", "Embedded text.")
    return [
        says("user", content.embedded(inside)),
        says("user", content.text("Please read the resource above.")),
    ]


def _with_image(values: dict[str, str]) -> list[Json]:
    del values
    return [
        says("user", content.image(png(8, 8), "image/png")),
        says("user", content.text("Please look at the picture above.")),
    ]


PROMPTS = (
    Prompt("test_simple_prompt", "Simple", "One message, no arguments.", _simple),
    Prompt(
        "test_prompt_with_arguments",
        "With arguments",
        "One message that repeats both arguments.",
        _with_arguments,
        (
            argument("arg1", "First", "Appears in the message", required=True),
            argument("arg2", "Second", "Appears in the message", required=True),
        ),
    ),
    Prompt(
        "test_prompt_with_embedded_resource",
        "With a resource",
        "A resource and a message about it.",
        _with_resource,
        (argument("resourceUri", "URI", "URI of the resource", required=True),),
    ),
    Prompt("test_prompt_with_image", "With a picture", "A picture and a message.", _with_image),
    *rounds.PROMPTS,
)
