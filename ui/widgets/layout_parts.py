"""Parts of layouts: lines between areas, reserved widths, areas that scroll, and the size of a dialog.

A dialog is never larger than the screen; what does not fit scrolls in a `ScrollColumn`, so that its buttons are always within reach.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar

from PySide6.QtCore import QEvent, QMargins, QObject, QSize, QSizeF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from ui.theme.layout_spaces import set_space

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ui.theme import Theme

SLACK_STEPS = 2
"""Steps of width too much that are kept."""

FRAME = QSize(16, 48)
"""Pixels of title bar and edges, which are known only once the dialog is on the screen."""


MAX_OF_WINDOW = 0.92
"""The largest share of the width and height of its window that a dialog takes where its contents allow it."""

SETTLING_TURNS = 20
"""Turns of the event loop in which a change of the text size reaches a dialog: one for each layout inside another."""

_Box = TypeVar("_Box", bound=QBoxLayout)

Margins: TypeAlias = int | tuple[int, int, int, int]
"""Pixels around a layout: on all sides, or left, top, right and bottom."""


def row_layout(
    owner: QWidget | None, *parts: QWidget | QLayout, space: int, margins: Margins = 0
) -> QHBoxLayout:
    """A layout from left to right with `parts` in it; without `owner`, it is put into another layout."""
    return _filled(QHBoxLayout(), owner, parts, space, margins)


def column_layout(
    owner: QWidget | None, *parts: QWidget | QLayout, space: int, margins: Margins = 0
) -> QVBoxLayout:
    """A layout from top to bottom with `parts` in it, like `row_layout`."""
    return _filled(QVBoxLayout(), owner, parts, space, margins)


def _filled(
    layout: _Box,
    owner: QWidget | None,
    parts: Iterable[QWidget | QLayout],
    space: int,
    margins: Margins,
) -> _Box:
    if owner is not None:
        owner.setLayout(layout)
    sides = (margins,) * 4 if isinstance(margins, int) else margins
    layout.setContentsMargins(*sides)
    set_space(layout, space)
    for part in parts:
        if isinstance(part, QWidget):
            layout.addWidget(part)
        else:
            layout.addLayout(part)
    return layout


class Space(QWidget):
    """An empty part of a layout, whose size follows the text size."""

    def __init__(self, width: int, height: int, *, theme: Theme) -> None:
        """Take `width` by `height` pixels at 100%; 0 for the direction in which it takes none."""
        super().__init__()
        self._theme = theme
        self._size = width, height
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return the size at the present scale."""
        width, height = self._size
        return QSize(self._theme.px(width), self._theme.px(height))


class SpaceBelow(Space):
    """The space between a part and what is below it: it goes when the part is hidden, and comes back with it."""

    def __init__(self, part: QWidget, height: int, *, theme: Theme) -> None:
        """Take `height` pixels at 100% below `part`."""
        super().__init__(0, height, theme=theme)
        was_set = part.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)
        if was_set and part.isHidden():  # every widget is until it is shown, also without a call
            self.hide()
        part.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the part."""
        if event.type() in {QEvent.Type.ShowToParent, QEvent.Type.HideToParent}:
            self.setVisible(event.type() is QEvent.Type.ShowToParent)
        return super().eventFilter(watched, event)


def space_in_row(theme: Theme, pixels: int) -> Space:
    """Return a space of `pixels` at 100% in a layout from left to right."""
    return Space(pixels, 0, theme=theme)


def space_in_column(theme: Theme, pixels: int) -> Space:
    """Return a space of `pixels` at 100% in a layout from top to bottom."""
    return Space(0, pixels, theme=theme)


class Hairline(QWidget):
    """A horizontal line, one pixel high."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFixedHeight(1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Fill with the present color."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("hairline"))
        painter.end()


def reserve_width(widget: QWidget, step: int, *, spare: int = 0) -> None:
    """Fix the size of `widget` at what its text needs now and `spare` pixels, its width in steps of `step` pixels."""
    needed = _needed_size(widget).grownBy(QMargins(0, 0, spare, 0))
    width = -(-needed.width() // step) * step
    held = widget.maximumSize()
    left = held.width() - width
    is_fixed = held == widget.minimumSize() and held.height() == needed.height()
    if not is_fixed or not 0 <= left <= SLACK_STEPS * step:
        widget.setFixedSize(QSize(width, needed.height()))


def keep_space(widget: QWidget, *, is_kept: bool = True) -> None:
    """Let a layout keep the space of `widget` while it is hidden, or no longer."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(is_kept)
    widget.setSizePolicy(policy)


def _needed_size(widget: QWidget) -> QSize:
    """The size of the text; a label's own hint is never less than its fixed size."""
    if not isinstance(widget, QLabel):
        return widget.sizeHint()
    edge = 2 * widget.margin()
    text = widget.fontMetrics().size(0, widget.text())
    return text.grownBy(widget.contentsMargins()) + QSize(edge, edge)


def clear_layout(layout: QLayout) -> None:
    """Remove and delete all widgets of a layout; hidden at once, for they stay until the event loop deletes them."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()


def set_dialog_size(dialog: QWidget, theme: Theme, width: int, height: int) -> None:
    """Give `dialog` `width` by `height` pixels at 100%, or what the screen and its window have room for; its contents may need more.

    When the size of the text changes, so does that of the dialog, in proportion to this size or to what the user made of it.
    """
    followers = [each for each in dialog.children() if isinstance(each, _SizeFollower)]
    follower = followers[0] if followers else _SizeFollower(dialog, theme)
    follower.set_size(width, height)


def _bounded(dialog: QWidget, size: QSize) -> QSize:
    """Return `size`, or as much of it as the screen and the window of `dialog` have."""
    size = size.boundedTo(max_dialog_size(dialog))
    parent = dialog.parentWidget()
    if parent is not None and parent.isVisible():
        size = size.boundedTo(parent.window().size() * MAX_OF_WINDOW)
    return size


class _SizeFollower(QObject):
    """Resizes a dialog with its text. It keeps the size at 100%, and not what there was room for at some scale."""

    def __init__(self, dialog: QWidget, theme: Theme) -> None:
        super().__init__(dialog)
        self._dialog, self._theme, self._scale = dialog, theme, theme.scale
        self._usual = QSizeF()
        self._last = QSize()
        self._turns = 0
        self._later = QTimer(self, interval=0)
        self._later.timeout.connect(self._settle)
        theme.changed.connect(self._follow)

    def set_size(self, width: int, height: int) -> None:
        """Give the dialog `width` by `height` pixels at 100%."""
        self._usual = QSizeF(width, height)
        self._resize()

    def _resize(self) -> None:
        target = _bounded(self._dialog, (self._usual * self._scale).toSize())
        self._dialog.resize(target)
        self._last = self._dialog.size()
        if self._last == target:
            self._later.stop()

    def _follow(self) -> None:
        before, self._scale = self._scale, self._theme.scale
        if self._scale == before:
            return
        now, last, minimum = self._dialog.size(), self._last, self._dialog.minimumSize()
        if _is_resized(now.width(), last.width(), minimum.width()):
            self._usual.setWidth(now.width() / before)
        if _is_resized(now.height(), last.height(), minimum.height()):
            self._usual.setHeight(now.height() / before)
        self._turns = SETTLING_TURNS
        self._later.start()
        self._resize()

    def _settle(self) -> None:
        """Resize again: until the layouts inside have changed as well, the dialog needs what it needed at the scale before."""
        self._turns -= 1
        if self._turns > 0 and self._dialog.size() == self._last:
            self._resize()
        else:
            self._later.stop()


def _is_resized(now: int, last: int, minimum: int) -> bool:
    """Whether the user changed a width or height, and not the contents, which need the `minimum`."""
    return now < last or now > max(last, minimum)


def max_dialog_size(dialog: QWidget) -> QSize:
    """The largest size without its frame that a dialog can have on the screen of the window it belongs to."""
    parent = dialog.parentWidget()
    return max_window_size(parent.window() if parent is not None else dialog)


def max_window_size(window: QWidget) -> QSize:
    """The largest size without its frame that a window can have on its screen."""
    return window.screen().availableSize() - FRAME


class ScrollColumn(QScrollArea):
    """Asks for the width of its content; with less width the content is squeezed, and nothing is cut at the side."""

    def __init__(
        self, *, name: str, within_screen: bool = False, parent: QWidget | None = None
    ) -> None:
        """Start with an empty `column`, without margins; `within_screen` limits the width that is asked for, as for a dialog."""
        super().__init__(parent)
        self._within_screen = within_screen
        self.setObjectName(name)
        self._inner = _Column()
        self.column = self._inner.column
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(self._inner)
        self._inner.setAutoFillBackground(False)  # `setWidget` switches it on

    def minimumSizeHint(self) -> QSize:
        """The width of the column, with room for the scroll bar."""
        beside = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        width = self.column.minimumSize().width() + beside
        if self._within_screen:
            width = min(width, _widest(self))
        return QSize(width, super().minimumSizeHint().height())

    def event(self, event: QEvent) -> bool:
        """What changed inside may change the width."""
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().event(event)


class CappedColumn(ScrollColumn):
    """As high as its content, up to `max_height` pixels; beyond that it scrolls."""

    def __init__(self, *, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name=name, within_screen=True, parent=parent)
        self._max_height = 0

    def set_max_height(self, pixels: int) -> None:
        """Take at most `pixels` of height."""
        if pixels != self._max_height:
            self._max_height = pixels
            self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        """The height follows from the wrapped texts inside."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of what it holds, or the limit."""
        height = self._inner.heightForWidth(width)
        return min(height, self._max_height) if self._max_height else height


class _Column(QWidget):
    """What scrolls: not before it is lower than it has to be, which Qt asks of a column with wrapped texts as the height it would like."""

    def __init__(self) -> None:
        super().__init__()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)

    def minimumSizeHint(self) -> QSize:
        """No width, the least height."""
        return QSize(0, self.column.minimumSize().height())

    def heightForWidth(self, width: int) -> int:
        """The least height, also where nothing in it wraps: of such a layout Qt knows none for a width."""
        if not self.column.hasHeightForWidth():
            return self.column.minimumSize().height()
        return self.column.minimumHeightForWidth(width)


def _widest(widget: QWidget) -> int:
    """Pixels that a dialog leaves for its contents where it fills the screen: four fifths."""
    return widget.screen().availableSize().width() * 4 // 5


class MinHeightScroll(QScrollArea):
    """Holds one widget, as large as there is room for."""

    def __init__(
        self,
        content: QWidget | None = None,
        *,
        name: str,
        label: str,
        parent: QWidget | None = None,
    ) -> None:
        """Hold `content`, or what is made in `holder` and put in with `hold`; `label` is its accessible name."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(label)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # all that is in it takes the focus
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        outer = QWidget(self)
        self.holder = _FreeHeight(outer)
        column = QVBoxLayout(outer)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.holder)
        self.setWidget(outer)
        if content is not None:
            self.hold(content)

    def hold(self, content: QWidget) -> None:
        """Hold `content`. Qt goes through all that is in it again if it has another parent than `holder`."""
        self.holder.hold(content)

    def set_min_height(self, pixels: int) -> None:
        """Scroll where there is less."""
        self.holder.setMinimumHeight(pixels)


class _FreeHeight(QWidget):
    """Prefers no height for its width: a scroll area would give it that height even without space for it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def hold(self, content: QWidget) -> None:
        """Give the whole size to `content`."""
        self._column.addWidget(content)

    def hasHeightForWidth(self) -> bool:
        """Give way."""
        return False
