"""*Repeat…*: sends the edited message many times, and shows how far that is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inspector.features.repeated_sends import RepeatedSends
from ui.aio import spawn
from ui.bind import Bindings, bind_coalesced
from ui.navigator import navigator_of

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.features.repeated_sends import Plan
    from inspector.open_session import OpenSession
    from ui.features.repeat.consent import Consent
    from ui.features.repeat.editing import Editing
    from ui.features.repeat.repeat_panel import SendsAndRun
    from ui.features.repeat.work import Work

PROGRESS_MS = 100
"""Shortest time between two looks at a run."""


class Repeating(QObject):
    """Owns the runs: they go on while another server is shown, and end with the page."""

    def __init__(
        self, *, editing: Editing, below: SendsAndRun, consent: Consent, parent: QWidget
    ) -> None:
        """Repeat what is edited in `editing` as the panel in `below` requests."""
        super().__init__(parent)
        self._editing, self._below, self._consent = editing, below, consent
        self._panel = panel = below.panel
        self._bindings = Bindings()
        self.session: OpenSession | None = None
        """The session to send over."""
        panel.run_requested.connect(self._on_run_requested)
        panel.stop_requested.connect(self._on_stop_requested)
        panel.filter_requested.connect(self._on_filter_requested)

    def toggle(self) -> None:
        """Show the panel, and type how often; or hide it."""
        self._below.show_panel(is_visible=self._panel.isHidden())
        if not self._panel.isHidden():
            self._panel.focus_fields()

    def show_run(self) -> None:
        """Show the run of the message that is edited, if there was one."""
        run = self._editing.work.run
        self._bindings.replace()
        if run is not None:
            self._bindings.replace(
                bind_coalesced(self, run.changed, self._refresh, PROGRESS_MS),
            )
            self._below.show_panel(is_visible=True)
        self._refresh()

    def _refresh(self) -> None:
        self._panel.show_run(self._editing.work.run)

    def _on_run_requested(self, plan: Plan) -> None:
        self._consent.then(partial(self._start, plan), count=plan.count)

    def _start(self, plan: Plan) -> None:
        work = self._editing.work
        if self.session is None or (work.run is not None and work.run.is_running):
            return
        work.run = RepeatedSends(self.session.session, plan, self._editing.take_texts(plan.count))
        spawn(self, self._run(work, work.run), name="repeat a message")
        self.show_run()

    async def _run(self, work: Work, run: RepeatedSends) -> None:
        await run.run()
        if work is self._editing.work and work.run is run:
            self._refresh()

    def _on_stop_requested(self) -> None:
        if self._editing.work.run is not None:
            self._editing.work.run.stop()

    def _on_filter_requested(self, terms: str) -> None:
        navigator_of(self._panel).filter_traffic(terms)
