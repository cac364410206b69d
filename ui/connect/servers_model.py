"""The rows of the servers dock: what is saved, then what is open without being saved.

Holds no second copy: everything is read from the list of servers and the workspace.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inspector.config.profile import endpoint_text
from inspector.config.profile_warnings import is_unchecked
from inspector.session.transport_factory import transport_kind
from ui.bind import bind, bind_coalesced
from ui.connect.state_styles import state_text, style_of
from ui.widgets.delegates import BADGES_ROLE, SECONDARY_ROLE
from ui.widgets.labels import tool_tip

if TYPE_CHECKING:
    from inspector.config.profile import Profile
    from inspector.config.server_list import ServerList
    from inspector.session.session import Session
    from inspector.workspace import Workspace
    from ui.theme import Theme

Index: TypeAlias = QModelIndex | QPersistentModelIndex

NOT_VERIFIED, RECORDS_SECRETS = "unverified", "records secrets"
STATE_TEXTS = {
    NOT_VERIFIED: "certificate not verified",
    RECORDS_SECRETS: "secrets are recorded in clear",
}
"""Badge that warns → its text for assistive technology."""


class ServersModel(QAbstractListModel):
    """One row for each server."""

    def __init__(
        self,
        *,
        server_list: ServerList,
        workspace: Workspace,
        theme: Theme,
        parent: QObject | None = None,
    ) -> None:
        """Follow `server_list` and `workspace`."""
        super().__init__(parent)
        self._server_list = server_list
        self._workspace = workspace
        self._theme = theme
        self._profiles: tuple[Profile, ...] = self._all()
        bind(self, server_list.changed, self._on_list_changed)
        bind_coalesced(self, workspace.changed, self._on_list_changed)

    def _all(self) -> tuple[Profile, ...]:
        saved = self._server_list.profiles
        known = {profile.id for profile in saved}
        others = (opened.profile for opened in self._workspace.sessions)
        unsaved = {item.id: item for item in others if item.id not in known}
        return (*saved, *unsaved.values())

    def profile(self, row: int) -> Profile | None:
        """The server in a row."""
        return self._profiles[row] if 0 <= row < len(self._profiles) else None

    def row_of(self, profile_id: str) -> int:
        """The row of a server; -1 if it has none."""
        rows = (row for row, item in enumerate(self._profiles) if item.id == profile_id)
        return next(rows, -1)

    def session(self, profile: Profile) -> Session | None:
        """The latest session with a server."""
        opened = self._workspace.session_of(profile)
        return opened.session if opened is not None else None

    def is_saved(self, profile: Profile) -> bool:
        """Whether the list holds it."""
        return self._server_list.find(profile.id) is not None

    def rowCount(self, parent: Index | None = None) -> int:
        """How many servers there are."""
        return 0 if parent is not None and parent.isValid() else len(self._profiles)

    def data(self, index: Index, role: int = 0) -> object:
        """What a row shows."""
        profile = self.profile(index.row())
        if profile is None:
            return None
        session = self.session(profile)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return profile.name
            case Qt.ItemDataRole.DecorationRole:
                look = style_of(session)
                return self._theme.icon(look.icon, look.tone)
            case Qt.ItemDataRole.ToolTipRole:
                return tool_tip(f"{profile.name}\n{endpoint_text(profile)}\n{state_text(session)}")
            case Qt.ItemDataRole.AccessibleTextRole:
                text = f"{profile.name}, {state_text(session)}, {transport_kind(profile.transport).badge}"
                return ", ".join([text, *(STATE_TEXTS[badge] for badge in _warnings(profile))])
            case _:
                return self._extra(profile, session, role)

    def _extra(self, profile: Profile, session: Session | None, role: int) -> object:
        if role == SECONDARY_ROLE:
            text = state_text(session)
            return text if self.is_saved(profile) else f"{text} · unsaved"
        if role == BADGES_ROLE:
            warnings = [(badge, "warning") for badge in _warnings(profile)]
            return [*warnings, (transport_kind(profile.transport).badge, "muted")]
        return None

    def _on_list_changed(self) -> None:
        fresh = self._all()
        ids = [profile.id for profile in fresh]
        if ids != [profile.id for profile in self._profiles]:
            self.beginResetModel()
            self._profiles = fresh
            self.endResetModel()
        elif fresh:
            self._profiles = fresh
            self.dataChanged.emit(self.index(0), self.index(len(fresh) - 1))


def _warnings(profile: Profile) -> list[str]:
    """The badges of what stays in sight as long as it is so."""
    found = {NOT_VERIFIED: is_unchecked(profile), RECORDS_SECRETS: profile.record_secrets}
    return [badge for badge, holds in found.items() if holds]
