"""The docks of the window and the pages of the one at the bottom, one row each; and the title bar of a dock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QWidget

from ui.widgets.buttons import tool_button
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.shell.window_parts import WindowParts
    from ui.theme import Theme


@dataclass(frozen=True, slots=True)
class DockSpec:
    """One dock at a side. The window, the View menu and the first arrangement derive from the row."""

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


@dataclass(frozen=True, slots=True)
class BottomPageSpec:
    """One page of the bottom dock. Its tab, its link while the dock is folded, and its entry in the View menu derive from the row."""

    key: str
    """A stable name, for settings, commands and object names."""
    title: str
    """The text of its tab."""
    text: str
    """Its entry in the View menu, with a mnemonic."""
    shortcut: str
    """Keys that bring it to the front, or fold the dock if it is there, as `QKeySequence` takes them."""
    widget: Callable[[WindowParts], QWidget]
    """Returns the page, with its own bar at the top."""
    count: Callable[[WindowParts], int] | None = None
    """Returns the number in its tab; None for a page without one."""
    tone: Callable[[WindowParts], str] | None = None
    """Returns the name of the color of that number; None for the usual one."""


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
        "inbox",
        "Requests",
        "Re&quests",
        "Ctrl+I",
        Qt.DockWidgetArea.RightDockWidgetArea,
        lambda parts: parts.inbox.panel,
        starts_hidden=True,
    ),
)
"""Every dock but the bottom one, in the order of the View menu."""

BOTTOM_PAGES = (
    BottomPageSpec(
        "traffic",
        "Traffic",
        "&Traffic",
        "Ctrl+J",
        lambda parts: parts.traffic,
        lambda parts: parts.traffic.model.timeline.count,
    ),
    BottomPageSpec(
        "timeline",
        "Timeline",
        "Timeline",
        "Ctrl+Shift+T",
        lambda parts: parts.timeline,
    ),
    BottomPageSpec(
        "problems",
        "Problems",
        "Problems",
        "Ctrl+F7",
        lambda parts: parts.problems,
        lambda parts: parts.problem_source.sums.problems,
        lambda parts: parts.problem_source.sums.tone,
    ),
    BottomPageSpec(
        "stderr",
        "Standard error",
        "Standard &error",
        "Ctrl+Shift+E",
        lambda parts: parts.stderr,
        lambda parts: parts.stderr.model.line_count,
    ),
)
"""Every page of the bottom dock, in the order of its tabs and of the View menu. While it is folded, the strip shows the first."""


class DockTitle(QWidget):
    """Its name, a way to float it and one to close it. Dragging it moves the dock.

    Signals:
        close_requested: hide the dock.
    """

    close_requested = Signal()

    def __init__(self, dock: QDockWidget, *, theme: Theme) -> None:
        """For `dock`."""
        super().__init__(dock)
        self.setObjectName(f"{dock.objectName()}_title")
        text = dock.windowTitle()
        self._dock = dock
        self._is_compact = False
        self._parts = (
            plain_label(text, tone="muted", parent=self),
            tool_button(
                theme,
                "mdi6.dock-window",
                f"Float or dock {text}",
                name=f"{dock.objectName()}_float",
                parent=self,
            ),
            tool_button(
                theme, "mdi6.close", f"Hide {text}", name=f"{dock.objectName()}_close", parent=self
            ),
        )
        label, floats, closes = self._parts
        floats.clicked.connect(self._on_float_clicked)
        closes.clicked.connect(self.close_requested)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.PADDING_PX, 0, theme.SPACING_PX, 0)
        layout.setSpacing(0)
        layout.addWidget(label, 1)
        layout.addWidget(floats)
        layout.addWidget(closes)

    def set_compact(self, compact: bool) -> None:
        """Take no space above a dock that is too narrow for a title."""
        self._is_compact = compact
        for part in self._parts:
            part.setVisible(not compact)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Nothing while it is compact."""
        return QSize(0, 0) if self._is_compact else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Nothing while it is compact."""
        return QSize(0, 0) if self._is_compact else super().minimumSizeHint()

    def _on_float_clicked(self) -> None:
        self._dock.setFloating(not self._dock.isFloating())
