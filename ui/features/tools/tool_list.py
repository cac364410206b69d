"""The list of tools, in the order of the server or by the size of their definitions, and its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt

from inspector.spec.views.tool import ToolView
from ui.filtered_list import RowList
from ui.models.list_rows import ListRows, list_signs
from ui.widgets.buttons import tool_button
from ui.widgets.delegates import (
    BADGES_ROLE,
    PLAIN,
    SECONDARY_ROLE,
    SIGNS_ROLE,
    TONE_ROLE,
    Sign,
    accessible_row_text,
)
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

DESTRUCTIVE_ICON = "mdi6.alert-outline"
TASK_ICON = "mdi6.clock-outline"
EXCLUDED_ICON = "mdi6.cancel"

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
        read = _DATA.get(role)
        return read(self, self._visible[index.row()]) if read is not None else None

    def signs(self, position: int) -> list[Sign]:
        """Return what is exceptional about a tool; with little room, the last sign stays."""
        signs: list[Sign] = []
        tool = self.items[position]
        if tool.task_support != "forbidden":
            tone = "warning" if tool.task_support == "required" else "muted"
            signs.append(Sign(TASK_ICON, tone, f"task {tool.task_support}"))
        signs += list_signs(len(tool.problems), is_duplicate=self.is_duplicate(position))
        hints = {hint for hint, holds, stated in tool.annotations.hints() if stated and holds}
        if "destructive" in hints:
            signs.append(Sign(DESTRUCTIVE_ICON, "error", "destructive"))
        if self.excluded(tool):
            signs.append(Sign(EXCLUDED_ICON, "error", "excluded"))
        return signs

    def badges(self, position: int) -> list[tuple[str, str]]:
        """Return the badges of a tool, as (text, tone)."""
        badges = self.mark_badges(position)
        if self.is_ordered:
            badges.append((size(self.items[position].definition_bytes), PLAIN))
        return badges


def _searched(tool: ToolView) -> str:
    return f"{tool.label}\n{tool.name}\n{tool.description}".casefold()


def _tip(tool: ToolView, excluded: str, signs: Sequence[Sign]) -> str:
    name = "" if tool.label == tool.id_label else tool.id_label
    why = f"Excluded: {excluded}" if excluded else ""
    hints = [hint for hint, holds, stated in tool.annotations.hints() if stated and holds]
    marks = ", ".join(dict.fromkeys((*(sign.text for sign in reversed(signs)), *hints)))
    cost = f"Definition: {tool.definition_bytes:,} bytes"
    lines = (tool.label, name, why, marks, tool.description, cost)
    return "\n".join(line for line in lines if line)


def _secondary(model: ToolListModel, position: int) -> str:
    tool = model.items[position]
    return "" if tool.label == tool.id_label else tool.id_label


def _tool_tip(model: ToolListModel, position: int) -> str:
    tool = model.items[position]
    return tool_tip(_tip(tool, model.excluded(tool), model.signs(position)))


_DATA: dict[int, Callable[[ToolListModel, int], object]] = {
    int(Qt.ItemDataRole.DisplayRole): lambda model, at: model.items[at].label,
    SECONDARY_ROLE: _secondary,
    BADGES_ROLE: ToolListModel.badges,
    SIGNS_ROLE: ToolListModel.signs,
    TONE_ROLE: lambda model, at: "text" if model.items[at].has_id else "error",
    int(Qt.ItemDataRole.ToolTipRole): _tool_tip,
}
"""Role → its value for a tool."""
