"""The list of tools, in the order of the server or by the size of their definitions, and its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt

from inspector.spec.views.tool import ToolView
from ui.filtered_list import RowList
from ui.models.list_rows import ListRows
from ui.widgets.buttons import tool_button
from ui.widgets.delegates import BADGES_ROLE, SECONDARY_ROLE, TONE_ROLE, accessible_row_text
from ui.widgets.labels import tool_tip
from ui.widgets.units import plural, size

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QToolButton

    from inspector.features.tools import Tools


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


class ToolList(RowList["ToolView"]):
    """The tools of a server."""

    noun: ClassVar[str] = "tool"
    view_label: ClassVar[str] = "Tools"
    counted: ClassVar[tuple[str, str]] = ("tool", "tools")

    def make_model(self) -> ToolListModel:
        """Return the empty model of the rows."""
        self._rows = ToolListModel(self)
        return self._rows

    def make_buttons(self) -> Sequence[QToolButton]:
        """Return the button that sorts by size."""
        self.by_size = tool_button(
            self._theme,
            "mdi6.sort-descending",
            "Largest definitions first",
            name="tools_by_size",
            checkable=True,
            parent=self,
        )
        self.by_size.toggled.connect(self._on_by_size_toggled)
        return (self.by_size,)

    def key(self, item: ToolView) -> str:
        """Return the name of a tool as displayed."""
        return item.id_label

    def show_tools(self, tools: Tools | None, *, again: bool = False) -> None:
        """Show the current state of the list; `again` if the same server was connected again."""
        self._rows.excluded = tools.excluded if tools is not None else _not_excluded
        self.show_listing(tools, again=again)

    @property
    def is_duplicate(self) -> bool:
        """Whether the selected tool shares its name with another."""
        return self._rows.is_duplicate(self.position)

    def summary(self) -> str:
        """Return the size of all definitions while they decide the order; else the count where it is not obvious."""
        tools = self.model.items
        if not self.model.is_ordered:
            return super().summary()
        return f"{plural(len(tools), 'tool')}, {size(sum(map(_definition_bytes, tools)))} of definitions"

    def _on_by_size_toggled(self, by_size: bool) -> None:
        self.set_order(_definition_bytes if by_size else None)


def _definition_bytes(tool: ToolView) -> int:
    return tool.definition_bytes


def _not_excluded(_tool: ToolView) -> str:
    return ""


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
        if not 0 <= index.row() < len(self._visible):
            return None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return accessible_row_text(index)
        position = self._visible[index.row()]
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
