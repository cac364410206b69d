"""YAML as users write it, to JSON values: apart, so that the parser is imported with the first YAML.

Scalars keep their spelling: only `true`, `false` and `null` become values, because any other scalar of a configuration (a port, a version,
`on`) reaches the server as text. Tags are not constructed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

import yaml

from inspector.config.importers.markup import MAX_LENGTH, MarkupError
from inspector.wire.json_codec import write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.wire.json_codec import Json

MAX_NODES = 20_000
"""Values, with those of each alias: a short text can have billions."""

MAX_DEPTH = 50
"""Levels; the loader is recursive."""


class _Loader(yaml.CSafeLoader):
    """Reads `true`, `false` and `null` as values and every other scalar as text."""


_BOOLEAN = [("tag:yaml.org,2002:bool", re.compile(r"(?:true|false)$"))]
_NULL = [("tag:yaml.org,2002:null", re.compile(r"(?:null|~|)$"))]
_Loader.yaml_implicit_resolvers = {"t": _BOOLEAN, "f": _BOOLEAN, "n": _NULL, "~": _NULL, "": _NULL}


def read_yaml_value(text: str) -> Json:
    """Return the first document of `text` as a JSON value.

    Raises:
        MarkupError: it is not YAML, or larger than `MAX_LENGTH`, `MAX_NODES` or `MAX_DEPTH`.
    """
    if len(text) > MAX_LENGTH:
        raise MarkupError("it is too long for a configuration")
    try:
        _check_size(yaml.parse(text, Loader=yaml.CSafeLoader))
        return _to_json(yaml.load(text, Loader=_Loader))
    except (yaml.YAMLError, ValueError, TypeError) as error:
        raise MarkupError(_reason(error)) from error


def _check_size(events: Iterator[yaml.Event]) -> None:
    """Count nodes and levels before anything recursive reads them."""
    depth, nodes = 0, 0
    for event in events:
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        nodes += isinstance(event, yaml.NodeEvent)
        if depth > MAX_DEPTH or nodes > MAX_NODES:
            raise MarkupError("it is nested too deeply or holds too many values")


def _to_json(value: object) -> Json:
    """Return a copy as JSON, aliases and merges (`<<`) written out, within `MAX_NODES`."""
    left = MAX_NODES
    # Merged here and not by the loader, which would copy without a limit.

    def copy(value: object, depth: int) -> Json:
        nonlocal left
        left -= 1
        if left < 0 or depth > MAX_DEPTH:
            raise MarkupError("its aliases stand for too many values")
        if isinstance(value, dict):
            items = cast("dict[object, object]", value).items()
            return _merged({_key(name): copy(item, depth + 1) for name, item in items})
        if isinstance(value, list):
            return [copy(item, depth + 1) for item in cast("list[object]", value)]
        return value if isinstance(value, bool) or value is None else str(value)

    return copy(value, 0)


def _key(name: object) -> str:
    return write(name) if isinstance(name, bool) or name is None else str(name)


def _merged(mapping: dict[str, Json]) -> Json:
    """Return a mapping with what `<<` names put below its own keys."""
    bases = mapping.pop("<<", None)
    merged: dict[str, Json] = {}
    for base in reversed(bases if isinstance(bases, list) else [bases]):
        merged |= base if isinstance(base, dict) else {}
    return merged | mapping


def _reason(error: Exception) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        mark = error.problem_mark
        return f"{error.problem or error.context} (line {mark.line + 1}, column {mark.column + 1})"
    return str(error).splitlines()[0] if str(error) else "it cannot be read"
