"""The right of the page: what was got of one prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.wire import json_codec
from inspector.workspace import is_closed
from ui.bind import bind_coalesced
from ui.features.prompts.conversation import Conversation
from ui.render.answer_panel import AnswerPanel, PanelText, ResultAdapter
from ui.widgets.error_text import ErrorText, error_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inspector.errors import PeerError
    from inspector.features.prompts import PromptGet
    from inspector.finding import Finding
    from inspector.session.timeouts import Timeouts
    from inspector.spec.views.prompt import PromptResult, PromptView
    from inspector.wire.json_codec import JsonObject
    from inspector.workspace import OpenSession
    from ui.theme import Theme

WORDING = PanelText(
    name="get",
    primary_view="Conversation",
    empty=("No result yet", "Get the prompt to see its messages."),
    again="Get again with the same arguments",
    reuse="Copy arguments to the form",
    icon="mdi6.message-text-outline",
)


class PromptResultPanel(QWidget):
    """Gettings, one of them shown.

    Signals:
        changed: a getting began, ended, or another is shown.
        reuse_wanted: these arguments are to be put into the fields.
    """

    changed = Signal()
    reuse_wanted = Signal(object)

    def __init__(
        self, *, theme: Theme, limits: Callable[[], Timeouts], parent: QWidget | None = None
    ) -> None:
        """Start empty; `limits` tells how long the next answer is waited for."""
        super().__init__(parent)
        self.setObjectName("getting")
        self._limits = limits
        self._session: OpenSession | None = None
        self._prompt: PromptView | None = None
        self._distinct = False
        self._read: tuple[PromptGet, PromptResult] | None = None
        self._unfollow: Callable[[], None] | None = None
        self._build(theme)
        self._wire()

    def _build(self, theme: Theme) -> None:
        self.conversation = Conversation(theme=theme)
        lens: ResultAdapter[PromptGet] = ResultAdapter(_asked, self._findings, self._fill, _refuse)
        self.answers: AnswerPanel[PromptGet] = AnswerPanel(
            self.conversation, lens, WORDING, theme=theme, parent=self
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.answers)

    def _wire(self) -> None:
        self.answers.again_wanted.connect(self._on_again_wanted)
        self.answers.reuse_wanted.connect(self._on_reuse_wanted)

    def set_session(self, session: OpenSession | None, *, again: bool = False) -> None:
        """Get over `session` from now on; another run of the server (`again`) finds all as it is."""
        self._session, self._read = session, None
        if not again:
            self._prompt = None
        self.answers.set_transcript(session.session.transcript if session is not None else None)
        self.answers.visits.set_elicitation(session.elicitation if session is not None else None)
        self.answers.meanwhile.set_session(session)
        self._show_gets()

    @property
    def is_running(self) -> bool:
        """Whether the getting that is shown is under way."""
        shown = self.answers.attempt
        return shown is not None and not shown.is_over

    def show_prompt(self, prompt: PromptView | None, *, distinct: bool) -> None:
        """Offer what was got of `prompt`; `distinct` if another has its name."""
        self._prompt, self._distinct = prompt, distinct
        self._show_gets()

    def get(
        self, prompt: PromptView, arguments: Mapping[str, str], meta: JsonObject | None = None
    ) -> None:
        """Get `prompt`, with members `meta` of `_meta` set by hand."""
        session = self._session
        if session is None or is_closed(session.session):
            return
        made = session.prompts.get(prompt, arguments, timeouts=self._limits(), meta=meta)
        if self._unfollow is not None:
            self._unfollow()
        self._unfollow = bind_coalesced(self, made.changed, self.refresh)
        self._show_gets(made)

    def cancel(self) -> None:
        """Give up the getting that is shown."""
        if self.answers.attempt is not None:
            self.answers.attempt.cancel()

    def refresh(self) -> None:
        """Show how it stands now."""
        session = self._session
        self.answers.set_connected(session is not None and not is_closed(session.session))
        self.changed.emit()

    def _show_gets(self, wanted: PromptGet | None = None) -> None:
        session, prompt = self._session, self._prompt
        gets: list[PromptGet] = []
        if session is not None and prompt is not None:
            for run in session.all_runs:
                gets += run.prompts.history.of(lambda get: self._is_of(get, prompt))
        runs = session.session.run.number if session is not None else 1
        self.answers.show_attempts(gets, wanted, runs=runs)
        self.refresh()

    def _is_of(self, get: PromptGet, prompt: PromptView) -> bool:
        if get.prompt.id_label != prompt.id_label:
            return False
        return not self._distinct or get.prompt.raw == prompt.raw

    def _result(self, get: PromptGet) -> PromptResult | None:
        """What was got, looked through once for its findings and the conversation."""
        if self._read is None or self._read[0] is not get:
            result = get.result
            self._read = (get, result) if result is not None else None
        return self._read[1] if self._read is not None else None

    def _findings(self, get: PromptGet) -> Sequence[Finding]:
        result = self._result(get)
        return result.findings if result is not None else ()

    def _fill(self, get: PromptGet) -> None:
        result = self._result(get)
        if result is not None:
            self.conversation.show_result(result, get.prompt.description)
        self._read = None

    def _on_again_wanted(self, get: PromptGet) -> None:
        self.get(get.prompt, get.arguments, get.meta)

    def _on_reuse_wanted(self, get: PromptGet) -> None:
        self.reuse_wanted.emit(get.arguments)


def _asked(get: PromptGet) -> str:
    return json_codec.write(dict(get.arguments)) if get.arguments else ""


def _refuse(get: PromptGet, error: PeerError) -> ErrorText:
    return error_text(error, get.revision)
