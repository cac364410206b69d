"""Above the rows: the filter, and the buttons and the menu for the whole traffic."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from inspector.export.formats import JSON_LINES
from ui.models.traffic_cells import TimeFormat
from ui.traffic import columns
from ui.traffic.filtering import FilterHints
from ui.traffic.row_actions import add_secrets_choice
from ui.widgets.buttons import tool_button
from ui.widgets.filter_field import FilterField
from ui.widgets.labels import plain_label, set_tone
from ui.widgets.links import ElidedLink

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QToolButton

    from ui.theme import Theme
    from ui.traffic.panel import TrafficPanel

PLACEHOLDER = "Filter, e.g. method:tools/* status:error duration:>500ms"
FILTER_CHARACTERS = 18
"""Room for one term and a bit of another: no more fits a small screen with large text."""
STATE_CHARACTERS = 26
"""Room for the state, so that nothing moves while its numbers change."""


class TrafficBar(QWidget):
    """Filter, state and buttons.

    Signals:
        rows_requested: move the focus from the filter to the rows.
        pause_toggled: stop taking in new rows, or go on.
        clear_requested: hide the rows of now.
        follow_toggled: stick to the newest row, or stay.
        detail_toggled: show one frame whole, or not.
        menu_requested: open the menu.
        headers_requested: show HTTP headers as rows, too.
    """

    rows_requested = Signal()
    pause_toggled = Signal(bool)
    clear_requested = Signal()
    follow_toggled = Signal(bool)
    detail_toggled = Signal(bool)
    menu_requested = Signal()
    headers_requested = Signal()

    def __init__(
        self,
        *,
        theme: Theme,
        known: Callable[[], Mapping[str, Iterable[str]]],
        parent: QWidget | None = None,
    ) -> None:
        """`known` tells the names that are in the traffic, for suggestions."""
        super().__init__(parent)
        self.setObjectName("traffic_bar")
        self._theme = theme
        self._is_paused = False
        self._build(known)
        self._wire()
        self._refresh()

    def _build(self, known: Callable[[], Mapping[str, Iterable[str]]]) -> None:
        theme = self._theme
        self.filter = FilterField(
            theme=theme, placeholder=PLACEHOLDER, name="traffic_filter", parent=self
        )
        self.hints = FilterHints(line=self.filter.line, theme=theme, known=known, parent=self)
        self.state = plain_label(tone="muted", name="traffic_state", parent=self)
        self.state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.filter, 1, Qt.AlignmentFlag.AlignTop)
        self.hidden_http = ElidedLink(name="traffic_http_hidden", parent=self)
        self.hidden_http.setToolTip("HTTP headers and empty SSE events; click to show")
        self.hidden_http.hide()
        self._row.addWidget(self.hidden_http, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addWidget(self.state, 0, Qt.AlignmentFlag.AlignTop)
        self.pause = self._button("mdi6.pause", "Pause (hold back new frames)", "pause", check=True)
        self.clear = self._button("mdi6.broom", "Clear (hide current rows)", "clear")
        self.follow = self._button(
            "mdi6.arrow-collapse-down", "Follow newest row (End)", "follow", check=True
        )
        self.detail = self._button("mdi6.dock-right", "Show frame details", "detail", check=True)
        self.menu = self._button("mdi6.dots-horizontal", "More options", "menu")

    def _button(self, icon: str, text: str, name: str, *, check: bool = False) -> QToolButton:
        button = tool_button(
            self._theme, icon, text, name=f"traffic_{name}", checkable=check, parent=self
        )
        self._row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return button

    def _wire(self) -> None:
        self.filter.left_down.connect(self.rows_requested)
        self.pause.toggled.connect(self.pause_toggled)
        self.clear.clicked.connect(self.clear_requested)
        self.follow.toggled.connect(self.follow_toggled)
        self.detail.toggled.connect(self.detail_toggled)
        self.menu.clicked.connect(self.menu_requested)
        self.hidden_http.clicked.connect(self.headers_requested)
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        theme = self._theme
        self._row.setContentsMargins(
            theme.PADDING_PX, theme.SPACING_PX, theme.PADDING_PX, theme.SPACING_PX
        )
        self._row.setSpacing(theme.SPACING_PX)
        height = self.menu.sizeHint().height()
        if (column := self.filter.layout()) is not None:
            # In line with the buttons; aligned to the top, so that it stays when a problem appears under it.
            above = max(height - self.filter.line.sizeHint().height(), 0) // 2
            column.setContentsMargins(0, above, theme.SPACING_PX, 0)
        self.filter.setMinimumWidth(theme.character_width() * FILTER_CHARACTERS)
        self.state.setContentsMargins(0, 0, theme.PADDING_PX, 0)
        self.state.setFixedSize(theme.character_width() * STATE_CHARACTERS, height)

    def set_state(self, text: str, tone: str = "muted") -> None:
        """Say how many rows there are, or what is going on."""
        if text != self.state.text():
            self.state.setText(text)
        set_tone(self.state, tone)

    def set_hidden(self, text: str) -> None:
        """Show what is hidden, which a click shows; an empty `text` hides the link."""
        if text != self.hidden_http.whole_text():
            self.hidden_http.set_text(text)
            self.hidden_http.setVisible(bool(text))

    def set_paused(self, paused: bool) -> None:
        """Show whether it is paused."""
        self.pause.setChecked(paused)
        if paused != self._is_paused:  # another icon lays out the window again
            self._is_paused = paused
            self.pause.setIcon(self._theme.icon("mdi6.play" if paused else "mdi6.pause", "muted"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc goes on to the rows; what was typed stays."""
        if event.key() == Qt.Key.Key_Escape:
            self.rows_requested.emit()
        else:
            super().keyPressEvent(event)


_TIMES = {TimeFormat.CLOCK: "Time of day", TimeFormat.RELATIVE: "Time since the first frame"}
_SIDES = {
    Qt.Orientation.Horizontal: "Details on the right",
    Qt.Orientation.Vertical: "Details below",
}


class PanelMenu(QObject):
    """Makes the menu when it is wanted."""

    def __init__(self, panel: TrafficPanel) -> None:
        """For `panel`, which owns it."""
        super().__init__(panel)
        self._panel = panel

    def open(self) -> None:
        """Open it under its button."""
        button = self._panel.bar.menu
        menu = self.make()
        corner = button.mapToGlobal(button.rect().bottomRight())
        menu.popup(corner - QPoint(menu.sizeHint().width(), 0))

    def make(self) -> QMenu:
        """The menu as things are now."""
        panel = self._panel
        menu = QMenu(panel)
        menu.setObjectName("traffic_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        times = {text: partial(panel.model.set_time_format, key) for key, text in _TIMES.items()}
        _add_choice(menu, times, _TIMES[panel.model.time_format])
        menu.addSeparator()
        sides = {message: partial(panel.set_side, key) for key, message in _SIDES.items()}
        _add_choice(menu, sides, _SIDES[panel.splitter.orientation()])
        menu.addSeparator()
        stderr = menu.addAction("Show stderr lines")
        stderr.setCheckable(True)
        stderr.setChecked(panel.filtering.shows_stderr)
        stderr.toggled.connect(panel.filtering.show_stderr)
        counted = panel.filtering.http_text
        http = menu.addAction(f"Show HTTP headers{f' ({counted})' if counted else ''}")
        http.setCheckable(True)
        http.setChecked(panel.filtering.shows_http)
        http.toggled.connect(panel.filtering.show_http)
        header = panel.table.horizontalHeader()
        columns.add_choices(menu.addMenu("Columns"), header)
        menu.addAction("Reset columns", lambda: columns.reset(header, panel.theme))
        menu.addSeparator()
        earlier = menu.addAction("Show earlier rows", panel.model.show_earlier)
        earlier.setEnabled(panel.model.visible_frames.first > 0)
        menu.addAction("Copy all as JSON Lines", partial(panel.row_actions.copy_all, JSON_LINES))
        add_secrets_choice(menu, panel.row_actions)
        return menu


def _add_choice(menu: QMenu, choices: dict[str, Callable[[], None]], current: str) -> None:
    group = QActionGroup(menu)
    for text, run in choices.items():
        action = menu.addAction(text, run)
        action.setCheckable(True)
        action.setChecked(text == current)
        group.addAction(action)
