"""The commands of the Authorization page in the Session menu."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace
from PySide6.QtCore import QObject

from inspector.session.session_state import SessionState
from ui.bind import Bindings, bind
from ui.pages import AUTHORIZATION
from ui.shell.actions import Command, CommandGroup
from ui.shell.open_link import open_in_browser

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.authorizer import Authorizer
    from inspector.auth.flow import Flow
    from inspector.auth.settings import Waiver
    from inspector.config.profile import Profile
    from ui.connect.authorization_panel import AuthorizationPanel
    from ui.features.authorization.content import AuthorizationContent
    from ui.features.authorization.page import AuthorizationPage
    from ui.page import Page
    from ui.shell.main_window import MainWindow
    from ui.shell.window_parts import WindowParts


class AuthorizationCommands(CommandGroup):
    """Runs the authorization of the shown server, and acts on its tokens."""

    menu = "&Session"

    def rows(self) -> tuple[Command, ...]:
        """The commands, in order."""
        rows: tuple[tuple[str, str, Callable[[AuthorizationContent], object], str], ...] = (
            ("authorize", "Run aut&horization", lambda content: content.run(), "run"),
            (
                "authorize_step",
                "Run &next authorization step",
                lambda content: content.step(),
                "run",
            ),
            (
                "authorize_stop",
                "Stop authori&zation",
                lambda content: content.runner.stop(),
                "stop",
            ),
            (
                "token_refresh",
                "Re&fresh access token",
                lambda content: content.token_commands.refresh(),
                "token",
            ),
            (
                "token_expire",
                "Treat access token as e&xpired",
                lambda content: content.token_commands.expire(),
                "token",
            ),
            (
                "token_break",
                "Send a &broken token",
                lambda content: content.token_commands.send_broken(),
                "token",
            ),
        )
        return tuple(
            Command(
                key,
                text,
                partial(self._run, run),
                enabled=partial(self._can_run, needs),
                separated=key == rows[0][0],
            )
            for key, text, run, needs in rows
        )

    def run(self) -> None:
        """Show the page of the displayed server and run its authorization, even if the menu was not updated yet."""
        self._run(lambda content: content.run())

    @property
    def _authorizer(self) -> Authorizer | None:
        session = self.parts.controller.session
        return session.authorizer if session is not None else None

    def _run(self, run: Callable[[AuthorizationContent], object]) -> None:
        if self._authorizer is not None:
            run(cast("AuthorizationPage", self.window.go(AUTHORIZATION.key)).content)

    def _can_run(self, needs: str) -> bool:
        authorizer = self._authorizer
        if authorizer is None:
            return False
        if needs == "token":
            return authorizer.grant is not None
        is_running = authorizer.flow is not None and authorizer.flow.is_running
        return is_running if needs == "stop" else not is_running


HEADERS = {
    "bearer": ("Authorization", "Bearer "),
    "basic": ("Authorization", "Basic "),
    "key": ("X-API-Key", ""),
}
"""Kind of credentials → the header that they are sent in, and how its value begins."""


class Logins(QObject):
    """The logins of one window."""

    def __init__(
        self,
        window: MainWindow,
        parts: WindowParts,
        *,
        run: Callable[[], None],
        edit: Callable[[], None],
    ) -> None:
        """Serve `window`; `run` authorizes the displayed server, `edit` opens its profile."""
        super().__init__(window)
        self._window = window
        self._parts = parts
        self._run = run
        self._edit = edit
        self.open_url: Callable[[str], None] = open_in_browser
        """Hands a URL to the system."""
        self._reported: Flow | None = None
        self._session_binding = Bindings()
        self._flow_binding = Bindings()
        self._wire()

    def _wire(self) -> None:
        parts = self._parts
        parts.workbench.steps.authorization_made.connect(self._on_panel_made)
        parts.workbench.page_made.connect(self._on_page_made)
        parts.traffic.authorization_requested.connect(self._show_page)
        parts.controller.session_changed.connect(self._on_session_changed)
        self._on_session_changed()

    def _show_page(self) -> None:
        self._window.go(AUTHORIZATION.key)

    def _on_panel_made(self, panel: AuthorizationPanel) -> None:
        panel.authorize_requested.connect(self._parts.controller.authorize)
        panel.open_requested.connect(self.open_login)
        panel.waiver_requested.connect(self._on_waiver_requested)
        panel.steps_requested.connect(self._show_page)
        panel.credentials_requested.connect(self._on_credentials_requested)

    def _on_page_made(self, page: Page) -> None:
        if page.info is AUTHORIZATION:
            authorization = cast("AuthorizationPage", page)
            authorization.edit_requested.connect(self._edit)
            authorization.browser_requested.connect(self.open_login)
            authorization.waiver_accepted.connect(self.accept)

    def open_login(self, url: str) -> None:
        """Open a login page whose URL the user saw whole."""
        self.open_url(url)

    def accept(self, waiver: Waiver) -> Profile | None:
        """Let the shown server break a rule from the next connection on; return it as it is now."""
        profile = self._profile
        if profile is None:
            return None
        chosen = profile.authorization
        settings = replace(chosen, waivers=chosen.waivers | {waiver})
        changed = replace(profile, authorization=settings)
        self._parts.servers.replace(changed)
        return changed

    def _on_session_changed(self) -> None:
        self._session_binding.replace()
        self._flow_binding.replace()
        session = self._parts.controller.session
        if session is not None and session.authorizer is not None:
            changed = session.authorizer.changed
            self._session_binding.replace(bind(self, changed, self._on_authorizer_changed))
            self._on_authorizer_changed()

    def _on_authorizer_changed(self) -> None:
        flow = self._flow
        self._flow_binding.replace(*([bind(self, flow.changed, self._report)] if flow else []))

    @property
    def _flow(self) -> Flow | None:
        session = self._parts.controller.session
        return session.authorizer.flow if session is not None and session.authorizer else None

    def _report(self) -> None:
        """Report a session that goes on, but has no token that the server accepts any more."""
        session, flow = self._parts.controller.session, self._flow
        if session is None or session.session.state is not SessionState.READY:
            return
        if flow is not None and flow.needs_user and flow is not self._reported:
            from inspector.auth.flow import login_text  # most servers need no login

            self._reported = flow
            choice = ("Authorize…", "authorize_session", self._run)
            text = login_text(flow.state)
            self._parts.workbench.notice.show_notice(
                f"{text[:1].upper()}{text[1:]}. Requests fail until you log in.",
                choice,
                tone="warning",
            )

    def _on_waiver_requested(self, waiver: Waiver) -> None:
        profile = self.accept(waiver)
        if profile is not None:
            self._parts.controller.connect_to(profile, logs_in=True)

    def _on_credentials_requested(self, kind: str) -> None:
        profile = self._profile
        if profile is not None:
            self._parts.servers.edit(profile).form.headers.begin(*HEADERS[kind])

    @property
    def _profile(self) -> Profile | None:
        session = self._parts.controller.session
        if session is None:
            return None
        return self._parts.server_list.find(session.profile.id) or session.profile
