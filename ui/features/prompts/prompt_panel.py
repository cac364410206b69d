"""The middle of the page: what a prompt says of itself, its arguments, and the button that gets it.

What was typed stays with its prompt while others are looked at. A missing argument is told and keeps nobody from asking.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from ui.widgets.argument_fields import Argument, ArgumentFields, Suggest
from ui.widgets.buttons import push_button
from ui.widgets.elided_label import ElidedLabel
from ui.widgets.empty_state import EmptyState
from ui.widgets.hairline import Hairline
from ui.widgets.heading import Heading
from ui.widgets.json_view import JsonView
from ui.widgets.segments import Segments
from ui.widgets.suggest_note import SuggestNote
from ui.widgets.visible_text import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QKeyEvent

    from inspector.finding import Finding
    from inspector.spec.views.prompt import ArgumentView, PromptView
    from ui.features.prompts.prompt_list import Choice
    from ui.theme import Theme

DRAFTS = 500
"""Prompts whose arguments are remembered."""

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class PromptPanel(QWidget):
    """The chosen prompt.

    Signals:
        get_wanted: it is to be got with the arguments as they stand.
        cancel_wanted: the getting that runs is to be given up.
    """

    get_wanted = Signal()
    cancel_wanted = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a prompt."""
        super().__init__(parent)
        self.setObjectName("prompt_panel")
        self.prompt: PromptView | None = None
        self._theme = theme
        self._choice: Choice | None = None
        self._drafts: dict[Choice, dict[str, str]] = {}
        self._connected = False
        self._running = False
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self._empty = EmptyState(
            "Choose a prompt",
            "Its arguments become fields; the conversation it gives appears beside them.",
            theme=theme,
            icon="mdi6.message-question-outline",
            name="prompt_empty",
        )
        self._heading = Heading(theme=theme, name="prompt_heading", copy="Copy the name")
        self.fields = ArgumentFields(theme=theme, name="prompt_arguments")
        self.note = SuggestNote(theme=theme, name="prompt_suggest")
        self._none = QLabel("This prompt takes no arguments.")
        self._none.setObjectName("prompt_no_arguments")
        self._none.setProperty("look", "muted")
        self._json = JsonView(theme=theme, name="prompt_json")
        self._views = Segments((("arguments", "Arguments"), ("json", "JSON")), name="prompt_views")
        self.get_button = push_button("Get", name="get_button", primary=True)
        self.get_button.setToolTip("Ctrl+Enter")
        self.cancel_button = push_button("Cancel", name="get_cancel")
        self._words = ElidedLabel(elide=Qt.TextElideMode.ElideRight)
        self._words.setObjectName("get_problem")
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._filled())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    def _filled(self) -> QWidget:
        theme, whole = self._theme, QWidget()
        self._body = QStackedWidget()
        self._body.addWidget(self._arguments())
        self._body.addWidget(self._json)
        column = QVBoxLayout()
        column.setContentsMargins(theme.PAD, theme.PAD, theme.PAD, 0)
        column.setSpacing(theme.SPACE)
        column.addWidget(self._heading)
        column.addWidget(self._views)
        column.addWidget(self._body, 1)
        row = QHBoxLayout()
        row.setContentsMargins(theme.PAD, theme.PAD, theme.PAD, theme.PAD)
        row.setSpacing(theme.PAD)
        row.addWidget(self.get_button)
        row.addWidget(self.cancel_button)
        row.addWidget(self._words, 1)
        layout = QVBoxLayout(whole)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(column, 1)
        layout.addWidget(Hairline(theme=theme))
        layout.addLayout(row)
        return whole

    def _arguments(self) -> QScrollArea:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, self._theme.SPACE, 0, self._theme.SPACE)
        column.setSpacing(self._theme.PAD)
        for part in (self._none, self.fields, self.note):
            column.addWidget(part)
        column.addStretch(1)
        area = QScrollArea()
        area.setAccessibleName("Arguments")
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inner)
        return area

    def _wire(self) -> None:
        self._views.chosen.connect(self._on_view_chosen)
        self.fields.changed.connect(self._refresh)
        self.fields.submitted.connect(self._on_get_wanted)
        self.get_button.clicked.connect(self._on_get_wanted)
        self.cancel_button.clicked.connect(self.cancel_wanted)

    def show_prompt(
        self, prompt: PromptView | None, choice: Choice | None, clashes: Sequence[Finding]
    ) -> None:
        """Offer to get `prompt`, with what was typed for it before."""
        self._keep_draft()
        before = self.prompt
        self.prompt = prompt
        if prompt is not None and choice is not None:
            if before is None or choice != self._choice or before.raw != prompt.raw:
                sendable = [argument for argument in prompt.arguments if argument.has_name]
                self.fields.set_arguments([_argument(argument) for argument in sendable])
                self.fields.set_values(self._drafts.get(choice, {}))
            self._show_heading(prompt, clashes)
            self._json.set_value(prompt.raw)
            self._none.setVisible(not self.fields.fields)
        self._choice = choice if prompt is not None else None
        self._refresh()

    def _show_heading(self, prompt: PromptView, clashes: Sequence[Finding]) -> None:
        self._heading.show_thing(
            prompt.label,
            prompt.name_label,
            exact=prompt.name if prompt.has_name else None,
            words=prompt.description,
            odd=[finding.words for finding in (*clashes, *prompt.problems)],
        )

    def arguments(self) -> dict[str, str]:
        """The arguments that are set."""
        return self.fields.values()

    def set_arguments(self, values: Mapping[str, str]) -> None:
        """Put arguments of an earlier getting back."""
        self.fields.set_values(values)

    def show_state(self, *, connected: bool, running: bool) -> None:
        """Say what can be done now."""
        self._connected, self._running = connected, running
        self._refresh()

    def set_suggest(self, suggest: Suggest | None, absent: str = "") -> None:
        """Where suggestions for arguments come from, or why from nowhere."""
        self.fields.set_suggest(suggest)
        self.note.say(absent if self.fields.fields else "")

    def focus_form(self) -> None:
        """Go to the first field, or else to the button."""
        if self.fields.fields:
            self.fields.focus_first()
        else:
            self.get_button.setFocus()

    def _refresh(self) -> None:
        self._stack.setCurrentIndex(0 if self.prompt is None else 1)
        missing = self.fields.missing()
        words = "Get anyway" if missing else "Get"
        self.get_button.setText(words)
        self.get_button.setAccessibleName(words)
        self.get_button.setEnabled(self._connected)
        self.cancel_button.setVisible(self._running)
        said, tone = "", "muted"
        if not self._connected:
            said = "not connected"
        elif missing:
            said, tone = f"required: {one_line(', '.join(missing), 200)}", "warning"
        self._words.setProperty("look", tone)
        self._words.style().unpolish(self._words)
        self._words.style().polish(self._words)
        self._words.set_text(said)

    def _keep_draft(self) -> None:
        if self._choice is None:
            return
        self._drafts.pop(self._choice, None)
        if values := self.fields.values():
            self._drafts[self._choice] = values
        if len(self._drafts) > DRAFTS:
            del self._drafts[next(iter(self._drafts))]

    def _on_view_chosen(self, key: str) -> None:
        self._body.setCurrentIndex(1 if key == "json" else 0)

    def _on_get_wanted(self) -> None:
        if self.prompt is not None and self.get_button.isEnabled():
            self.get_wanted.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter gets from anywhere in the panel."""
        if event.key() in ENTER and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._on_get_wanted()
            return
        super().keyPressEvent(event)


def _argument(argument: ArgumentView) -> Argument:
    return Argument(argument.name, argument.title, argument.description, argument.required)
