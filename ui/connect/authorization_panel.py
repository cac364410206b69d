"""What a connection needs of the user to be authorized: what the server requires, *Authorize…*, and the login while it is running."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from inspector.auth import urls
from inspector.visible_text import visible
from ui.bind import Bindings, bind, bind_coalesced
from ui.connect.authorization_need import Need, latest_step, need_of
from ui.widgets.browser_notice import BrowserNotice
from ui.widgets.buttons import link_button, push_button, set_primary
from ui.widgets.flow_layout import FlowLayout as FlowLayout
from ui.widgets.key_values import KeyValue, KeyValues
from ui.widgets.labels import plain_label, set_background, set_icon, show_text
from ui.widgets.layout_parts import column_layout, row_layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.authorizer import Authorizer
    from inspector.auth.flow import Flow
    from inspector.auth.state import State
    from inspector.session.session import Session
    from ui.theme import Theme


TITLES = {
    Need.LOGIN: "Log in",
    Need.PATIENCE: "Authorizing…",
    Need.REPAIR: "Authorization failed",
    Need.CREDENTIALS: "The server requires credentials",
}

CREDENTIALS_TEXT = "The response names no OAuth authorization server. Add the credentials that the server documents."

BUTTONS = (
    ("authorize", "Authorize…", True, {Need.LOGIN, Need.REPAIR}),
    ("accept_waiver", "Accept for this server", False, {Need.REPAIR}),
    ("cancel_login", "Cancel", False, {Need.BROWSER, Need.PATIENCE}),
    ("use_bearer", "Use bearer token…", True, {Need.CREDENTIALS}),
    ("use_basic", "Use basic…", False, {Need.CREDENTIALS}),
    ("use_key", "Use API key…", False, {Need.CREDENTIALS}),
    ("edit_authorization", "Settings…", False, {Need.LOGIN, Need.REPAIR}),
)
"""Name of a button, its text, whether it is the primary one, and when it shows."""


class AuthorizationPanel(QWidget):
    """The authorization of one connection; hidden where it needs none.

    Signals:
        authorize_requested: connect again, and let the user log in.
        open_requested: open this URL of a login page, which the user saw whole.
        waiver_requested: accept this `Waiver` for the server, and authorize again.
        steps_requested: show every step of the authorization.
        edit_requested: show the settings of the server.
        credentials_requested: add a header with these credentials (`bearer`, `basic` or `key`) to the server.
    """

    authorize_requested = Signal()
    open_requested = Signal(str)
    waiver_requested = Signal(object)
    steps_requested = Signal()
    edit_requested = Signal()
    credentials_requested = Signal(str)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("authorization_panel")
        self.setAccessibleName("Authorization")
        self._theme = theme
        self._session: Session | None = None
        self._authorizer: Authorizer | None = None
        self._bindings = Bindings()
        self._unbind_flow: Callable[[], None] | None = None
        self._build()
        self._wire()
        self._refresh()

    @property
    def need(self) -> Need:
        """What the user can do."""
        return need_of(self._session, self._authorizer)

    def _build(self) -> None:
        self._frame = QFrame(self)
        self._icon = QLabel(self._frame)
        self._title = self._label("authorization_title")
        self._text = self._label("authorization_text")
        self._hint = self._label("authorization_hint")
        self._facts = KeyValues(theme=self._theme, name="authorization_facts", parent=self)
        self.browser = BrowserNotice(theme=self._theme, parent=self)
        self._buttons = {
            name: push_button(text, name=name, primary=is_primary, parent=self)
            for name, text, is_primary, _ in BUTTONS
        }
        self._steps = link_button("Show steps", name="show_authorization_steps", parent=self)
        self._arrange()

    def _label(self, name: str) -> QLabel:
        return plain_label(name=name, wrap=True, parent=self._frame)

    def _arrange(self) -> None:
        px = self._theme.px
        text = column_layout(None, self._title, self._text, self._hint, space=px(4))
        self._notice_row = row_layout(self._frame, space=0)
        self._notice_row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        self._notice_row.addLayout(text, 1)
        row = FlowLayout(px(6))
        for button in (*self._buttons.values(), self._steps):
            row.addWidget(button)
        column_layout(
            self,
            self._frame,
            self.browser,
            row,
            self._facts,
            space=px(8),
            margins=(0, px(8), 0, px(8)),
        )

    def _wire(self) -> None:
        buttons = self._buttons
        buttons["authorize"].clicked.connect(self.authorize_requested)
        buttons["cancel_login"].clicked.connect(self._on_cancel_clicked)
        buttons["accept_waiver"].clicked.connect(self._on_accept_clicked)
        buttons["edit_authorization"].clicked.connect(self.edit_requested)
        for kind in ("bearer", "basic", "key"):
            buttons[f"use_{kind}"].clicked.connect(
                lambda _=False, kind=kind: self.credentials_requested.emit(kind)
            )
        self._steps.clicked.connect(self.steps_requested)
        self.browser.open_requested.connect(self.open_requested)
        self.browser.pasted.connect(self._on_pasted)
        self._theme.changed.connect(self._refresh)

    def set_session(self, session: Session | None, authorizer: Authorizer | None) -> None:
        """Follow a session and what authorizes it; None for none."""
        self._bindings.replace()
        self._session, self._authorizer = session, authorizer
        if session is not None:
            self._bindings.add(bind_coalesced(self, session.changed, self._refresh))
        if authorizer is not None:
            self._bindings.add(bind(self, authorizer.changed, self._on_authorizer_changed))
        self._on_authorizer_changed()

    def _on_authorizer_changed(self) -> None:
        if self._unbind_flow is not None:
            self._unbind_flow()
            self._unbind_flow = None
        if self._flow is not None:
            self._unbind_flow = bind_coalesced(self, self._flow.changed, self._refresh)
        self._refresh()

    @property
    def _flow(self) -> Flow | None:
        return self._authorizer.flow if self._authorizer is not None else None

    def _refresh(self) -> None:
        need = self.need
        self.setVisible(need is not Need.NOTHING)
        self._frame.setVisible(need in TITLES)
        px = self._theme.px
        self._notice_row.setContentsMargins(px(12), px(8), px(12), px(8))
        self._notice_row.setSpacing(px(6))
        set_background(self._frame, "error" if need is Need.REPAIR else "info")
        icon = "mdi6.close-circle" if need is Need.REPAIR else "mdi6.lock-outline"
        tone = "error" if need is Need.REPAIR else "person"
        set_icon(self._icon, self._theme, icon, tone)
        self._title.setFont(self._theme.font(bold=True))
        title = TITLES.get(need, "")
        host = login_host(self._flow) if need is Need.LOGIN and self._flow is not None else ""
        self._title.setText(visible(f"{title} at {host}" if host else title))
        self._show_text(need)
        self._show_buttons(need)
        step = latest_step(self._authorizer)
        is_open = need is Need.BROWSER and step is not None
        self.browser.show_url(
            step.visit if step is not None and is_open else "",
            step.began_wall if step is not None else 0.0,
        )

    def _show_text(self, need: Need) -> None:
        flow, step = self._flow, latest_step(self._authorizer)
        text = hint = ""
        if need is Need.LOGIN and flow is not None:
            text = what_happens(flow.state)
        elif need is Need.PATIENCE and step is not None:
            text = step.title
        elif need is Need.REPAIR and step is not None:
            text, hint = f"{step.title}: {step.problem}", step.hint
        elif need is Need.CREDENTIALS:
            text = CREDENTIALS_TEXT
        show_text(self._text, visible(text))
        self._hint.setFont(self._theme.font(bold=True))
        show_text(self._hint, visible(hint))
        shows = need in {Need.LOGIN, Need.REPAIR} and flow is not None
        self._facts.set_facts(facts_of(flow) if shows and flow is not None else ())
        self._facts.setVisible(shows)

    def _show_buttons(self, need: Need) -> None:
        step = latest_step(self._authorizer)
        for name, _, _, needs in BUTTONS:
            self._buttons[name].setVisible(need in needs)
        waiver = step.waiver if step is not None and need is Need.REPAIR else None
        self._buttons["accept_waiver"].setVisible(waiver is not None)
        self._buttons["authorize"].setText("Authorize…" if need is Need.LOGIN else "Try again…")
        flow = self._flow
        lacks_client = flow is not None and client_text(flow.state) == NO_CLIENT
        set_primary(self._buttons["authorize"], is_primary=not lacks_client)
        set_primary(self._buttons["edit_authorization"], is_primary=lacks_client)
        self._steps.setVisible(need in {Need.LOGIN, Need.REPAIR, Need.BROWSER})

    def _on_pasted(self, url: str) -> None:
        if self._flow is not None:
            self.browser.show_error(self._flow.paste(url))

    def _on_cancel_clicked(self) -> None:
        if self._flow is not None:
            self._flow.stop()

    def _on_accept_clicked(self) -> None:
        step = latest_step(self._authorizer)
        if step is not None and step.waiver is not None:
            self.waiver_requested.emit(step.waiver)


AUTOMATIC = "registered automatically"
NO_CLIENT = "none"
"""The client is registered when the user logs in, or does not exist."""


def facts_of(flow: Flow) -> tuple[KeyValue, ...]:
    """What the server asks for, as far as it is known."""
    state = flow.state
    issuer = state.server.issuer if state.server is not None else state.issuer
    scopes = " ".join(state.scopes)
    facts = (
        KeyValue("Response", _challenge_text(state)),
        KeyValue("Resource metadata", _resource_text(state)),
        KeyValue("Authorization server", issuer),
        KeyValue("Scopes", scopes or "chosen by the authorization server", mono=bool(scopes)),
        KeyValue("Client", client_text(state), mono=False),
    )
    return tuple(fact for fact in facts if fact.value)


def login_host(flow: Flow) -> str:
    """The host of the login page; empty where that is unknown."""
    server = flow.state.server
    parts = urls.split(server.authorization_endpoint) if server is not None else None
    return parts.netloc if parts is not None else ""


def client_text(state: State) -> str:
    """Which client the authorization server will see; empty where that is unknown."""
    if state.settings.client_id:
        return f"{state.settings.client_id} (from the settings of this server)"
    stored = state.stored_client
    if stored is not None and state.server is not None and stored.issuer == state.server.issuer:
        return f"{stored.id} (registered before)"
    if state.server is None:
        return ""
    if state.server.takes_client_documents and state.settings.client_metadata_url:
        return state.settings.client_metadata_url
    if state.server.takes_client_documents and state.settings.serves_client_metadata:
        return "described by a document on this computer"
    if state.server.registration_endpoint:
        return AUTOMATIC
    return NO_CLIENT


def what_happens(state: State) -> str:
    """What *Authorize…* does, or what is missing before it, in a sentence or two."""
    client = client_text(state)
    if client == NO_CLIENT:
        return "The authorization server offers no registration. Register a client there, and enter its ID in the settings."
    first = "Spyglass"
    if client == AUTOMATIC:
        first = "Spyglass registers at the authorization server, then"
    return (
        f"{first} shows the URL of the login page. It opens in your browser when you confirm it. "
        "The connection continues after the login."
    )


def _challenge_text(state: State) -> str:
    asked = [each.scheme for each in state.challenges.items]
    scheme = f"WWW-Authenticate: {', '.join(asked)}" if asked else "no WWW-Authenticate"
    error = state.challenges.get("error")
    return ", ".join(part for part in (f"HTTP {state.status}", scheme, error) if part)


def _resource_text(state: State) -> str:
    if state.resource is not None:
        return state.resource.document.url
    tried = [each.url for each in state.resource_documents]
    return f"not found at {' or '.join(tried)}" if tried else "not requested"
