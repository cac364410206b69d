"""Faults that leave the client waiting, or alone."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from inspector.demo.call import Answer
from inspector.demo.content import result, text
from inspector.demo.schema import NO_ARGUMENTS, number, record, string, titled_choice, whole
from inspector.demo.tool import Tool, writes
from inspector.demo.writer import write_stderr

if TYPE_CHECKING:
    from inspector.demo.call import Call
    from inspector.wire.json_codec import JsonObject

MOMENTS = {
    "before_answer": "Before the answer",
    "mid_answer": "In the middle of the answer",
    "after_answer": "After the answer",
}


def _never_answer(call: Call) -> None:
    write_stderr(f"call {call.id} gets no answer")


def _late_answer(call: Call) -> Answer:
    """Deaf to cancellation: `call.wait` would hear it."""
    seconds = call.arguments.number("seconds")
    time.sleep(seconds)
    return Answer(
        result(text(f"Answered after {seconds:g} seconds, come what may.")), is_stubborn=True
    )


def _crash(call: Call) -> None:
    moment = call.arguments.text("moment")
    answer = call.response(result(text("These are my last words.")))
    if moment == "after_answer":
        call.outlet.send(answer)
    elif moment == "mid_answer":
        call.outlet.write(str(answer).encode()[:40])
    write_stderr(call.arguments.text("words"))
    os._exit(call.arguments.whole("code"))


def _close_stdout(call: Call) -> JsonObject:
    call.outlet.send(call.response(result(text("Nothing follows this answer."))))
    call.outlet.close()
    write_stderr("stdout is closed; the process goes on")
    return {}


TOOLS = (
    Tool(
        "fault_never_answer",
        "Fault: no answer",
        "Never responds and ignores cancellation.",
        _never_answer,
        NO_ARGUMENTS,
    ),
    Tool(
        "fault_late_answer",
        "Fault: an answer after all",
        "Ignores cancellation and responds late.",
        _late_answer,
        record({"seconds": number("How late", minimum=0, maximum=3600, default=3)}),
    ),
    Tool(
        "fault_close_stdout",
        "Fault: stdout closed",
        "Closes stdout after the response but keeps running. Ends the session.",
        _close_stdout,
        NO_ARGUMENTS,
        hints=writes(destructive=True, idempotent=True),
    ),
    Tool(
        "fault_crash",
        "Fault: crash",
        "Exits immediately with a message on stderr. Ends the session.",
        _crash,
        record(
            {
                "code": whole("Exit code", minimum=0, maximum=255, default=3),
                "words": string("Last words on stderr", default="Segmentation fault, or so"),
                "moment": titled_choice("When", MOMENTS),
            }
        ),
        hints=writes(destructive=True, idempotent=True),
    ),
)
