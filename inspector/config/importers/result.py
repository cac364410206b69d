"""The result of importing a text. Data, never an exception: a pasted text cannot be *wrong*."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from inspector.fact import Fact

if TYPE_CHECKING:
    from inspector.config.profile import Profile


class Imported(Fact, frozen=True):
    """A text with at least one server."""

    profiles: tuple[Profile, ...]
    """The servers in the order of the text."""
    source: str
    """The kind of text, such as `a URL` or `JSON: an mcpServers map`."""
    warnings: tuple[str, ...] = ()
    """What was guessed or ignored, or will not work as the text suggests."""


class NotRecognized(Fact, frozen=True):
    """A text without a server."""

    reason: str
    """Why it has none, and what can be imported."""


ImportResult: TypeAlias = Imported | NotRecognized
"""What `import_text` returns."""
