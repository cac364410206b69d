"""A server that leaves one request unanswered, and that writes to stderr and ends in the midst of another.

It speaks the revision 2025-11-25 over stdio. `forget` never gets a response, `echo` does, `crash` ends the process.
"""

from __future__ import annotations

import json
import os
import sys
import time

TRACEBACK = ("Traceback (most recent call last):", "RuntimeError: the disk is full")
"""What it writes on stderr before it ends."""

PAUSE_SECONDS = 0.3
"""After its last message, so that this is read before what comes through the other pipe, and before the end."""


def _send(message: dict[str, object]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def _tools() -> list[dict[str, object]]:
    schema = {"type": "object"}
    return [{"name": name, "inputSchema": schema} for name in ("echo", "forget", "crash")]


def _crash(token: object) -> None:
    params: dict[str, object] = {"progressToken": token, "progress": 1, "message": "half done"}
    _send({"method": "notifications/progress", "params": params})
    time.sleep(PAUSE_SECONDS)
    # At once: what comes through the other pipe in between would stand between the lines.
    os.write(sys.stderr.fileno(), "".join(f"{line}\n" for line in TRACEBACK).encode())
    os._exit(7)


def _result_of(method: str) -> dict[str, object] | None:
    greeting: dict[str, object] = {
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "crashing", "version": "1"},
    }
    results: dict[str, dict[str, object]] = {
        "initialize": greeting,
        "tools/list": {"tools": _tools()},
        "tools/call": {"content": [{"type": "text", "text": "echo"}]},
    }
    return results.get(method)


def main() -> None:
    """Answer until the end."""
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request or "method" not in request:
            continue
        name = request.get("params", {}).get("name", "")
        if name == "forget":
            continue
        if name == "crash":
            _crash(request["params"].get("_meta", {}).get("progressToken"))
        result = _result_of(request["method"])
        error = {"code": -32601, "message": "Method not found"}
        _send({"id": request["id"], **({"error": error} if result is None else {"result": result})})


if __name__ == "__main__":
    main()
