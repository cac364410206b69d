"""A server over stdio with one tool, `tell`, that says what stands in the file named by the first argument when the server starts.

The second argument is the era it speaks: `stateful` or `stateless`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

TOOL: JsonObject = {
    "name": "tell",
    "inputSchema": {"type": "object", "properties": {"word": {"type": "string"}}},
}


CHANGED = "after"
"""A word in the text with which the server lists other tools."""


def tools_of(text: str) -> list[Json]:
    """The tools: with that word one more, and another schema of the first one."""
    if CHANGED not in text:
        return [TOOL]
    words: JsonObject = {"word": {"type": "string"}, "loud": {"type": "boolean"}}
    schema: JsonObject = {"type": "object", "properties": words}
    return [{**TOOL, "inputSchema": schema}, {**TOOL, "name": "whisper"}]


def result_of(method: str, params: JsonObject, text: str, era: str) -> JsonObject | None:
    """The result of a request; none for a method it does not know."""
    whole: JsonObject = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    extra: JsonObject = whole if era == "stateless" else {}
    info: JsonObject = {"name": "told", "version": text}
    if method == "initialize" and era == "stateful":
        version = params["protocolVersion"]
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "server/discover" and era == "stateless":
        about: JsonObject = {"io.modelcontextprotocol/serverInfo": info}
        declared: JsonObject = {
            "supportedVersions": ["2026-07-28"],
            "capabilities": {"tools": {}},
        }
        return {**extra, **declared, "_meta": about}
    if method == "tools/list":
        return {**extra, "tools": tools_of(text)}
    if method == "tools/call":
        done: JsonObject = {"resultType": "complete"} if era == "stateless" else {}
        return {**done, "content": [{"type": "text", "text": text}]}
    return None


def answer(message: JsonObject, text: str, era: str) -> JsonObject:
    """The response to a request."""
    params = message.get("params")
    found: Json = result_of(
        str(message["method"]), params if isinstance(params, dict) else {}, text, era
    )
    outcome: JsonObject = {"error": {"code": -32601, "message": "Method not found"}}
    return {
        "jsonrpc": "2.0",
        "id": message["id"],
        **(outcome if found is None else {"result": found}),
    }


def main() -> None:
    """Answer line by line."""
    text, era = Path(sys.argv[1]).read_text(encoding="utf-8"), sys.argv[2]
    print(f"started with {text}", file=sys.stderr, flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message and "method" in message:
            print(json.dumps(answer(message, text, era)), flush=True)


if __name__ == "__main__":
    main()
