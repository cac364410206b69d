"""A heading that opens and closes what is under it; the content is made when it is first opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from ui.theme.restyle import set_semibold
from ui.theme.signs import Sign
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.theme import Theme


class CollapsibleSection(QWidget):
    """A folding part of a panel.

    Signals:
        toggled: it was opened (True) or closed.
    """

    toggled = Signal(bool)

    def __init__(
        self,
        text: str,
        make: Callable[[], QWidget],
        *,
        theme: Theme,
        name: str = "section",
        opened: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """Show `text` as the heading; `make` is called once, when the section is first opened."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._make = make
        self._content: QWidget | None = None
        self._build(text)
        self._wire()
        self.set_open(opened)

    def _build(self, text: str) -> None:
        self._header = QToolButton(self)
        self._header.setObjectName(f"{self.objectName()}_head")
        self._header.setText(text)
        self._header.setAccessibleName(text)
        self._header.setCheckable(True)
        self._header.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._header.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._header.setProperty("quiet", True)
        set_semibold(self._header, is_semibold=True)
        self._column = column_layout(self, space=self._theme.SPACING_PX)
        self._column.addWidget(self._header, 0, Qt.AlignmentFlag.AlignLeft)

    def _wire(self) -> None:
        self._header.toggled.connect(self.set_open)
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        icon = Sign.DOWN if self.is_open() else Sign.RIGHT
        self._header.setIcon(self._theme.icon(icon, "muted"))
        self._header.setIconSize(QSize(self._theme.ICON, self._theme.ICON))

    def is_open(self) -> bool:
        """Whether the content shows."""
        return self._content is not None and not self._content.isHidden()

    def set_title(self, text: str) -> None:
        """Change the heading."""
        self._header.setText(text)
        self._header.setAccessibleName(text)

    def set_open(self, opened: bool) -> None:
        """Open or close."""
        before = self.is_open()
        if opened and self._content is None:
            self._content = self._make()
            self._column.addWidget(self._content)
        if self._content is not None:
            self._content.setVisible(opened)
        self._header.setChecked(opened)
        self._refresh()
        if before != opened:
            self.toggled.emit(opened)
