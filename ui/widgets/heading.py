"""The heading of a panel: what the selected entry is called, its badges, its description, and the problems with it.

A long description scrolls in a few lines of its own: the fields below are never pushed away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from inspector.visible_text import visible
from ui.theme import tokens
from ui.widgets.badge import Badge
from ui.widgets.buttons import tool_button
from ui.widgets.clipboard import copy_text
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import DescriptionLabel, ElidedLabel, QuotingLabel
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from ui.theme import Theme

MAX_CHARACTERS = 4000
"""Of a description on screen; the view with the definition has the rest."""

MAX_LINES = 6
"""Lines of description and problems before they scroll."""


class HeadingBadge(NamedTuple):
    """A badge of the entry."""

    text: str
    """Its label."""
    tone: str
    """The name of its color."""
    tooltip: str
    """What the badge means."""


class Heading(QWidget):
    """Title, name, badges, description and problems of an entry."""

    def __init__(
        self,
        *,
        theme: Theme,
        name: str,
        copy: str,
        whole_in: str = "JSON",
        parent: QWidget | None = None,
    ) -> None:
        """Start empty.

        `name` begins the object names, `copy` is the tooltip of the button that copies, and `whole_in` is the label of the view that has
        the whole description.
        """
        super().__init__(parent)
        self.setObjectName(f"{name}_heading")
        self._theme = theme
        self._whole_in = whole_in
        self._copied: str | None = None
        self._build(name, copy)
        self._wire()
        self._refresh()

    def _build(self, name: str, copy: str) -> None:
        theme = self._theme
        self._title = ElidedLabel(parent=self)
        self._title.setObjectName(f"{name}_title")
        self._name = ElidedLabel(parent=self)
        self._name.setObjectName(f"{name}_name")
        self._copy = tool_button(theme, "mdi6.content-copy", copy, name=f"{name}_copy", parent=self)
        self._badges = QWidget(self)
        self._badges.setObjectName(f"{name}_badges")
        self._flow = FlowLayout(theme.SPACING_PX, self._badges)
        self._description = DescriptionLabel(name=f"{name}_description")
        self._problems = QuotingLabel(name=f"{name}_problems", tone="warning")
        self._text = _Text((self._description, self._problems), theme=theme, parent=self)
        self._text.setObjectName(f"{name}_text")
        top = QHBoxLayout()
        top.setSpacing(theme.SPACING_PX)
        top.addWidget(self._title, 1)
        top.addWidget(self._copy)
        column_layout(self, top, self._name, self._badges, self._text, space=theme.SPACING_PX)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def _wire(self) -> None:
        self._copy.clicked.connect(self._on_copy_clicked)
        self._theme.changed.connect(self._refresh)

    def show_entry(
        self,
        title: str,
        name: str,
        *,
        copied: str | None,
        description: str = "",
        problems: Sequence[str] = (),
        badges: Sequence[HeadingBadge] = (),
    ) -> None:
        """Show an entry; its `name` only if that is not its title, and `copied` is what the button copies, None for no button."""
        self._copied = copied
        self._title.set_text(title)
        self._name.set_text(name)
        self._name.setVisible(name not in {"", title})
        self._copy.setVisible(copied is not None)
        self._show_badges(badges)
        cut = len(description) - MAX_CHARACTERS
        more = f"… ({cut:,} more characters; see {self._whole_in})" if cut > 0 else ""
        self._description.setText(visible(description[:MAX_CHARACTERS]) + more)
        self._description.setVisible(bool(description))
        self._problems.setText("\n".join(f"⚠ {visible(line)}" for line in problems))
        self._problems.setVisible(bool(problems))
        self._text.setVisible(bool(description or problems))
        self._text.fit()

    def _show_badges(self, badges: Sequence[HeadingBadge]) -> None:
        self._flow.clear()
        for text, tone, tooltip in badges:
            badge = Badge(text, theme=self._theme, tone=tone, tip=tooltip, parent=self._badges)
            self._flow.addWidget(badge)
            badge.show()
        self._badges.setVisible(bool(badges))

    def _on_copy_clicked(self) -> None:
        if self._copied is not None:
            copy_text(self._copied)

    def _refresh(self) -> None:
        self._title.setFont(self._theme.font(tokens.TITLE, bold=True))
        self._name.setFont(self._theme.mono())
        self._text.fit()


class _Text(QScrollArea):
    """Wrapped text, as high as it needs and never higher than some lines."""

    def __init__(self, parts: Sequence[QLabel], *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAccessibleName("Description")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._height = 1
        inner = QWidget()
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.SPACING_PX)
        for part in parts:
            self._column.addWidget(part)
        self._column.addStretch(1)
        self.setWidget(inner)

    def fit(self) -> None:
        """Take the height that the text needs now; less in a low panel."""
        line = self.fontMetrics().lineSpacing()
        needed = self._column.heightForWidth(max(self.viewport().width(), 1))
        self._height = max(min(needed, MAX_LINES * line + 2), 1)
        self.setMaximumHeight(self._height)
        self.setMinimumHeight(min(self._height, line + 2))
        scrolls = needed > self._height
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if scrolls else Qt.FocusPolicy.NoFocus)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """As high as the text, up to the limit."""
        return QSize(self._theme.px(240), self._height)

    def minimumSizeHint(self) -> QSize:
        """Almost nothing in width: the text wraps."""
        return QSize(self._theme.px(80), 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the height to the new line breaks."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()
