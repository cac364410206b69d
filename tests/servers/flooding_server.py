"""A server that floods from the moment it is greeted, until its input ends; for what happens when Spyglass itself dies.

It knows nothing but the handshake. Anything in its command line is for whoever looks for its process.
"""

import json
import os
import sys
import threading
import time

BATCH = 100
"""Messages between two pauses."""

PAUSE_SECONDS = 0.02


def _answer(request: dict[str, object]) -> bytes:
    result: dict[str, object] = {
        "protocolVersion": "2025-11-25",
        "capabilities": {"logging": {}},
        "serverInfo": {"name": "flooding", "version": "1"},
    }
    return json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}).encode() + b"\n"


def _refusal(request: dict[str, object]) -> bytes:
    error: dict[str, object] = {"code": -32601, "message": "Method not found"}
    return json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": error}).encode() + b"\n"


def _message(number: int) -> bytes:
    params = {"level": "info", "data": f"drop {number}"}
    told = {"jsonrpc": "2.0", "method": "notifications/message", "params": params}
    return json.dumps(told).encode() + b"\n"


def _flood() -> None:
    number = 0
    while True:
        sys.stdout.buffer.write(b"".join(_message(number + at) for at in range(BATCH)))
        sys.stdout.buffer.flush()
        number += BATCH
        time.sleep(PAUSE_SECONDS)


def main() -> None:
    """Answer the greeting, flood, and end with the input."""
    for line in sys.stdin.buffer:
        request = json.loads(line)
        greeted = request["method"] == "initialize"
        sys.stdout.buffer.write(_answer(request) if greeted else _refusal(request))
        sys.stdout.buffer.flush()
        if greeted:
            break
    threading.Thread(target=_flood, daemon=True).start()
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main()
