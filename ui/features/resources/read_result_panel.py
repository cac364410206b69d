"""The panel of what was read of one target: contents, age, and whether the resource was updated since."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inspector.features.resources import ResourceRead
from inspector.spec.views.resource import ReadResult
from ui.bind import Bindings, bind_coalesced
from ui.features.resources.read_target import ReadTarget, read_refusal
from ui.models.list_rows import freshness_of
from ui.navigator import navigator_of
from ui.render import render_resource
from ui.render.answer_panel import AnswerPanel
from ui.render.block_column import BlockColumn
from ui.widgets.answer_views import AnswerView
from ui.widgets.buttons import link_button
from ui.widgets.freshness import FreshnessLine
from ui.widgets.labels import ElidedLabel, set_tone, tool_tip
from ui.widgets.layout_parts import column_layout
from ui.widgets.units import clock_exact, clock_time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inspector.errors import PeerError
    from inspector.features.subscriptions import Update
    from inspector.open_session import OpenSession
    from inspector.session.outgoing import Timeouts
    from inspector.spec.views.content import ResourceContents
    from inspector.wire.json_codec import JsonObject
    from ui.theme import Theme
    from ui.widgets.error_panel import ErrorText

SETTLE_MS = 300
"""How long updates are gathered before a resource is read again automatically."""

FIRST_VIEWS = {
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
    "text/csv": "table",
    "text/tab-separated-values": "table",
    "application/json": "json",
}
"""Media type, as the server names it → the view to start with."""


class ReadResultPanel(AnswerPanel[ResourceRead, ReadResult]):
    """Reads of one target, one of them shown."""

    name: ClassVar[str] = "read"
    empty: ClassVar[tuple[str, str]] = ("No result yet", "Read a resource to see its contents.")
    empty_recorded: ClassVar[tuple[str, str]] = (
        "No recorded reads",
        "Recorded reads of the selected resource appear here.",
    )
    repeat: ClassVar[str] = "Read again"
    history_title: ClassVar[str] = "Reads of this resource"

    is_automatic = False
    """Whether a resource is read again when it was updated."""
    _source: str | None = None
    _aged: ResourceRead | None = None

    def __init__(
        self, *, theme: Theme, timeouts: Callable[[], Timeouts], parent: QWidget | None = None
    ) -> None:
        """Start empty; `timeouts` returns those of the next request."""
        self._timeouts = timeouts
        self._subscription_bindings = Bindings()
        super().__init__(theme=theme, parent=parent)

    def _build(self) -> None:
        self.contents = BlockColumn(
            _add_items(self._theme),
            theme=self._theme,
            name="read",
            label="Resource contents",
            parts="items",
            fills=True,
        )
        self.updates = UpdateStrip(theme=self._theme)
        self.age = FreshnessLine(name="read_age")
        lines = QWidget()
        column_layout(lines, self.age, self.updates, space=0)
        self.assemble(
            AnswerView("content", self._content_label, self.contents, self._fill_content),
            below_outcome=lines,
        )

    def _wire(self) -> None:
        super()._wire()
        self.updates.read_requested.connect(self._on_repeat_requested)

    def clear(self) -> None:
        """Forget the target."""
        self._source = None

    def set_session(self, session: OpenSession | None, *, again: bool = False) -> None:
        """Read over `session` from now on; `again` keeps everything for another run of the same server."""
        self._subscription_bindings.replace()
        if session is not None:
            subscriptions = session.subscriptions
            self._subscription_bindings.replace(
                bind_coalesced(self, subscriptions.changed, self.refresh),
                bind_coalesced(self, subscriptions.updated, self._on_updated, SETTLE_MS),
            )
        super().set_session(session, again=again)

    def show_target(self, target: ReadTarget | None) -> None:
        """Show what was read of `target`."""
        self._source = target.source if target is not None else None
        self.show_history()

    def read(self, uri: str, source: str, meta: JsonObject | None = None) -> None:
        """Read the `uri` of a target with this `source`; the members `meta` of `_meta` override those of every request."""
        session = self._session
        if session is not None and self.is_connected:
            session.subscriptions.forget_update(uri)
            timeouts = self._timeouts()
            self.show_history(session.reads.read(uri, source=source, timeouts=timeouts, meta=meta))

    def refresh(self) -> None:
        """Show the current state of read and subscription."""
        session, read = self._session, self.operation
        update = None
        if session is not None and read is not None and read.is_finished:
            update = session.subscriptions.update_of(read.uri)
        self.updates.show_update(update)
        if read is not self._aged:
            self.age.show_age(None, None)
        super().refresh()

    def operations(self, session: OpenSession) -> list[ResourceRead]:
        """Return the reads with the source of the target."""
        source = self._source
        if source is None:
            return []
        return [
            read
            for run in session.all_runs
            for read in run.reads.history.of(lambda read: read.source == source)
        ]

    def request_text(self, operation: ResourceRead) -> str:
        """Return the URI."""
        return operation.uri

    def read_result(self, operation: ResourceRead) -> ReadResult | None:
        """Read the contents."""
        return operation.result

    def send_again(self, operation: ResourceRead) -> None:
        """Read the same URI again."""
        self.read(operation.uri, operation.source, operation.meta)

    def error_text(self, operation: ResourceRead, error: PeerError) -> ErrorText:
        """Return the text of an error, which may say that the resource was not found."""
        return read_refusal(operation.uri, error, operation.revision)

    def _content_label(self) -> str:
        return "Contents" if self.operation is not None and self.operation.has_result else ""

    def _fill_content(self) -> None:
        read = self.operation
        if read is None or (result := self.result_of(read)) is None:
            return
        is_empty = result.has_no_items("contents")
        remarks = ("Empty result: no contents.",) if is_empty else ()
        self.contents.show_result(result, result.contents, remarks=remarks, at_once=self._at_once)
        self._aged, revision = read, read.revision
        is_cacheable = revision is not None and revision.has_cacheable_results
        self.age.show_age(read.age_seconds, freshness_of(result.caching) if is_cacheable else None)

    def _on_updated(self) -> None:
        """Read again, if the user selected that and nothing is being read."""
        session, read = self._session, self.operation
        if not self.is_automatic or session is None or read is None or not read.is_finished:
            return
        if session.subscriptions.update_of(read.uri) is not None:
            self.send_again(read)


class UpdateStrip(QWidget):
    """One line; hidden unless the resource was updated since it was read.

    Signals:
        read_requested: read the resource again.
    """

    read_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start hidden."""
        super().__init__(parent)
        self.setObjectName("update_strip")
        self._update: Update | None = None
        self._text = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._text.setObjectName("update_words")
        set_tone(self._text, "warning")
        self._read = link_button("Read again", name="update_read", parent=self)
        self._show = link_button("Show in traffic", name="update_traffic", parent=self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACING_PX)
        row.addWidget(self._text, 1)
        row.addWidget(self._read)
        row.addWidget(self._show)
        self._read.clicked.connect(self.read_requested)
        self._show.clicked.connect(self._on_show_clicked)
        self.hide()

    def show_update(self, update: Update | None) -> None:
        """Show when the resource was updated; None hides the line."""
        self._update = update
        self.setVisible(update is not None)
        if update is not None:
            times = f", {update.count:,} times" if update.count > 1 else ""
            self._text.set_text(f"Updated {clock_time(update.wall_s)[:8]}{times} since last read")
            self._text.setToolTip(tool_tip(clock_exact(update.wall_s)))

    def _on_show_clicked(self) -> None:
        if self._update is not None:
            navigator_of(self).show_frame(self._update.frame)


def _add_items(theme: Theme) -> Callable[[ResourceContents, QVBoxLayout, QWidget], Iterator[None]]:
    def add(item: ResourceContents, column: QVBoxLayout, parent: QWidget) -> Iterator[None]:
        block = render_resource(item.raw, theme=theme, parent=parent)
        view = FIRST_VIEWS.get(item.mime_type.partition(";")[0].strip().lower(), "")
        if view in block.views():
            block.show_view(view)
        column.addWidget(block)
        yield

    return add
