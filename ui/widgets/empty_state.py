"""The notice in an empty area: what would be here, and the next step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from inspector.visible_text import visible
from ui.widgets.buttons import push_button
from ui.widgets.labels import plain_label, set_icon, show_text
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from ui.theme import Theme

ICON_PIXELS = 32
"""Edge of the icon at 100%."""
MAX_WIDTH = 420
"""Of the texts, in pixels at 100%."""
CENTER = 0.4
"""The middle of the block, as a share of the height of the area."""


class EmptyState(QWidget):
    """A title, a text and perhaps a button, above the middle of the area; an icon too, where nothing else is on the page.

    Signals:
        action_triggered: the button was clicked.
    """

    action_triggered = Signal()

    def __init__(
        self,
        title: str,
        text: str = "",
        *,
        theme: Theme,
        icon: str = "",
        action: str = "",
        name: str = "empty_state",
        parent: QWidget | None = None,
    ) -> None:
        """Show `title` and `text`; `action` is the label of the button, and `icon` the icon, "" for none."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._icon = icon
        self._content: tuple[str, str, str, str] | None = None
        self._build()
        self._wire()
        self.set_text(title, text, action=action)

    def _build(self) -> None:
        self._block = QWidget(self)
        self._image = QLabel(self._block)
        self._image.hide()  # until there is room for all
        self._title = plain_label(tone="title", wrap=True, parent=self._block)
        self._text = plain_label(tone="muted", wrap=True, parent=self._block)
        self._button = push_button("", name=f"{self.objectName()}_action", parent=self._block)
        self.setMinimumHeight(1)  # an empty area makes no window larger
        labels = (self._image, self._title, self._text)
        self._column = column_layout(
            self._block, *labels, space=0
        )  # in full width, or wrapped text would lose lines
        self._column.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        for label in labels:
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)

    def _wire(self) -> None:
        self._button.clicked.connect(self.action_triggered)
        self._theme.changed.connect(self._refresh)

    def set_text(self, title: str, text: str = "", *, action: str = "", icon: str = "") -> None:
        """Show another title and text; an empty `icon` keeps the one before."""
        icon = icon or self._icon
        if (content := (title, text, action, icon)) == self._content:
            return
        self._content, self._icon = content, icon
        self._title.setText(visible(title))
        show_text(self._text, visible(text))
        self._button.setText(action)
        self._button.setAccessibleName(action)
        self._button.setVisible(bool(action))
        self.setAccessibleName(f"{title}. {text}")
        self._refresh()

    def _refresh(self) -> None:
        if self._icon:
            set_icon(self._image, self._theme, self._icon, "muted", self._theme.px(ICON_PIXELS))
        self._title.setFont(self._theme.font(bold=True))
        self._column.setSpacing(self._theme.PADDING_PX)
        self._arrange()

    def _arrange(self) -> None:
        """Put the block where it belongs: in the middle of the width, its own middle at `CENTER` of the height."""
        padding = self._theme.px(16)
        width = min(self._theme.px(MAX_WIDTH), max(self.width() - 2 * padding, 1))
        height = min(self._height(width), self.height())
        top = round(self.height() * CENTER - height / 2)
        self._block.setGeometry(
            (self.width() - width) // 2,
            max(top, min(padding, self.height() - height)),
            width,
            height,
        )

    def _height(self, width: int) -> int:
        """Return the height of the block in a width, with the icon only where there is room for all of it."""
        height, is_visible = self._column.totalHeightForWidth(width), not self._image.isHidden()
        icon = self._theme.px(ICON_PIXELS) + self._column.spacing() if self._icon else 0
        whole = height + (0 if is_visible else icon)
        fits = bool(self._icon) and whole <= self.height()
        if fits != is_visible:
            self._image.setVisible(fits)
        return whole if fits else whole - icon

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The block follows the size of the area."""
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        """What changed inside may need another height."""
        if event.type() is QEvent.Type.LayoutRequest:
            self._arrange()
        return super().event(event)
