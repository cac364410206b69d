"""The client and the tokens of one server as rows, the facts about each, and one of them in full.

The claims of a token are never trusted: they are compared with those of the request, and called *not verified*. Nothing here is a secret
but `TokenRow.secret`.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.auth import urls
from inspector.auth.client import NONE
from inspector.frozen import FrozenStruct
from inspector.wire import json_web_token
from inspector.wire.redaction import MASK
from ui.widgets.badge import Badge
from ui.widgets.buttons import link_button
from ui.widgets.code_text import CodeText
from ui.widgets.json_view import JsonView
from ui.widgets.key_values import KeyValue, KeyValues
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import row_layout
from ui.widgets.units import duration

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.client import Client
    from inspector.auth.grant import Grant
    from inspector.json_value import Json, JsonObject
    from ui.theme import Theme

    Fingerprint = Callable[[str], str]
    """Gives digits by which equal secrets are recognized."""

OPAQUE = "This token is opaque: only its issuer can read it."

SHOW, HIDE = "Show token", "Hide token"


class TokenDetail(QWidget):
    """The selected row of the client and the tokens."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("authorization_token")
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._row: TokenRow | None = None
        self._build()
        self._wire()
        self.dress()

    def _build(self) -> None:
        theme = self._theme
        self._title = plain_label(name="authorization_token_title", parent=self)
        self._badge = Badge("not verified", theme=theme, tone="warning", parent=self)
        self._badge.setObjectName("authorization_not_verified")
        self.reveal_link = link_button(SHOW, name="authorization_show_token", parent=self)
        self.close_link = link_button("Back to step", name="authorization_back", parent=self)
        self._value = CodeText(theme=theme, name="authorization_token_value", parent=self)
        self.facts = KeyValues(theme=theme, name="authorization_token_facts", parent=self)
        self._opaque = plain_label(
            OPAQUE, tone="muted", name="authorization_opaque", wrap=True, parent=self
        )
        self._content = JsonView(theme=theme, name="authorization_claims", parent=self)
        header = row_layout(None, self._title, self._badge, space=theme.PADDING_PX)
        header.addStretch(1)
        header.addWidget(self.reveal_link)
        header.addWidget(self.close_link)
        self._column = QVBoxLayout(self)
        self._column.addLayout(header)
        for part in (self._value, self.facts, self._opaque):
            self._column.addWidget(part)
        self._column.addWidget(self._content, 1)
        self._column.addStretch(0)

    def _wire(self) -> None:
        self._theme.changed.connect(self.dress)
        self.reveal_link.clicked.connect(self._on_reveal_clicked)

    def dress(self) -> None:
        """Set sizes and fonts, which Qt forgets when a part is put into a window with a style sheet."""
        theme = self._theme
        pad = theme.px(16)
        self._column.setContentsMargins(pad, theme.px(12), pad, theme.px(12))
        self._column.setSpacing(theme.PADDING_PX)
        self._title.setFont(theme.font(1.1, bold=True))

    def show_row(self, row: TokenRow, grant: Grant | None) -> None:
        """Show `row`; its value is hidden again if it is another token."""
        if self._row is None or self._row.secret != row.secret:
            self._value.hide()
        self._row = row
        self._title.setText(row.name)
        self.facts.set_facts(token_facts(row, grant, time.time()))
        document = token_document(row) if row.secret else None
        self._badge.setVisible(document is not None)
        self._opaque.setVisible(bool(row.secret) and document is None)
        self._content.setVisible(document is not None)
        if document is not None:
            self._content.set_value(document)
        self.reveal_link.setVisible(bool(row.secret))
        self._show_value(visible=not self._value.isHidden())

    def _show_value(self, *, visible: bool) -> None:
        row = self._row
        is_displayed = visible and row is not None and bool(row.secret)
        if is_displayed and row is not None:
            self._value.set_code(row.secret, accessible_name=row.name)
        else:
            self._value.set_code("", accessible_name="hidden")
        self._value.setVisible(is_displayed)
        self.reveal_link.setText(HIDE if is_displayed else SHOW)
        self.reveal_link.setAccessibleName(self.reveal_link.text())

    def _on_reveal_clicked(self) -> None:
        self._show_value(visible=self._value.isHidden())


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
    found = json_web_token.token_claims(row.secret)
    if found is not None:
        facts += _claim_facts(found, grant, is_access=row.key == "access")
    if row.key == "access":
        facts += _scope_facts(grant)
    return tuple(facts)


def token_document(row: TokenRow) -> JsonObject | None:
    """Return header and payload of a JSON Web Token; None for an opaque token."""
    header, payload = (
        json_web_token.token_header(row.secret),
        json_web_token.token_claims(row.secret),
    )
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
    found = json_web_token.token_claims(grant.tokens.access)
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
    value = (json_web_token.token_claims(token) or {}).get("exp")
    return float(value) if isinstance(value, int) and 0 < value < 1e12 else math.inf


def _texts(value: Json) -> tuple[str, ...]:
    found = value if isinstance(value, list) else [value]
    return tuple(each for each in found[:200] if isinstance(each, str))
