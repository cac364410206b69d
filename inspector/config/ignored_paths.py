"""The paths that comparisons with one server ignore, or no longer ignore, because the user decided so; kept in the settings of that server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.compare.paths import parse_pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.compare.paths import PathPattern
    from inspector.json_value import Json

MAX_DECIDED = 200
"""Paths that are kept of one server; the ones that were decided about first go."""

MAX_LENGTH = 1000
"""Characters of a path."""


class IgnoredPathSettings:
    """What the user decided about paths."""

    def __init__(self, saved: Json = None, save: Callable[[Json], None] | None = None) -> None:
        """Take what was `saved`; `save` is called with what is to be saved."""
        self.decided: dict[PathPattern, bool] = {}
        """Whether a path is ignored, the latest decision at the end."""
        self._save = save
        for text, ignored in saved.items() if isinstance(saved, dict) else ():
            pattern = parse_pattern(text) if len(text) <= MAX_LENGTH else None
            if (
                pattern is not None
                and isinstance(ignored, bool)
                and len(self.decided) < MAX_DECIDED
            ):
                self.decided[pattern] = ignored

    def decide(self, pattern: PathPattern, *, ignored: bool) -> None:
        """Ignore a path from now on, or no longer."""
        if len(pattern.text) > MAX_LENGTH:
            return
        self.decided.pop(pattern, None)
        self.decided[pattern] = ignored
        while len(self.decided) > MAX_DECIDED:
            del self.decided[next(iter(self.decided))]
        if self._save is not None:
            self._save({each.text: ignored for each, ignored in self.decided.items()})
