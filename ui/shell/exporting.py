"""Opens the dialog in which rows of the traffic, or a bug report about one operation, are exported."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript
    from ui.shell.main_window import MainWindow
    from ui.shell.window_parts import WindowParts

MAX_SELECTED = 1_000_000
"""Rows of a selection that are exported."""


def open_export(window: MainWindow, parts: WindowParts) -> None:
    """Export what the traffic shows."""
    from ui.export.dialog import ExportDialog
    from ui.export.targets import TARGETS, rows_of

    panel = parts.traffic
    timeline = panel.model.timeline
    if timeline.latest is None:
        return
    selected = panel.row_actions.table.selected_numbers(MAX_SELECTED)
    rows = rows_of(timeline, panel.model.visible_frames.numbers_in_view(), selected)
    first = rows[-1] if panel.filter_text() or len(selected) > 1 else rows[0]
    dialog = ExportDialog(
        *(TARGETS, rows),
        selected=first.key,
        title="Export",
        name=_name(timeline.latest),
        theme=window.theme,
        parent=window,
    )
    dialog.saved.connect(parts.status.show_message)
    dialog.open()


def open_bug_report(window: MainWindow, parts: WindowParts) -> None:
    """Report the operation under the cursor, with what led to it."""
    from ui.export.dialog import ExportDialog
    from ui.export.targets import bug_report

    panel = parts.traffic
    number = panel.row_actions.table.current_number()
    if not number:
        return
    transcript, local = panel.model.timeline.locate(number)
    name = f"bug-{_name(transcript)}-{local}"
    target, rows = bug_report(transcript, local, name)
    dialog = ExportDialog(
        *((target,), (rows,)),
        selected=rows.key,
        title="Bug report",
        name=name,
        theme=window.theme,
        parent=window,
    )
    dialog.saved.connect(parts.status.show_message)
    dialog.open()


def _name(transcript: Transcript) -> str:
    """The name of a file, without ending."""
    from ui.widgets.save import suggested_name

    return suggested_name(transcript.metadata.get("title", ""), fallback="session")
