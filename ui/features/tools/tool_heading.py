"""What a tool says of itself: name, hints, description, and what is odd about it.

A long description scrolls in a few lines of its own: the form is never pushed away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from inspector.visible_text import visible
from ui.features.tools.list_model import HINT_TONES
from ui.theme import tokens
from ui.widgets.badge import Badge
from ui.widgets.buttons import tool_button
from ui.widgets.clipboard import copy_text
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import DescriptionLabel, ElidedLabel, QuotingLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from inspector.finding import Finding
    from inspector.spec.views.tool import ToolView
    from ui.theme import Theme

DESCRIPTION_LIMIT = 4000
"""Characters of a description on screen; the schema view has the rest."""

LINES = 6
"""Lines of description and oddities before they scroll."""

UNTRUSTED = "Hint from the server; trust it only if you trust the server."


class ToolHeading(QWidget):
    """Title, name, badges, description, oddities."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("tool_heading")
        self._theme = theme
        self._tool: ToolView | None = None
        self._build()
        self._wire()
        self._dress()

    def _build(self) -> None:
        theme = self._theme
        self._title = ElidedLabel(parent=self)
        self._title.setObjectName("tool_title")
        self._name = ElidedLabel(parent=self)
        self._name.setObjectName("tool_name")
        self._copy = tool_button(
            theme, "mdi6.content-copy", "Copy name", name="copy_tool_name", parent=self
        )
        self._badges = QWidget(self)
        self._badges.setObjectName("tool_badges")
        self._flow = FlowLayout(theme.SPACING_PX, self._badges)
        self._description = DescriptionLabel(name="tool_description")
        self._oddities = QuotingLabel(name="tool_oddities", tone="warning")
        self._text = _Text(theme=theme, parts=(self._description, self._oddities), parent=self)
        top = QHBoxLayout()
        top.setSpacing(theme.SPACING_PX)
        top.addWidget(self._title, 1)
        top.addWidget(self._copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.SPACING_PX)
        layout.addLayout(top)
        layout.addWidget(self._name)
        layout.addWidget(self._badges)
        layout.addWidget(self._text)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def _wire(self) -> None:
        self._copy.clicked.connect(self._on_copy_clicked)
        self._theme.changed.connect(self._dress)

    def show_tool(self, tool: ToolView, clashes: Sequence[Finding]) -> None:
        """Describe `tool`."""
        self._tool = tool
        self._title.set_text(tool.label)
        self._name.set_text(tool.name_label)
        self._name.setVisible(tool.label != tool.name_label)
        self._copy.setVisible(tool.has_name)
        self._show_badges(tool)
        text = visible(tool.description[:DESCRIPTION_LIMIT])
        cut = len(tool.description) - DESCRIPTION_LIMIT
        more = f"… ({cut:,} more characters; see Schema)" if cut > 0 else ""
        self._description.setText(text + more)
        self._description.setVisible(bool(text))
        odd = [finding.summary for finding in (*clashes, *tool.problems)]
        self._oddities.setText("\n".join(f"⚠ {visible(message)}" for message in odd))
        self._oddities.setVisible(bool(odd))
        self._text.setVisible(bool(text or odd))
        self._text.fit()

    def _show_badges(self, tool: ToolView) -> None:
        self._flow.clear()
        for text, holds, stated in tool.annotations.hints():
            if stated:
                shown = text if holds else f"not {text}"
                self._add_badge(shown, HINT_TONES[text] if holds else "muted", UNTRUSTED)
        if tool.task_support != "forbidden":
            tip = "Whether calls can or must run as tasks"
            self._add_badge(f"task {tool.task_support}", "muted", tip)
        self._badges.setVisible(self._flow.count() > 0)

    def _add_badge(self, text: str, tone: str, tip: str) -> None:
        badge = Badge(text, theme=self._theme, tone=tone, tip=tip, parent=self._badges)
        self._flow.addWidget(badge)
        badge.show()

    def _on_copy_clicked(self) -> None:
        if self._tool is not None:
            copy_text(self._tool.name)

    def _dress(self) -> None:
        self._title.setFont(self._theme.font(tokens.TITLE, bold=True))
        self._name.setFont(self._theme.mono())
        self._text.fit()


class _Text(QScrollArea):
    """Wrapped words, as high as they need and never higher than some lines."""

    def __init__(self, *, theme: Theme, parts: Sequence[QLabel], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("tool_text")
        self.setAccessibleName("Tool description")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._height = 1
        inner = QWidget()
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.SPACING_PX)
        for part in parts:
            self._column.addWidget(part)
        self._column.addStretch(1)
        self.setWidget(inner)

    def fit(self) -> None:
        """Take the height that the words need now, less where there is no room."""
        line = self.fontMetrics().lineSpacing()
        needed = self._column.heightForWidth(max(self.viewport().width(), 1))
        self._height = max(min(needed, LINES * line + 2), 1)
        self.setMaximumHeight(self._height)
        self.setMinimumHeight(min(self._height, line + 2))
        scrolls = needed > self._height
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if scrolls else Qt.FocusPolicy.NoFocus)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """As high as the words, up to the limit."""
        return QSize(self._theme.px(240), self._height)

    def minimumSizeHint(self) -> QSize:
        """Words wrap, so almost nothing in width."""
        return QSize(self._theme.px(80), 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wraps elsewhere."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()
