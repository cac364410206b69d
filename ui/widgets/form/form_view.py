"""The form view: the fields of the whole value in a column that scrolls."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from ui.tab_order import arrange, go_to, neighbour, scroll_to, stops
from ui.widgets.buttons import push_button
from ui.widgets.field_label import MAX_WIDTH_PX
from ui.widgets.form.kept_view import keep_view, restore
from ui.widgets.form.kinds import make_editor, make_row
from ui.widgets.form.layout import LaidOutAtOnce, TimeSlicer, WrappedLabel, lay_out_now
from ui.widgets.form.row import row_around
from ui.widgets.form.schema import FieldContext, FieldKind, FormContext
from ui.widgets.form.slot import Slot
from ui.widgets.inner_scroll import InnerScroll
from ui.widgets.labels import set_background
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.schema.json_edit import JsonOrMissing, Path
    from inspector.wire.json_codec import Json
    from ui.theme import Theme
    from ui.widgets.form.kept_view import KeptView
    from ui.widgets.form.reader import Reader
    from ui.widgets.form.row import ProblemIndex, Row


class FormView(QWidget):
    """Shows a value through the fields of a reader, or why it cannot.

    Signals:
        json_requested: show the value as JSON.
    """

    json_requested = Signal()

    def __init__(
        self,
        *,
        theme: Theme,
        on_value: Callable[[JsonOrMissing], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._on_value = on_value
        self._reader: Reader | None = None
        self._schema_problems: Sequence[str] = ()
        self._slot: Slot | None = None
        self._slicer: TimeSlicer | None = None
        self._is_focus_due = False
        """Whether the first field gets the focus once it is made, unless the focus has moved since it was on `_focused_before`."""
        self._focused_before: QWidget | None = None
        self._build()

    def set_reader(self, reader: Reader) -> None:
        """Show the fields of `reader`."""
        self._reader, self._schema_problems = reader, ()
        self.rebuild()

    def show_schema_problems(self, texts: Sequence[str]) -> None:
        """Show the problems of the schema above the fields."""
        if tuple(texts) != tuple(self._schema_problems):
            self._schema_problems = texts
            self._show_notes()

    def rebuild(self) -> None:
        """Make all fields again."""
        if self._reader is None:
            return
        self._is_focus_due = False
        body = _Column()
        slicer = self._slicer = TimeSlicer(body)
        slicer.advanced.connect(self._on_slicer_advanced)
        form = FormContext(self._theme, self._reader, make_editor, make_row, slicer)
        context = FieldContext(form, self._on_value)
        field = self._reader.root
        layout = column_layout(body, space=self._theme.SPACING_PX)
        layout.setContentsMargins(0, 0, self._theme.SPACING_PX, self._theme.SPACING_PX)
        self._slot = Slot(field, context, body)
        self._slot.setObjectName("fields")
        layout.addWidget(self._slot)
        layout.addStretch(1)
        self._scroll.setWidget(body)
        body.setAutoFillBackground(False)
        body.setMaximumWidth(self._theme.px(MAX_WIDTH_PX))
        self._show_notes()
        if _is_bare(field.kind, self._reader):
            self._slot.set_json(on=True)

    def kept(self) -> KeptView:
        """Save what the user has done here besides the value."""
        editor = None if self._slot is None else self._slot.editor
        return keep_view(editor, self, self._scroll.verticalScrollBar().value())

    def restore(self, kept: KeptView) -> None:
        """Restore what was saved before the fields were made again."""
        if self._slot is not None and self._slot.editor is not None:
            restore(kept, self._slot.editor, self)
        lay_out_now()
        self._scroll_to(kept.scrolled)

    def show_value(self, value: Json) -> None:
        """Show `value` in the fields."""
        self._unavailable.hide()
        self._scroll.show()
        if self._slot is not None:
            self._slot.show_value(value)
        lay_out_now()

    def show_unavailable(self, text: str) -> None:
        """Show why there are no fields, in place of them."""
        self._why.show_text(f"Cannot be shown as a form: {text}. The JSON is unchanged.")
        self._root_problems.show_text("")
        self._scroll.hide()
        self._unavailable.show()

    def mark(self, problems: ProblemIndex) -> None:
        """Show the problems beside the fields."""
        slot = self._slot
        rows = [] if slot is None else slot.rows()
        touched = any(row.touched for row in rows)
        at_root = [*problems.problems_at("", touched=touched, rows=rows), *problems.notes_at("")]
        if slot is not None and slot.editor is not None:
            if slot.is_json:
                at_root += problems.lines_inside("")
            slot.mark(problems)
        self._root_problems.show_text("\n".join(at_root) if self._unavailable.isHidden() else "")
        lay_out_now()

    def focus_first(self) -> bool:
        """Go to the first field, as soon as it has been made if none is yet; False without fields."""
        if self._focus_first_field():
            return True
        slicer = self._slicer
        if slicer is None or slicer.is_idle():
            return False
        self._focused_before = self.window().focusWidget()
        self._is_focus_due = True
        return True

    def reveal(self, path: Path) -> None:
        """Open, scroll to and focus the field closest to `path`."""
        if self._slot is None or self._slot.editor is None:
            return
        row = self._slot.editor.reach(path)
        if row is None:
            self._slot.setFocus()
            return
        lay_out_now()
        row.setFocus()
        margin = self._theme.PADDING_PX
        QTimer.singleShot(0, row, lambda: scroll_to(row, margin))

    def open_menu(self) -> None:
        """Open the menu of the field that has the focus."""
        row = self._focused_row()
        if row is not None:
            row.open_menu()

    def move_focused(self, by: int) -> None:
        """Move the item that has the focus, or the one around it."""
        row = self._focused_row()
        while row is not None and row.context.move is None:
            row = row_around(row.parentWidget())
        if row is not None and row.context.move is not None:
            row.context.move(by)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab through the widgets in visual order."""
        focused = QApplication.focusWidget()
        if focused is None:
            return super().focusNextPrevChild(forward)
        found = neighbour(self, focused, forward=forward)
        if found is None:
            arrange(self)
            return super().focusNextPrevChild(forward)
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        lay_out_now()
        go_to(found, reason)
        return True

    def _on_slicer_advanced(self) -> None:
        if self._is_focus_due:
            has_moved = self.window().focusWidget() is not self._focused_before
            self._is_focus_due = not (has_moved or self._focus_first_field())

    def _focus_first_field(self) -> bool:
        """Go to the first field, and not to what is around many of them, such as their filter."""
        if self._slot is None or self._reader is None:
            return False
        has_rows = self._reader.root.kind is FieldKind.OBJECT
        for stop in stops(self._slot):
            if not has_rows or row_around(stop) is not None:
                stop.setFocus(Qt.FocusReason.OtherFocusReason)
                self._scroll.verticalScrollBar().setValue(0)  # its name is above it
                # Once there is a layout: in the height before it, the beginning would not stay in sight.
                QTimer.singleShot(0, stop, partial(scroll_to, stop, 0))
                return True
        return False

    # --- building ------------------------------------------------------------------------------

    def _build(self) -> None:
        layout = column_layout(self, space=self._theme.SPACING_PX)
        self._notes = QFrame(self)
        set_background(self._notes, "warning")
        notes = column_layout(self._notes, space=0)
        notes.setContentsMargins(*[self._theme.PADDING_PX] * 4)
        self._note = WrappedLabel("warning", self._notes)
        self._note.setObjectName("schema notes")
        notes.addWidget(self._note)
        self._lead = WrappedLabel("muted", self)
        self._lead.setObjectName("lead")
        self._root_problems = WrappedLabel("error", self)
        self._root_problems.setObjectName("root problems")
        self._scroll = InnerScroll(parent=self)
        self._scroll.viewport().setAutoFillBackground(False)
        self._make_unavailable()
        for widget in (
            self._notes,
            self._lead,
            self._scroll,
            self._unavailable,
            self._root_problems,  # below, so that no field moves when one appears
        ):
            layout.addWidget(widget, 1 if widget is self._scroll else 0)
        layout.addStretch(0)

    def _make_unavailable(self) -> None:
        self._unavailable = QFrame(self)
        set_background(self._unavailable, "warning")
        layout = column_layout(self._unavailable, space=self._theme.SPACING_PX)
        layout.setContentsMargins(*[self._theme.PADDING_PX] * 4)
        self._why = WrappedLabel("warning", self._unavailable)
        self._why.setObjectName("unavailable")
        button = push_button("Edit as JSON", name="back to json", parent=self._unavailable)
        button.clicked.connect(self.json_requested)
        layout.addWidget(self._why)
        layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self._unavailable.hide()

    def _scroll_to(self, value: int) -> None:
        """Scroll to a position as soon as the content is long enough; rows may still be being made."""
        bar = self._scroll.verticalScrollBar()

        def go() -> None:
            if bar.maximum() >= value or slicer is None or slicer.is_idle():
                bar.rangeChanged.disconnect(go)
                bar.setValue(value)

        body = self._scroll.widget()
        slicer = body.findChild(TimeSlicer) if body is not None else None
        if value > 0:
            bar.rangeChanged.connect(go)

    def _show_notes(self) -> None:
        reader = self._reader
        notes = [*self._schema_problems, *(reader.root.notes if reader is not None else ())]
        self._note.show_text("\n".join(notes))
        self._notes.setVisible(bool(notes))
        lead = "" if reader is None else _lead(reader)
        self._lead.show_text(lead)
        self._root_problems.show_text("")

    def _focused_row(self) -> Row | None:
        return row_around(QApplication.focusWidget())


class _Column(LaidOutAtOnce):
    """The content that scrolls: always as wide as there is room, so that names move above their fields where that is little."""

    def minimumSizeHint(self) -> QSize:
        """No width, the height of the content."""
        return QSize(0, super().minimumSizeHint().height())


def _is_bare(kind: FieldKind, reader: Reader) -> bool:
    """Whether there are no fields to show."""
    if kind is FieldKind.UNION:
        return False
    root = reader.root
    return kind is not FieldKind.OBJECT or not (reader.properties(root) or reader.varies(root))


def _lead(reader: Reader) -> str:
    """The text above a value without fields."""
    kind = reader.root.kind
    if not _is_bare(kind, reader):
        return ""
    if kind is FieldKind.OBJECT and not reader.is_map(reader.root):
        return "Nothing to fill in: the schema allows no properties."
    if kind is FieldKind.OBJECT:
        return "No declared parameters. Everything entered here is sent."
    if len(reader.root.choices) == 1:
        return "Nothing to fill in: the schema allows only one value."
    return "Not an object schema; edit as JSON."
