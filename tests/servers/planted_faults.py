"""A server with ten faults in its lists, each of which one rule finds; it speaks the revision 2025-11-25 over stdio."""

from __future__ import annotations

import json
import sys

PLANTED = {
    "L-STD-01": "text on stdout",
    "L-IMP-01": "serverInfo without a version",
    "L-TOOL-01": "a tool whose inputSchema is not of type object",
    "L-TOOL-03": "a tool name with special characters",
    "L-TOOL-04": "two tools of one name",
    "L-TOOL-06": "a tool without a description",
    "L-TOOL-12": "a reference that leads nowhere",
    "L-TOOL-17": "an outputSchema that is not of type object",
    "L-RES-02": "two resources of one URI",
    "L-PAG-01": "a nextCursor that is no string",
}
"""What is wrong, by the rule that finds it."""

OBJECT = {"type": "object", "additionalProperties": False}


def _tool(name: str, **members: object) -> dict[str, object]:
    text = f"Does what {name} says, for a test that reads lists."
    return {"name": name, "title": name, "description": text, "inputSchema": OBJECT, **members}


def _resource(name: str) -> dict[str, object]:
    return {"uri": "file:///notes.md", "name": name, "title": name, "mimeType": "text/markdown"}


RESULTS: dict[str, dict[str, object]] = {
    "initialize": {
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
        "serverInfo": {"name": "planted"},
    },
    "tools/list": {
        "tools": [
            _tool("a_list", inputSchema={"type": "array"}),
            _tool("read notes!"),
            _tool("twice"),
            _tool("twice"),
            {"name": "silent", "title": "Silent", "inputSchema": OBJECT},
            _tool("nowhere", inputSchema={**OBJECT, "properties": {"a": {"$ref": "#/$defs/none"}}}),
            _tool("numbers", outputSchema={"type": "array"}),
        ]
    },
    "resources/list": {"resources": [_resource("notes"), _resource("other")]},
    "resources/templates/list": {"resourceTemplates": []},
    "prompts/list": {"prompts": [], "nextCursor": 2},
}


def main() -> None:
    """Respond until the input ends."""
    print("listening", flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = RESULTS.get(message["method"])
        answer = (
            {"error": {"code": -32601, "message": "Method not found"}}
            if result is None
            else {"result": result}
        )
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}), flush=True)


if __name__ == "__main__":
    main()
