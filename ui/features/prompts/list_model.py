"""The prompts of a server as rows, with an own filter. Rows refer to prompts by position, so equal names stay apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from ui.widgets.list_delegate import BADGES_ROLE, SECONDARY_ROLE, TONE_ROLE
from ui.widgets.units import amount
from ui.widgets.visible_text import tool_tip

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtCore import QObject

    from inspector.finding import Finding
    from inspector.spec.views.prompt import PromptView

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class PromptListModel(QAbstractListModel):
    """Prompts that match the filter, in the order of the server."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Start without prompts."""
        super().__init__(parent)
        self.prompts: Sequence[PromptView] = ()
        self.all_clashes: Mapping[int, tuple[Finding, ...]] = {}
        self._words: list[str] = []
        self._shown: list[int] = []

    def set_prompts(
        self, prompts: Sequence[PromptView], clashes: Mapping[int, tuple[Finding, ...]]
    ) -> None:
        """Show `prompts`; `clashes` are findings about names, by position."""
        self.beginResetModel()
        self.prompts, self.all_clashes = prompts, clashes
        self._shown = self._matching()
        self.endResetModel()

    def set_filter(self, text: str) -> None:
        """Keep only prompts that have every word of `text` in name, title, description or arguments."""
        self.beginResetModel()
        self._words = text.casefold().split()
        self._shown = self._matching()
        self.endResetModel()

    @property
    def is_filtered(self) -> bool:
        """Whether a filter is on."""
        return bool(self._words)

    def clashes(self, position: int) -> tuple[Finding, ...]:
        """What is odd about the name of a prompt beside the others."""
        return self.all_clashes.get(position, ())

    def position(self, row: int) -> int:
        """The position, in the server's list, of the prompt in a row."""
        return self._shown[row]

    def row_of(self, position: int) -> int:
        """The row of the prompt at `position`; -1 when the filter hides it."""
        return self._shown.index(position) if position in self._shown else -1

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        """How many match."""
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """Name, title and badges of one prompt."""
        read = _DATA.get(role) if index.isValid() else None
        return read(self, self._shown[index.row()]) if read is not None else None

    def badges(self, position: int) -> list[tuple[str, str]]:
        """What is to be seen at once about a prompt."""
        prompt = self.prompts[position]
        badges: list[tuple[str, str]] = []
        if self.all_clashes.get(position):
            badges.append(("duplicate", "warning"))
        if prompt.problems:
            badges.append((f"{len(prompt.problems)} ⚠", "warning"))
        if prompt.arguments:
            badges.append((amount(len(prompt.arguments), "argument"), "muted"))
        return badges

    def _matching(self) -> list[int]:
        return [
            at
            for at, prompt in enumerate(self.prompts)
            if not self._words or all(word in _searched(prompt) for word in self._words)
        ]


def _secondary(model: PromptListModel, position: int) -> str:
    prompt = model.prompts[position]
    return "" if prompt.label == prompt.name_label else prompt.name_label


def _tip(model: PromptListModel, position: int) -> str:
    prompt = model.prompts[position]
    lines = (prompt.label, _secondary(model, position), prompt.description)
    return tool_tip("\n".join(line for line in lines if line))


def _searched(prompt: PromptView) -> str:
    arguments = [argument.name for argument in prompt.arguments]
    return "\n".join((prompt.label, prompt.name, prompt.description, *arguments)).casefold()


_DATA: dict[int, Callable[[PromptListModel, int], object]] = {
    int(Qt.ItemDataRole.DisplayRole): lambda model, at: model.prompts[at].label,
    SECONDARY_ROLE: _secondary,
    BADGES_ROLE: PromptListModel.badges,
    TONE_ROLE: lambda model, at: "text" if model.prompts[at].has_name else "error",
    int(Qt.ItemDataRole.ToolTipRole): _tip,
}
"""Role → what it is for a prompt."""
