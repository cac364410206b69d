"""What takes time, and what is said meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.content import result, text
from inspector.demo.conversation import LEVELS
from inspector.demo.samples.icons import CLOCK
from inspector.demo.schema import choice, flag, number, record, string, whole
from inspector.demo.tool import Tool

if TYPE_CHECKING:
    from inspector.demo.call import Call
    from inspector.wire.json_codec import Json, JsonObject

LOG_DATA: dict[str, Json] = {
    "debug": {"cache": {"hits": 41, "misses": 1}},
    "info": "Request finished",
    "notice": "Configuration reloaded",
    "warning": {"words": "Disk nearly full", "free_bytes": 104_857_600},
    "error": {"words": "Cannot reach the database", "attempt": 3},
    "critical": "The main process is not responding",
    "alert": ["The certificate", "expires", "today"],
    "emergency": "The system is unusable",
}
"""Text and data, as servers send both."""


def _countdown(call: Call) -> JsonObject:
    steps, seconds = call.arguments.whole("steps"), call.arguments.number("seconds")
    total = steps if call.arguments.flag("say_total") else None
    for done in range(steps):
        call.progress(done, total, f"{steps - done} to go")
        call.wait(seconds / steps)
    call.progress(steps, total, "Lift-off")
    return result(text(f"Counted down {steps} steps in {seconds:g} seconds."))


def _wait(call: Call) -> JsonObject:
    seconds = call.arguments.number("seconds")
    call.wait(seconds)
    return result(text(f"Waited {seconds:g} seconds."))


def _log(call: Call) -> JsonObject:
    asked = call.arguments.text("level")
    levels = LEVELS if asked == "every level" else (asked,)
    logger, message = call.arguments.text("logger"), call.arguments.text("message")
    sent = [
        level
        for level in levels
        if call.conversation.log(level, message or LOG_DATA[level], logger)
    ]
    held = len(levels) - len(sent)
    level = call.conversation.level
    asked_for = f"{level} and above" if level else "none"
    note = f" The client asked for {asked_for}: {held} held back." if held else ""
    return result(text(f"Sent: {', '.join(sent) or 'nothing'}.{note}"))


TOOLS = (
    Tool(
        "countdown",
        "Count down",
        "Runs slowly and reports progress at each step. Cancellable.",
        _countdown,
        record(
            {
                "steps": whole("How many", minimum=1, maximum=1000, default=10),
                "seconds": number("Total duration", minimum=0, maximum=3600, default=5),
                "say_total": flag("Report the total number of steps", default=True),
            }
        ),
        icons=CLOCK,
    ),
    Tool(
        "wait",
        "Wait",
        "Responds after a delay without progress. Cancellable.",
        _wait,
        record({"seconds": number("How long", minimum=0, maximum=3600, default=3)}),
    ),
    Tool(
        "log_messages",
        "Log messages",
        "Sends log messages at one or all eight levels, filtered by the client's log level.",
        _log,
        record(
            {
                "level": choice("How urgent", "every level", *LEVELS),
                "message": string("What to say; a sample when empty"),
                "logger": string("Logger name", default="demo"),
            }
        ),
    ),
)
