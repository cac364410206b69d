"""The two kinds of rows: the name beside the editor, for what fits on a line; and a header that opens and closes a body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from inspector.schema.json_edit import MISSING
from ui.theme import tokens
from ui.widgets.field_label import field_height
from ui.widgets.form.field_help import HELP_SPACE_PX, FieldHelp
from ui.widgets.form.initial_value import added_value
from ui.widgets.form.layout import LaidOutAtOnce, lay_out_now, take_any_width
from ui.widgets.form.row import Row, accessible_text
from ui.widgets.form.schema import FieldKind
from ui.widgets.form.slot import Slot
from ui.widgets.labels import ElidedLabel, set_tone
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.units import plural

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from inspector.schema.json_edit import JsonOrMissing
    from ui.theme import Theme
    from ui.widgets.form.layout import Help
    from ui.widgets.form.row import ProblemIndex
    from ui.widgets.form.schema import FieldContext

QWIDGETSIZE_MAX = 16_777_215
"""Qt's own limit: as wide as there is room."""

FIRST_LABEL_WIDTH = 64
"""Pixels at 100% for a name until the column has been aligned; few, for a form never asks for more width than it gets."""


OPEN_DEPTH = 4
"""Deeper blocks are closed at first, and indented less: names and texts need the width."""


class LineRow(Row):
    """Name, editor, and what is under it."""

    def set_label_width(self, width: int) -> None:
        """Give the name this many pixels; 0 puts it above."""
        if width == self._label_width:
            return
        self._label_width = width
        self._arrange()

    def label_width(self) -> int:
        """Pixels of the whole name."""
        return self._name.full_width()

    @property
    def has_help(self) -> bool:
        """Whether there is a text under the field; without, there is an empty line for messages."""
        return self._help.has_help or self._under.count() > 1

    def _build(self) -> None:
        theme = self.context.form.theme
        self._label_width = -1
        self.slot = self._editing = Slot(self.field, self.context, self)
        self._help = FieldHelp(theme=theme, parent=self)
        self._under = column_layout(None, self._help, space=theme.SPACING_PX // 2)
        self._buttons = [
            self._make_null_button(),
            self._make_remove_button(),
            self._make_menu_button(),
        ]
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme.PADDING_PX)
        self._grid.setVerticalSpacing(theme.px(HELP_SPACE_PX))
        self._grid.setColumnStretch(1, 1)
        self.setFocusProxy(self.slot)
        self.set_label_width(theme.px(FIRST_LABEL_WIDTH))

    def _arrange(self) -> None:
        top = Qt.AlignmentFlag.AlignTop
        above = self._label_width == 0
        grid, line = self._grid, 1 if above else 0
        while grid.count():
            grid.takeAt(0)
        if above:
            self._name.setMinimumSize(0, 0)
            self._name.setMaximumWidth(QWIDGETSIZE_MAX)
            grid.addWidget(self._name, 0, 0, 1, 2)
        else:
            self._name.setFixedWidth(self._label_width)
            self._name.setMinimumHeight(field_height(self.context.form.theme))
            grid.addWidget(self._name, 0, 0, top)
        grid.addWidget(self._editing, line, 0 if above else 1, 1, 2 if above else 1)
        for at, button in enumerate(button for button in self._buttons if button is not None):
            grid.addWidget(button, line, 2 + at, top)
        grid.addLayout(self._under, line + 1, 0 if above else 1, 1, -1)

    def _make_null_button(self) -> QToolButton | None:
        if not (self.field.nullable and self.context.form.reader.spec(self.field).has_null_button):
            return None
        button = QToolButton(self)
        button.setObjectName("set null")
        button.setText("null")
        button.setProperty("toggle", True)
        button.setProperty("beside_field", True)
        button.setAccessibleName(f"{self.context.full_name}: null")
        button.setCheckable(True)
        button.clicked.connect(self._on_null_clicked)
        return button

    def _display(self, value: JsonOrMissing) -> None:
        self._editing.show_value(value)
        null = self._buttons[0]
        if null is not None:
            null.setChecked(value is None)

    def _labels_layout(self) -> QVBoxLayout:
        return self._under

    def _show_help(self, text: Help) -> None:
        self._help.set_help(text)

    def _show_messages(self, problems: list[str], remarks: list[str]) -> None:
        show_messages(self._help, problems, remarks)

    def _on_null_clicked(self) -> None:
        if self.value is None:
            self.context.clear()
        else:
            self.context.set_value(None)
        self.setFocus()


class BlockRow(Row):
    """A header and, when it is open, an indented body; the body is made when it is first opened."""

    def open(self) -> None:
        """Show the body."""
        self._set_open(on=True)

    def set_open(self, *, on: bool) -> None:
        """Show or hide the body, and leave it so for any value."""
        self.was_toggled = True
        self._set_open(on=on)
        self._mark_again()
        lay_out_now()

    @property
    def is_open(self) -> bool | None:
        """Whether the body is visible."""
        return self._is_open

    def rename(self) -> None:
        """Set the names of the widgets again; the field has moved."""
        super().rename()
        self._chevron.setAccessibleName(f"{accessible_text(self.context)}: expand")

    # --- building ------------------------------------------------------------------------------

    def _build(self) -> None:
        theme = self.context.form.theme
        self._is_open = False
        self._header_widget: QWidget | None = None
        self._help: FieldHelp | None = None
        column = column_layout(self, space=theme.px(HELP_SPACE_PX))
        column.addWidget(self._make_header())
        self._under = column_layout(
            None,
            space=theme.SPACING_PX // 2,
            margins=(theme.px(tokens.ICON) + theme.SPACING_PX, 0, 0, 0),
        )
        column.addLayout(self._under)
        self._body = _Body(self.context, self)
        self._body.hide()
        column.addWidget(self._body)
        self.setFocusProxy(self._chevron)

    def _make_header(self) -> QWidget:
        theme = self.context.form.theme
        header = _Header(self)
        layout = row_layout(header, space=theme.SPACING_PX)
        self._chevron = self._tool_button("mdi6.chevron-right", "Expand or collapse", "open")
        self._chevron.clicked.connect(self._on_toggled)
        header.double_clicked.connect(self._on_toggled)
        self._name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._state = ElidedLabel(parent=header)
        self._state.setObjectName("state")
        set_tone(self._state, "muted")
        self._message = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=header)
        self._message.hide()
        for widget in (self._chevron, self._name, self._state, self._message):
            layout.addWidget(widget)
        self._beside = QHBoxLayout()
        layout.addLayout(self._beside, 1)
        layout.addStretch(0)
        self._add_buttons(layout)
        return header

    def _add_buttons(self, layout: QHBoxLayout) -> None:
        self._add = self._tool_button("mdi6.plus", "Add", "put")
        self._add.clicked.connect(self._on_add_clicked)
        self._clear = self._tool_button("mdi6.close", "Unset", "clear")
        self._clear.clicked.connect(self.context.clear)
        buttons = (self._add, self._clear, self._make_remove_button(), self._make_menu_button())
        for button in buttons:
            if button is not None:
                layout.addWidget(button)

    def _make_slot(self) -> Slot:
        slot = Slot(self.field, self.context, self._body)
        slot.replaced.connect(self._on_slot_replaced)
        self._body.layout_.addWidget(slot)
        return slot

    # --- showing -------------------------------------------------------------------------------

    def _display(self, value: JsonOrMissing) -> None:
        if not self.was_toggled and not self._is_open and self._opens_for(value):
            self._set_open(on=True)
        if self.slot is not None:
            self.slot.show_value(value)
        self._show_state()

    def _opens_for(self, value: JsonOrMissing) -> bool:
        if self.field.kind is FieldKind.UNION:
            return True
        return self.context.depth <= OPEN_DEPTH and (value is not MISSING or self.context.required)

    def _show_state(self) -> None:
        value, unset = self.value, self.value is MISSING
        parts = (self.field.type_text, _state_text(value))
        self._state.set_text(" · ".join(part for part in parts if part))
        is_union = self.field.kind is FieldKind.UNION
        adds_inside = self._is_open and self.field.kind is FieldKind.ARRAY
        self._add.setVisible(unset and not is_union and not adds_inside)
        optional = not self.context.required and not self.context.is_added
        self._clear.setVisible(not unset and optional and not is_union)
        if is_union:
            self._state.hide()

    def _set_open(self, *, on: bool) -> None:
        if on and self.slot is None:
            self.slot = self._make_slot()
            self.slot.show_value(self.value)
            self._mark_again()
        self._body.setVisible(on)
        self._is_open = on
        # A space that is typed at the arrow of an open block would hide what is about to be filled in.
        policy = Qt.FocusPolicy.ClickFocus if on else Qt.FocusPolicy.StrongFocus
        self._chevron.setFocusPolicy(policy)
        icon = "mdi6.chevron-down" if on else "mdi6.chevron-right"
        self._chevron.setIcon(self.context.form.theme.icon(icon, "muted"))
        self._show_state()

    def _lines_inside(self, problems: ProblemIndex, pointer: str) -> list[str]:
        if self._is_open:
            return super()._lines_inside(problems, pointer)
        found = [
            problem
            for problem in problems.problems_inside(pointer)
            if not problem.missing or self.touched or problems.strict
        ]
        return [f"{plural(len(found), 'problem')} inside"] if found else []

    def _labels_layout(self) -> QVBoxLayout:
        return self._under

    def _show_help(self, text: Help) -> None:
        if text.whole:
            self._help = FieldHelp(theme=self.context.form.theme, parent=self)
            self._help.set_help(text)
            self._under.insertWidget(0, self._help)

    def _show_messages(self, problems: list[str], remarks: list[str]) -> None:
        """In place of the help; without any, in the header."""
        if self._help is not None:
            show_messages(self._help, problems, remarks)
            return
        text, tone, name = message_of(problems, remarks)
        self._message.setObjectName(name)
        set_tone(self._message, tone)
        self._message.set_text("; ".join(text.split("\n")))
        self._message.setVisible(bool(text))

    def _on_toggled(self) -> None:
        self.set_open(on=not self._is_open)

    def _on_add_clicked(self) -> None:
        value = added_value(self.context.form.reader, self.field)
        self.context.set_value({} if value is MISSING else value)
        self.start_typing()

    def _on_slot_replaced(self) -> None:
        if self._header_widget is not None:
            self._header_widget.deleteLater()
        editor = None if self.slot is None else self.slot.editor
        self._header_widget = None if editor is None else editor.header_widget()
        if self._header_widget is not None:
            self._beside.addWidget(self._header_widget)


class _Header(QWidget):
    """The header.

    Signals:
        double_clicked: to open or close the body.
    """

    double_clicked = Signal()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Emit `double_clicked`."""
        self.double_clicked.emit()


class _Body(LaidOutAtOnce):
    """Indents what is inside, with a hairline at its left."""

    def __init__(self, context: FieldContext, parent: QWidget) -> None:
        super().__init__(parent)
        take_any_width(self)
        self._theme = theme = context.form.theme
        self.layout_ = column_layout(self, space=0)
        indent = indent_of(theme, context.depth) - indent_of(theme, context.depth - 1)
        self.layout_.setContentsMargins(indent, theme.SPACING_PX, 0, 0)  # apart from the help above

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the hairline."""
        painter = QPainter(self)
        painter.setPen(self._theme.color("hairline"))
        across = self._theme.px(tokens.ICON) // 2 + 2
        painter.drawLine(across, 0, across, self.height())
        painter.end()


def indent_of(theme: Theme, depth: int) -> int:
    """Return how far in pixels the fields are indented that have so many objects and arrays around them."""
    wide, narrow = theme.px(tokens.ICON) + theme.SPACING_PX, 2 * theme.SPACING_PX
    return wide * min(depth, OPEN_DEPTH) + narrow * max(depth - OPEN_DEPTH, 0)


def message_of(problems: list[str], remarks: list[str]) -> tuple[str, str, str]:
    """Return text, tone and object name of the message about a value: its problems first, then notes on it."""
    text = "\n".join((*problems, *remarks))
    return (text, "error", "problem") if problems else (text, "warning", "remark")


def show_messages(field_help: FieldHelp, problems: list[str], remarks: list[str]) -> None:
    """Show the message about a value in place of the help of its field."""
    field_help.show_message(*message_of(problems, remarks))


def _state_text(value: JsonOrMissing) -> str:
    if value is MISSING:
        return "unset"
    if value is None:
        return "null"
    if isinstance(value, list) and value:
        return plural(len(value), "item")
    return "empty" if value in ([], {}) else ""
