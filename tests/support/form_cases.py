"""The cases of the corpus about forms: schemas, what is typed, and what is expected."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from inspector.wire.json_codec import read

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

CASES = Path(__file__).parents[1] / "ui/widgets/form/cases"
"""Cases of the corpus as they stand there."""


def case(name: str) -> JsonObject:
    """A case by the beginning of its id."""
    path = next(iter(sorted(CASES.glob(f"{name}*.json"))))
    return cast("JsonObject", read(path.read_bytes()).value)


def schema_of(name: str) -> Json:
    """The schema that a case is about."""
    tool = cast("JsonObject", cast("JsonObject", case(name)["input"])["tool"])
    return tool["inputSchema"]
