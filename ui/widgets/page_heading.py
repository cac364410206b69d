"""The top of a page of settings: its title, a sentence on what it is for, and a line of facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from ui.theme import tokens
from ui.widgets.fact_line import FactLine
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from ui.theme import Theme


class PageHeading(QWidget):
    """As wide as the page: the line of facts goes from edge to edge."""

    def __init__(
        self, title: str, text: str, *, theme: Theme, name: str, parent: QWidget | None = None
    ) -> None:
        """Show `title` and `text`; `name` is the start of the object names."""
        super().__init__(parent)
        self.setObjectName(f"{name}_heading")
        self._theme = theme
        self._title = plain_label(title, name=f"{name}_title")
        self._text = plain_label(text, tone="muted", name=f"{name}_text", wrap=True)
        self.facts = FactLine(theme=theme, name=f"{name}_facts")
        self._lines = column_layout(None, self._title, self._text, space=0)
        column_layout(self, self._lines, self.facts, space=0)
        theme.changed.connect(self._dress)
        self._dress()

    def _dress(self) -> None:
        theme = self._theme
        self._title.setFont(theme.font(tokens.TITLE, bold=True))
        edge = theme.px(tokens.READING_PADDING_PX)
        self._lines.setSpacing(theme.px(2))
        self._lines.setContentsMargins(edge, theme.PADDING_PX, edge, theme.PADDING_PX)
