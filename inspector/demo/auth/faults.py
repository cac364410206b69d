"""What `--auth-fault` breaks. Each is one usual mistake of servers in the field, and changes nothing else."""

from __future__ import annotations

from enum import StrEnum


class Fault(StrEnum):
    """The name of one mistake."""

    RESOURCE_PATH = "resource-path"
    RESOURCE_SLASH = "resource-slash"
    RESOURCE_HTTP = "resource-http"
    RESOURCE_INNER_HOST = "resource-inner-host"
    RESOURCE_ISSUER_SLASH = "resource-issuer-slash"
    RESOURCE_NOT_FOUND = "resource-not-found"
    RESOURCE_HTML = "resource-html"
    RESOURCE_500 = "resource-500"
    RESOURCE_UNDER_MOUNT = "resource-under-mount"
    ISSUER_SLASH = "issuer-slash"
    ISSUER_HOST = "issuer-host"
    ISSUER_HTTP = "issuer-http"
    METADATA_OPENID_ONLY = "metadata-openid-only"
    METADATA_UNDER_MOUNT = "metadata-under-mount"
    METADATA_HTML = "metadata-html"
    METADATA_500 = "metadata-500"
    PKCE_NOT_LISTED = "pkce-not-listed"
    REGISTRATION_NONE = "registration-none"
    REGISTRATION_LOOPBACK = "registration-loopback"
    REGISTRATION_INITIAL_TOKEN = "registration-initial-token"
    REGISTRATION_FORBIDDEN = "registration-forbidden"
    CLIENT_FORGOTTEN = "client-forgotten"
    AUTHORIZE_REFUSED = "authorize-refused"
    REDIRECT_PORT = "redirect-port"
    RESOURCE_REFUSED = "resource-refused"
    ISS_WRONG = "iss-wrong"
    ISS_MISSING = "iss-missing"
    STATE_MISSING = "state-missing"
    SCOPE_NEVER_GRANTED = "scope-never-granted"
    REFRESH_NEVER_GIVEN = "refresh-never-given"
    REFRESH_AUDIENCE = "refresh-audience"
    TOKEN_METHOD = "token-method"
    TOKEN_ERROR_200 = "token-error-200"
    TOKEN_EXPIRES_TEXT = "token-expires-text"
    TOKEN_AUDIENCE = "token-audience"
    TOKEN_OPAQUE = "token-opaque"
    CLOCK_AHEAD = "clock-ahead"
    CLOCK_BEHIND = "clock-behind"
    CHALLENGE_MISSING = "challenge-missing"
    CHALLENGE_QUOTES = "challenge-quotes"
    CHALLENGE_TWICE = "challenge-twice"
    STATUS_200 = "status-200"
    STATUS_403 = "status-403"
    STATUS_404 = "status-404"
    STATUS_500 = "status-500"
    ORIGIN_REFUSED = "origin-refused"


FAULTS: dict[Fault, str] = {
    Fault.RESOURCE_PATH: "resource metadata describes another path of this server",
    Fault.RESOURCE_SLASH: "resource metadata describes the endpoint with a slash at its end",
    Fault.RESOURCE_HTTP: "resource metadata describes an http URL although the server is reached by https (needs --tls)",
    Fault.RESOURCE_INNER_HOST: "resource metadata describes the host name behind the proxy",
    Fault.RESOURCE_ISSUER_SLASH: "resource metadata names the issuer with a slash at its end, the issuer itself without",
    Fault.RESOURCE_NOT_FOUND: "the resource_metadata of the challenge is not there (404); the well-known place is right",
    Fault.RESOURCE_HTML: "resource metadata is a web page, sent with 200",
    Fault.RESOURCE_500: "resource metadata ends in 500",
    Fault.RESOURCE_UNDER_MOUNT: "resource metadata lies only below the endpoint, and the challenge does not name it",
    Fault.ISSUER_SLASH: "the issuer calls itself by its URL with a slash at its end, resource metadata without",
    Fault.ISSUER_HOST: "the issuer calls itself by another host",
    Fault.ISSUER_HTTP: "the issuer calls itself http although it is reached by https (needs --tls)",
    Fault.METADATA_OPENID_ONLY: "issuer metadata lies only at ISSUER/.well-known/openid-configuration",
    Fault.METADATA_UNDER_MOUNT: "issuer metadata lies only below the MCP endpoint",
    Fault.METADATA_HTML: "issuer metadata is a web page, sent with 200",
    Fault.METADATA_500: "issuer metadata ends in 500",
    Fault.PKCE_NOT_LISTED: "issuer metadata does not list S256, which the issuer demands",
    Fault.REGISTRATION_NONE: "neither dynamic registration nor client id metadata documents are offered",
    Fault.REGISTRATION_LOOPBACK: "registration refuses redirect URIs on the loopback interface",
    Fault.REGISTRATION_INITIAL_TOKEN: "registration requires an initial access token: demo-initial-token",
    Fault.REGISTRATION_FORBIDDEN: "registration ends in 403 insufficient_scope, which is no step-up",
    Fault.CLIENT_FORGOTTEN: "a registered client is forgotten as soon as it has its first token",
    Fault.AUTHORIZE_REFUSED: "a registered client is refused at the authorization endpoint, on a page without redirect",
    Fault.REDIRECT_PORT: "the port of a loopback redirect URI must be the registered one",
    Fault.RESOURCE_REFUSED: "the issuer does not know the parameter resource (invalid_target)",
    Fault.ISS_WRONG: "the authorization response names another issuer",
    Fault.ISS_MISSING: "the authorization response names no issuer although the metadata promises it",
    Fault.STATE_MISSING: "the authorization response lacks the state",
    Fault.SCOPE_NEVER_GRANTED: "mcp:write is never granted, whatever the user allows",
    Fault.REFRESH_NEVER_GIVEN: "no refresh token is given",
    Fault.REFRESH_AUDIENCE: "a refreshed access token is for another audience",
    Fault.TOKEN_METHOD: "client_secret_basic is listed and registered, but refused",
    Fault.TOKEN_ERROR_200: "the token endpoint answers 200 with an error",
    Fault.TOKEN_EXPIRES_TEXT: "expires_in is a string",
    Fault.TOKEN_AUDIENCE: "access tokens are for another audience",
    Fault.TOKEN_OPAQUE: "access tokens are opaque, the MCP server takes only JWTs",
    Fault.CLOCK_AHEAD: "the issuer's clock is fast: Date, iat and exp lie in the future",
    Fault.CLOCK_BEHIND: "the issuer's clock is slow: tokens have expired when they are issued",
    Fault.CHALLENGE_MISSING: "401 comes without WWW-Authenticate",
    Fault.CHALLENGE_QUOTES: "the challenge holds quotes inside a quoted string, not escaped",
    Fault.CHALLENGE_TWICE: "the challenge has resource_metadata twice, the first of them a 404",
    Fault.STATUS_200: "200 with an error comes instead of 401",
    Fault.STATUS_403: "403 comes instead of 401",
    Fault.STATUS_404: "404 comes instead of 401",
    Fault.STATUS_500: "500 comes instead of 401",
    Fault.ORIGIN_REFUSED: "every request is refused for its Origin with 403, with or without a token",
}
"""What each does, for `--help`."""

NEEDS_TLS = frozenset({Fault.RESOURCE_HTTP, Fault.ISSUER_HTTP})
"""Those that are mistakes only where the server is reached by https."""
