"""The centre: one tab a page, and the steps of connecting while they matter."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from inspector.session.session_state import SessionState
from ui.bind import bind_coalesced
from ui.connect.notice_bar import NoticeBar
from ui.connect.steps_view import ConnectionSteps
from ui.navigator import frame_opener
from ui.shell.center_pages import RecordingBar, RecordingPage, Welcome
from ui.shell.page_tabs import PageTabs, TabSpec, TabState, short_badge
from ui.tab_order import focus_first
from ui.widgets.buttons import take_submit_key
from ui.widgets.count_tab_bar import LIST_COUNT, MESSAGE_COUNT
from ui.widgets.empty_state import EmptyState
from ui.widgets.page_container import PageContainer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtGui import QKeyEvent

    from ui.page import Page
    from ui.pages import PageSpec
    from ui.shell.session_controller import SessionController
    from ui.theme import Theme

MIN_SIZE = (320, 200)
"""Width and height in pixels below which it does not go, at any size of text; what needs more is cut, or the window would not fit on small screens."""


READING_MS = 400
"""Before the pages behind the one in front are emptied for a recording that is opened: its frames come first."""
PROGRESS_MS = 100
"""How often the number of frames follows a recording that is read."""


class Workbench(QWidget):
    """Pages of the shown session.

    Signals:
        add_requested: open the editor of a new server.
        demo_requested: connect to the demo server.
        connect_requested: connect to the server that is shown.
        page_made: this page was made, and is in its tab.
        page_requested: a page is to be brought to the front.
    """

    add_requested = Signal()
    demo_requested = Signal()
    connect_requested = Signal()
    page_made = Signal(object)
    page_requested = Signal()

    def __init__(
        self,
        specs: Sequence[PageSpec],
        *,
        controller: SessionController,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """Have a tab for each of `specs`, in this order, for what `controller` shows."""
        super().__init__(parent)
        self.setObjectName("workbench")
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)  # a subclass has no ground else
        self.specs = tuple(specs)
        self._pages: dict[str, Page] = {}
        self._pending: list[Page] = []
        """Pages behind the one in front that were not given yet what is shown."""
        self._controller = controller
        self._theme = theme
        self._unbind: Callable[[], None] | None = None
        self._is_focus_due = False
        """Whether the tabs have the focus in the place of a page that has nothing to focus yet."""
        self._pending_texts: Mapping[str, str] = {}
        """Key of a page → what needs the user there, as a text."""
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self.tabs = PageTabs(theme=theme, name="workbench_tabs", parent=self)
        self._containers = [PageContainer() for _ in self.specs]
        for spec, container in zip(self.specs, self._containers, strict=True):
            widest = _widest_count(spec)
            tab = TabSpec(spec.title, spec.group, widest, spec.is_closable, spec.has_tone)
            self.tabs.add(container, tab)
        self.steps = ConnectionSteps(theme=theme)
        self._welcome = Welcome(theme=theme)
        self._off = EmptyState(
            "Not connected",
            "Connect to see the server's tools, resources and prompts.",
            theme=theme,
            icon="mdi6.power-plug-outline",
            action="Connect",
            name="workbench_off",
        )
        self.recording = RecordingPage(theme=theme)
        self.recording_bar = RecordingBar(theme=theme, parent=self)
        self._stack = QStackedWidget(self)
        self._stack.setMinimumSize(*MIN_SIZE)
        self._stack.setProperty("surface", "panel")
        for part in (self._welcome, self._off, self.steps, self.tabs, self.recording):
            self._stack.addWidget(part)
        self.notice = NoticeBar(theme=theme, name="workbench_notice", parent=self)
        self._giving = QTimer(self, interval=0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.notice)
        layout.addWidget(self.recording_bar)
        layout.addWidget(self._stack, 1)

    def _wire(self) -> None:
        self._giving.timeout.connect(self._give_next)
        self._welcome.add_requested.connect(self.add_requested)
        self._welcome.demo_requested.connect(self.demo_requested)
        self._off.action_triggered.connect(self.connect_requested)
        self.steps.frame_requested.connect(frame_opener(self))
        self.tabs.currentChanged.connect(self._on_current_changed)
        self.tabs.bar.close_requested.connect(self._on_close_requested)
        self.recording_bar.open_requested.connect(self.recording.open_requested)
        self.recording_bar.back_requested.connect(self.recording.back_requested)
        self._controller.recorded_changed.connect(self.show_session)

    def show_session(self) -> None:
        """Show what the controller shows now: the page in front at once, the others one in each turn of the loop."""
        if self._unbind is not None:
            self._unbind()
            self._unbind = None
        session, record = self._controller.session, self._controller.record
        if session is not None:
            self._unbind = bind_coalesced(self, session.session.changed, self._refresh)
        elif record is not None:
            appended = record.transcript.appended
            self._unbind = bind_coalesced(self, appended, self._show_recording, PROGRESS_MS)
        if session is not None:
            self.steps.set_session(session.session, session.authorizer)
        else:
            self.steps.set_session(None)
        self._pending = list(self._pages.values())
        front = self._pages.get(self.specs[self.tabs.currentIndex()].key)
        if front is not None:
            self._give(front)
        self._refresh()
        is_reading = record is not None and record.is_loading
        self._giving.start(READING_MS if is_reading else 0)

    def show_page(self, key: str) -> None:
        """Bring a page to the front, and open it if it is one that closes."""
        self.page_requested.emit()
        for at, spec in enumerate(self.specs):
            if spec.key == key:
                self.tabs.set_open(at, is_open=True)
                self.tabs.setCurrentIndex(at)
                self._refresh()  # it may be the current one behind a recording

    @property
    def can_close_page(self) -> bool:
        """Whether the page in front closes."""
        return self.specs[self.tabs.currentIndex()].is_closable

    def close_page(self) -> None:
        """Close the page in front, if it is one that closes."""
        if self.can_close_page:
            self._on_close_requested(self.tabs.currentIndex())

    def _on_close_requested(self, at: int) -> None:
        self.tabs.set_open(at, is_open=False)
        page = self._pages.get(self.specs[at].key)
        if page is not None:
            page.clear()
        self.focus_front()

    def focus_front(self) -> None:
        """Go to where one begins in what is in front."""
        front = self._front()
        begun = self.current.focus_first() if front is self.tabs else focus_first(front)
        if not begun and front is self.tabs:
            self.tabs.tabBar().setFocus(Qt.FocusReason.OtherFocusReason)

    def submit(self) -> None:
        """Send what is filled in on the page in front."""
        if self.can_submit():
            self.current.submit()

    def can_submit(self) -> bool:
        """Return whether a page is in front that has something to send."""
        page = self._pages.get(self.specs[self.tabs.currentIndex()].key)
        return page is not None and page.isVisible() and page.can_submit()

    def page(self, key: str) -> Page:
        """The page of that key, made now if it was not needed before."""
        if key not in self._pages:
            at = next(at for at, spec in enumerate(self.specs) if spec.key == key)
            self._pages[key] = self._make(at)
            self.page_made.emit(self._pages[key])
            self._refresh_tabs()  # it had no page to ask when this one began to count
        page = self._pages[key]
        if page in self._pending:
            self._give(page)
        return page

    @property
    def current(self) -> Page:
        """The page in front."""
        return self.page(self.specs[self.tabs.currentIndex()].key)

    def _make(self, at: int) -> Page:
        page = _make_page(self.specs[at], theme=self._theme, parent=self._containers[at])
        page.changed.connect(partial(self._on_page_changed, at))
        self._containers[at].set_page(page)
        self._give(page)
        return page

    def _give(self, page: Page) -> None:
        """The session, or what there is without one."""
        if page in self._pending:
            self._pending.remove(page)
        session = self._controller.visible_session
        page.set_session(session)
        if session is None and page.info.works_offline:
            page.set_client(self._controller.client_side)

    def _give_next(self) -> None:
        self._giving.setInterval(0)
        if self._pending:
            self._give(self._pending[0])
            self._refresh_tabs()
        else:
            self._giving.stop()

    def _show_recording(self) -> None:
        controller = self._controller
        server = controller.profile.name if controller.profile is not None else None
        if controller.record is not None:
            self.recording.show_recording(controller.record, server)
            self.recording_bar.show_recording(controller.record, server)
        elif controller.record_error is not None:
            self.recording.show_failure(controller.record_error, server)

    def _refresh(self) -> None:
        self._show_recording()
        front, before = self._front(), self._stack.currentWidget()
        is_read = self._controller.recorded is not None
        self.recording_bar.setVisible(is_read and front is self.tabs)
        if front is self.tabs:
            _ = self.current  # it is made before it is seen
        takes_focus = front is self.tabs and front is not before and self._had_focus(before)
        self._stack.setCurrentWidget(front)
        self._refresh_tabs()
        if takes_focus:
            self.focus_front()
            self._is_focus_due = self.tabs.bar is self._focused()

    def _had_focus(self, part: QWidget | None) -> bool:
        """Whether the focus is in a part that goes, or nowhere."""
        focused = self._focused()
        if focused is None or focused in {self, self._stack, part}:
            return True
        return part is not None and part.isAncestorOf(focused)

    def _focused(self) -> QWidget | None:
        return cast("QWidget | None", self.window().focusWidget())

    def _on_page_changed(self, at: int) -> None:
        """Show its count; a page that had nothing to focus when it appeared may have something now."""
        self.tabs.set_state(at, self._tab_state(self.specs[at]))
        if self._is_focus_due:
            is_untouched = self.tabs.bar is self._focused()
            self._is_focus_due = is_untouched and not self.current.focus_first()

    def _on_current_changed(self) -> None:
        self._refresh()  # without a session only some pages are of use

    def _front(self) -> QWidget:
        controller = self._controller
        spec = self.specs[self.tabs.currentIndex()]
        if controller.record is not None:
            has_pages = controller.recorded is not None or spec.works_with_recording
            return self.tabs if has_pages else self.recording
        if controller.session is None and controller.record_error is not None:
            return self.recording
        if controller.session is None:
            if controller.profile is None:
                return self._welcome
            offline = spec.works_offline
            return self.tabs if offline else self._off
        session = controller.session.session
        greeted = session.greeting is not None and session.state is not SessionState.FAILED
        has_pages = greeted or spec.works_unconnected
        return self.tabs if has_pages else self.steps

    def set_pending(self, texts: Mapping[str, str]) -> None:
        """Mark the tabs of the pages with these keys; each value is a text about what needs the user there."""
        self._pending_texts = dict(texts)
        self._refresh_tabs()

    def _refresh_tabs(self) -> None:
        """Show counts. Tabs of undeclared features look disabled, but can be opened to send requests anyway."""
        self.tabs.set_states([self._tab_state(spec) for spec in self.specs])

    def _tab_state(self, spec: PageSpec) -> TabState:
        pending = self._pending_texts.get(spec.key, "")
        page = self._pages.get(spec.key)
        if page is None:
            return TabState(pending=pending)
        return TabState(short_badge(page.badge()), page.missing(), pending, page.badge_tone())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter, which no part of the page wanted, is for its main button."""
        if not take_submit_key(event, self.submit):
            super().keyPressEvent(event)


def _widest_count(spec: PageSpec) -> str:
    """The widest count for which the tab of a page has space from the start."""
    if spec.counts_messages:
        return MESSAGE_COUNT
    return LIST_COUNT if spec.has_count else ""


def _make_page(spec: PageSpec, *, theme: Theme, parent: QWidget) -> Page:
    """Import the class of a page and make the page inside of `parent`.

    Inside from the start: Qt takes the fonts from what is put into a window that has a style sheet already.
    """
    module, _, name = spec.page_class.partition(":")
    make = cast("Callable[..., Page]", getattr(import_module(module), name))
    return make(theme=theme, parent=parent)
