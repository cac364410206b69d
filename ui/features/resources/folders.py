"""Which folders of the tree are open: as the person left them, and all of them where there are few entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from PySide6.QtCore import QModelIndex
    from PySide6.QtWidgets import QTreeView

    from ui.features.resources.tree_model import ResourceTreeModel

OPEN_ROWS = 400
"""Up to as many entries, every folder is open at first, and while a filter is on."""


class Folders(QObject):
    """Opens folders as they come, and remembers those that were closed by hand."""

    def __init__(self, view: QTreeView, model: ResourceTreeModel) -> None:
        """Look after the folders of `model` in `view`."""
        super().__init__(view)
        self.closed: set[str] = set()
        """Paths of folders that are closed."""
        self.is_restoring = False
        """Whether what opens and closes does so by itself."""
        self._view, self._model = view, model
        view.expanded.connect(self._on_expanded)
        view.collapsed.connect(self._on_collapsed)
        model.rowsInserted.connect(self._on_rows_inserted)

    def set_closed(self, closed: AbstractSet[str]) -> None:
        """Remember these from now on."""
        self.closed = set(closed)

    def open(self) -> None:
        """Open what is to be open, after all rows were replaced."""
        if self._are_few and (self._model.is_filtered or not self.closed):
            self._view.expandAll()  # at once, without a layout for each
            return
        for index, path in self._model.folders():
            self._view.setExpanded(index, self._is_to_open(index, path))

    @property
    def _are_few(self) -> bool:
        return self._model.shown <= OPEN_ROWS

    def _is_to_open(self, index: QModelIndex, path: str) -> bool:
        if self._are_few and self._model.is_filtered:
            return True
        return path not in self.closed and (self._are_few or not index.parent().isValid())

    def _on_rows_inserted(self, parent: QModelIndex, first: int, last: int) -> None:
        for index in (self._model.index(row, 0, parent) for row in range(first, last + 1)):
            node = self._model.node(index)
            if node.position < 0:
                self._view.setExpanded(index, self._is_to_open(index, node.path))

    def _on_expanded(self, index: QModelIndex) -> None:
        if not self.is_restoring:
            self.closed.discard(self._model.node(index).path)

    def _on_collapsed(self, index: QModelIndex) -> None:
        if not self.is_restoring and not self._model.is_filtered:
            self.closed.add(self._model.node(index).path)
