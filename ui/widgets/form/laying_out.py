"""How the widgets of a form are laid out: in any width, and all at once.

Two things that Qt does otherwise cut texts off. Where a layout has less width than the least an item asks for, it lays the item out as wide as
there is room, but as high as it would be at that least width. And what changes deep inside a form reaches the layouts around it one level
in each turn of the event loop, and each turn is painted.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

_CHANGES = (QEvent.Type.LayoutRequest, QEvent.Type.Resize)

MAX_LEVELS = 200
"""Turns that are taken at once; what is left then takes its own."""


QUIET_TURNS = 4
"""Turns without one of them after which no more are expected."""


def take_any_width(widget: QWidget) -> None:
    """Have `widget` ask for no width, so that its height is that for the width it gets."""
    policy = widget.sizePolicy()
    policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
    widget.setSizePolicy(policy)


class LaidOutAtOnce(QWidget):
    """When it is laid out again, so is all around it, before anything is painted."""

    is_going_on = False
    """Whether the layouts are being brought up to date; for all of them together."""
    was_changed = False
    """Whether one of them was laid out or got another size in this turn, which may ask for more."""

    def event(self, event: QEvent) -> bool:
        """Go on with the layouts around."""
        done = super().event(event)
        if event.type() in _CHANGES:
            LaidOutAtOnce.was_changed = True
        if event.type() == QEvent.Type.LayoutRequest:
            lay_out_now()
        return done


def lay_out_now() -> None:
    """Take the turns that layouts are waiting for, now: after what was shown or made, before the window is painted."""
    if LaidOutAtOnce.is_going_on:
        return
    LaidOutAtOnce.is_going_on = True
    try:
        quiet = 0
        for _ in range(MAX_LEVELS):
            LaidOutAtOnce.was_changed = False
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
            # Between two of them may be layouts of other widgets: a scroll area has three.
            quiet = 0 if LaidOutAtOnce.was_changed else quiet + 1
            if quiet > QUIET_TURNS:
                return
    finally:
        LaidOutAtOnce.is_going_on = False
