"""The list of prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Signal

from ui.features.prompts.list_model import PromptListModel
from ui.filtered_list import RowList

if TYPE_CHECKING:
    from PySide6.QtWidgets import QListView

    from inspector.spec.views.prompt import PromptView


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
