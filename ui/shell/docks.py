"""The docks of the window, one row each; their title bars, and how much of the window the lower ones take.

Qt takes everything from the pages when a window gets lower. Here the docks at the bottom give their share, and have it back when the window
is higher again; the height to which the user drags them holds from then on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QWidget

from ui.widgets.buttons import tool_button
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtWidgets import QMainWindow

    from ui.shell.window_parts import WindowParts
    from ui.theme import Theme

SLACK = 2
"""Pixels by which a height may differ from the requested one."""


@dataclass(frozen=True, slots=True)
class DockSpec:
    """One dock. The window, the View menu and the first arrangement derive from the row."""

    key: str
    """A stable name, for saved layouts, commands and object names."""
    title: str
    """The text of its title bar."""
    text: str
    """Its entry in the View menu, with a mnemonic."""
    shortcut: str
    """Keys that show and hide it, as `QKeySequence` takes them."""
    area: Qt.DockWidgetArea
    """Where it is at first; docks of one area are tabs."""
    widget: Callable[[WindowParts], QWidget]
    """Returns what the dock shows."""
    starts_hidden: bool = False
    """Whether it is hidden at first."""


DOCKS = (
    DockSpec(
        "servers",
        "Servers",
        "&Servers",
        "Ctrl+B",
        Qt.DockWidgetArea.LeftDockWidgetArea,
        lambda parts: parts.servers,
    ),
    DockSpec(
        "traffic",
        "Traffic",
        "&Traffic",
        "Ctrl+J",
        Qt.DockWidgetArea.BottomDockWidgetArea,
        lambda parts: parts.traffic,
    ),
    DockSpec(
        "stderr",
        "Standard error",
        "Standard &error",
        "Ctrl+Shift+E",
        Qt.DockWidgetArea.BottomDockWidgetArea,
        lambda parts: parts.stderr,
    ),
    DockSpec(
        "inbox",
        "Requests",
        "Re&quests",
        "Ctrl+I",
        Qt.DockWidgetArea.RightDockWidgetArea,
        lambda parts: parts.inbox.panel,
        starts_hidden=True,
    ),
)
"""Every dock, in the order of the View menu."""


class DockHeightKeeper:
    """Computes the height of the lower docks of one window; heights are in pixels."""

    def __init__(self, min_share: float) -> None:
        """Take nothing from docks that have no more than `min_share` of the height of the window."""
        self._min_share = min_share
        self._requested = 0
        self._share = min_share
        self._given: int | None = None

    def height(self, current: int, before: int, now: int) -> int:
        """What docks of the height `current` get of a window that was `before` high and is `now`."""
        if self._given is None or abs(current - self._given) > SLACK:
            self._requested, self._share = current, max(current / before, self._min_share)
        self._given = min(self._requested, round(now * self._share))
        return self._given


class BottomDocks:
    """Hides the dock of standard error together with the traffic, and shows both again."""

    def __init__(self, window: QMainWindow, traffic: QDockWidget, stderr: QDockWidget) -> None:
        """For the docks of `window`."""
        self._window = window
        self._traffic = traffic
        self._stderr = stderr
        self._is_due = False
        """Whether standard error was hidden with the traffic."""

    def follow(self, *, visible: bool) -> None:
        """Show or hide standard error with the traffic, which is about to become `visible` or hidden."""
        dock = self._stderr
        if visible:
            dock.setVisible(self._is_due or not dock.isHidden())
            return
        self._is_due = not dock.isHidden() and dock in self._window.tabifiedDockWidgets(
            self._traffic
        )
        if self._is_due:
            dock.hide()


class DockTitle(QWidget):
    """Its name, a way to float it and one to close it. Dragging it moves the dock."""

    def __init__(self, dock: QDockWidget, *, theme: Theme) -> None:
        """For `dock`."""
        super().__init__(dock)
        self.setObjectName(f"{dock.objectName()}_title")
        text = dock.windowTitle()
        self._dock = dock
        self._text = plain_label(text, tone="muted", parent=self)
        floats = tool_button(
            theme,
            "mdi6.dock-window",
            f"Float or dock {text}",
            name=f"{dock.objectName()}_float",
            parent=self,
        )
        closes = tool_button(
            theme, "mdi6.close", f"Hide {text}", name=f"{dock.objectName()}_close", parent=self
        )
        floats.clicked.connect(self._on_float_clicked)
        closes.clicked.connect(dock.close)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.PADDING_PX, 0, theme.SPACING_PX, 0)
        layout.setSpacing(0)
        layout.addWidget(self._text, 1)
        layout.addWidget(floats)
        layout.addWidget(closes)
        self._layout = layout

    def add_buttons(self, buttons: Iterable[QWidget]) -> None:
        """Put what can be done with the content between the name and what can be done with the dock."""
        for at, button in enumerate(buttons, 1):
            self._layout.insertWidget(at, button)

    def _on_float_clicked(self) -> None:
        self._dock.setFloating(not self._dock.isFloating())
