"""Fields of the forms in the editor of a server: exact values, secrets, options, and the form that labels them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QWidget,
)

from ui.widgets.buttons import tool_button
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import row_layout

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QKeyEvent, QResizeEvent
    from PySide6.QtWidgets import QToolButton

    from ui.theme import Theme

EDGE_PX = 2
"""Between the outline of a field and the buttons in it."""

MAX_CHARACTERS = 10_000_000
"""Of a field; Qt would cut at 32,767 without a warning."""

SEALED_TEXT = "Stored in the keyring; type to replace"


class LineEdit(QLineEdit):
    """A field for one exact value; line breaks in it display as signs and are kept.

    Signals:
        entered: Return was pressed.
        left_empty: Backspace was pressed in the empty field.
        raised: Alt and the upward arrow were pressed.
        lowered: Alt and the downward arrow were pressed.
    """

    entered = Signal()
    left_empty = Signal()
    raised = Signal()
    lowered = Signal()

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        name: str = "",
        label: str = "",
        placeholder: str = "",
    ) -> None:
        """Start empty; `label` is the accessible name."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(label)
        self.setPlaceholderText(placeholder)
        self.setMaxLength(MAX_CHARACTERS)
        self._buttons: tuple[QToolButton, ...] = ()

    def set_buttons(self, *buttons: QToolButton) -> None:
        """Put `buttons` into the field, at its end; Tab stops at them after the field."""
        self._buttons = buttons
        for button in buttons:
            button.setParent(self)
            button.setCursor(Qt.CursorShape.ArrowCursor)
        self.arrange_buttons()

    def arrange_buttons(self) -> None:
        """Place the visible buttons, and end the text before them."""
        right = self.width() - EDGE_PX
        for button in reversed([each for each in self._buttons if not each.isHidden()]):
            size = button.sizeHint().boundedTo(QSize(self.width(), self.height() - 2 * EDGE_PX))
            right -= size.width()
            button.setGeometry(QRect(QPoint(right, (self.height() - size.height()) // 2), size))
        self.setTextMargins(0, 0, self.width() - right if right < self.width() - EDGE_PX else 0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The buttons stay at the end."""
        super().resizeEvent(event)
        self.arrange_buttons()

    def set_value(self, value: str) -> None:
        """Show a value from its beginning."""
        self.setText(value)
        self.setCursorPosition(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that lead from row to row."""
        arrows = {Qt.Key.Key_Up: self.raised, Qt.Key.Key_Down: self.lowered}
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Backspace and not self.text():
            self.left_empty.emit()
        elif event.modifiers() == Qt.KeyboardModifier.AltModifier and event.key() in arrows:
            arrows[Qt.Key(event.key())].emit()
        else:
            super().keyPressEvent(event)


class SecretEdit(QWidget):
    """A masked field with a button that shows its value.

    Signals:
        changed: the user typed.
        reveal_requested: fetch the value from the keyring and show it.
    """

    changed = Signal()
    reveal_requested = Signal()

    def __init__(self, label: str, *, theme: Theme, name: str, parent: QWidget | None = None):
        """Start empty; `label` is the accessible name."""
        super().__init__(parent)
        self.setObjectName(f"{name}_row")
        self._theme = theme
        self._is_sealed = False
        self.field = LineEdit(self, name=name, label=label)
        self._eye = tool_button(
            theme,
            "mdi6.eye-outline",
            "Show value",
            name=f"show_{name}",
            checkable=True,
            parent=self,
        )
        row = row_layout(self, space=theme.SPACING_PX)
        row.addWidget(self.field, 1)
        row.addWidget(self._eye)
        self.setFocusProxy(self.field)
        self.field.textChanged.connect(self._on_typed)
        self._eye.toggled.connect(self._on_eye_toggled)
        theme.changed.connect(self._refresh)
        self._refresh()

    @property
    def is_sealed(self) -> bool:
        """Whether the value is in the keyring and was not typed again."""
        return self._is_sealed

    def value(self) -> str:
        """The typed value; empty while it is in the keyring."""
        return self.field.text()

    def set_value(self, value: str, *, is_sealed: bool) -> None:
        """Show another value; a sealed one stays in the keyring."""
        self._is_sealed = is_sealed and not value
        self.field.set_value(value)
        self._refresh()

    def _refresh(self) -> None:
        is_visible = self._eye.isChecked()
        mode = QLineEdit.EchoMode.Normal if is_visible else QLineEdit.EchoMode.Password
        self.field.setEchoMode(mode)
        self.field.setPlaceholderText(SEALED_TEXT if self._is_sealed else "")
        self.field.setFont(self._theme.mono())

    def _on_typed(self, text: str) -> None:
        if text:
            self._is_sealed = False
        self._refresh()
        self.changed.emit()

    def _on_eye_toggled(self, checked: bool) -> None:
        self._refresh()
        if checked and self._is_sealed:
            self.reveal_requested.emit()


class FieldForm(QFormLayout):
    """A form of labeled fields without margins; spacing follows the theme."""

    def __init__(self, owner: QWidget, *, theme: Theme) -> None:
        """Lay out `owner`."""
        super().__init__(owner)
        self._theme = theme
        self.setContentsMargins(0, 0, 0, 0)
        self.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        theme.changed.connect(self._refresh)
        self._refresh()

    def add(self, label: str, field: QWidget, *, buddy: QWidget | None = None) -> None:
        """Add a row; the mnemonic of its label leads to `buddy`, or to the field."""
        text = plain_label(label, tone="muted")
        text.setBuddy(buddy or field)
        self.addRow(text, field)

    def _refresh(self) -> None:
        self.setHorizontalSpacing(self._theme.px(12))
        self.setVerticalSpacing(self._theme.px(6))


def combo_box(
    name: str, label: str, options: Iterable[tuple[str, object]] = (), *, parent: QWidget
) -> QComboBox:
    """A drop-down of (text, data) pairs; `label` is the accessible name."""
    box = QComboBox(parent)
    box.setObjectName(name)
    box.setAccessibleName(label)
    for text, data in options:
        box.addItem(text, data)
    return box


def check_box(name: str, label: str, *, tooltip: str = "", parent: QWidget) -> QCheckBox:
    """A box to check, named after its label."""
    box = QCheckBox(label, parent)
    box.setObjectName(name)
    box.setAccessibleName(label)
    box.setToolTip(tooltip)
    return box


def field_row(space: int, *widgets: QWidget) -> QWidget:
    """Widgets side by side, of which the lines take the width that is left."""
    row = QWidget()
    line = row_layout(row, space=space)
    for widget in widgets:
        line.addWidget(widget, 1 if isinstance(widget, LineEdit) else 0)
    return row


def browse(field: LineEdit, title: str, mode: QFileDialog.FileMode, name_filter: str = "") -> None:
    """Open a file dialog whose selection becomes the value of `field`; it does not block."""
    dialog = QFileDialog(field.window(), title, field.text(), name_filter)
    dialog.setObjectName(f"{field.objectName()}_dialog")
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.setFileMode(mode)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.fileSelected.connect(field.set_value)
    dialog.open()
