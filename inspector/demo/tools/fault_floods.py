"""Too much of everything. Floods take no heed of the log level and are written in large pieces."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from inspector.demo.content import result, text
from inspector.demo.schema import record, whole
from inspector.demo.tool import Tool
from inspector.demo.writer import line, write_stderr

if TYPE_CHECKING:
    from inspector.demo.call import Call
    from inspector.wire.json_codec import JsonObject

AT_ONCE = 1000
"""Messages in one write."""

MEGABYTE = 1_000_000


def _flood(call: Call) -> JsonObject:
    count, size = call.arguments.whole("count"), call.arguments.whole("size")
    before = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"flood","data":"'
    tail = " " + "." * size + '"}}\n'
    for start in range(1, count + 1, AT_ONCE):
        call.wait(0)
        numbers = range(start, min(start + AT_ONCE, count + 1))
        lines = "".join(f"{before}message {number} of {count}{tail}" for number in numbers)
        call.outlet.write(lines.encode())
    return result(text(f"Sent {count} log messages."))


def _stderr_flood(call: Call) -> JsonObject:
    count = call.arguments.whole("lines")
    for start in range(1, count + 1, AT_ONCE):
        call.wait(0)
        numbers = range(start, min(start + AT_ONCE, count + 1))
        write_stderr("\n".join(f"flood line {number} of {count}" for number in numbers))
    return result(text(f"Wrote {count} lines to stderr."))


def _huge_result(call: Call) -> None:
    """Written by hand: the text is spliced into a message made around a mark."""
    size = call.arguments.whole("megabytes") * MEGABYTE
    mark = "@"
    before, _, after = line(call.response(result(text(mark)))).partition(mark.encode())
    row = "0123456789 ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz\n"
    escaped = json.dumps(row)[1:-1].encode()
    rows, rest = divmod(size, len(row))
    call.wait(0)
    call.outlet.write(before + escaped * rows + b"." * rest + after)


def _deep_result(call: Call) -> None:
    """Written by hand as well: the library would refuse."""
    depth = call.arguments.whole("depth")
    before, _, after = line(
        call.response({**result(text("Deep.")), "_meta": {"deep": "@"}})
    ).partition(b'"@"')
    call.outlet.write(before + b"[" * depth + b"]" * depth + after)


TOOLS = (
    Tool(
        "fault_flood",
        "Fault: a flood of messages",
        "Sends log messages as fast as possible, then responds. Cancellable.",
        _flood,
        record(
            {
                "count": whole("How many", minimum=1, maximum=1_000_000, default=50_000),
                "size": whole("Payload size in bytes", minimum=0, maximum=10_000, default=40),
            }
        ),
    ),
    Tool(
        "fault_stderr_flood",
        "Fault: a flood on stderr",
        "Writes stderr lines as fast as possible, then responds. Cancellable.",
        _stderr_flood,
        record({"lines": whole("How many", minimum=1, maximum=1_000_000, default=10_000)}),
    ),
    Tool(
        "fault_huge_result",
        "Fault: a huge result",
        "Returns the given number of megabytes in one line.",
        _huge_result,
        record({"megabytes": whole("How many", minimum=1, maximum=500, default=10)}),
    ),
    Tool(
        "fault_deep_result",
        "Fault: a deep result",
        "Returns deeply nested arrays in _meta.",
        _deep_result,
        record({"depth": whole("How deep", minimum=1, maximum=1_000_000, default=2000)}),
    ),
)
