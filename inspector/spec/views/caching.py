"""How long a result may be kept.

Source: server/utilities/caching. Before the stateless era the two members carry no meaning, but odd values are noted all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Finding, Severity
from inspector.spec.keys import CACHE_SCOPES
from inspector.spec.spec_urls import link

if TYPE_CHECKING:
    from inspector.spec.view import View


class CacheHints:
    """The members `ttlMs` and `cacheScope` of a result."""

    def __init__(self, view: View) -> None:
        """Read them from `view`, which gets the notes."""
        self._view = view
        self.has_ttl = view.has("ttlMs")
        self.ttl_ms = self._ttl()
        self.scope = self._scope()

    def _ttl(self) -> float:
        """Milliseconds; absent, odd and negative count as 0."""
        ttl = self._view.number("ttlMs")
        if ttl is not None and ttl < 0:
            self._note("ttlMs", "L-CCH-02", "`ttlMs` is negative; treated as 0")
        return max(0, ttl or 0)

    def _scope(self) -> str:
        """`public` or `private`; everything else counts as private."""
        scope = self._view.text("cacheScope")
        if scope and scope not in CACHE_SCOPES:
            text = f"`cacheScope` must be public or private, not {scope!r}; treated as private"
            self._note("cacheScope", "L-CCH-03", text)
        return scope if scope in CACHE_SCOPES else "private"

    def _note(self, key: str, rule: str, text: str) -> None:
        page = link("caching", self._view.revision)
        pointer = self._view.pointer_to(key)
        self._view.notes.append(Finding(rule, Severity.ERROR, text, pointer, page))
