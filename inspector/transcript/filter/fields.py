"""The fields of the filter language, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.transcript.filter import predicates

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inspector.transcript.filter.parser import Value
    from inspector.transcript.filter.predicates import Test


class Field(FrozenStruct, frozen=True):
    """One field of the language."""

    name: str
    """The text before the colon."""
    summary: str
    """What it selects by."""
    example: str
    """A term with this field."""
    make: Callable[[Value], Test]
    """Makes the test of a value; raises `QueryError`."""
    values: dict[str, str] | None = None
    """Possible values and their meaning; None when any text is possible."""
    changes: bool = False
    """True when the result for a frame may change later."""
    optional: bool = False
    """True when the value may be empty."""
    known: str = ""
    """Name of the list (`methods`, `tools`) from which values are suggested."""


def _meanings(choices: Mapping[str, tuple[str, object]]) -> dict[str, str]:
    return {name: choice[0] for name, choice in choices.items()}


FIELDS: dict[str, Field] = {
    field.name: field
    for field in (
        Field(
            "method",
            "method (responses match by their request)",
            "method:tools/*",
            predicates.by_method,
            known="methods",
        ),
        Field("dir", "direction", "dir:in", predicates.by_dir, _meanings(predicates.DIRECTIONS)),
        Field(
            "kind",
            "kind of message",
            "kind:request",
            predicates.by_kind,
            _meanings(predicates.KINDS),
        ),
        Field("id", "request or response id", "id:7", predicates.by_id),
        Field(
            "status",
            "request status",
            "status:error",
            predicates.by_status,
            _meanings(predicates.STATUSES),
            changes=True,
        ),
        Field("tool", "tool name", "tool:get_*", predicates.by_tool, known="tools"),
        Field(
            "name",
            "tool, prompt or URI of the request",
            "name:file:*",
            predicates.by_name,
            known="names",
        ),
        Field(
            "duration", "time to response", "duration:>500ms", predicates.by_duration, changes=True
        ),
        Field("size", "frame size", "size:>10k", predicates.by_size),
        Field(
            "problem",
            "problems, by severity or rule",
            "problem:",
            predicates.by_problem,
            _meanings(predicates.SEVERITIES),
            changes=True,
            optional=True,
        ),
        Field(
            "auth",
            "token of the HTTP request, by its fingerprint",
            "auth:",
            predicates.by_auth,
            _meanings(predicates.TOKENS),
            changes=True,
            optional=True,
            known="tokens",
        ),
        Field("number", "frame number", "number:>100", predicates.by_number),
        Field("session", "session title", "session:everything*", predicates.by_session),
    )
}
"""Fields by name, in the order they are suggested."""

EARLIER_NAMES = {"took": "duration"}
"""Names in filters of earlier versions → current names."""


def field_named(name: str) -> Field | None:
    """Return the field with this name or earlier name; None for an unknown name."""
    return FIELDS.get(EARLIER_NAMES.get(name, name))
