"""What a client says to the demo server where every request stands alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.revision import NEWEST
from tests.engine.demo.client import EVERYTHING, Client, member, member_object

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

PREFIX = "io.modelcontextprotocol/"
ALONE = "--era", "stateless"
FORM_ANSWER: JsonObject = {"action": "accept", "content": {"name": "Ada", "word": "moon"}}
ANSWERS: dict[str, JsonObject] = {
    "elicitation/create": FORM_ANSWER,
    "roots/list": {"roots": [{"uri": "file:///tmp"}]},
    "sampling/createMessage": {
        "role": "assistant",
        "model": "m",
        "content": {"type": "text", "text": "Hello there"},
    },
}


def said(
    params: JsonObject | None = None, capabilities: JsonObject | None = None, **meta: Json
) -> JsonObject:
    """Params with what every request says of itself; `meta` comes with the prefix."""
    own: JsonObject = {
        f"{PREFIX}protocolVersion": NEWEST.date,
        f"{PREFIX}clientCapabilities": EVERYTHING if capabilities is None else capabilities,
        **{PREFIX + name: value for name, value in meta.items()},
    }
    return {**(params or {}), "_meta": own}


def calling(tool: str, **arguments: Json) -> JsonObject:
    return {"name": tool, "arguments": {**arguments}}


async def settled(client: Client, method: str, params: JsonObject) -> tuple[int, JsonObject]:
    """Ask until nothing is wanted any more: how many rounds it took, and the result."""
    again: JsonObject = {}
    for rounds in range(1, 20):
        result = await client.result(method, said({**params, **again}))
        if result["resultType"] == "complete":
            return rounds, result
        again = {}
        if "inputRequests" in result:
            again["inputResponses"] = answered(member_object(result, "inputRequests"))
        if "requestState" in result:
            again["requestState"] = result["requestState"]
    raise AssertionError("never satisfied")


def answered(wanted: JsonObject) -> JsonObject:
    return {key: ANSWERS[str(member(asked, "method"))] for key, asked in wanted.items()}
