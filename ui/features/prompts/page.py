"""The prompts page: list, arguments and conversation side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inspector.features.completion import prompt_ref
from ui.bind import bind_coalesced
from ui.features.prompts.prompt_list import PromptList
from ui.features.prompts.prompt_panel import PromptPanel
from ui.features.prompts.prompt_result_panel import PromptResultPanel
from ui.list_page import ListPage
from ui.models.completion_adapter import absence_text, suggesting
from ui.pages import PROMPTS, PageSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.features.prompts import PromptGet
    from inspector.open_session import OpenSession
    from inspector.session.paginated_list import PaginatedList
    from inspector.spec.views.list_page import ListedView


class PromptsPage(ListPage):
    """The list of prompts, the arguments of one, and its messages."""

    info: ClassVar[PageSpec] = PROMPTS

    def _build(self) -> None:
        theme = self._theme
        self.list = PromptList(theme=theme, parent=self)
        self.panel = PromptPanel(theme=theme, parent=self)
        self.result_panel = PromptResultPanel(
            theme=theme, timeouts=self.panel.row.options.timeouts, parent=self
        )
        self.assemble(self.list, self.panel, self.result_panel)

    def _wire(self) -> None:
        super()._wire()
        self.list.selected.connect(self._on_prompt_selected)
        self.content.arranged.connect(self.panel.heading.set_compact)
        self.panel.heading.set_compact(self.content.is_compact)
        self.list.get_requested.connect(self._on_activated)
        self.panel.get_requested.connect(self._on_get_requested)
        self.panel.cancel_requested.connect(self.result_panel.cancel)
        self.panel.note.clicked.connect(self._on_suggest_clicked)
        self.result_panel.changed.connect(self._show_state)
        self.result_panel.reuse_requested.connect(self._on_reuse_requested)

    def set_session(self, session: OpenSession | None) -> None:
        """Show the prompts of `session`; for another run of the same server, arguments and results stay."""
        again = self.follow(session)
        if session is not None:
            self._bindings.replace(
                bind_coalesced(self, session.prompts.changed, self._refresh),
                bind_coalesced(self, session.session.changed, self._refresh),
                bind_coalesced(self, session.session.listening.changed, self._refresh),
                bind_coalesced(self, session.completions.changed, self._show_suggestions),
            )
        self.panel.set_session(session, again=again)
        self.result_panel.set_session(session, again=again)
        if session is not None:
            self.list.set_server(session.profile.id)
        self.list.show_listing(session.prompts if session is not None else None, again=again)
        self._refresh()
        self._on_prompt_selected()

    def listings(self, session: OpenSession) -> Sequence[PaginatedList[ListedView]]:
        """Return the prompts."""
        return (session.prompts,)

    def choose(self, position: int) -> None:
        """Select the prompt at a position of the server's list."""
        self.list.select(position)
        self.panel.focus_form()

    def _refresh(self) -> None:
        session = self.session
        prompts = session.prompts if session is not None else None
        self.list.show_listing(prompts)
        self.panel.set_listed(prompts is None or not prompts.is_empty)
        self.result_panel.refresh()
        self._show_suggestions()
        self.show_list()

    def _show_state(self) -> None:
        self.panel.show_state(connected=self.is_connected, running=self.result_panel.is_running)

    def _show_suggestions(self) -> None:
        session, prompt = self.session, self.panel.prompt
        if session is None or prompt is None or not prompt.has_id:
            self.panel.set_suggest(None)
        elif session.completions.is_enabled:
            self.panel.set_suggest(suggesting(session.completions, prompt_ref(prompt.name)))
        else:
            self.panel.set_suggest(None, absence_text(session.completions))

    def _on_prompt_selected(self) -> None:
        prompt, position = self.list.item, self.list.position
        clashes = self.list.model.clashes(position)
        self.panel.show_prompt(prompt, self.list.selection, clashes)
        self.result_panel.show_prompt(prompt, is_duplicate=bool(clashes))
        self._show_suggestions()

    def _on_activated(self) -> None:
        """Get a prompt whose required arguments are set; else go to its fields."""
        if self.panel.fields.missing():
            self.panel.focus_form()
        else:
            self.panel.row.press()

    def _on_get_requested(self) -> None:
        if self.panel.prompt is not None:
            meta = self.panel.row.options.meta()
            self.result_panel.get(self.panel.prompt, self.panel.arguments(), meta)
            self.content.show_pane("result")

    def _on_reuse_requested(self, get: PromptGet) -> None:
        self.panel.set_arguments(get.arguments)

    def _on_suggest_clicked(self) -> None:
        if self.session is not None:
            self.session.completions.set_insist(True)
