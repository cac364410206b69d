"""A notice: something that a panel has to say about all of its contents, with what can be done about it. At most one in a panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from inspector.visible_text import visible
from ui.theme import tokens
from ui.theme.signs import SIGN_OF_TONE
from ui.theme.stylesheet import NOTICE_TONES
from ui.widgets.buttons import PushButton, link_button, push_button
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import QuotingLabel, plain_label, set_background, set_icon, show_text
from ui.widgets.layout_parts import column_layout, row_layout

if TYPE_CHECKING:
    from ui.theme import Theme

HORIZONTAL_PADDING = 12
VERTICAL_PADDING = 8
GAP = 6
"""Pixels at 100%: around a notice, and between its sign and its text."""


class Notice(QFrame):
    """A sign and a sentence in semibold, up to three lines of text, and up to two buttons and a link."""

    def __init__(
        self, *, theme: Theme, name: str, tone: str = "info", parent: QWidget | None = None
    ) -> None:
        """Start hidden; `tone` is one of `NOTICE_TONES`."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._tone = tone
        self._build()
        theme.changed.connect(self._refresh)
        self._refresh()
        self.hide()

    def _build(self) -> None:
        name = self.objectName()
        self._sign = QLabel(self)
        self._title = plain_label(tone="title", name=f"{name}_title", wrap=True, parent=self)
        self._text = QuotingLabel(name=f"{name}_text", parent=self)
        self._text.hide()
        self._actions = FlowLayout(0)
        self._texts = column_layout(None, self._title, self._text, space=0)
        self._texts.addLayout(self._actions)
        self._whole = row_layout(self, space=0)
        self._whole.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        self._whole.addLayout(self._texts, 1)

    def set_text(self, title: str, text: str = "", *, tone: str = "") -> None:
        """Show one sentence and what explains it; an empty `tone` keeps the one before."""
        self._tone = tone or self._tone
        self._title.setText(visible(title))
        show_text(self._text, text)
        self.setAccessibleName(f"{title} {text}".strip())
        self._refresh()
        self.show()

    def add_button(self, text: str, *, name: str, primary: bool = False) -> PushButton:
        """Add a button after those that are there."""
        return self._add(push_button(text, name=name, primary=primary, parent=self))

    def add_link(self, text: str, *, name: str) -> PushButton:
        """Add a link after what is there."""
        return self._add(link_button(text, name=name, parent=self))

    def _add(self, button: PushButton) -> PushButton:
        self._actions.addWidget(button)
        return button

    def _refresh(self) -> None:
        theme = self._theme
        set_background(self, self._tone)
        set_icon(self._sign, theme, SIGN_OF_TONE[self._tone], NOTICE_TONES[self._tone])
        sides, ends = theme.px(HORIZONTAL_PADDING), theme.px(VERTICAL_PADDING)
        self._whole.setContentsMargins(sides, ends, sides, ends)
        self._whole.setSpacing(theme.px(GAP))
        self._texts.setSpacing(theme.px(GAP))
        self._actions.setSpacing(theme.px(GAP))


class NoticeArea(QWidget):
    """A notice over what else a page has, apart from its edges; there while the notice is."""

    def __init__(self, notice: Notice, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Hold `notice`, which starts hidden."""
        super().__init__(parent)
        sides, ends = theme.px(tokens.READING_PADDING_PX), theme.PADDING_PX
        column_layout(self, notice, space=0, margins=(sides, ends, sides, ends))
        notice.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the notice."""
        if event.type() in {QEvent.Type.ShowToParent, QEvent.Type.HideToParent}:
            self.setVisible(event.type() is QEvent.Type.ShowToParent)
        return super().eventFilter(watched, event)
