"""What came of reading a pasted text. Data, never an exception: a paste cannot be *wrong*."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from inspector.fact import Fact

if TYPE_CHECKING:
    from inspector.config.profile import Profile


class Imported(Fact, frozen=True):
    """A paste that names at least one server."""

    profiles: tuple[Profile, ...]
    """The servers in the order of the text."""
    source: str
    """What kind of text it was and what it holds."""
    warnings: tuple[str, ...] = ()
    """What was guessed, left out or will not work as the text suggests."""


class NotRecognized(Fact, frozen=True):
    """A paste that names no server."""

    reason: str
    """Why not, and what would be understood."""


ImportResult: TypeAlias = Imported | NotRecognized
"""The outcome of reading a paste."""
