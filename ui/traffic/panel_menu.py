"""The menu of the panel: times, columns, standard error, where the detail is, copying."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from inspector.export.formats import JSON_LINES
from ui.models.traffic_cells import TimeFormat
from ui.traffic import columns
from ui.traffic.row_actions import add_secrets_choice

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.traffic.panel import TrafficPanel

_T = TypeVar("_T")

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
        times = {text: _setting(panel.model.set_time_format, key) for key, text in _TIMES.items()}
        _add_choice(menu, times, _TIMES[panel.model.time_format])
        menu.addSeparator()
        sides = {message: _setting(panel.set_side, key) for key, message in _SIDES.items()}
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
        earlier.setEnabled(panel.model.shown.first > 0)
        menu.addAction("Copy all as JSON Lines", partial(panel.row_actions.copy_all, JSON_LINES))
        add_secrets_choice(menu, panel.row_actions)
        return menu


def _setting(receiver: Callable[[_T], None], value: _T) -> Callable[[], None]:
    return lambda: receiver(value)


def _add_choice(menu: QMenu, choices: dict[str, Callable[[], None]], current: str) -> None:
    group = QActionGroup(menu)
    for text, run in choices.items():
        action = menu.addAction(text, run)
        action.setCheckable(True)
        action.setChecked(text == current)
        group.addAction(action)
