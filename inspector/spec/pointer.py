"""JSON pointers: where in a message something is.

Source: RFC 6901; section 3 on escaping.
"""

from __future__ import annotations


def join(place: str, *steps: str | int) -> str:
    """Return the pointer that goes from `place` by `steps` further down."""
    for step in steps:
        place = f"{place}/{step if isinstance(step, int) else _escaped(step)}"
    return place


def parts(place: str) -> list[str]:
    """Return the steps of a pointer, unescaped; none for the whole."""
    return [step.replace("~1", "/").replace("~0", "~") for step in place.split("/")[1:]]


def _escaped(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1") if "~" in step or "/" in step else step
