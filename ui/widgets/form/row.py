"""One labelled field of the form: its name, its editor, its menu, what there is to know and what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint

from inspector.schema.json_edit import MISSING
from ui.theme import tokens
from ui.widgets.buttons import tool_button
from ui.widgets.form.laying_out import LaidOutAtOnce, take_any_width
from ui.widgets.form.row_menu import make_menu
from ui.widgets.form.wrapped_label import WrappedLabel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLayout, QToolButton, QWidget

    from inspector.schema.json_edit import JsonOrMissing, Path
    from ui.widgets.form.field_context import FieldContext
    from ui.widgets.form.problem_index import ProblemIndex
    from ui.widgets.form.schema import Field
    from ui.widgets.form.slot import Slot


class Row(LaidOutAtOnce):
    """A field with its label. How it is laid out is up to the subclass, which implements `_build` and `_display`."""

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        take_any_width(self)
        self.field = field
        self.context = context
        self.value: JsonOrMissing = MISSING
        self.slot: Slot | None = None
        self.touched = False
        self.decided = False
        self._shown = False
        self._findings: ProblemIndex | None = None
        self._labels: dict[str, WrappedLabel] = {}
        self._build()
        self.rename()
        self._show_label("hint", "muted", hint_words(field, context))
        self._show_label("notes", "warning", "\n".join(field.notes))

    def show_value(self, value: JsonOrMissing) -> None:
        """Show `value`."""
        if self._shown and value is self.value:
            return
        self.touched = self.touched or self._shown
        self.value, self._shown = value, True
        self._display(value)

    def mark(self, findings: ProblemIndex) -> None:
        """Show what is wrong here and further down."""
        self._findings = findings
        pointer = self.context.pointer
        text = findings.problems_at(pointer, touched=self.touched, rows=self.rows())
        text += self._words_inside(findings, pointer)
        self._show_label("problem", "error", "\n".join(text))
        self._show_label("remark", "warning", "\n".join(findings.notes_at(pointer)))
        if self.slot is not None and self.slot.editor is not None:
            self.slot.editor.set_problem(wrong=bool(text))
            self.slot.editor.mark(findings)

    def rows(self) -> list[Row]:
        """The rows inside that have been made."""
        if self.slot is None or self.slot.editor is None:
            return []
        return list(self.slot.editor.rows())

    def rename(self) -> None:
        """Take the names of the place; it has moved."""
        self.setObjectName(f"row:{self.context.pointer}")
        if self.slot is not None and self.slot.editor is not None:
            self.slot.editor.rename()
        for row in self.rows():
            row.rename()

    def open(self) -> None:
        """Show what is inside, if that is hidden."""

    def set_open(self, *, on: bool) -> None:
        """Show or hide what is inside, if that can be hidden, and leave it so whatever the value."""

    @property
    def is_open(self) -> bool | None:
        """Whether what is inside is seen; None where it always is."""
        return None

    def start_typing(self) -> None:
        """Put the focus where the first value is typed."""
        self.open()
        if self.slot is not None and self.slot.editor is not None:
            self.slot.editor.start_typing()
        else:
            self.setFocus()

    def reach(self, path: Path) -> Row:
        """The row closest to `path`, counted from here; makes and opens those on the way."""
        self.open()
        inner = (
            None if self.slot is None or self.slot.editor is None else self.slot.editor.reach(path)
        )
        return inner or self

    def set_label_width(self, width: int) -> None:
        """Give the name this many pixels; 0 puts it above."""

    def label_width(self) -> int:
        """Pixels the name would like."""
        return 0

    def set_json(self, *, on: bool) -> None:
        """Edit as JSON in place, or no longer."""
        self.open()
        if self.slot is not None:
            self.slot.set_json(on=on)
            self.slot.setFocus()
            self._mark_again()

    def open_menu(self) -> None:
        """Show what else can be done with the field."""
        menu = make_menu(self)
        menu.popup(self._menu_button.mapToGlobal(QPoint(0, self._menu_button.height())))

    def _build(self) -> None:
        raise NotImplementedError

    def _display(self, value: JsonOrMissing) -> None:
        raise NotImplementedError

    def _labels_layout(self) -> QLayout:
        raise NotImplementedError

    def _words_inside(self, findings: ProblemIndex, pointer: str) -> list[str]:
        """Problems further down that no row tells."""
        if self.slot is not None and self.slot.is_json:
            return findings.words_inside(pointer)
        return []

    def _mark_again(self) -> None:
        if self._findings is not None:
            self.mark(self._findings)

    def _show_label(self, name: str, tone: str, text: str) -> None:
        label = self._labels.get(name)
        if label is None:
            if not text:
                return
            label = self._labels[name] = WrappedLabel(tone, self)
            label.setObjectName(name)
            self._labels_layout().addWidget(label)
        label.show_text(text)

    def _tool_button(self, icon: str, text: str, name: str) -> QToolButton:
        button = tool_button(self.context.site.theme, icon, text, name=name, parent=self)
        button.setAccessibleName(f"{self.context.spoken}: {text}")
        # Fixed, so that no layout squeezes it to nothing on the way: an icon cannot be painted at no size.
        button.setFixedSize(*[self.context.site.theme.px(tokens.ROW_HEIGHT_PX)] * 2)
        return button

    def _make_menu_button(self) -> QToolButton:
        self._menu_button = button = self._tool_button(
            "mdi6.dots-vertical", "More (Ctrl+.)", "menu"
        )
        button.setFocusPolicy(button.focusPolicy().ClickFocus)
        button.clicked.connect(self.open_menu)
        return button

    def _make_remove_button(self) -> QToolButton | None:
        remove = self.context.remove
        if remove is None:
            return None
        button = self._tool_button("mdi6.close", "Remove", "remove")
        button.clicked.connect(lambda: remove())
        return button


def row_around(widget: QWidget | None) -> Row | None:
    """The row that a widget is in."""
    while widget is not None and not isinstance(widget, Row):
        widget = widget.parentWidget()
    return widget


def name_words(context: FieldContext) -> str:
    """The name with the mark of what is required."""
    return f"{context.name} *" if context.required and not context.is_item else context.name


def spoken_words(context: FieldContext) -> str:
    """The name with the mark in words."""
    return (
        f"{context.spoken} (required)"
        if context.required and not context.is_item
        else context.spoken
    )


def hint_words(field: Field, context: FieldContext) -> str:
    """Description and limits, for the line under a field."""
    title = field.title
    told = (
        title.casefold().replace(" ", "_") == str(context.key).casefold() or title == context.label
    )
    parts = [context.remark, "" if told else title, field.description]
    text = " – ".join(part for part in parts if part)
    return " · ".join(part for part in (text, *field.facts) if part)
