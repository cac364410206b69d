"""Which transport a profile asks for. A new kind of transport gets one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import ConnectFailed
from inspector.transport.program import prepare
from inspector.transport.stdio import StdioTransport

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.library.profile import Profile
    from inspector.transport.base import Transport


def make_transport(profile: Profile) -> Transport:
    """The transport that reaches a profile.

    Raises:
        ConnectFailed: it cannot be reached this way.
    """
    make = _MAKERS.get(profile.transport)
    if make is None:
        raise ConnectFailed(
            f"Spyglass cannot connect over {profile.transport} yet", remedy="Use a stdio server."
        )
    return make(profile)


def _stdio(profile: Profile) -> Transport:
    return StdioTransport(prepare(profile.command, profile.args, dict(profile.env), profile.cwd))


_MAKERS: dict[str, Callable[[Profile], Transport]] = {"stdio": _stdio}
