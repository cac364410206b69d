"""The page of one list of a server: the list on the left, beside it what is done with the selected entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtWidgets import QStackedWidget, QWidget

from inspector.workspace import is_closed
from ui.aio import spawn
from ui.bind import Bindings
from ui.list_content import ListContent
from ui.page import Page
from ui.widgets.buttons import READ_ONLY
from ui.widgets.empty_state import EmptyState
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.open_session import OpenSession
    from inspector.session.paginated_list import PaginatedList
    from inspector.spec.views.list_page import ListedView
    from ui.filtered_list import FilteredList
    from ui.theme import Theme


class ListPage(Page):
    """Base of the pages of tools, prompts, resources and tasks."""

    panes: ClassVar[Sequence[tuple[str, str]]] = (("arguments", "Arguments"), ("result", "Result"))
    """Keys and labels of the panels beside the list, for a page that has room for one of them."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a session."""
        super().__init__(parent)
        self._theme = theme
        self._requested = False
        self._bindings = Bindings()
        self._build()
        self._wire()
        self._refresh()

    # What a page of its own kind defines.

    def _build(self) -> None:
        """Make the parts, and lay them out with `assemble`."""
        raise NotImplementedError

    def _refresh(self) -> None:
        """Show the current state of the session."""
        raise NotImplementedError

    def listings(self, session: OpenSession) -> Sequence[PaginatedList[ListedView]]:
        """Return the lists of the page; the first says whether the server declares them."""
        raise NotImplementedError

    # What they have in common.

    def assemble(self, filtered: FilteredList, *panels: QWidget) -> None:
        """Lay the list and its panels out."""
        theme, key = self._theme, self.info.key
        self._list = filtered
        # Inside of the stack from the start: Qt polishes all that is in a part again that gets another parent.
        self._stack = stack = QStackedWidget(self)
        self.content = ListContent(
            filtered, panels, self.panes, theme=theme, name=key, parent=stack
        )
        self._empty = EmptyState("", theme=theme, icon=self.info.icon_name, name=f"{key}_empty")
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.content)
        column_layout(self, self._stack, space=0)

    def _wire(self) -> None:
        self._list.refresh_requested.connect(self._on_list_refresh_requested)
        self._list.more_requested.connect(self._on_list_more_requested)
        self._list.stream_requested.connect(self.open_stream_again)
        self._empty.action_triggered.connect(self._on_empty_action_triggered)

    @property
    def is_connected(self) -> bool:
        """Whether requests can be sent."""
        return self.session is not None and not is_closed(self.session.session)

    def badge(self) -> str:
        """How many entries there are."""
        return self.listings(self.session)[0].count_text if self.session is not None else ""

    def missing(self) -> str:
        """The capability that is not declared, unless something is listed anyway."""
        session = self.session
        if session is None or session.session.greeting is None:
            return ""
        listing = self.listings(session)[0]
        is_usable = listing.offered or bool(listing.items)
        return "" if is_usable else f"server does not declare {self.info.key}"

    def focus_filter(self) -> bool:
        """Go to the filter of the list, which is opened if it is not visible."""
        self.content.focus_filter()
        return True

    def follow(self, session: OpenSession | None) -> bool:
        """Take `session` over; return whether it is another run of the same server, for which everything stays."""
        again = self.continues(session)
        self._requested = self._requested and again
        self._bindings.replace()
        super().set_session(session)
        is_recorded = session is not None and session.session.is_recorded
        self._list.header.offer_refresh(READ_ONLY if is_recorded else "")
        return again

    def show_list(self) -> None:
        """Show the list if the server declares it or the user requested it, otherwise why it is empty."""
        listings = self.listings(self.session) if self.session is not None else ()
        has_list = self._requested or any(
            each.items or each.failure or each.offered for each in listings
        )
        self._stack.setCurrentWidget(self.content if listings and has_list else self._empty)
        self.content.refresh()
        self.show_empty()
        self.changed.emit()

    def show_empty(self) -> None:
        """Say why there is no list, and offer to request it anyway."""
        session = self.session
        if session is None or session.session.greeting is None:
            self._empty.set_text(
                f"No {self.info.key}", f"Connect to a server to see its {self.info.key}."
            )
        elif not self.listings(session)[0].offered:
            text = f"The server does not declare {self.info.key}. You can send {self.info.key}/list anyway."
            action = "Send anyway" if self.is_connected else ""
            self._empty.set_text("Not supported by this server", text, action=action)

    def _on_empty_action_triggered(self) -> None:
        self._on_list_refresh_requested()

    def _on_list_refresh_requested(self) -> None:
        self._requested = True
        if self.session is not None:
            for listing in self.listings(self.session):
                spawn(self, listing.refresh(), name=f"list {self.info.key}")

    def _on_list_more_requested(self) -> None:
        if self.session is not None:
            for listing in self.listings(self.session):
                spawn(self, listing.load_more(), name=f"list more {self.info.key}")
