"""The panel of what was got of one prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inspector.features.prompts import PromptGet
from inspector.spec.views.prompt import PromptResult
from inspector.wire import json_codec
from ui.features.prompts.conversation import Conversation
from ui.render.answer_panel import AnswerPanel
from ui.widgets.answer_views import AnswerView

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QWidget

    from inspector.open_session import OpenSession
    from inspector.session.outgoing import Timeouts
    from inspector.spec.views.prompt import PromptView
    from inspector.wire.json_codec import JsonObject
    from ui.theme import Theme


class PromptResultPanel(AnswerPanel[PromptGet, PromptResult]):
    """Requests for one prompt, one of them shown."""

    name: ClassVar[str] = "get"
    empty: ClassVar[tuple[str, str]] = ("No result yet", "Get the prompt to see its messages.")
    empty_recorded: ClassVar[tuple[str, str]] = (
        "No recorded requests",
        "Recorded requests for the selected prompt appear here.",
    )
    repeat: ClassVar[str] = "Get again with the same arguments"
    history_title: ClassVar[str] = "Requests for this prompt"
    reuse: ClassVar[str] = "Copy arguments to the form"

    _prompt: PromptView | None = None
    _is_duplicate = False

    def __init__(
        self, *, theme: Theme, timeouts: Callable[[], Timeouts], parent: QWidget | None = None
    ) -> None:
        """Start empty; `timeouts` returns those of the next request."""
        self._timeouts = timeouts
        super().__init__(theme=theme, parent=parent)

    def _build(self) -> None:
        self.conversation = Conversation(theme=self._theme)
        self.assemble(
            AnswerView("content", self._content_label, self.conversation, self._fill_content)
        )

    def clear(self) -> None:
        """Forget the prompt."""
        self._prompt = None

    def show_prompt(self, prompt: PromptView | None, *, is_duplicate: bool) -> None:
        """Show the history of `prompt`; `is_duplicate` if another has its name."""
        self._prompt, self._is_duplicate = prompt, is_duplicate
        self.show_history()

    def get(
        self, prompt: PromptView, arguments: Mapping[str, str], meta: JsonObject | None = None
    ) -> None:
        """Get `prompt`; the members `meta` of `_meta` override those of every request."""
        if self._session is not None and self.is_connected:
            timeouts = self._timeouts()
            self.show_history(
                self._session.prompts.get(prompt, arguments, timeouts=timeouts, meta=meta)
            )

    def operations(self, session: OpenSession) -> list[PromptGet]:
        """Return the requests for the prompt; of two with one name, only those for this definition."""
        prompt = self._prompt
        if prompt is None:
            return []
        name, raw = prompt.id_label, prompt.raw if self._is_duplicate else None
        return [
            get
            for run in session.all_runs
            for get in run.prompts.history.of(lambda get: get.prompt.id_label == name)
            if raw is None or get.prompt.raw == raw
        ]

    def request_text(self, operation: PromptGet) -> str:
        """Return the arguments as JSON."""
        return json_codec.write(dict(operation.arguments)) if operation.arguments else ""

    def read_result(self, operation: PromptGet) -> PromptResult | None:
        """Read the messages."""
        return operation.result

    def send_again(self, operation: PromptGet) -> None:
        """Get the prompt again with the same arguments."""
        self.get(operation.prompt, operation.arguments, operation.meta)

    def _content_label(self) -> str:
        return "Conversation" if self.operation is not None and self.operation.has_result else ""

    def _fill_content(self) -> None:
        get = self.operation
        if get is not None and (result := self.result_of(get)) is not None:
            self.conversation.show_result(result, get.prompt.description, at_once=self._at_once)
