"""JSON pointers: where in a message something is.

Source: RFC 6901; section 3 on escaping.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.wire.message import ABSENT

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json
    from inspector.wire.message import MaybeJson


def join(pointer: str, *steps: str | int) -> str:
    """Return `pointer` extended by `steps`."""
    for step in steps:
        pointer = f"{pointer}/{step if isinstance(step, int) else _escaped(step)}"
    return pointer


def parts(pointer: str) -> list[str]:
    """Return the steps of a pointer, unescaped; none for the whole."""
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def _escaped(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1") if "~" in step or "/" in step else step


MAX_DIGITS = 10
"""Digits of an index; Python refuses to read very long numbers."""


def member(value: Json, pointer: str) -> MaybeJson:
    """Return the part of `value` at `pointer`, or `ABSENT`."""
    for step in parts(pointer):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif (
            isinstance(value, list)
            and step.isdecimal()
            and len(step) < MAX_DIGITS
            and int(step) < len(value)
        ):
            value = value[int(step)]
        else:
            return ABSENT
    return value
