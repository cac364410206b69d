"""What a JSON value is, in types. Reading and writing it is in `wire/json_codec.py`."""

from __future__ import annotations

from typing import TypeAlias

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
"""A JSON value. Integers are `int`; every other number is a `wire.json_codec.RawNumber`."""

JsonObject: TypeAlias = "dict[str, Json]"
"""A JSON object."""
