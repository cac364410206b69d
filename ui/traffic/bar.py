"""Above the rows: the filter, and the buttons and the menu for the whole traffic."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QWidget

from inspector.export.formats import JSON_LINES
from ui.models.traffic_cells import TimeFormat
from ui.theme import tokens
from ui.theme.signs import Sign
from ui.traffic import notices
from ui.traffic.filter_hints import FilterHints
from ui.traffic.row_actions import add_secrets_choice
from ui.traffic.saved_filters import SavedFilterLinks
from ui.widgets.buttons import tool_button
from ui.widgets.filter_field import FilterField
from ui.widgets.labels import set_tone
from ui.widgets.links import ElidedLink
from ui.widgets.segmented_control import SegmentedControl
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent
    from PySide6.QtWidgets import QToolButton

    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme
    from ui.traffic.notices import Hidden
    from ui.traffic.panel import TrafficPanel

PLACEHOLDER = "Filter, e.g. method:tools/* status:error duration:>500ms"
FILTER_CHARACTERS = 15
"""Room for one term and a bit of another: no more fits a small screen with large text."""
STATE_STEP_CHARACTERS = 4
"""The state is as wide as its widest text so far, in such steps, so that nothing moves while its numbers change."""
MIN_STATE_CHARACTERS, MAX_STATE_CHARACTERS = 16, 36
"""Minimum and maximum width of the state where there is room: thousands of rows have space from the start."""
MARGIN_PX = 4
"""Above and below the field: the bar is 34 pixels high."""


class Mode(StrEnum):
    """What a row is."""

    MESSAGES = "messages"
    OPERATIONS = "operations"


MODES = ((Mode.MESSAGES, "Messages"), (Mode.OPERATIONS, "Operations"))
"""The modes with their labels, in their order."""


class StateLink(ElidedLink):
    """How many rows there are; a link where some are hidden or a click changes what is going on."""

    def __init__(self, *, theme: Theme, parent: QWidget) -> None:
        """Start empty."""
        super().__init__(name="traffic_state", parent=parent)
        self._theme = theme
        self._reserved = self._reserved_short = 0
        self.setProperty("align", "right")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._on_theme_changed)
        self.set_state(("",), "muted", tip="")

    def set_state(self, texts: tuple[str, ...], tone: str, *, tip: str) -> None:
        """Show the first of `texts`, which are ever shorter, that fits, in a tone; `tip` is what a click does, empty for nothing."""
        self.setEnabled(bool(tip))
        set_tone(self, tone if tone != "muted" or not tip else "")
        if texts != self._texts:
            self.set_text(*texts)
            self._lay_out()
        if tip != self.toolTip():
            self.setToolTip(tip)

    def _lay_out(self) -> None:
        """Take the width of the text at once, so that it is not displayed elided before."""
        bar = self.parentWidget()
        layout = bar.layout() if bar is not None else None
        if layout is not None and self.sizeHint().width() != self.width():
            layout.activate()

    def sizeHint(self) -> QSize:
        """As wide as the widest text so far, in whole steps; as high as the field.

        Not a fixed size: the style sheet takes that back whenever the tone changes.
        """
        minimum = MIN_STATE_CHARACTERS * self._theme.character_width()
        self._reserved = self._in_steps(max(minimum, self._reserved), self.whole_text())
        return QSize(self._reserved, self._theme.px(tokens.FIELD))

    def minimumSizeHint(self) -> QSize:
        """As wide as the widest of the shortest texts so far."""
        self._reserved_short = self._in_steps(self._reserved_short, self._texts[-1])
        width = min(self._reserved_short, self.sizeHint().width())
        return QSize(width, self._theme.px(tokens.FIELD))

    def _in_steps(self, reserved: int, text: str) -> int:
        """Return how many pixels `text` takes in whole steps, at least those that are `reserved`."""
        digit = self._theme.character_width()
        step, limit = STATE_STEP_CHARACTERS * digit, MAX_STATE_CHARACTERS * digit
        needed = -(-self._around(text).width() // step) * step
        return min(max(needed, reserved), limit)

    def _on_theme_changed(self) -> None:
        self.setFont(self._theme.font())  # at once, not when the style sheet is applied
        self._reserved = self._reserved_short = 0
        self.updateGeometry()


class TrafficBar(QWidget):
    """Filter, state and buttons.

    Signals:
        rows_requested: move the focus from the filter to the rows.
        pause_toggled: stop taking in new rows, or go on.
        clear_requested: hide the rows of now.
        follow_toggled: stick to the newest row, or stay.
        detail_toggled: show one frame whole, or not.
        menu_requested: open the menu.
        state_clicked: show what is hidden, or undo what is going on.
    """

    rows_requested = Signal()
    pause_toggled = Signal(bool)
    clear_requested = Signal()
    follow_toggled = Signal(bool)
    detail_toggled = Signal(bool)
    menu_requested = Signal()
    state_clicked = Signal()

    def __init__(
        self,
        *,
        theme: Theme,
        transcripts: Callable[[], Sequence[Transcript]],
        parent: QWidget,
    ) -> None:
        """`transcripts` returns those whose values are suggested; problems of the filter cover a part of `parent`."""
        super().__init__(parent)
        self.setObjectName("traffic_bar")
        self._theme = theme
        self._is_paused = False
        self._build(transcripts, parent)
        self._wire()
        self._refresh()

    def _build(self, transcripts: Callable[[], Sequence[Transcript]], overlay: QWidget) -> None:
        theme = self._theme
        self.mode = SegmentedControl(MODES, name="traffic_mode", parent=self)
        self.mode.setAccessibleName("Rows")
        self.filter = FilterField(
            theme=theme,
            placeholder=PLACEHOLDER,
            label="Filter traffic",
            name="traffic_filter",
            overlay=overlay,
            parent=self,
        )
        self.hints = FilterHints(
            line=self.filter.line, theme=theme, transcripts=transcripts, parent=self
        )
        self.saved = SavedFilterLinks(theme=theme, apply=self.filter.set_text, parent=self)
        self.state = StateLink(theme=theme, parent=self)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.mode, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addWidget(self.filter, 1, Qt.AlignmentFlag.AlignVCenter)
        self._row.addWidget(self.saved, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addWidget(self.state, 0, Qt.AlignmentFlag.AlignTop)
        self.pause = self._button(Sign.PAUSE, "Pause (hold back new frames)", "pause", check=True)
        self.follow = self._button(Sign.FOLLOW, "Follow newest row (End)", "follow", check=True)
        self.detail = self._button(
            Sign.DETAIL, "Show details of selected frame", "detail", check=True
        )
        self.clear = self._button(Sign.CLEAR, "Clear (hide current rows)", "clear")
        self.menu = self._button(Sign.MORE, "More options", "menu")

    def _button(self, icon: str, text: str, name: str, *, check: bool = False) -> QToolButton:
        button = tool_button(
            self._theme, icon, text, name=f"traffic_{name}", checkable=check, parent=self
        )
        self._row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return button

    def _wire(self) -> None:
        self.filter.left_down.connect(self.rows_requested)
        self.filter.line.editingFinished.connect(self._on_line_editing_finished)
        self.pause.toggled.connect(self.pause_toggled)
        self.clear.clicked.connect(self.clear_requested)
        self.follow.toggled.connect(self.follow_toggled)
        self.detail.clicked.connect(self.detail_toggled)
        self.menu.clicked.connect(self.menu_requested)
        self.state.clicked.connect(self.state_clicked)
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        theme = self._theme
        margin, edge = theme.px(MARGIN_PX), theme.px(tokens.FIELD)
        below = margin - 1  # the hairline is the last pixel
        self._row.setContentsMargins(theme.PADDING_PX, margin, theme.PADDING_PX, below)
        self._row.setSpacing(theme.SPACING_PX)
        for button in (self.pause, self.follow, self.detail, self.clear, self.menu):
            button.setFixedSize(edge, edge)
        self.filter.line.setFixedHeight(edge)
        self.filter.setMinimumWidth(theme.character_width() * FILTER_CHARACTERS)

    def set_state(self, *texts: str, tone: str = "muted", tip: str = "") -> None:
        """Show how many rows there are, or what is going on, in the first of `texts` that fits; `tip` is what a click does, empty for nothing."""
        self.state.set_state(texts, tone, tip=tip)

    def set_paused(self, paused: bool) -> None:
        """Show whether it is paused."""
        self.pause.setChecked(paused)
        if paused != self._is_paused:  # another icon lays out the window again
            self._is_paused = paused
            self.pause.setIcon(self._theme.icon("mdi6.play" if paused else Sign.PAUSE, "muted"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another number of links may fit."""
        super().resizeEvent(event)
        self.saved.set_bar_width(event.size().width())

    def _on_line_editing_finished(self) -> None:
        """Keep the filter in the history, unless it is none."""
        if not self.filter.problem():
            self.hints.remember(self.filter.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc goes on to the rows; what was typed stays."""
        if event.key() == Qt.Key.Key_Escape:
            self.rows_requested.emit()
        else:
            super().keyPressEvent(event)


_TIMES = {
    TimeFormat.CLOCK: "Time of day",
    TimeFormat.RELATIVE: "Time since the first frame or the time reference",
}
_SIDES = {False: "Details on the right", True: "Details below"}


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
        sides = {text: partial(panel.split.set_below, key) for key, text in _SIDES.items()}
        _add_choice(menu, sides, _SIDES[panel.split.prefers_below])
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
        folds = menu.addAction("Fold stderr lines, HTTP headers and keep-alives")
        folds.setCheckable(True)
        folds.setChecked(panel.model.folds)
        folds.toggled.connect(panel.model.set_folds)
        panel.modes.columns.add_choices(menu.addMenu("Columns"))
        menu.addAction("Reset columns", panel.modes.columns.reset)
        menu.addSeparator()
        earlier = menu.addAction("Show earlier rows", panel.model.show_earlier)
        earlier.setEnabled(panel.model.visible_frames.first > 0)
        menu.addAction("Save filter…", panel.saved_filters.save_current)
        menu.addAction("Edit saved filters…", panel.saved_filters.edit)
        menu.addAction("Copy all as JSON Lines", partial(panel.row_actions.copy_all, JSON_LINES))
        add_secrets_choice(menu, panel.row_actions)
        return menu


def hidden_rows(panel: TrafficPanel) -> Hidden:
    """Return what is not among the rows although the filter does not exclude it."""
    return panel.filtering.hidden(panel.model.visible_frames.first)


def hidden_choices(panel: TrafficPanel) -> dict[str, Callable[[], None]]:
    """Return what a click on the number of rows can do, by its text."""
    filtering, model = panel.filtering, panel.model
    hidden = hidden_rows(panel)
    choices: dict[str, Callable[[], None]] = {}
    if model.feed.paused:
        choices["Resume"] = partial(model.feed.set_paused, False)
    if hidden.cleared:
        choices[f"Show {plural(hidden.cleared, 'earlier row')}"] = model.show_earlier
    if panel.modes.is_operations:  # there, what is not named by the filter is folded
        hidden = hidden._replace(headers=0, events=0, stderr=0)
    if counted := notices.http_text(hidden):
        choices[f"Show {counted}"] = partial(filtering.show_http, True)
    if hidden.stderr:
        choices[f"Show {plural(hidden.stderr, 'stderr line')}"] = partial(
            filtering.show_stderr, True
        )
    if panel.filter_text():
        choices["Clear filter"] = partial(panel.set_filter, "")
    return choices


def open_hidden(panel: TrafficPanel) -> None:
    """Run what a click on the number of rows can do; open a menu of several."""
    choices = hidden_choices(panel)
    if len(choices) == 1:
        next(iter(choices.values()))()
        return
    menu = QMenu(panel)
    menu.setObjectName("traffic_hidden_menu")
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for text, run in choices.items():
        menu.addAction(text, run)
    state = panel.bar.state
    menu.popup(state.mapToGlobal(state.rect().bottomLeft()))


def _add_choice(menu: QMenu, choices: dict[str, Callable[[], None]], current: str) -> None:
    group = QActionGroup(menu)
    for text, run in choices.items():
        action = menu.addAction(text, run)
        action.setCheckable(True)
        action.setChecked(text == current)
        group.addAction(action)
