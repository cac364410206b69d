"""What stands in the centre before anything is connected: what to do first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from ui.theme import tokens
from ui.widgets.buttons import push_button
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from ui.theme import Theme

WORDS = (
    "Inspect MCP traffic, call tools, and respond to server requests.",
    "Paste a command line, a URL or another client's JSON configuration, or explore with the bundled demo server.",
)
ICON_PIXELS = 32


class Welcome(QWidget):
    """The first screen.

    Signals:
        add_requested: open the editor of a new server.
        demo_requested: connect to the demo server.
    """

    add_requested = Signal()
    demo_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Offer the two first steps."""
        super().__init__(parent)
        self.setObjectName("workbench_empty")
        self._theme = theme
        self._build()
        self._wire()
        self._dress()

    def _build(self) -> None:
        theme = self._theme
        self._picture = QLabel(self)
        self._title = plain_label("Spyglass", parent=self)
        self._lines = [plain_label(text, tone="muted", parent=self) for text in WORDS]
        self._add = push_button("Add server…", name="welcome_add", primary=True, parent=self)
        self._demo = push_button("Connect to demo server", name="welcome_demo", parent=self)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.PADDING_PX)
        buttons.addStretch(1)
        buttons.addWidget(self._add)
        buttons.addWidget(self._demo)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[theme.px(16)] * 4)
        column.setSpacing(theme.PADDING_PX)
        column.addStretch(2)
        for label in (self._picture, self._title, *self._lines):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setWordWrap(True)
            column.addWidget(label)
        column.addSpacing(theme.PADDING_PX)
        column.addLayout(buttons)
        column.addStretch(3)

    def _wire(self) -> None:
        self._add.clicked.connect(self.add_requested)
        self._demo.clicked.connect(self.demo_requested)
        self._theme.changed.connect(self._dress)

    def _dress(self) -> None:
        edge = self._theme.px(ICON_PIXELS)
        self._picture.setPixmap(self._theme.icon("mdi6.telescope", "faint").pixmap(edge, edge))
        self._title.setFont(self._theme.font(tokens.TITLE, bold=True))
