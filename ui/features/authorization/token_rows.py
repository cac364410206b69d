"""The client and the tokens of one server as rows, and what is known of each. Pure; nothing here is a secret but `TokenRow.secret`.

What a token says of itself is never trusted: it is compared with what was requested, and called *not verified*.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from inspector.auth import rejection, urls
from inspector.auth.client import NONE
from inspector.frozen import FrozenStruct
from inspector.wire.redaction import MASK
from ui.widgets.key_values import KeyValue
from ui.widgets.units import duration

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.client import Client
    from inspector.auth.grant import Grant
    from inspector.json_value import Json, JsonObject

    Fingerprint = Callable[[str], str]
    """Gives digits by which equal secrets are recognized."""

SOON_SECONDS = 60
"""From here on the time that is left has a tone."""


class TokenRow(FrozenStruct, frozen=True):
    """One row."""

    key: str
    """`client`, `access`, `refresh` or `id`."""
    name: str
    """What it is."""
    value: str
    """The client id, or a masked token with its fingerprint."""
    details: str
    """Its facts in one line."""
    secret: str = ""
    """The token; empty for none."""
    expires_at: float = math.inf
    """Seconds since 1970-01-01 UTC; infinite where that is not known."""

    def __repr__(self) -> str:
        """Show no token."""
        return f"TokenRow({self.key!r})"

    def expiry_text(self, now: float) -> tuple[str, str]:
        """Return when it expires, and a tone; `now` is wall time."""
        if not self.secret or math.isinf(self.expires_at):
            return "", "muted"
        left = self.expires_at - now
        if self.expires_at == 0:
            return "treated as expired", "warning"
        if left < 0:
            return f"expired {duration(-left)} ago", "warning"
        return f"expires in {duration(left)}", "pending" if left < SOON_SECONDS else "muted"


def token_rows(
    grant: Grant | None, client: Client | None, fingerprint: Fingerprint
) -> tuple[TokenRow, ...]:
    """Return a row each for client, access token, refresh token and ID token."""
    client = grant.client if grant is not None else client
    rows = [TokenRow("client", "Registered client", "none yet", "")]
    if client is not None:
        rows = [TokenRow("client", "Registered client", client.id, _client_text(client))]
    if grant is None:
        return (
            *rows,
            TokenRow("access", "Access token", "none yet", ""),
            TokenRow("refresh", "Refresh token", "none yet", ""),
        )
    tokens = grant.tokens
    rows.append(
        TokenRow(
            "access",
            "Access token",
            _masked(tokens.access, fingerprint),
            _access_text(grant),
            tokens.access,
            tokens.expires_at,
        )
    )
    if tokens.refresh:
        masked = _masked(tokens.refresh, fingerprint)
        rows.append(TokenRow("refresh", "Refresh token", masked, "", tokens.refresh))
    else:
        rows.append(TokenRow("refresh", "Refresh token", "never granted", _no_refresh_text(grant)))
    if tokens.id_token:
        masked = _masked(tokens.id_token, fingerprint)
        rows.append(TokenRow("id", "ID token", masked, "", tokens.id_token, _exp(tokens.id_token)))
    return tuple(rows)


def token_facts(row: TokenRow, grant: Grant | None, now: float) -> tuple[KeyValue, ...]:
    """Return what is known of a token or the client, compared with what was requested."""
    if row.key == "client":
        return _client_facts(grant)
    if not row.secret or grant is None:
        return (KeyValue("State", row.value, tone="muted", mono=False),)
    expiry, tone = row.expiry_text(now)
    facts = [KeyValue("Value", row.value, mono=False)]
    if row.key == "access":
        facts.append(KeyValue("Type", grant.tokens.type))
    if expiry:
        facts.append(KeyValue("Expires", expiry, tone=tone, mono=False))
    found = rejection.token_claims(row.secret)
    if found is not None:
        facts += _claim_facts(found, grant, is_access=row.key == "access")
    if row.key == "access":
        facts += _scope_facts(grant)
    return tuple(facts)


def token_document(row: TokenRow) -> JsonObject | None:
    """Return header and payload of a JSON Web Token; None for an opaque token."""
    header, payload = rejection.token_header(row.secret), rejection.token_claims(row.secret)
    if payload is None:
        return None
    return {"header": header, "payload": payload}


def _masked(token: str, fingerprint: Fingerprint) -> str:
    return f"{MASK} · {fingerprint(token)}"


def _client_text(client: Client) -> str:
    method = "public client" if client.method == NONE else client.method
    return f"{client.origin} · {method} · at {client.issuer}"


def _client_facts(grant: Grant | None) -> tuple[KeyValue, ...]:
    if grant is None:
        return ()
    client = grant.client
    facts = [
        KeyValue("Client id", client.id),
        KeyValue("Authorization server", client.issuer),
        KeyValue("Origin", str(client.origin), mono=False),
        KeyValue("Authentication", client.method),
        KeyValue("Redirect URI", client.redirect_uri),
        KeyValue("Token endpoint", grant.token_endpoint),
        KeyValue(
            "Revocation endpoint",
            grant.revocation_endpoint or "none",
            mono=bool(grant.revocation_endpoint),
        ),
    ]
    return tuple(fact for fact in facts if fact.value)


def _access_text(grant: Grant) -> str:
    found = rejection.token_claims(grant.tokens.access)
    parts: list[str] = []
    if found is None:
        parts.append("opaque: only its issuer can read it")
    else:
        audience = _texts(found.get("aud"))
        is_ours = grant.server_url in map(urls.canonical, audience)
        sign = "✓ matches" if is_ours else "✕ another resource"
        parts.append(f"audience {', '.join(audience) or 'missing'} {sign}")
    scopes = " ".join(grant.tokens.scopes)
    parts.append(f"scope {scopes}" if scopes else "no scope")
    return " · ".join(parts)


def _no_refresh_text(grant: Grant) -> str:
    if "offline_access" not in grant.scopes:
        return "scope offline_access was not requested"
    return "requested with offline_access: you log in again when the access token has expired"


def _claim_facts(found: JsonObject, grant: Grant, *, is_access: bool) -> list[KeyValue]:
    issuer = str(found.get("iss") or "")
    is_same = issuer == grant.issuer
    facts = [
        KeyValue("Issuer", issuer or "missing", tone="ok" if is_same else "error"),
    ]
    if not is_same:
        facts.append(KeyValue("Expected issuer", grant.issuer))
    audience = _texts(found.get("aud"))
    listed = ", ".join(audience) or "missing"
    if is_access:
        is_ours = grant.server_url in map(urls.canonical, audience)
        facts.append(KeyValue("Audience", listed, tone="ok" if is_ours else "error"))
        if not is_ours:
            facts.append(KeyValue("This server", grant.server_url))
        if grant.resource and grant.resource not in audience:
            facts.append(KeyValue("Requested resource", grant.resource))
    else:
        is_ours = grant.client.id in audience
        facts.append(KeyValue("Audience", listed, tone="ok" if is_ours else "error"))
    for name, title in (
        ("sub", "Subject"),
        ("iat", "Issued at"),
        ("nbf", "Not before"),
        ("exp", "Expires at"),
    ):
        value = found.get(name)
        if value is not None and not isinstance(value, dict | list):
            facts.append(KeyValue(title, _time_text(value) if name != "sub" else str(value)))
    return facts


def _scope_facts(grant: Grant) -> list[KeyValue]:
    requested, granted = grant.scopes, grant.tokens.scopes
    missing = [each for each in requested if each not in granted and each != "offline_access"]
    facts = [
        KeyValue("Requested scopes", " ".join(requested) or "none", mono=bool(requested)),
        KeyValue("Granted scopes", " ".join(granted) or "none", mono=bool(granted)),
    ]
    if missing:
        facts.append(KeyValue("Not granted", " ".join(missing), tone="warning"))
    return facts


def _time_text(value: Json) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    try:
        return f"{time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(value))} ({value})"
    except (OverflowError, ValueError, OSError):
        return str(value)


def _exp(token: str) -> float:
    value = (rejection.token_claims(token) or {}).get("exp")
    return float(value) if isinstance(value, int) and 0 < value < 1e12 else math.inf


def _texts(value: Json) -> tuple[str, ...]:
    found = value if isinstance(value, list) else [value]
    return tuple(each for each in found[:200] if isinstance(each, str))
