"""A row of buttons of which one is selected: the views of one subject, such as [Text] [JSON] [Raw]."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QToolButton, QWidget

from ui.widgets.layout_parts import row_layout

if TYPE_CHECKING:
    from collections.abc import Sequence


class SegmentedControl(QWidget):
    """Flat buttons, one of them down; the arrow keys move between them.

    Signals:
        chosen: the user selected the option of this key.
    """

    chosen = Signal(str)

    def __init__(
        self,
        options: Sequence[tuple[str, str]] = (),
        *,
        name: str = "segments",
        parent: QWidget | None = None,
    ) -> None:
        """Offer `options` as (key, label), the first one selected."""
        super().__init__(parent)
        self.setObjectName(name)
        self._build()
        self.set_options(options)

    def _build(self) -> None:
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._row = row_layout(self, space=0)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._group.buttonClicked.connect(self._on_button_clicked)
        self._buttons: dict[str, QToolButton] = {}

    def set_options(self, options: Sequence[tuple[str, str]]) -> None:
        """Offer these from now on, keeping the choice if it is still there."""
        before, known = self.current(), self._buttons
        for key in known.keys() - dict(options).keys():
            self._remove(known[key])
        self._buttons = {key: known.get(key) or self._add(key, message) for key, message in options}
        for key, text in options:  # those that stay keep the focus
            self.set_label(key, text)
            self._row.addWidget(self._buttons[key])
        self.choose(before if before in self._buttons else next(iter(self._buttons), ""))

    def _remove(self, button: QToolButton) -> None:
        self._group.removeButton(button)
        self._row.removeWidget(button)
        button.hide()  # it would be there until the loop deletes it
        button.deleteLater()

    def _add(self, key: str, text: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setAccessibleName(text)
        button.setObjectName(f"{self.objectName()}_{key}")
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._group.addButton(button)
        return button

    def current(self) -> str:
        """The key of what is chosen; empty if there is nothing to choose."""
        return next((key for key, button in self._buttons.items() if button.isChecked()), "")

    def choose(self, key: str) -> None:
        """Select an option without a signal; unknown keys change nothing."""
        if key in self._buttons:
            self._buttons[key].setChecked(True)

    def set_label(self, key: str, text: str) -> None:
        """Rename an option, for instance to add a count."""
        self._buttons[key].setText(text)
        self._buttons[key].setAccessibleName(text)

    def _on_button_clicked(self) -> None:
        self.chosen.emit(self.current())
