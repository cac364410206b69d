"""JSON, TOML and YAML as users write them, to JSON values.

JSON may have comments, trailing commas, fences, a missing or extra bracket. `repair` changes only what is outside strings and moves no character
(what it removes becomes spaces), so that the position in an error message is the position in the pasted text.

Scalars of YAML keep their spelling: only `true`, `false` and `null` become values, because any other scalar of a configuration (a port, a version,
`on`) reaches the server as text. Tags are not constructed.
"""

from __future__ import annotations

import re
import textwrap
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import yaml

from inspector.wire.json_codec import write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.wire.json_codec import Json, JsonObject

_TOKEN = re.compile(
    r'(?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z))|(?P<comment>//[^\n]*|/\*.*?(?:\*/|$))'
    r"|(?P<open>[\[{])|(?P<close>[\]}])|(?P<comma>,)|(?P<space>\s+)|(?P<other>.)",
    re.DOTALL,
)
_FENCE = re.compile(r"\s*+```[\w+-]*+[ \t]*+\n")
_FENCES = re.compile(
    r"^[ \t]*(?:```|~~~)[^\n`]*\n(.*?)^[ \t]*(?:```|~~~)", re.DOTALL | re.MULTILINE
)
_OBJECT_LINE = re.compile(r"^[ \t]*\{[ \t]*$|^[ \t]*\{[ \t]*\"", re.MULTILINE)
_INDENTED = re.compile(r"(?:^(?: {4}|\t)[^\n]*(?:\n|\Z))+", re.MULTILINE)
_CODE_SPAN = re.compile(r"`([^`\n]+)`")
MAX_LENGTH = 200_000
"""Characters; a configuration is not longer."""

MAX_NODES = 20_000
"""Values, with those of each alias: a short text can have billions."""

MAX_DEPTH = 50
"""Levels; the loader is recursive."""

_KEY = re.compile(r"""(?:-\s+)?(?:[A-Za-z_][\w. /-]*|"[^"\n]+"|'[^'\n]+'):(?:\s|$)""")

MAX_KEY_PARTS = 20
"""Parts of a dotted key in TOML; the time that `tomllib` takes for a key grows with the square of their number."""

_TOML_PART = r"""(?:[\w-]++|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|'[^'\n]*+')"""
_TOML_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+|\'\'\'(?:[^\']|\'(?!\'\'))*+|#[^\n]*+'
    rf"|((?:{_TOML_PART}[ \t]*+\.[ \t]*+){{{MAX_KEY_PARTS}}})|{_TOML_PART}",
    re.DOTALL,
)
"""A string of several lines, a comment, a dotted key that is too long, and any other word or string."""

MAX_PASSAGES = 20
"""Passages of code in one text that are tried."""

_CURLY_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "\u00a0": " "})
_CLOSER = {"{": "}", "[": "]"}


def strip_fences(text: str) -> str:
    """Return the text inside a Markdown code fence, or the text itself."""
    found, end = _FENCE.match(text), text.rstrip().removesuffix("```")
    is_fenced = found and len(end) >= found.end() and text[len(end) :].startswith("```")
    return end[found.end() :].rstrip() if found and is_fenced else text


def passages(text: str) -> tuple[str, ...]:
    """Return the code in a text: fenced blocks, a JSON object that begins a line, and code spans, in this order."""
    fenced = [match[1] for match in _FENCES.finditer(text)]
    found = _OBJECT_LINE.search(text)
    objects = [_through_last_brace(text[found.start() :])] if found else []
    indented = [textwrap.dedent(match[0]) for match in _INDENTED.finditer(text)]
    spans = [
        match[1] for match in _CODE_SPAN.finditer(text) if " " in match[1] or "://" in match[1]
    ]
    return tuple((*fenced, *objects, *indented, *spans)[:MAX_PASSAGES])


def _through_last_brace(text: str) -> str:
    return text[: text.rfind("}") + 1] or text


def repair(text: str) -> tuple[str, tuple[str, ...]]:
    """Return `text` as proper JSON as far as its brackets go, and a warning for each repair."""
    if '"' not in text:
        text = text.translate(_CURLY_QUOTES)
    repaired = _Repair()
    for token in _TOKEN.finditer(text):
        repaired.add(token.lastgroup or "other", token[0])
    return repaired.finish()


def add_braces(text: str) -> str:
    """Put braces around a fragment such as `"mcpServers": {…},`; leave other text alone."""
    inner = text.strip()
    return "{" + inner.rstrip(",") + "}" if inner.startswith('"') else text


@dataclass
class _Repair:
    """The repaired text so far, and its open brackets."""

    parts: list[str] = field(default_factory=list[str])
    open: list[str] = field(default_factory=list[str])
    warnings: list[str] = field(default_factory=list[str])
    comma: int = -1
    """Index in `parts` of a comma that is the latest token; -1 without one."""

    def add(self, kind: str, text: str) -> None:
        if kind == "comment":
            text = re.sub(r"[^\n]", " ", text)
        elif kind == "close":
            text = self._close(text)
        elif kind == "open":
            self.open.append(_CLOSER[text])
        if kind == "comma":
            self.comma = len(self.parts)
        elif kind not in ("space", "comment"):
            self.comma = -1
        self.parts.append(text)

    def _close(self, text: str) -> str:
        self._drop_comma()
        if self.open and self.open[-1] == text:
            self.open.pop()
            return text
        if self.open:
            return text  # the wrong bracket: the JSON reader names its position
        self._warn("An extra closing bracket was ignored.")
        return " " * len(text)

    def _drop_comma(self) -> None:
        if self.comma >= 0:
            self.parts[self.comma] = " "

    def _warn(self, warning: str) -> None:
        if warning not in self.warnings:
            self.warnings.append(warning)

    def finish(self) -> tuple[str, tuple[str, ...]]:
        self._drop_comma()
        if self.open:
            self._warn("Missing closing brackets were added; the text may be truncated.")
        return "".join(self.parts) + "".join(reversed(self.open)), tuple(self.warnings)


class MarkupError(ValueError):
    """A text is not TOML or YAML, or exceeds a limit of this module."""


class _Loader(yaml.CSafeLoader):
    """Reads `true`, `false` and `null` as values and every other scalar as text."""


_BOOLEAN = [("tag:yaml.org,2002:bool", re.compile(r"(?:true|false)$"))]
_NULL = [("tag:yaml.org,2002:null", re.compile(r"(?:null|~|)$"))]
_Loader.yaml_implicit_resolvers = {"t": _BOOLEAN, "f": _BOOLEAN, "n": _NULL, "~": _NULL, "": _NULL}


def read_toml_value(text: str) -> Json:
    """Return the table of a TOML text.

    Raises:
        MarkupError: it is not TOML, or larger than `MAX_LENGTH` or `MAX_KEY_PARTS`.
    """
    if len(text) > MAX_LENGTH:
        raise MarkupError("it is too long for a configuration")
    if any(found[1] for found in _TOML_TOKEN.finditer(text)):
        raise MarkupError(f"a key has over {MAX_KEY_PARTS} parts")
    try:
        return cast("JsonObject", tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise MarkupError(f"it cannot be read: {error}") from error


def is_yaml_like(text: str) -> bool:
    """Return whether the first line that is neither empty nor a comment is a YAML key: `name:` or `- name: value`."""
    lines = (line.strip() for line in text.splitlines())
    top = next((line for line in lines if line and line != "---" and not line.startswith("#")), "")
    return bool(_KEY.match(top))


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
