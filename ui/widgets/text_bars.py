"""The bars under a text: one finds in it, one admits what is not shown and offers the rest.

Their parts are made when they are first needed: every text has such bars, and hardly any is searched or cut.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from ui.tab_order import scroll_to
from ui.theme import tokens
from ui.theme.signs import Sign
from ui.widgets.buttons import link_button, tool_button
from ui.widgets.labels import ElidedLabel, plain_label, set_tone
from ui.widgets.layout_parts import row_layout

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from ui.theme import Theme


class LazyBar(QWidget):
    """A bar that is hidden and empty until a subclass calls `_make`; then `_build` and `_wire` run, once."""

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._is_made = False
        self.hide()

    def _make(self) -> None:
        if not self._is_made:
            self._is_made = True
            self._build()
            self._wire()

    def _build(self) -> None:
        raise NotImplementedError

    def _wire(self) -> None:
        raise NotImplementedError


class FindBar(LazyBar):
    """The bar that opens with Ctrl+F: the text to find, next, previous, and the outcome; Esc closes it.

    Signals:
        find_requested: find this text from here onwards (True) or back (False).
        changed: another text is typed; the outcome of the text before was cleared.
        closed: the bar was closed; the view should take the focus.
    """

    find_requested = Signal(str, bool)
    changed = Signal()
    closed = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme=theme, name="find_bar", parent=parent)

    def _build(self) -> None:
        theme = self._theme
        self.line = QLineEdit(self)
        self.line.setObjectName("find_line")
        self.line.setPlaceholderText("Find")
        self.line.setAccessibleName("Find")
        self.line.setMaximumWidth(theme.px(280))
        self._back = tool_button(theme, Sign.UP, "Previous", name="find_back", parent=self)
        self._on = tool_button(theme, Sign.DOWN, "Next", name="find_next", parent=self)
        self._close = tool_button(theme, Sign.CLOSE, "Close", name="find_close", parent=self)
        self._outcome = plain_label(tone="muted", name="find_outcome", parent=self)
        row = row_layout(
            self,
            space=theme.SPACING_PX,
            margins=(theme.PADDING_PX, theme.px(2), theme.PADDING_PX, theme.px(2)),
        )
        row.addWidget(self.line, 1)
        for widget in (self._back, self._on, self._outcome):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self._close)

    def _wire(self) -> None:
        self.line.textChanged.connect(self._on_line_text_changed)
        self._on.clicked.connect(lambda: self.request(onwards=True))
        self._back.clicked.connect(lambda: self.request(onwards=False))
        self._close.clicked.connect(self.close_bar)

    def open_bar(self, text: str = "") -> None:
        """Show the bar and give it the focus; a `text` replaces the one in the field."""
        self._make()
        if text:
            self.line.setText(text)
        self.show()
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()
        QTimer.singleShot(0, self.line, lambda: scroll_to(self.line, 0))  # laid out then

    def close_bar(self) -> None:
        """Hide the bar and emit `closed`."""
        self.hide()
        self.closed.emit()

    def request(self, *, onwards: bool) -> None:
        """Request the next or previous place of the typed text."""
        if self._is_made and self.line.text():
            self.find_requested.emit(self.line.text(), onwards)

    def outcome(self) -> str:
        """The outcome that is displayed."""
        return self._outcome.text() if self._is_made else ""

    def show_outcome(self, text: str) -> None:
        """Show what was found."""
        if text or self._is_made:
            self._make()
            self._outcome.setText(text)

    def _on_line_text_changed(self) -> None:
        self._outcome.clear()
        self.changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes, Enter finds next, Shift+Enter finds previous: the line passes these keys on."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.request(onwards=not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        else:
            super().keyPressEvent(event)


class TextBar(LazyBar):
    """The thin bar that admits what is not shown of a text; hidden while the whole text is.

    Signals:
        page_requested: show the following part (True) or the one before.
        all_requested: show all of the text at once.
        copy_requested: copy all of the text.
        save_requested: save all of the text.
    """

    page_requested = Signal(bool)
    all_requested = Signal()
    copy_requested = Signal()
    save_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme=theme, name="text_bar", parent=parent)
        self._text = self._note = ""
        self.has_save = True
        """Whether it offers to save the text; False for one that is only the beginning of what is saved elsewhere."""

    def _build(self) -> None:
        theme = self._theme
        self._facts = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        set_tone(self._facts, "muted")
        self._back = tool_button(theme, Sign.LEFT, "Previous page", name="page_back")
        self._on = tool_button(theme, Sign.RIGHT, "Next page", name="page_on")
        self._all = link_button("Show all", name="show_all", parent=self)
        self._copy = link_button("Copy all", name="copy_all", parent=self)
        self._save = link_button("Save as…", name="save_as", parent=self)
        row = row_layout(
            self, space=theme.px(2), margins=(theme.PADDING_PX, 0, theme.SPACING_PX, 0)
        )
        row.addWidget(self._facts, 1)
        for widget in (self._back, self._on, self._all, self._copy, self._save):
            row.addWidget(widget)
        self._save.setVisible(self.has_save)

    def _wire(self) -> None:
        self._back.clicked.connect(lambda: self.page_requested.emit(False))
        self._on.clicked.connect(lambda: self.page_requested.emit(True))
        self._all.clicked.connect(self.all_requested)
        self._copy.clicked.connect(self.copy_requested)
        self._save.clicked.connect(self.save_requested)
        self._theme.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        small = self._theme.font(tokens.SMALL)
        for widget in (self._facts, self._all, self._copy, self._save):
            widget.setFont(small)

    def text(self) -> str:
        """The text of the bar."""
        return self._facts.whole_text() if self._is_made else ""

    def show_text(self, text: str) -> None:
        """Show what is left out or changed for display; an empty text hides the bar."""
        self._text = text
        self._show()

    def set_note(self, note: str) -> None:
        """Show `note` beside that; empty for none."""
        if note != self._note:
            self._note = note
            self._show()

    def _show(self) -> None:
        whole = " · ".join(part for part in (self._text, self._note) if part)
        if whole or self._is_made:
            self._make()
            self._facts.set_text(whole)
            self.setVisible(bool(whole))

    def set_paging(self, *, back: bool, on: bool, all_allowed: bool) -> None:
        """Offer the page before, the next one, and all of the text."""
        if not self._is_made and not (back or on or all_allowed):
            return
        self._make()
        for button, useful in ((self._back, back), (self._on, on)):
            button.setVisible(back or on)
            button.setEnabled(useful)
        self._all.setVisible(all_allowed)
