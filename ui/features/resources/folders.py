"""Which folders of the tree are expanded: as the user left them, and all of them if there are few entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from PySide6.QtCore import QModelIndex
    from PySide6.QtWidgets import QTreeView

    from ui.features.resources.tree_model import ResourceTreeModel

MAX_EXPANDED_ROWS = 400
"""With at most as many entries, every folder is expanded at first and while a filter is on."""


class Folders(QObject):
    """Expands new folders, and remembers those that the user collapsed."""

    def __init__(self, view: QTreeView, model: ResourceTreeModel) -> None:
        """Manage the folders of `model` in `view`."""
        super().__init__(view)
        self.closed: set[str] = set()
        """Paths of folders that are closed."""
        self.is_restoring = False
        """Whether the program, not the user, expands and collapses."""
        self._view, self._model = view, model
        view.expanded.connect(self._on_expanded)
        view.collapsed.connect(self._on_collapsed)
        model.rowsInserted.connect(self._on_rows_inserted)

    def set_closed(self, closed: AbstractSet[str]) -> None:
        """Remember these from now on."""
        self.closed = set(closed)

    def open(self) -> None:
        """Expand folders after all rows were replaced."""
        if self._are_few and (self._model.is_filtered or not self.closed):
            self._view.expandAll()  # at once, without a layout for each
            return
        for index, path in self._model.folders():
            self._view.setExpanded(index, self._is_expanded(index, path))

    @property
    def _are_few(self) -> bool:
        return self._model.shown <= MAX_EXPANDED_ROWS

    def _is_expanded(self, index: QModelIndex, path: str) -> bool:
        if self._are_few and self._model.is_filtered:
            return True
        return path not in self.closed and (self._are_few or not index.parent().isValid())

    def _on_rows_inserted(self, parent: QModelIndex, first: int, last: int) -> None:
        for index in (self._model.index(row, 0, parent) for row in range(first, last + 1)):
            node = self._model.node(index)
            if node.position < 0:
                self._view.setExpanded(index, self._is_expanded(index, node.path))

    def _on_expanded(self, index: QModelIndex) -> None:
        if not self.is_restoring:
            self.closed.discard(self._model.node(index).path)

    def _on_collapsed(self, index: QModelIndex) -> None:
        if not self.is_restoring and not self._model.is_filtered:
            self.closed.add(self._model.node(index).path)
