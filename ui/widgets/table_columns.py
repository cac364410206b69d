"""Columns of a table: their widths, which of them leave when there is no room, and the menu of the header.

Widths count in digits of the text font and are applied again after every change of the text size, so that a column holds the same at every
size, and a size that comes back brings the same pixels back. One column takes what the others leave, in some tables only so much that
what stands beside its texts is not far from them; when that is less than `MIN_FLEXIBLE_PX`, columns leave in the order of
`TableColumn.leaves`, and come back with the room; then others become narrower, down to their `min_characters`. Where even that leaves less
than `MIN_REST_CHARACTERS`, too little for a word, those leave that can be spared (`TableColumn.leaves_last`).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMenu

from inspector.frozen import FrozenStruct
from ui.theme import tokens
from ui.theme.restyle import set_own_font
from ui.widgets.column_widths import narrowed, spared
from ui.widgets.labels import no_mnemonic, tool_tip

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtCore import QPoint
    from PySide6.QtWidgets import QHeaderView, QTableView

    from ui.theme import Theme

MARGIN_PX = 6
"""Left and right of a text, in cells and in the header."""
MIN_FLEXIBLE_PX = 220
"""Room of the column that takes the rest, below which others leave."""
MIN_REST_CHARACTERS = 7.5
"""Room of that column below which more leave: its title has that much."""
MIN_CHARACTERS = 3
"""Minimum width of a column."""
MAX_CHARACTERS = 400
"""Maximum width of a column of a saved arrangement."""

RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class TableColumn(FrozenStruct, frozen=True, kw_only=True):
    """One column."""

    key: str
    """A stable name, for the saved arrangement."""
    title: str
    """The text of its header."""
    tooltip: str
    """What it shows, for the tooltip of the header and the menu of columns."""
    characters: float
    """Width in digits, margins included, until the user changes it."""
    max_characters: float = 0
    """Greatest width in digits of the column that takes what the others leave; 0 for any width."""
    takes_rest: bool = False
    """Whether it takes what that column leaves of the width in turn; without such a column, the right end stays empty."""
    leaves: int = 0
    """Position among the columns that leave for lack of room, from 1; 0 for one that stays."""
    leaves_last: int = 0
    """Position among the columns that can be spared where the others take nearly all there is, from 1; 0 for one that cannot."""
    min_characters: float = 0
    """Width that it keeps when it gives way, after those that leave; 0 for one that does not. Of the column that takes the rest: the width
    for which others give way, if that is more than `MIN_FLEXIBLE_PX`."""
    short_characters: float = 0
    """Width for the short form of its texts, which it takes instead of leaving; 0 where it leaves."""
    shorten: Callable[[str], str] | None = None
    """Returns the short form of a text that does not fit."""
    is_right: bool = False
    """Whether its texts are numbers, aligned to the right."""
    is_mono: bool = False
    """Whether its texts are names or values from the wire."""
    is_name: bool = False
    """Whether its texts are elided in the middle."""
    is_hidden: bool = False
    """Whether it is hidden until the user shows it."""
    has_sign: bool = False
    """Whether the sign of a row is drawn before its text."""
    has_marks: bool = False
    """Whether the marks of a row are drawn instead of its text, which is for assistive technology."""
    is_removable: bool = False
    """Whether the user added it, and can remove it."""


def header_data(column: TableColumn, role: int) -> object:
    """Return what a header shows of a column, by role of Qt."""
    if role == _DISPLAY:
        return column.title
    if role == _ALIGNMENT:
        return RIGHT if column.is_right else LEFT
    if role == _TOOL_TIP:
        return tool_tip(column.tooltip)
    return column.tooltip if role == _ACCESSIBLE else None


_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)
_ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)


class HeaderStyle(QObject):
    """Keeps a header as high as a row, in the size of secondary text."""

    def __init__(self, header: QHeaderView, theme: Theme) -> None:
        """Style `header`, which owns this."""
        super().__init__(header)
        self._header, self._theme = header, theme
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        theme.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        for part in (
            self._header,
            self._header.viewport(),
        ):  # Qt paints in the font of the viewport
            set_own_font(part, self._theme.font(tokens.SMALL))
        self._header.setFixedHeight(self._theme.ROW_HEIGHT_PX)


class SavedColumn(msgspec.Struct):
    """A column of a saved arrangement."""

    characters: float = 0
    """Width in digits; 0 for the width it has without the user."""
    hidden: bool = False
    """Whether the user hid it."""


class TableColumns(QObject):
    """The columns of one table.

    Signals:
        fitted: columns may be elsewhere, or wider or narrower, than before.
        remove_requested: remove the column with this key, which the user added.
        choices_requested: add what else can be chosen for the table to this menu.
    """

    fitted = Signal()
    remove_requested = Signal(str)
    choices_requested = Signal(object)

    def __init__(
        self, columns: Sequence[TableColumn], *, flexible: str, table: QTableView, theme: Theme
    ) -> None:
        """Arrange `columns` in `table`, which owns this; the one called `flexible` takes the rest of the width."""
        super().__init__(table)
        self._columns = columns
        self._flexible = next(at for at, each in enumerate(columns) if each.key == flexible)
        self._table, self._theme = table, theme
        self._header = table.horizontalHeader()
        self._characters: list[float] = []
        self._hidden: set[int] = set()
        self._withheld: set[int] = set()
        self._left: set[int] = set()
        self._short: set[int] = set()
        self._digits: dict[int, int] = {}
        self._is_fitting = False
        self._style = HeaderStyle(self._header, theme)
        self._set_up()
        self.reset()

    def _set_up(self) -> None:
        header = self._header
        header.setSectionsMovable(True)
        header.setStretchLastSection(False)
        header.setCascadingSectionResizes(False)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._open_menu)
        header.sectionResized.connect(self._on_section_resized)
        self._theme.changed.connect(self.fit)

    def set_columns(self, columns: Sequence[TableColumn], saved: Mapping[str, SavedColumn]) -> None:
        """Have other columns, once the model has them, arranged as `saved` before."""
        flexible = self._columns[self._flexible].key
        self._columns = columns
        self._flexible = self._position(flexible)
        self._digits.clear()
        self.reset()
        self.restore(saved)

    def fit(self) -> None:
        """Give every column its width in the room there is."""
        if self._is_fitting:
            return
        self._is_fitting = True
        try:
            self._apply(self._fitted_widths())
        finally:
            self._is_fitting = False
        self.fitted.emit()

    def _fitted_widths(self) -> dict[int, int]:
        """Return the widths of the columns that stay, without the flexible one; note which left or are short."""
        others = (
            at
            for at in range(len(self._columns))
            if at not in {*self._hidden, *self._withheld, self._flexible}
        )
        widths = {at: self._width(at) for at in others}
        available = self._available_width() - self._theme.px(MIN_FLEXIBLE_PX)
        for at in widths:
            if self._columns[
                at
            ].takes_rest:  # sized in a wide window; none leaves for what was spare there
                own = self._pixels(self._columns[at].characters)
                excess = max(sum(widths.values()) - available, 0)
                widths[at] = max(widths[at] - excess, min(widths[at], own))
        self._left, self._short = set(), set()
        for at in sorted(widths, key=lambda at: self._columns[at].leaves):
            if not self._columns[at].leaves:
                continue
            if sum(widths.values()) <= available:
                break
            if short := self._columns[at].short_characters:
                widths[at] = min(widths[at], self._pixels(short))
                self._short.add(at)
            else:
                del widths[at]
                self._left.add(at)
        needed = self._pixels(self._columns[self._flexible].min_characters)
        excess = sum(widths.values()) + max(needed - self._theme.px(MIN_FLEXIBLE_PX), 0) - available
        minimum = {
            at: self._pixels(column.min_characters)
            for at in widths
            if (column := self._columns[at]).min_characters
            and self._characters[at] == column.characters  # else the user sized it
        }
        widths = narrowed(widths, minimum, excess)
        order = {at: self._columns[at].leaves_last for at in widths}
        leaving = spared(widths, order, self._available_width() - self._pixels(MIN_REST_CHARACTERS))
        self._left |= leaving
        self._short -= leaving
        return {at: width for at, width in widths.items() if at not in leaving}

    def _apply(self, widths: dict[int, int]) -> None:
        header = self._header
        header.setMinimumSectionSize(self._pixels(MIN_CHARACTERS))
        rest = self._available_width() - sum(widths.values())
        limit = self._pixels(self._columns[self._flexible].max_characters)
        excess = max(rest - limit, 0) if limit else 0
        widths = {**widths, self._flexible: max(rest - excess, header.minimumSectionSize())}
        for at, column in enumerate(self._columns):
            is_sized = self._characters[at] != column.characters  # the rest would undo that
            if column.takes_rest and at in widths and not is_sized:
                widths[at] += excess
        for at in range(len(self._columns)):
            if header.isSectionHidden(at) is (at in widths):
                header.setSectionHidden(at, at not in widths)
            if at in widths and header.sectionSize(at) != widths[at]:
                header.resizeSection(at, widths[at])

    def _available_width(self) -> int:
        """Return the width beside a scroll bar, whether there is one or not: rows that arrive change no column."""
        bar = self._table.verticalScrollBar().sizeHint().width()
        return self._table.contentsRect().width() - bar

    def _pixels(self, characters: float) -> int:
        return round(characters * self._theme.character_width())

    def _width(self, at: int) -> int:
        return max(self._pixels(self._characters[at]), self._number_width(at))

    def _number_width(self, at: int) -> int:
        digits = self._digits.get(at, 0)
        margins = 2 * self._theme.px(MARGIN_PX + 1)
        return digits * self._theme.character_width() + margins if digits else 0

    def reserve_digits(self, key: str, count: int) -> None:
        """Keep a column wide enough for numbers of `count` digits."""
        at = self._position(key)
        if count != self._digits.get(at):
            self._digits[at] = count
            self.fit()

    def set_visible(self, key: str, visible: bool) -> None:
        """Show or hide a column, as the user does."""
        at = self._position(key)
        if visible is (at in self._hidden):
            (self._hidden.discard if visible else self._hidden.add)(at)
            self.fit()

    def set_offered(self, key: str, offered: bool) -> None:
        """Offer a column, or withhold it while it would be empty; whether the user hid it stays as it is."""
        at = self._position(key)
        if offered is (at in self._withheld):
            (self._withheld.discard if offered else self._withheld.add)(at)
            self.fit()

    def is_visible(self, key: str) -> bool:
        """Whether a column is displayed."""
        return not self._header.isSectionHidden(self._position(key))

    def missing(self) -> list[str]:
        """Return the keys of the columns that left for lack of room."""
        return [self._columns[at].key for at in sorted(self._left)]

    def shortened(self) -> list[str]:
        """Return the keys of the columns that show a short form for lack of room."""
        return [self._columns[at].key for at in sorted(self._short)]

    def reset(self) -> None:
        """Give every column the position and the width it has without the user."""
        for column in range(self._header.count()):
            self._header.moveSection(self._header.visualIndex(column), column)
        self._characters = [each.characters for each in self._columns]
        self._hidden = {at for at, each in enumerate(self._columns) if each.is_hidden}
        self.fit()

    def add_choices(self, menu: QMenu) -> None:
        """Put one checkable entry for each column into `menu`."""
        for at, column in enumerate(self._columns):
            if at in self._withheld:
                continue
            note = _MISSING if at in self._left else _SHORT if at in self._short else ""
            text = no_mnemonic(f"{column.title}: {column.tooltip}{note}")
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(at not in self._hidden)
            action.setEnabled(at not in (0, self._flexible))
            action.toggled.connect(partial(self.set_visible, column.key))
        added = [column for column in self._columns if column.is_removable]
        if added:
            menu.addSeparator()
        for column in added:
            menu.addAction(
                f"Remove column {no_mnemonic(column.tooltip)}",
                partial(self.remove_requested.emit, column.key),
            )
        self.choices_requested.emit(menu)

    def _open_menu(self, position: QPoint) -> None:
        menu = QMenu(self._header)
        menu.setObjectName("columns_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.add_choices(menu)
        menu.addSeparator()
        menu.addAction("Reset columns", self.reset)
        menu.popup(self._header.mapToGlobal(position))

    def save(self) -> dict[str, SavedColumn]:
        """Return the arrangement by key, from left to right."""
        order = map(self._header.logicalIndex, range(self._header.count()))
        return {self._columns[at].key: self._saved(at) for at in order}

    def _saved(self, at: int) -> SavedColumn:
        own = self._characters[at] != self._columns[at].characters
        return SavedColumn(self._characters[at] if own else 0, at in self._hidden)

    def restore(self, saved: Mapping[str, SavedColumn]) -> None:
        """Arrange the columns by key. One that is not in `saved` keeps its position, width and visibility."""
        self.restore_order(list(saved))
        for at, column in enumerate(self._columns):
            if (each := saved.get(column.key)) is not None:
                width = min(max(each.characters, MIN_CHARACTERS), MAX_CHARACTERS)
                self._characters[at] = width if each.characters else column.characters
                (self._hidden.add if each.hidden else self._hidden.discard)(at)
        self.fit()

    def restore_order(self, keys: Sequence[str]) -> None:
        """Put the columns into the order of `keys`. One that is not in it keeps its position."""
        positions = {column.key: at for at, column in enumerate(self._columns)}
        order = [key for key in keys if key in positions]
        for key, at in positions.items():
            if key not in keys:
                order.insert(at, key)
        for at, key in enumerate(order):
            column = positions[key]
            self._header.moveSection(self._header.visualIndex(column), at)

    def _position(self, key: str) -> int:
        return next(at for at, each in enumerate(self._columns) if each.key == key)

    def _on_section_resized(self, at: int, _before: int, pixels: int) -> None:
        """Note the width that the user gave a column; 0 pixels is that it was hidden."""
        if self._is_fitting or not pixels:
            return
        if at != self._flexible:
            self._characters[at] = pixels / self._theme.character_width()
        self.fit()


_MISSING = " (hidden for lack of room)"
_SHORT = " (shortened for lack of room)"
