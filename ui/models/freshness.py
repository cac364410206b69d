"""How long the server vouches for what it gave, for the screen. Pure.

Source: server/utilities/caching.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.widgets.age_line import Freshness

if TYPE_CHECKING:
    from inspector.spec.views.caching import CacheHints


def freshness_of(caching: CacheHints | None) -> Freshness | None:
    """The promise of a result; None where its revision has none."""
    if caching is None:
        return None
    return Freshness(caching.ttl_ms / 1000 if caching.has_ttl else None, caching.scope)
