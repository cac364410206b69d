"""Lists of fields that grow with what is typed: names and values (environment variables, headers), and the arguments of a program.

Values that look secret are masked until the user reveals them. A row without a name does not count, so the last row is always ready for
the next pair. Arguments are exactly as typed: nothing is trimmed, split or dropped, and an empty argument stays one; Return adds an
argument below, Backspace removes an empty one, Alt with an arrow moves one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from inspector.wire.redaction import has_secret, is_secret_name
from ui.connect.form_fields import SEALED_TEXT, LineEdit
from ui.widgets.buttons import link_button, tool_button
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import column_layout, row_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QLayout

    from inspector.config.profile import Pairs
    from ui.theme import Theme


class NameValueRow(QWidget):
    """One name and its value.

    Signals:
        changed: either was typed in.
        remove_requested: the row should go.
        reveal_requested: a value that is kept elsewhere should be fetched and shown.
    """

    changed = Signal()
    remove_requested = Signal()
    reveal_requested = Signal()

    def __init__(self, what: str, *, theme: Theme, parent: QWidget | None = None) -> None:
        """`what` is what a name stands for, e.g. `Variable`."""
        super().__init__(parent)
        self._theme = theme
        self.sealed = False
        self._revealed = False
        self._build(what)
        self._wire()
        self._refresh()

    def _build(self, what: str) -> None:
        placeholder = "NAME" if what == "Variable" else "Name"
        self.name = LineEdit(self, name="pair_name", label=f"{what} name", placeholder=placeholder)
        self.value = LineEdit(self, name="pair_value", label=f"{what} value")
        self._eye = tool_button(
            self._theme,
            "mdi6.eye-outline",
            "Show value",
            name="reveal_value",
            checkable=True,
            parent=self,
        )
        self._remove = tool_button(
            self._theme, "mdi6.close", f"Remove {what.lower()}", name="remove_pair", parent=self
        )
        # Inside the field, so that it ends where the other fields of the form end, with buttons and without.
        self.value.set_buttons(self._eye, self._remove)
        line = row_layout(self, space=self._theme.SPACING_PX)
        line.addWidget(self.name, 2)
        line.addWidget(self.value, 3)

    def _wire(self) -> None:
        self.name.textChanged.connect(self._on_typed)
        self.value.textChanged.connect(self._on_typed)
        self._eye.toggled.connect(self._on_eye_toggled)
        self._remove.clicked.connect(self.remove_requested)
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        name = self.name.text()
        secret = is_secret_name(name) or has_secret(name, self.value.text())
        hidden = secret and not self._revealed
        mode = QLineEdit.EchoMode.Password if hidden else QLineEdit.EchoMode.Normal
        self.value.setEchoMode(mode)
        self._eye.setVisible(secret and (bool(self.value.text()) or self.sealed))
        self._remove.setVisible(not self.is_blank())
        self.value.setPlaceholderText(SEALED_TEXT if self.sealed else "")
        for field in (self.name, self.value):
            field.setFont(self._theme.mono())
        self.value.arrange_buttons()

    def is_blank(self) -> bool:
        """Whether nothing was typed."""
        return not self.name.text() and not self.value.text()

    def pair(self) -> tuple[str, str]:
        """Name and value."""
        return self.name.text(), self.value.text()

    def set_pair(self, name: str, value: str, *, sealed: bool = False) -> None:
        """Show another pair; the value of a `sealed` one is not known here."""
        self.sealed = sealed
        self.name.set_value(name)
        self.value.set_value(value)
        self._refresh()

    def _on_typed(self) -> None:
        if self.value.text():
            self.sealed = False
        self._refresh()
        self.changed.emit()

    def _on_eye_toggled(self, checked: bool) -> None:
        self._revealed = checked
        self._refresh()
        if checked and self.sealed:
            self.reveal_requested.emit()


class NameValueEdit(QWidget):
    """Names and values, such as environment variables or headers.

    Signals:
        changed: a pair was typed in or removed.
        reveal_requested: a sealed value should be fetched.
    """

    changed = Signal()
    reveal_requested = Signal()

    def __init__(
        self, what: str, *, theme: Theme, name: str, parent: QWidget | None = None
    ) -> None:
        """`what` is what a name stands for, e.g. `Variable`."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(f"{what}s")
        self._what = what
        self._theme = theme
        self._rows: list[NameValueRow] = []
        self._filling = False
        self._build()
        self._refresh()

    def _build(self) -> None:
        self._column = column_layout(None, space=self._theme.SPACING_PX)
        self._hint = plain_label(tone="warning", parent=self)
        column_layout(self, self._column, self._hint, space=self._theme.SPACING_PX)

    def _refresh(self) -> None:
        if not self._rows or not self._rows[-1].is_blank():
            self._append()
        names = [name for name, _ in self.pairs()]
        twice = sorted({name for name in names if names.count(name) > 1})
        self._hint.setText(f"Duplicate name: {', '.join(twice)}. The last value is used.")
        self._hint.setVisible(bool(twice))

    def pairs(self) -> Pairs:
        """The pairs exactly as typed; rows without a name are not there yet."""
        return tuple(row.pair() for row in self._rows if row.name.text())

    def sealed_names(self) -> tuple[str, ...]:
        """Names whose value is in the keyring and was not typed again."""
        return tuple(row.name.text() for row in self._rows if row.sealed and row.name.text())

    def set_pairs(self, pairs: Pairs, sealed: Sequence[str] = ()) -> None:
        """Show other pairs; the values of the `sealed` names are not known here."""
        if pairs == self.pairs() and tuple(sealed) == self.sealed_names():
            return
        self._filling = True
        while len(self._rows) > len(pairs):
            _delete_row(self._column, self._rows.pop())
        while len(self._rows) < len(pairs):
            self._append()
        for row, (name, value) in zip(self._rows, pairs, strict=True):
            row.set_pair(name, value, sealed=name in sealed and not value)
        self._filling = False
        self._refresh()

    def begin(self, name: str, value: str) -> None:
        """Let the user type the value of a name: of the one that is there, or in a row that begins with `value`."""
        self._refresh()
        known = (row for row in self._rows if row.name.text().lower() == name.lower())
        row = next(known, self._rows[-1])
        if row.is_blank():
            row.set_pair(name, value)
            self._refresh()
            self.changed.emit()
        row.value.setFocus(Qt.FocusReason.OtherFocusReason)
        row.value.end(False)

    def _append(self) -> None:
        row = NameValueRow(self._what, theme=self._theme, parent=self)
        row.changed.connect(self._on_row_changed)
        row.remove_requested.connect(lambda: self._on_remove_requested(row))
        row.reveal_requested.connect(self.reveal_requested)
        self._rows.append(row)
        self._column.addWidget(row)

    def _on_row_changed(self) -> None:
        if not self._filling:
            self._refresh()
            self.changed.emit()

    def _on_remove_requested(self, row: NameValueRow) -> None:
        self._rows.remove(row)
        _delete_row(self._column, row)
        self._refresh()
        self._rows[0].name.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit()


class ArgumentRow(QWidget):
    """One argument and the button that removes it."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = LineEdit(self)
        self.field.setPlaceholderText("(empty argument)")
        self.remove = tool_button(
            theme, "mdi6.close", "Remove argument", name="remove_argument", parent=self
        )
        line = row_layout(self, space=theme.SPACING_PX)
        line.addWidget(self.field, 1)
        line.addWidget(self.remove)


class ArgvEdit(QWidget):
    """The arguments of a program, one field for each.

    Signals:
        changed: an argument was typed in, added, moved or removed.
    """

    changed = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("arguments")
        self.setAccessibleName("Arguments")
        self._theme = theme
        self._rows: list[ArgumentRow] = []
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        self._column = column_layout(None, space=self._theme.SPACING_PX)
        self._add = link_button("Add argument", name="add_argument", repeats=True, parent=self)
        self._add.setIcon(self._theme.icon("mdi6.plus", "accent"))
        outer = column_layout(self, self._column, space=self._theme.SPACING_PX)
        outer.addWidget(self._add, 0, Qt.AlignmentFlag.AlignLeft)

    def _wire(self) -> None:
        self._add.clicked.connect(lambda: self._insert_typed(len(self._rows)))
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        self._add.setIconSize(QSize(self._theme.ICON, self._theme.ICON))
        for number, row in enumerate(self._rows, 1):
            row.field.setFont(self._theme.mono())
            row.field.setAccessibleName(f"Argument {number}")
            row.field.setObjectName(f"argument_{number}")

    def values(self) -> tuple[str, ...]:
        """The arguments exactly as typed."""
        return tuple(row.field.text() for row in self._rows)

    def set_values(self, values: Sequence[str]) -> None:
        """Show other arguments."""
        if tuple(values) == self.values():
            return
        while len(self._rows) > len(values):
            _delete_row(self._column, self._rows.pop())
        while len(self._rows) < len(values):
            self._insert(len(self._rows))
        for row, value in zip(self._rows, values, strict=True):
            row.field.set_value(value)
        self._refresh()

    def _insert(self, at: int) -> ArgumentRow:
        row = ArgumentRow(theme=self._theme, parent=self)
        self._rows.insert(at, row)
        self._column.insertWidget(at, row)
        row.field.textChanged.connect(self.changed)
        row.field.entered.connect(lambda: self._insert_typed(self._rows.index(row) + 1))
        row.field.left_empty.connect(lambda: self._remove_typed(row))
        row.field.raised.connect(lambda: self._swap(row, -1))
        row.field.lowered.connect(lambda: self._swap(row, 1))
        row.remove.clicked.connect(lambda: self._remove_typed(row))
        return row

    def _insert_typed(self, at: int) -> None:
        self._insert(at).field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._refresh()
        self.changed.emit()

    def _remove_typed(self, row: ArgumentRow) -> None:
        at = self._rows.index(row)
        self._rows.remove(row)
        _delete_row(self._column, row)
        nearest = self._rows[max(0, at - 1)].field if self._rows else self._add
        nearest.setFocus(Qt.FocusReason.OtherFocusReason)
        self._refresh()
        self.changed.emit()

    def _swap(self, row: ArgumentRow, step: int) -> None:
        to = self._rows.index(row) + step
        if 0 <= to < len(self._rows):
            other = self._rows[to].field
            mine, theirs = row.field.text(), other.text()
            row.field.set_value(theirs)
            other.set_value(mine)
            other.setFocus(Qt.FocusReason.OtherFocusReason)


def _delete_row(column: QLayout, row: QWidget) -> None:
    column.removeWidget(row)
    row.hide()
    row.deleteLater()
