"""The field into which the user pastes a server, read as it changes, with the result below; and the list of several servers in one paste."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QWidget,
)

from inspector.config.importers.paste import import_text
from inspector.config.importers.result import Imported, NotRecognized
from inspector.config.profile import Profile, endpoint_text
from inspector.visible_text import one_line, visible
from ui.aio import spawn
from ui.theme import tokens
from ui.widgets.labels import plain_label, set_icon, tool_tip
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.config.importers.result import ImportResult
    from ui.theme import Theme

REPLACE_PROMPT = "Paste here to replace the settings below"
PROMPT = "Paste a command line, a URL, a “claude mcp add …” command or another client's JSON\nuvx mcp-server-git --repository .\nhttps://mcp.example.com/mcp"
ROWS = 4
REPLACE_ROWS = 1
MAX_WARNINGS = 6
"""More are counted."""

READ_AT_ONCE = 5_000
"""Characters that are read within one turn of the loop; longer texts are read in a thread."""

MAX_ROWS = 6
"""Rows before it scrolls."""


class PasteText(QPlainTextEdit):
    """A field of a few lines that takes plain text only; Tab leaves it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("paste_text")
        self.setAccessibleName("Paste a command line, a URL, or JSON")
        self.setPlaceholderText(PROMPT)
        self.setTabChangesFocus(True)
        self.setProperty("field", True)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Take the text, or the paths of dropped files."""
        if source.hasText():
            self.insertPlainText(source.text())


class PasteBox(QWidget):
    """The field and what was detected in its text.

    Signals:
        understood: the text names at least one server (an `Imported`).
        not_understood: the text names no server.
        text_changed: the user changed the text.
    """

    understood = Signal(object)
    not_understood = Signal()
    text_changed = Signal()

    def __init__(
        self, *, theme: Theme, replaces: bool = False, parent: QWidget | None = None
    ) -> None:
        """Start empty; smaller where it `replaces` what is there already."""
        super().__init__(parent)
        self.setObjectName("paste_box")
        self._replaces = replaces
        self._theme = theme
        self._reading: ImportResult | None = None
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        self.text = PasteText(self)
        if self._replaces:
            self.text.setPlaceholderText(REPLACE_PROMPT)
        self._icon = QLabel(self)
        self._outcome = plain_label(name="paste_outcome", wrap=True, selectable=True, parent=self)
        self._warnings = plain_label(
            tone="warning", name="paste_warnings", wrap=True, selectable=True, parent=self
        )
        self._warnings.setAccessibleName("Warnings about the pasted text")
        self._timer = QTimer(self, interval=tokens.DEBOUNCE_MS, singleShot=True)
        line = row_layout(None, space=self._theme.SPACING_PX)
        line.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self._outcome, 1)
        column_layout(self, self.text, line, self._warnings, space=self._theme.SPACING_PX)

    def _wire(self) -> None:
        self.text.textChanged.connect(self._on_text_changed)
        self._timer.timeout.connect(self.read_now)
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        self.text.setFont(self._theme.mono())
        height = (
            self.text.fontMetrics().lineSpacing() * (REPLACE_ROWS if self._replaces else ROWS)
            + 4 * self._theme.SPACING_PX
        )
        self.text.setFixedHeight(height)
        good = isinstance(self._reading, Imported)
        self._icon.setVisible(self._reading is not None)
        self._outcome.setVisible(self._reading is not None)
        icon, tone = ("mdi6.check-circle", "ok") if good else ("mdi6.help-circle-outline", "muted")
        set_icon(self._icon, self._theme, icon, tone)

    def set_text(self, text: str) -> None:
        """Paste a text and read it without waiting for a pause."""
        self.text.setPlainText(text)
        self.read_now()

    def read_now(self) -> None:
        """Read the text without waiting for the typing to pause."""
        self._timer.stop()
        text = self.text.toPlainText()
        if len(text) <= READ_AT_ONCE:
            self._take(import_text(text) if text.strip() else None)
        else:
            spawn(self, self._read(text), name="read a long pasted text")

    async def _read(self, text: str) -> None:
        reading = await asyncio.to_thread(import_text, text)
        if self.text.toPlainText() == text:
            self._take(reading)

    def _take(self, reading: ImportResult | None) -> None:
        self._reading = reading
        self._outcome.setText(visible(_result_text(self._reading)))
        warnings = self._reading.warnings if isinstance(self._reading, Imported) else ()
        self._warnings.setText(visible(_listed(warnings)))
        self._warnings.setVisible(bool(warnings))
        self._refresh()
        if isinstance(self._reading, Imported):
            self.understood.emit(self._reading)
        else:
            self.not_understood.emit()

    def _on_text_changed(self) -> None:
        self._timer.start()
        self.text_changed.emit()


def _result_text(reading: ImportResult | None) -> str:
    if reading is None:
        return ""
    if isinstance(reading, NotRecognized):
        return reading.reason
    count = plural(len(reading.profiles), "server")
    return f"Detected: {reading.source}. {count} found. Review the settings below."


def _listed(warnings: tuple[str, ...]) -> str:
    lines = [f"• {warning}" for warning in warnings[:MAX_WARNINGS]]
    if len(warnings) > MAX_WARNINGS:
        lines.append(f"and {len(warnings) - MAX_WARNINGS} more")
    return "\n".join(lines)


class Checklist(QWidget):
    """The servers of a paste with a check mark each; hidden while there is at most one.

    Signals:
        current_changed: the form should show the server at this position.
        changed: a check mark was set or taken away.
    """

    current_changed = Signal(int)
    changed = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("checklist")
        self._theme = theme
        self._build()
        self._wire()
        self.set_profiles(())

    def _build(self) -> None:
        self._count = plain_label(tone="title", parent=self)
        self._list = QListWidget(self)
        self._list.setObjectName("checklist_list")
        self._list.setAccessibleName("Servers to add")
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column_layout(self, self._count, self._list, space=self._theme.SPACING_PX)

    def _wire(self) -> None:
        self._list.currentRowChanged.connect(self._on_row_changed)
        self._list.itemChanged.connect(self._on_item_changed)
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        count = len(self.checked())
        total = self._list.count()
        self._count.setText(f"{count} of {plural(total, 'server')} will be added")
        rows = min(total, MAX_ROWS)
        self._list.setFixedHeight(rows * self._theme.ROW_HEIGHT_PX + self._theme.SPACING_PX)
        self._list.blockSignals(True)
        for row in range(total):
            self._list.item(row).setSizeHint(QSize(0, self._theme.ROW_HEIGHT_PX))
        self._list.blockSignals(False)

    def checked(self) -> tuple[int, ...]:
        """Positions of the servers to add."""
        rows = range(self._list.count())
        on = Qt.CheckState.Checked
        return tuple(row for row in rows if self._list.item(row).checkState() == on)

    def set_profiles(self, profiles: Sequence[Profile]) -> None:
        """Show these, all of them checked."""
        self._list.blockSignals(True)
        self._list.clear()
        for _ in profiles:
            item = QListWidgetItem()
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
            self._list.addItem(item)
        self._list.setCurrentRow(0)
        self._list.blockSignals(False)
        for row, profile in enumerate(profiles):
            self.set_profile(row, profile)
        self.setVisible(len(profiles) > 1)
        self._refresh()

    def set_profile(self, row: int, profile: Profile) -> None:
        """Follow a correction."""
        if row < self._list.count():
            item = self._list.item(row)
            self._list.blockSignals(True)
            item.setText(one_line(f"{profile.name}   {endpoint_text(profile)}", 300))
            item.setToolTip(tool_tip(f"{profile.name}\n{endpoint_text(profile)}"))
            self._list.blockSignals(False)

    def _on_row_changed(self, row: int) -> None:
        if row >= 0:
            self.current_changed.emit(row)

    def _on_item_changed(self) -> None:
        self._refresh()
        self.changed.emit()
