"""The credentials for each protected server: one authorizer a server, which outlives its sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.auth.settings import EXTENSIONS
from inspector.errors import ConnectFailed
from inspector.event import Event
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
    """The authorizers of all servers that have a way of authorization."""

    def __init__(self, access: Callable[[Profile], Access | None]) -> None:
        """`access` returns how a server grants access; if it returns None, a 401 is an error."""
        self.progressed: Event[()] = Event()
        """Fired when a step of an authorization begins, ends, or waits for the user."""
        self._access = access
        self._known: dict[str, Authorizer | SuppliedToken] = {}

    def of(self, profile: Profile) -> Authorizer | None:
        """Return the authorizer for the server of `profile`; None without authorization, and for a token from outside."""
        return authorizer_of(self.credentials(profile))

    def credentials(self, profile: Profile) -> Authorizer | SuppliedToken | None:
        """Return the credentials for the server of `profile`; None without authorization."""
        access = self._access(profile) if transport_kind(profile.transport).has_headers else None
        if access is None:
            return None
        try:
            address = http_address(profile)
        except ConnectFailed:
            return None  # connecting reports the reason
        known = self._known.get(profile.id)
        if known is None or (known.address, known.settings) != (address, access.settings):
            known = self._known[profile.id] = make_credentials(profile, address, access)
            if (authorizer := authorizer_of(known)) is not None:
                authorizer.progressed.subscribe(self.progressed.fire)
        return known

    def pending_logins(self) -> list[str]:
        """Return the ids of the servers whose login page waits for the user."""
        known = ((id_, authorizer_of(each)) for id_, each in self._known.items())
        return [id_ for id_, each in known if each is not None and each.waits_for_user]

    async def aclose(self) -> None:
        """End every running authorization."""
        for each in map(authorizer_of, self._known.values()):
            if each is not None:
                await each.aclose()


def authorizer_of(credentials: object) -> Authorizer | None:
    """Return the credentials if they are an authorizer; None for a token from outside, and for None."""
    if credentials is None:
        return None
    from inspector.auth.authorizer import Authorizer

    return credentials if isinstance(credentials, Authorizer) else None


def make_credentials(
    profile: Profile, address: HttpConfig, access: Access
) -> Authorizer | SuppliedToken:
    """Return the credentials for the server of `profile` at `address`."""
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
        requires_consent=access.requires_consent,
        revision=lambda: revisions.find(profile.revision) or revisions.NEWEST,
    )


def declared(
    declare: Callable[[Revision], JsonObject], authorizer: Authorizer | None, revision: Revision
) -> JsonObject:
    """Return the declared capabilities: those of `declare`, and the way of authorization if it is an extension (C-AUT-47, C-AUT-48)."""
    found = declare(revision)
    name = EXTENSIONS.get(authorizer.settings.way) if authorizer is not None else None
    if name is None or not revision.has_extensions:
        return found
    extensions = found.get("extensions")
    known = extensions if isinstance(extensions, dict) else {}
    return {**found, "extensions": {**known, name: {}}}
