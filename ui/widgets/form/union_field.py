"""Unions: a chooser of variants, and the editor of the selected variant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.schema.json_edit import MISSING, exact, with_key
from ui.theme import tokens
from ui.theme.theme_font import set_theme_font
from ui.widgets.combo_boxes import NoWheelComboBox
from ui.widgets.form.choice_fields import ChoiceModel
from ui.widgets.form.editor import Editor
from ui.widgets.form.initial_value import added_value, item_value
from ui.widgets.form.layout import Help, WrappedLabel, joined
from ui.widgets.form.schema import FixedChoice, is_inline
from ui.widgets.form.slot import Slot
from ui.widgets.form.unions import best_variant, is_null
from ui.widgets.layout_parts import column_layout, row_layout

if TYPE_CHECKING:
    from PySide6.QtWidgets import QBoxLayout, QWidget

    from inspector.schema.json_edit import JsonOrMissing, Path
    from inspector.wire.json_codec import JsonObject
    from ui.widgets.form.row import ProblemIndex, Row
    from ui.widgets.form.schema import Field, FieldContext


class Memory(FrozenStruct, frozen=True, eq=False):
    """What a union knows of its variants besides the value."""

    selected: str = ""
    """The label of the variant that is selected and has no value yet."""
    values: tuple[tuple[str, JsonOrMissing], ...] = ()
    """The values that other variants had, each with the label of its variant."""


class UnionField(Editor):
    """Edits a value by one of several variants; each variant keeps its value while another is selected."""

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(field, context, parent)
        self._reader = context.form.reader
        self._inline = is_inline(field)
        self._current = -1
        self._pending = -1
        self._kept_values: dict[int, JsonOrMissing] = {}
        self._slot: Slot | None = None
        self._help: WrappedLabel | None = None
        self._build()
        self._chooser.activated.connect(self._on_activated)

    def rows(self) -> list[Row]:
        """The rows of the selected variant."""
        return [] if self._slot is None else self._slot.rows()

    def mark(self, problems: ProblemIndex) -> None:
        """Show the problems of the selected variant."""
        self._problems = problems
        if self._slot is not None:
            self._slot.mark(problems)

    def reach(self, path: Path) -> Row | None:
        """Make the row of the selected variant that leads to `path`."""
        return None if self._slot is None else self._slot.reach(path)

    def memory(self) -> Memory:
        """What it knows besides the value."""
        labels = [variant.label for variant in self._field.variants]
        values = tuple((labels[at], value) for at, value in self._kept_values.items())
        return Memory(labels[self._pending] if self._pending >= 0 else "", values)

    def remember(self, memory: Memory) -> None:
        """Take over the memory of the same union in another form."""
        indexes = {variant.label: at for at, variant in enumerate(self._field.variants)}
        for label, value in memory.values:
            if label in indexes:
                self._kept_values[indexes[label]] = value
        if memory.selected in indexes and (self._value is MISSING or self._value is None):
            self._pending = indexes[memory.selected]
            self._use(self._pending)
            self._display(self._value)

    def start_typing(self) -> None:
        """Go to the selected variant; without one to the chooser."""
        editor = None if self._slot is None else self._slot.editor
        if editor is None:
            self.setFocus()
        else:
            editor.start_typing()

    def header_widget(self) -> QWidget | None:
        """The chooser, if the union does not fit on a line."""
        return None if self._inline else self._chooser

    def rename(self) -> None:
        """Name the chooser after the field."""
        self._chooser.setObjectName(f"variant:{self._context.pointer}")
        self._chooser.setAccessibleName(f"{self._context.full_name or 'value'}: form")
        if self._slot is not None:
            self._slot.rename()

    def set_problem(self, *, wrong: bool) -> None:
        """Mark the widget that is typed into."""
        if self._slot is not None:
            self._slot.set_problem(wrong=wrong)

    def _build(self) -> None:
        space = self._context.form.theme.SPACING_PX
        self._chooser = NoWheelComboBox(theme=self._context.form.theme, parent=self)
        labels = [FixedChoice(each.label, each.label) for each in self._field.variants]
        optional = not self._context.required and not self._context.is_added
        unset = self._absent_text() if optional and not self._inline else ""
        self._model = ChoiceModel(labels, unset, self._chooser)
        self._chooser.setModel(self._model)
        self._chooser.setPlaceholderText(self._absent_text())
        make_layout = row_layout if self._inline else column_layout
        self._layout: QBoxLayout = make_layout(None, space=space)
        self._layout.addWidget(self._chooser)
        self._column = column_layout(self, space=space // 2 if self._inline else space)
        self._column.addLayout(self._layout)
        self.setFocusProxy(self._chooser)
        self.rename()

    def _display(self, value: JsonOrMissing) -> None:
        editor = None if self._slot is None else self._slot.editor
        if editor is None or not editor.is_showing(value):
            self._use(self._variant_for(value))
        elif value is MISSING and not self._inline:
            self._use(-1)
        self._chooser.setPlaceholderText(self._state_text(value) or self._absent_text())
        self._chooser.setCurrentIndex(
            -1 if self._current < 0 else self._current + self._model.offset
        )
        if self._slot is not None:
            self._slot.show_value(value)

    def _variant_for(self, value: JsonOrMissing) -> int:
        if value is MISSING:
            return self._variant_to_type_into() if self._inline else self._pending
        if value is None and self._pending >= 0:
            return self._pending
        self._pending = -1
        resolver = self._reader.resolver
        found = best_variant(self._field.variants, value, self._current, resolver)
        return self._variant_that_shows_null() if found < 0 and value is None else found

    def _variant_to_type_into(self) -> int:
        """The variant that an absent value is typed into: the selected one, else the first that is not null."""
        if self._current >= 0 and not is_null(self._field.variants[self._current].shape):
            return self._current
        variants = enumerate(self._field.variants)
        return next((at for at, variant in variants if not is_null(variant.shape)), -1)

    def _variant_that_shows_null(self) -> int:
        """Where null is no variant, the first one whose editor can show it; -1 if none is selected by that."""
        reader = self._reader
        for at in range(len(self._field.variants)):
            if reader.spec(reader.variant(self._field, at)).shows_null:
                return at
        return -1

    def _use(self, variant: int) -> None:
        if variant == self._current and (self._slot is not None or variant < 0):
            return
        self._current = variant
        if self._slot is not None:
            self._layout.removeWidget(self._slot)
            self._slot.hide()
            self._slot.deleteLater()
            self._slot = None
        if variant < 0 or is_null(self._field.variants[variant].shape):
            self._show_help(Help())
            return
        around = self.parentWidget()
        unions = around.unions + 1 if isinstance(around, Slot) else 1
        field = self._reader.variant(self._field, variant)
        self._slot = Slot(field, self._context, self, unions=unions)
        self._layout.addWidget(self._slot, 1)
        own = (text for text in field.facts if text not in self._field.facts)
        self._show_help(Help(field.description, joined(*own)))

    def _show_help(self, text: Help) -> None:
        """Show the description and the limits of the selected variant: below what fits on a line, else above its rows."""
        if self._help is None:
            if not text.whole:
                return
            self._help = WrappedLabel("muted", self)
            self._help.setObjectName("variant hint")
            set_theme_font(self._help, self._context.form.theme, tokens.SMALL)
            self._column.insertWidget(self._column.count() if self._inline else 0, self._help)
        self._help.show_cut(text)

    def _on_activated(self, index: int) -> None:
        variant = index - self._model.offset
        if variant == self._current and self._value is not MISSING:
            return
        if self._current >= 0 and self._value is not MISSING:
            self._kept_values[self._current] = self._value
        value = MISSING if variant < 0 else self._value_of(variant)
        self._pending = variant if value is MISSING or value is None else -1
        self._has_value = False
        self._use(variant)
        if value is not MISSING:
            self._context.set_value(value)
        else:
            self._context.clear()
            self.show_value(MISSING)

    def _value_of(self, variant: int) -> JsonOrMissing:
        """The value of a variant that is selected: the one it had before, else its initial value and the keys that both variants share."""
        if variant in self._kept_values:
            return self._kept_values[variant]
        if is_null(self._field.variants[variant].shape):
            return None
        initial = item_value if self._context.is_added else added_value
        value = initial(self._reader, self._reader.variant(self._field, variant))
        if isinstance(value, dict) and isinstance(self._value, dict) and self._current >= 0:
            return self._with_shared_keys(variant, value, self._value)
        return value

    def _with_shared_keys(self, variant: int, start: JsonObject, old: JsonObject) -> JsonObject:
        shapes = (self._field.variants[at].shape for at in (self._current, variant))
        before, after = (_properties(shape) for shape in shapes)
        for key, value in old.items():
            shared = key in before and key in after and exact(before[key]) == exact(after[key])
            if shared or (key not in before and key not in after):
                start = with_key(start, key, value, list(after))
        return start


def _properties(shape: JsonObject) -> JsonObject:
    properties = shape.get("properties")
    return properties if isinstance(properties, dict) else {}
