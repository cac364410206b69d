"""Characters in the texts of a server that cannot be seen, or that reorder what stands beside them; L-Q-03.

A model reads them all the same, so a description can say more than the user is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.visible_text import hidden_characters

if TYPE_CHECKING:
    from inspector.spec.view import View

RULE = "L-Q-03"

MAX_CHARACTERS = 50_000
"""Characters of one text that are looked at."""

MAX_NAMED = 5
"""Different characters that are named."""


def note_hidden(view: View, *keys: str) -> None:
    """Note the members of `view` whose text has such characters; line breaks of Windows are none."""
    for key in keys:
        value = view.value(key)
        if not isinstance(value, str) or (value.isascii() and value.isprintable()):
            continue
        counts = hidden_characters(value[:MAX_CHARACTERS].replace("\r\n", "\n"))
        if counts:
            total = sum(counts.values())
            names = ", ".join(list(counts)[:MAX_NAMED]) + ("…" if len(counts) > MAX_NAMED else "")
            plural = "" if total == 1 else "s"
            text = f"`{key}` has {total:,} invisible or reordering character{plural}: {names}"
            view.add_finding(text, key, rule=RULE, severity=Severity.WARNING)
