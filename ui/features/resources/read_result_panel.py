"""The panel of what was read of one target: contents, age, and whether it was updated since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inspector.workspace import is_closed
from ui.bind import Bindings, bind_coalesced
from ui.features.resources.read_target import ReadTarget, read_refusal
from ui.models.list_rows import freshness_of
from ui.navigator import navigator_of
from ui.render import render_resource
from ui.render.answer_panel import AnswerPanel, PanelText, ResultAdapter
from ui.render.block_column import BlockColumn
from ui.widgets.age_line import AgeLine
from ui.widgets.buttons import link_button
from ui.widgets.labels import ElidedLabel, set_tone, tool_tip
from ui.widgets.units import clock_exact, clock_time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from inspector.errors import PeerError
    from inspector.features.resources import ResourceRead
    from inspector.features.subscriptions import Update
    from inspector.finding import Finding
    from inspector.session.timeouts import Timeouts
    from inspector.spec.views.content import ResourceContents
    from inspector.spec.views.resource import ReadResult
    from inspector.wire.json_codec import JsonObject
    from inspector.workspace import OpenSession
    from ui.theme import Theme
    from ui.widgets.error_text import ErrorText

SETTLE_MS = 300
"""How long updates are gathered before something is read again by itself."""

FIRST_VIEWS = {
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
    "text/csv": "table",
    "text/tab-separated-values": "table",
    "application/json": "json",
}
"""Media type, as the server names it → the view to start with."""

WORDING = PanelText(
    name="read",
    primary_view="Contents",
    empty=("No result yet", "Read a resource to see its contents."),
    again="Read again",
    reuse="",
    icon="mdi6.file-eye-outline",
)


class ReadResultPanel(QWidget):
    """Readings, one of them shown.

    Signals:
        changed: a reading began, ended, or another is shown.
    """

    changed = Signal()

    def __init__(
        self, *, theme: Theme, limits: Callable[[], Timeouts], parent: QWidget | None = None
    ) -> None:
        """Start empty; `limits` tells how long the next answer is waited for."""
        super().__init__(parent)
        self.setObjectName("reading")
        self._limits = limits
        self.automatic = False
        self._session: OpenSession | None = None
        self._source: str | None = None
        self._bindings = Bindings()
        self._aged: ResourceRead | None = None
        self._read: tuple[ResourceRead, ReadResult] | None = None
        self._unfollow: Callable[[], None] | None = None
        self._build(theme)
        self._wire()

    def _build(self, theme: Theme) -> None:
        self.contents = BlockColumn(
            _add_items(theme),
            theme=theme,
            name="read",
            label="Resource contents",
            parts="items",
            fills=True,
        )
        self.updates = UpdateStrip(theme=theme)
        self.age = AgeLine(name="read_age")
        beside = QWidget()
        lines = QVBoxLayout(beside)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(0)
        lines.addWidget(self.age)
        lines.addWidget(self.updates)
        lens: ResultAdapter[ResourceRead] = ResultAdapter(
            _asked, self._findings, self._fill, _refuse
        )
        self.answers: AnswerPanel[ResourceRead] = AnswerPanel(
            self.contents, lens, WORDING, theme=theme, beside=beside, parent=self
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.answers)

    def _wire(self) -> None:
        self.answers.again_wanted.connect(self._on_again_wanted)
        self.updates.read_wanted.connect(self._on_update_read_wanted)

    def set_session(self, session: OpenSession | None, *, again: bool = False) -> None:
        """Read over `session` from now on; another run of the server (`again`) finds all as it is."""
        self._bindings.replace()
        self._session, self._read = session, None
        if not again:
            self._source = None
        if session is not None:
            subscriptions = session.subscriptions
            self._bindings.replace(
                bind_coalesced(self, subscriptions.changed, self.refresh),
                bind_coalesced(self, subscriptions.updated, self._on_updated, SETTLE_MS),
            )
        self.answers.set_transcript(session.session.transcript if session is not None else None)
        self.answers.visits.set_elicitation(session.elicitation if session is not None else None)
        self.answers.meanwhile.set_session(session)
        self._show_reads()

    @property
    def is_running(self) -> bool:
        """Whether the reading that is shown is under way."""
        shown = self.answers.attempt
        return shown is not None and not shown.is_over

    def show_target(self, target: ReadTarget | None) -> None:
        """Offer what was read by way of `target`."""
        self._source = target.source if target is not None else None
        self._show_reads()

    def read(self, uri: str, source: str, meta: JsonObject | None = None) -> None:
        """Read `uri`, wanted by way of `source`, with members `meta` of `_meta` set by hand."""
        session = self._session
        if session is None or is_closed(session.session):
            return
        session.subscriptions.forget_update(uri)
        read = session.reads.read(uri, source=source, timeouts=self._limits(), meta=meta)
        if self._unfollow is not None:
            self._unfollow()
        self._unfollow = bind_coalesced(self, read.changed, self.refresh)
        self._show_reads(read)

    def cancel(self) -> None:
        """Give up the reading that is shown."""
        if self.answers.attempt is not None:
            self.answers.attempt.cancel()

    def refresh(self) -> None:
        """Show how it stands now."""
        session, shown = self._session, self.answers.attempt
        self.answers.set_connected(session is not None and not is_closed(session.session))
        known = session is not None and shown is not None and shown.is_over
        update = session.subscriptions.update_of(shown.uri) if known and session and shown else None
        self.updates.show_update(update)
        if shown is not self._aged:
            self.age.show_age(None, None)
        self.changed.emit()

    def _show_age(self, read: ResourceRead, result: ReadResult) -> None:
        """How old it is, and for how long the server vouches for it."""
        self._aged, revision = read, read.revision
        is_told = revision is not None and revision.has_cacheable_results
        self.age.show_age(read.age_seconds, freshness_of(result.caching) if is_told else None)

    def _show_reads(self, wanted: ResourceRead | None = None) -> None:
        session, source = self._session, self._source
        reads: list[ResourceRead] = []
        if session is not None and source is not None:
            for run in session.all_runs:
                reads += run.reads.history.of(lambda read: read.source == source)
        runs = session.session.run.number if session is not None else 1
        self.answers.show_attempts(reads, wanted, runs=runs)
        self.refresh()

    def _result(self, read: ResourceRead) -> ReadResult | None:
        """What was read, looked through once for its findings and the contents."""
        if self._read is None or self._read[0] is not read:
            result = read.result
            self._read = (read, result) if result is not None else None
        return self._read[1] if self._read is not None else None

    def _findings(self, read: ResourceRead) -> Sequence[Finding]:
        result = self._result(read)
        return result.findings if result is not None else ()

    def _fill(self, read: ResourceRead) -> None:
        result = self._result(read)
        if result is not None:
            is_empty = result.has_no_items("contents")
            remarks = ("Empty result: no contents.",) if is_empty else ()
            self.contents.show_result(result, result.contents, remarks=remarks)
            self._show_age(read, result)
        self._read = None

    def _on_again_wanted(self, read: ResourceRead) -> None:
        self.read(read.uri, read.source, read.meta)

    def _on_update_read_wanted(self) -> None:
        if self.answers.attempt is not None:
            self._on_again_wanted(self.answers.attempt)

    def _on_updated(self) -> None:
        """Read again by itself, if that is wanted and nothing is being read."""
        session, shown = self._session, self.answers.attempt
        if not self.automatic or session is None or shown is None or not shown.is_over:
            return
        if session.subscriptions.update_of(shown.uri) is not None:
            self._on_again_wanted(shown)


def _asked(read: ResourceRead) -> str:
    return read.uri


def _refuse(read: ResourceRead, error: PeerError) -> ErrorText:
    return read_refusal(read.uri, error, read.revision)


def _add_items(theme: Theme) -> Callable[[ResourceContents, QVBoxLayout, QWidget], Iterator[None]]:
    def add(item: ResourceContents, column: QVBoxLayout, parent: QWidget) -> Iterator[None]:
        block = render_resource(item.raw, theme=theme, parent=parent)
        view = FIRST_VIEWS.get(item.mime_type.partition(";")[0].strip().lower(), "")
        if view in block.views():
            block.show_view(view)
        column.addWidget(block)
        yield

    return add


class UpdateStrip(QWidget):
    """One line; hidden while there is nothing to tell.

    Signals:
        read_wanted: it is to be read again.
    """

    read_wanted = Signal()

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
        self._read.clicked.connect(self.read_wanted)
        self._show.clicked.connect(self._on_show_clicked)
        self.hide()

    def show_update(self, update: Update | None) -> None:
        """Tell of `update`."""
        self._update = update
        self.setVisible(update is not None)
        if update is not None:
            times = f", {update.count:,} times" if update.count > 1 else ""
            self._text.set_text(f"Updated {clock_time(update.wall_s)[:8]}{times} since last read")
            self._text.setToolTip(tool_tip(clock_exact(update.wall_s)))

    def _on_show_clicked(self) -> None:
        if self._update is not None:
            navigator_of(self).show_frame(self._update.frame)
