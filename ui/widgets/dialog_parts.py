"""Parts of dialogs: three sizes, the line with the title and the foot with the buttons.

In the foot, what destroys something is red text at the far left; then, at the right, what changes nothing and last the primary button.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QLabel, QVBoxLayout, QWidget

from inspector.visible_text import visible
from ui.theme import tokens
from ui.widgets.buttons import PushButton, push_button
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import plain_label, set_icon, set_style_property
from ui.widgets.layout_parts import Hairline, column_layout, row_layout, set_dialog_size

if TYPE_CHECKING:
    from ui.theme import Theme

TITLE_HEIGHT = 40
FOOT_HEIGHT = 46
TITLE_SIGN = 20
PADDING = tokens.READING_PADDING_PX
TITLE_MARGIN = 6
BUTTON_GAP = 6
"""Pixels at 100%."""


class DialogSize(Enum):
    """Width and height of a dialog in pixels at 100%; with a height of 0 it is as high as its contents."""

    SMALL = (440, 0)
    """To confirm something."""
    MEDIUM = (720, 520)
    """To edit or preview one thing."""
    LARGE = (960, 640)
    """To read something and to respond to it."""


def set_size(dialog: QWidget, theme: Theme, size: DialogSize) -> None:
    """Give `dialog` one of the sizes, or the largest one below it that its window or screen allows."""
    width, height = size.value
    set_dialog_size(dialog, theme, width, height)
    if not height:
        dialog.resize(dialog.width(), dialog.sizeHint().height())


class DialogTitle(QWidget):
    """What a dialog is about, as its first line: a sign and a title; `row` takes what stands at the right."""

    def __init__(
        self, *, theme: Theme, name: str, sign: str = "", tone: str = "muted", parent: QWidget
    ) -> None:
        """Start without a title; `tone` colors `sign`."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._sign, self._tone = sign, tone
        self._icon = QLabel(self)
        self._icon.setVisible(bool(sign))
        self._title = plain_label(name=f"{name}_text", wrap=True, parent=self)
        self.row = row_layout(self, self._icon, space=0)
        self.row.addWidget(self._title, 1)
        theme.changed.connect(self._refresh)
        self._refresh()

    def set_text(self, title: str) -> None:
        """Show `title`."""
        self._title.setText(visible(title))

    def _refresh(self) -> None:
        theme = self._theme
        self.setMinimumHeight(theme.px(TITLE_HEIGHT))
        self._title.setFont(theme.font(tokens.TITLE, bold=True))
        if self._sign:
            set_icon(self._icon, theme, self._sign, self._tone, theme.px(TITLE_SIGN))
        self.row.setSpacing(theme.px(BUTTON_GAP))
        edge, above = theme.px(PADDING), theme.px(TITLE_MARGIN)
        self.row.setContentsMargins(edge, above, edge, above)


class DialogFoot(QWidget):
    """The buttons of a dialog, below a hairline; they wrap where the dialog is narrow."""

    def __init__(self, *, theme: Theme, name: str, parent: QWidget) -> None:
        """Start empty: add what stands at the left first, then what stands at the right, the primary button last."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._flow = FlowLayout(0)
        self._is_right = False
        line = Hairline(theme=theme, parent=self)
        self._column = column_layout(self, line, space=0)
        self._inner = column_layout(None, self._flow, space=0)
        self._column.addLayout(self._inner)
        theme.changed.connect(self._refresh)
        self._refresh()

    def add_left(self, widget: QWidget) -> None:
        """Add a destructive button, or what explains it."""
        self._flow.addWidget(widget)

    def add_right(self, widget: QWidget) -> None:
        """Add a button that changes nothing, or the primary one."""
        if not self._is_right:
            self._flow.to_the_end()
            self._is_right = True
        self._flow.addWidget(widget)

    def _refresh(self) -> None:
        theme = self._theme
        self._flow.setSpacing(theme.px(BUTTON_GAP))
        around = theme.px(FOOT_HEIGHT) - 1 - theme.px(tokens.FIELD)
        edge, above = theme.px(PADDING), around // 2
        self._inner.setContentsMargins(edge, above, edge, around - above)


def close_foot(dialog: QDialog, *, theme: Theme, name: str) -> DialogFoot:
    """Make the foot of a dialog to read, with nothing to do but to close it; the button has the focus."""
    foot = DialogFoot(theme=theme, name=f"{name}_foot", parent=dialog)
    button = push_button("Close", name=f"{name}_close", parent=dialog)
    button.clicked.connect(dialog.reject)
    foot.add_right(button)
    button.setFocus()
    return foot


def inner_column(theme: Theme) -> QVBoxLayout:
    """Make the column between the title of a dialog and its foot."""
    edge = theme.px(PADDING)
    return column_layout(None, space=theme.PADDING_PX, margins=(edge, 0, edge, edge))


def destructive_button(text: str, *, name: str, parent: QWidget | None = None) -> PushButton:
    """A button that destroys or rejects something: red text at the far left of a foot."""
    button = push_button(text, name=name, parent=parent)
    set_style_property(button, "destructive", value=True)
    return button
