"""The fields of the filter language, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.transcript.filter.predicates import (
    DIRECTIONS,
    KINDS,
    SEVERITIES,
    STATUSES,
    TOKENS,
    by_auth,
    by_dir,
    by_duration,
    by_id,
    by_kind,
    by_method,
    by_name,
    by_number,
    by_problem,
    by_session,
    by_size,
    by_status,
    by_tool,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inspector.transcript.filter.parser import Value
    from inspector.transcript.filter.predicates import Test


class Field(FrozenStruct, frozen=True):
    """One field of the language."""

    name: str
    """As written before the colon."""
    summary: str
    """What it asks about."""
    example: str
    """A term that uses it."""
    make: Callable[[Value], Test]
    """From value to test; raises `QueryError`."""
    values: dict[str, str] | None = None
    """The values it takes and what they mean; none where any text will do."""
    changes: bool = False
    """Whether a frame may begin or cease to hold it after it came."""
    optional: bool = False
    """Whether the value may be left out."""
    known: str = ""
    """Which list of names (`methods`, `tools`) its values are suggested from."""


def _meanings(choices: Mapping[str, tuple[str, object]]) -> dict[str, str]:
    return {name: choice[0] for name, choice in choices.items()}


FIELDS: dict[str, Field] = {
    field.name: field
    for field in (
        Field(
            "method",
            "method (responses match by their request)",
            "method:tools/*",
            by_method,
            known="methods",
        ),
        Field("dir", "direction", "dir:in", by_dir, _meanings(DIRECTIONS)),
        Field("kind", "kind of message", "kind:request", by_kind, _meanings(KINDS)),
        Field("id", "request or response id", "id:7", by_id),
        Field(
            "status",
            "request status",
            "status:error",
            by_status,
            _meanings(STATUSES),
            changes=True,
        ),
        Field("tool", "tool name", "tool:get_*", by_tool, known="tools"),
        Field("name", "tool, prompt or URI of the request", "name:file:*", by_name, known="names"),
        Field(
            "duration",
            "time to response",
            "duration:>500ms",
            by_duration,
            changes=True,
        ),
        Field("size", "frame size", "size:>10k", by_size),
        Field(
            "problem",
            "problems, by severity or rule",
            "problem:",
            by_problem,
            _meanings(SEVERITIES),
            changes=True,
            optional=True,
        ),
        Field(
            "auth",
            "token of the HTTP request, by its fingerprint",
            "auth:",
            by_auth,
            _meanings(TOKENS),
            changes=True,
            optional=True,
            known="tokens",
        ),
        Field("number", "frame number", "number:>100", by_number),
        Field("session", "session title", "session:everything*", by_session),
    )
}
"""Fields by name, in the order they are suggested."""

EARLIER_NAMES = {"took": "duration"}
"""Names that filters of earlier versions have, and what they are called now."""


def field_named(name: str) -> Field | None:
    """Return the field of this name, or of this earlier name; None if there is none."""
    return FIELDS.get(EARLIER_NAMES.get(name, name))
