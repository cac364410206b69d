"""The bottom row of a request panel: send, cancel, why the request cannot be sent or has problems, and the button that shows the options.

Members of `_meta` that the user overrides are shown before the request is sent, also while the options are hidden.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QWidget

from inspector.visible_text import one_line
from inspector.wire import json_codec
from ui.request.options import RequestOptions
from ui.tab_order import scroll_to
from ui.theme import tokens
from ui.theme.signs import SIGN_OF_TONE, Sign
from ui.widgets.buttons import SUBMIT_TEXT, link_button, push_button, tool_button
from ui.widgets.labels import ElidedLabel, plain_label, set_icon, set_tone, tool_tip
from ui.widgets.layout_parts import column_layout, keep_space, row_layout
from ui.widgets.units import plural

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from inspector.session.outgoing import OverriddenMeta
    from inspector.wire.json_codec import Json
    from ui.theme import Theme

MAX_CHARACTERS = 60
"""Of a name or value; the tooltip has the rest."""

NOT_CONNECTED = "not connected"
"""Why nothing can be sent without a connection."""

ANYWAY = " anyway"
"""Follows the label of the button where a request with problems can be sent."""

MAX_REPLACED = 4
"""Overridden members that are shown one by one."""


class RequestRow(QWidget):
    """The bottom row of a request panel.

    Signals:
        send_requested: the request is to be sent.
        cancel_requested: the pending request is to be cancelled.
        changed: the options changed.
        action_requested: the button beside the problem was clicked.
    """

    send_requested = Signal()
    cancel_requested = Signal()
    changed = Signal()
    action_requested = Signal()

    def __init__(
        self, label: str, *, theme: Theme, name: str, cancel: str, parent: QWidget | None = None
    ) -> None:
        """Start without a request; `label` labels the button, `name` begins the object names, `cancel` is one."""
        super().__init__(parent)
        self.setObjectName(f"{name}_row")
        self._label = label
        self.offline_text = NOT_CONNECTED
        """Why nothing can be sent without a connection."""
        self._problem = ""
        self._theme = theme
        self._build(theme, name, cancel)
        self._wire()

    def _build(self, theme: Theme, name: str, cancel: str) -> None:
        self.button = push_button(self._label, name=f"{name}_button", primary=True, parent=self)
        self.button.set_sign(theme, Sign.RUN_NOW)
        self.button.setToolTip(SUBMIT_TEXT)
        self.cancel_button = push_button("Cancel", name=cancel, parent=self)
        keep_space(self.cancel_button)  # or the text beside it is wider when a request ends
        self._obstacle = Obstacle(theme=theme, name=name, parent=self)
        self.options = RequestOptions(theme=theme, name=name, parent=self)
        self.options.hide()
        self._options_button = tool_button(
            theme,
            "mdi6.tune-variant",
            "Request options: timeouts, _meta",
            name="limits_button",
            checkable=True,
            parent=self,
        )
        self._replaced = plain_label(
            tone="warning", name=f"{name}_replaced", wrap=True, selectable=True, parent=self
        )
        self._replaced.hide()
        # What comes and goes is right of the text, which gives way to it.
        self._row = row_layout(None, self.button, self._obstacle, space=0)
        self._row.setStretchFactor(self._obstacle, 1)
        for part in (self.cancel_button, self._options_button):
            self._row.addWidget(part)
        self._apply_theme()
        column_layout(self, self._replaced, self._row, space=0)

    def _apply_theme(self) -> None:
        pad, edge = self._theme.PADDING_PX, self._theme.px(tokens.READING_PADDING_PX)
        self._replaced.setContentsMargins(edge, pad, edge, 0)
        self._row.setContentsMargins(edge, pad, edge, pad)
        self._row.setSpacing(pad)

    def _wire(self) -> None:
        self.button.clicked.connect(self.press)
        self._theme.changed.connect(self._apply_theme)
        self.cancel_button.clicked.connect(self.cancel_requested)
        self._options_button.toggled.connect(self._on_options_toggled)
        self.options.changed.connect(self._on_options_changed)
        self._obstacle.action_requested.connect(self.action_requested)

    def press(self) -> None:
        """Send the request if that is possible, else show why not."""
        if not self.button.isEnabled():
            return
        if self.options.problem():
            self.show_problem(f"invalid options: {self.options.problem()}")
        else:
            self.send_requested.emit()

    def show_problem(self, text: str) -> None:
        """Show why a click did nothing, until something changes."""
        self._problem = text
        if text:
            self._obstacle.show_text(text, "error")

    def show_state(
        self,
        *,
        connected: bool,
        running: bool,
        sendable: bool = True,
        anyway: bool = False,
        text: str = "",
        tone: str = "warning",
        short: str = "",
        detail: str = "",
        action: str = "",
    ) -> None:
        """Enable the buttons; `text` says what is wrong, `anyway` that the request can be sent regardless.

        `short` is displayed after a sign where there is no room for `text`, `detail` is the tooltip of both, and `action` the label of the
        button beside them.
        """
        label = f"{self._label}{ANYWAY}" if anyway else self._label
        self.button.setText(label)
        self.button.setAccessibleName(label)
        self.button.setEnabled(connected and sendable)
        self._obstacle.can_send = connected and sendable
        self.cancel_button.setVisible(running)
        self.options.refresh()
        self._show_replaced()
        overrides = self.options.meta()
        if not connected:
            self._obstacle.show_text(self.offline_text, "muted")
        elif self._problem:
            self._obstacle.show_text(self._problem, "error")
        elif text or not overrides:
            self._obstacle.show_text(text, tone, short=short, detail=detail, action=action)
        else:
            self._obstacle.show_text(
                f"with {plural(len(overrides), '_meta member')} overridden", "muted"
            )

    def _show_replaced(self) -> None:
        replaced = self.options.replaced()
        lines = [_replaced_text(each) for each in replaced[:MAX_REPLACED]]
        if len(replaced) > MAX_REPLACED:
            lines.append(f"and {len(replaced) - MAX_REPLACED:,} more")
        self._replaced.setText("\n".join(lines))
        self._replaced.setToolTip(
            tool_tip(
                "\n".join(
                    f"{each.key}: {json_codec.write(each.default_value)}" for each in replaced
                )
            )
        )
        self._replaced.setVisible(bool(replaced))

    def _on_options_toggled(self, is_on: bool) -> None:
        self.options.setVisible(is_on)
        if is_on:  # in a low panel they are below all fields
            QTimer.singleShot(0, self.options, lambda: scroll_to(self.options))

    def _on_options_changed(self) -> None:
        self._problem = ""
        self.changed.emit()


def _replaced_text(each: OverriddenMeta) -> str:
    key, ours, by_hand = (
        one_line(each.key, MAX_CHARACTERS),
        _brief(each.default_value),
        _brief(each.meta_overrides),
    )
    return f"⚠ {key} overridden: {by_hand} instead of {ours}"


def _brief(value: Json) -> str:
    return one_line(json_codec.write(value), MAX_CHARACTERS)


class Obstacle(QWidget):
    """A line of text, its details in the tooltip, and a button; without a text, the keys that send, while they do.

    Signals:
        action_requested: the button was clicked.
    """

    action_requested = Signal()

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start without text; `name` begins the names of the parts."""
        super().__init__(parent)
        self.can_send = True
        """Whether the keys send."""
        self._theme = theme
        self._tone = "muted"
        self._sign = QLabel(self)
        self._line = _Line(parent=self)
        self._line.setObjectName(f"{name}_problem")
        self._keys = plain_label(SUBMIT_TEXT, tone="muted", name=f"{name}_keys", parent=self)
        self._action = link_button("", name=f"{name}_problem_action", parent=self)
        self._action.clicked.connect(self.action_requested)
        parts = (self._keys, self._sign, self._line, self._action)
        self._row = row_layout(self, *parts, space=theme.SPACING_PX)
        self._row.addStretch(1)
        theme.changed.connect(self._refresh_sign)
        self.show_text("", "muted")

    def show_text(
        self, text: str, tone: str, *, short: str = "", detail: str = "", action: str = ""
    ) -> None:
        """Show `text` in a tone and `detail` in the tooltip; `action` labels the button, which an empty string hides.

        Without room for `text` as a whole, there is a sign with `short` if that is not empty.
        """
        self._tone = tone
        set_tone(self._line, tone)
        self._line.show_text(text, short, detail)
        self._action.setText(action)
        self._action.setAccessibleName(action)
        self._action.setToolTip(tool_tip(detail) if detail else "")
        self._action.setVisible(bool(action))
        self._refresh_sign()
        self._fit()

    def _refresh_sign(self) -> None:
        if self._line.has_short_text():
            set_icon(self._sign, self._theme, SIGN_OF_TONE[self._tone], self._tone)

    def _fit(self) -> None:
        """Show the keys where they fit as a whole, and the text or what is short for it.

        This must not request a layout unless something becomes visible, hidden or another text: it is done again after each.
        """
        space = self._row.spacing()
        fits = self._keys.sizeHint().width() + space <= self.width()
        self._keys.setVisible(self.can_send and not self._line.whole_text() and fits)
        beside = 0 if self._action.isHidden() else space + self._action.sizeHint().width()
        self._sign.setVisible(self._line.abbreviate(self.width() - beside))

    def event(self, event: QEvent) -> bool:
        """Fit the parts again after one of them got another text or font."""
        if event.type() is QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Divide another width."""
        super().resizeEvent(event)
        self._fit()


class _Line(ElidedLabel):
    """A line with another text for where there is no room for it, and a tooltip of its own."""

    _text = _short = _detail = ""

    def __init__(self, *, parent: QWidget) -> None:
        super().__init__(elide=Qt.TextElideMode.ElideRight, parent=parent)

    def show_text(self, text: str, short: str, detail: str) -> None:
        """Show `text`, and `short` where it does not fit; `detail` is the tooltip."""
        self._short, self._detail = short, detail
        self.set_text(text)
        self._text = self.text()

    def has_short_text(self) -> bool:
        """Whether there is something shorter to show than the text."""
        return bool(self._short)

    def abbreviate(self, width: int) -> bool:
        """Show the text if there is a `width` for it, or else what is short for it; return whether that is displayed."""
        needed = self.fontMetrics().horizontalAdvance(self._text)
        is_short = bool(self._short) and needed > width
        self.setText(self._short if is_short else self._text)
        self._refresh_tool_tip()
        return is_short

    def minimumSizeHint(self) -> QSize:
        """Return the width of an ellipsis: the button beside it must fit at every text size."""
        width = self.fontMetrics().horizontalAdvance(self._short or "…")
        return QSize(width, super().minimumSizeHint().height())

    def _refresh_tool_tip(self) -> None:
        super()._refresh_tool_tip()
        if self._detail:
            self.setToolTip(tool_tip(self._detail))
