"""What the shown record counts; each number filters the traffic to what it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QStatusBar, QWidget

from inspector.checks.problem_sums import Sums
from inspector.transcript.findings import totals
from inspector.visible_text import one_line
from inspector.wire.frame import Channel
from ui.shell.status_texts import found_in_short, found_text, ping_texts
from ui.theme import tokens
from ui.widgets.labels import ElidedLabel, no_mnemonic, tool_tip
from ui.widgets.layout_parts import keep_space, reserve_width
from ui.widgets.units import plural, size, size_exact

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtGui import QResizeEvent

    from inspector.checks.background_validator import BackgroundValidator
    from inspector.features.ping import Ping
    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme

FILTERS = {
    "messages": "",
    "pending": "status:pending",
    "capture": "",
    "stderr": "kind:stderr",
}
"""Button to filter of the traffic."""

OF_RECORDING = ("messages", "pending", "problems", "capture", "stderr")
"""Buttons that are there while there is a recording to count in."""

AT_LEFT = ("messages", "pending", "capture", "problems", "for_user")
"""Buttons from the left; the last is the one whose text grows the most, so that it moves no other."""

AT_RIGHT = ("ping", "stderr", "faults")
"""Buttons at the right end."""

COUNTED = (*AT_LEFT, "ping", "stderr")
"""Buttons that are visible while there is something to count."""

SPARE = ("capture", "ping", "stderr", "pending", "messages")
"""Buttons that give way where there is no room for all, in this order; the traffic and its dock have the same."""

MIN_SEVERITIES = 1000
"""Width at 100% from which on errors and warnings are counted apart; it depends on no count, so that none that grows moves others."""

MANY_UNFILTERED = 500
"""From so many frames that are not validated yet on, their number is shown."""

INTERVALS = (0, 10, 30, 60)
"""Seconds between pings on offer; 0 is off."""

NO_PING = "This protocol revision has no ping; any request shows whether the server responds."

DIGITS = 4
"""Characters in whose steps a button gets room for its numbers, as they run."""

CHECKING = " · checking"
RESERVED = Sums(errors=99, warnings=99)
"""There is room for so many problems, and to say that more is checked: both come by the way."""

REASON_LENGTH = 60
"""Characters of why a recording cannot be written."""

FAULT_LENGTH = 80
"""Characters of the latest internal error."""

MIN_FAULT = 10
"""With fewer characters than this, only the number is shown."""

MESSAGE_MS = 15_000
"""How long a message is shown."""


class StatusBar(QStatusBar):
    """Counts as buttons.

    Signals:
        filter_requested: the traffic is to be filtered by this.
        problems_requested: the problems are to be shown.
        ping_requested: the server is to be asked again whether it is there.
        save_requested: the recording that cannot be written is to be saved elsewhere.
        errors_requested: the faults of Spyglass itself are to be shown.
        requests_requested: what needs the user is to be shown.
    """

    filter_requested = Signal(str)
    problems_requested = Signal()
    ping_requested = Signal()
    save_requested = Signal()
    errors_requested = Signal()
    requests_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a record."""
        super().__init__(parent)
        self.setObjectName("status_bar")
        self.setSizeGripEnabled(False)
        self._theme = theme
        self._ping: Ping | None = None
        self._faults = (0, "")
        """The count of internal errors, and the text of the latest."""
        self._is_unsaved = False
        """Whether the recording cannot be written."""
        self._has_counts = False
        """Whether there is a recording to count in."""
        self._problems = Sums()
        self._problems_in_short, self._is_short = "", False
        self._unchecked = 0
        """Frames and other things that are still to be validated."""
        self._for_user = 0
        """Server requests and logins that wait for the user."""
        self._for_user_text = ""
        """That without where they are, for where there is no room for it."""
        self._build()
        self._wire()
        self.setFixedHeight(theme.px(tokens.STATUS_HEIGHT_PX))
        self.show_counts((), None)
        self.show_for_user(0)
        self.show_ping(None)
        self.set_faults(0)

    def _build(self) -> None:
        self._buttons: dict[str, QPushButton] = {}
        for name in (*AT_LEFT, *AT_RIGHT):
            button = self._buttons[name] = QPushButton(self)
            button.setObjectName(f"status_{name}")
            button.setFlat(True)
            button.setProperty("flat_look", True)
            if name in AT_LEFT:
                self.addWidget(button)
        self._message = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._message.setObjectName("status_message")
        self._message.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.addWidget(self._message, 1)
        for name in AT_RIGHT:
            self.addPermanentWidget(self._buttons[name])
        self._message_timer = QTimer(self, interval=MESSAGE_MS, singleShot=True)
        self._expanded: set[str] = set()

    def _wire(self) -> None:
        for name, text in FILTERS.items():
            if name != "capture":
                self._buttons[name].clicked.connect(
                    lambda _=False, t=text: self.filter_requested.emit(t)
                )
        self._buttons["problems"].clicked.connect(self.problems_requested)
        self._buttons["capture"].clicked.connect(self._on_capture_clicked)
        self._buttons["for_user"].clicked.connect(self.requests_requested)
        self._buttons["ping"].clicked.connect(self.ping_requested)
        self._buttons["ping"].setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._buttons["ping"].customContextMenuRequested.connect(self._on_ping_menu_requested)
        self._buttons["faults"].clicked.connect(self.errors_requested)
        self._message_timer.timeout.connect(lambda: self._message.set_text(""))
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        self.setFixedHeight(self._theme.px(tokens.STATUS_HEIGHT_PX))
        for button in self._buttons.values():
            self._dress(button)
            button.setMinimumWidth(0)  # the width at another text size is not kept
            self._reserve(button)
        self._fit()

    def _reserve(self, button: QPushButton) -> None:
        button.ensurePolished()
        text = button.fontMetrics().horizontalAdvance
        text_of = found_in_short if self._is_short else found_text
        widest = text_of(RESERVED) + CHECKING if button is self._buttons["problems"] else ""
        spare = max(text(widest) - text(button.text()), 0)
        reserve_width(button, self._theme.character_width() * DIGITS, spare=spare)

    def show_counts(
        self, transcripts: Sequence[Transcript], sweep: BackgroundValidator | None
    ) -> None:
        """Show the counts of all `transcripts`, which are those of the traffic; `sweep` tells what is still to be validated."""
        self._has_counts = bool(transcripts)
        for name in OF_RECORDING:
            self._show(name, self._has_counts)
        self._show("for_user", self._has_counts or self._for_user > 0)
        if not transcripts:
            return
        counts = totals([transcript.counts for transcript in transcripts])
        of_runs = f", of {len(transcripts)} runs" if len(transcripts) > 1 else ""
        text = f"↑ {counts.sent:,}  ↓ {counts.received:,} messages"
        self._set_text("messages", text, f"All traffic{of_runs}")
        tone = "pending" if counts.pending else ""
        self._set_text("pending", f"{counts.pending:,} pending", tone=tone)
        self._unchecked = sweep.pending if sweep is not None else 0
        self.show_problems(self._problems)
        self._show_recording(transcripts[-1])
        unfinished = transcripts[-1].unfinished.of(Channel.STDERR)
        self._show_stderr(counts.stderr + (unfinished is not None), counts.probe_stderr)

    def show_problems(self, problems: Sums) -> None:
        """Show how many rules found a problem in the latest run."""
        self._problems = problems
        is_long = self._unchecked > MANY_UNFILTERED
        tip = "Show problems by rule"
        if is_long:
            tip = f"{plural(self._unchecked, 'frame')} still to check\n{tip}"
        checking = CHECKING if is_long else ""
        text, short = (f"{of(problems)}{checking}" for of in (found_text, found_in_short))
        is_other = text != self._buttons["problems"].accessibleName()
        self._problems_in_short = short
        self._set_text("problems", short if self._is_short else text, tip, problems.tone)
        self._buttons["problems"].setAccessibleName(text)
        if is_other:
            self._fit()

    def show_for_user(self, count: int, elsewhere: int = 0) -> None:
        """Show how many server requests and logins wait for the user in all sessions, and how many of them in others than this."""
        self._for_user = count
        tone = "person" if count else ""
        some = "" if elsewhere == count else f"{elsewhere:,} "
        other = f", {some}in another server" if elsewhere else ""
        self._for_user_text = f"{count:,} waiting for you"
        self._set_text("for_user", self._for_user_text + other, "Show what waits for you", tone)
        self._show("for_user", self._has_counts or count > 0)
        self._fit()

    def _show_stderr(self, lines: int, of_probe: int) -> None:
        text, tip = f"stderr: {plural(lines, 'line')}", "Show the server's stderr output"
        if of_probe:
            probe = (
                f"{of_probe:,} received while Spyglass waited for the response to server/discover"
            )
            text, tip = f"{text} ({of_probe:,} probe)", f"{tip}; {probe}"
        self._set_text("stderr", text, tip)

    def show_ping(self, ping: Ping | None) -> None:
        """Show how long the last ping took, and offer to ping every so often."""
        self._ping = ping
        self._show("ping", ping is not None)
        if ping is None:
            return
        self._buttons["ping"].setEnabled(ping.is_possible)
        if not ping.is_possible:
            self._set_text("ping", "no ping", NO_PING)
            return
        self._set_text("ping", *ping_texts(ping))

    def _show(self, name: str, on: bool) -> None:
        if on != (name in self._expanded):
            self._expanded ^= {name}
            self._fit()

    def _fit(self) -> None:
        """Hide what is spare while there is no room for all."""
        visible = set(self._expanded)
        spare = [name for name in SPARE if name != "capture" or not self._is_unsaved]
        available = self.width()
        if self._faults[0]:  # without the text of the latest, which has only what is left
            self._abbreviate("faults", plural(self._faults[0], "internal error"))
            available -= self._width_of("faults")
        self._abbreviate("for_user", self._for_user_text)
        is_short, problems = available < self._theme.px(MIN_SEVERITIES), self._buttons["problems"]
        if is_short != self._is_short:
            self._is_short = is_short
            problems.setMinimumWidth(0)  # the width of the other text is not kept
            whole = problems.accessibleName()
            self._abbreviate("problems", self._problems_in_short if is_short else whole)
        for name in spare:
            if self._width_for(visible) <= available:
                break
            visible.discard(name)
        self._abbreviate("for_user", self._buttons["for_user"].accessibleName())
        if self._width_for(visible) > available:
            self._abbreviate("for_user", self._for_user_text)  # nothing else gives way to the rest
        for name, button in ((name, self._buttons[name]) for name in COUNTED):
            keep_space(button, is_kept=name in visible)
            button.setVisible(name in visible and (name != "for_user" or self._for_user > 0))
            if name in visible:
                self._reserve(button)  # hidden, it may have had another font
        self._fit_faults()

    def _abbreviate(self, name: str, text: str) -> None:
        """Show another text for the same, which assistive technology has whole."""
        self._buttons[name].setText(text)
        self._reserve(self._buttons[name])

    def _width_of(self, name: str) -> int:
        button, spacing = self._buttons[name], self._theme.px(6)
        return max(button.minimumWidth(), button.minimumSizeHint().width()) + spacing

    def _width_for(self, names: Iterable[str]) -> int:
        """Return the width that these buttons need, and the space beside the message between them."""
        return sum(map(self._width_of, names)) + 2 * self._theme.px(6)

    def minimumSizeHint(self) -> QSize:
        """Return no width: the bar has that of the window, however little it is, and buttons give way."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is more room now, or less."""
        super().resizeEvent(event)
        self._fit()

    def make_ping_menu(self) -> QMenu:
        """What can be done about pings."""
        menu = QMenu(self)
        menu.setObjectName("ping_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Ping now", self.ping_requested.emit)
        menu.addSeparator()
        group = QActionGroup(menu)
        for seconds in INTERVALS:
            action = menu.addAction(f"Every {seconds} s" if seconds else "Off")
            action.setCheckable(True)
            action.setChecked(self._ping is not None and self._ping.interval_seconds == seconds)
            action.triggered.connect(lambda _=False, s=seconds: self._repeat(s))
            group.addAction(action)
        return menu

    def _repeat(self, seconds: float) -> None:
        if self._ping is not None:
            self._ping.repeat(seconds)

    def _on_ping_menu_requested(self, position: QPoint) -> None:
        self.make_ping_menu().popup(self._buttons["ping"].mapToGlobal(position))

    def show_message(self, text: str) -> None:
        """Say something for a while, beside the counts."""
        self._message.set_text(text)
        self._message_timer.start()

    def set_faults(self, count: int, latest: str = "") -> None:
        """Say how many faults of Spyglass itself were caught, and what the `latest` was, as far as there is room."""
        self._faults = (count, latest)
        tip = f"{latest}\nShow details" if latest else "Show details"
        self._set_text("faults", plural(count, "internal error"), tip, "error")
        self._buttons["faults"].setVisible(count > 0)
        self._fit()

    def _fit_faults(self) -> None:
        """Give the text of the latest internal error the width that is left."""
        count, latest = self._faults
        if not count:
            return
        button, short = self._buttons["faults"], plural(count, "internal error")
        whole = f"{short}: {one_line(latest, FAULT_LENGTH)}" if latest else short
        visible = [name for name in COUNTED if not self._buttons[name].isHidden()]
        beside = button.sizeHint().width() - button.fontMetrics().horizontalAdvance(button.text())
        beside += self._theme.character_width() * DIGITS  # it may be so much wider than its text
        width = self.width() - self._width_for(visible) - beside - self._theme.PADDING_PX
        fits = button.fontMetrics().elidedText(whole, Qt.TextElideMode.ElideRight, width)
        button.setText(no_mnemonic(fits) if len(fits) > len(short) + MIN_FAULT else short)
        button.setAccessibleName(whole)
        self._reserve(button)

    def _on_capture_clicked(self) -> None:
        if self._is_unsaved:
            self.save_requested.emit()
        else:
            self.filter_requested.emit(FILTERS["capture"])

    def _show_recording(self, transcript: Transcript) -> None:
        count, failure = transcript.counts.bytes, transcript.failure
        self._is_unsaved = failure is not None
        exact = f"{size_exact(count)} in {plural(transcript.count, 'frame')}"
        if failure is not None:
            # Where it should have been is in the tooltip.
            cause = failure.reason.rpartition(": ")[2]
            text = f"not recorded ({size(count)}): {one_line(cause, REASON_LENGTH)}"
            self._set_text("capture", text, f"{failure.reason}\nClick to save elsewhere", "error")
        elif transcript.path is None:
            text = f"{exact}. Not saved; lost when Spyglass closes"
            self._set_text("capture", f"not saved ({size(count)})", text)
        else:
            self._set_text("capture", f"recording {size(count)}", f"{exact}\n{transcript.path}")

    def _set_text(self, name: str, text: str, tip: str = "", tone: str = "") -> None:
        button = self._buttons[name]
        if button.text() != (label := no_mnemonic(text)):
            button.setText(label)
            self._reserve(button)
        button.setAccessibleName(text)
        button.setToolTip(tool_tip(tip or f"Filter the traffic: {FILTERS[name]}"))
        button.setProperty("tone", tone or "muted")
        if self._dress(button):
            self._reserve(button)

    def _dress(self, button: QPushButton) -> bool:
        """Give a button its color and the padding of the moment; whether that is something new."""
        color = self._theme.color(str(button.property("tone") or "muted")).name()
        side = "right" if button.objectName().removeprefix("status_") in AT_RIGHT else "left"
        style = f"QPushButton {{ color: {color}; text-align: {side}; margin: 0; padding: 1px {self._theme.px(6)}px }}"
        if is_new := button.styleSheet() != style:
            button.setStyleSheet(style)
        return is_new
