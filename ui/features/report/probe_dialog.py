"""The dialog that runs probes: what each sends and with what effect, which of them run, how far they are, and what each came to."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QProgressBar

from inspector.checks.probed import ProbeOutcome
from inspector.probes.runner import PROBES
from inspector.visible_text import one_line
from ui.bind import bind
from ui.features.report.export import server_name, why_not_probed
from ui.features.report.probe_list import ProbeList
from ui.features.report.probing import ProbeRun
from ui.theme import tokens
from ui.theme.signs import Sign
from ui.widgets.buttons import push_button
from ui.widgets.dialog_parts import DialogFoot, DialogSize, DialogTitle, set_size
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import column_layout
from ui.widgets.notice import Notice
from ui.widgets.units import duration, plural

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.open_session import OpenSession
    from inspector.probes.runner import Concluded
    from ui.theme import Theme

WARNING = "Probes send unusual and invalid requests to this server."
WARNING_TEXT = (
    "They may have effects, such as sessions, log entries and calls of the tools selected below."
)

MAX_NAME = 60
"""Characters of the name of a server in the title."""


class ProbeDialog(QDialog):
    """Lists probes, and runs those that are selected. The window can be used meanwhile; closing the dialog stops what runs."""

    def __init__(self, session: OpenSession, *, theme: Theme, parent: QWidget) -> None:
        """Probe the server of `session`, which is connected."""
        super().__init__(parent)
        self.setObjectName("probe_dialog")
        self.setWindowTitle("Probe server")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme = theme
        self.session = session
        self.run = ProbeRun(session, self)
        self._build()
        self._wire()
        uses = self.run.tool_uses()
        self.list.show_plan(self.run.plan([use for use in uses if use.is_read_only]), uses)
        self._refresh()
        self.list.setFocus()

    def _build(self) -> None:
        theme = self._theme
        title = DialogTitle(theme=theme, name="probe_title", sign=Sign.PROBE, parent=self)
        title.set_text(f"Probe {one_line(server_name(self.session), MAX_NAME)}")
        self._warning = Notice(theme=theme, name="probe_warning", tone="warning", parent=self)
        self._warning.set_text(WARNING, WARNING_TEXT)
        self.list = ProbeList(theme=theme, parent=self)
        self._progress = QProgressBar(self)
        self._progress.setObjectName("probe_progress")
        self._progress.setAccessibleName("Progress")
        self._progress.setTextVisible(False)
        self._progress.hide()
        self.state = plain_label(name="probe_state", tone="muted", wrap=True, parent=self)
        foot = DialogFoot(theme=theme, name="probe_foot", parent=self)
        self.stop = push_button("Stop", name="probe_stop", parent=foot)
        self.close_button = push_button("Close", name="probe_close", parent=foot)
        self.start = push_button("Run probes", name="probe_start", primary=True, parent=foot)
        for button in (self.stop, self.close_button, self.start):
            foot.add_right(button)
        self.stop.hide()
        self._inner = column_layout(
            None, self._warning, self.list, self._progress, self.state, space=0
        )
        self._inner.setStretch(1, 1)
        self._column = column_layout(self, title, self._inner, foot, space=0)

    def _wire(self) -> None:
        self.list.changed.connect(self._on_list_changed)
        self.start.clicked.connect(self._on_start_clicked)
        self.stop.clicked.connect(self.run.stop)
        self.close_button.clicked.connect(self.reject)
        self.run.began.connect(self._on_began)
        self.run.concluded.connect(self._on_concluded)
        self.run.ended.connect(self._on_ended)
        self._theme.changed.connect(self._refresh)
        bind(self, self.session.session.changed, self._show_state)

    def _refresh(self) -> None:
        px = self._theme.px
        edge = px(tokens.READING_PADDING_PX)
        self._inner.setContentsMargins(edge, 0, edge, px(12))
        self._inner.setSpacing(px(8))
        set_size(self, self._theme, DialogSize.MEDIUM)
        self._show_state()

    def _on_list_changed(self) -> None:
        self.list.update_plan(self.run.plan(self.list.chosen_uses()))
        self._show_state()

    def _show_state(self) -> None:
        """Say how much is sent, or why nothing can be."""
        if self.run.is_running:
            return
        chosen, reason = set(self.list.chosen()), why_not_probed(self.session)
        self.start.setEnabled(bool(chosen) and not reason)
        if reason or (self.run.done and self.list.shows_outcomes):
            self.state.setText(reason or self._sums())
            return
        probes = [probe for probe in PROBES if probe.key in chosen]
        requests = sum(probe.requests for probe in probes)
        about = duration(max(1, round(self.run.seconds_of(probes)))).replace(".0", "")
        self.state.setText(
            f"{plural(len(probes), 'probe')} · up to {plural(requests, 'request')}, about {about}"
        )

    def _sums(self) -> str:
        counts = Counter(each.result.outcome for each in self.run.done)
        parts = [f"{counts[each]} {each.value}" for each in ProbeOutcome if counts[each]]
        return f"{plural(len(self.run.done), 'probe')}: {', '.join(parts)}"

    def _on_start_clicked(self) -> None:
        chosen = self.list.chosen()
        if not chosen or why_not_probed(self.session):
            return
        self.list.set_locked(is_locked=True)
        self.list.show_outcomes()
        self._progress.setRange(0, len(chosen))
        self._progress.setValue(0)
        self._set_running(is_running=True)
        self.run.start(chosen, self.list.chosen_uses())

    def _set_running(self, *, is_running: bool) -> None:
        self._progress.setVisible(is_running)
        self.stop.setVisible(is_running)
        self.start.setVisible(not is_running)
        (self.stop if is_running else self.close_button).setFocus()

    def _on_began(self, key: str) -> None:
        self.list.show_running(key)
        done, count = len(self.run.done), self._progress.maximum()
        self.state.setText(f"Probe {done + 1} of {count}")

    def _on_concluded(self, concluded: Concluded) -> None:
        self.list.show_result(concluded.probe.key, concluded.result)
        self._progress.setValue(len(self.run.done))

    def _on_ended(self) -> None:
        if self.run.current:
            self.list.show_stopped(self.run.current)
        self.list.set_locked(is_locked=False)
        self._set_running(is_running=False)
        self._show_state()

    def reject(self) -> None:
        """Stop what runs, too."""
        self.run.stop()
        super().reject()
