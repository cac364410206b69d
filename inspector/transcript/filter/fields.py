"""The fields of the filter language, as a table."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.transcript.filter import (
    ids,
    json_paths,
    moments,
    predicates,
    quantities,
    states,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inspector.transcript.filter.expression import Content
    from inspector.transcript.filter.parser import Value
    from inspector.transcript.filter.predicates import Test


class Follows(Enum):
    """What may change whether an earlier frame matches."""

    FRAMES = auto()
    """Frames after it: the state of its request changes."""
    FINDINGS = auto()
    """Findings that are added to it."""
    ANNOTATIONS = auto()
    """Marks and comments of the user."""


class Field(FrozenStruct, frozen=True):
    """One field of the language."""

    name: str
    """The text before the colon."""
    summary: str
    """What it selects by."""
    example: str
    """A term with this field."""
    make: Callable[[Value], Test | Content]
    """Makes the test of a value; raises `QueryError`."""
    values: dict[str, str] | None = None
    """Possible values and their meaning; None when any text is possible."""
    follows: frozenset[Follows] = frozenset()
    """What may change the result for an earlier frame."""
    optional: bool = False
    """True when the value may be empty."""


_STATES = frozenset({Follows.FRAMES})
_FINDINGS = frozenset({Follows.FRAMES, Follows.FINDINGS})
_ANNOTATIONS = frozenset({Follows.ANNOTATIONS})


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
        ),
        Field("dir", "direction", "dir:in", predicates.by_dir, _meanings(predicates.DIRECTIONS)),
        Field(
            "kind",
            "kind of message",
            "kind:request",
            predicates.by_kind,
            _meanings(predicates.KINDS),
        ),
        Field("id", "request or response id", "id:7", ids.by_id),
        Field(
            "status",
            "request status",
            "status:error",
            predicates.by_status,
            _meanings(predicates.STATUSES),
            follows=_STATES,
        ),
        Field("tool", "tool name", "tool:get_*", predicates.by_tool),
        Field(
            "name",
            "tool, prompt or URI of the request",
            "name:file:*",
            predicates.by_name,
        ),
        Field(
            "is",
            "state of the request, or your marks",
            "is:unanswered",
            states.by_is,
            _meanings(states.STATES),
            follows=_STATES | _ANNOTATIONS,
        ),
        Field(
            "duration",
            "time to response",
            "duration:>500ms",
            quantities.by_duration,
            follows=_STATES,
        ),
        Field("size", "frame size", "size:>10k", quantities.by_size),
        Field(
            "has",
            "value at a path in the message",
            "has:params.arguments.x",
            json_paths.existence,
        ),
        Field(
            "problem",
            "problems, by severity or rule",
            "problem:",
            predicates.by_problem,
            _meanings(predicates.SEVERITIES),
            follows=_FINDINGS,
            optional=True,
        ),
        Field(
            "finding",
            "problems and informational findings, by severity or rule",
            "finding:*-id",
            predicates.by_finding,
            _meanings(predicates.SEVERITIES),
            follows=_FINDINGS,
            optional=True,
        ),
        Field(
            "comment",
            "your comment, by a text in it",
            "comment:slow",
            states.by_comment,
            follows=_ANNOTATIONS,
            optional=True,
        ),
        Field(
            "auth",
            "token of the HTTP request, by its fingerprint",
            "auth:",
            predicates.by_auth,
            _meanings(predicates.TOKENS),
            follows=_STATES,
            optional=True,
        ),
        Field("run", "number of the run", "run:2", quantities.by_run),
        Field("before", "earlier than a time or frame", "before:14:02:30", moments.by_before),
        Field("after", "at a time or later, or after a frame", "after:#120", moments.by_after),
        Field(
            "operation",
            "operation, by the number of its request: all of its frames",
            "operation:61",
            quantities.by_operation,
            follows=_STATES,
        ),
        Field("number", "frame number", "number:>100", quantities.by_number),
        Field("session", "session title", "session:everything*", predicates.by_session),
    )
}
"""Fields by name, in the order they are suggested."""

EARLIER_NAMES = {"took": "duration"}
"""Names in filters of earlier versions → current names."""


def field_named(name: str) -> Field | None:
    """Return the field with this name or earlier name; None for an unknown name."""
    return FIELDS.get(EARLIER_NAMES.get(name, name))
