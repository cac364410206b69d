"""What was typed for tools while others are looked at."""

from __future__ import annotations

from typing import NamedTuple

BUDGET = 500
"""Tools whose arguments are remembered."""


class DraftKey(NamedTuple):
    """One tool of one server, whatever its place in the list is now."""

    server: str
    """Identity of the profile."""
    name: str
    """The tool's name on screen."""
    nth: int
    """How many before it have the same name."""


class Drafts:
    """Texts by tool, the oldest forgotten first."""

    def __init__(self) -> None:
        """Start empty."""
        self._texts: dict[DraftKey, str] = {}

    def keep(self, key: DraftKey, text: str) -> None:
        """Remember `text`."""
        self._texts.pop(key, None)
        self._texts[key] = text
        if len(self._texts) > BUDGET:
            del self._texts[next(iter(self._texts))]

    def forget(self, key: DraftKey) -> None:
        """Nothing is typed for that tool any more."""
        self._texts.pop(key, None)

    def get(self, key: DraftKey) -> str | None:
        """What was typed, if anything."""
        return self._texts.get(key)
