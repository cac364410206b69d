"""A row of choices of which at most one is on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QToolButton, QWidget

from ui.widgets.form.editor import row_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent


class OptionRow(QWidget):
    """Buttons side by side; arrow keys go from one to the next and choose it.

    Signals:
        picked(int): a person chose the button at this index.
    """

    picked = Signal(int)

    def __init__(self, texts: Sequence[str], *, space: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        layout = row_layout(self, space=space)
        for index, text in enumerate(texts):
            layout.addWidget(self._button(index, text))
        layout.addStretch(1)
        self._group.idClicked.connect(self.picked)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._set_tab_stop(0)

    def buttons(self) -> list[QToolButton]:
        """The buttons from left to right."""
        return [button for button in self._group.buttons() if isinstance(button, QToolButton)]

    def show_index(self, index: int) -> None:
        """Switch on one button, or none for -1."""
        self._group.setExclusive(False)
        for at, button in enumerate(self.buttons()):
            button.setChecked(at == index)
        self._group.setExclusive(True)
        self._set_tab_stop(max(index, 0))

    def name(self, text: str) -> None:
        """Name the buttons after what they are about."""
        for button in self.buttons():
            button.setAccessibleName(f"{text}: {button.text()}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right choose the neighbour."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        buttons = self.buttons()
        focused = next((at for at, button in enumerate(buttons) if button.hasFocus()), -1)
        if not step or focused < 0:
            super().keyPressEvent(event)
            return
        neighbour = buttons[(focused + step) % len(buttons)]
        neighbour.setFocus()
        neighbour.click()

    def _button(self, index: int, text: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setCheckable(True)
        button.setObjectName(text)
        self._group.addButton(button, index)
        return button

    def _set_tab_stop(self, index: int) -> None:
        """Tab stops once in the whole row."""
        for at, button in enumerate(self.buttons()):
            on = Qt.FocusPolicy.StrongFocus if at == index else Qt.FocusPolicy.ClickFocus
            button.setFocusPolicy(on)
            if at == index:
                self.setFocusProxy(button)
