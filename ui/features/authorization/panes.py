"""How the page divides its room: ladder and step side by side over the tokens, one under the other, or one at a time.

Sizes are compared at 100%: with large text, a large window is a small one.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from ui.widgets.layout_parts import Hairline, column_layout
from ui.widgets.splitter import Splitter

if TYPE_CHECKING:
    from PySide6.QtCore import QByteArray
    from PySide6.QtGui import QResizeEvent

    from ui.features.authorization.command_bar import CommandBar
    from ui.features.authorization.ladder import Ladder
    from ui.features.authorization.tokens_panel import TokensPanel
    from ui.theme import Theme

LADDER_WIDTH, MIN_DETAIL_WIDTH = 690, 440
"""The detail has what the ladder leaves; where that is less than this, the ladder gives way."""

COMPACT_WIDTH = 900
"""Below this, the detail does not stand beside the ladder."""

STACKED_HEIGHT = 480
"""Below this, it does not stand under it either: each is shown alone."""

LOW_HEIGHT = 480
"""Below this, the rows of the tokens are folded until the user wants them."""


class Pane(StrEnum):
    """What is shown alone: a key of `command_bar.PANES`."""

    STEPS = "steps"
    DETAILS = "details"
    TOKENS = "tokens"


class Arrangement(StrEnum):
    """How the parts stand."""

    WIDE = "side by side"
    STACKED = "one under the other"
    SINGLE = "one at a time"


MIN_HEIGHTS = {Arrangement.WIDE: 200, Arrangement.STACKED: 380, Arrangement.SINGLE: 120}
"""Where there is less, the page scrolls: half a row of a ladder is of no use."""


def arrangement(width: float, height: float) -> Arrangement:
    """Return how the parts stand in a page of this size."""
    if width >= COMPACT_WIDTH:
        return Arrangement.WIDE
    return Arrangement.STACKED if height >= STACKED_HEIGHT else Arrangement.SINGLE


class Panes(QWidget):
    """Everything about a flow."""

    def __init__(
        self,
        *,
        bar: CommandBar,
        ladder: Ladder,
        side: QWidget,
        tokens: TokensPanel,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """Arrange these parts; `side` is what stands beside the ladder."""
        super().__init__(parent)
        self._bar, self._ladder, self._side, self._tokens = bar, ladder, side, tokens
        self._theme = theme
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._height = 0
        self.arrangement = Arrangement.WIDE
        self._build()
        self._wire()

    def _build(self) -> None:
        theme = self._theme
        self.splitter = LadderSplitter(theme=theme)
        for part in (self._ladder, self._side):
            part.setMinimumSize(1, 1)  # neither takes the space of the other
            self.splitter.addWidget(part)
        self._line = Hairline(theme=theme)
        column = column_layout(self, self._bar, Hairline(theme=theme), space=0)
        column.addWidget(self.splitter, 1)
        column.addWidget(self._line)
        column.addWidget(self._tokens)

    def _wire(self) -> None:
        self._bar.pane_requested.connect(self.show_pane)

    def arrange(self, width: int, height: int) -> int:
        """Divide a page of `width` by `height` pixels; return below which height it scrolls."""
        scale = self._theme.scale
        self._height = height
        now = arrangement(width / scale, height / scale)
        is_single = now is Arrangement.SINGLE
        self._bar.set_compact(is_compact=now is not Arrangement.WIDE, has_panes=is_single)
        self._ladder.set_compact(is_compact=now is not Arrangement.WIDE)
        self._tokens.set_alone(is_alone=is_single)
        self.arrangement = now
        self.splitter.divide(is_wide=now is Arrangement.WIDE)
        self._show_parts()
        self.fold_tokens()
        return self._theme.px(MIN_HEIGHTS[now])

    def show_pane(self, pane: str) -> None:
        """Show that part, where there is room for one only."""
        self._bar.panes.choose(pane)
        self._show_parts()

    def focus_first(self) -> None:
        """Go to the ladder, or to what selects it."""
        first = self._ladder if self._ladder.isVisible() else self._bar.panes
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def fold_tokens(self) -> None:
        """Fold the rows of the tokens where the page is low."""
        self._tokens.fold_for_height(is_low=self._height < self._theme.px(LOW_HEIGHT))

    def _show_parts(self) -> None:
        is_single = self.arrangement is Arrangement.SINGLE
        pane = self._bar.panes.current() if is_single else ""
        self._ladder.setVisible(pane in {"", Pane.STEPS})
        self._side.setVisible(pane in {"", Pane.DETAILS})
        self.splitter.setVisible(pane != Pane.TOKENS)
        self._tokens.setVisible(pane in {"", Pane.TOKENS})
        self._line.setVisible(not is_single)


class LadderSplitter(Splitter):
    """Gives the ladder its width, or what the detail leaves; it has it back when there is room again."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start side by side, without parts."""
        super().__init__(theme=theme, parent=parent)
        self.setObjectName("authorization_splitter")
        self._theme = theme
        self._ladder_width: float = LADDER_WIDTH
        """At 100%, as the user dragged it."""
        self.splitterMoved.connect(self._keep_width)

    def divide(self, *, is_wide: bool) -> None:
        """Stand side by side, or else in halves one under the other."""
        way = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        if self.orientation() is not way:
            self.setOrientation(way)
            self.setSizes([1000, 1000])
        self._fit()

    def restoreState(self, state: QByteArray | bytes | bytearray | memoryview) -> bool:
        """Divide as it was saved."""
        is_restored = super().restoreState(state)
        self._keep_width()
        return is_restored

    def _keep_width(self) -> None:
        if self.orientation() is Qt.Orientation.Horizontal and self.count():
            self._ladder_width = self.sizes()[0] / self._theme.scale

    def _fit(self) -> None:
        if self.orientation() is Qt.Orientation.Horizontal and self.count():
            px, width = self._theme.px, self.width() - self.handleWidth()
            ladder = max(min(px(self._ladder_width), width - px(MIN_DETAIL_WIDTH)), 1)
            self.setSizes([ladder, width - ladder])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The detail has what the ladder leaves."""
        super().resizeEvent(event)
        self._fit()
