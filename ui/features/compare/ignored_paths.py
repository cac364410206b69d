"""The paths that a comparison ignores: those of every message, those that were learned, and those that the user decided about for the server."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from inspector.compare.volatile_paths import ENVELOPE
from inspector.config.ignored_paths import IgnoredPathSettings
from ui.widgets.labels import no_mnemonic

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from inspector.compare.paths import PathPattern


class IgnoredPaths(QObject):
    """Patterns, each of them ignored or not.

    Signals:
        changed: the user ignores a path, or no longer.
    """

    changed = Signal()

    def __init__(self, *, parent: QWidget) -> None:
        """Start with the paths of every message; menus belong to `parent`."""
        super().__init__(parent)
        self._owner = parent
        self._learned: dict[PathPattern, None] = {}
        self._settings = IgnoredPathSettings()

    @property
    def patterns(self) -> list[PathPattern]:
        """The patterns that are ignored."""
        return [each for each in self._all() if self._is_ignored(each)]

    def _all(self) -> tuple[PathPattern, ...]:
        return tuple(dict.fromkeys((*ENVELOPE, *self._learned, *self._settings.decided)))

    def _is_ignored(self, pattern: PathPattern) -> bool:
        return self._settings.decided.get(pattern, True)

    def clear(self) -> None:
        """Forget what was learned."""
        self._learned.clear()

    def set_settings(self, settings: IgnoredPathSettings | None) -> None:
        """Follow what the user decided for a server, and keep new decisions there; without one, for this page alone."""
        self._settings = settings or IgnoredPathSettings()

    def learn(self, patterns: Iterable[PathPattern]) -> None:
        """Ignore these from now on, unless the user decided otherwise."""
        for each in patterns:
            if each not in ENVELOPE:
                self._learned.setdefault(each)

    def set_ignored(self, pattern: PathPattern, ignored: bool = True) -> None:
        """Ignore a path, or no longer."""
        self._settings.decide(pattern, ignored=ignored)
        self.changed.emit()

    def open_menu(self, position: QPoint, counts: Mapping[str, int]) -> None:
        """Offer all patterns, each with its number of changes, to be ignored or not."""
        menu = QMenu(self._owner)
        menu.setObjectName("compare_ignored_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for pattern in self._all():
            text = no_mnemonic(pattern.text)
            count = counts.get(pattern.text, 0)
            action = menu.addAction(f"{text}\t{count:,}" if count else text)
            action.setCheckable(True)
            action.setChecked(self._is_ignored(pattern))
            action.toggled.connect(partial(self.set_ignored, pattern))
        menu.popup(position)
