"""What can be done with a root that was written and not sent: it needs a decision of the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from inspector.visible_text import one_line
from ui.widgets.buttons import push_button
from ui.widgets.labels import plain_label, set_background

if TYPE_CHECKING:
    from ui.theme import Theme

URI_CHARACTERS = 60
"""Of a URI on a button; the tool tip has more."""


class DraftBar(QFrame):
    """Why a draft was not sent, and three buttons. Hidden while there is no draft.

    Signals:
        use_requested: send the suggested URI, or the draft where nothing is wrong with it.
        as_is_requested: send the draft although it is no valid root.
        discard_requested: drop the draft.
    """

    use_requested = Signal()
    as_is_requested = Signal()
    discard_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start hidden."""
        super().__init__(parent)
        self.setObjectName("root_draft")
        set_background(self, "warning")
        self._text = plain_label(name="root_draft_words", wrap=True, parent=self)
        self.use = push_button("", name="root_use", parent=self)
        self.as_is = push_button("Send as is", name="root_as_is", parent=self)
        self.discard = push_button("Discard", name="root_discard", parent=self)
        row = QHBoxLayout()
        row.setSpacing(theme.PADDING_PX)
        for button in (self.use, self.as_is, self.discard):
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[theme.PADDING_PX] * 4)
        column.setSpacing(theme.SPACING_PX)
        column.addWidget(self._text)
        column.addLayout(row)
        self.use.clicked.connect(self.use_requested)
        self.as_is.clicked.connect(self.as_is_requested)
        self.discard.clicked.connect(self.discard_requested)
        self.hide()

    def show_draft(self, uri: str, trouble: str, suggested: str) -> None:
        """Show that `uri` was not sent because of `trouble`, and what to send instead; nothing is wrong where `trouble` is empty."""
        reason = trouble or "press Enter in the row to send it"
        self._text.setText(f"“{one_line(uri, URI_CHARACTERS)}” was not sent: {reason}")
        self.use.setText(f"Use {one_line(suggested, URI_CHARACTERS)}" if trouble else "Send")
        self.use.setAccessibleName(self.use.text())
        self.use.setVisible(bool(suggested) or not trouble)
        self.as_is.setVisible(bool(trouble))
        self.setAccessibleName(self._text.text())
        self.show()
