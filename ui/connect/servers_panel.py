"""The servers dock: every server with its state, and what can be done with the selected one. In narrow windows it is a rail of dots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QListView, QMenu, QStackedLayout, QWidget

from inspector.config.profile import Profile, endpoint_text
from ui.bind import bind, bind_coalesced
from ui.connect.notice_bar import NoticeBar
from ui.connect.server_actions import ServerActions, ServerCopies
from ui.connect.servers_delegate import RAIL_WIDTH, ServerDelegate
from ui.connect.servers_model import ServersModel
from ui.connect.state_styles import is_live
from ui.theme import tokens
from ui.theme.signs import Sign
from ui.widgets.buttons import tool_button
from ui.widgets.clipboard import copy_text
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.list_parts import CurrentRowKeeper

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.config.server_list import ServerList
    from inspector.workspace import Workspace
    from ui.connect.editor import ServerEditor
    from ui.theme import Theme

TITLE_HEIGHT = 34
"""Of the line with the title and the button that adds a server, at 100%."""

NOTICE_WIDTH = 320
"""Of a notice that lies beside the rail, at 100%."""

MIN_WIDTH = 120
"""Of the list, at 100%."""

MAX_WIDTH = (1 << 24) - 1
"""What Qt takes for no limit."""

ON_ROW = ("toggle", "reconnect", "edit", "duplicate", "copy", "remove")
"""Actions that need a server."""


class ServersPanel(QWidget):
    """The list of servers.

    Signals:
        selected: the user selected this server (a `Profile`).
        connect_requested: connect to this server; `ServerList.resolve` fetches its secrets first.
        disconnect_requested: end the session with this server.
    """

    selected = Signal(object)
    connect_requested = Signal(object)
    disconnect_requested = Signal(object)

    def __init__(
        self,
        *,
        server_list: ServerList,
        workspace: Workspace,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """Show what `server_list` holds and what is open in `workspace`."""
        super().__init__(parent)
        self.setObjectName("servers_panel")
        self.setAccessibleName("Servers")
        self._server_list = server_list
        self._workspace = workspace
        self._theme = theme
        self._is_compact = False
        self._current_id = ""
        self._reported: tuple[str, ...] = ()
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self.model = ServersModel(
            server_list=self._server_list, workspace=self._workspace, parent=self
        )
        self._list = QListView(self)
        self._list.setProperty("surface", "window")
        self._list.setObjectName("servers_list")
        self._list.setAccessibleName("Servers")
        self._list.setModel(self.model)
        self._delegate = ServerDelegate(model=self.model, theme=theme, parent=self._list)
        self._list.setItemDelegate(self._delegate)
        self._list.setUniformItemSizes(True)
        self._list.setProperty("surface", "window")
        self._list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        CurrentRowKeeper(self._list)
        self._none = plain_label("No servers", tone="muted", name="no_servers", parent=self)
        self._none.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._notice = NoticeBar(theme=theme, name="servers_notice", parent=self)
        self._edits = ServerActions(
            server_list=self._server_list,
            workspace=self._workspace,
            notice=self._notice,
            theme=theme,
            parent=self,
        )
        self.copies = ServerCopies(self._server_list, self._notice, parent=self)
        self._actions = self._make_actions()
        self._arrange()

    def _make_actions(self) -> dict[str, QAction]:
        with_current = self._with_current
        rows: tuple[tuple[str, str, str, Callable[[], object]], ...] = (
            ("toggle", "Connect", "Return", self._on_toggle),
            ("reconnect", "Reconnect", "", lambda: with_current(self.connect_requested.emit)),
            ("edit", "Edit…", "F2", lambda: self._edits.open_editor(self.current())),
            ("duplicate", "Duplicate", "Ctrl+D", lambda: with_current(self._edits.duplicate)),
            ("copy", "Copy command or URL", "Ctrl+C", lambda: with_current(_copy_endpoint)),
            ("paste", "Paste as new server", "Ctrl+V", self._on_paste),
            ("remove", "Remove…", "Del", self._on_remove),
        )
        actions: dict[str, QAction] = {}
        for name, text, keys, act in rows:
            action = actions[name] = QAction(text, self)
            action.setObjectName(f"server_{name}")
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(lambda _checked=False, act=act: act())
            self._list.addAction(action)
        actions["toggle"].setShortcuts([QKeySequence("Return"), QKeySequence("Enter")])
        return actions

    def _arrange(self) -> None:
        theme = self._theme
        self.title_line = QWidget(self)
        self.title_line.setObjectName("servers_title")
        self._title = plain_label("Servers", tone="muted", parent=self.title_line)
        self._add = tool_button(
            theme, Sign.ADD, "Add server", name="add_server", parent=self.title_line
        )
        self._title_row = row_layout(self.title_line, self._title, space=0)
        self._title_row.addStretch(1)
        self._title_row.addWidget(self._add)
        self._stack = QStackedLayout()
        self._stack.addWidget(self._list)
        self._stack.addWidget(self._none)
        self._column = column_layout(self, self.title_line, space=0)
        self._column.addLayout(self._stack, 1)
        self._column.addWidget(self._notice)
        self._dress()

    def _wire(self) -> None:
        self._list.selectionModel().currentChanged.connect(self._on_current_changed)
        self._list.clicked.connect(self._on_clicked)
        self._list.doubleClicked.connect(self._on_double_clicked)
        self._list.customContextMenuRequested.connect(self._on_menu_requested)
        self._add.clicked.connect(lambda: self.add())
        self._notice.displayed.connect(self._position_notice)
        self._edits.settled.connect(self.select)
        self._edits.connect_requested.connect(self.connect_requested)
        self._edits.disconnect_requested.connect(self.disconnect_requested)
        self.model.modelReset.connect(self._on_model_reset)
        bind(self, self._server_list.changed, self._refresh)
        bind_coalesced(self, self._workspace.changed, self._refresh)
        self._theme.changed.connect(self._dress)

    def _refresh(self) -> None:
        self._stack.setCurrentIndex(0 if self.model.rowCount() else 1)
        profile = self.current()
        live = profile is not None and is_live(self.model.session(profile))
        self._actions["toggle"].setText("Disconnect" if live else "Connect")
        for name in ON_ROW:
            self._actions[name].setEnabled(profile is not None)
        self._actions["reconnect"].setVisible(live)
        if self._server_list.notes != self._reported:
            self._reported = self._server_list.notes
            if self._reported:
                self._notice.show_notice("\n".join(self._reported), tone="warning")

    def current(self) -> Profile | None:
        """The selected server."""
        return self.model.profile(self._list.currentIndex().row())

    def select(self, profile: Profile) -> None:
        """Move to a server, with the keyboard."""
        row = self.model.row_of(profile.id)
        if row >= 0:
            self._list.setCurrentIndex(self.model.index(row))
            self._list.setFocus(Qt.FocusReason.OtherFocusReason)

    def clear_selection(self) -> None:
        """Select nothing: what is shown belongs to no server of the list."""
        self._current_id = ""
        self._list.setCurrentIndex(QModelIndex())

    def act(self, name: str) -> None:
        """Do what the action of that name does with the selected server."""
        self._actions[name].trigger()

    def add(self, text: str = "") -> ServerEditor:
        """Open the editor for a new server, perhaps with a pasted text."""
        return self._edits.open_editor(None, text)

    def edit(self, profile: Profile) -> ServerEditor:
        """Open the editor for a server."""
        return self._edits.open_editor(profile)

    def replace(self, profile: Profile) -> None:
        """Save a server in the place of the one with its identity."""
        self._edits.replace(profile)

    def set_compact(self, compact: bool) -> None:
        """Show a rail of dots and two letters, or rows with names."""
        if compact != self._is_compact:
            self._is_compact = self._delegate.is_compact = compact
            self._dress()
            self._position_notice()

    def _dress(self) -> None:
        px, compact = self._theme.px, self._is_compact
        self._title.setFont(self._theme.font(tokens.SMALL, bold=True))
        self._title.setHidden(compact)
        self.title_line.setFixedHeight(px(TITLE_HEIGHT))
        side = 0 if compact else px(tokens.DENSE_PADDING_PX)
        # The icon of the button ends where the texts of the rows end.
        self._title_row.setContentsMargins(side, 0, side // 2, 0)
        self._none.setContentsMargins(side, px(4), side, 0)
        self._none.setText("" if compact else "No servers")
        self.setMinimumWidth(px(RAIL_WIDTH if compact else MIN_WIDTH))
        self.setMaximumWidth(px(RAIL_WIDTH) if compact else MAX_WIDTH)
        policy = Qt.ScrollBarPolicy
        self._list.setVerticalScrollBarPolicy(
            policy.ScrollBarAlwaysOff if compact else policy.ScrollBarAsNeeded
        )
        self._list.doItemsLayout()

    def _position_notice(self) -> None:
        """Put the notice under the rows; the rail has no room for it."""
        if self._is_compact:
            self._notice.lie_beside(self, self._theme.px(NOTICE_WIDTH))
        elif self._notice.parentWidget() is not self:
            self._notice.put_under(self._column)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The notice stays beside the rail."""
        super().resizeEvent(event)
        self._position_notice()

    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        self._refresh()
        profile = self.model.profile(current.row())
        if profile is not None and profile.id != self._current_id:
            self._current_id = profile.id
            self.selected.emit(profile)

    def _on_clicked(self, index: QModelIndex) -> None:
        """Show a server that is selected already: what is shown may be something else."""
        profile = self.model.profile(index.row())
        if profile is not None:
            self.selected.emit(profile)

    def _on_model_reset(self) -> None:
        row = self.model.row_of(self._current_id)
        if row >= 0:
            self._list.setCurrentIndex(self.model.index(row))
        self._refresh()

    def _on_double_clicked(self, index: QModelIndex) -> None:
        profile = self.model.profile(index.row())
        if profile is not None and not is_live(self.model.session(profile)):
            self.connect_requested.emit(profile)

    def _on_toggle(self) -> None:
        if (profile := self.current()) is not None:
            live = is_live(self.model.session(profile))
            (self.disconnect_requested if live else self.connect_requested).emit(profile)

    def _with_current(self, act: Callable[[Profile], object]) -> None:
        if (profile := self.current()) is not None:
            act(profile)

    def _on_paste(self) -> None:
        self.add(QGuiApplication.clipboard().text())

    def _on_remove(self) -> None:
        if (profile := self.current()) is not None:
            live = is_live(self.model.session(profile))
            self._edits.ask_to_remove(profile, live=live)

    def _on_menu_requested(self, position: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        on_row = self._list.indexAt(position).isValid()
        for name in ON_ROW if on_row else ("paste",):
            if self._actions[name].isVisible():
                menu.addAction(self._actions[name])
        self.copies.add_to(menu, self.current() if on_row else None)
        menu.popup(self._list.viewport().mapToGlobal(position))


def _copy_endpoint(profile: Profile) -> None:
    copy_text(endpoint_text(profile))
