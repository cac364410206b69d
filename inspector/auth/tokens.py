"""Tokens: requests to the token endpoint, and their responses. Pure; never raises.

Responses are read tolerantly, with a check for each thing that is not as it should be: an error with a good status, a form instead of JSON,
`expires_in` as a string, scopes as a list.

Source: RFC 6749, sections 4.1.3, 4.1.4, 5 and 6; RFC 7009; RFC 7523, section 2; RFC 8693, section 2.1; RFC 8707, section 2.2; C-AUT-25, C-AUT-43,
C-AUT-47, C-AUT-48.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from inspector.auth import client as clients
from inspector.auth import document, messages, urls
from inspector.auth.attempt import OFFLINE
from inspector.auth.check import Check, failed, info, passed, warning
from inspector.auth.messages import FORM, JSON, HttpRequest
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from inspector.auth.messages import HttpResponse, Pairs
    from inspector.wire.json_codec import Json, JsonObject

CODE, REFRESH = "authorization_code", "refresh_token"
CLIENT_CREDENTIALS = "client_credentials"
JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
ID_JAG = "urn:ietf:params:oauth:token-type:id-jag"
ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token"

MAX_LIFE_SECONDS = 10 * 365 * 86_400
LONG_LIFE_SECONDS = 24 * 3600
"""A token that is valid for longer gets a warning."""

_SOURCE = "RFC 6749, section 5.1"


class Tokens(FrozenStruct, frozen=True):
    """The tokens of a token endpoint."""

    access: str
    """The access token."""
    type: str = "Bearer"
    """`Bearer`, or `DPoP` where it is bound to our key."""
    refresh: str = ""
    """The refresh token; empty without one."""
    scopes: tuple[str, ...] = ()
    """The granted scopes; the requested ones if the response names none."""
    expires_at: float = math.inf
    """Seconds since 1970-01-01 UTC; infinite if the response names no time."""
    id_token: str = ""
    """The identity token of OpenID; empty without one."""

    def __repr__(self) -> str:
        """Show none of them."""
        return f"Tokens(type={self.type!r}, scopes={self.scopes!r}, expires_at={self.expires_at!r})"

    @property
    def is_bound(self) -> bool:
        """Whether each use needs a proof."""
        return self.type.lower() == "dpop"

    @property
    def secrets(self) -> tuple[str, ...]:
        """The secret values."""
        return tuple(each for each in (self.access, self.refresh, self.id_token) if each)


class TokenResponse(FrozenStruct, frozen=True):
    """The response of a token endpoint."""

    tokens: Tokens | None = None
    """The tokens; None without them."""
    error: str = ""
    """The error code; empty without one."""
    reason: str = ""
    """Why there are no tokens."""
    checks: tuple[Check, ...] = ()
    """The checks of the response."""


def request(
    endpoint: str, client: clients.Client, fields: Pairs, *, assertion: str = ""
) -> HttpRequest:
    """Return a request to a token endpoint; `assertion` is the signed one of a client with a key."""
    headers, ours = clients.authenticate(client, assertion=assertion)
    return HttpRequest(
        "POST",
        endpoint,
        (("Content-Type", FORM), ("Accept", JSON), *headers),
        messages.form((*fields, *ours)),
    )


def fields_of(grant_type: str, **fields: str) -> Pairs:
    """Return the fields of a token request; the scope is one string, and empty values are left out later."""
    return (("grant_type", grant_type), *fields.items())


def read(response: HttpResponse, *, requested: tuple[str, ...], now: float) -> TokenResponse:
    """Read a response of a token endpoint; `requested` are the requested scopes, `now` is wall time."""
    if response.problem:
        return TokenResponse(reason=response.problem)
    value, problem, checks = _object(response)
    leads_to = response.header("location")
    if 300 <= response.status < 400 and leads_to:
        where = document.excerpt(urls.without_query(leads_to).encode())
        text = f"HTTP {response.status} redirects to {where}: not followed, for the request holds secrets"
        return TokenResponse(reason=text, checks=tuple(checks))
    if value is None:
        text = f"HTTP {response.status}, and no tokens: {problem}"
        return TokenResponse(reason=text, checks=tuple(checks))
    error = clients.error_text(value)
    if error or not response.is_good:
        return _refused(response, value, error, checks)
    access = document.text(value, "access_token")
    if not is_sendable(access):
        text = "`access_token` must be a string of visible ASCII characters"
        checks.append(failed(_SOURCE, _SOURCE, "/access_token", text))
        return TokenResponse(reason=f"there is no access token: {text}", checks=tuple(checks))
    tokens = Tokens(
        access,
        _type(value, checks),
        document.text(value, "refresh_token"),
        _scopes(value, requested, checks),
        _expiry(value, now, checks),
        document.text(value, "id_token"),
    )
    if not tokens.refresh:
        text = "no refresh token came: you log in again when this token has expired"
        checks.append(info("RFC 6749", "RFC 6749, section 1.5", "/refresh_token", text))
    if "no-store" not in response.header("cache-control").lower():
        text = "a response with tokens must carry `Cache-Control: no-store`"
        checks.append(warning(_SOURCE, _SOURCE, "Cache-Control", text))
    return TokenResponse(tokens, checks=tuple(checks))


def is_sendable(token: str) -> bool:
    """Whether a text can be sent as an access token: visible ASCII characters, at least one."""
    return bool(token) and token.isascii() and not _UNSENDABLE.intersection(token)


def assertion_of(response: HttpResponse) -> tuple[str, str, tuple[Check, ...]]:
    """Return the assertion of an exchange or an empty string, why it is empty, and the checks."""
    answer = read(response, requested=(), now=0.0)
    if answer.tokens is None:
        return "", answer.reason, answer.checks
    value, _, _ = document.read_object(response)
    kind, source = document.text(value or {}, "issued_token_type"), "RFC 8693, section 2.2.1"
    pointer = "/issued_token_type"
    if kind == ID_JAG:
        checks = (passed(source, source, pointer, "an ID-JAG was issued"),)
    else:
        text = f"`issued_token_type` must be {ID_JAG}; it is {kind or 'missing'}"
        checks = (failed(source, source, pointer, text),)
    return answer.tokens.access, "", checks


_UNSENDABLE = frozenset(map(chr, (*range(0x21), 0x7F)))


def _object(response: HttpResponse) -> tuple[JsonObject | None, str, list[Check]]:
    value, problem, notes = document.read_object(response)
    checks = [warning("RFC 8259", "RFC 8259, section 4", "", each) for each in notes]
    if value is None and (response.media_type == FORM or b"access_token=" in response.body[:4096]):
        fields = messages.read_form(response.body.decode("utf-8", "replace"))
        text = "the body must be JSON; it is a form"
        checks.append(failed(_SOURCE, _SOURCE, "Content-Type", text))
        made: JsonObject = {}
        made.update(fields)
        return made, "", checks
    if value is not None and response.media_type != JSON:
        text = f"`Content-Type` must be {JSON}; it is {response.media_type or 'missing'}"
        checks.append(warning(_SOURCE, _SOURCE, "Content-Type", text))
    return value, problem or document.excerpt(response.body), checks


def _refused(
    response: HttpResponse, value: JsonObject, error: str, checks: list[Check]
) -> TokenResponse:
    source = "RFC 6749, section 5.2"
    if response.is_good:
        text = f"an error must come with HTTP 400 or 401, not with HTTP {response.status}"
        checks.append(failed(source, source, "", text))
    if not error:
        checks.append(failed(source, source, "/error", "`error` must be a string"))
    text = f"the authorization server refused: {clients.refusal_text(response)}"
    return TokenResponse(None, document.text(value, "error"), text, tuple(checks))


def _type(value: JsonObject, checks: list[Check]) -> str:
    kind, pointer = document.text(value, "token_type"), "/token_type"
    if kind.lower() in {"bearer", "dpop"}:
        checks.append(passed(_SOURCE, _SOURCE, pointer, f"`token_type` is {kind}"))
        return "DPoP" if kind.lower() == "dpop" else "Bearer"
    text = f"`token_type` must be Bearer or DPoP; it is {kind or 'missing'}, and taken for Bearer"
    checks.append(failed(_SOURCE, _SOURCE, pointer, text))
    return "Bearer"


def _scopes(value: JsonObject, asked: tuple[str, ...], checks: list[Check]) -> tuple[str, ...]:
    pointer, found = "/scope", value.get("scope")
    if found is None:
        return asked
    if isinstance(found, str):
        scopes = tuple(found.split())
        if len(scopes) == 1 and "," in found and len(asked) != 1:
            checks.append(warning(_SOURCE, _SOURCE, pointer, "`scope` must be separated by spaces"))
            scopes = tuple(each for each in found.split(",") if each)
    else:
        scopes = document.texts(value, "scope") or ()
        text = f"`scope` must be a string; it is {document.kind_text(found)}"
        checks.append(failed(_SOURCE, _SOURCE, pointer, text))
    missing = [each for each in asked if each not in scopes and each != OFFLINE]
    if missing:
        text = f"not every scope was granted; missing: {' '.join(missing)}"
        checks.append(info("RFC 6749", "RFC 6749, section 3.3", pointer, text))
    return scopes


def _expiry(value: JsonObject, now: float, checks: list[Check]) -> float:
    pointer, found = "/expires_in", value.get("expires_in")
    if found is None:
        text = "`expires_in` should say how long the token is valid"
        checks.append(info("RFC 6749", _SOURCE, pointer, text))
        return math.inf
    seconds = _seconds(found)
    if isinstance(found, str) or seconds is None:
        text = f"`expires_in` must be a number of seconds; it is {document.kind_text(found)}"
        checks.append(failed(_SOURCE, _SOURCE, pointer, text))
    if seconds is None:
        return math.inf
    if seconds > LONG_LIFE_SECONDS:
        text = f"the token is valid for {seconds / 3600:,.0f} hours; access tokens should be short-lived"
        checks.append(warning("L-AUT-19", "MCP, token theft", pointer, text))
    return now + seconds


def _seconds(found: Json) -> float | None:
    if isinstance(found, bool) or not isinstance(found, int | float | str):
        return None
    try:
        seconds = float(found)
    except (ValueError, OverflowError):
        return None
    return min(seconds, MAX_LIFE_SECONDS) if 0 <= seconds < math.inf else None
