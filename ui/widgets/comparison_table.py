"""Two sides of one subject beside each other, row by row: the values that were sent, and those of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QScrollArea, QSizePolicy, QWidget

from inspector.visible_text import one_line, visible
from ui.widgets.labels import ElidedLabel, plain_label, set_tone, tool_tip
from ui.widgets.layout_parts import clear_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent, QShowEvent

    from ui.theme import Theme

MAX_ROWS = 40
"""More are counted."""

MAX_CELL = 400
"""Characters of a cell."""

MAX_SUBJECT = 80

SUBJECT_WIDTH = 150
"""Of the first column at most, at 100%."""

LINES = 11
"""Before they scroll."""

FEWEST_LINES = 3
"""Where there is no room for more: the rest scrolls."""


class ComparisonRow(NamedTuple):
    """One row."""

    subject: str
    """What it is about."""
    ours: str
    """The text of Spyglass."""
    theirs: str
    """The text of the server."""
    fits: bool
    """Whether the two agree."""


class ComparisonTable(QScrollArea):
    """Rows of three columns, as high as they need and never higher than some lines; hidden while there are none."""

    def __init__(
        self, *, theme: Theme, name: str, headers: tuple[str, str], parent: QWidget | None = None
    ) -> None:
        """`headers` are the titles of the two sides."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(f"{headers[0]} and {headers[1]}")
        self._theme = theme
        self._headers = headers
        self._rows: tuple[ComparisonRow, ...] = ()
        self._needed_height = 0
        self._build()
        theme.changed.connect(self._refresh)
        self.hide()

    def _build(self) -> None:
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._inner = QWidget()
        for widget in (self, self._inner):
            widget.setStyleSheet("background: transparent")
        self._grid = QGridLayout(self._inner)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(1, 2)
        self._grid.setColumnStretch(2, 3)
        self.setWidget(self._inner)

    def rows(self) -> tuple[ComparisonRow, ...]:
        """What is shown."""
        return self._rows

    def set_rows(self, rows: Sequence[ComparisonRow]) -> None:
        """Show these instead."""
        if tuple(rows) != self._rows:
            self._rows = tuple(rows)
            self._refresh()
        self.setVisible(bool(rows))

    def as_text(self) -> str:
        """All rows, one a line."""
        ours, theirs = self._headers
        return "\n".join(
            f"{row.subject}: {ours}: {row.ours}; {theirs}: {row.theirs}" for row in self._rows
        )

    def _refresh(self) -> None:
        clear_layout(self._grid)
        self._grid.setHorizontalSpacing(self._theme.px(12))
        self._grid.setVerticalSpacing(self._theme.px(3))
        for column, text in enumerate(self._headers, 1):
            self._grid.addWidget(self._cell(text, "muted"), 0, column)
        for at, row in enumerate(self._rows[:MAX_ROWS], 1):
            self._add(at, row)
        if len(self._rows) > MAX_ROWS:
            more = self._cell(f"and {len(self._rows) - MAX_ROWS:,} more", "muted")
            self._grid.addWidget(more, MAX_ROWS + 1, 1, 1, 2)
        for cell in self._inner.findChildren(QLabel):
            cell.show()  # else the layout would count them only in a moment
        self._fit()

    def _add(self, at: int, row: ComparisonRow) -> None:
        mark, tone = ("✔", "muted") if row.fits else ("✘", "")
        message = f"{mark} {one_line(row.subject, MAX_SUBJECT)}"
        subject = ElidedLabel(message, parent=self._inner)
        set_tone(subject, tone)
        how = "match" if row.fits else "differ"
        subject.setAccessibleName(f"{row.subject}, {how}")
        width = subject.fontMetrics().horizontalAdvance(message) + self._theme.SPACING_PX
        subject.setFixedWidth(min(width, self._theme.px(SUBJECT_WIDTH)))
        self._grid.addWidget(subject, at, 0, Qt.AlignmentFlag.AlignTop)
        for column, text in ((1, row.ours), (2, row.theirs)):
            cell = self._cell(text[:MAX_CELL] + ("…" if len(text) > MAX_CELL else ""), tone)
            cell.setToolTip(tool_tip(text))
            cell.setFont(self._theme.mono() if column == 1 else self._theme.font())
            self._grid.addWidget(cell, at, column)

    def _cell(self, text: str, tone: str) -> QLabel:
        label = plain_label(tone=tone, wrap=True, selectable=True, parent=self._inner)
        label.setText(visible(text))
        label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        label.setSizePolicy(policy)
        return label

    def _fit(self) -> None:
        line = self.fontMetrics().lineSpacing()
        needed = self._grid.heightForWidth(max(self.viewport().width(), 1))
        self._needed_height = max(min(needed, LINES * line), line)
        self.setMaximumHeight(self._needed_height)
        self.setMinimumHeight(min(self._needed_height, FEWEST_LINES * line))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """All rows, up to so many lines."""
        return QSize(super().sizeHint().width(), self._needed_height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wraps elsewhere."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        """The rows take the height that was found while it was hidden; Qt keeps the one from before."""
        super().showEvent(event)
        self._grid.setGeometry(QRect(QPoint(), self.viewport().size()))
