"""The client and the tokens of the shown server, and what can be done with them. Values are masked; a running token counts down."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from inspector.visible_text import isolated, one_line, visible
from ui.theme import tokens
from ui.theme.layout_spaces import keep_margins
from ui.widgets.buttons import link_button, push_button, tool_button
from ui.widgets.delegates import RowDelegate
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import plain_label, set_style_property, set_tone, show_text, tool_tip
from ui.widgets.layout_parts import column_layout, row_layout, space_in_row
from ui.widgets.outcome_line import VisibleClock

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QPushButton

    from ui.features.authorization.token_detail import TokenRow
    from ui.theme import Theme

COLUMNS = ("", "Value", "Details", "Expires")
NAME, VALUE, DETAILS, EXPIRES = range(4)

WIDTHS = {NAME: 18, VALUE: 24, EXPIRES: 22}
"""In characters; the details take the rest."""

MAX_WIDTH_PIXELS = 1200
"""At 100%; beyond that, the columns would be too far apart to be read as rows."""

MIN_DETAILS = 16
"""Characters of the details below which they leave the table; the selected row has them whole."""

ONE_LINE = 700
"""Width in which all commands stand in one line, at 100%."""

QUESTIONS = {
    "revoke": ("Revoke the tokens at the authorization server, and forget them?", "Revoke"),
    "forget": ("Forget the tokens and the registered client?", "Forget"),
}
"""What is asked before something cannot be taken back, and the word on the button."""


class TokensPanel(QWidget):
    """A table of up to four rows under its commands.

    Signals:
        row_selected: a row was selected; the step detail gives way to it.
        refresh_requested, expire_requested, break_requested: the access token.
        revoke_requested, forget_requested: the user confirmed.
    """

    row_selected = Signal(object)
    refresh_requested = Signal()
    expire_requested = Signal()
    break_requested = Signal()
    revoke_requested = Signal()
    forget_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("authorization_tokens")
        self._theme = theme
        self._rows: tuple[TokenRow, ...] = ()
        self._asked = ""
        self._by_user = False
        self._is_alone = False
        self._has_access = False
        self._build()
        self._wire()
        self.dress()

    def _build(self) -> None:
        theme = self._theme
        self._title = plain_label("Client and tokens")
        self.fold_button = tool_button(
            theme, "mdi6.chevron-down", "Show or hide tokens", name="authorization_fold"
        )
        self.refresh_button = link_button("Refresh now", name="authorization_refresh")
        self.refresh_button.setToolTip("Get another access token with the refresh token")
        self.expire_button = link_button("Act as if expired", name="authorization_expire")
        self.expire_button.setToolTip("The next request refreshes the token first")
        self.break_button = link_button("Send a broken token", name="authorization_break")
        self.break_button.setToolTip(
            "Send one request whose token has a wrong signature, to see whether the server checks it"
        )
        self.revoke_button = link_button("Revoke…", name="authorization_revoke")
        self.forget_button = link_button("Forget…", name="authorization_forget")
        for button in (self.revoke_button, self.forget_button):
            set_style_property(button, "destructive", value=True)
        self._outcome = plain_label(name="authorization_token_outcome", wrap=True)
        self._question = plain_label(name="authorization_question")
        self._confirm = push_button("", name="authorization_confirm")
        self._cancel = push_button("Cancel", name="authorization_cancel")
        self._build_table()
        self._arrange()

    def _build_table(self) -> None:
        self.table = QTableWidget(0, len(COLUMNS))
        self.table.setObjectName("authorization_token_table")
        self.table.setAccessibleName("Client and tokens")
        self.table.setHorizontalHeaderLabels(list(COLUMNS))
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setTabKeyNavigation(False)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._delegate = RowDelegate(self.table)
        self.table.setItemDelegate(self._delegate)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(DETAILS, QHeaderView.ResizeMode.Stretch)
        VisibleClock(self, self._show_time, interval_ms=1000)

    def _arrange(self) -> None:
        theme = self._theme
        self._commands = QWidget()
        flow = FlowLayout(theme.px(8), self._commands)
        flow.to_the_end()
        for button in self.buttons:
            flow.addWidget(button)
        header = row_layout(None, self.fold_button, self._title, space=theme.PADDING_PX)
        header.addWidget(space_in_row(theme, tokens.PADDING_PX))
        header.addWidget(self._commands, 1)
        header.addStretch(0)
        asked = row_layout(
            None, self._question, self._confirm, self._cancel, space=theme.PADDING_PX
        )
        asked.addStretch(1)
        column = self._column = column_layout(
            self,
            header,
            asked,
            self._outcome,
            self.table,
            space=theme.SPACING_PX,
        )
        keep_margins(column)
        self._limit_width()
        column.addStretch(1)
        self._ask("")
        self.show_outcome("")

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """The commands, in order."""
        return (
            self.refresh_button,
            self.expire_button,
            self.break_button,
            self.revoke_button,
            self.forget_button,
        )

    def _wire(self) -> None:
        self._theme.changed.connect(self.dress)
        self.fold_button.clicked.connect(lambda: self.fold(folded=not self.table.isHidden()))
        self.refresh_button.clicked.connect(self.refresh_requested)
        self.expire_button.clicked.connect(self.expire_requested)
        self.break_button.clicked.connect(self.break_requested)
        self.revoke_button.clicked.connect(lambda: self._ask("revoke"))
        self.forget_button.clicked.connect(lambda: self._ask("forget"))
        self._confirm.clicked.connect(self._on_confirmed)
        self._cancel.clicked.connect(lambda: self._ask(""))
        self.table.itemSelectionChanged.connect(self._on_selected)

    def dress(self) -> None:
        """Set sizes and fonts, which Qt forgets when a part is put into a window with a style sheet."""
        theme = self._theme
        self._title.setFont(theme.font(bold=True))
        width = theme.character_width()
        for column, characters in WIDTHS.items():
            self.table.setColumnWidth(column, characters * width)
        self.table.horizontalHeader().setFixedHeight(theme.ROW_HEIGHT_PX)
        self.table.verticalHeader().setDefaultSectionSize(theme.ROW_HEIGHT_PX)
        self._limit_width()
        self._fit()
        self._show_rows()

    def _fit(self) -> None:
        """As high as its rows."""
        self.table.setFixedHeight(
            (len(self._rows) + 1) * self._theme.ROW_HEIGHT_PX + self._theme.px(6)
        )

    def fold(self, *, folded: bool, by_user: bool = True) -> None:
        """Leave only the commands, or show the rows; what the user wanted stays."""
        if self._is_alone or (self._by_user and not by_user):
            return
        self._by_user = by_user
        self.table.setHidden(folded)
        self._show_commands()
        icon = "mdi6.chevron-right" if folded else "mdi6.chevron-down"
        self.fold_button.setIcon(self._theme.icon(icon, "muted"))

    def set_alone(self, *, is_alone: bool) -> None:
        """Take the place of everything else, with all rows in sight."""
        if is_alone == self._is_alone:
            return
        if is_alone:
            self.fold(folded=False, by_user=self._by_user)
        self._is_alone = is_alone
        self.fold_button.setHidden(is_alone)

    def fold_for_height(self, *, is_low: bool) -> None:
        """Fold the rows away where the page is low or there is no token, unless the user wanted otherwise."""
        self.fold(folded=is_low or not self._has_access, by_user=False)

    def _show_commands(self) -> None:
        """Where there is a token; folded, one line is left."""
        fits = self.width() >= self._theme.px(ONE_LINE) or not self.table.isHidden()
        self._commands.setVisible(self._has_access and fits)

    def show_rows(self, rows: Sequence[TokenRow], *, can_revoke: bool) -> None:
        """Show these rows; the commands that fit them can be used."""
        has_access = any(row.key == "access" and row.secret for row in rows)
        has_refresh = any(row.key == "refresh" and row.secret for row in rows)
        self.refresh_button.setEnabled(has_refresh)
        self.revoke_button.setEnabled(has_access and can_revoke)
        for button in (self.expire_button, self.break_button, self.forget_button):
            button.setEnabled(has_access)
        self._has_access = has_access
        self._show_commands()
        if tuple(rows) == self._rows:
            return
        is_same_shape = [row.key for row in rows] == [row.key for row in self._rows]
        self._rows = tuple(rows)
        if not is_same_shape:
            self.table.clearSelection()
            self.table.setRowCount(len(rows))
            self._fit()
        self._show_rows()

    def _show_rows(self) -> None:
        for at, row in enumerate(self._rows):
            self._set(at, NAME, row.name, "text")
            self._set(
                at, VALUE, row.value, "text" if row.secret or row.key == "client" else "muted"
            )
            self._set(at, DETAILS, row.details, "muted")
        self._show_time()

    def _set(self, at: int, column: int, text: str, tone: str) -> None:
        item = self.table.item(at, column)
        if item is None:
            item = QTableWidgetItem()
            self.table.setItem(at, column, item)
        item.setFont(self._theme.mono() if column == VALUE else self._theme.font())
        item.setText(isolated(one_line(text, 300)))
        item.setToolTip(tool_tip(text))
        item.setForeground(self._theme.color(tone))

    def _show_time(self) -> None:
        now = time.time()
        for at, row in enumerate(self._rows):
            text, tone = row.expiry_text(now)
            self._set(at, EXPIRES, text, tone)

    def show_outcome(self, text: str, tone: str = "muted") -> None:
        """Show what came of a command; an empty text hides the line."""
        show_text(self._outcome, visible(text))
        set_tone(self._outcome, tone)

    def _ask(self, what: str) -> None:
        self._asked = what
        question, word = QUESTIONS.get(what, ("", ""))
        self._question.setText(question)
        self._confirm.setText(word)
        self._confirm.setAccessibleName(word)
        for part in (self._question, self._confirm, self._cancel):
            part.setVisible(bool(what))
        if what:
            self._cancel.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_confirmed(self) -> None:
        requests: dict[str, Callable[[], object]] = {
            "revoke": self.revoke_requested.emit,
            "forget": self.forget_requested.emit,
        }
        asked = self._asked
        self._ask("")
        if asked in requests:
            requests[asked]()

    def _on_selected(self) -> None:
        self.row_selected.emit(self.selected_row())

    def selected_row(self) -> TokenRow | None:
        """The row that is shown whole; None for none."""
        chosen = self.table.selectionModel().selectedRows()
        at = chosen[0].row() if chosen else -1
        return self._rows[at] if 0 <= at < len(self._rows) else None

    def minimumSizeHint(self) -> QSize:
        """It makes no page wider."""
        return QSize(
            QFontMetrics(self.font()).averageCharWidth() * 20, super().minimumSizeHint().height()
        )

    def _limit_width(self) -> None:
        theme = self._theme
        side = theme.px(tokens.DENSE_PADDING_PX)
        beyond = max(self.width() - 2 * side - theme.px(MAX_WIDTH_PIXELS), 0)
        self._column.setContentsMargins(side, theme.SPACING_PX, side + beyond, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The commands may fit in one line now, or not any more, and so may the details of the tokens."""
        super().resizeEvent(event)
        self._limit_width()
        self._show_commands()
        taken = sum(WIDTHS.values()) + MIN_DETAILS
        is_narrow = self.table.width() < taken * self._theme.character_width()
        self.table.setColumnHidden(DETAILS, is_narrow)
