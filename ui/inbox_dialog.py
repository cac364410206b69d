"""What every dialog that answers a question of a server has in common, so that the inbox can open it without knowing it.

A sheet blocks nothing and several may be open. Hiding one (Esc) leaves the question waiting and loses nothing that was typed. It goes away
with its question; when that is withdrawn after something was typed, it stays, open or put aside, to be read and copied from, and can no
longer send. So does one that is opened for a question that is over already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QFrame, QWidget

from inspector.inbox import InboxItemStatus
from inspector.visible_text import one_line, visible
from ui.bind import bind_coalesced
from ui.inbox_dialog_parts import CauseLine, TitleLine
from ui.inbox_texts import CLOCK_MS, format_age
from ui.tab_order import tab_around
from ui.theme import tokens
from ui.theme.theme_font import set_theme_font
from ui.widgets.dialog_parts import BUTTON_GAP, DialogFoot
from ui.widgets.fact_line import FactLine
from ui.widgets.labels import plain_label, set_background, set_style_property
from ui.widgets.layout_parts import ScrollColumn, column_layout, row_layout

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QCloseEvent, QHideEvent, QShowEvent
    from PySide6.QtWidgets import QPushButton

    from inspector.clock import Clock
    from inspector.inbox import Inbox, InboxItem
    from ui.theme import Theme

GUARD_MS = 400
"""How long nothing can be sent after the dialog was activated by no action of the user."""


class InboxDialog(QDialog):
    """The frame of one request: which server sent it, why, and how long ago.

    Subclasses put their parts into `body` and their buttons into `foot`, then call `begin`.

    Signals:
        frame_requested: show the request in the traffic of its session.
    """

    frame_requested = Signal(object)

    def __init__(
        self,
        ask: InboxItem,
        *,
        text: str,
        icon: str,
        inbox: Inbox,
        clock: Clock,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """Frame `ask`; `text` precedes the name of the server."""
        super().__init__(parent)
        self.ask = ask
        self.inbox = inbox
        self._theme = theme
        self._clock = clock
        self._icon = icon
        self._waited = False
        self._is_closed = False
        self._was_opened = False
        self._primary: QPushButton | None = None
        self._can_press = False
        self.left_at: QPoint | None = None
        """Where its frame was when it was last put aside."""
        self.setObjectName(f"sheet_{ask.kind}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
        self.setModal(False)
        self.setWindowTitle(one_line(f"{text} {ask.server}", 120))
        self.setAccessibleName(self.windowTitle())
        self._build_frame(text)
        self._wire_frame()

    def _build_frame(self, text: str) -> None:
        theme = self._theme
        set_style_property(self, "surface", "panel")
        edge = theme.px(tokens.READING_PADDING_PX)
        self._build_banner()
        self.facts = FactLine(theme=theme, name="sheet_facts", parent=self)
        self.facts.hide()
        self.body = column_layout(None, space=theme.PADDING_PX)
        self.body.setContentsMargins(
            edge, theme.px(tokens.DENSE_PADDING_PX), edge, theme.PADDING_PX
        )
        area = ScrollColumn(name="sheet_scroll", within_screen=True, parent=self)
        area.column.setSpacing(0)
        self._title = TitleLine(
            f"{text} {self.ask.server}", icon=self._icon, theme=theme, parent=self
        )
        self._cause = CauseLine(self.ask, theme=theme, parent=self)
        for part in (self._banner, self._title, self._cause, self.facts):
            area.column.addWidget(part)
        area.column.addLayout(self.body, 1)
        self.foot = DialogFoot(theme=theme, name="sheet_foot", parent=self)
        layout = column_layout(self, area, self.foot, space=0)
        layout.setStretchFactor(area, 1)

    def _build_banner(self) -> None:
        theme = self._theme
        self._banner = QFrame(self)
        self._banner.setObjectName("sheet_banner")
        set_background(self._banner, "warning")
        self._banner_text = plain_label(wrap=True, parent=self._banner)
        column_layout(
            self._banner,
            self._banner_text,
            space=0,
            margins=(
                theme.px(tokens.READING_PADDING_PX),
                theme.PADDING_PX,
                theme.PADDING_PX,
                theme.PADDING_PX,
            ),
        )
        self._banner.hide()

    def _wire_frame(self) -> None:
        self._ticks = QTimer(self, interval=CLOCK_MS)
        self._ticks.timeout.connect(self.tick)
        self._guard = QTimer(self, singleShot=True, interval=GUARD_MS)
        self._guard.timeout.connect(self._refresh_primary)
        self._cause.frame_requested.connect(lambda: self.frame_requested.emit(self.ask))
        bind_coalesced(self, self.inbox.changed, self._on_inbox_changed)

    def enable_primary(self, button: QPushButton, *, on: bool) -> None:
        """Let `button` be what Ctrl+Enter presses, enabled if `on` and as soon as no key can be meant for another window."""
        self._primary, self._can_press = button, on
        self._refresh_primary()

    def _refresh_primary(self) -> None:
        if self._primary is not None:
            self._primary.setEnabled(self._can_press and not self._guard.isActive())

    def add_esc(self, button: QPushButton) -> None:
        """Add the button that leaves the request pending, after its key."""
        both = QWidget(self.foot)  # so that the line breaks around them
        key = plain_label("Esc", tone="muted", parent=both)
        set_theme_font(key, self._theme, tokens.SMALL)
        row_layout(both, key, button, space=self._theme.px(BUTTON_GAP))
        self.foot.add_right(both)

    def begin(self) -> None:
        """Show how things stand; to be called once everything is built."""
        self._on_inbox_changed()

    def is_touched(self) -> bool:
        """Whether the dialog has input that would be lost. Subclasses override it."""
        return False

    @property
    def is_unsent(self) -> bool:
        """Whether something was put in that would be lost, and could still be sent."""
        return self.inbox.status(self.ask) is InboxItemStatus.PENDING and self.is_touched()

    def set_can_respond(self, on: bool) -> None:
        """Enable what sends an answer, or not. Subclasses do."""

    def set_banner(self, text: str) -> None:
        """Tell something above the body; empty to take it back."""
        self._banner_text.setText(visible(text))
        self._banner.setVisible(bool(text))

    def tick(self) -> None:
        """Show how long the question waits, and what became of its call."""
        waits = self.inbox.status(self.ask) is InboxItemStatus.PENDING
        waited = format_age(self._clock.monotonic() - self.ask.received_at)
        fate = self.ask.fate() if waits else ""
        self._title.show_wait(f"waiting {waited}" if waits and not fate else "")
        if fate:
            self.set_banner(f"{fate}. The server may no longer expect a response.")

    def _on_inbox_changed(self) -> None:
        status = self.inbox.status(self.ask)
        if self._is_closed:
            self._go_if_dismissed()
            return
        waits = status is InboxItemStatus.PENDING
        self.set_can_respond(waits)
        self.tick()
        if waits:
            self._waited = True
            return
        self._ticks.stop()
        self._is_closed = True
        if status is InboxItemStatus.ANSWERED or (self._waited and not self.is_touched()):
            self.dispose()
        else:
            self._show_closed()

    def _show_closed(self) -> None:
        text = self.inbox.note(self.ask) or "request closed"
        kept = " Your input is kept so you can copy it." if self.is_touched() else ""
        self.set_banner(f"This request is closed: {text}.{kept}")

    def _go_if_dismissed(self) -> None:
        """Put aside and no longer listed, nothing leads to it any more."""
        if not self.isVisible() and self.inbox.status(self.ask) is InboxItemStatus.ANSWERED:
            self.dispose()

    def dispose(self) -> None:
        """Go away for good."""
        self.hide()
        self.deleteLater()

    def on_closed(self) -> None:
        """Hide the dialog when the user closes its window, unlike Esc no mistake. Subclasses may do more."""
        self.hide()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes on in the order that is seen, and round at the end."""
        return tab_around(self, forward=forward) or super().focusNextPrevChild(forward)

    def reject(self) -> None:
        """Esc: leave the question waiting; of one that is over, keep what was typed for as long as it is listed."""
        listed = self.inbox.status(self.ask) is not InboxItemStatus.ANSWERED
        if self.inbox.status(self.ask) is InboxItemStatus.PENDING or (listed and self.is_touched()):
            self.hide()
        else:
            self.dispose()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing is not answering, unless a subclass says so."""
        event.accept()
        if self.inbox.status(self.ask) is InboxItemStatus.PENDING:
            self.on_closed()
        else:
            self.dispose()

    def changeEvent(self, event: QEvent) -> None:
        """A key meant for another window must not send anything: a dialog that is activated unasked waits a moment."""
        super().changeEvent(event)
        if event.type() != QEvent.Type.ActivationChange or not self.isActiveWindow():
            return
        is_asked = self._was_opened or QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton
        self._was_opened = False
        if not is_asked:
            self._guard.start()
            self._refresh_primary()

    def hideEvent(self, event: QHideEvent) -> None:
        """Remember the place."""
        self.left_at = self.pos()
        super().hideEvent(event)

    def setVisible(self, visible: bool) -> None:
        """When the active dialog is hidden, the window that it belongs to is active again and has the focus where it was."""
        was_active = self.isActiveWindow()  # no longer when Qt sends the event
        super().setVisible(visible)
        parent = self.parentWidget()
        if was_active and not visible and parent is not None:
            parent.window().activateWindow()

    def showEvent(self, event: QShowEvent) -> None:
        """Run the clock while the dialog is visible."""
        super().showEvent(event)
        self._was_opened = True
        self.tick()
        self._ticks.start()
