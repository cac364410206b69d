"""The form view: the fields of the whole value in a column that scrolls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget

from ui.tab_order import arrange, neighbour
from ui.widgets.buttons import push_button
from ui.widgets.form.editor import column_layout
from ui.widgets.form.editors import make_editor, make_row
from ui.widgets.form.field_context import FieldContext, FormContext
from ui.widgets.form.kept_view import kept_view, put_back
from ui.widgets.form.laying_out import LaidOutAtOnce, lay_out_now
from ui.widgets.form.row import row_around
from ui.widgets.form.schema import FieldKind
from ui.widgets.form.slot import Slot
from ui.widgets.form.time_slicer import TimeSlicer
from ui.widgets.form.wrapped_label import WrappedLabel
from ui.widgets.labels import set_background

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.schema.json_edit import JsonOrMissing, Path
    from inspector.wire.json_codec import Json
    from ui.theme import Theme
    from ui.widgets.form.kept_view import KeptView
    from ui.widgets.form.problem_index import ProblemIndex
    from ui.widgets.form.reader import Reader
    from ui.widgets.form.row import Row


class FormView(QWidget):
    """Shows a value through the fields of a reader, or says why it cannot.

    Signals:
        json_requested: show the value as JSON.
    """

    json_requested = Signal()

    def __init__(
        self,
        *,
        theme: Theme,
        on_put: Callable[[JsonOrMissing], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._on_put = on_put
        self._reader: Reader | None = None
        self._text: Sequence[str] = ()
        self._slot: Slot | None = None
        self._build()

    def set_reader(self, reader: Reader) -> None:
        """Show the fields of `reader`."""
        self._reader, self._text = reader, ()
        self.rebuild()

    def say_about_schema(self, texts: Sequence[str]) -> None:
        """Have `words` above the fields."""
        if tuple(texts) != tuple(self._text):
            self._text = texts
            self._show_words()

    def rebuild(self) -> None:
        """Make all fields again."""
        if self._reader is None:
            return
        body = _Column()
        site = FormContext(self._theme, self._reader, make_editor, make_row, TimeSlicer(body))
        place = FieldContext(site, self._on_put)
        field = self._reader.root
        layout = column_layout(body, space=self._theme.SPACING_PX)
        layout.setContentsMargins(0, 0, self._theme.SPACING_PX, self._theme.SPACING_PX)
        self._slot = Slot(field, place, body)
        self._slot.setObjectName("fields")
        layout.addWidget(self._slot)
        layout.addStretch(1)
        self._scroll.setWidget(body)
        body.setAutoFillBackground(False)
        self._show_words()
        if _is_bare(field.kind, self._reader):
            self._slot.set_json(on=True)

    def kept(self) -> KeptView:
        """What the user has done here besides the value."""
        editor = None if self._slot is None else self._slot.editor
        return kept_view(editor, self, self._scroll.verticalScrollBar().value())

    def put_back(self, kept: KeptView) -> None:
        """Have what was taken down before the fields were made again."""
        if self._slot is not None and self._slot.editor is not None:
            put_back(kept, self._slot.editor, self)
        lay_out_now()
        self._scroll_to(kept.scrolled)

    def show_value(self, value: Json) -> None:
        """Show `value` in the fields."""
        self._unavailable.hide()
        self._scroll.show()
        if self._slot is not None:
            self._slot.show_value(value)
        lay_out_now()

    def say_unavailable(self, text: str) -> None:
        """Say why there are no fields, in their place."""
        self._why.show_text(f"Cannot be shown as a form: {text}. The JSON is unchanged.")
        self._trouble.show_text("")
        self._scroll.hide()
        self._unavailable.show()

    def mark(self, findings: ProblemIndex) -> None:
        """Show what is wrong beside the fields."""
        slot = self._slot
        rows = [] if slot is None or slot.editor is None else list(slot.editor.rows())
        touched = any(row.touched for row in rows)
        at_root = [*findings.problems_at("", touched=touched, rows=rows), *findings.notes_at("")]
        if slot is not None and slot.editor is not None:
            if slot.is_json:
                at_root += findings.words_inside("")
            slot.editor.mark(findings)
        self._trouble.show_text("\n".join(at_root) if self._unavailable.isHidden() else "")
        lay_out_now()

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
        QTimer.singleShot(0, row, lambda: self._scroll.ensureWidgetVisible(row, 0, margin))

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
        """Go on in the order that is seen."""
        focused = QApplication.focusWidget()
        if focused is None:
            return super().focusNextPrevChild(forward)
        found = neighbour(self, focused, forward=forward)
        if found is None:
            arrange(self)
            return super().focusNextPrevChild(forward)
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        found.setFocus(reason)
        return True

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
        self._trouble = WrappedLabel("error", self)
        self._trouble.setObjectName("root problems")
        self._scroll = QScrollArea(self, widgetResizable=True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.viewport().setAutoFillBackground(False)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._make_unavailable()
        for widget in (self._notes, self._lead, self._trouble, self._scroll, self._unavailable):
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
        """Scroll as soon as there is so much to scroll; rows may still be being made."""
        bar = self._scroll.verticalScrollBar()

        def go() -> None:
            if bar.maximum() >= value or pace is None or pace.is_idle():
                bar.rangeChanged.disconnect(go)
                bar.setValue(value)

        body = self._scroll.widget()
        pace = body.findChild(TimeSlicer) if body is not None else None
        if value > 0:
            bar.rangeChanged.connect(go)

    def _show_words(self) -> None:
        reader = self._reader
        notes = [*self._text, *(reader.root.notes if reader is not None else ())]
        self._note.show_text("\n".join(notes))
        self._notes.setVisible(bool(notes))
        lead = "" if reader is None else _lead(reader)
        self._lead.show_text(lead)
        self._trouble.show_text("")

    def _focused_row(self) -> Row | None:
        return row_around(QApplication.focusWidget())


class _Column(LaidOutAtOnce):
    """What scrolls: always as wide as there is room, so that names can see how little that is and go above."""

    def minimumSizeHint(self) -> QSize:
        """No width, the height of what is inside."""
        return QSize(0, super().minimumSizeHint().height())


def _is_bare(kind: FieldKind, reader: Reader) -> bool:
    """Whether there are no fields to show."""
    if kind is FieldKind.UNION:
        return False
    root = reader.root
    return kind is not FieldKind.OBJECT or not (reader.properties(root) or reader.varies(root))


def _lead(reader: Reader) -> str:
    """What to say above a value without fields."""
    kind = reader.root.kind
    if not _is_bare(kind, reader):
        return ""
    if kind is FieldKind.OBJECT and not reader.is_map(reader.root):
        return "Nothing to fill in: the schema allows no properties."
    if kind is FieldKind.OBJECT:
        return "No declared parameters. Everything entered here is sent."
    return "Not an object schema; edit as JSON."
