"""JSON and TOML as users write them, to JSON values; YAML is in `yaml_text`.

JSON may have comments, trailing commas, fences, a missing or extra bracket. `repair` changes only what is outside strings and moves no character
(what it removes becomes spaces), so that the position in an error message is the position in the pasted text.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
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


def read_toml_value(text: str) -> Json:
    """Return the table of a TOML text.

    Raises:
        MarkupError: it is not TOML, or larger than `MAX_LENGTH` or `MAX_KEY_PARTS`.
    """
    if len(text) > MAX_LENGTH:
        raise MarkupError("it is too long for a configuration")
    if any(found[1] for found in _TOML_TOKEN.finditer(text)):
        raise MarkupError(f"a key has over {MAX_KEY_PARTS} parts")
    import tomllib  # with the first TOML

    try:
        return cast("JsonObject", tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise MarkupError(f"it cannot be read: {error}") from error


def is_yaml_like(text: str) -> bool:
    """Return whether the first line that is neither empty nor a comment is a YAML key: `name:` or `- name: value`."""
    lines = (line.strip() for line in text.splitlines())
    top = next((line for line in lines if line and line != "---" and not line.startswith("#")), "")
    return bool(_KEY.match(top))
