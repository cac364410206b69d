"""Keeping words that run from moving everything else.

Each change of a label's wish for room lays out the whole window anew, and paints most of it. One of a fixed size has no wishes; its
room follows what it says in steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLabel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

SLACK_STEPS = 2
"""Steps of room too much that are left as they are."""


def reserve_width(widget: QWidget, step: int) -> None:
    """Give `widget` the room that its words want now, its width in steps of `step` pixels."""
    wanted = _wish(widget)
    width = -(-wanted.width() // step) * step
    held = widget.maximumSize()
    spare = held.width() - width
    is_fixed = held == widget.minimumSize() and held.height() == wanted.height()
    if not is_fixed or not 0 <= spare <= SLACK_STEPS * step:
        widget.setFixedSize(QSize(width, wanted.height()))


def _wish(widget: QWidget) -> QSize:
    """What the words need; a label's own hint is never less than the room that it holds already."""
    if not isinstance(widget, QLabel):
        return widget.sizeHint()
    edge = 2 * widget.margin()
    words = widget.fontMetrics().size(0, widget.text())
    return words.grownBy(widget.contentsMargins()) + QSize(edge, edge)
