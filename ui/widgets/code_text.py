"""A short piece of wire data that wraps anywhere, can be selected, and is as high as it needs up to a few lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget

from inspector.visible_text import one_line, visible
from ui.theme import tokens

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from ui.theme import Theme

MAX_CHARACTERS = 8000
"""Characters on screen."""
MAX_NAME = 400
"""Characters that are spoken."""
LINES = 5
"""Lines before it scrolls."""
MARGIN = 4
"""Around the text within the frame, at 100%."""


class CodeText(QPlainTextEdit):
    """Read only, in the font of wire data."""

    def __init__(
        self, *, theme: Theme, name: str, is_framed: bool = True, parent: QWidget | None = None
    ) -> None:
        """Start empty; without a frame it lies on the surface around it, in line with other texts."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._is_framed = is_framed
        self.setAccessibleName("(empty)")
        self.setReadOnly(True)
        self.setProperty("surface", "sunken" if is_framed else "")
        self.document().setDocumentMargin(0)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        theme.changed.connect(self._dress)
        self._dress()

    def set_code(self, text: str, *, accessible_name: str) -> None:
        """Show `text`; `spoken` says what it is."""
        self.setPlainText(
            visible(text[:MAX_CHARACTERS]) + ("…" if len(text) > MAX_CHARACTERS else "")
        )
        self.setAccessibleName(one_line(accessible_name, MAX_NAME))
        self._fit()

    def _dress(self) -> None:
        self.setFont(self._theme.mono())
        if self._is_framed:
            # Not as a margin of the document, in which part of one more line would be in sight.
            space = self._theme.px(MARGIN)
            self.setViewportMargins(space, space, space, space)
        else:
            self.setStyleSheet("background: transparent")
        self._fit()

    def _fit(self) -> None:
        lines = min(max(int(self.document().size().height()), 1), LINES)
        around = self.viewportMargins()
        edges = around.top() + around.bottom() + (2 * tokens.DATA_EDGE if self._is_framed else 0)
        # Lines that fill the viewport to its last pixel can be scrolled by one.
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + edges + 1)

    def minimumSizeHint(self) -> QSize:
        """It wraps anywhere, so almost nothing in width."""
        return QSize(self._theme.px(60), 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wraps elsewhere."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()
