"""Scales the margins and spaces of layouts that exist when the text gets another size.

A layout remembers its pixels at 100%, so that a scale that comes back brings the same pixels back. What its owner has set since then,
for the scale of then, is read again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QMargins
from PySide6.QtWidgets import QFormLayout, QGridLayout, QHBoxLayout, QLayout, QStyle, QVBoxLayout

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

SPACE = "space"
"""Property of layouts that were given a space, which may be the one that the style has."""

OWN_MARGINS = "own_margins"
"""Property of layouts whose owner computes their margins from its width."""

SPACES = "spaces"
"""Where a layout keeps its pixels."""

KINDS: list[type[QLayout]] = [QHBoxLayout, QVBoxLayout, QGridLayout, QFormLayout]
"""Layouts that Spyglass makes. Qt deletes those of its own at any time, as in the status bar, and PySide does not notice."""

LINE = 1
"""Pixels that are a line or a border, at any scale."""

_Pixels = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Spaces:
    """What a layout keeps; not a tuple, of which Qt would make a list."""

    last: _Pixels
    """The pixels that were set last."""
    usual: tuple[float, ...]
    """The same at 100%."""


def rescale_layouts(app: QApplication, before: float, after: float) -> None:
    """Scale the spaces of all layouts from the text scale `before` to `after`."""
    layouts = [
        layout
        for window in app.topLevelWidgets()
        for kind in KINDS
        for layout in window.findChildren(kind)
    ]
    # Read before any is set: a layout in another one without a space of its own has the space of that.
    defaults = _defaults(app)
    for layout, pixels in [(layout, _pixels(layout, defaults)) for layout in layouts]:
        if any(pixels):
            _rescale(layout, pixels, before, after)


def rescale_kind(kind: type[QLayout]) -> None:
    """Scale layouts of another kind as well."""
    KINDS.append(kind)


def set_space(layout: QLayout, pixels: int) -> None:
    """Keep `pixels` between the parts of a layout; they follow the text size, also where the style has as many."""
    layout.setSpacing(pixels)
    layout.setProperty(SPACE, True)


def keep_margins(layout: QLayout) -> None:
    """Leave the margins of a layout to its owner, who computes them from its width."""
    layout.setProperty(OWN_MARGINS, True)


def _rescale(layout: QLayout, now: _Pixels, before: float, after: float) -> None:
    kept: _Spaces | None = layout.property(SPACES)
    usual = kept.usual if kept is not None and kept.last == now else _usual(now, before)
    scaled = tuple(
        pixels if pixels <= LINE else round(at_100 * after)
        for pixels, at_100 in zip(now, usual, strict=True)
    )
    _set(layout, scaled)
    layout.setProperty(SPACES, _Spaces(scaled, usual))


def _pixels(layout: QLayout, defaults: _Pixels) -> _Pixels:
    """Return margins, and the spaces between columns and between rows; 0 for what comes from the style, and stays."""
    sides = layout.contentsMargins()
    if isinstance(layout, QGridLayout | QFormLayout):
        spaces = layout.horizontalSpacing(), layout.verticalSpacing()
    else:
        spaces = layout.spacing(), 0
    pixels = (sides.left(), sides.top(), sides.right(), sides.bottom(), *spaces)
    kept: _Spaces | None = layout.property(SPACES)
    last = kept.last if kept is not None else (0,) * len(pixels)
    # What was set once is no default, also where the style now has as many pixels. Margins are set all four at once.
    has_margins = not layout.property(OWN_MARGINS) and pixels[:4] != defaults[:4]
    is_own = [has_margins or any(last[:4])] * 4
    has_space = bool(layout.property(SPACE))
    is_own += [
        has_space or space != usual or before > 0
        for space, usual, before in zip(spaces, defaults[4:], last[4:], strict=True)
    ]
    return tuple(each if own else 0 for each, own in zip(pixels, is_own, strict=True))


def _defaults(app: QApplication) -> _Pixels:
    """Return margins and spaces of layouts that were given none."""
    metric = QStyle.PixelMetric
    metrics = (
        metric.PM_LayoutLeftMargin,
        metric.PM_LayoutTopMargin,
        metric.PM_LayoutRightMargin,
        metric.PM_LayoutBottomMargin,
        metric.PM_LayoutHorizontalSpacing,
        metric.PM_LayoutVerticalSpacing,
    )
    return tuple(app.style().pixelMetric(each) for each in metrics)


def _usual(pixels: _Pixels, scale: float) -> tuple[float, ...]:
    """Return pixels at 100%: whole ones, where these give what there is."""
    return tuple(
        round(each / scale) if round(round(each / scale) * scale) == each else each / scale
        for each in pixels
    )


def _set(layout: QLayout, pixels: _Pixels) -> None:
    if any(pixels[:4]):
        layout.setContentsMargins(QMargins(*pixels[:4]))
    if isinstance(layout, QGridLayout | QFormLayout):
        across, down = pixels[4:]
        if across:
            layout.setHorizontalSpacing(across)
        if down:
            layout.setVerticalSpacing(down)
    elif pixels[4]:
        layout.setSpacing(pixels[4])
