"""In the place of the rows of a list while its filter leaves none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject

from ui.widgets.empty_state import EmptyState

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractItemView

    from ui.theme import Theme
    from ui.widgets.filter_field import FilterField


class NoMatches(QObject):
    """Covers the viewport of a list; the filter and the focus stay where they are."""

    def __init__(
        self, *, theme: Theme, view: QAbstractItemView, filter_field: FilterField, name: str
    ) -> None:
        """Cover `view`, and offer to clear `filter_field`; owned by the view."""
        super().__init__(view)
        self._viewport = view.viewport()
        self._filter = filter_field
        self.cover = EmptyState(
            "No matches",
            theme=theme,
            icon="mdi6.filter-off-outline",
            action="Clear filter",
            name=f"{name}_no_matches",
            parent=self._viewport,
        )
        self.cover.setProperty("surface", "panel")
        self.cover.hide()
        self.cover.action_triggered.connect(self._on_action_triggered)
        self._viewport.installEventFilter(self)

    def show_count(self, shown: int, total: int, noun: str) -> None:
        """Cover the list if `shown` is none of `total` things that match the filter."""
        is_empty = not shown and total > 0 and bool(self._filter.text().strip())
        if is_empty:
            self.cover.set_words(
                "No matches",
                f"The filter hides all {total:,} {noun}.",
                action="Clear filter",
            )
            self.cover.setGeometry(self._viewport.rect())
        self.cover.setVisible(is_empty)

    def _on_action_triggered(self) -> None:
        self._filter.set_text("")
        self._filter.focus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Grow with the viewport."""
        if event.type() == QEvent.Type.Resize:
            self.cover.setGeometry(self._viewport.rect())
        return super().eventFilter(watched, event)
