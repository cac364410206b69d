"""Where a click anywhere in a window can lead: a frame in the traffic, a link, a resource, a task, another connection, the raw page.

A window has one `Navigator`. A widget asks the one of its window (`navigator_of`) when it is clicked, as Qt's `window()` does, so that no
widget in between passes the request on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from inspector.compare.compared_frame import ComparedFrame
    from inspector.inbox import InboxItem
    from inspector.transcript.transcript import Transcript


class Navigator(QObject):
    """Requests of the widgets of one window, which the window carries out.

    Signals:
        frame_requested: show the frame of this number and transcript in the traffic; None for the transcript of the latest run. In the
            frame, the value at this JSON pointer is to be selected, if it is not empty.
        link_requested: ask whether to open this URL.
        resource_requested: read the resource of this URI.
        task_requested: show the task of this id.
        reconnect_requested: connect to the server again.
        review_requested: open the dialog of this request of the server.
        edit_requested: put this message into the raw page, to be edited and sent.
        repeat_requested: put this message of the traffic into the repeat page, to be sent again.
        comparison_requested: compare these two frames.
        filter_requested: show the traffic with this filter.
        run_comparison_requested: compare the run of this transcript with the run before.
    """

    frame_requested = Signal(int, object, str)
    link_requested = Signal(str)
    resource_requested = Signal(str)
    task_requested = Signal(str)
    reconnect_requested = Signal()
    review_requested = Signal(object)
    edit_requested = Signal(str)
    repeat_requested = Signal(object)
    comparison_requested = Signal(object, object)
    filter_requested = Signal(str)
    run_comparison_requested = Signal(object)

    def __init__(self, window: QWidget) -> None:
        """Serve `window` and every widget inside, its dialogs included."""
        super().__init__(window)

    def show_frame(self, number: int, transcript: Transcript | None = None) -> None:
        """Show a frame in the traffic; of the latest run unless a `transcript` is given."""
        self.frame_requested.emit(number, transcript, "")

    def show_pointer(self, number: int, pointer: str, transcript: Transcript | None = None) -> None:
        """Show a frame in the traffic with the value at a JSON pointer selected, in its tree and in its raw text."""
        self.frame_requested.emit(number, transcript, pointer)

    def open_link(self, url: str) -> None:
        """Show where a link leads, and open it when the user agrees."""
        self.link_requested.emit(url)

    def read_resource(self, uri: str) -> None:
        """Read a resource on its page."""
        self.resource_requested.emit(uri)

    def show_task(self, task_id: str) -> None:
        """Show a task on its page."""
        self.task_requested.emit(task_id)

    def reconnect(self) -> None:
        """Connect to the shown server again."""
        self.reconnect_requested.emit()

    def review(self, item: InboxItem) -> None:
        """Show a request of the server, to be responded to."""
        self.review_requested.emit(item)

    def edit_and_send(self, message: str) -> None:
        """Put a message into the raw page."""
        self.edit_requested.emit(message)

    def repeat(self, frame: ComparedFrame) -> None:
        """Put a message of the traffic into the repeat page."""
        self.repeat_requested.emit(frame)

    def filter_traffic(self, terms: str) -> None:
        """Show the frames of the traffic that match a filter."""
        self.filter_requested.emit(terms)

    def compare_frames(self, before: ComparedFrame, after: ComparedFrame) -> None:
        """Compare two frames with the exchanges they belong to."""
        self.comparison_requested.emit(before, after)

    def compare_run(self, transcript: Transcript) -> None:
        """Compare what the server was in the run of `transcript` with the run before."""
        self.run_comparison_requested.emit(transcript)


def navigator_of(part: QObject) -> Navigator:
    """The navigator of the window that `part` is in. Raises `LookupError` where no window has one."""
    owner: QObject | None = part
    while owner is not None:
        found = owner.findChild(Navigator, options=Qt.FindChildOption.FindDirectChildrenOnly)
        if found is not None:
            return found
        owner = owner.parent()
    raise LookupError(f"no navigator above {part.objectName() or type(part).__name__}")


def frame_opener(part: QObject) -> Callable[[int], None]:
    """A slot that shows a frame of the latest run, for signals of widgets that know nothing of servers."""

    def show_frame(number: int) -> None:
        navigator_of(part).show_frame(number)

    return show_frame
