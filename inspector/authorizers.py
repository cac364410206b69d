"""What lets us in to each protected server: one authorizer a server, which outlives its sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.auth.settings import EXTENSIONS
from inspector.errors import ConnectFailed
from inspector.session.transport_factory import http_address, transport_kind
from inspector.spec import revision as revisions

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.authorizer import Authorizer
    from inspector.auth.grant import Access
    from inspector.auth.supplied_token import SuppliedToken
    from inspector.config.profile import Profile
    from inspector.spec.revision import Revision
    from inspector.transport.http.config import HttpConfig
    from inspector.wire.json_codec import JsonObject


class Authorizers:
    """The authorizers of all servers for which a way of authorization is chosen."""

    def __init__(self, access: Callable[[Profile], Access | None]) -> None:
        """`access` says how a server lets us in; where it gives nothing, a refusal is an error."""
        self._access = access
        self._known: dict[str, Authorizer | SuppliedToken] = {}

    def of(self, profile: Profile) -> Authorizer | None:
        """What lets requests to the server of `profile` in; None where no way is chosen, and where the token comes from outside."""
        return authorizer_of(self.credentials(profile))

    def credentials(self, profile: Profile) -> Authorizer | SuppliedToken | None:
        """What is sent with requests to the server of `profile`; None where no way is chosen."""
        access = self._access(profile) if transport_kind(profile.transport).has_headers else None
        if access is None:
            return None
        try:
            address = http_address(profile)
        except ConnectFailed:
            return None  # connecting says why
        known = self._known.get(profile.id)
        if known is None or (known.address, known.settings) != (address, access.settings):
            known = self._known[profile.id] = make_credentials(profile, address, access)
        return known

    async def aclose(self) -> None:
        """End every authorization that is under way."""
        for each in map(authorizer_of, self._known.values()):
            if each is not None:
                await each.aclose()


def authorizer_of(credentials: Authorizer | SuppliedToken | None) -> Authorizer | None:
    """The authorizer where the credentials are one; None for a token that comes from outside, and for none."""
    if credentials is None:
        return None
    from inspector.auth.authorizer import Authorizer

    return credentials if isinstance(credentials, Authorizer) else None


def make_credentials(
    profile: Profile, address: HttpConfig, access: Access
) -> Authorizer | SuppliedToken:
    """What is sent with requests to the server of `profile`, which is at `address`, where a way is chosen."""
    # Thirty modules that no other connection needs.
    from inspector.auth.authorizer import Authorizer
    from inspector.auth.supplied_token import SuppliedToken, source_of

    source = source_of(access.settings)
    if source is not None:
        return SuppliedToken(address, access.settings, source)
    return Authorizer(
        address,
        access.settings,
        access.grants,
        make_user_agent=access.make_user_agent,
        asks_first=access.asks_first,
        revision=lambda: revisions.find(profile.revision) or revisions.NEWEST,
    )


def declared(
    wanted: Callable[[Revision], JsonObject], authorizer: Authorizer | None, revision: Revision
) -> JsonObject:
    """What is declared by a revision: what the user chose, and the way of authorization where that is an extension (C-AUT-47, C-AUT-48)."""
    found = wanted(revision)
    name = EXTENSIONS.get(authorizer.settings.way) if authorizer is not None else None
    if name is None or not revision.has_extensions:
        return found
    extensions = found.get("extensions")
    known = extensions if isinstance(extensions, dict) else {}
    return {**found, "extensions": {**known, name: {}}}
