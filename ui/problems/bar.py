"""The bar above the problems: filter, severities, grouping, and what is muted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from inspector.checks.clients import CLIENTS
from inspector.finding import Severity
from ui.problems.selection import Grouping, Selection
from ui.theme import tokens
from ui.theme.signs import Sign
from ui.widgets.buttons import link_button, tool_button
from ui.widgets.filter_field import FilterField
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import row_layout
from ui.widgets.segmented_control import SegmentedControl
from ui.widgets.toggle_button import ToggleButton
from ui.widgets.units import plural

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from inspector.checks.clients import Targets
    from inspector.checks.problem_sums import Sums
    from ui.theme import Theme

HEIGHT = 34
"""Pixels at 100%, with the hairline."""
FILTER_WIDTH, MIN_FILTER_WIDTH = 420, 140
"""Pixels at 100%."""
FILTER_STRETCH = 100
"""How much more of the space the filter takes than what is left empty, until it is as wide as it gets."""
GROUPINGS = ((Grouping.RULE, "Rule"), (Grouping.TOOL, "Tool"), (Grouping.FRAME, "Frame"))
_TOGGLES = (
    (Severity.ERROR, "errors", "Errors"),
    (Severity.WARNING, "warnings", "Warnings"),
    (Severity.INFO, "notes", "Notes"),
)


class ProblemsBar(QWidget):
    """What is displayed, and how.

    Signals:
        selection_changed: other findings are to be displayed, or in other groups.
        rows_requested: move the focus from the filter to the rows.
        sort_requested: put the rows in order again.
        copy_requested: copy what is displayed as Markdown.
        explain_toggled: explain the rule of the current row, or no longer.
        mute_requested: show which rules are muted.
        targets_chosen: the clients that the server is for are these; none for all clients.
    """

    selection_changed = Signal()
    rows_requested = Signal()
    sort_requested = Signal()
    copy_requested = Signal()
    explain_toggled = Signal()
    mute_requested = Signal()
    targets_chosen = Signal(frozenset)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Show everything, by rule."""
        super().__init__(parent)
        self.setObjectName("problems_bar")
        self._theme = theme
        self._targets: Targets = frozenset()
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self.filter = FilterField(
            theme=theme, placeholder="Filter problems", name="problems_filter", parent=self
        )
        self.toggles: dict[Severity, ToggleButton] = {}
        for severity, key, text in _TOGGLES:
            toggle = ToggleButton(text, theme=theme, name=f"problems_{key}", parent=self)
            toggle.setChecked(True)
            self.toggles[severity] = toggle
        self._group_label = plain_label("Group by", tone="muted", parent=self)
        self.grouping = SegmentedControl(GROUPINGS, name="problems_grouping", parent=self)
        self.grouping.setAccessibleName("Group by")
        self.muted = plain_label(tone="muted", name="problems_muted", parent=self)
        self.mute = link_button("Mute rules…", name="problems_mute", parent=self)
        self.explain = ToggleButton("Explain", theme=theme, name="problems_explain", parent=self)
        self.explain.setToolTip("Explain rule (Space)")
        self.menu = tool_button(theme, Sign.MORE, "More options", name="problems_menu", parent=self)
        self._row = row_layout(self, self.filter, *self.toggles.values(), space=0)
        for part in (self._group_label, self.grouping):
            self._row.addWidget(part)
        self._row.addStretch(1)
        self._row.setStretch(0, FILTER_STRETCH)
        for part in (self.muted, self.mute, self.explain, self.menu):
            self._row.addWidget(part)

    def _wire(self) -> None:
        self.filter.settled.connect(self.selection_changed)
        self.filter.left_down.connect(self.rows_requested)
        for toggle in self.toggles.values():
            toggle.toggled.connect(self.selection_changed)
        self.grouping.chosen.connect(self.selection_changed)
        self.mute.clicked.connect(self.mute_requested)
        self.explain.clicked.connect(self.explain_toggled)
        self.menu.clicked.connect(self._on_menu_clicked)
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        px = self._theme.px
        self.setFixedHeight(px(HEIGHT) - 1)  # the hairline is the last pixel
        self._row.setContentsMargins(px(8), 0, px(8), 0)
        self._row.setSpacing(px(8))
        self.filter.line.setFixedHeight(px(tokens.FIELD))
        self.filter.setMinimumWidth(px(MIN_FILTER_WIDTH))
        self.filter.setMaximumWidth(px(FILTER_WIDTH))
        for toggle in (*self.toggles.values(), self.explain):
            toggle.setFixedHeight(px(tokens.MIN_TARGET))
            toggle.setMinimumWidth(0)  # the widest text of before was of another size
            toggle.setMinimumWidth(toggle.sizeHint().width())
        self.menu.setFixedSize(px(tokens.FIELD), px(tokens.FIELD))
        small = self._theme.font(tokens.SMALL)
        self._group_label.setFont(self._theme.font())
        self.muted.setFont(small)
        self._fit()

    def selection(self) -> Selection:
        """Return what is to be displayed."""
        hidden = (severity for severity, each in self.toggles.items() if not each.isChecked())
        grouping = Grouping(self.grouping.current())
        return Selection(grouping, self.filter.text().strip(), frozenset(hidden))

    @property
    def is_explaining(self) -> bool:
        """Whether the rule of the current row is explained."""
        return self.explain.isChecked()

    def show_explaining(self, explaining: bool) -> None:
        """Show whether it is."""
        self.explain.setChecked(explaining)

    def set_grouping(self, grouping: Grouping) -> None:
        """Have other groups."""
        self.grouping.choose(grouping)
        self.selection_changed.emit()

    def show_targets(self, targets: Targets) -> None:
        """Show which clients the server is for; `show_sums` says it."""
        self._targets = targets

    def show_sums(self, sums: Sums, dropped: int = 0) -> None:
        """Show how many rules found something, by severity, and how many of those are muted; `dropped` findings were not kept."""
        counts = {
            Severity.ERROR: sums.errors,
            Severity.WARNING: sums.warnings,
            Severity.INFO: sums.notes,
        }
        for severity, _, text in _TOGGLES:
            toggle = self.toggles[severity]
            label = f"{text} {counts[severity]:,}"
            if toggle.text() != label:
                toggle.setText(label)
                toggle.setAccessibleName(label)
                toggle.setMinimumWidth(max(toggle.minimumWidth(), toggle.sizeHint().width()))
                self._fit()
        names = sorted(self._targets)
        parts = (
            f"for {names[0] if len(names) == 1 else plural(len(names), 'client')}" if names else "",
            f"{sums.muted:,} muted" if sums.muted else "",
            f"{plural(dropped, 'finding')} not listed" if dropped else "",
        )
        text = " · ".join(part for part in parts if part)
        if text != self.muted.text():
            self.muted.setText(text)
            self._fit()

    def _fit(self) -> None:
        """Hide what is in the menu too where there is no room for all; no text is ever elided."""
        spare = (self._group_label, self.mute, self.muted, self.grouping, self.explain)
        parts = (self.filter, *self.toggles.values(), *spare, self.menu)
        widths = {part: max(part.minimumWidth(), part.sizeHint().width()) for part in parts}
        widths[self.filter] = self._theme.px(MIN_FILTER_WIDTH)
        if not self.muted.text():
            del widths[self.muted]
        available = self.width() - 2 * self._theme.px(8)
        for part in spare:
            if sum(widths.values()) + len(widths) * self._theme.px(8) <= available:
                break
            widths.pop(part, None)
        for part in spare:
            part.setVisible(part in widths)

    def minimumSizeHint(self) -> QSize:
        """Room for what is never hidden: the rest makes the page no wider."""
        px = self._theme.px
        parts = (*self.toggles.values(), self.menu)
        needed = sum(max(part.minimumWidth(), part.sizeHint().width()) for part in parts)
        gaps = (len(parts) + 2) * px(8)
        return QSize(px(MIN_FILTER_WIDTH) + needed + gaps, px(HEIGHT) - 1)

    def make_menu(self) -> QMenu:
        """Return the menu as things are now."""
        menu = QMenu(self)
        menu.setObjectName("problems_options")
        for key, text in GROUPINGS:
            action = menu.addAction(f"Group by {text.lower()}", lambda k=key: self.set_grouping(k))
            action.setCheckable(True)
            action.setChecked(self.grouping.current() == key)
        menu.addSeparator()
        menu.addAction("Sort again", self.sort_requested.emit)
        explain = menu.addAction("Explain rule\tSpace", self.explain_toggled.emit)
        explain.setCheckable(True)
        explain.setChecked(self.is_explaining)
        menu.addAction("Copy as Markdown", self.copy_requested.emit)
        menu.addSeparator()
        menu.addMenu(self._make_target_menu(menu))
        menu.addAction("Mute rules…", self.mute_requested.emit)
        return menu

    def _make_target_menu(self, parent: QWidget) -> QMenu:
        """Return the menu of the clients whose limits are checked."""
        menu = QMenu("Target clients", parent)
        menu.setObjectName("problems_targets")
        every = menu.addAction("All clients", lambda: self.targets_chosen.emit(frozenset()))
        every.setCheckable(True)
        every.setChecked(not self._targets)
        menu.addSeparator()
        for name in CLIENTS:
            others = self._targets ^ {name}
            action = menu.addAction(name, lambda chosen=others: self.targets_chosen.emit(chosen))
            action.setCheckable(True)
            action.setChecked(name in self._targets)
        return menu

    def show_target_menu(self) -> None:
        """Offer the clients whose limits are checked."""
        self._pop_up(self._make_target_menu(self))

    def _on_menu_clicked(self) -> None:
        self._pop_up(self.make_menu())

    def _pop_up(self, menu: QMenu) -> None:
        menu.aboutToHide.connect(menu.deleteLater)
        corner = self.menu.mapToGlobal(self.menu.rect().bottomRight())
        menu.popup(corner - QPoint(menu.sizeHint().width(), 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More or fewer parts fit."""
        super().resizeEvent(event)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc goes on to the rows; what was typed stays."""
        if event.key() == Qt.Key.Key_Escape:
            self.rows_requested.emit()
        else:
            super().keyPressEvent(event)
