"""What is known at one point of an authorization, and the parts of one step: its request, its response, and what follows.

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
    """Everything that is known at one point."""

    server_url: str
    """The URL of the server."""
    revision: Revision
    """The revision whose rules apply."""
    settings: Settings = Settings()
    """The settings of the user."""
    challenges: Challenges = Challenges()
    """The challenges of the server; empty without a refused request."""
    status: int = 0
    """The HTTP status of the refusal; 0 without one."""
    sent_token: bool = False
    """Whether the request that was refused carried a token."""
    earlier_scopes: tuple[str, ...] = ()
    """Scopes that were requested before, and are requested again (C-AUT-34)."""
    redirect_uri: str = ""
    """The redirect URI; empty if no user logs in."""
    is_read: bool = False
    """Whether the step that reads the challenges is done."""

    resource_documents: tuple[Document, ...] = ()
    """The responses to requests for metadata of the server."""
    resource: ResourceMetadata | None = None
    """The metadata of the server, once it is found and may be used."""
    server_documents: tuple[Document, ...] = ()
    """The responses to requests for metadata of the authorization server."""
    server: ServerMetadata | None = None
    """The metadata of the authorization server, once it is found and may be used."""
    stored_client: Client | None = None
    """The client that was used at this authorization server before."""
    registers_again: bool = False
    """Whether that client cannot be used: it is registered for fewer scopes than are needed now."""
    client: Client | None = None
    """The client that is used."""
    attempt: Attempt | None = None
    """The authorization request."""
    callback: Callback | None = None
    """The callback."""
    assertion: str = ""
    """The assertion to exchange for a token; empty without one."""
    dpop_key: str = ""
    """The key that tokens are bound to; empty for none."""
    dpop_nonce: str = ""
    """The nonce for the next proof."""
    issuer_ahead: float | None = None
    """Seconds that the clock of the authorization server is ahead; None if unknown."""
    tokens: Tokens | None = None
    """The tokens: the authorization is done."""

    @property
    def resource_metadata_urls(self) -> tuple[str, ...]:
        """The URLs to request for metadata of the server, in order."""
        if self.settings.resource_metadata_url:
            return (self.settings.resource_metadata_url,)
        named = self.challenges.all("resource_metadata")
        if not named and not self.revision.has_resource_metadata:
            return ()
        return tuple(dict.fromkeys((*named, *urls.resource_metadata_urls(self.server_url))))

    @property
    def is_legacy(self) -> bool:
        """Whether the server has no metadata: it is its own authorization server then, as in the oldest revision (C-AUT-09)."""
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
        """The URLs to request for metadata of the authorization server, in order."""
        if self.settings.server_metadata_url:
            return (self.settings.server_metadata_url,)
        if self.is_legacy and not self.revision.has_metadata_probing:
            return urls.server_metadata_urls(self.issuer)[:1]
        return urls.server_metadata_urls(self.issuer)

    @property
    def resource_uri(self) -> str:
        """The resource of token requests; empty to name none (C-AUT-25, C-AUT-26)."""
        if not self.settings.sends_resource:
            return ""
        if self.settings.resource:
            return self.settings.resource
        named = self.resource.resource if self.resource is not None else ""
        return named or urls.canonical(self.server_url)

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes to request: of the challenge, else all of the server; with those that were requested before (C-AUT-31, C-AUT-32, C-AUT-34).

        The settings of the user replace all of that, until the server requires more.
        """
        if self.settings.scopes and not self.earlier_scopes:
            return self.settings.scopes
        required = self.challenges.scopes
        if not required and self.resource is not None:
            required = self.resource.scopes or ()
        if required and self.server is not None and OFFLINE in self.server.scopes:
            required = (*required, OFFLINE)
        return tuple(dict.fromkeys((*self.earlier_scopes, *self.settings.scopes, *required)))

    def why_not(self, url: str) -> str:
        """Return why nothing may be sent to a URL that a server named; empty if it may (C-AUT-46, C-SEC-07, C-SEC-08)."""
        is_http = url.lower().startswith("http:")
        is_known = urls.origin(url) == urls.origin(self.server_url)
        if is_http and (is_known or self.settings.waives(Waiver.PLAIN_HTTP)):
            url = f"https{url[4:]}"  # the user entered that server, or waived the rule
        if problem := urls.problem(url):
            return problem
        if not is_known and not self.settings.waives(Waiver.ADDRESS) and self._leads_inside(url):
            return "its host is an address of this machine or of a private network, where the server itself is not"
        return ""

    def waiver_for(self, url: str) -> Waiver | None:
        """Return the rule that the user may waive so that something may be sent to a URL; None if no waiver helps."""
        for waiver in (Waiver.PLAIN_HTTP, Waiver.ADDRESS):
            waived = replace(self.settings, waivers=self.settings.waivers | {waiver})
            if self.why_not(url) != replace(self, settings=waived).why_not(url):
                return waiver
        return None

    def _leads_inside(self, url: str) -> bool:
        """Whether a server outside named a URL of this machine or its network (C-SEC-12)."""
        theirs, ours = urls.host(url), urls.host(self.server_url)
        return urls.is_link_local(theirs) or (urls.is_inner(theirs) and not urls.is_inner(ours))

    @property
    def binds_tokens(self) -> bool:
        """Whether tokens are bound to a key."""
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
    """The next step."""

    stage: Stage
    """The kind of step."""
    title: str
    """Its title on screen."""
    state: State
    """The state before it, with what was made for it."""
    request: HttpRequest | None = None
    """Its request; None if it sends nothing."""
    visit: str = ""
    """The URL that is opened in a browser; empty for none."""


class StepResponse(FrozenStruct, frozen=True):
    """What a step sent, and what was received."""

    request: HttpRequest | None = None
    """The request that was sent, which the user may have edited."""
    response: HttpResponse = HttpResponse()
    """The response; without a status if the step sends nothing."""
    callback: str = ""
    """The URL to which the browser was redirected."""
    now: float = 0.0
    """Wall time when it was received."""


class StepProblem(FrozenStruct, frozen=True, kw_only=True):
    """Why an authorization cannot continue after a step; part of the step."""

    problem: str = ""
    """Why it cannot continue; empty if it can."""
    hint: str = ""
    """What to do about the problem."""
    waiver: Waiver | None = None
    """The rule that the user may waive, so that it continues."""
    expected: str = ""
    """The value that was required, if the problem is a difference."""
    received: str = ""
    """The value in its place."""


class Conclusion(StepProblem, frozen=True):
    """What follows from a response."""

    state: State
    """The state after the step."""
    reason: str = ""
    """The outcome, in one line."""
    checks: tuple[Check, ...] = ()
    """The checks of the response."""
