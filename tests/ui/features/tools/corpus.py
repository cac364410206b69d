"""Cases of the corpus, as they stand there, and what the server of a case lists and answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from inspector.wire import json_codec

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

CASES = Path(__file__).parent / "cases"


class Played(NamedTuple):
    """One variant of a case about results."""

    tools: list[Json]
    """What the server lists."""
    called: str
    """The tool that is called."""
    body: bytes
    """The whole answer, with `{{id}}` in the place of the id."""

    def answer(self, id_: Json) -> bytes:
        """The answer to the request of that id."""
        return self.body.replace(b"{{id}}", json_codec.write_bytes(id_))


def case(name: str) -> JsonObject:
    """The `input` of a case by the beginning of its id."""
    path = next(iter(sorted(CASES.glob(f"{name}*.json"))))
    return cast("JsonObject", cast("JsonObject", json_codec.read(path.read_bytes()).value)["input"])


def tools(name: str) -> list[Json]:
    """The tools of a case about lists."""
    return cast("list[Json]", grown(case(name)["tools"]))


def results(name: str) -> list[Played]:
    """Each variant of a case about results."""
    given = case(name)
    variants = cast("list[JsonObject]", given.get("variants", [given]))
    return [_played(given, variant) for variant in variants]


def result(name: str) -> Played:
    """The only variant of a case about results."""
    (played,) = results(name)
    return played


def grown(value: Json) -> Json:
    """`value` with what the case describes instead of writing it out."""
    if isinstance(value, list):
        return [grown(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$repeat" in value:
        text, times = cast("list[Json]", value["$repeat"])
        return str(text) * cast("int", times)
    return {key: grown(item) for key, item in value.items()}


def _played(given: JsonObject, variant: JsonObject) -> Played:
    one: JsonObject = {"name": "x", "inputSchema": {"type": "object"}}
    tool = given.get("tool", one)
    listed = cast("list[Json]", given.get("tools", [tool]))
    called = str(given.get("call", cast("JsonObject", listed[0])["name"]))
    return Played(listed, called, _body(given, variant))


def _body(given: JsonObject, variant: JsonObject) -> bytes:
    if "rawBody" in variant:
        return str(variant["rawBody"]).encode()
    made = cast("JsonObject", given.get("generate", {}))
    result = grown(variant.get("result", made.get("result")))
    return b'{"jsonrpc":"2.0","id":{{id}},"result":%s}' % json_codec.write_bytes(result)
