"""The line below the editor: the button that sends, what the called tool may do, and what is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from inspector.features.compose import MAX_READ
from inspector.visible_text import one_line
from ui.theme import tokens
from ui.theme.signs import Sign
from ui.widgets.buttons import SUBMIT_TEXT, push_button
from ui.widgets.labels import ElidedLabel, plain_label, set_tone
from ui.widgets.layout_parts import row_layout

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from inspector.features.compose import Sending
    from inspector.spec.views.tool import ToolAnnotations
    from ui.theme import Theme

FOOT_HEIGHT = 46
"""Pixels at 100%."""

KEYS_FROM = 640
"""Pixels at 100% of the width from which on the keys that send are named."""

MAX_NAME = 60
"""Characters of the name of a tool."""


def is_destructive(annotations: ToolAnnotations | None) -> bool:
    """Whether a server states that a tool is destructive."""
    return (
        annotations is not None
        and not annotations.read_only
        and annotations.is_stated("destructiveHint")
        and annotations.destructive
    )


class SendBar(QWidget):
    """The button that sends, and the question before a destructive tool is called.

    Signals:
        send_requested: send the text.
        repeat_requested: send it many times.
        join_toggled: JSON in lines is to be sent on one line, or not.
        confirmed: the user agreed to call the destructive tool.
    """

    send_requested = Signal()
    repeat_requested = Signal()
    join_toggled = Signal(bool)
    confirmed = Signal()

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start with nothing to send; the object names of its parts begin with `name`."""
        super().__init__(parent)
        self.setObjectName(f"{name}_bar")
        self._theme = theme
        self._tool = ""
        self.is_ready = False
        """Whether there is a connection."""
        self._can_join = self._is_asking = False
        self.needs_consent = False
        """Whether the tool is destructive, and the user did not agree yet."""
        self._build(name)
        self.send.clicked.connect(self.send_requested)
        self.repeat.clicked.connect(self.repeat_requested)
        self._agree.clicked.connect(self._on_agreed)
        self._cancel.clicked.connect(self._on_cancelled)
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    def _build(self, name: str) -> None:
        self._question = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._question.setObjectName(f"{name}_question")
        set_tone(self._question, "error")
        self._agree = push_button("Send", name=f"{name}_agree", parent=self)
        self._cancel = push_button("Cancel", name=f"{name}_cancel", parent=self)
        self.send = push_button("Send", name=f"{name}_send", primary=True, parent=self)
        self.send.set_sign(self._theme, Sign.SEND_TEXT)
        self.send.setToolTip(SUBMIT_TEXT)
        self._keys = plain_label(SUBMIT_TEXT, tone="muted", parent=self)
        self.repeat = push_button("Repeat…", name=f"{name}_many", parent=self)
        self.repeat.set_sign(self._theme, Sign.REPEAT)
        self.repeat.setToolTip(
            "Sends the message many times, and measures how long the responses take"
        )
        self._hints = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._hints.setObjectName(f"{name}_tool_hints")
        self._join = QCheckBox("On one line", self)
        self._join.setObjectName(f"{name}_join")
        self._join.setToolTip(
            "Joins the lines of JSON: a message over stdio ends at a line break.\n"
            "Without it, they are sent as they are."
        )
        self._join.clicked.connect(self.join_toggled)
        self._state = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._state.setObjectName(f"{name}_state")
        self._state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._row = row_layout(self, self.send, self._keys, self.repeat, self._hints, space=0)
        self._row.addWidget(self._state, 1)
        self._row.addWidget(self._join)
        self._row.addWidget(self._question, 1)
        self._row.addWidget(self._agree)
        self._row.addWidget(self._cancel)
        self._show_question(is_asked=False)

    def show_text(self, sending: Sending, *, is_ready: bool, in_lines: bool) -> None:
        """Show whether, and how, a text is sent; `in_lines` for a transport whose messages end at a line break."""
        self.is_ready = is_ready
        for button in (self.send, self.repeat):
            button.setEnabled(is_ready and bool(sending.text))
        self._can_join = sending.can_join
        self._join.setVisible(sending.can_join and not self._is_asking)
        if sending.can_join:
            self._join.setChecked(sending.is_joined)
        if not is_ready:
            self._show("Not connected", "muted")
        elif in_lines and "\n" in sending.text:
            self._show("A line break ends a message: sent as several", "warning")
        elif len(sending.text) > MAX_READ:
            self._show("Sends exactly the text above, too long to validate as JSON", "muted")
        elif sending.problem:
            self._show(f"Not JSON ({sending.problem}): sent exactly as typed", "warning")
        elif sending.is_joined:
            self._show("Sends the text above on one line", "muted")
        else:
            self._show("Sends exactly the text above", "muted")

    def show_note(self, text: str) -> None:
        """Show what was done."""
        self._show(text, "muted")

    def show_problem(self, text: str) -> None:
        """Show why nothing was sent."""
        self._show(text, "error")

    def show_tool(
        self, name: str, annotations: ToolAnnotations | None, *, is_confirmed: bool, more: int = 0
    ) -> None:
        """Show what the called tool may do, as the server says; so many `more` destructive ones are called with it."""
        self._tool = one_line(name, MAX_NAME) + (f" and {more:,} more" if more else "")
        asks = is_destructive(annotations)
        if not name:
            text, tone = "", "muted"
        elif annotations is None:
            text, tone = f"{self._tool} is not among the listed tools", "muted"
        elif annotations.read_only:
            text, tone = f"{self._tool} is read-only", "muted"
        elif asks:
            text, tone = f"{self._tool} {'are' if more else 'is'} destructive", "error"
        else:
            text, tone = f"{self._tool} is not marked read-only", "warning"
        self._hints.set_text(text)
        set_tone(self._hints, tone)
        self.needs_consent = asks and not is_confirmed
        label = "Send…" if self.needs_consent else "Send"
        self.send.setText(label)
        self.send.setAccessibleName(label)

    def ask(self, count: int = 1) -> None:
        """Ask whether the destructive tool is to be called so many times."""
        send = "Send" if count == 1 else f"Send {count:,} times"
        self._question.set_text(f"{self._tool} may delete or overwrite something. {send} anyway?")
        self._show_question(is_asked=True)
        self._cancel.setFocus()

    def stop_asking(self) -> None:
        """Withdraw the question."""
        self._show_question(is_asked=False)

    def _show_question(self, *, is_asked: bool) -> None:
        self._is_asking = is_asked
        self._join.setVisible(self._can_join and not is_asked)
        for part in (self.send, self.repeat, self._hints, self._state):
            part.setVisible(not is_asked)
        for part in (self._question, self._agree, self._cancel):
            part.setVisible(is_asked)
        self._fit()

    def _fit(self) -> None:
        """Name the keys where there is room; the tool tip of the button has them too."""
        is_wide = self.width() >= self._theme.px(KEYS_FROM)
        self._keys.setVisible(is_wide and not self._is_asking)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is more room, or less."""
        super().resizeEvent(event)
        self._fit()

    def _on_agreed(self) -> None:
        self.stop_asking()
        self.send.setFocus()
        self.confirmed.emit()

    def _on_cancelled(self) -> None:
        self.stop_asking()
        self.send.setFocus()

    def _show(self, text: str, tone: str) -> None:
        self._state.set_text(text)
        set_tone(self._state, tone)

    def _apply_theme(self) -> None:
        theme = self._theme
        side = theme.px(tokens.DENSE_PADDING_PX)
        self.setFixedHeight(theme.px(FOOT_HEIGHT))
        self._row.setContentsMargins(side, 0, side, 0)
        self._row.setSpacing(theme.PADDING_PX)
        self._fit()
