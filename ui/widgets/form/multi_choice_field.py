"""An array of choices: boxes to check, or a list of the items where their order or repeats matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QWidget

from inspector.schema.json_edit import MISSING, exact
from ui.widgets.buttons import link_button
from ui.widgets.form.array_field import ArrayField
from ui.widgets.form.editor import Editor
from ui.widgets.labels import no_mnemonic, plain_label, tool_tip
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.schema.json_edit import JsonOrMissing, Path
    from inspector.wire.json_codec import Json
    from ui.widgets.form.row import ProblemIndex, Row
    from ui.widgets.form.schema import Field, FieldContext, FixedChoice

AS_LIST, AS_BOXES = "Edit as list", "Edit as boxes"


class MultiChoiceField(Editor):
    """Edits an array as a set of boxes, or item by item if boxes cannot show it or the user requested it."""

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(field, context, parent)
        self.prefers_list = False
        """Whether the user switched to the items one by one."""
        self._list: ArrayField | None = None
        self._build()

    @property
    def is_list(self) -> bool:
        """Whether the items are edited one by one."""
        return self._list is not None and not self._list.isHidden()

    def rows(self) -> list[Row]:
        """The items, where they are edited one by one."""
        return self._list.rows() if self._list is not None and self.is_list else []

    def mark(self, problems: ProblemIndex) -> None:
        """Show the problems of the items."""
        self._problems = problems
        if self._list is not None:
            self._list.mark(problems)

    def reach(self, path: Path) -> Row | None:
        """Make the row of an item, where there are rows."""
        return self._list.reach(path) if self._list is not None and self.is_list else None

    def start_typing(self) -> None:
        """Go to the first item, or the first box."""
        if self._list is not None and self.is_list:
            self._list.start_typing()
        else:
            self._boxes[0].setFocus()

    def rename(self) -> None:
        """Name the parts after the field."""
        for at, box in enumerate(self._boxes):
            box.setObjectName(f"pick:{self._context.pointer}/{at}")
            box.setAccessibleName(f"{self._context.full_name}: {self._field.choices[at].label}")
        self._switch.setObjectName(f"as list:{self._context.pointer}")
        self._switch.setAccessibleName(f"{self._context.full_name}: {self._switch.text()}")
        if self._list is not None:
            self._list.rename()

    def set_as_list(self, *, on: bool) -> None:
        """Edit the items one by one, or as boxes again if these can show them."""
        self.prefers_list = on
        self._display(self._value)

    def _build(self) -> None:
        space = self._context.form.theme.SPACING_PX
        self._column = column_layout(self, space=space // 2)
        self._column.setContentsMargins(0, space, 0, space)
        self._box_column = QWidget(self)
        layout = column_layout(self._box_column, space=space // 2)
        self._boxes = [QCheckBox(no_mnemonic(choice.label), self) for choice in self._field.choices]
        for box, choice in zip(self._boxes, self._field.choices, strict=True):
            box.setToolTip(tool_tip(f"sends {exact(choice.value)}"))
            box.clicked.connect(self._on_clicked)
            layout.addWidget(box)
        self._state = plain_label(tone="muted", parent=self)
        layout.addWidget(self._state)
        self._switch = link_button(AS_LIST, name="as list", parent=self)
        self._switch.setToolTip("Put the items in another order, or have one more than once")
        self._switch.clicked.connect(lambda: self._on_switched())
        self._column.addWidget(self._box_column)
        self._column.addWidget(self._switch, 0, Qt.AlignmentFlag.AlignLeft)
        self.setFocusProxy(self._boxes[0])
        self.rename()

    def _display(self, value: JsonOrMissing) -> None:
        can_check = value is MISSING or value is None or are_picks(self._field.choices, value)
        as_list = self.prefers_list or not can_check
        focused: QWidget = self._boxes[0]
        if as_list:
            focused = self._made_list()
            focused.show_value(value)
        else:
            self._check_boxes(value)
        self._box_column.setVisible(not as_list)
        if self._list is not None:
            self._list.setVisible(as_list)
        self._switch.setText(AS_BOXES if as_list else AS_LIST)
        self._switch.setVisible(can_check and (as_list or isinstance(value, list)))
        self.setFocusProxy(focused)
        self.rename()

    def _check_boxes(self, value: JsonOrMissing) -> None:
        checked = {exact(item) for item in value} if isinstance(value, list) else set[str]()
        for box, choice in zip(self._boxes, self._field.choices, strict=True):
            box.setChecked(exact(choice.value) in checked)
        self._state.setText("empty array" if value == [] else self._state_text(value))
        self._state.setVisible(bool(self._state.text()))

    def _made_list(self) -> ArrayField:
        if self._list is None:
            self._list = ArrayField(self._field, self._context, self)
            self._column.insertWidget(1, self._list)
            if self._problems is not None:
                self._list.mark(self._problems)
        return self._list

    def _on_switched(self) -> None:
        self.set_as_list(on=not self.is_list)
        self.start_typing()

    def _on_clicked(self) -> None:
        checked: list[Json] = [
            choice.value
            for box, choice in zip(self._boxes, self._field.choices, strict=True)
            if box.isChecked()
        ]
        optional = not self._context.required and not self._context.is_added
        value: JsonOrMissing = ordered(checked, self._value)
        if optional and not checked:
            value = MISSING
        self._edit(value)
        self._display(value)


def are_picks(choices: Sequence[FixedChoice], value: Json) -> bool:
    """Whether boxes can show a value: an array in which each item is a choice, and none is repeated."""
    if not isinstance(value, list):
        return False
    texts = [exact(item) for item in value]
    known = {exact(choice.value) for choice in choices}
    return len(set(texts)) == len(texts) and known.issuperset(texts)


def ordered(checked: list[Json], before: JsonOrMissing) -> list[Json]:
    """The checked values in the order of the schema; if they were in another order `before`, in that one, with new values last."""
    known = [exact(item) for item in before] if isinstance(before, list) else []
    kept = [text for text in map(exact, checked) if text in known]
    if kept == [text for text in known if text in kept]:
        return checked
    values = {exact(item): item for item in checked}
    return [values[text] for text in dict.fromkeys([*known, *values]) if text in values]
