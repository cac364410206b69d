"""Cases of `checks.families.client_features`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.rule_cases import Case

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.talk import Talk

FORM: JsonObject = {"message": "Who?", "requestedSchema": {"type": "object", "properties": {}}}
BOTH: JsonObject = {"elicitation": {}, "tasks": {"requests": {"elicitation": {"create": {}}}}}


def asked(capabilities: JsonObject, **params: Json) -> Callable[[Talk], object]:
    """A form for a client that declares these capabilities."""

    def write(talk: Talk) -> None:
        talk.request(1, "initialize", protocolVersion="2025-11-25", capabilities=capabilities)
        info: Json = {"name": "sample", "version": "1.2.3"}
        talk.result(1, protocolVersion="2025-11-25", capabilities={}, serverInfo=info)
        message: JsonObject = {"jsonrpc": "2.0", "id": 7, "method": "elicitation/create"}
        talk.received({**message, "params": {**FORM, **params}})

    return write


CASES = (
    Case("L-JR-32", asked({}), asked({"elicitation": {}})),
    Case("L-JR-32", asked({"elicitation": {}}, task={}), asked(BOTH, task={}), name="as a task"),
)
