"""The list of prompts, and its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal

from inspector.spec.views.prompt import PromptView
from ui.filtered_list import RowList
from ui.models.list_rows import ListRows, list_signs
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
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QListView


_Index = QModelIndex | QPersistentModelIndex


class PromptList(RowList["PromptView"]):
    """The prompts of a server.

    Signals:
        get_requested: the selected prompt is to be got, or its first field to be filled in.
    """

    get_requested = Signal()

    noun: ClassVar[str] = "prompt"
    view_label: ClassVar[str] = "Prompts"
    counted: ClassVar[tuple[str, str]] = ("prompt", "prompts")

    def make_model(self) -> PromptListModel:
        """Return the empty model of the rows."""
        return PromptListModel(self)

    def make_view(self) -> QListView:
        """Return the rows, of which Enter gets one."""
        view = super().make_view()
        view.activated.connect(self.get_requested)
        return view

    def key(self, item: PromptView) -> str:
        """Return the name of a prompt as displayed."""
        return item.id_label


class PromptListModel(ListRows[PromptView]):
    """Prompts whose name, title, description or arguments match the filter."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Start without prompts."""
        super().__init__(_searched, parent)

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """Return name, title and badges of one prompt."""
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return accessible_row_text(index)
        read = _DATA.get(role) if 0 <= index.row() < len(self._visible) else None
        return read(self, self._visible[index.row()]) if read is not None else None

    def badges(self, position: int) -> list[tuple[str, str]]:
        """Return the badges of a prompt, as (text, tone)."""
        prompt = self.items[position]
        badges = self.mark_badges(position)
        if prompt.arguments:
            badges.append((plural(len(prompt.arguments), "argument"), PLAIN))
        return badges

    def signs(self, position: int) -> list[Sign]:
        """Return what is exceptional about a prompt."""
        problems = len(self.items[position].problems)
        return list_signs(problems, is_duplicate=bool(self.all_clashes.get(position)))


def _secondary(model: PromptListModel, position: int) -> str:
    prompt = model.items[position]
    return "" if prompt.label == prompt.id_label else prompt.id_label


def _tip(model: PromptListModel, position: int) -> str:
    prompt = model.items[position]
    lines = (prompt.label, _secondary(model, position), prompt.description)
    return tool_tip("\n".join(line for line in lines if line))


def _searched(prompt: PromptView) -> str:
    arguments = [argument.name for argument in prompt.arguments]
    return "\n".join((prompt.label, prompt.name, prompt.description, *arguments)).casefold()


_DATA: dict[int, Callable[[PromptListModel, int], object]] = {
    int(Qt.ItemDataRole.DisplayRole): lambda model, at: model.items[at].label,
    SECONDARY_ROLE: _secondary,
    BADGES_ROLE: PromptListModel.badges,
    SIGNS_ROLE: PromptListModel.signs,
    TONE_ROLE: lambda model, at: "text" if model.items[at].has_id else "error",
    int(Qt.ItemDataRole.ToolTipRole): _tip,
}
"""Role → its value for a prompt."""
