"""What *Authorize…* does in the window: a connection in which the user may log in, and the login page once its URL was seen.

Also what the user accepts of a server for that, and the credentials of servers without OAuth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject

from inspector.auth.flow import login_text
from inspector.session.session import SessionState
from ui.bind import bind
from ui.pages import AUTHORIZATION
from ui.shell.open_link import open_in_browser

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.flow import Flow
    from inspector.auth.settings import Waiver
    from inspector.config.profile import Profile
    from ui.shell.main_window import MainWindow

HEADERS = {
    "bearer": ("Authorization", "Bearer "),
    "basic": ("Authorization", "Basic "),
    "key": ("X-API-Key", ""),
}
"""Kind of credentials → the header that they are sent in, and how its value begins."""


class Logins(QObject):
    """The logins of one window."""

    def __init__(
        self, window: MainWindow, *, open_url: Callable[[str], None] = open_in_browser
    ) -> None:
        """Serve `window`; `open_url` opens the browser."""
        super().__init__(window)
        self._window = window
        self.open_url = open_url
        """Hands a URL to the system."""
        self._reported: Flow | None = None
        self._unbind: list[Callable[[], None]] = []

    def wire(self) -> None:
        """Begin, once the parts are in their places."""
        panel = self._window.workbench.steps.authorization
        panel.authorize_requested.connect(self._window.controller.authorize)
        panel.open_requested.connect(self.open_login)
        panel.waiver_requested.connect(self._on_waiver_requested)
        panel.steps_requested.connect(lambda: self._window.go(AUTHORIZATION.key))
        panel.credentials_requested.connect(self._on_credentials_requested)
        self._window.controller.shown.connect(self._on_shown)
        self._on_shown()
        self._window.traffic.authorization_requested.connect(
            lambda: self._window.go(AUTHORIZATION.key)
        )

    def open_login(self, url: str) -> None:
        """Open a login page whose URL the user saw whole."""
        self.open_url(url)

    def accept(self, waiver: Waiver) -> Profile | None:
        """Let the shown server break a rule from the next connection on; return it as it is now."""
        profile = self._shown()
        if profile is None:
            return None
        chosen = profile.authorization
        settings = replace(chosen, waivers=chosen.waivers | {waiver})
        changed = replace(profile, authorization=settings)
        self._window.servers.replace(changed)
        return changed

    def _on_shown(self) -> None:
        for unbind in self._unbind:
            unbind()
        self._unbind = []
        session = self._window.controller.session
        if session is not None and session.authorizer is not None:
            self._unbind = [bind(self, session.authorizer.changed, self._on_authorizer_changed)]
            self._on_authorizer_changed()

    def _on_authorizer_changed(self) -> None:
        for unbind in self._unbind[1:]:
            unbind()
        del self._unbind[1:]
        flow = self._flow
        if flow is not None:
            self._unbind.append(bind(self, flow.changed, self._report))

    @property
    def _flow(self) -> Flow | None:
        session = self._window.controller.session
        return session.authorizer.flow if session is not None and session.authorizer else None

    def _report(self) -> None:
        """Report a session that goes on, but has no token that the server accepts any more."""
        session, flow = self._window.controller.session, self._flow
        if session is None or session.session.state is not SessionState.READY:
            return
        if flow is not None and flow.needs_user and flow is not self._reported:
            self._reported = flow
            choice = ("Authorize…", "authorize_session", self._window.commands.authorization.run)
            text = login_text(flow.state)
            self._window.workbench.notice.say(
                f"{text[:1].upper()}{text[1:]}. Requests fail until you log in.",
                choice,
                tone="warning",
            )

    def _on_waiver_requested(self, waiver: Waiver) -> None:
        profile = self.accept(waiver)
        if profile is not None:
            self._window.controller.connect_to(profile, logs_in=True)

    def _on_credentials_requested(self, kind: str) -> None:
        profile = self._shown()
        if profile is not None:
            self._window.servers.edit(profile).form.headers.begin(*HEADERS[kind])

    def _shown(self) -> Profile | None:
        session = self._window.controller.session
        if session is None:
            return None
        return self._window.server_list.find(session.profile.id) or session.profile
