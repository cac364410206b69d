"""The commands of the Authorization page in the Session menu."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ui.pages import AUTHORIZATION
from ui.shell.actions import Command

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.features.authorization.page import AuthorizationPage
    from ui.shell.main_window import MainWindow

MENU = "&Session"


class AuthorizationCommands:
    """Runs the authorization of the shown server, and acts on its tokens."""

    def __init__(self, window: MainWindow) -> None:
        """Act on `window`."""
        self._window = window

    def rows(self) -> tuple[Command, ...]:
        """The commands, in order."""
        rows: tuple[tuple[str, str, Callable[[AuthorizationPage], object], str], ...] = (
            ("authorize", "Run aut&horization", lambda page: page.run(), "run"),
            ("authorize_step", "Run &next authorization step", lambda page: page.step(), "run"),
            ("authorize_stop", "Stop authori&zation", lambda page: page.runner.stop(), "stop"),
            (
                "token_refresh",
                "Re&fresh access token",
                lambda page: page.token_commands.refresh(),
                "token",
            ),
            (
                "token_expire",
                "Treat access token as e&xpired",
                lambda page: page.token_commands.expire(),
                "token",
            ),
            (
                "token_break",
                "Send a &broken token",
                lambda page: page.token_commands.send_broken(),
                "token",
            ),
        )
        return tuple(
            Command(
                key,
                MENU,
                text,
                self._runner(run),
                enabled=self._checker(needs),
                separated=key == rows[0][0],
            )
            for key, text, run, needs in rows
        )

    def run(self) -> None:
        """Show the page of the shown server and run its authorization, whether the menu has followed yet or not."""
        self._runner(lambda page: page.run())()

    @property
    def _page(self) -> AuthorizationPage | None:
        """The page, where a server is shown that a token can be sent to."""
        session = self._window.controller.session
        if session is None or session.authorizer is None:
            return None
        return cast("AuthorizationPage", self._window.workbench.page(AUTHORIZATION.key))

    def _runner(self, run: Callable[[AuthorizationPage], object]) -> Callable[[], None]:
        def act() -> None:
            page = self._page
            if page is not None:
                self._window.go(AUTHORIZATION.key)
                run(page)

        return act

    def _checker(self, needs: str) -> Callable[[], bool]:
        def can_act() -> bool:
            session = self._window.controller.session
            authorizer = session.authorizer if session is not None else None
            if authorizer is None:
                return False
            if needs == "token":
                return authorizer.grant is not None
            is_running = authorizer.flow is not None and authorizer.flow.is_running
            return is_running if needs == "stop" else not is_running

        return can_act
