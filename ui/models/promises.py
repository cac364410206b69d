"""How long the server vouches for what it gave, for the screen. Pure.

Source: server/utilities/caching.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.widgets.age_line import Promise

if TYPE_CHECKING:
    from inspector.spec.views.caching import Caching


def promise_of(caching: Caching | None) -> Promise | None:
    """The promise of a result; None where its revision has none."""
    if caching is None:
        return None
    return Promise(caching.ttl_ms / 1000 if caching.has_ttl else None, caching.scope)
