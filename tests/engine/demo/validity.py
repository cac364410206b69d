"""What the demo server offers and is asked for, and what is wrong with what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_types.methods import validate_server_result

from inspector.demo.tools import TOOLS
from inspector.spec.validation import validate
from inspector.wire.frame import Direction
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

LISTS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}

ARGUMENTS: dict[str, JsonObject] = {
    "echo": {"message": "one", "times": 2, "in_capitals": True},
    "add": {"a": 1, "b": 2.5},
    "weather": {"city": "tokyo"},
    "show_text": {"sample": "control_characters"},
    "show_long_text": {"paragraphs": 2},
    "countdown": {"steps": 3, "seconds": 0},
    "wait": {"seconds": 0},
    "form_text": {"name": "Ada"},
    "form_numbers": {"count": 1, "ratio": 0.5},
    "form_choices": {"agree": True},
    "form_lists": {"address": {"city": "Oslo"}, "tags": ["a"]},
    "form_optional": {"must": "", "nullable": None},
    "form_unions": {"id": 1},
    "form_references": {"start": {"x": 1, "y": 2}},
    "notes_search_web": {"words": "x"},
    "notes_add": {"text": "x"},
    "notes_tag": {"number": 1, "tag": "x"},
    "notes_rewrite": {"number": 1, "text": "x"},
    "notes_mail": {"number": 1, "to": "a@example.com"},
    "notes_share": {"number": 1},
}
"""What the friendly tools need to be called with."""

FRIENDLY = [
    tool
    for tool in TOOLS
    if not tool.name.startswith(("fault_", "ask_", "ping_", "fail_", "task_"))
]


def findings(message: JsonObject, asked: dict[Json, str], revision: Revision) -> list[str]:
    kind = MessageKind.NOTIFICATION if "method" in message else MessageKind.RESPONSE
    method = asked.get(message.get("id"), "")
    if kind is MessageKind.RESPONSE:
        result = message["result"]
        assert isinstance(result, dict)
        validate_server_result(method, revision.date, result)
    found = validate(
        message,
        kind=kind,
        method_of_request=method,
        revision=revision,
        direction=Direction.RECEIVED,
    )
    return [f"{finding.rule}: {finding.summary} at {finding.pointer}" for finding in found]


def filled(prompt: JsonObject) -> JsonObject:
    arguments = prompt.get("arguments", [])
    assert isinstance(arguments, list)
    return {str(each["name"]): "x" for each in arguments if isinstance(each, dict)}
