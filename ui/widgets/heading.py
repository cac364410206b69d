"""What something is, at the head of a panel: title, exact name to copy, badges, what is said of it and what is odd about it.

Long words scroll in a few lines of their own: what is below is never pushed away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from inspector.visible_text import visible
from ui.theme import tokens
from ui.widgets.badge import Badge
from ui.widgets.buttons import tool_button
from ui.widgets.clipboard import copy_text
from ui.widgets.labels import DescriptionLabel, ElidedLabel, QuotingLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from ui.theme import Theme

LONGEST = 4000
"""Characters of a description on screen."""
LINES = 6
"""Lines of description and oddities before they scroll."""
BADGES = 6
"""Badges that are shown."""


class Heading(QWidget):
    """Title, name, badges, words."""

    def __init__(
        self, *, theme: Theme, name: str, copy: str, parent: QWidget | None = None
    ) -> None:
        """Start empty; `copy` says what the button beside the name does."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._exact: str | None = None
        self._build(copy)
        self._wire()
        self._dress()

    def _build(self, copy: str) -> None:
        theme, name = self._theme, self.objectName()
        self._title = ElidedLabel(parent=self)
        self._title.setObjectName(f"{name}_title")
        self._name = ElidedLabel(parent=self)
        self._name.setObjectName(f"{name}_name")
        self._copy = tool_button(theme, "mdi6.content-copy", copy, name=f"{name}_copy", parent=self)
        self._badges = QWidget(self)
        self._badge_row = QHBoxLayout(self._badges)
        self._badge_row.setContentsMargins(0, 0, 0, 0)
        self._badge_row.setSpacing(theme.SPACING_PX)
        self._words = DescriptionLabel(name=f"{name}_words")
        self._odd = QuotingLabel(name=f"{name}_oddities", tone="warning")
        self._text = _Text((self._words, self._odd), theme=theme, parent=self)
        row = QHBoxLayout()
        row.setSpacing(theme.SPACING_PX)
        row.addWidget(self._name)
        row.addWidget(self._copy)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.SPACING_PX)
        layout.addWidget(self._title)
        layout.addLayout(row)
        layout.addWidget(self._badges)
        layout.addWidget(self._text)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def _wire(self) -> None:
        self._copy.clicked.connect(self._on_copy_clicked)
        self._theme.changed.connect(self._dress)

    def show_thing(
        self,
        title: str,
        name: str,
        *,
        exact: str | None,
        text: str = "",
        odd: Sequence[str] = (),
        badges: Sequence[tuple[str, str, str]] = (),
    ) -> None:
        """Show `title` and `name`; `exact` is what is copied, `badges` are (words, tone, tip)."""
        self._exact = exact
        self._title.set_text(title)
        self._name.set_text(name)
        self._copy.setVisible(exact is not None)
        self._show_badges(badges)
        cut = len(text) - LONGEST
        more = f"… ({cut:,} more characters; see JSON)" if cut > 0 else ""
        self._words.setText(visible(text[:LONGEST]) + more)
        self._words.setVisible(bool(text))
        self._odd.setText("\n".join(f"⚠ {visible(line)}" for line in odd))
        self._odd.setVisible(bool(odd))
        self._text.setVisible(bool(text or odd))
        self._text.fit()

    def _show_badges(self, badges: Sequence[tuple[str, str, str]]) -> None:
        while (item := self._badge_row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for text, tone, tip in badges[:BADGES]:
            badge = Badge(text, theme=self._theme, tone=tone, tip=tip, parent=self._badges)
            self._badge_row.addWidget(badge)
        self._badge_row.addStretch(1)
        self._badges.setVisible(bool(badges))

    def _on_copy_clicked(self) -> None:
        if self._exact is not None:
            copy_text(self._exact)

    def _dress(self) -> None:
        self._title.setFont(self._theme.font(tokens.TITLE, bold=True))
        self._name.setFont(self._theme.mono())
        self._text.fit()


class _Text(QScrollArea):
    """Wrapped words, as high as they need and never higher than some lines."""

    def __init__(self, parts: Sequence[QLabel], *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAccessibleName("Description")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        inner = QWidget()
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.SPACING_PX)
        for part in parts:
            self._column.addWidget(part)
        self._column.addStretch(1)
        self.setWidget(inner)

    def fit(self) -> None:
        """Take the height that the words need now."""
        needed = self._column.heightForWidth(max(self.viewport().width(), 1))
        most = LINES * self.fontMetrics().lineSpacing() + 2
        self.setFixedHeight(max(min(needed, most), 1))
        focus = Qt.FocusPolicy
        self.setFocusPolicy(focus.StrongFocus if needed > most else focus.NoFocus)

    def minimumSizeHint(self) -> QSize:
        """Words wrap, so almost nothing in width."""
        return QSize(self._theme.px(80), 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wraps elsewhere."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()
