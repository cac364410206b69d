"""The tools of a server as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt

from inspector.spec.views.tool import ToolView
from ui.models.list_rows import ListRows
from ui.widgets.delegates import BADGES_ROLE, SECONDARY_ROLE, TONE_ROLE, spoken
from ui.widgets.labels import tool_tip
from ui.widgets.units import size

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject

HINT_TONES = {
    "read-only": "ok",
    "destructive": "error",
    "idempotent": "ok",
    "open world": "pending",
}
"""The tone of each hint; its text says the same."""

DUPLICATE = "L-TOOL-04"
"""The rule about names that more than one tool has."""

_Index = QModelIndex | QPersistentModelIndex


class ToolListModel(ListRows[ToolView]):
    """Tools whose name, title or description matches the filter."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Start without tools."""
        super().__init__(_searched, parent)
        self.excluded: Callable[[ToolView], str] = lambda _tool: ""
        """Returns why a tool must not be called; empty if it may."""

    def is_duplicate(self, position: int) -> bool:
        """Whether another tool has the same name."""
        return any(finding.rule == DUPLICATE for finding in self.clashes(position))

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """Return name, title and badges of one tool."""
        if not 0 <= index.row() < len(self._shown):
            return None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(index)
        position = self._shown[index.row()]
        tool = self.items[position]
        if role == Qt.ItemDataRole.DisplayRole:
            return tool.label
        if role == SECONDARY_ROLE:
            return "" if tool.label == tool.id_label else tool.id_label
        if role == BADGES_ROLE:
            return self._badges(position)
        if role == TONE_ROLE:
            return "text" if tool.has_id else "error"
        if role == Qt.ItemDataRole.ToolTipRole:
            return tool_tip(_tip(tool, self.excluded(tool)))
        return None

    def _badges(self, position: int) -> list[tuple[str, str]]:
        badges = self.mark_badges(position)
        if self.excluded(self.items[position]):
            badges.append(("excluded", "error"))
        if self.is_duplicate(position):
            badges.append(("duplicate", "warning"))
        tool = self.items[position]
        # A narrow row keeps the last badges: "destructive" matters more than "idempotent".
        badges += [
            (hint, HINT_TONES[hint])
            for hint, holds, stated in reversed(tool.annotations.hints())
            if stated and holds
        ]
        problems = len(tool.problems)
        if problems:
            badges.append((f"{problems} ⚠", "warning"))
        if self.is_ordered:
            badges.append((size(tool.definition_bytes), "muted"))
        return badges


def _searched(tool: ToolView) -> str:
    return f"{tool.label}\n{tool.name}\n{tool.description}".casefold()


def _tip(tool: ToolView, excluded: str) -> str:
    name = "" if tool.label == tool.id_label else tool.id_label
    why = f"Excluded: {excluded}" if excluded else ""
    cost = f"Definition: {tool.definition_bytes:,} bytes"
    return "\n".join(line for line in (tool.label, name, why, tool.description, cost) if line)
