"""Lines about work and its result: a bar while it runs, the outcome with its facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QSizePolicy, QWidget

from inspector.visible_text import visible
from ui.theme import tokens
from ui.widgets import units
from ui.widgets.buttons import link_button
from ui.widgets.labels import (
    ElidedLabel,
    plain_label,
    set_icon,
    set_tone,
    tool_tip,
    visible_name,
)
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.steady_label import SteadyLabel

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent

    from ui.theme import Theme

ICONS = {
    "ok": "mdi6.check",
    "error": "mdi6.close-circle-outline",
    "warning": "mdi6.alert-outline",
    "pending": "mdi6.timer-sand",
    "muted": "mdi6.cancel",
    "person": "mdi6.account-outline",
}
"""Tone → icon; the text has the same meaning."""

WAITING = (
    "waiting to be sent included. The traffic counts from the request on the wire to its response."
)
"""Why the duration of a call may be longer than the one of its request in the traffic."""

DIGITS = 6
"""Digits in whose steps the time gets its width, as it runs."""

STEPS = 1000
"""Resolution of the bar."""

MANY_PROBLEMS = "99"
"""There is always room for so many: they may be found after the outcome is known, and move nothing then."""

_SEPARATOR = re.compile(r" · |; |: |, ")
"""What follows the outcome itself in a text."""


class Found(NamedTuple):
    """The problems of the messages behind an outcome."""

    text: str = ""
    """How many, as in `2 problems`; empty for none."""
    short: str = ""
    """The same where there is no room for it."""
    tone: str = ""
    """Of the gravest."""
    frame: int = 0
    """Where it is."""
    is_partial: bool = False
    """Whether there may be others that were not kept."""


class OutcomeLine(QWidget):
    """One line that says how it went: the outcome, never shortened, then time, size, frames and problems as far as there is room.

    Signals:
        frame_requested: show the frame of this number.
    """

    frame_requested = Signal(int)

    def __init__(
        self,
        *,
        theme: Theme,
        name: str = "outcome",
        frames_first: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """Start hidden; with `frames_first`, the line is the only way to the frames: their numbers give way last, and no room is left for problems."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._frames_first = frames_first
        self._tone = "muted"
        self._whole_text = ""
        self._frames: tuple[int, ...] = ()
        self._before_frames = "", ""
        """What stands before the numbers of the frames, and what does where there is no room for that."""
        self._found = Found()
        self._arranged: tuple[str, bool, int, str, tuple[int, ...]] | None = None
        self._build()
        self._refresh()
        theme.changed.connect(self._refresh)
        self.hide()

    def _build(self) -> None:
        name = self.objectName()
        self._icon = QLabel(self)
        self._text = plain_label(name=f"{name}_words", parent=self)
        self._time = SteadyLabel(digits=DIGITS, tone="muted", name=f"{name}_time", parent=self)
        self._size = plain_label(tone="muted", name=f"{name}_size", parent=self)
        self._links = QWidget(self)
        row = row_layout(self._links, space=0)
        self._before_links = plain_label(tone="muted", parent=self._links)
        row.addWidget(self._before_links)
        self._request = link_button("", name=f"{name}_request", parent=self._links)
        self._arrow = plain_label("→", tone="muted", parent=self._links)
        self._response = link_button("", name=f"{name}_response", parent=self._links)
        for part in (self._request, self._arrow, self._response):
            row.addWidget(part)
        for link in (self._request, self._response):
            link.setProperty("align", "center")  # as far from the arrow on either side
        self._request.clicked.connect(lambda: self.frame_requested.emit(self._frames[0]))
        self._response.clicked.connect(lambda: self.frame_requested.emit(self._frames[-1]))
        self._problems = link_button("", name=f"{name}_found", parent=self)
        self._problems.hide()
        self._problems.clicked.connect(lambda: self.frame_requested.emit(self._found.frame))
        self._rest = plain_label(name=f"{name}_whole", wrap=True, selectable=True, parent=self)
        self._rest.hide()
        self._row = row_layout(None, self._icon, self._text, space=self._theme.SPACING_PX)
        for part in (self._time, self._size, self._links, self._problems):
            self._row.addWidget(part)
        self._row.addStretch(1)
        column_layout(self, self._row, self._rest, space=self._theme.SPACING_PX)

    def set_outcome(
        self,
        text: str,
        tone: str,
        *,
        seconds: float | None = None,
        clock: str = "",
        size_bytes: int | None = None,
        frames: tuple[int, ...] = (),
    ) -> None:
        """Show `text` in a `tone` of `ICONS`, and the duration in `seconds`, or `clock` in its place.

        `frames` are the numbers of the request and of the response, as far as there are.
        """
        self._whole_text = text
        took = clock or ("" if seconds is None else units.duration(seconds))
        # Once the time stands, the facts follow each other closely.
        self._time.show_text(took, digits=DIGITS if size_bytes is None else 0)
        tip = "" if seconds is None else f"{units.duration_exact(seconds)} in all, {WAITING}"
        self._time.setToolTip(tool_tip(tip))
        self._size.setText("" if size_bytes is None else f"· {units.size(size_bytes)}")
        self._size.setToolTip("" if size_bytes is None else units.size_exact(size_bytes))
        if frames != self._frames:
            self._frames = frames
            self._show_frames()
        # A running time has space for its last digits before the next fact; a dot there would be alone.
        dot = "· " if not took or size_bytes is not None else ""
        self._before_frames = f"{dot}{'frames' if len(frames) > 1 else 'frame'}", dot.strip()
        if tone != self._tone:
            self._tone = tone
            self._refresh()
        content = text, bool(took), self._time.maximumWidth(), self._size.text(), frames
        if content != self._arranged:  # a running clock changes nothing but the time
            self._arranged = content
            self._arrange()
        self.show()

    def set_found(self, found: Found) -> None:
        """Show that problems were found, at the end of the line, where that moves nothing."""
        if found == self._found:
            return
        self._found = found
        self._problems.setToolTip("Show in traffic" if found.text else "")
        self._show_sign()
        self._arrange()

    def text(self) -> str:
        """The text of the line."""
        return self._whole_text

    def minimumSizeHint(self) -> QSize:
        """Return the width of the outcome: facts give way."""
        hint = super().minimumSizeHint()
        width = self._icon.sizeHint().width() + self._row.spacing()
        return QSize(width + self._advance(_outcome(self._whole_text)[0]), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width fits other parts."""
        super().resizeEvent(event)
        self._arrange()

    def _advance(self, text: str) -> int:
        return self._text.fontMetrics().horizontalAdvance(text) + 1

    def _arrange(self) -> None:
        """Show as much as fits: the rest of a long text below the line, since the reason is at its end."""
        available = self.width() - self._icon.sizeHint().width() - self._row.spacing()
        start, rest = _outcome(self._whole_text)
        whole = self._advance(_capitalized(self._whole_text))
        has_rest = bool(rest) and whole + self._kept_for_frames() > available
        text = _capitalized(visible(start if has_rest else self._whole_text))
        self._text.setText(text)
        self._text.setAccessibleName(visible_name(text))
        self._rest.setText(_capitalized(visible(rest)) if has_rest else "")
        self._rest.setVisible(has_rest)
        left, has_space = available - self._advance(text), True
        facts: list[QWidget] = [self._time, self._links, self._size]
        if self._frames_first:
            facts.sort(key=lambda part: part is not self._links)
        for at, part in enumerate(facts):  # the last gives way before the others
            # Of the problems the sign is enough where the number would hide the time.
            many = "" if part is self._time else MANY_PROBLEMS
            has_problems = self._frames and not self._frames_first
            reserved = self._width_of_problems(many) if has_problems else 0
            if part is self._links:
                self._fit_links(left - reserved - sum(map(self._width_of, facts[at + 1 :])))
            width = self._width_of(part)
            has_space = has_space and width <= left - reserved
            part.setVisible(width > 0 and has_space)
            left -= width if has_space else 0
        self._show_problems(left)

    def _width_of(self, part: QWidget) -> int:
        """Return the width that a fact takes, with the space before it; 0 without content."""
        has_any = bool(part.text() if isinstance(part, QLabel) else self._frames)
        return part.sizeHint().width() + self._row.spacing() if has_any else 0

    def width_with_frames(self) -> int:
        """Return the width at which the outcome and the numbers of the frames are visible."""
        width = self.minimumSizeHint().width() + self._kept_for_frames()
        self._arrange()
        return width

    def _kept_for_frames(self) -> int:
        """Show the numbers of the frames alone, and return their width if they give way last."""
        self._fit_links(0)
        return self._width_of(self._links) if self._frames_first else 0

    def _fit_links(self, available: int) -> None:
        """Show the numbers of the frames, with a word before them if that fits and hides nothing, else as numbers of frames."""
        for text, sign in zip(self._before_frames, ("", "#"), strict=True):
            self._before_links.setText(text)
            self._before_links.setVisible(bool(text))
            for link, frame in zip((self._request, self._response), self._ends(), strict=False):
                link.setText(f"{sign}{frame:,}")
            if self._width_of(self._links) <= available:
                return

    def _show_problems(self, available: int) -> None:
        """Show how many problems there are in a width: as a text, as a number, or by the sign alone."""
        found = self._found
        texts = (found.text, found.short, "")
        fitting = next((text for text in texts if self._width_of_problems(text) <= available), "")
        self._problems.setText(fitting)
        self._problems.setAccessibleName(found.text)
        self._problems.setVisible(bool(found.text))

    def _width_of_problems(self, text: str) -> int:
        """The width that the sign and `text` take, with the space before them."""
        icon, space = self._theme.ICON, self._row.spacing()
        return space + icon + self._theme.px(12) + self._advance(text)

    def _show_sign(self) -> None:
        tone = self._found.tone or "warning"
        set_tone(self._problems, tone)
        self._problems.setIcon(self._theme.icon(ICONS[tone], tone))

    def _ends(self) -> tuple[int, ...]:
        """The numbers of the request and of the response, which is the same without one."""
        return (self._frames * 2)[:2]

    def _show_frames(self) -> None:
        for button, frame in zip((self._request, self._response), self._ends(), strict=False):
            button.setAccessibleName(f"Show frame {frame:,} in traffic")
            button.setToolTip(f"Show frame {frame:,} in traffic")
        has_response = len(self._frames) > 1
        self._arrow.setVisible(has_response)
        self._response.setVisible(has_response)

    def _refresh(self) -> None:
        set_icon(self._icon, self._theme, ICONS[self._tone], self._tone)
        palette = self.palette()
        palette.setColor(self._text.foregroundRole(), self._theme.color(self._tone))
        self._text.setPalette(palette)
        self._text.setFont(self._theme.font(bold=True))
        for part in (self._time, self._size, self._problems, *self._links.findChildren(QWidget)):
            part.setFont(self._theme.font())  # now, not when the style sheet is next looked at
        self._show_sign()
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(self._theme.SPACING_PX)
        height = self._theme.px(tokens.FIELD)
        self.setMinimumHeight(height)
        self._icon.setFixedHeight(
            height
        )  # the buttons beside it are as high, also above a second line
        self._arrange()


def _outcome(text: str) -> tuple[str, str]:
    """Return the outcome itself, and the rest of the text that explains it."""
    found = _SEPARATOR.search(text)
    return (text[: found.start()], text[found.end() :]) if found is not None else (text, "")


def _capitalized(text: str) -> str:
    """Return a text with its first letter as at the start of a sentence; the outcome `ok` is an abbreviation."""
    is_ok = re.match(r"ok\b", text)
    return f"OK{text[2:]}" if is_ok else text[:1].upper() + text[1:]


class ProgressLine(QWidget):
    """A message, a thin bar and *Cancel*; hidden until work is under way.

    Signals:
        cancelled: the user clicked *Cancel*.
    """

    cancelled = Signal()

    def __init__(
        self, *, theme: Theme, name: str = "progress", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._build()
        self.hide()

    def _build(self) -> None:
        self._text = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        set_tone(self._text, "muted")
        self._bar = QProgressBar(self)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName("Progress")
        self._cancel = link_button("Cancel", name=f"{self.objectName()}_cancel", parent=self)
        self._cancel.clicked.connect(self.cancelled)
        row = QHBoxLayout()
        row.addWidget(self._text, 1)
        row.addWidget(self._cancel)
        column_layout(self, row, self._bar, space=self._theme.px(2))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_progress(
        self, text: str, share: float | None = None, *, cancellable: bool = True
    ) -> None:
        """Show `text` and the `share` done, 0 to 1; None if unknown."""
        self._text.set_text(text)
        if share is None:
            self._bar.setRange(0, 0)
        else:
            self._bar.setRange(0, STEPS)
            self._bar.setValue(round(min(max(share, 0.0), 1.0) * STEPS))
        self._cancel.setVisible(cancellable)
        self.show()

    def finish(self) -> None:
        """The work is done."""
        self.hide()


class VisibleClock(QTimer):
    """Calls `tick` when `owner` becomes visible, and every `interval_ms` while it is and the clock is on."""

    def __init__(self, owner: QWidget, tick: Callable[[], object], *, interval_ms: int) -> None:
        super().__init__(owner, interval=interval_ms)
        self._owner = owner
        self._tick = tick
        self._is_on = True
        self.timeout.connect(tick)
        owner.installEventFilter(self)

    def switch(self, *, on: bool) -> None:
        """Switch the clock on or off, for instance with what it measures."""
        self._is_on = on
        self._run()

    def _run(self) -> None:
        if self._is_on and self._owner.isVisible():
            self.start()
        else:
            self.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the visibility of the widget."""
        if event.type() == QEvent.Type.Show:
            self._tick()
            self._run()
        elif event.type() == QEvent.Type.Hide:
            self.stop()
        return super().eventFilter(watched, event)
