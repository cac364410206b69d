"""The menu beside the name of the server: every server with its state, to show another one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from inspector.visible_text import one_line
from ui.connect.state_styles import style_of
from ui.widgets.labels import no_mnemonic

if TYPE_CHECKING:
    from inspector.config.profile import Profile
    from inspector.config.server_list import ServerList
    from inspector.workspace import Workspace
    from ui.shell.actions import Actions
    from ui.shell.session_controller import SessionController

MAX_SERVERS = 20
"""Servers in the menu; the command palette finds all."""

NAME_LENGTH = 60
"""Characters of a server's name."""


class ServerMenu(QMenu):
    """Filled when it opens; the server that is displayed is checked."""

    def __init__(
        self,
        *,
        controller: SessionController,
        server_list: ServerList,
        workspace: Workspace,
        actions: Actions,
        parent: QWidget,
    ) -> None:
        """List what is in `server_list`, with the states of the sessions in `workspace`; `controller` shows the selected server."""
        super().__init__(parent)
        self.setObjectName("server_menu")
        self.setAccessibleName("Servers")
        self._controller = controller
        self._server_list = server_list
        self._workspace = workspace
        self._actions = actions
        self._servers = QActionGroup(self)
        self.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        self.clear()
        for action in self._servers.actions():
            self._servers.removeAction(action)
            action.deleteLater()
        profiles = self._server_list.profiles
        for profile in profiles[:MAX_SERVERS]:
            self._add(profile)
        if len(profiles) > MAX_SERVERS:
            self.addAction(self._actions["palette"])
        if profiles:
            self.addSeparator()
        self.addAction(self._actions["add"])

    def _add(self, profile: Profile) -> None:
        session = self._workspace.session_of(profile)
        look = style_of(session.session if session is not None else None)
        name = no_mnemonic(one_line(profile.name or "Unnamed server", NAME_LENGTH))
        action = self.addAction(f"{name}\t{look.text}")
        action.setActionGroup(self._servers)
        action.setCheckable(True)
        current = self._controller.profile
        action.setChecked(current is not None and current.id == profile.id)
        action.triggered.connect(partial(self._show, profile))

    def _show(self, profile: Profile, _checked: bool = False) -> None:
        self._controller.show_profile(profile)
