"""Everything that the demo server says is valid in every revision, unless it was asked to misbehave."""

from __future__ import annotations

import base64
import io
import json
import struct
import wave
from typing import TYPE_CHECKING

import jsonschema_rs
import pytest

from inspector.demo.samples.image import png
from inspector.demo.samples.tone import wav
from inspector.demo.tools import TOOLS
from tests.engine.demo.client import EVERYTHING, STATEFUL, Client, blocks, demo, first_text
from tests.engine.demo.validity import ARGUMENTS, FRIENDLY, LISTS, filled, findings

if TYPE_CHECKING:
    from inspector.demo.tool import Tool
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import JsonObject


@pytest.mark.parametrize("revision", STATEFUL, ids=str)
async def test_everything_that_is_said_is_valid_in_its_revision(revision: Revision) -> None:
    """Ours: judged by the official validators, and by the rule that nothing is used before it was defined."""
    async with demo(revision=revision, capabilities=EVERYTHING) as client:
        await tour(client)

        assert [
            (message, finding)
            for message in client.seen
            for finding in findings(message, client.asked, revision)
        ] == []


async def tour(client: Client) -> None:
    """Use all that is offered."""
    offered = {method: await client.listed(method, key) for method, key in LISTS.items()}
    names = {str(tool["name"]) for tool in offered["tools/list"]}
    for tool in FRIENDLY:
        if tool.name in names:
            await client.call(tool.name, ARGUMENTS.get(tool.name))
    for resource in offered["resources/list"]:
        await client.result("resources/read", {"uri": resource["uri"]})
    for prompt in offered["prompts/list"]:
        await client.result("prompts/get", {"name": prompt["name"], "arguments": filled(prompt)})
    await client.result(
        "completion/complete",
        {"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "name", "value": ""}},
    )
    await client.result("logging/setLevel", {"level": "info"})


def test_the_schemas_of_tools_are_schemas_and_their_defaults_fit() -> None:
    """Basic, "JSON Schema Usage"."""
    for schema in [schema for tool in TOOLS for schema in (tool.input, tool.output) if schema]:
        jsonschema_rs.meta.validate({"$schema": DIALECT, **schema})
        for part in parts(schema):
            if "default" in part:
                jsonschema_rs.validate(part, part["default"])


DIALECT = "https://json-schema.org/draft/2020-12/schema"


def parts(schema: JsonObject) -> list[JsonObject]:
    """The schemas of the properties, and of theirs."""
    properties = schema.get("properties", {})
    assert isinstance(properties, dict)
    direct = [part for part in properties.values() if isinstance(part, dict)]
    return direct + [below for part in direct for below in parts(part)]


async def test_structured_results_fit_their_schema_and_are_repeated_as_text() -> None:
    """Tools, "Structured Content" and "Output Schema"."""
    async with demo() as client:
        for tool in FRIENDLY:
            if tool.output is not None:
                result = await client.call(tool.name, ARGUMENTS.get(tool.name))
                jsonschema_rs.validate(tool.output, result["structuredContent"])
                assert json.loads(first_text(result)) == result["structuredContent"]


async def test_the_picture_has_the_size_that_was_asked_for() -> None:
    """Ours."""
    async with demo() as client:
        block = blocks(await client.call("show_image", {"width": 33, "height": 7}))[0]
        data = base64.b64decode(str(block["data"]), validate=True)

        assert block["mimeType"] == "image/png"
        assert data == png(33, 7)
        assert struct.unpack(">II", data[16:24]) == (33, 7)


def test_the_tone_is_a_wave_file_of_the_length_that_was_asked_for() -> None:
    """Ours."""
    with wave.open(io.BytesIO(wav(440, 0.25))) as sound:
        assert sound.getnframes() / sound.getframerate() == 0.25
        assert sound.getsampwidth() == 2


async def test_one_of_each_holds_every_type_of_content() -> None:
    """Schema, ContentBlock."""
    async with demo() as client:
        result = await client.call("show_everything")

        assert {str(block["type"]) for block in blocks(result)} == {
            "text",
            "image",
            "audio",
            "resource_link",
            "resource",
        }


async def test_a_type_that_the_revision_does_not_know_is_replaced_by_words() -> None:
    """Schema, ContentBlock."""
    async with demo(revision=STATEFUL[0]) as client:
        result = await client.call("show_everything")

        assert {str(block["type"]) for block in blocks(result)} == {"text", "image", "resource"}


def test_every_combination_of_annotations_that_means_something_is_there() -> None:
    """Schema, ToolAnnotations: destructive and idempotent mean something only where a tool writes."""
    hints = {
        json.dumps(tool.hints, sort_keys=True) for tool in TOOLS if tool.name.startswith("notes_")
    }

    assert len([hint for hint in hints if '"readOnlyHint": true' in hint]) == 2
    assert len([hint for hint in hints if '"readOnlyHint": false' in hint]) == 8


def test_names_are_unique_and_of_allowed_characters() -> None:
    """Fourth revision, tools, "Tool Names"."""
    names = [tool.name for tool in TOOLS]

    assert len(names) == len(set(names))
    assert all(name.replace("_", "").isalnum() and name.isascii() for name in names)


def test_every_tool_and_argument_is_described() -> None:
    """Ours: newcomers see these words first."""
    assert all(tool.title and len(tool.summary) > 15 for tool in TOOLS)
    assert [
        (tool.name, name)
        for tool in TOOLS
        for name, part in properties_of(tool).items()
        if not part.get("description") and "$ref" not in part
    ] == []


def properties_of(tool: Tool) -> dict[str, JsonObject]:
    properties = tool.input.get("properties", {})
    assert isinstance(properties, dict)
    return {name: part for name, part in properties.items() if isinstance(part, dict)}
