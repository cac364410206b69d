"""Errors by which a server refuses to open a session, after which nothing else is tried: completed in the step that failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import PeerError
from inspector.session import negotiation
from inspector.session.negotiation import RetryDiscover
from inspector.spec.error_codes import METHOD_NOT_FOUND

if TYPE_CHECKING:
    from inspector.errors import InspectorError
    from inspector.session.discovery import DiscoverProbe
    from inspector.session.steps import Steps
    from inspector.spec.revision import Revision


async def contradiction(
    probe: DiscoverProbe, decision: RetryDiscover, steps: Steps
) -> InspectorError:
    """The failure where the server refuses what it has named itself."""
    try:
        await probe.answer(0)
    except PeerError as error:
        error.reason, error.hint = negotiation.contradiction(error, decision)
        steps.fail(steps[-1], error)
        return error
    raise AssertionError("unreachable")


def explain(
    error: PeerError, offer: Revision, probe: DiscoverProbe | None, pinned: str, steps: Steps
) -> None:
    """Complete an error of `initialize` with `offer`; `probe` is the question before it, `pinned` the revision that is set."""
    said: tuple[str, str] | None = None
    if error.code == METHOD_NOT_FOUND and probe is not None:
        said = negotiation.no_opening(error, has_discovered=probe.has_result)
    elif error.code == METHOD_NOT_FOUND and pinned:
        said = error.reason, negotiation.stateless_pin_hint()
    elif negotiation.names(error, offer):
        said = negotiation.contradiction(error, RetryDiscover(offer))
    if said is not None:
        error.reason, error.hint = said
        steps.fail(steps[-1], error)
