"""One labeled field of the form: its name, its editor, its menu, its description, and its problems of the present value."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu

from inspector.frozen import FrozenStruct
from inspector.schema.json_edit import MISSING, exact
from inspector.visible_text import one_line
from ui.theme import tokens
from ui.widgets.buttons import tool_button
from ui.widgets.clipboard import copy_text
from ui.widgets.field_label import REQUIRED, FieldLabel
from ui.widgets.form.initial_value import empty_value
from ui.widgets.form.layout import Help, LaidOutAtOnce, WrappedLabel, joined, take_any_width
from ui.widgets.labels import no_mnemonic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from PySide6.QtWidgets import QLayout, QToolButton, QWidget

    from inspector.schema.json_edit import JsonOrMissing, Path
    from inspector.schema.validate import FieldProblem, Report
    from ui.widgets.form.schema import Field, FieldContext
    from ui.widgets.form.slot import Slot

MAX_LINES_INSIDE = 3
"""Problems inside a value without rows that are listed; more are counted."""


class Row(LaidOutAtOnce):
    """A field with its label. A subclass arranges it: it implements the methods that raise here."""

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        take_any_width(self)
        self.field = field
        self.context = context
        self.value: JsonOrMissing = MISSING
        self.slot: Slot | None = None
        self.touched = False
        """Whether its value has changed since it was first shown."""
        self.was_toggled = False
        """Whether the user opened or closed it."""
        self._has_value = False
        self._problems: ProblemIndex | None = None
        self._name = FieldLabel(theme=context.form.theme, parent=self)
        self._build()
        self.rename()
        self._show_help(help_of(field, context))
        self._add_notes("\n".join(field.notes))

    def show_value(self, value: JsonOrMissing) -> None:
        """Show `value`."""
        if self._has_value and value is self.value:
            return
        self.touched = self.touched or self._has_value
        self.value, self._has_value = value, True
        self._display(value)

    def mark(self, problems: ProblemIndex) -> None:
        """Show the problems of the field and of the rows inside."""
        self._problems = problems
        pointer = self.context.pointer
        lines = problems.problems_at(pointer, touched=self.touched, rows=self.rows())
        lines += self._lines_inside(problems, pointer)
        self._show_messages(lines, problems.notes_at(pointer))
        if self.slot is not None:
            self.slot.set_problem(wrong=bool(lines))
            self.slot.mark(problems)

    def rows(self) -> list[Row]:
        """The rows inside that have been made."""
        return [] if self.slot is None else self.slot.rows()

    def rename(self) -> None:
        """Set the names of the widgets again; the field has moved."""
        self.setObjectName(f"row:{self.context.pointer}")
        note = REQUIRED if is_marked_required(self.context) else ""
        self._name.set_label(self.context.name, note, accessible_text(self.context))
        if self.slot is not None:
            self.slot.rename()
        for row in self.rows():
            row.rename()

    def open(self) -> None:
        """Show what is inside, if that is hidden."""

    def set_open(self, *, on: bool) -> None:
        """Show or hide what is inside, if that can be hidden, and leave it so for any value."""

    @property
    def is_open(self) -> bool | None:
        """Whether what is inside is visible; None if it always is."""
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
        return (None if self.slot is None else self.slot.reach(path)) or self

    def set_label_width(self, width: int) -> None:
        """Give the name this many pixels; 0 puts it above."""

    def label_width(self) -> int:
        """Pixels of the whole label."""
        return 0

    @property
    def has_help(self) -> bool:
        """Whether there is a text under the field."""
        return True

    def set_space_below(self, pixels: int) -> None:
        """Keep so much space to the next row."""
        layout = self.layout()
        if layout is not None and layout.contentsMargins().bottom() != pixels:
            layout.setContentsMargins(0, 0, 0, pixels)

    def set_json(self, *, on: bool) -> None:
        """Edit as JSON in place, or no longer."""
        self.open()
        if self.slot is not None:
            self.slot.set_json(on=on)
            self.slot.setFocus()
            self._mark_again()

    def open_menu(self) -> None:
        """Show the other actions of the field."""
        menu = make_menu(self)
        menu.popup(self._menu_button.mapToGlobal(QPoint(0, self._menu_button.height())))

    def _build(self) -> None:
        raise NotImplementedError

    def _display(self, value: JsonOrMissing) -> None:
        raise NotImplementedError

    def _labels_layout(self) -> QLayout:
        """The layout under the field."""
        raise NotImplementedError

    def _show_help(self, text: Help) -> None:
        """Show the help of the field."""
        raise NotImplementedError

    def _show_messages(self, problems: list[str], remarks: list[str]) -> None:
        """Show what was found wrong with the value, and notes on it, without moving any other field."""
        raise NotImplementedError

    def _lines_inside(self, problems: ProblemIndex, pointer: str) -> list[str]:
        """The problems inside that no row shows."""
        if self.slot is not None and self.slot.is_json:
            return problems.lines_inside(pointer)
        return []

    def _mark_again(self) -> None:
        if self._problems is not None:
            self.mark(self._problems)

    def _add_notes(self, text: str) -> None:
        """Show what is wrong with the schema of the field."""
        if text:
            label = WrappedLabel("warning", self)
            label.setObjectName("notes")
            label.setFont(self.context.form.theme.font(tokens.SMALL))
            label.show_text(text)
            self._labels_layout().addWidget(label)

    def _tool_button(self, icon: str, text: str, name: str) -> QToolButton:
        theme = self.context.form.theme
        button = tool_button(theme, icon, text, name=name, parent=self)
        button.setAccessibleName(f"{self.context.full_name}: {text}")
        # Fixed, so that no layout squeezes it to nothing on the way: an icon cannot be painted at no size.
        button.setFixedSize(theme.px(tokens.MIN_TARGET), theme.px(tokens.MIN_TARGET))
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


def is_marked_required(context: FieldContext) -> bool:
    """Whether the label says that a value is required; of an item, nothing else is possible."""
    return context.required and not context.is_item


def accessible_text(context: FieldContext) -> str:
    """The full name, with *(required)* if a value is."""
    is_required = is_marked_required(context)
    return f"{context.full_name} ({REQUIRED})" if is_required else context.full_name


def help_of(field: Field, context: FieldContext) -> Help:
    """Title, description and limits, for the line under a field."""
    title = field.title
    is_name = title.casefold().replace(" ", "_") == str(context.key).casefold()
    lead = (context.hint, "" if is_name or title == context.label else title)
    return Help(field.description, joined(*field.facts), " – ".join(filter(None, lead)))


class ProblemIndex:
    """Problems and notes by pointer."""

    def __init__(self, report: Report, *, strict: bool) -> None:
        """Index `report`; `strict` includes missing fields that were never touched."""
        self.strict = strict
        self._problems: dict[str, list[FieldProblem]] = defaultdict(list)
        self._notes: dict[str, list[FieldProblem]] = defaultdict(list)
        for problem in report.problems:
            self._problems[problem.pointer].append(problem)
        for note in report.notes:
            self._notes[note.pointer].append(note)

    def problems_at(
        self, pointer: str, *, touched: bool = True, rows: Iterable[Row] = ()
    ) -> list[str]:
        """The texts of the problems of one value; missing keys are left out until one of their `rows` was touched."""
        found: list[str] = []
        for problem in self._problems.get(pointer, ()):
            is_started = touched
            if problem.keys:
                is_started = any(row.touched and row.context.key in problem.keys for row in rows)
            if not problem.missing or is_started or self.strict:
                found.append(problem.text)
        return found

    def notes_at(self, pointer: str) -> list[str]:
        """The texts of the notes on one value."""
        return [note.text for note in self._notes.get(pointer, ())]

    def problems_inside(self, pointer: str) -> list[FieldProblem]:
        """The problems of the values inside the one at `pointer`."""
        start = f"{pointer}/"
        return [
            problem
            for inner, problems in self._problems.items()
            if inner.startswith(start)
            for problem in problems
        ]

    def lines_inside(self, pointer: str) -> list[str]:
        """The problems inside as texts, each after its relative pointer; beyond three only their number."""
        found = self.problems_inside(pointer)
        lines = [f"{item.pointer[len(pointer) :]} {item.text}" for item in found[:MAX_LINES_INSIDE]]
        more = len(found) - len(lines)
        return [*lines, f"and {more} more"] if more else lines


class RowAction(FrozenStruct, frozen=True):
    """One entry of the menu."""

    name: str
    """The object name of its action."""
    label: str
    """The text; empty for a line between groups."""
    run: Callable[[], object]
    """Runs the action."""
    enabled: bool = True
    """Whether it would change anything."""


def actions(row: Row) -> list[RowAction]:
    """The actions of a field in its present state."""
    groups = [list(_states(row)), list(_views(row)), list(_moves(row)), list(_copies(row))]
    line = RowAction("", "", lambda: None)
    return [entry for group in groups if group for entry in (*group, line)][:-1]


def make_menu(row: Row) -> QMenu:
    """The same actions as a menu, which is deleted when it is closed."""
    menu = QMenu(row)
    menu.setObjectName("row menu")
    menu.aboutToHide.connect(menu.deleteLater)
    for entry in actions(row):
        if not entry.label:
            menu.addSeparator()
            continue
        action = menu.addAction(no_mnemonic(entry.label))
        action.setObjectName(entry.name)
        action.setEnabled(entry.enabled)
        action.triggered.connect(partial(_run, entry))
    return menu


def _run(entry: RowAction, _checked: bool = False) -> None:
    entry.run()


def _states(row: Row) -> Iterator[RowAction]:
    context, field, value = row.context, row.field, row.value
    if not context.is_added:
        yield RowAction("unset", "Unset", context.clear, value is not MISSING)
    if field.default is not MISSING and field.default is not None:
        text = f"Default: {one_line(exact(field.default), 40)}"
        yield RowAction("default", text, lambda: context.set_value(field.default))
    spec = context.form.reader.spec(field)
    if spec.empty_text:
        empty = empty_value(context.form.reader, field)
        yield RowAction("empty", spec.empty_text, lambda: context.set_value(empty), value != empty)
    yield RowAction("null", "Null", lambda: context.set_value(None), value is not None)


def _views(row: Row) -> Iterator[RowAction]:
    slot = row.slot
    if row.is_open is not None:
        is_open = row.is_open
        text = "Collapse" if is_open else "Expand"
        yield RowAction("fold", text, lambda: row.set_open(on=not is_open))
    if slot is not None and slot.only_json:
        return
    if slot is not None and slot.is_json:
        can = slot.can_leave_json()
        yield RowAction("form", "Edit in form", lambda: row.set_json(on=False), can)
    else:
        yield RowAction("json", "Edit as JSON", lambda: row.set_json(on=True))


def _moves(row: Row) -> Iterator[RowAction]:
    move, remove = row.context.move, row.context.remove
    if move is not None:
        yield RowAction("up", "Move up (Alt+Up)", lambda: move(-1))
        yield RowAction("down", "Move down (Alt+Down)", lambda: move(1))
    if remove is not None:
        yield RowAction("remove", "Remove", remove)


def _copies(row: Row) -> Iterator[RowAction]:
    pointer = row.context.pointer
    yield RowAction("copy", "Copy path", lambda: copy_text(pointer))
