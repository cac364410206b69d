"""Every plain kind of argument. Each tool returns what arrived: as JSON, and as the exact line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.content import pretty, result, text
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
    from inspector.wire.json_codec import JsonObject


def arrived(call: Call) -> JsonObject:
    """The arguments, read and unread."""
    return result(
        text(pretty(call.arguments.values)),
        text(
            "The request exactly as it arrived:\n" + call.line.decode(errors="replace").rstrip("\n")
        ),
    )


TEXT = record(
    {
        "name": string("Between 2 and 40 characters", minLength=2, maxLength=40),
        "nickname": string("Anything, nothing, or left out"),
        "postcode": string(
            "Two letters and four digits", pattern="^[A-Z]{2}[0-9]{4}$", examples=["AB1234"]
        ),
        "email": string("An e-mail address", format="email"),
        "website": string("An address on the web", format="uri"),
        "birthday": string("A date", format="date"),
        "meeting": string("A date with a time and a zone", format="date-time"),
        "story": string(
            "Several lines are fine", maxLength=10_000, default="Once upon a time\nthere was"
        ),
    },
    "name",
)

NUMBERS = record(
    {
        "count": whole("A whole number from 1 to 10", minimum=1, maximum=10),
        "big": whole("Larger than a double can hold exactly", default=9_007_199_254_740_993),
        "ratio": number(
            "From 0 up to, not including, 1", minimum=0, exclusiveMaximum=1, default=0.25
        ),
        "price": number("In steps of 0.05", multipleOf=0.05),
        "temperature": number("Anything above absolute zero", exclusiveMinimum=-273.15),
    },
    "count",
    "ratio",
)

CHOICES = record(
    {
        "agree": {"type": "boolean", "description": "Must be said, and has no default"},
        "subscribe": flag("Preset to yes", default=True),
        "size": choice("One of three words", "small", "medium", "large"),
        "colour": titled_choice(
            "Shown by title, sent by value", {"#c00": "Red", "#0a0": "Green", "#00c": "Blue"}
        ),
        "floor": {"type": "integer", "description": "One of four numbers", "enum": [-1, 0, 1, 2]},
        "toppings": array(
            "Any of these, each once",
            {"type": "string", "enum": ["cheese", "olives", "mushrooms", "pineapple"]},
            uniqueItems=True,
        ),
        "version": {"description": "Only ever this", "const": 2},
    },
    "agree",
)

LISTS = record(
    {
        "address": record(
            {
                "street": string("Street and number"),
                "city": string("City"),
                "location": record(
                    {
                        "latitude": number("Degrees", minimum=-90, maximum=90),
                        "longitude": number("Degrees", minimum=-180, maximum=180),
                    },
                    "latitude",
                    "longitude",
                    description="Where exactly",
                ),
            },
            "city",
            description="An object in the object",
        ),
        "tags": array("One to five words", string("A word", minLength=1), minItems=1, maxItems=5),
        "people": array(
            "A list of objects",
            record(
                {
                    "name": string("Full name"),
                    "age": whole("Years", minimum=0),
                    "languages": array("What they speak", string("A language")),
                },
                "name",
            ),
        ),
        "matrix": array(
            "A list of lists",
            array("A row", {"type": "number"}),
            default=[[1, 0], [0, 1]],
        ),
    },
    "address",
    "tags",
)

OPTIONAL = record(
    {
        "must": string("Required, but may be empty"),
        "may": string("May be left out"),
        "nullable": {"type": ["string", "null"], "description": "Text, or null"},
        "nullable_number": {
            "type": ["integer", "null"],
            "description": "Preset to null",
            "default": None,
        },
        "preset": string("Has a default", default="as given"),
        "preset_list": array("Has a default", {"type": "string"}, default=["one", "two"]),
        "old": string("No longer used", deprecated=True),
    },
    "must",
    "nullable",
)

TOOLS = (
    Tool(
        "form_text",
        "Form: text",
        "Strings with lengths, a pattern and formats. Returns what arrived.",
        arrived,
        TEXT,
    ),
    Tool(
        "form_numbers",
        "Form: numbers",
        "Integers and numbers with bounds and steps, one of them very large. Returns what arrived.",
        arrived,
        NUMBERS,
    ),
    Tool(
        "form_choices",
        "Form: choices",
        "Booleans, plain and titled choices, several of a set. Returns what arrived.",
        arrived,
        CHOICES,
    ),
    Tool(
        "form_lists",
        "Form: objects and lists",
        "Objects in objects, lists of strings, of objects and of lists. Returns what arrived.",
        arrived,
        LISTS,
    ),
    Tool(
        "form_optional",
        "Form: absent, null, empty",
        "Required and optional, nullable and preset: absent, null and empty are three things. Returns what arrived.",
        arrived,
        OPTIONAL,
    ),
)
