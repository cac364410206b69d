"""The badges of an entry in a row: exceptions before usual ones, and only a few."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtWidgets import QWidget

from ui.theme import tokens
from ui.widgets.badge import Badge
from ui.widgets.labels import plain_label, tool_tip
from ui.widgets.layout_parts import row_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Theme

MAX_BADGES = 3
"""Badges that are visible; the tool tip has the rest."""

FIXED_ITEMS = 2
"""Items of the layout after the badges: the count of those that are left out, and the space after it."""

EXCEPTIONS = ("error", "warning", "person")
"""Tones of badges that come before others, in this order."""


class HeadingBadge(NamedTuple):
    """A badge of the entry."""

    text: str
    """Its label."""
    tone: str
    """The name of its color."""
    tooltip: str
    """What the badge means."""


class BadgeRow(QWidget):
    """Some badges in a row: exceptions before usual ones, and a count of those that are left out, which its tool tip has."""

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start hidden, without badges."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._badges: tuple[HeadingBadge, ...] = ()
        self._row = row_layout(self, space=theme.px(6))
        self._more = plain_label(tone="muted", name=f"{name}_more", parent=self)
        self._row.addWidget(self._more)
        self._row.addStretch(1)
        self.hide()

    @property
    def badges(self) -> tuple[HeadingBadge, ...]:
        """All badges, those that are left out included."""
        return self._badges

    def show_badges(self, badges: Sequence[HeadingBadge], *, limit: int = MAX_BADGES) -> None:
        """Show these badges instead."""
        ordered = ordered_badges(badges)
        while self._row.count() > FIXED_ITEMS:
            item = self._row.takeAt(0)
            if item is not None and (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._badges = ordered
        for at, (text, tone, tip) in enumerate(ordered[:limit]):
            badge = Badge(text, theme=self._theme, tone=tone, tip=tip, parent=self)
            self._row.insertWidget(at, badge)
            badge.show()
        rest = ordered[limit:]
        self._more.setText(f"+{len(rest)}" if rest else "")
        self._more.setAccessibleName(", ".join(badge.text for badge in rest))
        self._more.setToolTip(tool_tip("\n".join(f"{each.text}: {each.tooltip}" for each in rest)))
        self._more.setFont(self._theme.font(tokens.SMALL))
        self._more.setVisible(bool(rest))
        self.setVisible(bool(ordered))


def ordered_badges(badges: Sequence[HeadingBadge]) -> tuple[HeadingBadge, ...]:
    """Return exceptions before usual badges."""
    return tuple(sorted(badges, key=_rank))


def _rank(badge: HeadingBadge) -> int:
    return EXCEPTIONS.index(badge.tone) if badge.tone in EXCEPTIONS else len(EXCEPTIONS)
