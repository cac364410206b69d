"""Saves a report in one of its formats, at a path that the user selects."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMenu

from ui.aio import spawn
from ui.features.report.export import report_text
from ui.widgets.save import save_as, suggested_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from inspector.checks.report import Report
    from inspector.checks.report_formats.formats import ReportFormat
    from inspector.open_session import OpenSession


class ReportSaver(QObject):
    """Makes reports of a page as files.

    Signals:
        changed: what it does, or did; empty for nothing.
    """

    changed = Signal(str)

    def __init__(
        self, page: QWidget, current: Callable[[], tuple[OpenSession, Report] | None]
    ) -> None:
        """Save what is `current` on `page`."""
        super().__init__(page)
        self._page = page
        self._current = current

    def make_menu(self) -> QMenu:
        """Return the menu of the formats."""
        from inspector.checks.report_formats.formats import FORMATS

        menu = QMenu(self._page)
        menu.setObjectName("report_formats")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for each in FORMATS:
            title = each.title[:1].upper() + each.title[1:]
            menu.addAction(f"{title}…", partial(self.save, each))
        return menu

    def open_menu(self, button: QWidget) -> None:
        """Show the menu below a button."""
        self.make_menu().popup(button.mapToGlobal(button.rect().bottomLeft()))

    def save(self, format_: ReportFormat) -> None:
        """Make the report in a format, and ask where to save it."""
        current = self._current()
        if current is not None:
            spawn(self, self._save(*current, format_), name="export report")

    async def _save(self, session: OpenSession, report: Report, format_: ReportFormat) -> None:
        self.changed.emit("Reading messages…")
        try:
            text = await report_text(session, report, format_)
        finally:
            self.changed.emit("")
        name = f"report-{suggested_name(session.profile.name, fallback='server')}{format_.suffix}"
        saving = save_as(text.encode, source_name=name, parent=self._page)
        saving.saved.connect(self._on_saved)
        saving.failed.connect(self.changed)

    def _on_saved(self, path: str) -> None:
        self.changed.emit(f"Saved to {path}")
