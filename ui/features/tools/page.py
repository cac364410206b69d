"""The tools page: list, call and result side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtWidgets import QStackedWidget

from inspector.finding import Finding, Severity
from inspector.session.paginated_list import ListState
from ui.bind import bind_coalesced
from ui.features.tools.tool_list import ToolList
from ui.list_page import ListPage
from ui.models.list_rows import Pace
from ui.pages import TOOLS, PageSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.features.tools import Tools
    from inspector.open_session import OpenSession
    from inspector.session.paginated_list import PaginatedList
    from inspector.spec.views.list_page import ListedView
    from ui.features.tools.call_panel import CallPanel
    from ui.features.tools.call_result_panel import CallResultPanel
    from ui.features.tools.calling import Calling

UNLISTED = Finding(
    "unlisted", Severity.WARNING, "The server no longer lists this tool. It can be called anyway."
)
"""Shown for a selected tool that is not listed anymore."""


class ToolsPage(ListPage):
    """The list of tools, the call of one, and its results."""

    info: ClassVar[PageSpec] = TOOLS

    _tools: Tools | None = None
    _panels: tuple[CallPanel, CallResultPanel] | None = None
    _calling: Calling | None = None

    def _build(self) -> None:
        self.list = ToolList(theme=self._theme, parent=self)
        self._panel_stacks = (QStackedWidget(self), QStackedWidget(self))
        self._pace = Pace(
            self._refresh,
            lambda: self._tools is not None and self._tools.state is ListState.READING,
            parent=self,
        )
        self.assemble(self.list, *self._panel_stacks)

    def _wire(self) -> None:
        super()._wire()
        self.list.selected.connect(self._on_tool_selected)
        self.content.arranged.connect(self._on_arranged)

    @property
    def call_panel(self) -> CallPanel:
        """The panel that calls."""
        return self._completed()[0]

    @property
    def result_panel(self) -> CallResultPanel:
        """The panel with the results."""
        return self._completed()[1]

    def complete(self) -> None:
        """Make the panels; loading forms and renderers takes longer than reading the list."""
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
        self._calling = Calling(call, result, parent=self)
        call.call_requested.connect(self._on_call_requested)
        call.heading.set_compact(self.content.is_compact)
        for stack, panel in zip(self._panel_stacks, (call, result), strict=True):
            stack.addWidget(panel)
        return call, result

    def _give_session(self, *, again: bool) -> None:
        if self._calling is not None:
            self._calling.set_session(self.session, again=again)

    def set_session(self, session: OpenSession | None) -> None:
        """Show the tools of `session`; for another run of the same server, arguments and results stay."""
        again = self.follow(session)
        self._tools = session.tools if session is not None else None
        if session is not None:
            self._bindings.replace(
                bind_coalesced(self, session.tools.changed, self._pace.follow),
                bind_coalesced(self, session.session.changed, self._refresh),
                bind_coalesced(self, session.session.listening.changed, self._refresh),
            )
        self._give_session(again=again)
        if session is not None:
            self.list.set_server(session.profile.id)
        self.list.show_tools(self._tools, again=again)
        self._refresh()
        self._on_tool_selected()

    @property
    def can_repeat(self) -> bool:
        """Whether a call is visible."""
        return self._panels is not None and self.result_panel.operation is not None

    @property
    def can_compare(self) -> bool:
        """Whether the shown call has one before it."""
        return self._panels is not None and self.result_panel.previous is not None

    def repeat_in_next_run(self) -> None:
        """Make the shown call again once another run of the server is connected."""
        if self._calling is not None:
            self._calling.repeat_in_next_run()

    def call_again_and_compare(self) -> None:
        """Make the shown call again in this run, and compare both when the new one is done."""
        if self._calling is not None:
            self._calling.call_again_and_compare()

    def listings(self, session: OpenSession) -> Sequence[PaginatedList[ListedView]]:
        """Return the tools."""
        return (session.tools,)

    def choose(self, position: int) -> None:
        """Select the tool at a position of the server's list."""
        self.list.show_tools(self._tools)  # it may lag behind the engine
        self.list.select(position)
        self.call_panel.focus_form()

    def _refresh(self) -> None:
        tools = self._tools
        self.list.show_tools(tools)
        if self._panels is not None:
            self.call_panel.refresh()
            self.result_panel.refresh()
            self._show_listed()
        self.show_list()

    def _show_listed(self) -> None:
        self.call_panel.set_listed(self._tools is None or not self._tools.is_empty)

    def _on_arranged(self, is_compact: bool) -> None:
        if self._panels is not None:
            self.call_panel.heading.set_compact(is_compact)

    def _on_call_requested(self) -> None:
        """Show the call that was made just now, on a page with room for one panel."""
        if self.result_panel.is_running:
            self.content.show_pane("result")

    def _on_tool_selected(self) -> None:
        if self._panels is not None:
            self._show_tool()
        elif self.list.item is not None:
            self._completed()

    def _show_tool(self) -> None:
        tool, position = self.list.item, self.list.position
        if self._calling is None:
            return
        selection = self.list.selection
        clashes = self.list.model.clashes(position)
        if tool is None and selection is not None and self._tools is not None:
            # Its draft can still be copied, and it can be called anyway.
            tool = self.call_panel.tool
            clashes = () if self._tools.is_awaited else (UNLISTED,)
        if tool is None:
            self.call_panel.show_tool(None, None, ())
        else:
            self.call_panel.show_tool(tool, selection, clashes)
        self.content.set_badges(self.call_panel.heading.badges if tool is not None else ())
        self._calling.show_tool(tool, is_duplicate=self.list.is_duplicate)
