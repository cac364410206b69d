"""The prompts page: list, arguments and conversation side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from inspector.features.completion import prompt_ref
from inspector.workspace import is_over
from ui.aio import spawn
from ui.bind import bind_coalesced
from ui.features.prompts.prompt_list import PromptList
from ui.features.prompts.prompt_panel import PromptPanel
from ui.features.prompts.prompt_result_panel import PromptResultPanel
from ui.models.completion_adapter import absent_words, suggesting
from ui.page import Page
from ui.widgets.empty_state import EmptyState

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.workspace import OpenSession
    from ui.theme import Theme

SPLIT = (250, 350, 430)
"""Widths of the three parts at 100%."""


class PromptsPage(Page):
    """Choose, fill in, get, read.

    Signals:
        reconnect_wanted: the person wants a new connection, because the server ended.
        link_wanted: the person clicked a link to this URL; ask before opening it.
        resource_wanted: the person wants the resource of this URI read.
    """

    reconnect_wanted = Signal()
    link_wanted = Signal(str)
    resource_wanted = Signal(str)

    title: ClassVar[str] = "Prompts"
    icon_name: ClassVar[str] = "mdi6.message-text-outline"
    key: ClassVar[str] = "prompts"
    main_button: ClassVar[str] = "get_button"

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a session."""
        super().__init__(parent)
        self._theme = theme
        self._asked = False
        self._unbind: list[Callable[[], None]] = []
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self.list = PromptList(theme=theme, parent=self)
        self.panel = PromptPanel(theme=theme, parent=self)
        self.getting = PromptResultPanel(
            theme=theme, limits=self.panel.row.options.timeouts, parent=self
        )
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.splitter.setObjectName("prompts_splitter")
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        for at, part in enumerate((self.list, self.panel, self.getting)):
            self.splitter.addWidget(part)
            self.splitter.setStretchFactor(at, SPLIT[at])
        self.splitter.setSizes([theme.px(width) for width in SPLIT])
        self._empty = EmptyState(
            "No prompts", theme=theme, icon=self.icon_name, name="prompts_empty"
        )
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.splitter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    def _wire(self) -> None:
        self.list.selected.connect(self._on_prompt_chosen)
        self.list.get_requested.connect(self._on_activated)
        self.list.refresh_requested.connect(self._on_refresh_wanted)
        self.list.more_requested.connect(self._on_more_wanted)
        self.panel.get_wanted.connect(self._on_get_wanted)
        self.panel.cancel_wanted.connect(self.getting.cancel)
        self.panel.note.ask_wanted.connect(self._on_ask_wanted)
        self.getting.changed.connect(self._show_state)
        self.getting.reuse_wanted.connect(self.panel.set_arguments)
        self.getting.link_wanted.connect(self.link_wanted)
        self.getting.answers.meanwhile.review_wanted.connect(self.review_wanted)
        self.getting.answers.restart_wanted.connect(self.reconnect_wanted)
        self.getting.resource_wanted.connect(self.resource_wanted)
        self._empty.action_triggered.connect(self._on_refresh_wanted)
        self.list.frame_wanted.connect(self.frame_wanted)
        self.list.stream_requested.connect(self.open_stream_again)
        self.getting.frame_wanted.connect(self.want_frame)

    def set_session(self, session: OpenSession | None) -> None:
        """Show the prompts of `session`; of another run of the same server, in what is filled in and shown already."""
        again = self.continues(session)
        for unbind in self._unbind:
            unbind()
        self._unbind = []
        self._asked = self._asked and again
        if session is not None:
            self._unbind = [
                bind_coalesced(self, session.prompts.changed, self._refresh),
                bind_coalesced(self, session.session.changed, self._refresh),
                bind_coalesced(self, session.session.listening.changed, self._refresh),
                bind_coalesced(self, session.completions.changed, self._show_suggestions),
            ]
        super().set_session(session)
        self.panel.set_session(session, again=again)
        self.getting.set_session(session, again=again)
        if session is not None:
            self.list.set_server(session.profile.id)
        self.list.show_listing(session.prompts if session is not None else None, again=again)
        self._refresh()
        self._on_prompt_chosen()

    def badge(self) -> str:
        """How many prompts there are."""
        return self.session.prompts.count_text if self.session is not None else ""

    def missing(self) -> str:
        """The capability that is not declared, unless the list was asked for anyway."""
        session = self.session
        if session is None or session.session.greeting is None or session.prompts.offered:
            return ""
        return "" if session.prompts.items else "server does not declare prompts"

    def focus_filter(self) -> bool:
        """Go to the filter of the list."""
        self.list.head.filter.focus()
        return True

    def choose(self, position: int) -> None:
        """Choose the prompt at a position of the server's list."""
        self.list.select(position)
        self.panel.focus_form()

    def _refresh(self) -> None:
        session = self.session
        prompts = session.prompts if session is not None else None
        self.list.show_listing(prompts)
        self.panel.set_listed(prompts is None or not prompts.is_empty)
        self.getting.refresh()
        self._show_suggestions()
        shown = prompts is not None and bool(
            prompts.items or prompts.failure or prompts.offered or self._asked
        )
        self._stack.setCurrentWidget(self.splitter if shown else self._empty)
        self._show_empty()
        self.changed.emit()

    def _show_empty(self) -> None:
        session = self.session
        if session is None or session.session.greeting is None:
            self._empty.set_words("No prompts", "Connect to a server to see its prompts.")
        elif not session.prompts.offered:
            words = "The server does not declare prompts. You can send prompts/list anyway."
            action = "" if is_over(session.session) else "Send anyway"
            self._empty.set_words("Not supported by this server", words, action=action)

    def _show_state(self) -> None:
        connected = self.session is not None and not is_over(self.session.session)
        self.panel.show_state(connected=connected, running=self.getting.is_running)

    def _show_suggestions(self) -> None:
        session, prompt = self.session, self.panel.prompt
        if session is None or prompt is None or not prompt.has_name:
            self.panel.set_suggest(None)
        elif session.completions.wanted:
            self.panel.set_suggest(suggesting(session.completions, prompt_ref(prompt.name)))
        else:
            self.panel.set_suggest(None, absent_words(session.completions))

    def _on_prompt_chosen(self) -> None:
        prompt, position = self.list.item, self.list.position
        clashes = self.list.model.clashes(position)
        self.panel.show_prompt(prompt, self.list.selection, clashes)
        self.getting.show_prompt(prompt, distinct=bool(clashes))
        self._show_suggestions()

    def _on_activated(self) -> None:
        """Enter gets at once what is complete, and goes to the fields of what is not."""
        if self.panel.fields.missing():
            self.panel.focus_form()
        else:
            self.panel.row.press()

    def _on_get_wanted(self) -> None:
        if self.panel.prompt is not None:
            meta = self.panel.row.options.meta()
            self.getting.get(self.panel.prompt, self.panel.arguments(), meta)

    def _on_ask_wanted(self) -> None:
        if self.session is not None:
            self.session.completions.set_insist(True)

    def _on_refresh_wanted(self) -> None:
        if self.session is not None:
            self._asked = True
            spawn(self, self.session.prompts.refresh(), name="list prompts")

    def _on_more_wanted(self) -> None:
        if self.session is not None:
            spawn(self, self.session.prompts.load_more(), name="list more prompts")
