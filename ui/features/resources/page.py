"""The resources page: list, target and result side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inspector.features.completion import template_ref
from inspector.session.paginated_list import ListState
from ui.aio import spawn
from ui.bind import bind_coalesced
from ui.features.resources.nodes import ResourceKind
from ui.features.resources.read_panel import ReadPanel
from ui.features.resources.read_result_panel import ReadResultPanel
from ui.features.resources.read_target import FREE, ReadTarget
from ui.features.resources.resource_list import ResourceList
from ui.list_page import ListPage
from ui.models.completion_adapter import absence_text, suggesting
from ui.models.list_rows import Pace
from ui.pages import RESOURCES, PageSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.open_session import OpenSession
    from inspector.session.paginated_list import PaginatedList
    from inspector.spec.views.list_page import ListedView


class ResourcesPage(ListPage):
    """The list of resources, what to read, and what was read."""

    info: ClassVar[PageSpec] = RESOURCES

    panes: ClassVar[Sequence[tuple[str, str]]] = (("details", "Details"), ("result", "Contents"))

    def _build(self) -> None:
        theme = self._theme
        self.list = ResourceList(theme=theme, parent=self)
        self.panel = ReadPanel(theme=theme, parent=self)
        self.result_panel = ReadResultPanel(
            theme=theme, timeouts=self.panel.row.options.timeouts, parent=self
        )
        self._pace = Pace(self._refresh, lambda: _is_partial(self.session), parent=self)
        self.assemble(self.list, self.panel, self.result_panel)

    def _wire(self) -> None:
        super()._wire()
        self.list.selected.connect(self._on_entry_selected)
        self.content.arranged.connect(self.panel.heading.set_compact)
        self.panel.heading.set_compact(self.content.is_compact)
        self.list.read_requested.connect(self.panel.row.press)
        self.list.free_requested.connect(self.show_free)
        self.panel.changed.connect(self._show_panel_state)
        self.panel.read_requested.connect(self._on_read_requested)
        self.panel.cancel_requested.connect(self.result_panel.cancel)
        self.panel.subscribe_requested.connect(self._on_subscribe_requested)
        self.panel.form.note.clicked.connect(self._on_suggest_clicked)
        self.panel.subscribe_row.automatic.toggled.connect(self._on_automatic_toggled)
        self.result_panel.changed.connect(self._show_panel_state)

    def set_session(self, session: OpenSession | None) -> None:
        """Show the resources of `session`; for another run of the same server, target and result stay."""
        again = self.follow(session)
        if session is not None:
            self._bindings.replace(
                bind_coalesced(self, session.resources.changed, self._pace.follow),
                bind_coalesced(self, session.resources.templates.changed, self._pace.follow),
                bind_coalesced(self, session.session.changed, self._refresh),
                bind_coalesced(self, session.completions.changed, self._show_suggestions),
                bind_coalesced(self, session.subscriptions.changed, self._show_marks),
                bind_coalesced(self, session.session.listening.changed, self._on_stream_changed),
            )
        self.panel.set_session(session, again=again)
        self.result_panel.set_session(session, again=again)
        if session is not None:
            self.list.set_server(session.profile.id)
        self.list.show_resources(session.resources if session is not None else None, again=again)
        self._refresh()
        self._on_entry_selected()

    def _on_stream_changed(self) -> None:
        self._show_panel_state()
        self._refresh()

    def listings(self, session: OpenSession) -> Sequence[PaginatedList[ListedView]]:
        """Return the resources and the templates."""
        return (session.resources, session.resources.templates)

    def choose(self, position: int, *, template: bool = False) -> None:
        """Select a resource, or a template, at a position of the server's list."""
        self.list.select(ResourceKind.TEMPLATE if template else ResourceKind.RESOURCE, position)
        self.panel.focus_form()

    def show_free(self, uri: str = "") -> None:
        """Let the user type a URI, starting with `uri`."""
        self._requested = True
        self.list.clear_selection()
        self._show_target(ReadTarget())
        if uri:
            self.panel.set_free(uri)
        self._refresh()
        self.panel.focus_form()

    def read_uri(self, uri: str) -> None:
        """Read a URI from elsewhere, such as a link; it need not be listed."""
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
        self.result_panel.refresh()
        self.show_list()

    def _show_target(self, target: ReadTarget | None) -> None:
        self.panel.show_target(target)
        self._show_suggestions()
        self.result_panel.show_target(target)

    def _show_suggestions(self) -> None:
        session, target = self.session, self.panel.target
        template = target.template if target is not None else None
        if session is None or template is None:
            self.panel.form.set_suggest(None)
        elif session.completions.is_enabled:
            suggest = suggesting(session.completions, template_ref(template.address))
            self.panel.form.set_suggest(suggest)
        else:
            self.panel.form.set_suggest(None, absence_text(session.completions))

    def _show_marks(self) -> None:
        self.list.show_marks(self.session.subscriptions if self.session is not None else None)
        self._show_panel_state()

    def _show_panel_state(self) -> None:
        session = self.session
        subscriptions = session.subscriptions if session is not None else None
        self.panel.show_state(
            subscriptions if subscriptions is not None and subscriptions.is_possible else None,
            connected=self.is_connected,
            running=self.result_panel.is_running,
        )

    def _on_entry_selected(self) -> None:
        entry = self.list.item
        if entry is not None:
            clashes = self.list.model.listed.clashes(self.list.kind, self.list.position)
            self._show_target(ReadTarget(entry, clashes))
        elif self.panel.target is None or self.panel.target.source != FREE or not self._requested:
            self._show_target(None)

    def _on_read_requested(self) -> None:
        uri, target = self.panel.uri(), self.panel.target
        if uri is not None and target is not None:
            self.result_panel.read(uri, target.source, self.panel.row.options.meta())
            self.content.show_pane("result")

    def _on_automatic_toggled(self, automatic: bool) -> None:
        self.result_panel.is_automatic = automatic

    def _on_subscribe_requested(self, subscribe: bool) -> None:
        session, uri = self.session, self.panel.uri()
        if session is not None and uri is not None:
            subscriptions = session.subscriptions
            send = subscriptions.subscribe if subscribe else subscriptions.unsubscribe
            spawn(self, send(uri), name="subscribe")

    def _on_suggest_clicked(self) -> None:
        if self.session is not None:
            self.session.completions.set_insist(True)


def _is_partial(session: OpenSession | None) -> bool:
    """Whether a list is being read: the tree is rebuilt with each of its pages."""
    if session is None:
        return False
    lists = (session.resources, session.resources.templates)
    return any(each.state is ListState.READING for each in lists)
