"""Paths in a JSON value: as text, as in `content[0].text`, and patterns of them, in which `*` is any name or position.

A path is the names and positions from the whole value to a part of it.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, TypeAlias

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterable

Path: TypeAlias = "tuple[str | int, ...]"
"""Names of members and positions of items, the outermost first."""

ANY = "*"

_PLAIN = re.compile(r"[A-Za-z_$][\w$-]*")
_STEP = re.compile(
    r'\.?(?P<name>[A-Za-z_$][\w$-]*|\*)|\[(?P<at>\d+|\*)\]|\[(?P<quoted>"(?:[^"\\]|\\.)*")\]'
)


def path_text(path: Iterable[str | int]) -> str:
    """Return a path as `result.content[0].text`; names with other signs are quoted: `["a b"]`."""
    return _joined(path)


def _joined(steps: Iterable[str | int | None]) -> str:
    text = ""
    for step in steps:
        if step is None:
            text += f"[{ANY}]"
        elif isinstance(step, int):
            text += f"[{step}]"
        elif _PLAIN.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f"[{json.dumps(step, ensure_ascii=False)}]"
    return text


class PathPattern(FrozenStruct, frozen=True):
    """Paths that are equal in all steps but those that may be any; what is inside of them belongs to them."""

    steps: tuple[str | int | None, ...]
    """None for a step that may be any."""

    @property
    def text(self) -> str:
        """As `parse_pattern` reads it."""
        return _joined(self.steps)

    def covers(self, path: Path) -> bool:
        """Return whether a path is one of them, or inside of one."""
        return len(path) >= len(self.steps) and all(
            step is None or step == given for step, given in zip(self.steps, path, strict=False)
        )


def parse_pattern(text: str) -> PathPattern | None:
    """Read a pattern; None for text that is none."""
    steps: list[str | int | None] = []
    at = 0
    while at < len(text):
        found = _STEP.match(text, at)
        if found is None or (at and found["name"] and text[at] != "."):
            return None
        if found["quoted"]:
            steps.append(str(json.loads(found["quoted"])))
        elif ANY in {found["name"], found["at"]}:
            steps.append(None)
        else:
            steps.append(found["name"] or int(found["at"]))
        at = found.end()
    return PathPattern(tuple(steps)) if steps else None


def pattern_of(path: Path) -> PathPattern:
    """Return the pattern of a path with every position left open: what is true of one item is true of all."""
    return PathPattern(tuple(None if isinstance(step, int) else step for step in path))
