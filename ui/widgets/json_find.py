"""Looking for words in a JSON value of any size, a slice of time at a time. Pure, iterative."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.widgets.json_text import brief, pointer_part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.wire.json_codec import Json

BREATH = 500
"""Values looked at between two chances to stop."""


def matches(value: Json, text: str) -> Iterator[str | None]:
    """JSON pointers of values whose key or own text holds `words`, in order; None between them to breathe.

    Case matters only if `words` have capitals.
    """
    fold = text == text.lower()
    waiting: list[tuple[str, str, Json]] = [("", "", value)]
    seen = 0
    while waiting:
        pointer, key, item = waiting.pop()
        if _holds(key, text, fold=fold) or _holds(_own_text(item), text, fold=fold):
            yield pointer
        waiting += reversed(_members(pointer, item))
        seen += 1
        if seen % BREATH == 0:
            yield None


def _holds(text: str, message: str, *, fold: bool) -> bool:
    return message in (text.lower() if fold else text)


def _own_text(value: Json) -> str:
    if isinstance(value, str):
        return value
    return "" if isinstance(value, (dict, list)) else brief(value)


def _members(pointer: str, value: Json) -> list[tuple[str, str, Json]]:
    if isinstance(value, dict):
        return [(pointer + pointer_part(key), key, item) for key, item in value.items()]
    if isinstance(value, list):
        return [(f"{pointer}/{row}", "", item) for row, item in enumerate(value)]
    return []
