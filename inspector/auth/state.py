"""What is known at one point of an authorization, and one step of it: what it will send, and what follows from the response.

Frozen: a step makes the next state from the one before, so that any step can be done again.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.auth import urls
from inspector.auth.attempt import OFFLINE
from inspector.auth.messages import HttpRequest, HttpResponse
from inspector.auth.settings import Settings, Waiver
from inspector.frozen import FrozenStruct
from inspector.wire.challenge import Challenges

if TYPE_CHECKING:
    from inspector.auth.attempt import Attempt, Callback
    from inspector.auth.check import Check
    from inspector.auth.client import Client
    from inspector.auth.document import Document
    from inspector.auth.metadata import ResourceMetadata, ServerMetadata
    from inspector.auth.tokens import Tokens
    from inspector.spec.revision import Revision


class State(FrozenStruct, frozen=True):
    """Everything that is known so far."""

    server_url: str
    """The server that is to be reached."""
    revision: Revision
    """By whose rules."""
    settings: Settings = Settings()
    """What the user chose."""
    challenges: Challenges = Challenges()
    """What the server asked for; empty if it was not asked."""
    status: int = 0
    """The status that came with them; 0 without one."""
    sent_token: bool = False
    """Whether the request that was refused carried a token."""
    earlier_scopes: tuple[str, ...] = ()
    """Scopes that were asked for before, which are asked for again (C-AUT-34)."""
    redirect_uri: str = ""
    """Where callbacks go; empty if the user has no part in it."""
    is_read: bool = False
    """Whether the challenges were looked at."""

    resource_documents: tuple[Document, ...] = ()
    """Every place where metadata of the server was looked for."""
    resource: ResourceMetadata | None = None
    """The metadata of the server, once it is found and may be used."""
    server_documents: tuple[Document, ...] = ()
    """Every place where metadata of the authorization server was looked for."""
    server: ServerMetadata | None = None
    """The metadata of the authorization server, once it is found and may be used."""
    stored_client: Client | None = None
    """The client that was used at this authorization server before."""
    registers_again: bool = False
    """Whether that client cannot be used: it is registered for fewer scopes than are needed now."""
    client: Client | None = None
    """The client that is used."""
    attempt: Attempt | None = None
    """What the user is asked to allow."""
    callback: Callback | None = None
    """What came back."""
    assertion: str = ""
    """What is exchanged for a token, where that is the way."""
    dpop_key: str = ""
    """The key that tokens are bound to; empty for none."""
    dpop_nonce: str = ""
    """What the authorization server wants in the next proof."""
    issuer_ahead: float | None = None
    """Seconds that the clock of the authorization server is ahead of the one here; None if it is unknown."""
    tokens: Tokens | None = None
    """The tokens: the end."""

    @property
    def resource_metadata_urls(self) -> tuple[str, ...]:
        """Where metadata of the server is looked for, in order."""
        if self.settings.resource_metadata_url:
            return (self.settings.resource_metadata_url,)
        named = self.challenges.all("resource_metadata")
        if not named and not self.revision.has_resource_metadata:
            return ()
        return tuple(dict.fromkeys((*named, *urls.resource_metadata_urls(self.server_url))))

    @property
    def is_legacy(self) -> bool:
        """Whether no metadata of the server is to be found: the server itself is asked, as the oldest revision has it (C-AUT-09)."""
        left = len(self.resource_documents) < len(self.resource_metadata_urls)
        return self.resource is None and not left and not self.settings.issuer

    @property
    def issuer(self) -> str:
        """The issuer of the authorization server to use; empty if none can be used."""
        if self.settings.issuer:
            return self.settings.issuer
        if self.resource is None:
            return urls.base(self.server_url) if self.is_legacy else ""
        usable = [each for each in self.resource.servers if not self.why_not(each)]
        return next(iter(usable), "")

    @property
    def server_metadata_urls(self) -> tuple[str, ...]:
        """Where metadata of the authorization server is looked for, in order."""
        if self.settings.server_metadata_url:
            return (self.settings.server_metadata_url,)
        if self.is_legacy and not self.revision.has_metadata_probing:
            return urls.server_metadata_urls(self.issuer)[:1]
        return urls.server_metadata_urls(self.issuer)

    @property
    def resource_uri(self) -> str:
        """What a token is asked for; empty if that is not to be said (C-AUT-25, C-AUT-26)."""
        if not self.settings.sends_resource:
            return ""
        if self.settings.resource:
            return self.settings.resource
        named = self.resource.resource if self.resource is not None else ""
        return named or urls.canonical(self.server_url)

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes to ask for: those of the challenge, else all of the server's; with those that were asked for before (C-AUT-31, 32, 34).

        What the user chose takes the place of all that, until the server says that it is not enough.
        """
        if self.settings.scopes and not self.earlier_scopes:
            return self.settings.scopes
        wanted = self.challenges.scopes
        if not wanted and self.resource is not None:
            wanted = self.resource.scopes or ()
        if wanted and self.server is not None and OFFLINE in self.server.scopes:
            wanted = (*wanted, OFFLINE)
        return tuple(dict.fromkeys((*self.earlier_scopes, *self.settings.scopes, *wanted)))

    def why_not(self, url: str) -> str:
        """Why nothing may be sent to a URL that a server named; empty if it may (C-AUT-46, C-SEC-07, C-SEC-08)."""
        is_http = url.lower().startswith("http:")
        is_known = urls.origin(url) == urls.origin(self.server_url)
        if is_http and (is_known or self.settings.waives(Waiver.PLAIN_HTTP)):
            url = f"https{url[4:]}"  # the user chose that server, or let it be so
        if problem := urls.problem(url):
            return problem
        if not is_known and not self.settings.waives(Waiver.ADDRESS) and self._leads_inside(url):
            return "its host is an address of this machine or of a private network, where the server itself is not"
        return ""

    def waiver_for(self, url: str) -> Waiver | None:
        """What the user may let a server break so that something may be sent to a URL that it named; None if nothing helps."""
        for waiver in (Waiver.PLAIN_HTTP, Waiver.ADDRESS):
            waived = replace(self.settings, waivers=self.settings.waivers | {waiver})
            if self.why_not(url) != replace(self, settings=waived).why_not(url):
                return waiver
        return None

    def _leads_inside(self, url: str) -> bool:
        """Whether a URL leads from a server outside to where only this machine comes (C-SEC-12)."""
        theirs, ours = urls.host(url), urls.host(self.server_url)
        return urls.is_link_local(theirs) or (urls.is_inner(theirs) and not urls.is_inner(ours))

    @property
    def binds_tokens(self) -> bool:
        """Whether tokens are bound to a key of ours."""
        asked = self.resource is not None and self.resource.wants_dpop
        return self.settings.always_dpop or asked or self.challenges.wants_dpop


class Stage(StrEnum):
    """The kinds of steps, in order."""

    CHALLENGE = "challenge"
    RESOURCE = "resource-metadata"
    SERVER = "server-metadata"
    CLIENT = "client"
    AUTHORIZATION = "authorization"
    ASSERTION = "assertion"
    TOKEN = "token"
    CALL = "call"
    """The first request that carries the new token; sent by the transport, never planned."""


class Planned(FrozenStruct, frozen=True):
    """A step that is to be done next."""

    stage: Stage
    """Its kind."""
    title: str
    """What it does, for the user."""
    state: State
    """What is known when it begins, what was made for it included."""
    request: HttpRequest | None = None
    """What it sends; None if it sends nothing."""
    visit: str = ""
    """The URL that is opened in a browser; empty for none."""


class StepResponse(FrozenStruct, frozen=True):
    """What a step sent in the end, and what came."""

    request: HttpRequest | None = None
    """What was sent."""
    response: HttpResponse = HttpResponse()
    """What came back."""
    callback: str = ""
    """The URL to which the browser was redirected."""
    now: float = 0.0
    """Wall time when it came."""


class Conclusion(FrozenStruct, frozen=True):
    """What follows from what came."""

    state: State
    """What is known afterwards."""
    reason: str = ""
    """What came of it, in one line."""
    checks: tuple[Check, ...] = ()
    """What the rules say."""
    problem: str = ""
    """Why it cannot go on; empty if it can."""
    hint: str = ""
    """What to do about that."""
    waiver: Waiver | None = None
    """What the user may let this server break, so that it goes on."""
    expected: str = ""
    """The value that was required, where the problem is a difference."""
    received: str = ""
    """The value in its place."""
