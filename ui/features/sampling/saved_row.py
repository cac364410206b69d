"""Answers to use again: choosing one, and saving what is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QPushButton, QWidget

from inspector.features.sampling import SavedAnswer
from inspector.visible_text import one_line
from ui.widgets.buttons import push_button

if TYPE_CHECKING:
    from inspector.features.sampling import SavedAnswers
    from ui.theme import Theme


class SavedRow(QWidget):
    """One row.

    Signals:
        chosen: the person wants this text.
        keep_wanted: the person wants what is written saved under this name.
    """

    chosen = Signal(str)
    keep_wanted = Signal(str)

    def __init__(
        self, answers: SavedAnswers, *, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Offer `answers`."""
        super().__init__(parent)
        self.setObjectName("saved_answers")
        self._answers = answers
        self._build(theme)

    def _build(self, theme: Theme) -> None:
        self.use = QPushButton("Use saved response", self)
        self.use.setObjectName("answer_saved")
        self.use.setAccessibleName("Use saved response")
        self.use.setAutoDefault(False)
        self.menu = QMenu(self.use)
        self.menu.aboutToShow.connect(self._fill)
        self.use.setMenu(self.menu)
        self.name = QLineEdit(self)
        self.name.setObjectName("answer_save_name")
        self.name.setAccessibleName("Name of the saved response")
        self.name.setPlaceholderText("Name")
        self.save = push_button("Save response", name="answer_save", parent=self)
        self.save.clicked.connect(self._on_save)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.PADDING_PX)
        row.addWidget(self.use)
        row.addStretch(1)
        row.addWidget(self.name)
        row.addWidget(self.save)

    def set_enabled(self, on: bool) -> None:
        """Whether there is something to save."""
        self.save.setEnabled(on)

    def keep(self, name: str, text: str) -> None:
        """Save an answer."""
        self._answers.keep(SavedAnswer(name, text))
        self.name.clear()

    def _fill(self) -> None:
        self.menu.clear()
        for answer in self._answers.items:
            text = answer.text
            action = self.menu.addAction(one_line(answer.name, 60).replace("&", "&&"))
            action.triggered.connect(lambda _checked=False, text=text: self.chosen.emit(text))

    def _on_save(self) -> None:
        name = self.name.text().strip() or f"Response {len(self._answers.items) + 1}"
        self.keep_wanted.emit(name)
