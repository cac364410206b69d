"""The middle of the page: what a prompt says of itself, its arguments, and the row that gets it.

What was typed stays with its prompt while others are looked at. A missing argument is told and keeps nobody from asking.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from inspector.spec.mirroring import Mirroring
from inspector.visible_text import one_line
from ui.request.column import RequestColumn
from ui.request.headers import RequestHeaders
from ui.request.row import RequestRow
from ui.widgets.argument_field import Argument, Suggest
from ui.widgets.argument_fields import ArgumentFields
from ui.widgets.empty_state import EmptyState
from ui.widgets.heading import Heading
from ui.widgets.json_view import JsonView
from ui.widgets.labels import plain_label
from ui.widgets.segmented_control import SegmentedControl
from ui.widgets.submit_keys import take_submit_key
from ui.widgets.suggest_note import SuggestNote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QKeyEvent

    from inspector.finding import Finding
    from inspector.spec.views.prompt import ArgumentView, PromptView
    from inspector.workspace import OpenSession
    from ui.filtered_list import Selection
    from ui.theme import Theme

DRAFTS = 500
"""Prompts whose arguments are remembered."""

CHOOSE = (
    "No prompt selected",
    "Select a prompt to fill in its arguments and get its messages.",
)
"""Title and words while nothing is chosen."""
NOTHING = ("No prompts", "The list is empty.")
"""The same, where nothing is listed."""


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
        self._session: OpenSession | None = None
        self._theme = theme
        self._choice: Selection | None = None
        self._drafts: dict[tuple[str, Selection], dict[str, str]] = {}
        self._connected = False
        self._running = False
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self._empty = EmptyState(
            *CHOOSE,
            theme=theme,
            icon="mdi6.message-question-outline",
            name="prompt_empty",
        )
        self._heading = Heading(theme=theme, name="prompt_heading", copy="Copy name")
        self.fields = ArgumentFields(theme=theme, name="prompt_arguments")
        self.note = SuggestNote(theme=theme, name="prompt_suggest")
        self._none = plain_label(
            "This prompt has no arguments.", tone="muted", name="prompt_no_arguments"
        )
        self._json = JsonView(theme=theme, name="prompt_json")
        self._views = SegmentedControl(
            (("arguments", "Arguments"), ("json", "JSON")), name="prompt_views"
        )
        self._headers = RequestHeaders(theme=theme, name="get")
        self.row = RequestRow("Get", theme=theme, name="get", cancel="get_cancel")
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._filled())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    def _filled(self) -> QWidget:
        self._body = QStackedWidget()
        self._body.addWidget(self._arguments())
        self._body.addWidget(self._json)
        return RequestColumn(
            (self._heading, self._views),
            self._body,
            (self._headers, self.row.options),
            row=self.row,
            theme=self._theme,
        )

    def _arguments(self) -> QScrollArea:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, self._theme.SPACING_PX, 0, self._theme.SPACING_PX)
        column.setSpacing(self._theme.PADDING_PX)
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
        self.fields.submitted.connect(self.row.press)
        self.row.wanted.connect(self._on_get_wanted)
        self.row.changed.connect(self._refresh)
        self.row.cancel_wanted.connect(self.cancel_wanted)

    def set_session(self, session: OpenSession | None, *, again: bool = False) -> None:
        """Get over `session` from now on; another run of the server (`again`) finds all as it is."""
        self._keep_draft()
        self._session = session
        if not again:
            self.prompt, self._choice = None, None
        if session is None:
            self.row.options.set_session(None)
        else:
            self.row.options.set_session(session.session, session.profile.id)

    def set_listed(self, is_anything: bool) -> None:
        """Say what to do, or that there is nothing to choose from."""
        self._empty.set_words(*(CHOOSE if is_anything else NOTHING))

    def show_prompt(
        self, prompt: PromptView | None, choice: Selection | None, clashes: Sequence[Finding]
    ) -> None:
        """Offer to get `prompt`, with what was typed for it before."""
        self._keep_draft()
        before = self.prompt
        self.prompt = prompt
        if prompt is not before:
            self._headers.begin()
        if prompt is not None and choice is not None:
            if before is None or choice != self._choice or before.raw != prompt.raw:
                sendable = [argument for argument in prompt.arguments if argument.has_name]
                again = before is not None and choice == self._choice
                self.fields.set_arguments([_argument(each) for each in sendable], again=again)
                if not again:
                    self.fields.set_values(self._drafts.get(self._draft_key(choice), {}))
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
            self.row.button.setFocus()

    def _refresh(self) -> None:
        self._stack.setCurrentIndex(0 if self.prompt is None else 1)
        missing = self.fields.missing()
        self.row.show_state(
            connected=self._connected,
            running=self._running,
            anyway=bool(missing),
            words=f"required: {one_line(', '.join(missing), 200)}" if missing else "",
        )
        self._headers.show_request(self._preview if self.prompt is not None else None)

    def _preview(self) -> Mirroring:
        """The headers of the getting as it stands."""
        if self._session is None or self.prompt is None:
            return Mirroring(())
        return self._session.prompts.headers_of(self.prompt, self.row.options.meta())

    def _keep_draft(self) -> None:
        if self._choice is None:
            return
        key = self._draft_key(self._choice)
        self._drafts.pop(key, None)
        if values := self.fields.values():
            self._drafts[key] = values
        if len(self._drafts) > DRAFTS:
            del self._drafts[next(iter(self._drafts))]

    def _draft_key(self, choice: Selection) -> tuple[str, Selection]:
        return (self._session.profile.id if self._session is not None else "", choice)

    def _on_view_chosen(self, key: str) -> None:
        self._body.setCurrentIndex(1 if key == "json" else 0)

    def _on_get_wanted(self) -> None:
        if self.prompt is not None:
            self.get_wanted.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter gets from anywhere in the panel."""
        if not take_submit_key(event, self.row.press):
            super().keyPressEvent(event)


def _argument(argument: ArgumentView) -> Argument:
    return Argument(argument.name, argument.title, argument.description, argument.required)
