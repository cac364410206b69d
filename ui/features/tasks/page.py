"""The tasks page: tasks of the server, and client-side tasks that the server started."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inspector.workspace import is_closed
from ui.aio import spawn
from ui.bind import bind_coalesced
from ui.features.tasks.detail import TaskDetail
from ui.features.tasks.task_list import TaskList
from ui.list_page import ListPage
from ui.navigator import navigator_of
from ui.pages import TASKS, PageSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.open_session import OpenSession
    from inspector.session.paginated_list import PaginatedList
    from inspector.session.task_record import TaskRecord
    from inspector.spec.views.list_page import ListedView

BY_USER = "Tool calls you run as tasks appear here."
BY_SERVER = "Tool calls the server turns into tasks appear here."
UNDECLARED = "The server runs calls as tasks for clients that declare support. You can turn this off on the Client page."
OVERRIDDEN = "The server runs calls as tasks for clients that declare support; the custom JSON on the Client page does not declare it."
DECLARE = "Declare capability"
DECLARE_AGAIN = "Declare and reconnect"

PACE_MS = 100
"""Shortest time between two updates of the page."""


class TasksPage(ListPage):
    """The list of tasks and the details of one."""

    info: ClassVar[PageSpec] = TASKS

    def _build(self) -> None:
        theme = self._theme
        self.list = TaskList(theme=theme, parent=self)
        self.detail = TaskDetail(theme=theme, parent=self)
        self.assemble(self.list, self.detail)

    def _wire(self) -> None:
        super()._wire()
        self.list.selected.connect(self._show_detail)
        self.content.arranged.connect(self.detail.heading.set_compact)
        self.detail.heading.set_compact(self.content.is_compact)
        self.detail.get_requested.connect(self._on_get_requested)
        self.detail.result_requested.connect(self._on_result_requested)
        self.detail.poll_requested.connect(self._on_poll_requested)
        self.detail.cancel_requested.connect(self._on_cancel_requested)
        self.detail.poll_interval_selected.connect(self._on_poll_interval_selected)

    def set_session(self, session: OpenSession | None) -> None:
        """Show the tasks of `session`."""
        self.follow(session)
        if session is not None:
            events = (session.tasks.changed, session.hosted.changed, session.session.changed)
            self._bindings.replace(
                *(bind_coalesced(self, each, self._refresh, PACE_MS) for each in events)
            )
        self._refresh()

    def listings(self, session: OpenSession) -> Sequence[PaginatedList[ListedView]]:
        """Return the tasks that the server lists."""
        return (session.tasks.listing,)

    def badge(self) -> str:
        """Return how many tasks are not done."""
        count = sum(not (record.is_final or record.is_deleted) for record in self._records())
        return self.count_text(count)

    def missing(self) -> str:
        """Return which side does not support tasks, unless tasks are listed anyway."""
        session = self.session
        if session is None or session.session.greeting is None or self._records():
            return ""
        if not session.tasks.is_known:
            return f"no tasks in revision {session.session.revision}"
        if not session.tasks.offered:
            return "server does not declare tasks"
        return "" if session.tasks.is_declared else "client does not declare tasks"

    def show_task(self, id_: str) -> None:
        """Select the task of that id, if it is known."""
        self._refresh()
        for record in reversed(self._records()):
            if record.id == id_:
                self.list.select(record)
                return

    def _records(self) -> list[TaskRecord]:
        """All tasks of both sides, oldest first."""
        session = self.session
        if session is None:
            return []
        return sorted(
            [*session.tasks.records, *session.hosted.records], key=lambda record: record.known_since
        )

    def _refresh(self) -> None:
        records = self._records()
        self.list.show_tasks(self.session.tasks if self.session is not None else None, records)
        self._show_detail()
        failed = self.session is not None and self.session.tasks.listing.failure is not None
        self._stack.setCurrentWidget(self.content if records or failed else self._empty)
        self.content.refresh()
        self.show_empty()
        self.changed.emit()

    def _show_detail(self) -> None:
        self.detail.show_record(self.list.record, self.session, connected=self.is_connected)

    def show_empty(self) -> None:
        """Say why there are no tasks, and offer the next step."""
        session = self.session
        if session is None or session.session.greeting is None:
            self._empty.set_text("No tasks", "Connect to a server that supports tasks.")
            return
        if not session.tasks.is_known:
            text = f"Revision {session.session.revision} does not define tasks."
            self._empty.set_text("Not part of this revision", text)
        elif not session.tasks.offered:
            text = "The server does not declare tasks. You can send tasks/list anyway."
            can_ask = self.is_connected and session.tasks.has_list
            action = "Send anyway" if can_ask else ""
            self._empty.set_text("Not supported by this server", text, action=action)
        elif not session.tasks.is_declared:
            self._show_undeclared(session)
        else:
            text = BY_USER if session.tasks.asked_for else BY_SERVER
            action = "List server tasks" if self.is_connected and session.tasks.can_list else ""
            self._empty.set_text("No tasks", text, action=action)

    def _show_undeclared(self, session: OpenSession) -> None:
        if session.client.capabilities.is_overridden:
            self._empty.set_text("Not declared by the client", OVERRIDDEN)
            return
        revision = session.session.revision
        at_once = revision is not None and revision.has_request_meta
        action = DECLARE if at_once and not is_closed(session.session) else DECLARE_AGAIN
        self._empty.set_text("Not declared by the client", UNDECLARED, action=action)

    def _on_empty_action_triggered(self) -> None:
        """Take the next step: list the tasks, or declare the capability."""
        session = self.session
        if session is None or session.tasks.is_declared or not session.tasks.offered:
            self._on_list_refresh_requested()
            return
        session.client.capabilities.switch("tasks_extension", on=True)
        if is_closed(session.session) or not session.session.redeclare():
            navigator_of(self).reconnect()

    def _on_list_refresh_requested(self) -> None:
        if self.session is not None:
            spawn(self, self.session.tasks.refresh(), name="list tasks")

    def _on_list_more_requested(self) -> None:
        if self.session is not None:
            spawn(self, self.session.tasks.load_more(), name="list more tasks")

    def _on_get_requested(self) -> None:
        if self.session is not None and self.list.record is not None:
            spawn(self, self.session.tasks.ask(self.list.record), name="get task")

    def _on_result_requested(self) -> None:
        if self.session is not None and self.list.record is not None:
            spawn(self, self.session.tasks.fetch(self.list.record), name="get task result")

    def _on_poll_requested(self, on: bool) -> None:
        if self.session is not None and self.list.record is not None:
            self.session.tasks.follow(self.list.record, on=on)

    def _on_cancel_requested(self) -> None:
        if self.session is not None and self.list.record is not None:
            spawn(self, self.session.tasks.cancel(self.list.record), name="cancel task")

    def _on_poll_interval_selected(self, seconds: float) -> None:
        if self.session is not None and self.list.record is not None:
            self.session.tasks.poll_each(self.list.record, seconds or None)
