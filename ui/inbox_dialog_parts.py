"""The two lines at the top of a dialog that responds to a server: which request of which server it is, and what caused it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from ui.inbox_texts import cause_text
from ui.theme import tokens
from ui.theme.restyle import set_own_font
from ui.widgets.buttons import link_button
from ui.widgets.dialog_parts import DialogTitle
from ui.widgets.labels import ElidedLabel, plain_label, set_icon, set_tone, tool_tip, visible_name
from ui.widgets.layout_parts import row_layout

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from inspector.inbox import InboxItem
    from ui.theme import Theme

CAUSE_PX = 28
"""Height of the line with the cause, at 100%."""

LIMIT_FROM_PX = 520
"""Width at 100% from which on the title leaves room for the limit."""

LIMIT = "· no time limit"
LIMIT_TIP = "Spyglass waits for your response without a limit. The server may have one of its own."


class TitleLine(DialogTitle):
    """The kind of a request, its server, and how long it has been pending."""

    def __init__(self, text: str, *, icon: str, theme: Theme, parent: QWidget) -> None:
        """Show `text` with an icon."""
        super().__init__(theme=theme, name="sheet_title", sign=icon, tone="person", parent=parent)
        self._clock_icon = QLabel(self)
        self._clock = plain_label(tone="pending", name="sheet_clock", parent=self)
        self._limit = plain_label(LIMIT, tone="muted", name="sheet_limit", parent=self)
        for label in (self._clock, self._limit):
            label.setToolTip(tool_tip(LIMIT_TIP))
        for part in (self._clock_icon, self._clock, self._limit):
            self.row.addWidget(part)
        self.set_text(text)
        theme.changed.connect(self._dress)
        self._dress()

    def show_wait(self, text: str) -> None:
        """Show how long the request has been pending; nothing for one that is not."""
        self._clock.setText(text)
        self._clock_icon.setVisible(bool(text))
        self._clock.setVisible(bool(text))
        self._show_limit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the limit out where the title needs the width; the tool tip of the time has it as well."""
        super().resizeEvent(event)
        self._show_limit()

    def _show_limit(self) -> None:
        is_wide = self.width() >= self._theme.px(LIMIT_FROM_PX)
        self._limit.setVisible(is_wide and bool(self._clock.text()))

    def _dress(self) -> None:
        set_icon(self._clock_icon, self._theme, "mdi6.timer-sand", "pending")


class CauseLine(QWidget):
    """The client request that may have caused the request, and a link to the frame.

    Signals:
        frame_requested: show the frame of the request.
    """

    frame_requested = Signal()

    def __init__(self, ask: InboxItem, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("sheet_cause")
        self.setAccessibleName(visible_name(cause_text(ask)))
        before, name, after = cause_parts(ask)
        # Beside a name, the name alone is elided.
        policy = QSizePolicy.Policy.Minimum if name else QSizePolicy.Policy.Preferred
        edge = theme.px(tokens.READING_PADDING_PX)
        row = row_layout(self, space=theme.SPACING_PX, margins=(edge, 0, edge, 0))
        row.addWidget(_muted(before, policy, self))
        self._name = ElidedLabel(name, parent=self)
        self._name.setVisible(bool(name))
        row.addWidget(self._name)
        row.addWidget(_muted(after, policy, self))
        link = link_button(f"{ask.frame:,}", name="sheet_frame", parent=self)
        link.setAccessibleName(f"Show frame {ask.frame:,}")
        link.setToolTip("Show in traffic")
        link.clicked.connect(self.frame_requested)
        row.addWidget(link)
        row.addStretch(1)
        theme.changed.connect(self._dress)
        self._dress()

    def _dress(self) -> None:
        self.setFixedHeight(self._theme.px(CAUSE_PX))
        set_own_font(self._name, self._theme.mono())


def cause_parts(ask: InboxItem) -> tuple[str, str, str]:
    """Return the same in three parts, for a line that ends with the frame of the request; the middle one is the name of the only cause."""
    if len(ask.causes) == 1:
        return "Sent while", ask.causes[0].text, "was in progress · frame"
    return cause_text(ask), "", "· frame"


def _muted(text: str, policy: QSizePolicy.Policy, parent: QWidget) -> QLabel:
    label = ElidedLabel(text, elide=Qt.TextElideMode.ElideRight, parent=parent)
    label.setSizePolicy(policy, QSizePolicy.Policy.Fixed)
    set_tone(label, "muted")
    return label
