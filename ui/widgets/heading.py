"""The heading of a panel: title and name of the selected entry, the start of its description, its badges, and the problems with it.

The description takes two lines until the user expands it, and never more than some lines: the fields below are not pushed away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from inspector.visible_text import visible
from ui.widgets.badge_row import EXCEPTIONS, BadgeRow, ordered_badges
from ui.widgets.buttons import link_button, tool_button
from ui.widgets.clipboard import copy_text
from ui.widgets.heading_parts import Excerpt, TitleLine
from ui.widgets.labels import DescriptionLabel, QuotingLabel, tool_tip
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.markdown_html import description_html

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from ui.theme import Theme
    from ui.widgets.badge_row import HeadingBadge

MAX_CHARACTERS = 4000
"""Of a description on screen; the view with the definition has the rest."""

MAX_LINES = 12
"""Lines of description and problems before they scroll."""


class Heading(QWidget):
    """Title, name, description, badges and problems of an entry."""

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
        self._all_badges: tuple[HeadingBadge, ...] = ()
        self._is_compact = self._is_low = False
        self._has_description = False
        self._has_problems = False
        self._build(name, copy)
        self._wire()
        self._refresh()

    def _build(self, name: str, copy: str) -> None:
        theme = self._theme
        self._names = TitleLine(theme=theme, name=name, parent=self)
        self._copy = tool_button(theme, "mdi6.content-copy", copy, name=f"{name}_copy", parent=self)
        self._excerpt = Excerpt(theme=theme, name=f"{name}_excerpt", parent=self)
        self._more = link_button("More", name=f"{name}_more", parent=self)
        self._more.setCheckable(True)
        self._description = DescriptionLabel(name=f"{name}_description")
        self._problems = QuotingLabel(name=f"{name}_problems", tone="warning")
        self._text = _Text((self._description, self._problems), theme=theme, parent=self)
        self._text.setObjectName(f"{name}_text")
        self._badges = BadgeRow(theme=theme, name=f"{name}_badges", parent=self)
        self._top = QHBoxLayout()
        self._top.setSpacing(theme.SPACING_PX)
        self._top.addWidget(self._names, 1)
        self._top.addWidget(self._copy)
        excerpt = row_layout(None, space=theme.PADDING_PX)
        excerpt.addWidget(self._excerpt, 1)
        excerpt.addWidget(self._more, 0, Qt.AlignmentFlag.AlignBottom)
        parts = (self._top, excerpt, self._text, self._badges)
        self._column = column_layout(self, *parts, space=theme.SPACING_PX)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def _wire(self) -> None:
        self._copy.clicked.connect(self._on_copy_clicked)
        self._more.toggled.connect(self._show_parts)
        self._theme.changed.connect(self._refresh)

    @property
    def badges(self) -> tuple[HeadingBadge, ...]:
        """The badges of the entry."""
        return self._all_badges

    def set_compact(self, is_compact: bool) -> None:
        """Show only problems, where title and badges of the entry are above the panel already."""
        self._is_compact = is_compact
        self._show_parts()

    def set_low(self, is_low: bool) -> None:
        """Take one line, with the badges that are exceptions; the tool tip of the names has the description."""
        if is_low != self._is_low:
            self._is_low = is_low
            if is_low:
                self._top.insertWidget(1, self._badges)
            else:
                self._column.addWidget(self._badges)
            self._show_parts()

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
        self._names.show_names(title, name)
        self._all_badges = ordered_badges(badges)
        cut = len(description) - MAX_CHARACTERS
        more = f"… ({cut:,} more characters; see {self._whole_in})" if cut > 0 else ""
        text = visible(description[:MAX_CHARACTERS])
        if text + more != self._description.text():
            self._more.setChecked(False)
            self._description.setText(text + more)
            self._excerpt.set_text(_without_markup(text))
        self._problems.setText("\n".join(f"⚠ {visible(line)}" for line in problems))
        self._has_description, self._has_problems = bool(description), bool(problems)
        self._show_parts()

    def _show_parts(self) -> None:
        is_whole, is_full = self._more.isChecked(), not self._is_compact
        has_description = self._has_description and is_full and not self._is_low
        visible_badges = [
            each for each in self._all_badges if not self._is_low or each.tone in EXCEPTIONS
        ]
        self._badges.show_badges(visible_badges)
        self._names.setToolTip(tool_tip(self._description.text()) if self._is_low else "")
        self._names.setVisible(is_full)
        self._copy.setVisible(is_full and self._copied is not None)
        self._badges.setVisible(is_full and bool(self._badges.badges))
        self._excerpt.setVisible(has_description and not is_whole)
        self._description.setVisible(has_description and is_whole)
        self._problems.setVisible(self._has_problems)
        self._text.setVisible(self._has_problems or (has_description and is_whole))
        self._more.setText("Less" if is_whole else "More")
        self._more.setAccessibleName(
            "Less of the description" if is_whole else "More of the description"
        )
        self.setVisible(is_full or self._has_problems)
        self._show_more()
        self._text.fit()

    def _show_more(self) -> None:
        is_long = (
            self._more.isChecked() or self._excerpt.is_cut() or "\n" in self._description.text()
        )
        is_there = self._has_description and not self._is_compact and not self._is_low
        self._more.setVisible(is_there and is_long)

    def _on_copy_clicked(self) -> None:
        if self._copied is not None:
            copy_text(self._copied)

    def _refresh(self) -> None:
        self._text.fit()
        self._show_more()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Offer the rest of a description that does not fit anymore."""
        super().resizeEvent(event)
        self._show_more()


def _without_markup(text: str) -> str:
    """Return the text of a description without the signs of Markdown."""
    html = description_html(text, "")
    if not html:
        return text
    document = QTextDocument()
    document.setHtml(html)
    return document.toPlainText()


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
