"""How the widgets of a form are laid out: in any width, all at once, and a slice of time after another; and the texts between the fields.

Two habits of Qt cut texts off. A layout with less width than an item's minimum lays the item out as wide as there is room, but as high as
it would be at that minimum width. And a change deep inside a form reaches the layouts around it one level in each turn of the event loop,
and each turn is painted.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.widgets.labels import DescriptionLabel, tool_tip

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QMouseEvent

MAX_LEVELS = 200
"""Layout passes that run at once; later ones take their own turns of the event loop."""

IDLE_PASSES = 4
"""Passes in a row without a layout of the form after which no more are expected."""

TURN_SECONDS = 0.03
"""How long widgets are made before the window gets its turn."""

SHORT_CHARACTERS = 260
"""Longer descriptions are cut until they are clicked."""

_CHANGES = (QEvent.Type.LayoutRequest, QEvent.Type.Resize)


def take_any_width(widget: QWidget) -> None:
    """Have `widget` ask for no width, so that its height is that for the width it gets."""
    policy = widget.sizePolicy()
    policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
    widget.setSizePolicy(policy)


class LaidOutAtOnce(QWidget):
    """A widget whose layout request brings all layouts around it up to date before anything is painted."""

    is_running = False
    """Whether the layouts are being brought up to date; shared by all instances."""
    was_changed = False
    """Whether one of them was laid out or resized in this pass, which may cause more; shared by all instances."""

    def event(self, event: QEvent) -> bool:
        """Go on with the layouts around."""
        done = super().event(event)
        if event.type() in _CHANGES:
            LaidOutAtOnce.was_changed = True
        if event.type() == QEvent.Type.LayoutRequest:
            lay_out_now()
        return done


def lay_out_now() -> None:
    """Run the pending layouts now: after widgets were shown or made, before the window is painted."""
    if LaidOutAtOnce.is_running:
        return
    LaidOutAtOnce.is_running = True
    try:
        idle = 0
        for _ in range(MAX_LEVELS):
            LaidOutAtOnce.was_changed = False
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
            # Between two of them may be layouts of other widgets: a scroll area has three.
            idle = 0 if LaidOutAtOnce.was_changed else idle + 1
            if idle > IDLE_PASSES:
                return
    finally:
        LaidOutAtOnce.is_running = False


class TimeSlicer(QObject):
    """Limits how long widgets are made in one turn of the event loop; shared by all parts of a form.

    Signals:
        advanced: more widgets have been made.
    """

    advanced = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._started_s: float | None = None
        self._pending = 0
        # Its own, not `QTimer.singleShot`: where a form is made again in the same turn, that one would keep this object for good.
        self._turn = QTimer(self, singleShot=True, interval=0)
        self._turn.timeout.connect(self._on_turn_ended)

    def is_idle(self) -> bool:
        """Whether no call is pending."""
        return self._pending == 0

    def has_time(self) -> bool:
        """Whether one more widget may be made now; the first of a turn always may."""
        if self._started_s is None:
            self._started_s = perf_counter()
            self._turn.start()
            return True
        return perf_counter() - self._started_s < TURN_SECONDS

    def call_later(self, owner: QObject, make: Callable[[], None]) -> None:
        """Call `make` in another turn, unless `owner` was destroyed by then."""
        timer = QTimer(owner, singleShot=True, interval=0)
        timer.timeout.connect(make)
        timer.timeout.connect(lay_out_now)
        timer.timeout.connect(self.advanced)
        timer.timeout.connect(timer.deleteLater)
        timer.destroyed.connect(self._on_call_ended)
        self._pending += 1
        timer.start()

    def _on_call_ended(self) -> None:
        self._pending -= 1

    def _on_turn_ended(self) -> None:
        self._started_s = None


class Help(NamedTuple):
    """What a schema says of a field: nothing but its description may be Markdown."""

    description: str = ""
    """The description."""
    facts: str = ""
    """Limits and the like, which follow it."""
    lead: str = ""
    """The title and the like, which come before it."""

    @property
    def whole(self) -> str:
        """All of it as one text."""
        return joined(" – ".join(filter(None, (self.lead, self.description))), self.facts)

    @property
    def description_span(self) -> tuple[int, int]:
        """Where the description begins and ends in `whole`."""
        start = len(self.lead) + (len(" – ") if self.lead and self.description else 0)
        return start, start + len(self.description)


class WrappedLabel(DescriptionLabel):
    """A text over several lines, without links; a long one is cut until it is clicked."""

    def __init__(self, tone: str, parent: QWidget | None = None) -> None:
        super().__init__(tone=tone, parent=parent)
        self._whole = Help()
        self._open = self._is_cut = False
        take_any_width(self)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)

    def show_text(self, text: str) -> None:
        """Show `text` as it is; the label is hidden without any."""
        self.show_help(Help(facts=text))

    def show_help(self, text: Help) -> None:
        """Show the help of a field, of which the description may be Markdown; the label is hidden without any."""
        self._whole, whole = text, text.whole
        is_cut = self._is_cut = not self._open and len(whole) > SHORT_CHARACTERS
        start = _start(whole) if is_cut else whole
        left, right = text.description_span
        literal = start[right:] + (" … more" if is_cut else "")
        self.set_description(start[left:right], literal, lead=start[:left])
        self.setVisible(bool(whole))
        self.setCursor(Qt.CursorShape.PointingHandCursor if is_cut else Qt.CursorShape.ArrowCursor)
        self.setToolTip(tool_tip(whole) if is_cut else "")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Show all of a text that was cut."""
        super().mouseReleaseEvent(event)
        if self._is_cut:
            self._open = True
            self.show_help(self._whole)

    def show_cut(self, text: Help) -> None:
        """Show the help of something else, which was not clicked yet."""
        self._open = False
        self.show_help(text)


def joined(*texts: str) -> str:
    """The parts of a hint as one text."""
    return " · ".join(filter(None, texts))


def _start(text: str) -> str:
    start = text[:SHORT_CHARACTERS]
    return start[: max(start.rfind(" "), SHORT_CHARACTERS // 2)]
