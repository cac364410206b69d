"""The form: one exact JSON value, seen as fields or as text.

The caller reads `text()` and sends it; `problems()` never keeps it from that. Nothing that was typed is lost by switching between
the views, whatever it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedWidget, QWidget

from inspector.schema.json_edit import exact
from inspector.schema.json_input import is_json, json_trouble, parsed
from inspector.schema.validate import Checker, FieldProblem, Report
from inspector.spec.pointer import parts
from ui.bind import bind
from ui.tab_order import focus_first
from ui.widgets.buttons import submit_shortcut
from ui.widgets.form.document import Document
from ui.widgets.form.editor import column_layout
from ui.widgets.form.form_view import FormView
from ui.widgets.form.initial_value import root_start
from ui.widgets.form.json_view import JsonEditor
from ui.widgets.form.problem_index import ProblemIndex
from ui.widgets.form.reader import Reader
from ui.widgets.form.schema import FieldKind

if TYPE_CHECKING:
    from inspector.schema.compile_schema import SchemaNote
    from inspector.wire.json_codec import Json, JsonObject
    from ui.theme import Theme

SHOWN_PARTS = 3
"""Places that are named above the fields; each says so itself as well."""


class Form(QWidget):
    """Edits a JSON value by a JSON Schema.

    Signals:
        changed: the value, or the text that should become one, is another.
        submitted: the person wants it sent (Ctrl+Enter).
        view_changed: the form or the JSON view came to the front.
    """

    changed = Signal()
    submitted = Signal()
    view_changed = Signal()

    CHECK_MS = 150
    """How long after the last key the value is judged."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._schema: Json = True
        self._reader = Reader(True)
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
        """Edit by `schema`, beginning with `text`, or with the defaults; what is no schema is edited as JSON.

        `again` says that it is the form the user has been filling in, of a schema that may have changed: focus, caret, scroll place and all that
        was done in it stay; of the same schema the widgets, too.
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
            self._document.put(root_start(self._reader))
        else:
            self._document.set_text(text)
        if kept is not None and not self._document.trouble:
            self._view.show_value(self._document.value)
            self._view.put_back(kept)

    def start_text(self) -> str:
        """The text of the defaults of the schema."""
        return Document(root_start(self._reader)).text()

    def schema_notes(self) -> list[FieldProblem]:
        """What is wrong with the schema itself; pointers lead into the schema."""
        return [FieldProblem(note.pointer, note.text) for note in self._checker.schema_notes]

    # --- value ---------------------------------------------------------------------------------

    def text(self) -> str:
        """The exact text that would be sent."""
        return self._document.text()

    def set_text(self, text: str) -> None:
        """Take over a text, JSON or not."""
        self._document.set_text(text)

    def reset(self) -> None:
        """Begin again with the defaults of the schema."""
        self._strict = False
        self._document.put(root_start(self._reader))

    def can_send(self) -> bool:
        """Whether the text is JSON, so that it can be part of a message."""
        if self._is_json is None:
            self._is_json = is_json(self.text())
        return self._is_json

    def problems(self) -> list[FieldProblem]:
        """What speaks against sending, judged now; only `can_send` can forbid it."""
        value = self._document.value
        return sorted(
            self._judged().problems,
            key=lambda problem: self._reader.position(parts(problem.pointer), value),
        )

    def notes(self) -> list[FieldProblem]:
        """What is odd but does not speak against sending: formats, patterns that could not be run."""
        return list(self._judged().notes)

    def show_problems(self) -> None:
        """Tell of missing fields too, and go to the first problem."""
        self._strict = True
        self._mark()
        found = self.problems()
        if found and self.is_json():
            self._json.reveal(found[0].pointer, found[0].text)
        elif found:
            self.reveal(found[0].first_field)

    def focus_first(self) -> bool:
        """Go to the first field; False if there is none."""
        return focus_first(self)

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
        self._reader = Reader(schema)
        self._checker = Checker(_judged(schema, self._reader))
        self._view.set_reader(self._reader)

    # --- building ------------------------------------------------------------------------------

    def _build(self) -> None:
        self._pages = QStackedWidget(self)
        self._view = FormView(theme=self._theme, on_put=self._document.put, parent=self)
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
        if self._document.trouble:
            self._view.say_unavailable(self._document.trouble)
        else:
            self._view.show_value(self._document.value)
            self._mark()

    def _mark(self) -> None:
        self._view.say_about_schema(_schema_words(self._schema, self._checker))
        self._view.mark(ProblemIndex(self._judged(), strict=self._strict))
        notes = self._judged().notes[:SHOWN_PARTS]
        self._json.show_notes([f"{note.pointer} {note.text}".strip() for note in notes])

    def _judged(self) -> Report:
        if self._report is None:
            self._report = judge(self._document, self._checker)
        return self._report

    def _on_document_changed(self) -> None:
        self._report = self._is_json = None
        if self.is_json():
            if not self._typing_json:
                self._json.show_text(self._document.pretty())
            self._timer.start()
        elif self._document.trouble:
            self._view.say_unavailable(self._document.trouble)
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
        self._view.put_back(kept)


def _is_same(one: Json, other: Json) -> bool:
    """Whether two schemas have the same text, or are one that is nested too deeply to have any."""
    return one is other or exact(one) == exact(other)


def _judged(schema: Json, reader: Reader) -> JsonObject | bool:
    """The schema to judge by: none where it does not describe an object at all."""
    usable = reader.root.kind in {FieldKind.OBJECT, FieldKind.UNION, FieldKind.ANY}
    return schema if usable and isinstance(schema, dict | bool) else True


def _root_words(schema: Json) -> list[str]:
    """Why there are no fields, where there are none."""
    if not isinstance(schema, dict | bool):
        return ["Not an object schema; edit as JSON."]
    return []


def _schema_words(schema: Json, checker: Checker) -> list[str]:
    """What to say above the fields: what is wrong with the schema."""
    notes = checker.schema_notes
    wrong = [_wrong_words(note) for note in notes if note.is_wrong and not note.is_of_field]
    parts = [note.pointer for note in notes if not note.is_wrong]
    if parts:
        more = f" and {len(parts) - SHOWN_PARTS:,} more" if len(parts) > SHOWN_PARTS else ""
        wrong.append(f"External $refs are not validated: {', '.join(parts[:SHOWN_PARTS])}{more}")
    return [*_root_words(schema), *wrong]


def _wrong_words(note: SchemaNote) -> str:
    return (
        f"Invalid schema at {note.pointer}: {note.text}"
        if note.pointer and not note.is_sentence
        else note.text
    )


def judge(document: Document, checker: Checker) -> Report:
    """What is wrong with the text of `document`: that it is no JSON, or what its value lacks."""
    if not document.trouble:
        return checker.check(document.value)
    text = document.text()
    trouble = json_trouble(text)
    if trouble:
        return Report((FieldProblem("", trouble),))
    return Report(checker.check(parsed(text)).problems, (FieldProblem("", document.trouble),))
