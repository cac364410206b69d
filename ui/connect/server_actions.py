"""Changes to the list of servers, with every question asked in place and every removal undoable; and copies of servers as JSON for other clients."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inspector.config.servers_file import mcp_json
from inspector.errors import InspectorError, StorageError
from inspector.wire.redaction import MASK
from inspector.workspace import is_closed
from ui.aio import spawn
from ui.connect.state_styles import APPLIES
from ui.widgets.clipboard import copy_text
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QMenu, QWidget

    from inspector.config.profile import Profile
    from inspector.config.server_list import Removed, ServerList
    from inspector.workspace import Workspace
    from ui.connect.editor import ServerEditor
    from ui.connect.notice_bar import NoticeBar
    from ui.theme import Theme


class ServerActions(QObject):
    """Adds, edits, duplicates and removes servers.

    Signals:
        settled: the list should move to this server (a `Profile`).
        connect_requested: the user clicked *Save and connect* (a `Profile`).
        disconnect_requested: a server that is connected is being removed (a `Profile`).
    """

    settled = Signal(object)
    connect_requested = Signal(object)
    disconnect_requested = Signal(object)

    def __init__(
        self,
        *,
        server_list: ServerList,
        workspace: Workspace,
        notice: NoticeBar,
        theme: Theme,
        parent: QWidget,
    ) -> None:
        """Ask and report in `notice`; editors open over the window of `parent`."""
        super().__init__(parent)
        self._server_list = server_list
        self._workspace = workspace
        self._notice = notice
        self._theme = theme
        self._parent = parent
        self._editor: ServerEditor | None = None

    def open_editor(self, profile: Profile | None, text: str = "") -> ServerEditor:
        """Open the editor; one that holds unsaved input comes to the front instead."""
        from ui.connect.editor import ServerEditor  # with all it needs, only now

        if self._editor is not None and self._editor.is_changed():
            self._editor.raise_()
            self._editor.activateWindow()
            return self._editor
        if self._editor is not None:
            self._editor.discard()
        editor = ServerEditor(
            server_list=self._server_list,
            theme=self._theme,
            profile=profile,
            recall=self._workspace.cached_era,
            pending=lambda: self._pending(profile) if profile is not None else None,
            parent=self._parent.window(),
        )
        editor.forget_requested.connect(self._workspace.forget_era)
        editor.saved.connect(self._on_saved)
        editor.finished.connect(self._on_editor_finished)
        self._editor = editor
        if text:
            editor.paste(text)
        editor.show()
        return editor

    def replace(self, profile: Profile) -> None:
        """Save a server in the place of the one with its identity, if it is in the list."""
        if self._server_list.find(profile.id) is not None:
            self._server_list.replace(profile)
            self.save()

    def duplicate(self, profile: Profile) -> None:
        """Put a copy behind a server, with its secrets where they can be read."""
        if profile.extracted:
            spawn(self, self._duplicate_opened(profile), name="duplicate a server")
        else:
            self._duplicate(profile)

    def ask_to_remove(self, profile: Profile, *, live: bool) -> None:
        """Ask in place whether to remove a server."""
        ending = " It will be disconnected." if live else ""
        self._notice.show_notice(
            f"Remove “{profile.name}”?{ending}",
            ("Remove", "confirm_remove", lambda: self._remove(profile, live=live)),
            ("Cancel", "keep_server", lambda: self.settled.emit(profile)),
            tone="warning",
        )
        self._notice.focus_choice()

    def save(self) -> None:
        """Write the list; a failure is shown in place, and can be tried again."""
        spawn(self, self._save(), name="save server list")

    def _duplicate(self, profile: Profile) -> None:
        copy = self._server_list.duplicate(profile)
        self.save()
        self.settled.emit(copy)

    async def _duplicate_opened(self, profile: Profile) -> None:
        with contextlib.suppress(StorageError):  # a note says that the copy lacks them
            profile = await self._server_list.resolve(profile)
        self._duplicate(profile)

    async def _save(self) -> None:
        try:
            await self._server_list.save()
        except InspectorError as error:
            text = f"Server list not saved: {error.reason}. {error.hint}".strip()
            self._notice.show_notice(text, ("Retry", "save_again", self.save), tone="error")

    def _remove(self, profile: Profile, *, live: bool) -> None:
        if live:
            self.disconnect_requested.emit(profile)
        removed = self._server_list.remove(profile.id)
        if removed is not None:
            self.save()
            undo = ("Undo", "undo_remove", lambda: self._restore(removed))
            self._notice.show_notice(f"Removed “{profile.name}”.", undo)

    def _restore(self, removed: Removed) -> None:
        self._server_list.restore(removed)
        self.save()
        self.settled.emit(removed.profile)

    def _on_saved(self, profiles: tuple[Profile, ...], connect: bool) -> None:
        for profile in profiles:
            self._server_list.replace(profile)
            self._workspace.rename(profile)
        self.save()
        first = self._server_list.find(profiles[0].id)
        if first is not None:
            self.settled.emit(first)
            if connect:
                self.connect_requested.emit(first)
            elif self._pending(first) is not None:
                again = ("Reconnect", "reconnect_edited", lambda: self._reconnect(first.id))
                self._notice.show_notice(APPLIES, again)

    def _reconnect(self, profile_id: str) -> None:
        profile = self._server_list.find(profile_id)
        if profile is not None:
            self._notice.clear()
            self.connect_requested.emit(profile)

    def _pending(self, profile: Profile) -> int | None:
        """Requests that wait for a response in the session that runs with a server; None without a running session."""
        opened = self._workspace.session_of(profile)
        if opened is None or is_closed(opened.session):
            return None
        return opened.session.transcript.counts.pending

    def _on_editor_finished(self) -> None:
        if self._editor is not None:
            self._editor.deleteLater()
            self._editor = None


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
            self._report_left_out(text.count(MASK), "Copy with secrets to have them in it.")

    async def _copy_resolved(self, profiles: Sequence[Profile]) -> None:
        try:
            resolved = [await self._server_list.resolve(profile) for profile in profiles]
        except StorageError as error:
            self._notice.show_notice(error.reason, tone="error")
            return
        copy_text(mcp_json(resolved, with_secrets=True))
        missing = sum(len(profile.extracted) for profile in resolved)
        self._report_left_out(missing, "The keyring no longer holds them.")

    def _report_left_out(self, count: int, why: str) -> None:
        if count:
            self._notice.show_notice(f"Copied without {plural(count, 'secret')}. {why}")
