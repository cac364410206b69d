"""The response to a sampling request: as fields, and as the exact JSON that is sent; and saved responses to use again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from inspector.features.sampling import SavedAnswer
from inspector.spec.views.sampling import result_problems
from inspector.visible_text import one_line
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError
from ui.features.sampling.answer_fields import AnswerFields
from ui.widgets.buttons import link_button, push_button
from ui.widgets.form.field_help import FieldHelp
from ui.widgets.form.layout import Help
from ui.widgets.json_colors import JsonColors
from ui.widgets.labels import no_mnemonic, plain_label
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from inspector.features.sampling import SavedAnswers
    from inspector.spec.views.sampling import SamplingView
    from inspector.wire.json_codec import Json
    from ui.theme import Theme

VIEWS = (("fields", "Response"), ("json", "JSON"))

NOTHING_SENT = "Nothing is sent until you choose Send response."

TOO_MUCH = "This JSON cannot be shown as fields. It is sent as is."


class AnswerEditor(QWidget):
    """Writes one answer.

    Signals:
        changed: the text is another.
    """

    changed = Signal()

    def __init__(
        self,
        view: SamplingView,
        answers: SavedAnswers,
        *,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """For an answer to `view`; `answers` can be used again."""
        super().__init__(parent)
        self.setObjectName("answer_editor")
        self._view = view
        self._theme = theme
        self._build(answers)
        self._text = self._from_fields()
        self._wire()
        self._refresh()

    def _build(self, answers: SavedAnswers) -> None:
        theme = self._theme
        self.views = SegmentedControl(VIEWS, name="answer_views", parent=self)
        self.fields = AnswerFields(self._view, theme=theme)
        self.json = QPlainTextEdit()
        self.json.setObjectName("answer_json")
        self.json.setAccessibleName("JSON")
        self.json.setProperty("field", True)
        self.json.setTabChangesFocus(True)
        self._colors = JsonColors(self.json, theme=theme)
        self._stack = QStackedWidget(self)
        for page in (self.fields, self._unfit_page(), self.json):
            self._stack.addWidget(page)
        self.saved = SavedResponses(answers, theme=theme, parent=self)
        self._help = FieldHelp(theme=theme, name="answer_unsent", lines=2, parent=self)
        self._help.set_help(Help(facts=NOTHING_SENT))
        top = row_layout(None, self.views, space=theme.PADDING_PX)
        top.addStretch(1)
        top.addWidget(self.saved.use)
        column = column_layout(self, top, self.saved, space=theme.PADDING_PX)
        column.addWidget(self._stack, 1)
        column.addWidget(self._help)
        self._dress()

    def _unfit_page(self) -> QWidget:
        page = QWidget()
        text = plain_label(TOO_MUCH, name="answer_unfit", wrap=True)
        self._discard = link_button("Discard JSON and use fields", name="answer_anew")
        row = QHBoxLayout()
        row.addWidget(self._discard)
        row.addStretch(1)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, self._theme.PADDING_PX, 0, 0)
        column.addWidget(text)
        column.addLayout(row)
        column.addStretch(1)
        self._unfit = page
        return page

    def _wire(self) -> None:
        self._theme.changed.connect(self._dress)
        self.views.chosen.connect(self.show_view)
        self.fields.changed.connect(self._on_fields_changed)
        self.json.textChanged.connect(self._on_json_changed)
        self._discard.clicked.connect(self._on_discard_clicked)
        self.saved.selected.connect(self.set_text)
        self.saved.save_requested.connect(self._on_save_requested)

    def text(self) -> str:
        """The exact text of the answer."""
        return self._text

    def set_text(self, text: str) -> None:
        """Take over a text, JSON or not."""
        self._text = text
        self._show_text()
        if self.views.current() == "fields":
            self._show_fields()
        self._refresh()
        self.changed.emit()

    def show_view(self, key: str) -> None:
        """Bring the fields or the JSON to the front."""
        self.views.choose(key)
        if key == "json":
            self._show_text()
            self._stack.setCurrentWidget(self.json)
        else:
            self._show_fields()

    def can_send(self) -> bool:
        """Whether the text is JSON, so that it can be part of a message."""
        return not isinstance(self._value(), JsonSyntaxError)

    def _value(self) -> Json | JsonSyntaxError:
        try:
            return json_codec.read(self._text.encode("utf-8", "surrogatepass")).value
        except JsonSyntaxError as error:
            return error

    def _from_fields(self) -> str:
        return json_codec.write(self.fields.result(), indent=2)

    def _show_text(self) -> None:
        if self.json.toPlainText() != self._text:
            self.json.blockSignals(True)
            self.json.setPlainText(self._text)
            self.json.blockSignals(False)

    def _show_fields(self) -> None:
        value = self._value()
        fits = not isinstance(value, JsonSyntaxError) and self.fields.take(value)
        self._stack.setCurrentWidget(self.fields if fits else self._unfit)

    def _on_fields_changed(self) -> None:
        self._text = self._from_fields()
        self._refresh()
        self.changed.emit()

    def _on_json_changed(self) -> None:
        self._text = self.json.toPlainText()
        self._refresh()
        self.changed.emit()

    def _on_save_requested(self, name: str) -> None:
        self.saved.keep(name, self._text)

    def _on_discard_clicked(self) -> None:
        self._stack.setCurrentWidget(self.fields)
        self._on_fields_changed()

    def _refresh(self) -> None:
        value = self._value()
        if isinstance(value, JsonSyntaxError):
            text = f"Invalid JSON: {value}"
        else:
            text = "; ".join(result_problems(value, self._view.revision)[:4])
        self._help.show_message(text, "warning", "answer_trouble")
        self.saved.set_enabled(bool(self._text))

    def _dress(self) -> None:
        self.json.setFont(self._theme.mono())
        self._help.dress()


class SavedResponses(QWidget):
    """A menu of the saved responses, `use`, which is placed by the owner, and a row for the name of another one, hidden until it is needed.

    Signals:
        selected: the user selected this text.
        save_requested: save the response under this name.
    """

    selected = Signal(str)
    save_requested = Signal(str)

    def __init__(
        self, answers: SavedAnswers, *, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Offer `answers`."""
        super().__init__(parent)
        self.setObjectName("saved_answers")
        self._theme = theme
        self._answers = answers
        self._can_save = False
        self._build()
        self.hide()

    def _build(self) -> None:
        theme = self._theme
        self.use = link_button("Saved responses", name="answer_saved", parent=self)
        self.use.setIcon(theme.icon("mdi6.chevron-down", "accent"))
        self.menu = QMenu(self.use)
        self.menu.aboutToShow.connect(self._fill)
        self.use.setMenu(self.menu)
        self.name = QLineEdit(self)
        self.name.setObjectName("answer_save_name")
        self.name.setAccessibleName("Name of the saved response")
        self.name.setPlaceholderText("Name")
        self.save = push_button("Save response", name="answer_save", parent=self)
        self.cancel = push_button("Cancel", name="answer_save_cancel", parent=self)
        self.name.returnPressed.connect(self._on_save)
        self.save.clicked.connect(self._on_save)
        self.cancel.clicked.connect(self.close_name)
        row = row_layout(self, self.name, self.save, self.cancel, space=theme.px(6))
        row.setStretchFactor(self.name, 1)

    def set_enabled(self, on: bool) -> None:
        """Whether there is something to save."""
        self._can_save = on
        self.save.setEnabled(on)

    def keep(self, name: str, text: str) -> None:
        """Save an answer."""
        self._answers.keep(SavedAnswer(name, text))

    def ask_name(self) -> None:
        """Show the row for the name."""
        self.name.clear()
        self.show()
        self.name.setFocus()

    def close_name(self) -> None:
        """Hide the row; nothing is saved."""
        self.hide()
        self.use.setFocus()

    def _fill(self) -> None:
        self.menu.clear()
        for answer in self._answers.items:
            text = answer.text
            action = self.menu.addAction(no_mnemonic(one_line(answer.name, 60)))
            action.triggered.connect(lambda _checked=False, text=text: self.selected.emit(text))
        self.menu.addSeparator()
        save = self.menu.addAction("Save this response…")
        save.setObjectName("answer_save_new")
        save.setEnabled(self._can_save)
        save.triggered.connect(self.ask_name)

    def _on_save(self) -> None:
        name = self.name.text().strip() or f"Response {len(self._answers.items) + 1}"
        self.save_requested.emit(name)
        self.close_name()
