"""The lines above a difference: what is compared, which part of it, and how much differs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QWidget

from inspector.visible_text import one_line
from ui.features.compare.subjects import ExchangeSubject
from ui.theme import tokens
from ui.widgets.buttons import link_button, tool_button
from ui.widgets.combo_boxes import ElidedComboBox
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import no_mnemonic, plain_label, set_tone, tool_tip
from ui.widgets.layout_parts import column_layout, reserve_width, row_layout
from ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from inspector.compare.rows import DifferenceRows
    from ui.features.compare.subjects import Parts, Subject
    from ui.theme import Theme

MAX_TITLE = 120
"""Characters of one side in a picker."""

POSITION_STEP = 4
"""Characters in whose steps the position gets its width, as numbers grow."""

NAMED_PATHS = 3
"""Ignored paths that are named; the others are counted."""

MAX_PATHS_TEXT = 60
"""Characters of the named paths."""

NARROW = 900
"""Pixels at 100% of the page below which ignored paths are not named, and the title, which the tab has too, gives its height to the lines."""

OPEN_RECORDING = "Open recording…"

KINDS = (
    ("changed", "warning"),
    ("added", "ok"),
    ("removed", "error"),
    ("moved", "accent"),
)
"""Kinds of changes with their tones."""


class Pickers(QWidget):
    """The two sides, each one of several.

    Signals:
        changed: the user selected another side.
        swap_requested: exchange both sides.
        recording_requested: open a recording for the first side (True) or the second.
    """

    changed = Signal()
    swap_requested = Signal()
    recording_requested = Signal(bool)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("compare_pickers")
        self._theme = theme
        self._offered: list[Subject] = []
        self._selected: dict[ElidedComboBox, int] = {}
        self._build()
        self._wire()
        self._apply_theme()

    def _build(self) -> None:
        theme = self._theme
        self._title = plain_label("Compare", name="compare_title", parent=self)
        self.before = ElidedComboBox(name="compare_before", text="Before", parent=self)
        self.after = ElidedComboBox(name="compare_after", text="After", parent=self)
        self._labels = [
            plain_label(text, tone="muted", parent=self) for text in ("Before", "After")
        ]
        self._swap = tool_button(
            theme, "mdi6.swap-horizontal", "Swap sides", name="compare_swap", parent=self
        )
        row = row_layout(None, space=theme.PADDING_PX)
        for label, box in zip(self._labels, (self.before, self.after), strict=True):
            row.addWidget(label)
            row.addWidget(box, 1)
            label.setBuddy(box)
        row.insertWidget(2, self._swap)
        self._column = column_layout(self, self._title, row, space=0)

    def _wire(self) -> None:
        for box in (self.before, self.after):
            box.activated.connect(partial(self._on_box_activated, box))
        self._swap.clicked.connect(self.swap_requested)
        self._theme.changed.connect(self._apply_theme)

    def offer(self, offered: Sequence[Subject], before: Subject, after: Subject) -> None:
        """Offer what can be compared, with these two selected."""
        self._offered = list(offered)
        self._offered += [each for each in (before, after) if each not in self._offered]
        titles = [one_line(each.title, MAX_TITLE) for each in self._offered]
        for box, current in ((self.before, before), (self.after, after)):
            box.clear()
            box.addItems(titles)
            if not isinstance(current, ExchangeSubject):
                box.addItem(OPEN_RECORDING)
            box.setCurrentIndex(self._offered.index(current))
            self._selected[box] = box.currentIndex()
            box.setToolTip(tool_tip(current.title))

    def _on_box_activated(self, box: ElidedComboBox, at: int) -> None:
        if at < len(self._offered):
            self._selected[box] = at
            self.changed.emit()
        else:
            box.setCurrentIndex(self._selected[box])
            self.recording_requested.emit(box is self.before)

    def subjects(self) -> tuple[Subject, Subject] | None:
        """Return the selected sides; None without any."""
        if not self._offered:
            return None
        before, after = (self._offered[box.currentIndex()] for box in (self.before, self.after))
        return before, after

    def exchanges(self) -> list[ExchangeSubject]:
        """Return the exchanges that are offered."""
        return [each for each in self._offered if isinstance(each, ExchangeSubject)]

    def _apply_theme(self) -> None:
        theme = self._theme
        self._title.setFont(theme.font(tokens.TITLE, bold=True))
        edge = theme.px(tokens.READING_PADDING_PX)
        self._column.setContentsMargins(edge, theme.PADDING_PX, edge, 0)
        self._column.setSpacing(theme.SPACING_PX)
        for box in (self.before, self.after):
            box.setMinimumHeight(theme.px(tokens.FIELD))
        self._fit()

    def _fit(self) -> None:
        self._title.setVisible(self.width() >= self._theme.px(NARROW))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is room for the title, or not."""
        super().resizeEvent(event)
        self._fit()


class CompareBar(QWidget):
    """The parts that can be compared, counts of changes, and the way from one to the next.

    Signals:
        part_selected: the user selected another part.
        stepped: go to the next difference (1) or the previous one (-1).
        ignored_requested: show which paths are ignored.
        export_requested: save the difference.
    """

    part_selected = Signal()
    stepped = Signal(int)
    ignored_requested = Signal()
    export_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without parts."""
        super().__init__(parent)
        self.setObjectName("compare_bar")
        self._theme = theme
        self._can_ignore = False
        self._ignored_texts: tuple[str, ...] = ("",)
        """What the link to the ignored paths says: with their names, and without."""
        self._build()
        self._wire()
        self.show_counts(None)
        self.show_position(0, 0)
        self._apply_theme()

    def _build(self) -> None:
        theme = self._theme
        self._segments = SegmentedControl(name="compare_parts", parent=self)
        self._counts = {
            kind: plain_label(tone=tone, name=f"compare_{kind}", parent=self)
            for kind, tone in KINDS
        }
        self._ignored = link_button("Ignored paths", name="compare_ignored", parent=self)
        self._export = link_button("Export…", name="compare_export", parent=self)
        self._previous = tool_button(
            theme,
            "mdi6.chevron-up",
            "Previous difference (Shift+F8)",
            name="compare_previous",
            parent=self,
        )
        self._position = plain_label(name="compare_position", parent=self)
        self._position.setAlignment(Qt.AlignmentFlag.AlignCenter)  # between two buttons
        self._next = tool_button(
            theme, "mdi6.chevron-down", "Next difference (F8)", name="compare_next", parent=self
        )
        left = QWidget(self)
        self._flow = FlowLayout(theme.PADDING_PX, left)
        for part in (self._segments, *self._counts.values(), self._ignored):
            self._flow.addWidget(part)
        self._row = row_layout(self, space=theme.PADDING_PX)
        self._row.addWidget(left, 1)
        right = QWidget(self)
        row_layout(
            right, self._export, self._previous, self._position, self._next, space=theme.PADDING_PX
        )
        self._row.addWidget(right, 0, Qt.AlignmentFlag.AlignTop)  # beside the first line

    def _wire(self) -> None:
        self._segments.chosen.connect(self.part_selected)
        self._previous.clicked.connect(lambda: self.stepped.emit(-1))
        self._next.clicked.connect(lambda: self.stepped.emit(1))
        self._ignored.clicked.connect(self.ignored_requested)
        self._export.clicked.connect(self.export_requested)
        self._theme.changed.connect(self._apply_theme)

    @property
    def part(self) -> str:
        """The key of the selected part."""
        return self._segments.current()

    def set_parts(self, parts: Parts, *, can_ignore: bool) -> None:
        """Offer these parts, keeping the selected one if it is among them; `can_ignore` is whether paths of them can be ignored."""
        self._can_ignore = can_ignore
        self._segments.set_options(parts)

    def select_part(self, key: str) -> None:
        """Select a part without a signal."""
        self._segments.choose(key)

    def show_counts(self, rows: DifferenceRows | None) -> None:
        """Show how much differs."""
        for kind, label in self._counts.items():
            count: int = getattr(rows.counts, kind) if rows is not None else 0
            label.setText(f"{count:,} {kind}")
            label.setVisible(bool(count))
        self._export.setVisible(rows is not None)
        ignored = rows.ignored if rows is not None else {}
        self._ignored.setVisible(rows is not None and self._can_ignore)
        self._ignored_texts = ("Ignored paths",)
        if ignored and rows is not None:
            self._ignored_texts = _ignored_texts(rows)
        self._ignored.setAccessibleName(self._ignored_texts[0])
        self._ignored.setToolTip(tool_tip("\n".join(ignored)))
        self._fit()

    def _fit(self) -> None:
        """Name ignored paths only where there is width for them."""
        is_narrow = self.width() < self._theme.px(NARROW)
        text = self._ignored_texts[-1 if is_narrow else 0]
        self._ignored.setText(no_mnemonic(text))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Texts may be longer or shorter."""
        super().resizeEvent(event)
        self._fit()

    def show_position(self, number: int, total: int) -> None:
        """Show that the cursor is at a difference, counted from 1; 0 before the first one."""
        self._position.setText(f"{number:,} of {total:,}" if total else "")
        for button in (self._previous, self._next):
            button.setEnabled(total > 0)
            button.setVisible(total > 0)
        reserve_width(self._position, self._theme.character_width() * POSITION_STEP)

    def ignored_corner(self) -> QPoint:
        """Return where the menu of the ignored paths opens, as a global position."""
        return self._ignored.mapToGlobal(self._ignored.rect().bottomLeft())

    def _apply_theme(self) -> None:
        theme = self._theme
        for (_, tone), label in zip(KINDS, self._counts.values(), strict=True):
            label.setFont(theme.font(bold=True))
            set_tone(label, tone)
        reserve_width(self._position, theme.character_width() * POSITION_STEP)
        edge = theme.px(tokens.READING_PADDING_PX)
        self._flow.setSpacing(theme.PADDING_PX)
        self._row.setContentsMargins(edge, theme.PADDING_PX, edge, theme.PADDING_PX)
        self._fit()


def _ignored_texts(rows: DifferenceRows) -> tuple[str, str]:
    """Return how many differences are ignored, with the names of some paths, and without."""
    counted, ignored = f"{rows.counts.ignored:,} ignored", list(rows.ignored)
    named = one_line(", ".join(ignored[:NAMED_PATHS]), MAX_PATHS_TEXT)
    more = len(ignored) - NAMED_PATHS
    return f"{counted}: {named}" + (f" and {more:,} more" if more > 0 else ""), counted
