"""Faults of lines: what should be one line of JSON is not."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from inspector.demo.content import result, text
from inspector.demo.schema import number, record, titled_choice, whole
from inspector.demo.tool import Tool
from inspector.demo.tools.fault_messages import ANSWER_AFTER, misspelt
from inspector.demo.writer import line

if TYPE_CHECKING:
    from inspector.demo.call import Call
    from inspector.wire.json_codec import JsonObject

NOISES: dict[str, bytes] = {
    "log_line": b"2025-06-01 12:00:00 INFO handling request\n",
    "colours": b"\x1b[1;32mserver\x1b[0m \x1b[31mfailed\x1b[0m\n",
    "blank_lines": b"\n  \n\r\n",
    "other_json": b'{"level":"info","msg":"a log line in JSON"}\n',
    "scalars": b'null\n42\n"text"\n[]\n',
    "traceback": b'Traceback (most recent call last):\n  File "server.py", line 1\nValueError: no\n',
}
NOISE_TITLES = {
    "log_line": "A log line",
    "colours": "Terminal colours",
    "blank_lines": "Blank lines",
    "other_json": "JSON that is no message",
    "scalars": "JSON that is no object",
    "traceback": "A traceback",
}

SPELLINGS = {
    "cut_off": "Cut off before its end",
    "trailing_comma": "A comma too many",
    "single_quotes": "Single quotes",
    "not_a_number": "NaN as a number",
    "plain_text": "Not JSON at all",
}


def _noise(call: Call) -> JsonObject:
    call.outlet.write(NOISES[call.arguments.text("kind")])
    return result(text("Something else stood on stdout before this answer."))


def _invalid_json(call: Call) -> JsonObject | None:
    return misspelt(call, call.arguments.text("how"))


def _pretty_printed(call: Call) -> JsonObject | None:
    return misspelt(call, "pretty_printed")


def _invalid_utf8(call: Call) -> JsonObject | None:
    return misspelt(call, "invalid_utf8")


def _slow_bytes(call: Call) -> None:
    """In pieces that cut characters in two."""
    message = "Every piece of this ends where it should not: 🔭 望遠鏡 שלום."
    data = line(call.response(result(text(message))))
    count = min(call.arguments.whole("pieces"), len(data))
    cuts = [len(data) * index // count for index in range(count + 1)]
    pieces = [data[start:end] for start, end in itertools.pairwise(cuts)]
    call.outlet.write_slowly(pieces, call.arguments.number("seconds") / count)


TOOLS = (
    Tool(
        "fault_noise",
        "Fault: noise on stdout",
        "Writes a non-message line to stdout, then responds normally.",
        _noise,
        record({"kind": titled_choice("What to write", NOISE_TITLES)}),
    ),
    Tool(
        "fault_invalid_json",
        "Fault: invalid JSON",
        "Responds with a line that is not JSON. The response is lost; cancel the call.",
        _invalid_json,
        record({"how": titled_choice("What is wrong", SPELLINGS), "answer_after": ANSWER_AFTER}),
    ),
    Tool(
        "fault_pretty_printed",
        "Fault: one message, many lines",
        "Responds with pretty-printed, multi-line JSON. The response is lost; cancel the call.",
        _pretty_printed,
        record({"answer_after": ANSWER_AFTER}),
    ),
    Tool(
        "fault_invalid_utf8",
        "Fault: invalid UTF-8",
        "Responds with invalid UTF-8. A strict client keeps waiting; cancel the call.",
        _invalid_utf8,
        record({"answer_after": ANSWER_AFTER}),
    ),
    Tool(
        "fault_slow_bytes",
        "Fault: a message in pieces",
        "Responds in delayed chunks split inside characters.",
        _slow_bytes,
        record(
            {
                "pieces": whole("How many", minimum=1, maximum=10_000, default=20),
                "seconds": number("Total duration", minimum=0, maximum=60, default=1),
            }
        ),
    ),
)
