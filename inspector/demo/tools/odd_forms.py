"""Schemas that a form has to think about. Each tool returns what arrived."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.schema import array, number, record, string, whole
from inspector.demo.tool import Tool
from inspector.demo.tools.forms import arrived

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject

UNIONS = record(
    {
        "id": {
            "description": "A number or a name",
            "anyOf": [whole("A number", minimum=1), string("A name", pattern="^[a-z]+$")],
        },
        "contact": {
            "description": "One of two objects, told apart by kind",
            "oneOf": [
                record(
                    {"kind": {"const": "mail"}, "address": string("Where to", format="email")},
                    "kind",
                    "address",
                    title="By mail",
                ),
                record(
                    {"kind": {"const": "phone"}, "number": string("Digits", pattern="^[0-9 +]+$")},
                    "kind",
                    "number",
                    title="By phone",
                ),
            ],
        },
        "limit": {
            "description": "A number or null",
            "anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}],
            "default": None,
        },
        "both": {
            "description": "All of two schemas",
            "allOf": [
                record({"width": number("Metres")}, "width"),
                record({"height": number("Metres")}, "height"),
            ],
        },
        "mixed": {"type": ["string", "number", "boolean"], "description": "One of three types"},
    },
    "id",
)

REFERENCES: JsonObject = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    **record(
        {
            "start": {"$ref": "#/$defs/point", "description": "Defined elsewhere"},
            "end": {"$ref": "#/$defs/point"},
            "folder": {"$ref": "#/$defs/folder", "description": "Contains folders"},
        },
        "start",
    ),
    "$defs": {
        "point": record({"x": number("To the right"), "y": number("Upwards")}, "x", "y"),
        "folder": record(
            {
                "name": string("What it is called"),
                "folders": {
                    "type": "array",
                    "description": "Folders in it",
                    "items": {"$ref": "#/$defs/folder"},
                },
            },
            "name",
        ),
    },
}

SHAPES = record(
    {
        "range": {
            "type": "array",
            "description": "Exactly two numbers and a word",
            "prefixItems": [{"type": "number"}, {"type": "number"}, {"type": "string"}],
            "items": False,
            "minItems": 3,
            "maxItems": 3,
        },
        "labels": {
            "type": "object",
            "description": "Any keys, with text",
            "additionalProperties": {"type": "string"},
        },
        "scores": {
            "type": "object",
            "description": "Keys of three letters, with numbers",
            "patternProperties": {"^[a-z]{3}$": {"type": "number"}},
            "additionalProperties": False,
        },
        "anything": {"description": "Any JSON value"},
        "shipping": {
            **record({"abroad": {"type": "boolean"}, "customs": string("What is inside")}),
            "description": "Customs only when abroad",
            "if": {"properties": {"abroad": {"const": True}}, "required": ["abroad"]},
            "then": {"required": ["customs"]},
        },
        "a key with spaces, ünïcode / and ~": string("An awkward name"),
        "list": array("No limit", {}),
    }
)

TOOLS = (
    Tool(
        "form_unions",
        "Form: either, or, both",
        "anyOf, oneOf, allOf and lists of types. Returns what arrived.",
        arrived,
        UNIONS,
    ),
    Tool(
        "form_references",
        "Form: references",
        "$ref to $defs, one of which contains itself. Returns what arrived.",
        arrived,
        REFERENCES,
    ),
    Tool(
        "form_shapes",
        "Form: tuples and maps",
        "Tuples, maps, conditions, awkward names, and a value of any kind. Returns what arrived.",
        arrived,
        SHAPES,
    ),
    Tool(
        "form_anything",
        "Form: anything",
        "Takes any arguments at all and has no annotations. Returns what arrived.",
        arrived,
        {"type": "object"},
        hints={},
    ),
)
