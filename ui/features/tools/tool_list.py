"""The list of tools, in the order of the server or by the size of their definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ui.features.tools.list_model import ToolListModel
from ui.filtered_list import RowList
from ui.widgets.buttons import tool_button
from ui.widgets.units import plural, size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QToolButton

    from inspector.features.tools import Tools
    from inspector.spec.views.tool import ToolView


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
        """Show the current state of the list; `again` if it is that of the same server after connecting again."""
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
