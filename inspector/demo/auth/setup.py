"""Where everything lies and how long it lasts: what all parts of the authorization of one run have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.auth.faults import Fault
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Callable

READ = "mcp:read"
WRITE = "mcp:write"
OFFLINE = "offline_access"
SCOPES = (READ, WRITE, OFFLINE)
"""What can be granted; the MCP server itself looks at the first two."""

CONSENT_PAGE = "page"
CONSENT_AUTO = "auto"
CONSENT_DENY = "deny"
CONSENTS = (CONSENT_PAGE, CONSENT_AUTO, CONSENT_DENY)
"""Who decides at the authorization endpoint: the user on a page, or a fixed rule."""

DPOP_REQUIRED = "required"
DPOP_NONCE = "nonce"
DPOPS = (DPOP_REQUIRED, DPOP_NONCE)
"""Whether tokens are bound to a key, and whether proofs need a nonce of this server."""

CLOCK_ERROR_SECONDS = 300.0
OTHER_HOST = "https://login.example.com"
INNER_HOST = "http://mcp-backend.internal:8080"


class Setup(FrozenStruct, frozen=True):
    """The authorization of one run."""

    origin: str
    """Scheme, host and port of the listener."""
    endpoint: str
    """Path of the MCP endpoint."""
    clock: Callable[[], float]
    """Right time in seconds since 1970."""
    issuer_path: str = ""
    """Path of the issuer, without a slash at its end."""
    faults: frozenset[Fault] = frozenset()
    """What is wrong."""
    consent: str = CONSENT_PAGE
    """One of `CONSENTS`."""
    token_seconds: float = 3600
    """How long an access token lasts."""
    dpop: str = ""
    """One of `DPOPS`; empty without DPoP."""

    @property
    def resource(self) -> str:
        """The URL of the MCP endpoint, which is also the audience of its tokens."""
        return self.origin + self.endpoint

    @property
    def described_resource(self) -> str:
        """What the resource metadata says it is."""
        wrong = {
            Fault.RESOURCE_PATH: f"{self.origin}/other{self.endpoint}",
            Fault.RESOURCE_SLASH: f"{self.resource}/",
            Fault.RESOURCE_HTTP: _http(self.resource),
            Fault.RESOURCE_INNER_HOST: INNER_HOST + self.endpoint,
        }
        return self._text_for(wrong, self.resource)

    @property
    def issuer(self) -> str:
        """The issuer's identifier, as the resource metadata should name it."""
        return self.origin + self.issuer_path

    @property
    def described_issuer(self) -> str:
        """What the issuer's own metadata and tokens call it."""
        wrong = {
            Fault.ISSUER_SLASH: f"{self.issuer}/",
            Fault.ISSUER_HOST: OTHER_HOST + self.issuer_path,
            Fault.ISSUER_HTTP: _http(self.issuer),
        }
        return self._text_for(wrong, self.issuer)

    @property
    def named_issuer(self) -> str:
        """What the resource metadata calls it."""
        return f"{self.issuer}/" if self.has(Fault.RESOURCE_ISSUER_SLASH) else self.issuer

    @property
    def resource_metadata_path(self) -> str:
        """Where the resource metadata belongs."""
        return f"/.well-known/oauth-protected-resource{self.endpoint}"

    def path(self, name: str) -> str:
        """The path of an endpoint of the issuer."""
        return f"{self.issuer_path}/{name}"

    def has(self, *faults: Fault) -> bool:
        """Whether one of these is asked for."""
        return not self.faults.isdisjoint(faults)

    def issuer_now(self) -> float:
        """What the issuer's clock shows."""
        if self.has(Fault.CLOCK_AHEAD):
            return self.clock() + CLOCK_ERROR_SECONDS
        if self.has(Fault.CLOCK_BEHIND):
            return self.clock() - self.token_seconds - CLOCK_ERROR_SECONDS
        return self.clock()

    def _text_for(self, wrong: dict[Fault, str], right: str) -> str:
        return next((value for fault, value in wrong.items() if self.has(fault)), right)


def _http(url: str) -> str:
    return url.replace("https://", "http://", 1)
