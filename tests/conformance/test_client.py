"""How our client answers a form: with what its schema says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conformance.client import defaults

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject


def test_declared_defaults_are_filled_in_whether_required_or_not() -> None:
    """SEP-1034."""
    schema: JsonObject = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "Ada"},
            "age": {"type": "integer", "default": 0},
            "agreed": {"type": "boolean", "default": False},
            "left_out": {"type": "string"},
        },
        "required": ["name"],
    }

    assert defaults(schema) == {"name": "Ada", "age": 0, "agreed": False}


def test_what_is_required_without_a_default_has_a_value_of_its_type() -> None:
    """Ours."""
    fields: JsonObject = {
        "ok": {"type": "boolean"},
        "count": {"type": "integer"},
        "size": {"type": "string", "enum": ["s", "m"]},
        "days": {"type": "array"},
        "name": {"type": "string"},
    }
    schema: JsonObject = {"properties": fields, "required": [*fields]}

    assert defaults(schema) == {"ok": True, "count": 1, "size": "s", "days": [], "name": "x"}


@pytest.mark.parametrize("schema", [None, True, [], {}, {"properties": 3, "required": 3}])
def test_what_is_no_form_is_answered_with_an_empty_one(schema: Json) -> None:
    """Corpus: any JSON may stand where a schema is expected."""
    assert defaults(schema) == {}
