"""What a server asked a model, all of it, and a copy of the prompt to work on. What came is never changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPlainTextEdit,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from inspector.rule_titles import rule_label
from inspector.visible_text import visible
from ui.features.sampling.conversation import Conversation
from ui.features.sampling.facts import parameters
from ui.features.sampling.prompt import prompt_text
from ui.widgets.buttons import push_button
from ui.widgets.clipboard import copy_text
from ui.widgets.json_view import JsonView
from ui.widgets.key_values import KeyValues
from ui.widgets.labels import QuotingLabel, plain_label
from ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from inspector.spec.views.sampling import SamplingView
    from ui.theme import Theme

VIEWS = (
    ("messages", "Messages"),
    ("parameters", "Parameters"),
    ("prompt", "Prompt copy"),
    ("raw", "Raw"),
)

PROMPT_WORDS = "An editable copy for your own model. The original request is unchanged."


class RequestPanel(QWidget):
    """The request."""

    def __init__(self, view: SamplingView, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Show `view`."""
        super().__init__(parent)
        self.setObjectName("sampling_request")
        self._view = view
        self._theme = theme
        self._start = prompt_text(view)
        self._build()
        self._wire()

    def _build(self) -> None:
        theme = self._theme
        self.views = SegmentedControl(VIEWS, name="request_views", parent=self)
        unknown = len(self._view.unknown)
        if unknown:
            self.views.set_words("parameters", f"Parameters ⚠ {unknown}")
        self._conversation = Conversation(self._view, theme=theme)
        self.facts = KeyValues(theme=theme, name="sampling_parameters")
        self.facts.set_facts(parameters(self._view))
        self._raw = JsonView(theme=theme, name="sampling_raw")
        self._raw.set_value(self._view.raw)
        self._pages: dict[str, QWidget] = {
            "messages": self._conversation,
            "parameters": self._parameters(),
            "prompt": self._prompt_page(),
            "raw": self._raw,
        }
        self._stack = QStackedWidget(self)
        for page in self._pages.values():
            self._stack.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACING_PX)
        column.addWidget(self.views, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._stack, 1)

    def _parameters(self) -> QWidget:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, self._theme.PADDING_PX, 0)
        column.addWidget(self.facts)
        text = visible(
            "\n".join(f"⚠ {note.summary} ({rule_label(note.rule)})" for note in self._view.notes)
        )
        notes = QuotingLabel(text, name="sampling_notes", tone="warning")
        notes.setVisible(bool(self._view.notes))
        column.addWidget(notes)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inner)
        return scroll

    def _prompt_page(self) -> QWidget:
        whole = QWidget()
        text = plain_label(PROMPT_WORDS, tone="muted", wrap=True)
        self.prompt = QPlainTextEdit(self._start)
        self._untouched = self.prompt.toPlainText()  # Qt makes line breaks of some characters
        self.prompt.setObjectName("prompt_edit")
        self.prompt.setAccessibleName("Editable copy of the prompt")
        self.prompt.setProperty("field", True)
        self.prompt.setTabChangesFocus(True)
        self._copy = push_button("Copy", name="prompt_copy")
        self._reset = push_button("Revert", name="prompt_reset")
        row = QHBoxLayout()
        row.addWidget(self._copy)
        row.addWidget(self._reset)
        row.addStretch(1)
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.SPACING_PX)
        column.addWidget(text)
        column.addWidget(self.prompt, 1)
        column.addLayout(row)
        return whole

    def _wire(self) -> None:
        self.views.chosen.connect(self.show_view)
        self._copy.clicked.connect(lambda: copy_text(self.prompt.toPlainText()))
        self._reset.clicked.connect(lambda: self.prompt.setPlainText(self._start))

    def show_view(self, key: str) -> None:
        """Bring a part of the request to the front."""
        self.views.choose(key)
        self._stack.setCurrentWidget(self._pages[key])

    def is_touched(self) -> bool:
        """Whether the copy of the prompt was edited."""
        return self.prompt.toPlainText() != self._untouched
