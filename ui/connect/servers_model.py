"""The rows of the servers dock: what is saved, then what is open without being saved.

Holds no second copy: everything is read from the list of servers and the workspace.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inspector.config.profile import endpoint_text
from inspector.config.profile_warnings import is_unchecked
from inspector.frozen import FrozenStruct
from inspector.session.transport_factory import transport_kind
from ui.bind import bind, bind_coalesced
from ui.connect.authorization_need import offers_login
from ui.connect.state_styles import is_filled, state_line, state_text, style_of
from ui.widgets.delegates import SECONDARY_ROLE
from ui.widgets.labels import tool_tip
from ui.widgets.units import plural

if TYPE_CHECKING:
    from inspector.config.profile import Profile
    from inspector.config.server_list import ServerList
    from inspector.session.session import Session
    from inspector.workspace import Workspace

Index: TypeAlias = QModelIndex | QPersistentModelIndex

NOT_VERIFIED = "certificate not verified"
LOGIN_PENDING = "login waiting for you"
RECORDS_SECRETS = "secrets are recorded in clear"


class ServerRow(FrozenStruct, frozen=True):
    """What is painted of a server."""

    name: str
    """The name that the user gave it."""
    text: str
    """The second line: its revision, or what is wrong."""
    tone: str
    """The color of that, by name."""
    dot: str
    """The color of the dot, by name."""
    is_filled: bool
    """Whether the dot is a disk; a server without a session has a ring."""
    transport: str
    """How it is reached, in one short term."""
    warnings: tuple[str, ...]
    """What stays in sight as long as it is so."""
    pending: int
    """How many of its requests wait for the user."""
    has_login: bool
    """Whether its login page waits for the user, or is offered."""

    @property
    def needs_user(self) -> bool:
        """Whether anything of it waits for the user."""
        return self.pending > 0 or self.has_login


class ServersModel(QAbstractListModel):
    """One row for each server."""

    def __init__(
        self,
        *,
        server_list: ServerList,
        workspace: Workspace,
        parent: QObject | None = None,
    ) -> None:
        """Follow `server_list` and `workspace`."""
        super().__init__(parent)
        self._server_list = server_list
        self._workspace = workspace
        self._profiles: tuple[Profile, ...] = self._all()
        bind(self, server_list.changed, self._on_list_changed)
        progressed = workspace.authorizers.progressed
        for event in (workspace.changed, workspace.inbox.changed, progressed):
            bind_coalesced(self, event, self._on_list_changed)

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

    def row(self, index: Index) -> ServerRow | None:
        """What is painted at `index`."""
        profile = self.profile(index.row())
        if profile is None:
            return None
        session = self.session(profile)
        line, look = state_line(session), style_of(session)
        return ServerRow(
            profile.name,
            line.text if self.is_saved(profile) else f"{line.text} · unsaved",
            line.tone,
            look.tone,
            is_filled(session),
            transport_kind(profile.transport).badge,
            _warnings(profile),
            self._pending(session),
            offers_login(session) or profile.id in self._workspace.authorizers.pending_logins(),
        )

    def data(self, index: Index, role: int = 0) -> object:
        """The name, the second line, and the texts of what is painted."""
        profile, row = self.profile(index.row()), self.row(index)
        if profile is None or row is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.name
            case Qt.ItemDataRole.ToolTipRole:
                where = endpoint_text(profile)
                return tool_tip("\n".join((row.name, where, *self._texts(profile, row))))
            case Qt.ItemDataRole.AccessibleTextRole:
                state, *rest = self._texts(profile, row)
                return ", ".join((row.name, state, row.transport, *rest))
            case _:
                return row.text if role == SECONDARY_ROLE else None

    def _texts(self, profile: Profile, row: ServerRow) -> tuple[str, ...]:
        """State, warnings and pending requests of a server in full."""
        pending = f"{plural(row.pending, 'request')} waiting for you" if row.pending else ""
        login = LOGIN_PENDING if row.has_login else ""
        texts = (state_text(self.session(profile)), *row.warnings, pending, login)
        return tuple(text for text in texts if text)

    def _pending(self, session: Session | None) -> int:
        pending = self._workspace.inbox.pending
        return sum(item.origin is session for item in pending) if session is not None else 0

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


def _warnings(profile: Profile) -> tuple[str, ...]:
    found = {NOT_VERIFIED: is_unchecked(profile), RECORDS_SECRETS: profile.record_secrets}
    return tuple(text for text, holds in found.items() if holds)
