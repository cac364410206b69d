"""The tools of a server as rows, with an own filter. Rows refer to tools by position, so equal names stay apart.

The rows are Qt's own list of (empty) texts: a view asks for their number once for each row whenever it lays itself out, which for
thousands of them takes a tenth of a second if Python answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QStringListModel, Qt

from ui.widgets.list_delegate import BADGES_ROLE, SECONDARY_ROLE, TONE_ROLE
from ui.widgets.visible_text import tool_tip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from PySide6.QtCore import QObject

    from inspector.finding import Finding
    from inspector.spec.views.tool import ToolView

DUPLICATE = "L-TOOL-04"
"""The rule about names that more than one tool has."""

_Index = QModelIndex | QPersistentModelIndex


class ToolListModel(QStringListModel):
    """Tools that match the filter, in the order of the server."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Start without tools."""
        super().__init__(parent)
        self.tools: Sequence[ToolView] = ()
        self.excluded: Callable[[ToolView], str] = lambda _tool: ""
        """Why a tool must not be called; empty where it may be."""
        self._clashes: Mapping[int, tuple[Finding, ...]] = {}
        self._texts: list[str] = []
        self._words: list[str] = []
        self._shown: list[int] = []

    def set_tools(
        self, tools: Sequence[ToolView], clashes: Mapping[int, tuple[Finding, ...]]
    ) -> bool:
        """Show `tools`; `clashes` are findings about names, by position.

        A list that only grew gets its new rows; True when all rows were replaced, and with them what was selected.
        """
        grown = _begins_with(tools, self.tools)
        if grown:
            self._append(tools)
        else:
            self._replace(tools)
        if clashes != self._clashes:
            self._clashes = clashes
            if self._shown:
                self.dataChanged.emit(self.index(0), self.index(len(self._shown) - 1))
        return not grown

    def set_filter(self, text: str) -> bool:
        """Keep only tools whose name, title or description has every word of `text`; True if rows were replaced."""
        words = text.casefold().split()
        if words == self._words:
            return False
        self._words = words
        self._show(self._matching(range(len(self.tools))))
        return True

    def clashes(self, position: int) -> tuple[Finding, ...]:
        """What is odd about the name of a tool beside the others."""
        return self._clashes.get(position, ())

    def is_duplicate(self, position: int) -> bool:
        """Whether another tool has the same name."""
        return any(finding.rule == DUPLICATE for finding in self.clashes(position))

    def position(self, row: int) -> int:
        """The position, in the server's list, of the tool in a row."""
        return self._shown[row]

    def row_of(self, position: int) -> int:
        """The row of the tool at `position`; -1 when the filter hides it."""
        try:
            return self._shown.index(position)
        except ValueError:
            return -1

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """Name, title and badges of one tool."""
        if not 0 <= index.row() < len(self._shown):
            return None
        position = self._shown[index.row()]
        tool = self.tools[position]
        if role == Qt.ItemDataRole.DisplayRole:
            return tool.label
        if role == SECONDARY_ROLE:
            return "" if tool.label == tool.name_label else tool.name_label
        if role == BADGES_ROLE:
            return self._badges(position)
        if role == TONE_ROLE:
            return "text" if tool.has_name else "error"
        if role == Qt.ItemDataRole.ToolTipRole:
            return tool_tip(_tip(tool, self.excluded(tool)))
        return None

    def _append(self, tools: Sequence[ToolView]) -> None:
        known = len(self.tools)
        self._texts += [_searched(tool) for tool in tools[known:]]
        matching = self._matching(range(known, len(tools)))
        first = len(self._shown)
        self.tools = tools
        self._shown += matching
        if matching:
            self.insertRows(first, len(matching))

    def _replace(self, tools: Sequence[ToolView]) -> None:
        self.tools = tools
        self._texts = [_searched(tool) for tool in tools]
        self._show(self._matching(range(len(tools))))

    def _show(self, positions: list[int]) -> None:
        self._shown = positions
        self.setStringList([""] * len(positions))

    def _badges(self, position: int) -> list[tuple[str, str]]:
        badges: list[tuple[str, str]] = []
        if self.excluded(self.tools[position]):
            badges.append(("excluded", "error"))
        if self.is_duplicate(position):
            badges.append(("duplicate", "warning"))
        problems = len(self.tools[position].problems)
        if problems:
            badges.append((f"{problems} ⚠", "warning"))
        return badges

    def _matching(self, positions: Iterable[int]) -> list[int]:
        words = self._words
        if not words:
            return list(positions)
        texts = self._texts
        return [at for at in positions if all(word in texts[at] for word in words)]


def _begins_with(tools: Sequence[ToolView], before: Sequence[ToolView]) -> bool:
    """Whether `tools` are those from `before` and more; pages are only ever added to what was read."""
    if len(tools) < len(before):
        return False
    return not before or all(tools[at] is before[at] for at in (0, len(before) - 1))


def _searched(tool: ToolView) -> str:
    return f"{tool.label}\n{tool.name}\n{tool.description}".casefold()


def _tip(tool: ToolView, excluded: str) -> str:
    name = "" if tool.label == tool.name_label else tool.name_label
    why = f"Excluded: {excluded}" if excluded else ""
    return "\n".join(line for line in (tool.label, name, why, tool.description) if line)
