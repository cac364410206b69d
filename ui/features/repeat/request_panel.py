"""The editor of the repeated message, with what was changed in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from inspector.features.repeat import names
from ui.navigator import navigator_of
from ui.request.message_edit import MessageEdit
from ui.request.sent_response import HEADER_HEIGHT
from ui.theme import tokens
from ui.widgets.buttons import link_button
from ui.widgets.labels import ElidedLabel, plain_label, set_tone
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.compare.exchange_parts import ComparedFrame
    from inspector.compare.json_difference import Change
    from ui.theme import Theme


class RequestPanel(QWidget):
    """A line above the editor, and the editor.

    Signals:
        new_id_changed: the user switched *New id*.
    """

    new_id_changed = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("repeat_request")
        self._theme = theme
        self._original: ComparedFrame | None = None
        self._build()
        self._new_id.toggled.connect(self.new_id_changed)
        self._link.clicked.connect(self._on_link_clicked)
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    def _build(self) -> None:
        self._title = plain_label("Request", name="repeat_title", parent=self)
        self._changes = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._changes.setObjectName("repeat_changes")
        self._new_id = QCheckBox("New id", self)
        self._new_id.setObjectName("repeat_new_id")
        self._new_id.setToolTip("Gives the message an id that was not used before")
        self._new_id.setChecked(True)
        self._link = link_button("Original", name="repeat_original", parent=self)
        self._header = QWidget(self)
        self._row = row_layout(self._header, self._title, space=0)
        self._row.addWidget(self._changes, 1)
        self._row.addWidget(self._new_id)
        self._row.addWidget(self._link)
        self.edit = MessageEdit(theme=self._theme, name="repeat_edit", parent=self)
        column_layout(self, self._header, space=0).addWidget(self.edit, 1)

    @property
    def is_id_new(self) -> bool:
        """Whether every send gets a new id."""
        return self._new_id.isChecked()

    def show_changes(
        self, original: ComparedFrame, changes: Sequence[Change] | None, *, has_id: bool
    ) -> None:
        """Show how the text differs from the original message; None for a text that is too long to compare."""
        self._original = original
        number = f"#{original.number}"
        self._link.setText(f"Original {number}")
        self._link.setAccessibleName(f"Original {number}")
        self._new_id.setEnabled(has_id)
        if changes is None:
            text = "Too long to compare"
        elif changes:
            text = f"{plural(len(changes), 'change')} from {number}: {names(changes)}"
        else:
            text = f"Same as {number}"
        set_tone(self._changes, "warning" if changes else "muted")
        self._changes.set_text(text)

    def _on_link_clicked(self) -> None:
        if self._original is not None:
            navigator_of(self).show_frame(self._original.number, self._original.transcript)

    def _apply_theme(self) -> None:
        theme = self._theme
        self._title.setFont(theme.font(tokens.SMALL, bold=True))
        side = theme.px(tokens.DENSE_PADDING_PX)
        self._header.setFixedHeight(theme.px(HEADER_HEIGHT))
        self._row.setContentsMargins(side, 0, side, 0)
        self._row.setSpacing(theme.PADDING_PX)
