"""The help under a field, and messages about its value in the same room: what is below never moves when a message comes or goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics

from inspector.visible_text import visible
from ui.theme import tokens
from ui.theme.theme_font import set_theme_font
from ui.widgets.form.layout import Help, LaidOutAtOnce, WrappedLabel, take_any_width
from ui.widgets.labels import plain_label, set_tone, tool_tip
from ui.widgets.layout_parts import column_layout, keep_space

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QLabel, QWidget

    from ui.theme import Theme

HELP_SPACE_PX = 3
"""Between a field and its help, at 100%."""

FIELD_SPACE_PX = 10
"""Between the help of a field and the next field, at 100%."""

BARE_SPACE_PX = 2
"""The same after a field without help, under which there is an empty line for messages."""

_FAR = 100_000
"""Pixels in height that no text takes."""


class FieldHelp(LaidOutAtOnce):
    """As high as its help, at least a line; a message that takes more is cut, and whole in its tool tip.

    Its parts are made when they are needed, and a layout of Qt gives it its height: a form has hundreds of these.
    """

    def __init__(
        self, *, theme: Theme, name: str = "hint", lines: int = 1, parent: QWidget | None = None
    ) -> None:
        """Start empty; `name` is the object name of the help, `lines` the least height."""
        super().__init__(parent)
        self._lines = lines
        self._theme = theme
        self._name = name
        self._text = Help()
        self._message_text = ""
        self._help: WrappedLabel | None = None
        self._message: QLabel | None = None
        take_any_width(self)
        self.dress()

    @property
    def has_help(self) -> bool:
        """Whether there is a help text."""
        return bool(self._text.whole)

    def message(self) -> str:
        """The whole message; empty without one."""
        return self._message_text

    def set_help(self, text: Help) -> None:
        """Show `text` while there is no message."""
        self._text = text
        if self._help is None and self.has_help:
            self._help = self._make_help()
        if self._help is not None:
            self._help.show_help(text)
            self._help.setVisible(self.has_help and not self._message_text)

    def show_message(self, text: str, tone: str, name: str = "message") -> None:
        """Show `text` in place of the help, colored by `tone`; an empty one brings the help back. `name` is its object name."""
        self._message_text = text
        if self._help is not None:
            self._help.setVisible(self.has_help and not text)
        if self._message is None:
            if not text:
                return
            self._message = self._make_message()
        message = self._message
        message.setObjectName(name)
        set_tone(message, tone)
        message.setAccessibleName(text)
        message.setToolTip(tool_tip("\n\n".join(filter(None, (text, self._text.whole)))))
        message.setVisible(bool(text))
        self._fit_message()

    def dress(self) -> None:
        """Use the small font of the theme."""
        font = self._theme.font(tokens.SMALL)
        for label in (self._help, self._message):
            if label is not None:
                label.setFont(font)
        self.setMinimumHeight(self._lines * QFontMetrics(font).lineSpacing())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the message into the room of the help."""
        super().resizeEvent(event)
        self._fit_message()

    def _make_help(self) -> WrappedLabel:
        label = WrappedLabel("muted", self)
        label.setObjectName(self._name)
        set_theme_font(label, self._theme, tokens.SMALL)
        keep_space(label)
        column_layout(self, label, space=0)
        return label

    def _make_message(self) -> QLabel:
        label = plain_label(wrap=True, parent=self)
        label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        set_theme_font(label, self._theme, tokens.SMALL)
        return label

    def _fit_message(self) -> None:
        message = self._message
        if message is None:
            return
        message.setGeometry(self.rect())
        text = visible(self._message_text)
        if text and not self._fits(text):
            text = self._cut(text)
        if text != message.text():
            message.setText(text)

    def _fits(self, text: str) -> bool:
        metrics = QFontMetrics(self._theme.font(tokens.SMALL))
        wrap = int(Qt.TextFlag.TextWordWrap)
        needed = metrics.boundingRect(QRect(0, 0, max(self.width(), 1), _FAR), wrap, text)
        return needed.height() <= max(self.height(), metrics.height())

    def _cut(self, text: str) -> str:
        """Return as much of `text` as fits, and an ellipsis."""
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._fits(f"{text[:middle]}…") else (low, middle - 1)
        return f"{text[:low].rstrip()}…"


def space_below(theme: Theme, *, has_help: bool) -> int:
    """Return the pixels between a field with its help and the next field."""
    return theme.px(FIELD_SPACE_PX if has_help else BARE_SPACE_PX)
