"""The compare page: two exchanges, or two runs of a server, and how the second differs from the first."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QMenu, QStackedWidget, QWidget

from inspector.background_tasks import in_steps
from inspector.compare.compared_frame import ComparedFrame
from inspector.compare.exchange_parts import candidates
from inspector.compare.paths import pattern_of
from inspector.compare.volatile_paths import learn
from inspector.errors import StorageError
from inspector.visible_text import one_line
from ui.aio import spawn
from ui.features.compare.bar import CompareBar, Pickers
from ui.features.compare.exporting import add_frame_actions, save_difference
from ui.features.compare.ignored_paths import IgnoredPaths
from ui.features.compare.images import ComparedImages
from ui.features.compare.recordings import Recordings
from ui.features.compare.subjects import (
    ExchangeSubject,
    RunSubject,
    identical_text,
    other_parts_text,
    rows_of_part,
)
from ui.page import Page
from ui.pages import COMPARE, PageSpec
from ui.widgets.difference_model import DifferenceModel
from ui.widgets.difference_view import DifferenceView
from ui.widgets.empty_state import EmptyState
from ui.widgets.labels import no_mnemonic
from ui.widgets.layout_parts import Hairline, column_layout
from ui.widgets.notice import Notice, NoticeArea

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterable
    from pathlib import Path

    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QKeyEvent

    from inspector.compare.rows import DifferenceRows
    from inspector.open_session import OpenSession
    from inspector.transcript.transcript import Transcript
    from ui.features.compare.subjects import RecordingSubject, Subject
    from ui.theme import Theme

EMPTY = (
    "Nothing to compare",
    "Select two frames in the traffic and use Compare in their menu, or compare a call with the previous one.",
)

COMPARE_RECORDINGS = "Compare recordings…"

MAX_PATH = 60
"""Characters of a path in a menu."""

BUSY_MS = 200
"""A comparison that takes longer shows that it is running."""


class ComparePage(Page):
    """Two pickers, the parts that are compared, and the lines of the difference."""

    info: ClassVar[PageSpec] = COMPARE

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self._theme = theme
        self._subjects: tuple[Subject, Subject] | None = None
        self._after: RunSubject | None = None
        """The run that is compared with a recording as soon as that is read."""
        self._is_focus_due = False
        """Whether the focus goes to the lines as soon as there are some."""
        self._difference: DifferenceRows | None = None
        self._work: asyncio.Task[None] | None = None
        self._current = 0
        """The number of the difference with the cursor, from 1; 0 before the first one."""
        self._build()
        self._wire()
        self._show()

    def _build(self) -> None:
        theme = self._theme
        self.pickers = Pickers(theme=theme, parent=self)
        self.bar = CompareBar(theme=theme, parent=self)
        self.ignored = IgnoredPaths(parent=self)
        self.recordings = Recordings(parent=self)
        self.model = DifferenceModel(self)
        self.view = DifferenceView(model=self.model, theme=theme)
        self._empty = EmptyState(
            *EMPTY,
            theme=theme,
            icon="mdi6.compare-horizontal",
            action=COMPARE_RECORDINGS,
            name="compare_empty",
        )
        self._state = EmptyState("", "", theme=theme, name="compare_state")
        self.notice = Notice(theme=theme, name="compare_notice", parent=self)
        self.images = ComparedImages(theme=theme, parent=self)
        self._stack = QStackedWidget(self)
        self._stack.setMinimumHeight(1)  # the notice keeps its lines
        for part in (self.view, self._state):
            self._stack.addWidget(part)
        self._filled = QWidget(self)
        column = column_layout(
            self._filled,
            self.pickers,
            self.bar,
            Hairline(theme=theme, parent=self._filled),
            NoticeArea(self.notice, theme=theme),
            space=0,
        )
        column.addWidget(self._stack, 1)
        column.addWidget(self.images)
        self._whole = QStackedWidget(self)
        self._whole.addWidget(self._empty)
        self._whole.addWidget(self._filled)
        column_layout(self, self._whole, space=0)
        self._busy = QTimer(self, interval=BUSY_MS, singleShot=True)

    def _wire(self) -> None:
        self.pickers.changed.connect(self._on_pickers_changed)
        self.pickers.swap_requested.connect(self._on_swap_requested)
        self.pickers.recording_requested.connect(partial(self.recordings.choose, 1))
        self._empty.action_triggered.connect(partial(self.recordings.choose, 2))
        self.recordings.opened.connect(self._on_recordings_opened)
        self.recordings.failed.connect(self._on_recordings_failed)
        self.bar.part_selected.connect(self._compare)
        self.bar.stepped.connect(self.step)
        self.bar.ignored_requested.connect(self._on_ignored_requested)
        self.ignored.changed.connect(self._compare)
        self.bar.export_requested.connect(
            lambda: save_difference(
                self._difference, self._subjects or (), self.bar.part, self.notice, self
            )
        )
        self.view.menu_requested.connect(self._on_menu_requested)
        self.view.selectionModel().currentRowChanged.connect(self._show_position)
        self.model.rearranged.connect(self._on_rearranged)
        self._busy.timeout.connect(partial(self._show_state, "Comparing…", ""))

    # What is compared

    def set_session(self, session: OpenSession | None) -> None:
        """Keep what is compared for another run of the same server; else start empty."""
        is_same = self.continues(session)
        super().set_session(session)
        self.ignored.set_settings(session.client.ignored if session is not None else None)
        if not is_same:
            self.clear()
        elif isinstance((self._subjects or (None,))[0], RunSubject):
            self._offer()

    def clear(self) -> None:
        """Compare nothing."""
        self._stop()
        self._subjects = None
        self.ignored.clear()
        self._empty.set_text(*EMPTY, action=COMPARE_RECORDINGS)
        self._show_rows(None)
        self._show()

    def compare(
        self, before: ComparedFrame | OpenSession, after: ComparedFrame | OpenSession
    ) -> None:
        """Compare two frames, or two runs of a server."""
        if isinstance(before, ComparedFrame) and isinstance(after, ComparedFrame):
            subjects = (exchange_subject(each, self.session) for each in (before, after))
            self._set_subjects(*subjects)
        elif not isinstance(before, ComparedFrame) and not isinstance(after, ComparedFrame):
            self._set_subjects(RunSubject(before), RunSubject(after))

    def compare_with_recording(self, path: Path, after: OpenSession) -> None:
        """Compare what a server was in a recording with what it is in a run."""
        self._after = RunSubject(after)
        self.recordings.open([path], is_first=True)

    def _set_subjects(self, before: Subject, after: Subject) -> None:
        self._subjects = (before, after)
        self._is_focus_due = True
        self._offer()
        can_ignore = isinstance(before, ExchangeSubject)
        self.bar.set_parts(before.PARTS, can_ignore=can_ignore)
        self._show()
        self._compare()

    def _offer(self) -> None:
        """Offer what the two sides can be compared with."""
        if self._subjects is None:
            return
        before, after = self._subjects
        offered: list[Subject]
        if isinstance(after, ExchangeSubject):
            found = candidates(after.frame, *transcripts_of(self._subjects, self.session))
            offered = [exchange_subject(each, self.session) for each in found]
        else:
            runs = self.session.all_runs if self.session is not None else ()
            offered = [RunSubject(run) for run in reversed(runs)]
            offered += self.recordings.subjects
        self.pickers.offer(offered, before, after)

    def _on_pickers_changed(self) -> None:
        if (subjects := self.pickers.subjects()) is not None:
            self._subjects = subjects
            self._compare()

    def _on_swap_requested(self) -> None:
        if self._subjects is not None:
            before, after = self._subjects
            self._subjects = (after, before)
            self._offer()
            self._compare()

    def _on_recordings_opened(self, opened: list[RecordingSubject], is_first: bool) -> None:
        after, self._after = self._after, None
        if len(opened) == 2:
            self._set_subjects(*opened)
        elif after is not None and opened:
            self._set_subjects(opened[0], after)
        elif opened and self._subjects is not None:
            before, after = self._subjects
            self._set_subjects(opened[0] if is_first else before, after if is_first else opened[0])

    def _on_recordings_failed(self, reason: str) -> None:
        """Show why, in place of what was to be compared or above it."""
        if self._subjects is None:
            self._empty.set_text("Cannot open recording", reason, action=COMPARE_RECORDINGS)
        else:
            self.notice.set_text(f"Cannot open recording: {reason}", tone="error")

    # The comparison

    def _stop(self) -> None:
        if self._work is not None:
            self._work.cancel()
        self._work = None
        self._busy.stop()

    def _compare(self) -> None:
        """Compare the selected part again."""
        self._stop()
        if self._subjects is not None:
            self._busy.start()
            self._work = spawn(self, self._run(*self._subjects), name="compare")

    async def _run(self, before: Subject, after: Subject) -> None:
        from asyncio import current_task

        try:
            if isinstance(before, ExchangeSubject) and isinstance(after, ExchangeSubject):
                others = [each.frame for each in self.pickers.exchanges()]
                self.ignored.learn(await in_steps(learn(before.frame, after.frame, others)))
            rows = await rows_of_part(before, after, self.bar.part, self.ignored.patterns)
        except StorageError as error:
            self._show_state("Cannot compare", error.reason)
            return
        finally:
            if self._work is current_task():  # not if another comparison took its place
                self._busy.stop()
        self._show_rows(rows)
        if rows is not None and (title := identical_text(self.bar.part, rows)):
            text = await other_parts_text(before, after, self.bar.part, self.ignored.patterns)
            self.notice.set_text(title, text)

    def _show_rows(self, rows: DifferenceRows | None) -> None:
        self._difference, self._current = rows, 0
        self.model.set_difference(rows)
        self.bar.show_counts(rows)
        self.notice.hide()
        if rows is None:
            part = self.bar.part
            self._show_state("Nothing to compare", f"Neither side has {part}.")
            return
        self._stack.setCurrentWidget(self.view)
        if title := identical_text(self.bar.part, rows):
            self.notice.set_text(title, tone="info")
            if not rows.counts.ignored:
                self._show_state("", "")
        elif rows.is_partial:
            text = "Values beyond the first differences are compared as a whole."
            self.notice.set_text("Too many differences to find them all.", text, tone="warning")
        starts = self.model.starts()
        if starts:
            self.view.go_to(starts[0])
        if self._is_focus_due and self.view.isVisible():
            self.view.setFocus()
        self._is_focus_due = False
        self._show_position()

    def _show_state(self, title: str, text: str) -> None:
        self._state.set_text(title, text)
        self._stack.setCurrentWidget(self._state)

    def _show(self) -> None:
        self._whole.setCurrentWidget(self._empty if self._subjects is None else self._filled)

    # Differences

    def step(self, by: int) -> None:
        """Go to the next difference, or the previous one for a negative `by`; round at the ends."""
        starts = self.model.starts()
        if not starts:
            return
        current = self.view.currentIndex().row()
        at = bisect_right(starts, current) if by > 0 else bisect_left(starts, current) - 1
        self.view.go_to(starts[at % len(starts)])

    def _show_position(self) -> None:
        starts = self.model.starts()
        current = self.view.currentIndex().row()
        self.images.show_change(self.model.change(current))
        if current >= 0:
            self._current = bisect_right(starts, current)
        self.bar.show_position(min(self._current, len(starts)), len(starts))

    def _on_rearranged(self) -> None:
        """Return to the difference with the cursor: its row may be another one."""
        starts = self.model.starts()
        if 0 < self._current <= len(starts) and not self.view.currentIndex().isValid():
            self.view.go_to(starts[self._current - 1])
        self._show_position()

    def _on_ignored_requested(self) -> None:
        counts = self._difference.ignored if self._difference is not None else {}
        self.ignored.open_menu(self.bar.ignored_corner(), counts)

    def _on_menu_requested(self, row: int, position: QPoint) -> None:
        menu = QMenu(self)
        menu.setObjectName("compare_row_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy lines", self.view.copy)
        change = self.model.change(row)
        if change is not None and self._subjects is not None and change.path:
            base = self._difference.base if self._difference is not None else ()
            pattern = pattern_of((*base, *change.path))
            text = no_mnemonic(f"Ignore {one_line(pattern.text, MAX_PATH)}")
            menu.addAction(text, lambda: self.ignored.set_ignored(pattern))
        add_frame_actions(menu, self, self._subjects or ())
        menu.popup(position)

    def event(self, event: QEvent) -> bool:
        """Keep F8 from the commands of the window while the page has the focus."""
        if event.type() is QEvent.Type.ShortcutOverride and _step_of(cast("QKeyEvent", event)):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F8 goes to the next difference, Shift+F8 to the previous one."""
        step = _step_of(event)
        if step:
            self.step(step)
        else:
            super().keyPressEvent(event)


def _step_of(event: QKeyEvent) -> int:
    """Return 1 for the keys of the next difference, -1 for those of the previous one, 0 for others."""
    if event.key() != Qt.Key.Key_F8:
        return 0
    modifiers = event.modifiers()
    if modifiers == Qt.KeyboardModifier.ShiftModifier:
        return -1
    return 1 if modifiers == Qt.KeyboardModifier.NoModifier else 0


def exchange_subject(frame: ComparedFrame, session: OpenSession | None) -> ExchangeSubject:
    """Return a frame as a side, with the run of `session` that it is from, where there are several."""
    runs = session.all_runs if session is not None else ()
    own = (run.session.run for run in runs if run.session.transcript is frame.transcript)
    run = next(own, None)
    return ExchangeSubject(frame, f"run {run.number}" if run is not None and len(runs) > 1 else "")


def transcripts_of(subjects: Iterable[Subject], session: OpenSession | None) -> list[Transcript]:
    """Return the transcripts in which exchanges are offered: of all runs, and of the sides."""
    found = [run.session.transcript for run in session.all_runs] if session is not None else []
    for subject in subjects:
        if isinstance(subject, ExchangeSubject) and subject.frame.transcript not in found:
            found.append(subject.frame.transcript)
    return found
