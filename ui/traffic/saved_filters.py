"""Saved filters: links in the bar, and colors of rows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from inspector.config.saved_filters import SavedFilter
from inspector.visible_text import one_line
from ui.models.row_rules import rules_of
from ui.theme import tokens
from ui.theme.signs import Sign
from ui.widgets.buttons import tool_button
from ui.widgets.labels import no_mnemonic, tool_tip
from ui.widgets.layout_parts import row_layout
from ui.widgets.links import ElidedLink

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QShowEvent

    from ui.theme import Theme
    from ui.traffic.panel import TrafficPanel

MAX_LINKS = 3
"""Saved filters that are links; the others are in the menu beside them."""
MAX_LINK_CHARACTERS = 16
"""Width of a link."""
REST_PX = 640
"""Width that the rest of the bar needs; links take at most half of what is more, and those that do not fit are in the menu only."""


class _FilterLink(ElidedLink):
    """A link of one filter, no wider than `MAX_LINK_CHARACTERS`.

    Not a fixed size: the style sheet takes that back whenever it is applied again.
    """

    def __init__(self, *, name: str, theme: Theme, parent: QWidget) -> None:
        super().__init__(name=name, parent=parent)
        self._theme = theme
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """As wide as its text, up to the limit; as high as the field."""
        theme = self._theme
        widest = theme.character_width() * MAX_LINK_CHARACTERS
        whole = super().sizeHint().width() + 1  # advances of text are rounded down
        return QSize(min(whole, widest), theme.px(tokens.FIELD))

    def minimumSizeHint(self) -> QSize:
        """The same."""
        return self.sizeHint()

    def showEvent(self, event: QShowEvent) -> None:
        """Fit the text again: the style sheet has made its margins smaller since it was laid out."""
        super().showEvent(event)
        name = self.accessibleName()
        self.set_text(self.whole_text())
        self.setAccessibleName(name)


class SavedFilterLinks(QWidget):
    """The links in the bar, and the menu of all saved filters; takes no space without any."""

    def __init__(self, *, theme: Theme, apply: Callable[[str], None], parent: QWidget) -> None:
        """Start without filters; `apply` filters by a text."""
        super().__init__(parent)
        self.setObjectName("traffic_saved_filters")
        self._theme = theme
        self._apply = apply
        self._filters: Sequence[SavedFilter] = ()
        self._current = ""
        self._available = 0
        self.edit: Callable[[], None] = lambda: None
        """Opens the dialog of saved filters."""
        self._links = [
            _FilterLink(name=f"traffic_saved_filter_{at}", theme=theme, parent=self)
            for at in range(MAX_LINKS)
        ]
        self._more = tool_button(
            theme, Sign.DOWN, "Saved filters", name="traffic_saved_more", parent=self
        )
        row_layout(self, *self._links, self._more, space=theme.SPACING_PX)
        for at, link in enumerate(self._links):
            link.clicked.connect(partial(self._on_link_clicked, at))
        self._more.clicked.connect(self._open_menu)
        theme.changed.connect(self._refresh)
        self._refresh()

    def set_filters(self, filters: Sequence[SavedFilter]) -> None:
        """Show these filters."""
        self._filters = filters
        self._refresh()

    def set_current(self, text: str) -> None:
        """Show which of them is in force."""
        self._current = text
        self._refresh()

    def set_bar_width(self, width: int) -> None:
        """Show as many links as fit into their part of the bar."""
        available = max(width - self._theme.px(REST_PX), 0) // 2
        if available != self._available:
            self._available = available
            self._refresh()

    def _in_bar(self) -> list[SavedFilter]:
        return [each for each in self._filters if each.in_bar][:MAX_LINKS]

    def _refresh(self) -> None:
        theme = self._theme
        linked, rest = self._in_bar(), self._available
        for link, each in zip(self._links, [*linked, *[None] * MAX_LINKS], strict=False):
            if each is not None:
                is_current = each.text == self._current
                link.setFont(theme.font(bold=is_current))
                link.set_text(each.name)
                link.setToolTip(tool_tip(each.text))
                link.setAccessibleName(f"Filter {each.name}{', in force' if is_current else ''}")
                rest -= link.sizeHint().width() + theme.SPACING_PX
            link.setVisible(each is not None and rest >= 0)
        self._more.setFixedSize(theme.px(tokens.FIELD), theme.px(tokens.FIELD))
        self.setVisible(bool(self._filters))

    def _toggle(self, each: SavedFilter) -> None:
        self._apply("" if each.text == self._current else each.text)

    def _on_link_clicked(self, at: int) -> None:
        self._toggle(self._in_bar()[at])

    def _open_menu(self) -> None:
        menu = self.make_menu()
        menu.popup(self._more.mapToGlobal(self._more.rect().bottomLeft()))

    def make_menu(self) -> QMenu:
        """Return the menu of all saved filters."""
        menu = QMenu(self)
        menu.setObjectName("traffic_saved_menu")
        menu.setToolTipsVisible(True)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for each in self._filters:
            action = menu.addAction(no_mnemonic(one_line(each.name, 60)))
            action.setCheckable(True)
            action.setChecked(each.text == self._current)
            action.setToolTip(tool_tip(each.text))
            action.triggered.connect(partial(self._toggle, each))
        menu.addSeparator()
        menu.addAction("Edit saved filters…", self.edit)
        return menu


class SavedFilters(QObject):
    """The saved filters of one panel."""

    def __init__(self, panel: TrafficPanel) -> None:
        """For `panel`, which owns it."""
        super().__init__(panel)
        self._panel = panel
        self.filters: tuple[SavedFilter, ...] = ()
        """Every saved filter, in the order of the bar."""
        panel.bar.saved.edit = self.edit
        panel.bar.filter.settled.connect(panel.bar.saved.set_current)

    def restore(self, filters: Sequence[SavedFilter]) -> None:
        """Have these filters."""
        self.filters = tuple(filters)
        self._panel.bar.saved.set_filters(self.filters)
        rules = rules_of(self.filters)
        self._panel.model.set_rules(rules)
        if rules:
            self._panel.modes.show_marks()

    def save_current(self) -> None:
        """Open the dialog with the filter that is typed as a new one."""
        text = self._panel.filter_text().strip()
        self._open([SavedFilter("", text)] if text else [])

    def edit(self) -> None:
        """Open the dialog."""
        self._open([])

    def _open(self, added: Sequence[SavedFilter]) -> None:
        from ui.traffic.saved_filter_dialog import SavedFilterDialog

        panel = self._panel
        dialog = SavedFilterDialog(self.filters, added, theme=panel.theme, parent=panel)
        dialog.submitted.connect(self.restore)
        dialog.open()
