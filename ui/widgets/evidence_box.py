"""What supports an error: the folders that were searched, what a server printed, the data of an error object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from inspector.visible_text import visible
from ui.theme import tokens

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from ui.theme import Theme

MAX_CHARACTERS = 100_000
"""Characters on screen; copying an error gives all."""

MAX_LINES = 6
"""Lines before it scrolls."""

MIN_LINES = 2
"""Lines that are left where there is no room for more."""


class EvidenceBox(QPlainTextEdit):
    """A text on the surface of wire data, as high as its lines up to some, that scrolls and wraps; hidden while it is empty."""

    def __init__(
        self,
        *,
        theme: Theme,
        name: str,
        label: str = "Details",
        max_lines: int = MAX_LINES,
        parent: QWidget | None = None,
    ) -> None:
        """Start empty; `label` is the accessible name, and more than `max_lines` scroll."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(label)
        self._theme = theme
        self._whole = ""
        self._max_lines = max_lines
        self.setProperty("surface", "sunken")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        theme.changed.connect(self._dress)
        self._dress()
        self.hide()

    def text(self) -> str:
        """The text as given."""
        return self._whole

    def set_text(self, text: str) -> None:
        """Show `text`; one that is shown already keeps its scroll position and selection."""
        if text != self._whole:
            self._whole = text
            self.setPlainText(visible(text[:MAX_CHARACTERS]))
            self._fit()
        self.setVisible(bool(text))

    def _dress(self) -> None:
        self.setFont(self._theme.mono())
        # Not as a margin of the document, in which part of one more line would be in sight.
        self.document().setDocumentMargin(0)
        side, top = self._theme.px(8), self._theme.px(6)
        self.setViewportMargins(side, top, side, top)
        self._fit()

    def _fit(self) -> None:
        lines = min(max(round(self.document().size().height()), 1), self._max_lines)
        self.setMaximumHeight(self._height(lines))
        self.setMinimumHeight(self._height(min(lines, MIN_LINES)))
        self.updateGeometry()

    def _height(self, lines: int) -> int:
        around = self.viewportMargins()
        edges = around.top() + around.bottom() + 2 * tokens.DATA_EDGE
        # Lines that fill the viewport to its last pixel can be scrolled by one.
        return self.fontMetrics().lineSpacing() * lines + edges + 1

    def showEvent(self, event: QShowEvent) -> None:
        """Set the font again, which Qt forgets when the box is shown in a window with a style sheet for the first time."""
        super().showEvent(event)
        self._dress()

    def sizeHint(self) -> QSize:
        """As high as its lines, up to the most that it shows."""
        return QSize(super().sizeHint().width(), self.maximumHeight())

    def minimumSizeHint(self) -> QSize:
        """It wraps anywhere, so almost nothing in width."""
        return QSize(self._theme.px(60), self.minimumHeight())
