"""A question or a notice in place of a message box, with a button for each choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from inspector.visible_text import visible
from ui.theme.signs import Sign
from ui.widgets.buttons import push_button, tool_button
from ui.widgets.labels import plain_label, set_background
from ui.widgets.layout_parts import clear_layout, row_layout

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ui.theme import Theme

Choice = tuple[str, str, "Callable[[], object]"]
"""Label of a button, its object name, and what it does."""


class NoticeBar(QFrame):
    """One notice at a time; hidden without one.

    Signals:
        displayed: there is a notice, perhaps another one.
    """

    displayed = Signal()

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._buttons: list[QPushButton] = []
        self._build()
        self._wire()
        self.clear()

    def _build(self) -> None:
        self._text = plain_label(name="notice_text", wrap=True, parent=self)
        self._close = tool_button(
            self._theme, Sign.CLOSE, "Dismiss", name="dismiss_notice", parent=self
        )
        self._row = row_layout(None, space=self._theme.SPACING_PX)
        top = QHBoxLayout()
        top.addWidget(self._text, 1)
        top.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        pad = self._theme.PADDING_PX
        column.setContentsMargins(pad, pad // 2, pad // 2, pad // 2)
        column.setSpacing(self._theme.SPACING_PX)
        column.addLayout(top)
        column.addLayout(self._row)

    def _wire(self) -> None:
        self._close.clicked.connect(self.clear)

    def text(self) -> str:
        """What it says."""
        return self._text.text()

    def show_notice(self, text: str, *choices: Choice, tone: str = "info") -> None:
        """Show `text` on the background named `tone`, with a button for each choice."""
        self._drop_buttons()
        self._text.setText(visible(text))
        self.setAccessibleName(self._text.text())
        self._add_buttons(choices)
        set_background(self, tone)
        self.show()
        self.displayed.emit()

    def focus_choice(self) -> None:
        """Put the keyboard on the first choice."""
        if self._buttons:
            self._buttons[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def put_under(self, column: QVBoxLayout) -> None:
        """Stand at the end of `column`, as wide as it."""
        is_hidden = self.isHidden()
        column.addWidget(self)
        self.setHidden(is_hidden)

    def lie_beside(self, panel: QWidget, width: int) -> None:
        """Lie over the window of `panel`, at its right edge and bottom, `width` pixels wide: for panels without room for a text."""
        window = panel.window()
        if self.parentWidget() is not window:
            is_hidden = self.isHidden()
            self.setParent(window)
            self.setHidden(is_hidden)
        if self.isHidden():
            return
        size = QSize(width, self.heightForWidth(width))
        corner = panel.mapTo(window, panel.rect().bottomRight())
        space = self._theme.px(6)
        self.setGeometry(QRect(corner + QPoint(space, -size.height() - space), size))
        self.raise_()

    def clear(self) -> None:
        """Nothing to say any more."""
        self.hide()

    def _add_buttons(self, choices: Sequence[Choice]) -> None:
        self._row.addStretch(1)
        for text, name, act in choices:
            button = push_button(text, name=name, parent=self)
            button.clicked.connect(self.clear)
            button.clicked.connect(_called_by_click(act))
            button.ensurePolished()
            self._row.addWidget(button)
            self._buttons.append(button)

    def _drop_buttons(self) -> None:
        self._buttons = []
        clear_layout(self._row)


def _called_by_click(act: Callable[[], object]) -> Callable[[], None]:
    def call() -> None:
        act()

    return call
