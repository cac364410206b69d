"""Parts of a list with a filter: what is above and below its rows, the notice in place of them, and the scroll position while they are replaced."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from inspector.visible_text import one_line, visible
from ui.theme import tokens
from ui.widgets.buttons import link_button, tool_button
from ui.widgets.empty_state import EmptyState
from ui.widgets.error_panel import ErrorPanel
from ui.widgets.filter_field import FilterField
from ui.widgets.freshness import Expiry, age_text, is_stale
from ui.widgets.labels import ElidedLabel, QuotingLabel, plain_label, set_tone, tool_tip
from ui.widgets.layout_parts import column_layout, row_layout

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from PySide6.QtWidgets import QToolButton

    from inspector.errors import InspectorError
    from inspector.finding import Finding
    from ui.theme import Theme
    from ui.widgets.freshness import Freshness

MAX_REASON = 200
"""Characters of a reason."""

NOTES = 5
"""Notes about the list that are displayed; the rest is counted."""


HEADER_PIXELS = 38
"""Height at 100% of what is above the rows."""


class ClosedStreamLine(QWidget):
    """A sentence and an action; hidden while changes are announced, or were never to be.

    Signals:
        reopen_requested: reopen the stream on which they are announced.
    """

    reopen_requested = Signal()

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._text = plain_label(tone="warning", name=f"{name}_text", wrap=True, parent=self)
        self._again = link_button("Reopen", name=f"{name}_again", parent=self)
        column = column_layout(self, self._text, space=theme.SPACING_PX // 2)
        column.addWidget(self._again, 0, Qt.AlignmentFlag.AlignLeft)
        self._again.clicked.connect(self.reopen_requested)
        self.hide()

    def show_reason(self, reason: str) -> None:
        """Say why nothing is announced; hide without a reason."""
        self._text.setText(f"no change notifications · {one_line(reason, MAX_REASON)}")
        self.setVisible(bool(reason))


class ListHeader(QWidget):
    """Filter and buttons, always of one height; the tool tip of *Refresh* has the age of the list.

    Signals:
        refresh_requested: read the list again.
        became_stale: the time for which the list is valid is over.
    """

    refresh_requested = Signal()
    became_stale = Signal()

    def __init__(
        self,
        *,
        theme: Theme,
        name: str,
        placeholder: str,
        buttons: Sequence[QToolButton] = (),
        parent: QWidget | None = None,
    ) -> None:
        """Put `buttons` beside the one that reads the list again."""
        super().__init__(parent)
        self.setObjectName(f"{name}_head")
        self._theme = theme
        self._age: Callable[[], float] | None = None
        self._freshness: Freshness | None = None
        self._expiry = Expiry(self.became_stale.emit, parent=self)
        self._build(name, placeholder, buttons)
        self._why_not = ""
        self._refresh.clicked.connect(self.refresh_requested)
        self._refresh.installEventFilter(self)
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    def _build(self, name: str, placeholder: str, buttons: Sequence[QToolButton]) -> None:
        theme = self._theme
        self.filter = FilterField(
            theme=theme, placeholder=placeholder, name=f"{name}_filter", parent=self
        )
        self._refresh = tool_button(
            theme, "mdi6.refresh", "Refresh list", name=f"{name}_refresh", parent=self
        )
        self._row = row_layout(self, space=theme.px(2))
        self._row.addWidget(self.filter, 1)
        for button in (*buttons, self._refresh):
            self._row.addWidget(button)

    def _apply_theme(self) -> None:
        theme = self._theme
        self._row.setContentsMargins(theme.PADDING_PX, 0, theme.SPACING_PX, 0)
        self.setFixedHeight(theme.px(HEADER_PIXELS))

    def show_age(self, age: Callable[[], float] | None, freshness: Freshness | None) -> None:
        """Set what the tool tip of *Refresh* says: `age` gives seconds since the list came, `freshness` how long it is valid."""
        self._age, self._freshness = age, freshness
        self._expiry.start_for(age, freshness)
        self._refresh.setAccessibleDescription(self._age_text())

    def offer_refresh(self, why_not: str = "") -> None:
        """Offer to read the list again, or say why that is not possible."""
        self._why_not = why_not
        self._refresh.setEnabled(not why_not)

    @property
    def is_stale(self) -> bool:
        """Whether the time for which the list is valid is over."""
        age, freshness = self._age, self._freshness
        return age is not None and freshness is not None and is_stale(age(), freshness)

    def _age_text(self) -> str:
        if self._age is None or self._freshness is None:
            return ""
        return age_text(self._age(), self._freshness)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look at the age when the tool tip is to appear."""
        if event.type() == QEvent.Type.ToolTip:
            lines = ("Refresh list", self._why_not, self._age_text())
            self._refresh.setToolTip(tool_tip("\n".join(line for line in lines if line)))
        return super().eventFilter(watched, event)


class ListFooter(QWidget):
    """Counts, news and notices below the rows, where they move none; hidden without any.

    Signals:
        more_requested: continue reading where the budget ended.
        frame_requested: show the frame of this number.
        reopen_requested: reopen the stream on which changes are announced.
    """

    more_requested = Signal()
    frame_requested = Signal(int)
    reopen_requested = Signal()

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start hidden; `name` begins the object names."""
        super().__init__(parent)
        self.setObjectName(f"{name}_foot")
        self._build(theme, name)
        self._more.clicked.connect(self.more_requested)
        self._error.frame_requested.connect(self.frame_requested)
        self._closed_line.reopen_requested.connect(self.reopen_requested)
        self.show_state()

    def _build(self, theme: Theme, name: str) -> None:
        self._error = ErrorPanel(theme=theme, name=f"{name}_error", parent=self)
        self._notes = QuotingLabel(name=f"{name}_notes", tone="warning", parent=self)
        self._news = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._news.setObjectName(f"{name}_news")
        set_tone(self._news, "pending")
        self._closed_line = ClosedStreamLine(theme=theme, name=f"{name}_quiet", parent=self)
        self._count = plain_label(tone="muted", name=f"{name}_count", wrap=True, parent=self)
        self._more = link_button("Load more", name=f"{name}_more", parent=self)
        row = row_layout(None, space=theme.SPACING_PX)
        row.addWidget(self._count, 1)
        row.addWidget(self._more)
        edge = theme.px(tokens.DENSE_PADDING_PX)
        column_layout(
            self,
            self._error,
            self._notes,
            self._closed_line,
            self._news,
            row,
            space=theme.SPACING_PX,
            margins=(edge, theme.SPACING_PX, edge, theme.SPACING_PX),
        )

    def show_state(
        self,
        text: str = "",
        notes: Sequence[Finding] = (),
        failure: InspectorError | None = None,
        *,
        more: bool = False,
        not_announced: str = "",
        news: str = "",
        is_stale: bool = False,
    ) -> None:
        """Say how the list stands; `not_announced` is why its changes are not announced, `news` what differs from the reading before."""
        if failure is not None:
            self._error.show_error(failure)
        else:
            self._error.clear()
        self._notes.setText("\n".join(_note_lines(notes)))
        self._notes.setVisible(bool(notes))
        self._news.set_text(news)
        self._news.setVisible(bool(news))
        text = " · ".join(part for part in (text, "stale" if is_stale else "") if part)
        self._count.setText(text)
        self._count.setVisible(bool(text or more))
        self._more.setVisible(more)
        self._closed_line.show_reason(not_announced)
        self.setVisible(bool(text or notes or failure or more or not_announced or news))


def _note_lines(notes: Sequence[Finding]) -> list[str]:
    lines = [f"⚠ {visible(note.summary)}" for note in notes[:NOTES]]
    rest = len(notes) - NOTES
    return [*lines, f"and {rest:,} more"] if rest > 0 else lines


@contextmanager
def top_row_kept(view: QAbstractItemView, name_of: Callable[[QModelIndex], str]) -> Generator[None]:
    """While rows are replaced within: scroll so that the row at the top is there again; at the very top, stay there."""
    bar = view.verticalScrollBar()
    scroll, top = bar.value(), view.indexAt(QPoint(1, 1))
    name = name_of(top) if scroll and top.isValid() else ""
    yield
    bar.setValue(scroll)
    model = view.model()
    if not name or _has_name(view.indexAt(QPoint(1, 1)), name, name_of):
        return
    for row in range(model.rowCount()):
        index = model.index(row, 0)
        if name_of(index) == name:
            view.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtTop)
            return


def _has_name(index: QModelIndex, name: str, name_of: Callable[[QModelIndex], str]) -> bool:
    return index.isValid() and name_of(index) == name


class CurrentRowKeeper(QObject):
    """Scrolls a list that becomes lower so that its current row, if it was in sight, still is."""

    def __init__(self, view: QAbstractItemView) -> None:
        """For `view`, which owns it."""
        super().__init__(view)
        self._view = view
        self._later = QTimer(self, interval=0, singleShot=True)
        self._later.timeout.connect(self._show_current)
        view.viewport().installEventFilter(self)

    def _show_current(self) -> None:
        self._view.scrollTo(self._view.currentIndex())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Once the scroll bar knows its new range."""
        if isinstance(event, QResizeEvent) and event.size().height() < event.oldSize().height():
            row = self._view.visualRect(self._view.currentIndex())
            if not row.isEmpty() and row.bottom() >= 0 and row.top() < event.oldSize().height():
                self._later.start()
        return super().eventFilter(watched, event)


class NoMatches(QObject):
    """Covers the viewport of a list; the filter and the focus stay where they are."""

    def __init__(
        self, *, theme: Theme, view: QAbstractItemView, filter_field: FilterField, name: str
    ) -> None:
        """Cover `view`, and offer to clear `filter_field`; owned by the view."""
        super().__init__(view)
        self._viewport = view.viewport()
        self._filter = filter_field
        self.cover = EmptyState(
            "No matches",
            theme=theme,
            action="Clear filter",
            name=f"{name}_no_matches",
            parent=self._viewport,
        )
        self.cover.setProperty("surface", "panel")
        self.cover.hide()
        self.cover.action_triggered.connect(self._on_action_triggered)
        self._viewport.installEventFilter(self)

    def show_count(self, visible: int, total: int, noun: str) -> None:
        """Cover the list if the filter leaves 0 `visible` rows of `total`."""
        is_empty = not visible and total > 0 and bool(self._filter.text().strip())
        if is_empty:
            self.cover.set_text(
                "No matches",
                f"The filter hides all {total:,} {noun}.",
                action="Clear filter",
            )
            self.cover.setGeometry(self._viewport.rect())
        self.cover.setVisible(is_empty)

    def _on_action_triggered(self) -> None:
        self._filter.set_text("")
        self._filter.focus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Grow with the viewport."""
        if event.type() == QEvent.Type.Resize:
            self.cover.setGeometry(self._viewport.rect())
        return super().eventFilter(watched, event)
