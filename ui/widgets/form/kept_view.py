"""What a user has done in a form besides its value, saved before its widgets are made again and restored after.

The focus with caret and selection, the scroll position, what was opened, collapsed, or is edited as JSON, selected variants without a
value, filters, and which fields were touched. What does not exist in the new form is left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget

from ui.widgets.form.multi_choice_field import MultiChoiceField
from ui.widgets.form.row import row_around
from ui.widgets.form.stack import NEW_KEY
from ui.widgets.form.union_field import UnionField

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from inspector.schema.json_edit import Path
    from ui.widgets.form.editor import Editor
    from ui.widgets.form.row import Row
    from ui.widgets.form.union_field import Memory


@dataclass(slots=True)
class KeptFocus:
    """The widget with the focus."""

    row: Path
    """The row that it is in."""
    name: str
    """Its object name."""
    anchor: int = -1
    """Start of the selection, in units of UTF-16; -1 where nothing is typed."""
    caret: int = -1
    """End of the selection, where typing goes on."""
    new_key: str = ""
    """Text that is typed and no part of the value yet: the name of a new key."""


@dataclass(slots=True)
class KeptView:
    """All that is restored."""

    focus: KeptFocus | None = None
    """The focus, if the form has it."""
    scrolled: int = 0
    """The value of the vertical scroll bar."""
    depth: int = 0
    """Keys that are left out at the start of all paths: those that lead to the editor."""
    opened: dict[Path, bool] = field(default_factory=dict[tuple[str | int, ...], bool])
    """Blocks that the user opened or collapsed."""
    as_json: list[Path] = field(default_factory=list[tuple[str | int, ...]])
    """Fields that are edited as JSON though they need not be."""
    as_list: list[Path] = field(default_factory=list[tuple[str | int, ...]])
    """Arrays of choices that are edited item by item."""
    touched: set[Path] = field(default_factory=set[tuple[str | int, ...]])
    """Fields that were edited."""
    filters: dict[Path, str] = field(default_factory=dict[tuple[str | int, ...], str])
    """The filters of the keys of objects."""
    memories: dict[Path, Memory] = field(default_factory=dict[tuple[str | int, ...], "Memory"])
    """What unions know of their variants besides the value."""


def keep_view(editor: Editor | None, root: QWidget, scrolled: int) -> KeptView:
    """Save the view of a form below `root`, whose value `editor` edits."""
    kept = KeptView(_focus(root, 0), scrolled)
    if editor is not None:
        _keep_editor(kept, (), editor)
        _keep_rows(kept, editor.rows())
    return kept


def keep_rows(rows: Sequence[Row], editor: Editor) -> KeptView:
    """Save the view of some rows of an editor; paths begin there."""
    depth = len(rows[0].context.path) - 1 if rows else 0
    kept = KeptView(_focus(editor, depth), depth=depth)
    focus = kept.focus
    if focus is not None and not any(focus.row[:1] == (row.context.key,) for row in rows):
        kept.focus = None
    _keep_editor(kept, (), editor)
    _keep_rows(kept, rows)
    return kept


def _keep_rows(kept: KeptView, rows: Iterable[Row]) -> None:
    for row in _rows(rows):
        path, slot = row.context.path[kept.depth :], row.slot
        if row.was_toggled and row.is_open is not None:
            kept.opened[path] = row.is_open
        if row.touched:
            kept.touched.add(path)
        if slot is not None and slot.editor is not None:
            _keep_editor(kept, path, slot.editor)
            if slot.prefers_json:
                kept.as_json.append(path)


def restore(kept: KeptView, editor: Editor, root: QWidget) -> None:
    """Restore the view in a form that was made again."""
    _restore_editor(kept, (), editor)
    paths = {*kept.opened, *kept.as_json, *kept.as_list, *kept.memories, *kept.filters}
    for path in sorted(paths, key=len):
        row = _row(path, kept, editor)
        if row is None:
            continue
        if path in kept.opened:
            row.set_open(on=kept.opened[path])
        if path in kept.as_json:
            row.set_json(on=True)
        if row.slot is not None and row.slot.editor is not None:
            _restore_editor(kept, path, row.slot.editor)
    for row in _rows(editor.rows()):
        row.touched = row.touched or row.context.path[kept.depth :] in kept.touched
    if kept.focus is not None:
        _restore_focus(kept.focus, editor, root)


def _rows(rows: Iterable[Row]) -> Iterator[Row]:
    """These rows, and all inside that have been made."""
    pending = list(rows)
    while pending:
        row = pending.pop()
        yield row
        pending.extend(row.rows())


def _row(path: Path, kept: KeptView, editor: Editor) -> Row | None:
    """The row at `path`, if it is there and nothing around it is collapsed."""
    if not path or not all(kept.opened.get(path[:at], True) for at in range(1, len(path))):
        return None
    around = editor.reach(path[:-1]) if len(path) > 1 else None
    if around is None:
        editor.reach(path[:1])
    rows = editor.rows() if around is None else around.rows()
    return next((row for row in rows if row.context.path[kept.depth :] == path), None)


def _keep_editor(kept: KeptView, path: Path, editor: Editor) -> None:
    if editor.filter_text():
        kept.filters[path] = editor.filter_text()
    if isinstance(editor, UnionField):
        memory = editor.memory()
        if memory.selected or memory.values:
            kept.memories[path] = memory
    elif isinstance(editor, MultiChoiceField) and editor.prefers_list:
        kept.as_list.append(path)


def _restore_editor(kept: KeptView, path: Path, editor: Editor) -> None:
    editor.set_filter(kept.filters.get(path, ""))
    if isinstance(editor, UnionField) and path in kept.memories:
        editor.remember(kept.memories[path])
    elif isinstance(editor, MultiChoiceField) and path in kept.as_list:
        editor.set_as_list(on=True)


def _focus(root: QWidget, depth: int) -> KeptFocus | None:
    focused = QApplication.focusWidget()
    if focused is None or not root.isAncestorOf(focused):
        return None
    row = row_around(focused)
    kept = KeptFocus(() if row is None else row.context.path[depth:], focused.objectName())
    if isinstance(focused, QLineEdit):
        start, end = focused.selectionStart(), focused.selectionEnd()
        kept.anchor = kept.caret = focused.cursorPosition()
        if start >= 0:
            kept.anchor = start if kept.caret == end else end
        kept.new_key = focused.text() if kept.name.startswith(NEW_KEY) else ""
    elif isinstance(focused, QPlainTextEdit):
        kept.anchor, kept.caret = focused.textCursor().anchor(), focused.textCursor().position()
    return kept


def _restore_focus(kept: KeptFocus, editor: Editor, root: QWidget) -> None:
    row = editor.reach(kept.row) if kept.row else None
    within: QWidget = root if row is None else row
    found = within.findChild(QWidget, kept.name) if kept.name else None
    target = row if found is None else found
    if target is None:
        return
    target.setFocus()
    if isinstance(target, QLineEdit) and kept.caret >= 0:
        if kept.new_key:
            target.setText(kept.new_key)
        target.setCursorPosition(kept.anchor)
        if kept.caret != kept.anchor:
            target.setSelection(kept.anchor, kept.caret - kept.anchor)
    elif isinstance(target, QPlainTextEdit) and kept.caret >= 0:
        cursor, end = target.textCursor(), target.document().characterCount() - 1
        cursor.setPosition(min(kept.anchor, end))
        cursor.setPosition(min(kept.caret, end), QTextCursor.MoveMode.KeepAnchor)
        target.setTextCursor(cursor)
