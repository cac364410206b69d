"""The rules of `--answers`: how requests of the server are responded to without a user.

    {"elicitation": [{"match": "name", "accept": {"name": "Ada"}}, {"decline": true}],
     "sampling": [{"match": "capital", "text": "Paris", "times": 1}, {"reject": "no model here"}],
     "roots": ["/home/me/project", {"uri": "file:///srv", "name": "Server"}]}

The rules of a kind are tried in order; `match` is a regular expression that is searched in the message of the request, and `times` limits how
often a rule is used.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from inspector.wire.json_codec import Json, JsonObject

MAX_BYTES = 10_000_000
"""Larger files hold no rules."""

ACTIONS = {
    "elicitation": ("accept", "decline", "cancel"),
    "sampling": ("text", "result", "reject"),
}
"""The kinds of requests, and what a rule can do about one."""

ROOTS = "roots"

_BESIDE = ("match", "times", "model")


@dataclass(slots=True)
class AnswerRule:
    """One rule."""

    action: str
    """One of `ACTIONS`."""
    value: Json
    """What stands behind it."""
    label: str
    """Its pointer in the file, for messages."""
    pattern: re.Pattern[str] | None = None
    """What the message of the request must contain; None for anything."""
    uses_left: int | None = None
    """How often it may be used; None for any number of times."""
    model: str = ""
    """The model that a response to a sampling request names."""

    def take(self, message: str) -> bool:
        """Return whether the rule is for a request with this message, and count the use."""
        if self.uses_left == 0 or (self.pattern is not None and not self.pattern.search(message)):
            return False
        if self.uses_left is not None:
            self.uses_left -= 1
        return True


@dataclass(slots=True)
class Answers:
    """The rules of a file, by kind of request."""

    rules: Mapping[str, Sequence[AnswerRule]]
    roots: Sequence[Json]
    """The roots that the file names, as it has them."""

    def rule_for(self, kind: str, message: str) -> AnswerRule | None:
        """Return the rule for a request, and count its use; None if no rule is for it."""
        return next((rule for rule in self.rules.get(kind, ()) if rule.take(message)), None)


def read_answers(file: Path) -> Answers:
    """Read a file of rules.

    Raises:
        StorageError: it cannot be read, or has no rules; the reason names the part of the file.
    """
    try:
        with file.open("rb") as opened:
            raw = opened.read(MAX_BYTES + 1)
        value = json_codec.read(raw).value
    except (OSError, JsonSyntaxError) as error:
        raise StorageError(f"cannot read the answers in {file}: {error}") from error
    if not isinstance(value, dict) or len(raw) > MAX_BYTES:
        raise StorageError(f"{file} has no answers: it must be a JSON object")
    try:
        return _answers(value)
    except ValueError as error:
        raise StorageError(f"{file}: {error}") from error


def _answers(value: JsonObject) -> Answers:
    known = (*ACTIONS, ROOTS)
    if unknown := value.keys() - {*known}:
        raise ValueError(f"unknown member {min(unknown)!r}; there are {', '.join(known)}")
    rules = {
        kind: [_rule(kind, f"/{kind}/{at}", each) for at, each in enumerate(_items(value, kind))]
        for kind in ACTIONS
    }
    roots = _items(value, ROOTS)
    for at, each in enumerate(roots):
        uri = each.get("uri") if isinstance(each, dict) else each
        if not isinstance(uri, str):
            raise ValueError(f"/{ROOTS}/{at} must be a folder, a URI, or an object with `uri`")
    return Answers(rules, roots)


def _items(value: JsonObject, key: str) -> list[Json]:
    items = value.get(key, [])
    if not isinstance(items, list):
        raise ValueError(f"/{key} must be an array")
    return items


def _rule(kind: str, label: str, value: Json) -> AnswerRule:
    actions = ACTIONS[kind]
    named = [key for key in actions if key in value] if isinstance(value, dict) else []
    if not isinstance(value, dict) or len(named) != 1:
        raise ValueError(f"{label} must be an object with one of {', '.join(actions)}")
    if unknown := value.keys() - {*actions, *_BESIDE}:
        raise ValueError(f"{label} has an unknown member {min(unknown)!r}")
    match, times, model = (value.get(key) for key in _BESIDE)
    if times is not None and (not isinstance(times, int) or isinstance(times, bool) or times < 0):
        raise ValueError(f"{label}/times must be a number of uses")
    try:
        pattern = re.compile(match) if isinstance(match, str) else None
    except re.error as error:
        raise ValueError(f"{label}/match is no regular expression: {error}") from error
    text = model if isinstance(model, str) else ""
    return AnswerRule(named[0], value[named[0]], label, pattern, times, text)
