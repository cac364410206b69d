"""The actions of a field besides typing: make it absent, null or empty, edit it as JSON, move it, copy its pointer."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from inspector.frozen import FrozenStruct
from inspector.schema.json_edit import MISSING, exact
from inspector.visible_text import one_line
from ui.widgets.clipboard import copy_text
from ui.widgets.form.initial_value import empty_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ui.widgets.form.row import Row


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
        action = menu.addAction(entry.label.replace("&", "&&"))
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
