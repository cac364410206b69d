"""A small box of which one option is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

if TYPE_CHECKING:
    from collections.abc import Sequence


class OptionComboBox(QComboBox):
    """Options by key.

    Signals:
        chosen: the person chose the option of this key.
    """

    chosen = Signal(str)

    def __init__(
        self,
        options: Sequence[tuple[str, str]],
        *,
        name: str,
        words: str,
        parent: QWidget | None = None,
    ) -> None:
        """Offer `options` as (key, words); the first is chosen. `words` name the box."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(words)
        self._keys = [key for key, _ in options]
        for _, shown in options:
            self.addItem(shown)
        self.activated.connect(self._on_activated)

    def current(self) -> str:
        """The key of what is chosen; empty if there is nothing to choose."""
        return self._keys[self.currentIndex()] if self._keys else ""

    def choose(self, key: str) -> None:
        """Choose without telling; unknown keys change nothing."""
        if key in self._keys:
            self.setCurrentIndex(self._keys.index(key))

    def _on_activated(self, at: int) -> None:
        self.chosen.emit(self._keys[at])
