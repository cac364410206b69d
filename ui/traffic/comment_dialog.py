"""The dialog for the comment on a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from inspector.transcript.annotation_storage import MAX_COMMENT
from ui.theme import tokens
from ui.widgets.buttons import push_button
from ui.widgets.dialog_parts import DialogFoot, DialogSize, DialogTitle, set_size
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from inspector.transcript.annotations import Annotations
    from ui.theme import Theme

LINES = 6
"""Lines of a comment that fit without scrolling."""


class CommentDialog(QDialog):
    """Edits the comment on one frame; an empty comment is removed."""

    def __init__(
        self, annotations: Annotations, number: int, *, theme: Theme, parent: QWidget
    ) -> None:
        """Show the comment on frame `number`."""
        super().__init__(parent)
        self._annotations = annotations
        self._number = number
        self._theme = theme
        self.setObjectName("comment_dialog")
        self.setWindowTitle(f"Comment on frame {number:,}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.text = QPlainTextEdit(annotations.comments.get(number, ""), self)
        self._build()
        set_size(self, theme, DialogSize.SMALL)
        self.text.setFocus()

    def _build(self) -> None:
        theme = self._theme
        title = DialogTitle(theme=theme, name="comment_title", parent=self)
        title.set_text(self.windowTitle())
        self.text.setObjectName("comment_text")
        self.text.setAccessibleName(self.windowTitle())
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(self.text.fontMetrics().lineSpacing() * LINES + theme.px(12))
        kept = f"Saved {self._annotations.storage_text}"
        if self._annotations.is_full:
            kept = "This session has as many annotations as are kept; remove some to add others."
        where = plain_label(kept, tone="muted", wrap=True, name="comment_where", parent=self)
        foot = DialogFoot(theme=theme, name="comment_foot", parent=self)
        cancel = push_button("Cancel", name="comment_cancel", parent=foot)
        save = push_button("Save", name="comment_save", primary=True, parent=foot)
        foot.add_right(cancel)
        foot.add_right(save)
        body = column_layout(None, self.text, where, space=theme.SPACING_PX)
        edge = theme.px(tokens.READING_PADDING_PX)
        body.setContentsMargins(edge, 0, edge, edge)
        column = column_layout(self, title, space=0)
        column.addLayout(body)
        column.addWidget(foot)
        cancel.clicked.connect(self.reject)
        save.clicked.connect(self.accept)
        QShortcut(QKeySequence("Ctrl+Return"), self, self.accept)

    def accept(self) -> None:
        """Keep the comment."""
        self._annotations.set_comment(self._number, self.text.toPlainText().strip()[:MAX_COMMENT])
        super().accept()
