"""The editor of a message, with what was changed in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from inspector.features.repeat import names
from ui.request.message_edit import MessageEdit
from ui.request.sent_response import HEADER_HEIGHT
from ui.theme import tokens
from ui.widgets.labels import ElidedLabel, plain_label, set_tone
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.compare.json_difference import Change
    from ui.theme import Theme


class RequestPanel(QWidget):
    """A line above the editor, and the editor."""

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start empty; the object names of its parts begin with `name`."""
        super().__init__(parent)
        self.setObjectName(f"{name}_request")
        self._theme = theme
        self._title = plain_label("Request", name=f"{name}_title", parent=self)
        self._changes = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._changes.setObjectName(f"{name}_changes")
        self._changes.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._header = QWidget(self)
        self._row = row_layout(self._header, self._title, space=0)
        self._row.addWidget(self._changes, 1)
        self.edit = MessageEdit(theme=theme, name=f"{name}_edit", parent=self)
        self._column = column_layout(self, self._header, space=0)
        self._column.addWidget(self.edit, 1)
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    def show_changes(self, original: int, changes: Sequence[Change] | None) -> None:
        """Show how the text differs from the original message, whose number is 0 for none; None for a text that is too long to compare."""
        number = f"#{original}"
        if not original:
            text = ""
        elif changes is None:
            text = "Too long to compare"
        elif changes:
            text = f"{plural(len(changes), 'change')} from {number}: {names(changes)}"
        else:
            text = f"Same as {number}"
        set_tone(self._changes, "warning" if changes else "muted")
        self._changes.set_text(text)

    def _apply_theme(self) -> None:
        theme = self._theme
        self._title.setFont(theme.font(tokens.SMALL, bold=True))
        side = theme.px(tokens.DENSE_PADDING_PX)
        self._header.setFixedHeight(theme.px(HEADER_HEIGHT))
        self._row.setSpacing(theme.PADDING_PX)
        self._column.setContentsMargins(side, 0, side, side)
