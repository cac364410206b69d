"""The user's settings for the authorization of one server. What is discovered is in `state.py`."""

from __future__ import annotations

from enum import StrEnum

from inspector.frozen import FrozenStruct


class Way(StrEnum):
    """How an access token is obtained."""

    NONE = "none"
    """Not at all: a 401 is an error."""
    CODE = "authorization-code"
    """The user logs in with a browser."""
    CLIENT_CREDENTIALS = "client-credentials"
    """The client itself has access, without a user."""
    ENTERPRISE = "enterprise-managed"
    """The identity token of a company is exchanged for an assertion, and the assertion for a token."""
    WORKLOAD = "workload-identity"
    """An assertion that the user enters is exchanged for a token."""
    VARIABLE = "environment-variable"
    """An environment variable holds the token."""
    COMMAND = "command"
    """A command prints the token."""


EXTENSIONS = {
    Way.CLIENT_CREDENTIALS: "io.modelcontextprotocol/oauth-client-credentials",
    Way.ENTERPRISE: "io.modelcontextprotocol/enterprise-managed-authorization",
}
"""Ways that are extensions, which a client declares."""


class Waiver(StrEnum):
    """A rule that the user allows a server to break."""

    ISSUER = "issuer"
    """The issuer of the metadata differs from the requested one."""
    RESOURCE = "resource"
    """The metadata describes another resource."""
    PKCE = "pkce"
    """S256 is not listed."""
    PLAIN_HTTP = "http"
    """URLs of the authorization server are http, and it is not on this machine."""
    ADDRESS = "address"
    """URLs of the authorization server lead to this machine or into a private network, and the server is not there."""


SECRET_FIELDS = (
    *("client_secret", "private_key", "initial_access_token", "assertion"),
    *("idp_client_secret", "idp_id_token"),
)
"""Fields of `Settings` that are secrets."""


class Settings(FrozenStruct, frozen=True):
    """The settings for one server."""

    way: Way = Way.NONE
    """How a token is obtained."""
    token_variable: str = ""
    """The environment variable of `VARIABLE`."""
    token_command: tuple[str, ...] = ()
    """Program and arguments of `COMMAND`; no shell reads them."""
    client_id: str = ""
    """The client that was registered by hand; empty for automatic."""
    client_secret: str = ""
    """Its secret."""
    client_issuer: str = ""
    """The authorization server at which it was registered; empty if not entered."""
    client_auth: str = ""
    """The method of authentication at the token endpoint; empty for automatic."""
    private_key: str = ""
    """The key for `private_key_jwt`, in PEM."""
    signing_algorithm: str = "ES256"
    """The algorithm that it signs with."""
    client_metadata_url: str = ""
    """The URL of a client metadata document, used as client id."""
    serves_client_metadata: bool = False
    """Whether such a document is served on this machine while an authorization runs; only an authorization server on this machine can read it."""
    scopes: tuple[str, ...] = ()
    """The scopes to request; empty for automatic."""
    resource: str = ""
    """The resource to request a token for; empty for the one of the server."""
    resource_metadata_url: str = ""
    """The URL of the metadata of the server; empty for the one of the challenge, or the default."""
    sends_resource: bool = True
    """Whether `resource` is sent at all."""
    issuer: str = ""
    """The authorization server to use, named by the server or not; empty for the first that it names."""
    server_metadata_url: str = ""
    """The URL of the metadata of the authorization server; empty for the default."""
    callback_host: str = "127.0.0.1"
    """The host of the redirect URI."""
    callback_port: int = 0
    """The port of the redirect URI; 0 for any that is free."""
    waivers: frozenset[Waiver] = frozenset()
    """Rules that this server may break."""
    initial_access_token: str = ""
    """The token that the authorization server requires for dynamic registration; empty for none."""
    extra: tuple[tuple[str, str], ...] = ()
    """Parameters to add to the authorization request."""
    always_dpop: bool = False
    """Whether tokens are bound to a key even if the server does not require that."""
    assertion: str = ""
    """The assertion of `WORKLOAD`."""
    idp_token_endpoint: str = ""
    """The URL where `ENTERPRISE` exchanges the identity token."""
    idp_client_id: str = ""
    """The client id there."""
    idp_client_secret: str = ""
    """Its secret; empty without one."""
    idp_id_token: str = ""
    """The identity token."""

    def waives(self, waiver: Waiver) -> bool:
        """Whether a rule may be broken."""
        return waiver in self.waivers

    @property
    def secrets(self) -> tuple[str, ...]:
        """The secret values."""
        return tuple(value for name in SECRET_FIELDS if (value := str(getattr(self, name))))
