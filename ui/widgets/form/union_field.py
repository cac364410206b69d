"""Unions: a choice of forms, and the form that is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.schema.json_edit import MISSING, exact, with_key
from ui.widgets.form.choice_field import ChoiceModel, NoWheelComboBox
from ui.widgets.form.editor import Editor, column_layout, row_layout
from ui.widgets.form.initial_value import chosen, item
from ui.widgets.form.representable import SHOW_NULL, best_variant
from ui.widgets.form.schema import FixedChoice, is_inline
from ui.widgets.form.slot import Slot
from ui.widgets.form.unions import is_null

if TYPE_CHECKING:
    from PySide6.QtWidgets import QBoxLayout, QWidget

    from inspector.schema.json_edit import JsonOrMissing, Path
    from inspector.wire.json_codec import JsonObject
    from ui.widgets.form.field_context import FieldContext
    from ui.widgets.form.problem_index import ProblemIndex
    from ui.widgets.form.row import Row
    from ui.widgets.form.schema import Field


class Memory(FrozenStruct, frozen=True, eq=False):
    """What a union knows of its alternatives besides the value."""

    chosen: str = ""
    """The label of the one that was chosen and holds nothing yet."""
    values: tuple[tuple[str, JsonOrMissing], ...] = ()
    """What others held, each with its label."""


class UnionField(Editor):
    """Edits a value that has one of several forms; each form remembers what it held while another was chosen."""

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(field, context, parent)
        self._inline = is_inline(field)
        self._arm = -1
        self._pending = -1
        self._kept: dict[int, JsonOrMissing] = {}
        self._slot: Slot | None = None
        self._build()
        self._chooser.activated.connect(self._on_activated)

    def rows(self) -> list[Row]:
        """The rows of the chosen form."""
        editor = None if self._slot is None else self._slot.editor
        return [] if editor is None else list(editor.rows())

    def mark(self, findings: ProblemIndex) -> None:
        """Show what is wrong in the chosen form."""
        self._findings = findings
        if self._slot is not None and self._slot.editor is not None:
            self._slot.editor.mark(findings)

    def reach(self, path: Path) -> Row | None:
        """Go on in the chosen form."""
        editor = None if self._slot is None else self._slot.editor
        return None if editor is None else editor.reach(path)

    def memory(self) -> Memory:
        """What it remembers."""
        labels = [arm.label for arm in self._field.variants]
        values = tuple((labels[at], value) for at, value in self._kept.items())
        return Memory(labels[self._pending] if self._pending >= 0 else "", values)

    def remember(self, memory: Memory) -> None:
        """Take over what the same union of another form remembered."""
        places = {arm.label: at for at, arm in enumerate(self._field.variants)}
        for label, value in memory.values:
            if label in places:
                self._kept[places[label]] = value
        if memory.chosen in places and (self._value is MISSING or self._value is None):
            self._pending = places[memory.chosen]
            self._use(self._pending)
            self._display(self._value)

    def start_typing(self) -> None:
        """Go on in the chosen form; without one, to the chooser."""
        editor = None if self._slot is None else self._slot.editor
        if editor is None:
            self.setFocus()
        else:
            editor.start_typing()

    def head(self) -> QWidget | None:
        """The chooser, where there is a heading to take it."""
        return None if self._inline else self._chooser

    def rename(self) -> None:
        """Name the chooser after the place."""
        self._chooser.setObjectName(f"variant:{self._place.pointer}")
        self._chooser.setAccessibleName(f"{self._place.spoken or 'value'}: form")
        if self._slot is not None and self._slot.editor is not None:
            self._slot.editor.rename()

    def set_problem(self, *, wrong: bool) -> None:
        """Mark what is typed into."""
        if self._slot is not None and self._slot.editor is not None:
            self._slot.editor.set_problem(wrong=wrong)

    def _build(self) -> None:
        space = self._place.site.theme.SPACING_PX
        self._chooser = NoWheelComboBox(self)
        arms = [FixedChoice(arm.label, arm.label) for arm in self._field.variants]
        optional = not self._place.required and not self._place.is_added
        unset = self._absent_words() if optional and not self._inline else ""
        self._model = ChoiceModel(arms, unset, self._chooser)
        self._chooser.setModel(self._model)
        self._chooser.setPlaceholderText(self._absent_words())
        self._layout: QBoxLayout = (
            row_layout(self, space=space) if self._inline else column_layout(self, space=space)
        )
        self._layout.addWidget(self._chooser)
        self.setFocusProxy(self._chooser)
        self.rename()

    def _display(self, value: JsonOrMissing) -> None:
        if self._slot is None or self._slot.editor is None or not self._slot.editor.holds(value):
            self._use(self._arm_for(value))
        elif value is MISSING and not self._inline:
            self._use(-1)
        self._chooser.setPlaceholderText(self._state_words(value) or self._absent_words())
        self._chooser.setCurrentIndex(-1 if self._arm < 0 else self._arm + self._model.offset)
        if self._slot is not None:
            self._slot.show_value(value)

    def _arm_for(self, value: JsonOrMissing) -> int:
        if value is MISSING:
            return self._arm_to_type_into() if self._inline else self._pending
        if value is None and self._pending >= 0:
            return self._pending
        self._pending = -1
        arm = best_variant(self._field.variants, value, self._arm, self._place.site.reader.resolver)
        return self._arm_that_shows_null() if arm < 0 and value is None else arm

    def _arm_to_type_into(self) -> int:
        """The alternative that an absent value is typed into: the chosen one, else the first that is not null."""
        if self._arm >= 0 and not is_null(self._field.variants[self._arm].shape):
            return self._arm
        arms = enumerate(self._field.variants)
        return next((at for at, arm in arms if not is_null(arm.shape)), -1)

    def _arm_that_shows_null(self) -> int:
        """Where null is none of the alternatives, the first that can begin with it; -1 if it stands for no choice yet."""
        reader = self._place.site.reader
        kinds = (reader.arm(self._field, at).kind for at in range(len(self._field.variants)))
        return next((at for at, kind in enumerate(kinds) if kind in SHOW_NULL), -1)

    def _use(self, arm: int) -> None:
        if arm == self._arm and (self._slot is not None or arm < 0):
            return
        self._arm = arm
        if self._slot is not None:
            self._layout.removeWidget(self._slot)
            self._slot.hide()
            self._slot.deleteLater()
            self._slot = None
        if arm < 0 or is_null(self._field.variants[arm].shape):
            return
        around = self.parentWidget()
        unions = around.unions + 1 if isinstance(around, Slot) else 1
        field = self._place.site.reader.arm(self._field, arm)
        self._slot = Slot(field, self._place, self, unions=unions)
        self._layout.addWidget(self._slot, 1)

    def _on_activated(self, index: int) -> None:
        arm = index - self._model.offset
        if arm == self._arm and self._value is not MISSING:
            return
        if self._arm >= 0 and self._value is not MISSING:
            self._kept[self._arm] = self._value
        value = MISSING if arm < 0 else self._value_of(arm)
        self._pending = arm if value is MISSING or value is None else -1
        self._shown = False
        if value is not MISSING:
            self._use(arm)
            self._place.put(value)
        else:
            self._use(arm)
            self._place.clear()
            self.show_value(MISSING)

    def _value_of(self, arm: int) -> JsonOrMissing:
        """What a form holds when it is chosen: what it held before, else its start and what both forms share."""
        if arm in self._kept:
            return self._kept[arm]
        reader = self._place.site.reader
        if is_null(self._field.variants[arm].shape):
            return None
        begin = item if self._place.is_added else chosen
        value = begin(reader, reader.arm(self._field, arm))
        if isinstance(value, dict) and isinstance(self._value, dict) and self._arm >= 0:
            return self._carried(arm, value, self._value)
        return value

    def _carried(self, arm: int, start: JsonObject, old: JsonObject) -> JsonObject:
        before, after = (_properties(self._field.variants[at].shape) for at in (self._arm, arm))
        for key, value in old.items():
            shared = key in before and key in after and exact(before[key]) == exact(after[key])
            if shared or (key not in before and key not in after):
                start = with_key(start, key, value, list(after))
        return start


def _properties(shape: JsonObject) -> JsonObject:
    properties = shape.get("properties")
    return properties if isinstance(properties, dict) else {}
