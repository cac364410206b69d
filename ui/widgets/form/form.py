"""The form: one exact JSON value, edited as fields or as text.

The caller reads `text()` and sends it; `problems()` never prevents that. Nothing that was typed is lost by switching between the views.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedWidget, QWidget

from inspector.schema.json_edit import exact
from inspector.schema.json_input import is_json, json_problem, parsed
from inspector.schema.validate import Checker, FieldProblem, Report
from inspector.spec.pointer import parts
from ui.bind import bind
from ui.tab_order import focus_first
from ui.widgets.buttons import submit_shortcut
from ui.widgets.form.document import Document
from ui.widgets.form.form_view import FormView
from ui.widgets.form.initial_value import root_value
from ui.widgets.form.json_editors import JsonEditor
from ui.widgets.form.kinds import KINDS
from ui.widgets.form.reader import Reader
from ui.widgets.form.row import ProblemIndex
from ui.widgets.form.schema import FieldKind
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from inspector.schema.compile_schema import SchemaNote
    from inspector.wire.json_codec import Json, JsonObject
    from ui.theme import Theme

MAX_POINTERS = 3
"""Pointers that are listed above the fields, and notes below the JSON view."""


class Form(QWidget):
    """Edits a JSON value by a JSON Schema.

    Signals:
        changed: the value, or the text that should become one, changed.
        submitted: the user pressed Ctrl+Enter.
        view_changed: the form or the JSON view was brought to the front.
    """

    changed = Signal()
    submitted = Signal()
    view_changed = Signal()

    CHECK_MS = 150
    """How long after the last key the value is validated."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._schema: Json = True
        self._reader = Reader(True, KINDS)
        self._checker = Checker(schema=True)
        self._document = Document()
        self._report: Report | None = None
        self._is_json: bool | None = None
        self._strict = False
        self._typing_json = False
        self._build()
        self._wire()
        self.set_schema(True)

    # --- schema --------------------------------------------------------------------------------

    def set_schema(self, schema: Json, text: str | None = None, *, again: bool = False) -> None:
        """Edit by `schema`, starting with `text`, or with the defaults; a value that is no schema is edited as JSON.

        With `again` it is the form that the user has been filling in, with a schema that may have changed: focus, caret, scroll position and
        everything else are kept; with the same schema the widgets, too.
        """
        kept = None
        if not again or not _is_same(schema, self._schema):
            kept = self._view.kept() if again else None
            self._use_schema(schema)
        self._strict = self._strict and again
        if again and self.text() == (self.start_text() if text is None else text):
            self._show()
            self.changed.emit()
        elif text is None:
            self._document.set_value(root_value(self._reader))
        else:
            self._document.set_text(text)
        if kept is not None and not self._document.error:
            self._view.show_value(self._document.value)
            self._view.restore(kept)

    def start_text(self) -> str:
        """The text of the defaults of the schema."""
        return Document(root_value(self._reader)).text()

    def schema_notes(self) -> list[FieldProblem]:
        """The problems of the schema itself; pointers lead into the schema."""
        return [FieldProblem(note.pointer, note.text) for note in self._checker.schema_notes]

    # --- value ---------------------------------------------------------------------------------

    def text(self) -> str:
        """The exact text that would be sent."""
        return self._document.text()

    def set_text(self, text: str) -> None:
        """Edit a text, JSON or not."""
        self._document.set_text(text)

    def reset(self) -> None:
        """Return to the defaults of the schema."""
        self._strict = False
        self._document.set_value(root_value(self._reader))

    def can_send(self) -> bool:
        """Whether the text is JSON, so that it can be part of a message."""
        if self._is_json is None:
            self._is_json = is_json(self.text())
        return self._is_json

    def problems(self) -> list[FieldProblem]:
        """The problems of the value, validated now, in the order of the fields; only `can_send` prevents sending."""
        value = self._document.value
        return sorted(
            self._validated().problems,
            key=lambda problem: self._reader.position(parts(problem.pointer), value),
        )

    def notes(self) -> list[FieldProblem]:
        """Notes on the value that are no problems: formats, patterns that could not be run."""
        return list(self._validated().notes)

    def show_problems(self) -> None:
        """Show missing fields too, and go to the first problem."""
        self._strict = True
        self._mark()
        found = self.problems()
        if found and self.is_json():
            self._json.reveal(found[0].pointer, found[0].text)
        elif found:
            self.reveal(found[0].first_field)

    def focus_first(self) -> bool:
        """Go to the first field, as soon as it has been made; False without fields."""
        return self._view.focus_first() if not self.is_json() else focus_first(self)

    def reveal(self, pointer: str) -> None:
        """Open, scroll to and focus the field closest to `pointer`."""
        if not self.is_json():
            self._view.reveal(tuple(parts(pointer)))

    # --- views ---------------------------------------------------------------------------------

    def is_json(self) -> bool:
        """Whether the JSON view is in front."""
        return self._pages.currentWidget() is self._json

    def show_json(self, on: bool) -> None:
        """Bring the JSON view to the front, or the form."""
        if on == self.is_json():
            return
        if on:
            self._json.show_text(self._document.pretty())
        self._pages.setCurrentWidget(self._json if on else self._view)
        self._show()
        self.view_changed.emit()

    def _use_schema(self, schema: Json) -> None:
        self._schema, self._report = schema, None
        self._reader = Reader(schema, KINDS)
        self._checker = Checker(_object_schema(schema, self._reader))
        self._view.set_reader(self._reader)

    # --- building ------------------------------------------------------------------------------

    def _build(self) -> None:
        self._pages = QStackedWidget(self)
        self._view = FormView(theme=self._theme, on_value=self._document.set_value, parent=self)
        self._json = JsonEditor(theme=self._theme, parent=self)
        self._pages.addWidget(self._view)
        self._pages.addWidget(self._json)
        column_layout(self, space=0).addWidget(self._pages)
        self._timer = QTimer(self, interval=self.CHECK_MS, singleShot=True)
        self.setFocusProxy(self._pages)

    def _wire(self) -> None:
        bind(self, self._document.changed, self._on_document_changed)
        self._json.edited.connect(self._on_json_edited)
        self._view.json_requested.connect(lambda: self.show_json(True))
        self._timer.timeout.connect(self._mark)
        self._theme.changed.connect(self._on_theme_changed)
        submit_shortcut(self, self.submitted.emit)
        self._shortcut("Ctrl+.").activated.connect(self._view.open_menu)
        self._shortcut("Alt+Up").activated.connect(lambda: self._view.move_focused(-1))
        self._shortcut("Alt+Down").activated.connect(lambda: self._view.move_focused(1))

    def _shortcut(self, keys: str) -> QShortcut:
        shortcut = QShortcut(QKeySequence(keys), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        return shortcut

    # --- keeping both views up to date ---------------------------------------------------------

    def _show(self) -> None:
        if self.is_json():
            self._mark()
            return
        if self._document.error:
            self._view.show_unavailable(self._document.error)
        else:
            self._view.show_value(self._document.value)
            self._mark()

    def _mark(self) -> None:
        self._view.show_schema_problems(_schema_texts(self._schema, self._checker))
        self._view.mark(ProblemIndex(self._validated(), strict=self._strict))
        notes = self._validated().notes[:MAX_POINTERS]
        self._json.show_notes([f"{note.pointer} {note.text}".strip() for note in notes])

    def _validated(self) -> Report:
        if self._report is None:
            self._report = validate(self._document, self._checker)
        return self._report

    def _on_document_changed(self) -> None:
        self._report = self._is_json = None
        if self.is_json():
            if not self._typing_json:
                self._json.show_text(self._document.pretty())
            self._timer.start()
        elif self._document.error:
            self._view.show_unavailable(self._document.error)
        else:
            self._view.show_value(self._document.value)
            self._timer.start()
        self.changed.emit()

    def _on_json_edited(self, text: str) -> None:
        self._typing_json = True
        self._document.set_text(text)
        self._typing_json = False

    def _on_theme_changed(self) -> None:
        kept = self._view.kept()
        self._view.rebuild()
        self._show()
        self._view.restore(kept)


def _is_same(one: Json, other: Json) -> bool:
    """Whether two schemas have the same text, or are one object that is nested too deeply to have any."""
    return one is other or exact(one) == exact(other)


def _object_schema(schema: Json, reader: Reader) -> JsonObject | bool:
    """The schema to validate against: any value is valid where it does not describe an object at all."""
    usable = reader.root.kind in {FieldKind.OBJECT, FieldKind.UNION, FieldKind.ANY}
    return schema if usable and isinstance(schema, dict | bool) else True


def _schema_texts(schema: Json, checker: Checker) -> list[str]:
    """The problems of the schema, for above the fields."""
    notes = checker.schema_notes
    wrong = [] if isinstance(schema, dict | bool) else ["Not an object schema; edit as JSON."]
    wrong += [_wrong_text(note) for note in notes if note.is_wrong and not note.is_of_field]
    parts = [note.pointer for note in notes if not note.is_wrong]
    if parts:
        more = f" and {len(parts) - MAX_POINTERS:,} more" if len(parts) > MAX_POINTERS else ""
        wrong.append(f"External $refs are not validated: {', '.join(parts[:MAX_POINTERS])}{more}")
    return wrong


def _wrong_text(note: SchemaNote) -> str:
    return (
        f"Invalid schema at {note.pointer}: {note.text}"
        if note.pointer and not note.is_sentence
        else note.text
    )


def validate(document: Document, checker: Checker) -> Report:
    """The problems of the text of `document`: that it is no JSON, or those of its value."""
    if not document.error:
        return checker.check(document.value)
    text = document.text()
    error = json_problem(text)
    if error:
        return Report((FieldProblem("", error),))
    return Report(checker.check(parsed(text)).problems, (FieldProblem("", document.error),))
