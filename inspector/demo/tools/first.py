"""What to try first."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from inspector.demo.content import result, structured, text
from inspector.demo.request_errors import ToolError
from inspector.demo.samples.icons import SUN
from inspector.demo.schema import (
    array,
    choice,
    flag,
    number,
    record,
    string,
    titled_choice,
    whole,
)
from inspector.demo.tool import Tool

if TYPE_CHECKING:
    from inspector.demo.call import Call
    from inspector.wire.json_codec import Json, JsonObject

CLIMATES: dict[str, tuple[float, str]] = {
    "lisbon": (21.5, "sunny"),
    "oslo": (4, "snow"),
    "nairobi": (18.5, "cloudy"),
    "tokyo": (16, "rain"),
}
"""Degrees Celsius and sky."""

CITIES = {"lisbon": "Lisbon", "oslo": "Oslo", "nairobi": "Nairobi", "tokyo": "東京 (Tokyo)"}


def _echo(call: Call) -> JsonObject:
    message = call.arguments.text("message")
    if call.arguments.flag("in_capitals"):
        message = message.upper()
    return result(*(text(message) for _ in range(call.arguments.whole("times"))))


def _add(call: Call) -> JsonObject:
    first, second = call.arguments.value("a"), call.arguments.value("b")
    assert isinstance(first, int | float)
    assert isinstance(second, int | float)
    try:
        total = first + second
    except OverflowError as error:
        raise ToolError("The sum is too large.") from error
    if isinstance(total, float) and not math.isfinite(total):
        raise ToolError("The sum cannot be represented in JSON.")
    return structured({"sum": total})


def _weather(call: Call) -> JsonObject:
    city, unit = call.arguments.text("city"), call.arguments.text("unit")
    degrees, sky = CLIMATES[city]
    forecast: list[Json] = [
        {"day": day, "high": _in_unit(degrees + step, unit), "rain_chance": chance}
        for day, step, chance in (
            ("today", 1, 0.1),
            ("tomorrow", -2, 0.55),
            ("in two days", 0, 0.3),
        )
    ]
    return structured(
        {
            "city": CITIES[city],
            "sky": sky,
            "temperature": {"value": _in_unit(degrees, unit), "unit": unit},
            "forecast": forecast[: call.arguments.whole("days")],
        }
    )


def _in_unit(degrees: float, unit: str) -> float:
    return round(degrees * 9 / 5 + 32, 1) if unit == "fahrenheit" else degrees


def _about(call: Call) -> JsonObject:
    conversation = call.conversation
    return structured(
        {
            "revision": conversation.revision.date,
            "client": conversation.client,
            "client_capabilities": conversation.capabilities,
            "log_level": conversation.level,
            "subscriptions": [*sorted(conversation.subscriptions)],
        }
    )


TOOLS = (
    Tool(
        "echo",
        "Echo",
        "Returns its input. The quickest way to check that everything works.",
        _echo,
        record(
            {
                "message": string("What to say"),
                "times": whole("How often", minimum=1, maximum=20, default=1),
                "in_capitals": flag("Say it loudly"),
            },
            "message",
        ),
    ),
    Tool(
        "add",
        "Add two numbers",
        "Adds two numbers and returns the sum as structured content.",
        _add,
        record({"a": number("First number"), "b": number("Second number")}, "a", "b"),
        record({"sum": number("a and b together")}, "sum"),
    ),
    Tool(
        "weather",
        "Weather",
        "Returns invented weather data: nested structured content that matches its output schema.",
        _weather,
        record(
            {
                "city": titled_choice("Where", CITIES),
                "unit": choice("Degrees in", "celsius", "fahrenheit"),
                "days": whole("Days to look ahead", minimum=0, maximum=3, default=2),
            },
            "city",
        ),
        record(
            {
                "city": string("Where"),
                "sky": string("What it looks like", enum=["sunny", "cloudy", "rain", "snow"]),
                "temperature": record(
                    {"value": number("Degrees"), "unit": string("celsius or fahrenheit")},
                    "value",
                    "unit",
                ),
                "forecast": array(
                    "The days to come",
                    record(
                        {
                            "day": string("Which day"),
                            "high": number("Warmest"),
                            "rain_chance": number("From 0 to 1", minimum=0, maximum=1),
                        },
                        "day",
                        "high",
                    ),
                ),
            },
            "city",
            "sky",
            "temperature",
        ),
        icons=SUN,
    ),
    Tool(
        "about_this_session",
        "About this session",
        "Returns client data as seen by the server: revision, name, capabilities, log level. No arguments.",
        _about,
        output=record(
            {
                "revision": string("The agreed revision"),
                "client": record({}, description="Client name and version"),
                "client_capabilities": record({}, description="What the client declared"),
                "log_level": string("Messages below it are not sent"),
                "subscriptions": array("Resources subscribed to", {"type": "string"}),
            },
            "revision",
        ),
    ),
)
