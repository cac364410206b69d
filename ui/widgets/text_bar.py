"""The thin bar under a text that admits what is not shown, and offers the rest.

Its parts are made when there is something to admit, which for most texts there never is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.theme import tokens
from ui.widgets.buttons import link_button, tool_button
from ui.widgets.elided_label import ElidedLabel
from ui.widgets.labels import set_tone

if TYPE_CHECKING:
    from ui.theme import Theme


class TextBar(QWidget):
    """Hidden while there is nothing to admit.

    Signals:
        page_requested: show what follows (True) or what is before.
        all_requested: show all at once.
        copy_wanted: copy all of the text.
        save_requested: save all of the text.
    """

    page_requested = Signal(bool)
    all_requested = Signal()
    copy_wanted = Signal()
    save_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start hidden."""
        super().__init__(parent)
        self.setObjectName("text_bar")
        self._theme = theme
        self._is_made = False
        self.hide()

    def _make(self) -> None:
        if not self._is_made:
            self._is_made = True
            self._build()
            self._wire()

    def _build(self) -> None:
        theme = self._theme
        self._words = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        set_tone(self._words, "muted")
        self._back = tool_button(theme, "mdi6.chevron-left", "Previous page", name="page_back")
        self._on = tool_button(theme, "mdi6.chevron-right", "Next page", name="page_on")
        self._all = link_button("Show all", name="show_all", parent=self)
        self._copy = link_button("Copy all", name="copy_all", parent=self)
        self._save = link_button("Save as…", name="save_as", parent=self)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.PADDING_PX, 0, theme.SPACING_PX, 0)
        row.setSpacing(theme.px(2))
        row.addWidget(self._words, 1)
        for widget in (self._back, self._on, self._all, self._copy, self._save):
            row.addWidget(widget)

    def _wire(self) -> None:
        self._back.clicked.connect(lambda: self.page_requested.emit(False))
        self._on.clicked.connect(lambda: self.page_requested.emit(True))
        self._all.clicked.connect(self.all_requested)
        self._copy.clicked.connect(self.copy_wanted)
        self._save.clicked.connect(self.save_requested)
        self._theme.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        small = self._theme.font(tokens.SMALL)
        for widget in (self._words, self._all, self._copy, self._save):
            widget.setFont(small)

    def text(self) -> str:
        """What is admitted."""
        return self._words.whole_text() if self._is_made else ""

    def set_facts(self, text: str) -> None:
        """Admit this; nothing hides the bar."""
        if text or self._is_made:
            self._make()
            self._words.set_text(text)
            self.setVisible(bool(text))

    def say(self, text: str) -> None:
        """Tell what was done."""
        self._make()
        self._words.set_text(text)
        self.show()

    def set_paging(self, *, back: bool, on: bool, all_allowed: bool) -> None:
        """Whether there is something before, something after, and whether all of it can be shown."""
        if not self._is_made and not (back or on or all_allowed):
            return
        self._make()
        for button, useful in ((self._back, back), (self._on, on)):
            button.setVisible(back or on)
            button.setEnabled(useful)
        self._all.setVisible(all_allowed)
