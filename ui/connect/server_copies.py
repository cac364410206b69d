"""Copies servers as JSON for other clients; secrets leave only when the person asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inspector.config.servers_file import mcp_json
from inspector.errors import StorageError
from inspector.wire.redaction import MASK
from ui.aio import spawn
from ui.widgets.clipboard import copy_text
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QMenu, QWidget

    from inspector.config.profile import Profile
    from inspector.config.server_list import ServerList
    from ui.connect.notice_bar import NoticeBar


class ServerCopies(QObject):
    """What *Copy as mcp.json* does."""

    def __init__(self, server_list: ServerList, notice: NoticeBar, *, parent: QWidget) -> None:
        """Copy servers of `server_list`; what fails is told in `notice`."""
        super().__init__(parent)
        self._server_list = server_list
        self._notice = notice

    def add_to(self, menu: QMenu, profile: Profile | None) -> None:
        """Put a menu of its own into `menu`, with entries for one server only where there is a `profile`."""
        rows = (
            ("This server", "copy_mcp_json", [profile] if profile is not None else []),
            ("All servers", "copy_all_mcp_json", self._server_list.profiles),
        )
        copies = menu.addMenu("Copy as mcp.json")
        copies.setObjectName("copy_as_mcp_json")
        copies.setEnabled(bool(self._server_list.profiles))
        for text, name, profiles in rows:
            if not profiles:
                continue
            for secrets, more in ((False, ""), (True, ", with secrets")):
                action = copies.addAction(f"{text}{more}")
                action.setObjectName(f"{name}_with_secrets" if secrets else name)
                action.triggered.connect(
                    lambda _checked=False, profiles=profiles, secrets=secrets: self.copy(
                        profiles, with_secrets=secrets
                    )
                )

    def copy(self, profiles: Sequence[Profile], *, with_secrets: bool = False) -> None:
        """Put `profiles` on the clipboard."""
        if with_secrets:
            spawn(self, self._copy_resolved(tuple(profiles)), name="copy servers with secrets")
        else:
            text = mcp_json(profiles)
            copy_text(text)
            self._tell_left_out(text.count(MASK), "Copy with secrets to have them in it.")

    async def _copy_resolved(self, profiles: Sequence[Profile]) -> None:
        try:
            resolved = [await self._server_list.resolve(profile) for profile in profiles]
        except StorageError as error:
            self._notice.say(error.reason, tone="error")
            return
        copy_text(mcp_json(resolved, with_secrets=True))
        missing = sum(len(profile.extracted) for profile in resolved)
        self._tell_left_out(missing, "The keyring no longer holds them.")

    def _tell_left_out(self, count: int, why: str) -> None:
        if count:
            self._notice.say(f"Copied without {plural(count, 'secret')}. {why}")
