"""The button that sends, the one that cancels, what stands in the way, and the options of the request, which `column` lays out above it.

What is set by hand in the place of what the protocol asks for is told before it is sent, whether the options are open or not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from inspector.visible_text import one_line
from inspector.wire import jsontext
from ui.request.obstacle import Obstacle
from ui.request.options import RequestOptions
from ui.widgets.buttons import push_button, tool_button
from ui.widgets.labels import plain_label
from ui.widgets.tool_tip import tool_tip
from ui.widgets.units import plural

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from inspector.session.foretelling import Replaced
    from inspector.wire.jsontext import Json
    from ui.theme import Theme

LONGEST = 60
"""Characters of a name or value; the tool tip has the rest."""

OBSTACLE_PIXELS = 120
"""Width at 100% of what stands in the way, below which it goes under the buttons."""

_OBSTACLE_COLUMN = 2

MOST = 4
"""Replaced members that are told one by one."""


class RequestRow(QWidget):
    """The foot of a panel that prepares a request.

    Signals:
        wanted: it is to be sent.
        cancel_wanted: the one that runs is to be given up.
        changed: the options are others.
        action_wanted: what is offered beside the words that tell what stands in the way.
    """

    wanted = Signal()
    cancel_wanted = Signal()
    changed = Signal()
    action_wanted = Signal()

    def __init__(
        self, words: str, *, theme: Theme, name: str, cancel: str, parent: QWidget | None = None
    ) -> None:
        """Start without anything to send; `words` stand on the button, `name` begins the names of the parts, `cancel` is one."""
        super().__init__(parent)
        self.setObjectName(f"{name}_row")
        self._verb = words
        self._complaint = ""
        self._theme = theme
        self._build(theme, name, cancel)
        self._wire()

    def _build(self, theme: Theme, name: str, cancel: str) -> None:
        self.button = push_button(self._verb, name=f"{name}_button", primary=True, parent=self)
        self.button.setToolTip("Ctrl+Enter")
        self.cancel_button = push_button("Cancel", name=cancel, parent=self)
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
        pad = theme.PADDING_PX
        self._replaced.setContentsMargins(pad, pad, pad, 0)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(pad, pad, pad, pad)
        self._grid.setSpacing(pad)
        self._grid.setColumnStretch(_OBSTACLE_COLUMN, 1)
        self._grid.addWidget(self.button, 0, 0)
        self._grid.addWidget(self.cancel_button, 0, 1)
        self._is_narrow = True
        self._set_narrow(narrow=False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._replaced)
        layout.addLayout(self._grid)

    def _set_narrow(self, *, narrow: bool) -> None:
        """Put what stands in the way and the options beside the buttons, or below them where there is no room for all."""
        if narrow == self._is_narrow:
            return
        self._is_narrow = narrow
        for part in (self._obstacle, self._options_button):
            self._grid.removeWidget(part)
        if narrow:
            self._grid.addWidget(self._obstacle, 1, 0, 1, _OBSTACLE_COLUMN + 1)
        else:
            self._grid.addWidget(self._obstacle, 0, _OBSTACLE_COLUMN)
        self._grid.addWidget(self._options_button, int(narrow), _OBSTACLE_COLUMN + 1)

    def _needed(self) -> int:
        """The width at which everything stands in one line."""
        parts = (self.button, self.cancel_button, self._options_button)
        shown = [part.minimumSizeHint().width() for part in parts if not part.isHidden()]
        if self._obstacle.has_words:
            shown.append(min(self._obstacle.sizeHint().width(), self._theme.px(OBSTACLE_PIXELS)))
        margins = self._grid.contentsMargins()
        return sum(shown) + self._grid.spacing() * len(shown) + margins.left() + margins.right()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Nothing is cut where the panel is narrow."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        self._set_narrow(narrow=self.width() < self._needed())

    def _wire(self) -> None:
        self.button.clicked.connect(self.press)
        self.cancel_button.clicked.connect(self.cancel_wanted)
        self._options_button.toggled.connect(self.options.setVisible)
        self.options.changed.connect(self._on_options_changed)
        self._obstacle.action_wanted.connect(self.action_wanted)

    def press(self) -> None:
        """Send it, if that can be done at all; else say why not."""
        if not self.button.isEnabled():
            return
        if self.options.problem():
            self.complain(f"invalid options: {self.options.problem()}")
        else:
            self.wanted.emit()

    def complain(self, words: str) -> None:
        """Say why a click did nothing, until something changes."""
        self._complaint = words
        if words:
            self._obstacle.say(words, "error")
            self._arrange()

    def show_state(
        self,
        *,
        connected: bool,
        running: bool,
        sendable: bool = True,
        anyway: bool = False,
        words: str = "",
        tone: str = "warning",
        detail: str = "",
        action: str = "",
    ) -> None:
        """Say what can be done now; `words` tell what stands in the way, `anyway` that it can be sent all the same.

        `detail` is the rest of the words, and `action` what is offered beside them.
        """
        said = f"{self._verb} anyway" if anyway else self._verb
        self.button.setText(said)
        self.button.setAccessibleName(said)
        self.button.setEnabled(connected and sendable)
        self.cancel_button.setVisible(running)
        self.options.refresh()
        self._show_replaced()
        by_hand = self.options.meta()
        if not connected:
            self._obstacle.say("not connected", "muted")
        elif self._complaint:
            self._obstacle.say(self._complaint, "error")
        elif words or not by_hand:
            self._obstacle.say(words, tone, detail=detail, action=action)
        else:
            self._obstacle.say(f"with {plural(len(by_hand), '_meta member')} overridden", "muted")
        self._arrange()

    def _show_replaced(self) -> None:
        replaced = self.options.replaced()
        lines = [_replaced_words(each) for each in replaced[:MOST]]
        if len(replaced) > MOST:
            lines.append(f"and {len(replaced) - MOST:,} more")
        self._replaced.setText("\n".join(lines))
        self._replaced.setToolTip(
            tool_tip("\n".join(f"{each.key}: {jsontext.write(each.ours)}" for each in replaced))
        )
        self._replaced.setVisible(bool(replaced))

    def _on_options_changed(self) -> None:
        self._complaint = ""
        self.changed.emit()


def _replaced_words(each: Replaced) -> str:
    key, ours, by_hand = one_line(each.key, LONGEST), _brief(each.ours), _brief(each.by_hand)
    return f"⚠ {key} overridden: {by_hand} instead of {ours}"


def _brief(value: Json) -> str:
    return one_line(jsontext.write(value), LONGEST)
