"""The resources page: list, what is wanted and what was read side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from inspector.features.completion import template_ref
from inspector.session.listing import ListState
from inspector.workspace import is_over
from ui.aio import spawn
from ui.bind import bind_coalesced
from ui.features.resources.nodes import ResourceKind
from ui.features.resources.read_panel import ReadPanel
from ui.features.resources.read_result_panel import ReadResultPanel
from ui.features.resources.read_target import FREE, ReadTarget
from ui.features.resources.resource_list import ResourceList
from ui.models.completion_adapter import absent_words, suggesting
from ui.models.pace import Pace
from ui.page import Page
from ui.widgets.empty_state import EmptyState

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.workspace import OpenSession
    from ui.theme import Theme

SPLIT = (270, 330, 430)
"""Widths of the three parts at 100%."""


class ResourcesPage(Page):
    """Choose, fill in, read, watch.

    Signals:
        reconnect_wanted: the person wants a new connection, because the server ended.
        link_wanted: the person clicked a link to this URL; ask before opening it.
    """

    reconnect_wanted = Signal()
    link_wanted = Signal(str)

    title: ClassVar[str] = "Resources"
    icon_name: ClassVar[str] = "mdi6.file-tree-outline"
    key: ClassVar[str] = "resources"
    main_button: ClassVar[str] = "read_button"

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
        self.list = ResourceList(theme=theme, parent=self)
        self.panel = ReadPanel(theme=theme, parent=self)
        self.reading = ReadResultPanel(
            theme=theme, limits=self.panel.row.options.timeouts, parent=self
        )
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.splitter.setObjectName("resources_splitter")
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        for at, part in enumerate((self.list, self.panel, self.reading)):
            self.splitter.addWidget(part)
            self.splitter.setStretchFactor(at, SPLIT[at])
        self.splitter.setSizes([theme.px(width) for width in SPLIT])
        self._empty = EmptyState(
            "No resources", theme=theme, icon=self.icon_name, name="resources_empty"
        )
        self._pace = Pace(self._refresh, lambda: _is_partial(self.session), parent=self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.splitter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    def _wire(self) -> None:
        self.list.selected.connect(self._on_entry_chosen)
        self.list.read_requested.connect(self.panel.row.press)
        self.list.free_requested.connect(self.show_free)
        self.list.refresh_requested.connect(self._on_refresh_wanted)
        self.list.more_requested.connect(self._on_more_wanted)
        self.panel.changed.connect(self._show_panel_state)
        self.panel.read_wanted.connect(self._on_read_wanted)
        self.panel.cancel_wanted.connect(self.reading.cancel)
        self.panel.subscribe_wanted.connect(self._on_subscribe_wanted)
        self.panel.form.note.ask_wanted.connect(self._on_ask_wanted)
        self.panel.subscribe_row.automatic.toggled.connect(self._on_automatic_toggled)
        self.reading.changed.connect(self._show_panel_state)
        self.reading.link_wanted.connect(self.link_wanted)
        self.reading.answers.meanwhile.review_wanted.connect(self.review_wanted)
        self.reading.answers.restart_wanted.connect(self.reconnect_wanted)
        self.reading.resource_wanted.connect(self.read_uri)
        self._empty.action_triggered.connect(self._on_refresh_wanted)
        for part in (self.list, self.panel, self.reading.updates):
            part.frame_wanted.connect(self.frame_wanted)
        self.reading.frame_wanted.connect(self.want_frame)
        self.list.stream_requested.connect(self.open_stream_again)

    def set_session(self, session: OpenSession | None) -> None:
        """Show the resources of `session`; of another run of the same server, in what is filled in and shown already."""
        again = self.continues(session)
        for unbind in self._unbind:
            unbind()
        self._unbind = []
        self._asked = self._asked and again
        if session is not None:
            self._unbind = [
                bind_coalesced(self, session.resources.changed, self._pace.follow),
                bind_coalesced(self, session.resources.templates.changed, self._pace.follow),
                bind_coalesced(self, session.session.changed, self._refresh),
                bind_coalesced(self, session.completions.changed, self._show_suggestions),
                bind_coalesced(self, session.subscriptions.changed, self._show_marks),
                bind_coalesced(self, session.session.listening.changed, self._on_stream_changed),
            ]
        super().set_session(session)
        self.panel.set_session(session, again=again)
        self.reading.set_session(session, again=again)
        if session is not None:
            self.list.set_server(session.profile.id)
        self.list.show_resources(session.resources if session is not None else None, again=again)
        self._refresh()
        self._on_entry_chosen()

    def _on_stream_changed(self) -> None:
        self._show_panel_state()
        self._refresh()

    def badge(self) -> str:
        """How many resources there are."""
        session = self.session
        return session.resources.count_text if session is not None else ""

    def missing(self) -> str:
        """The capability that is not declared, unless something is there all the same."""
        session = self.session
        if session is None or session.session.greeting is None or session.resources.offered:
            return ""
        return "" if session.resources.items else "server does not declare resources"

    def focus_filter(self) -> bool:
        """Go to the filter of the list."""
        self.list.head.filter.focus()
        return True

    def choose(self, position: int, *, template: bool = False) -> None:
        """Choose a resource, or a template, at a position of the server's list."""
        self.list.select(ResourceKind.TEMPLATE if template else ResourceKind.RESOURCE, position)
        self.panel.focus_form()

    def show_free(self, uri: str = "") -> None:
        """Let the person type an address, beginning with `uri`."""
        self._asked = True
        self.list.clear_selection()
        self._show_target(ReadTarget())
        if uri:
            self.panel.set_free(uri)
        self._refresh()
        self.panel.focus_form()

    def read_uri(self, uri: str) -> None:
        """Read an address from elsewhere, a link for instance; listed or not."""
        session = self.session
        if session is None:
            return
        listed = [at for at, item in enumerate(session.resources.items) if item.uri == uri]
        if listed:
            self.choose(listed[0])
        else:
            self.show_free(uri)
        self.panel.row.press()

    def _refresh(self) -> None:
        session = self.session
        resources = session.resources if session is not None else None
        self.list.show_resources(resources)
        self.panel.set_listed(
            resources is None or not (resources.is_empty and not resources.templates.items)
        )
        self._show_marks()
        self._show_suggestions()
        self.reading.refresh()
        shown = resources is not None and bool(
            resources.items
            or resources.templates.items
            or resources.failure
            or resources.offered
            or self._asked
        )
        self._stack.setCurrentWidget(self.splitter if shown else self._empty)
        self._show_empty()
        self.changed.emit()

    def _show_empty(self) -> None:
        session = self.session
        if session is None or session.session.greeting is None:
            words = "Connect to a server to see its resources."
            self._empty.set_words("No resources", words)
        elif not session.resources.offered:
            words = "The server does not declare resources. You can send resources/list anyway."
            action = "" if is_over(session.session) else "Send anyway"
            self._empty.set_words("Not supported by this server", words, action=action)

    def _is_connected(self) -> bool:
        return self.session is not None and not is_over(self.session.session)

    def _show_target(self, target: ReadTarget | None) -> None:
        self.panel.show_target(target)
        self._show_suggestions()
        self.reading.show_target(target)

    def _show_suggestions(self) -> None:
        session, target = self.session, self.panel.target
        template = target.template if target is not None else None
        if session is None or template is None:
            self.panel.form.set_suggest(None)
        elif session.completions.wanted:
            suggest = suggesting(session.completions, template_ref(template.address))
            self.panel.form.set_suggest(suggest)
        else:
            self.panel.form.set_suggest(None, absent_words(session.completions))

    def _show_marks(self) -> None:
        self.list.show_marks(self.session.subscriptions if self.session is not None else None)
        self._show_panel_state()

    def _show_panel_state(self) -> None:
        session = self.session
        subscriptions = session.subscriptions if session is not None else None
        self.panel.show_state(
            subscriptions if subscriptions is not None and subscriptions.is_possible else None,
            connected=self._is_connected(),
            running=self.reading.is_running,
        )

    def _on_entry_chosen(self) -> None:
        entry = self.list.item
        if entry is not None:
            clashes = self.list.model.listed.clashes(self.list.kind, self.list.position)
            self._show_target(ReadTarget(entry, clashes))
        elif self.panel.target is None or self.panel.target.source != FREE or not self._asked:
            self._show_target(None)

    def _on_read_wanted(self) -> None:
        uri, target = self.panel.uri(), self.panel.target
        if uri is not None and target is not None:
            self.reading.read(uri, target.source, self.panel.row.options.meta())

    def _on_automatic_toggled(self, automatic: bool) -> None:
        self.reading.automatic = automatic

    def _on_subscribe_wanted(self, wanted: bool) -> None:
        session, uri = self.session, self.panel.uri()
        if session is not None and uri is not None:
            ask = session.subscriptions.subscribe if wanted else session.subscriptions.unsubscribe
            spawn(self, ask(uri), name="subscribe")

    def _on_ask_wanted(self) -> None:
        if self.session is not None:
            self.session.completions.set_insist(True)

    def _on_refresh_wanted(self) -> None:
        if self.session is not None:
            self._asked = True
            for listing in (self.session.resources, self.session.resources.templates):
                spawn(self, listing.refresh(), name="list resources")

    def _on_more_wanted(self) -> None:
        if self.session is not None:
            for listing in (self.session.resources, self.session.resources.templates):
                spawn(self, listing.load_more(), name="list more resources")


def _is_partial(session: OpenSession | None) -> bool:
    """Whether more is being read, of which the tree will be made again as a whole."""
    if session is None:
        return False
    lists = (session.resources, session.resources.templates)
    return any(each.state is ListState.READING for each in lists)
