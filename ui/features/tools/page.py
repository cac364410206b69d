"""The tools page: list, call and result side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from inspector.features.tools import ListState
from inspector.finding import Finding, Severity
from inspector.workspace import is_over
from ui.aio import spawn
from ui.bind import bind_coalesced
from ui.features.tools.tool_list import ToolList
from ui.models.pace import Pace
from ui.page import Page
from ui.widgets.empty_state import EmptyState

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.features.tools import Tools
    from inspector.workspace import OpenSession
    from ui.features.tools.call_panel import CallPanel
    from ui.features.tools.call_result_panel import CallResultPanel
    from ui.features.tools.calling import Calling
    from ui.theme import Theme

UNLISTED = Finding(
    "unlisted", Severity.WARNING, "The server no longer lists this tool. It can be called anyway."
)
"""Said of a tool that was chosen and is gone from the list."""

SPLIT = (230, 400, 400)
"""Widths of the three parts at 100%."""


class ToolsPage(Page):
    """Choose, fill in, call, read.

    Signals:
        link_wanted: the person clicked a link to this URL; ask before opening it.
        resource_wanted: the person wants the resource of this URI read.
        task_wanted: the person wants to see the task of this id.
        reconnect_wanted: the person wants a new connection, so that what is declared holds, or because the server ended.
        raw_wanted: the person wants to send this text as it stands.
    """

    link_wanted = Signal(str)
    resource_wanted = Signal(str)
    task_wanted = Signal(str)
    reconnect_wanted = Signal()
    raw_wanted = Signal(str)

    title: ClassVar[str] = "Tools"
    icon_name: ClassVar[str] = "mdi6.hammer-wrench"
    key: ClassVar[str] = "tools"
    main_button: ClassVar[str] = "call_button"

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a session."""
        super().__init__(parent)
        self._theme = theme
        self._tools: Tools | None = None
        self._unbind: list[Callable[[], None]] = []
        self._panels: tuple[CallPanel, CallResultPanel] | None = None
        self._calling: Calling | None = None
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self.list = ToolList(theme=theme, parent=self)
        self._rooms = (QStackedWidget(self), QStackedWidget(self))
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.splitter.setObjectName("tools_splitter")
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        for at, part in enumerate((self.list, *self._rooms)):
            self.splitter.addWidget(part)
            self.splitter.setStretchFactor(at, SPLIT[at])
        self.splitter.setSizes([theme.px(width) for width in SPLIT])
        self._empty = EmptyState(
            "No tools",
            "Connect to a server to see its tools.",
            theme=theme,
            icon=self.icon_name,
            name="tools_empty",
        )
        self._pace = Pace(
            self._refresh,
            lambda: self._tools is not None and self._tools.state is ListState.READING,
            parent=self,
        )
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.splitter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    def _wire(self) -> None:
        self.list.selected.connect(self._on_tool_selected)
        self.list.refresh_requested.connect(self._on_refresh_wanted)
        self.list.more_requested.connect(self._on_more_wanted)
        self.list.frame_wanted.connect(self.frame_wanted)
        self.list.stream_requested.connect(self.open_stream_again)
        self._empty.action_triggered.connect(self._on_refresh_wanted)

    @property
    def call_panel(self) -> CallPanel:
        """Where a call is filled in."""
        return self._completed()[0]

    @property
    def result_panel(self) -> CallResultPanel:
        """Where its result is read."""
        return self._completed()[1]

    def complete(self) -> None:
        """Make the panels of call and result; forms and renderers take longer to load than the list to be read."""
        self._completed()

    def _completed(self) -> tuple[CallPanel, CallResultPanel]:
        if self._panels is None:
            self._panels = self._make_panels()
            self._give_session(again=False)
            self._show_tool()
            self._show_listed()
        return self._panels

    def _make_panels(self) -> tuple[CallPanel, CallResultPanel]:
        from ui.features.tools.call_panel import CallPanel
        from ui.features.tools.call_result_panel import CallResultPanel
        from ui.features.tools.calling import Calling

        call, result = CallPanel(theme=self._theme), CallResultPanel(theme=self._theme)
        call.raw_wanted.connect(self.raw_wanted)
        self._calling = Calling(call, result, parent=self)
        self._calling.reconnect_wanted.connect(self.reconnect_wanted)
        result.link_wanted.connect(self.link_wanted)
        result.resource_wanted.connect(self.resource_wanted)
        result.task_wanted.connect(self.task_wanted)
        result.meanwhile.review_wanted.connect(self.review_wanted)
        result.frame_wanted.connect(self.want_frame)
        for room, panel in zip(self._rooms, (call, result), strict=True):
            room.addWidget(panel)
        return call, result

    def _give_session(self, *, again: bool) -> None:
        if self._calling is not None:
            self._calling.set_session(self.session, again=again)

    def set_session(self, session: OpenSession | None) -> None:
        """Show the tools of `session`; of another run of the same server, in what is filled in and shown already."""
        again = self.continues(session)
        for unbind in self._unbind:
            unbind()
        self._unbind = []
        self._tools = session.tools if session is not None else None
        if session is not None:
            self._unbind = [
                bind_coalesced(self, session.tools.changed, self._pace.follow),
                bind_coalesced(self, session.session.changed, self._refresh),
                bind_coalesced(self, session.session.listening.changed, self._refresh),
            ]
        super().set_session(session)
        self._give_session(again=again)
        if session is not None:
            self.list.set_server(session.profile.id)
        self.list.show_tools(self._tools, again=again)
        self._refresh()
        self._on_tool_selected()

    @property
    def can_repeat(self) -> bool:
        """Whether a call is shown."""
        return self._panels is not None and self.result_panel.call is not None

    @property
    def can_compare(self) -> bool:
        """Whether the shown call has one before it."""
        return self._panels is not None and self.result_panel.can_compare

    def repeat_in_next_run(self) -> None:
        """Make the shown call again once another run of the server is connected."""
        if self._calling is not None:
            self._calling.repeat_in_next_run()

    def badge(self) -> str:
        """How many tools there are."""
        return self._tools.count_text if self._tools is not None else ""

    def missing(self) -> str:
        """The capability that is not declared, unless the list was asked for anyway."""
        session = self.session
        if session is None or session.session.greeting is None or session.tools.offered:
            return ""
        return "" if session.tools.items else "server does not declare tools"

    def focus_filter(self) -> bool:
        """Go to the filter of the list."""
        self.list.filter.focus()
        return True

    def choose(self, position: int) -> None:
        """Choose the tool at a position of the server's list."""
        self.list.show_tools(self._tools)  # it may be a moment behind
        self.list.select(position)
        self.call_panel.focus_form()

    def _refresh(self) -> None:
        tools = self._tools
        self.list.show_tools(tools)
        if self._panels is not None:
            self.call_panel.refresh()
            self._show_listed()
        shown = tools is not None and bool(tools.items or tools.failure or tools.offered)
        self._stack.setCurrentWidget(self.splitter if shown else self._empty)
        self._show_empty()
        self.changed.emit()

    def _show_listed(self) -> None:
        self.call_panel.set_listed(self._tools is None or not self._tools.is_empty)

    def _show_empty(self) -> None:
        session = self.session
        if session is None or session.session.greeting is None:
            self._empty.set_words("No tools", "Connect to a server to see its tools.")
        elif not session.tools.offered:
            words = "The server does not declare tools. You can send tools/list anyway."
            action = "" if is_over(session.session) else "Send anyway"
            self._empty.set_words("Not supported by this server", words, action=action)

    def _on_tool_selected(self) -> None:
        if self._panels is not None:
            self._show_tool()
        elif self.list.item is not None:
            self._completed()

    def _show_tool(self) -> None:
        tool, position = self.list.item, self.list.position
        if self._calling is None:
            return
        choice = self.list.selection
        clashes = self.list.model.clashes(position)
        if tool is None and choice is not None and self._tools is not None:
            # What was typed for it can still be copied, and it can be called all the same.
            tool = self.call_panel.tool
            clashes = () if self._tools.is_awaited else (UNLISTED,)
        if tool is None:
            self.call_panel.show_tool(None, None, ())
        else:
            self.call_panel.show_tool(tool, choice, clashes)
        self._calling.show_tool(tool, distinct=self.list.is_duplicate)

    def _on_refresh_wanted(self) -> None:
        if self._tools is not None:
            spawn(self, self._tools.refresh(), name="list tools")

    def _on_more_wanted(self) -> None:
        if self._tools is not None:
            spawn(self, self._tools.load_more(), name="list more tools")
