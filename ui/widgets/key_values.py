"""Facts in two columns: names to the left, values that can be selected and copied to the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QGridLayout, QLabel, QMenu, QSizePolicy, QWidget

from inspector.visible_text import visible
from ui.theme import tokens
from ui.widgets.clipboard import copy_text
from ui.widgets.labels import no_mnemonic, plain_label, tool_tip
from ui.widgets.layout_parts import clear_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Theme

MAX_ROWS = 200
"""More are cut, and that is said."""
MAX_VALUE = 4000
"""Characters shown of one value; copying gives all."""
LABEL_WIDTH = 84
"""Least width of the column of names in a dialog or a detail, in pixels at 100%."""
FORM_LABEL_WIDTH = 124
"""The same beside forms, whose labels are as wide."""


class KeyValue(NamedTuple):
    """One row."""

    name: str
    """Its name."""
    value: str
    """Its value; copied unchanged, displayed with invisible characters made visible."""
    tip: str = ""
    """The exact value, or where it comes from."""
    mono: bool = True
    """Monospaced: for wire data, names and values to copy, not for texts of Spyglass."""
    tone: str = ""
    """A color by name, for states."""


class KeyValues(QWidget):
    """A small table of facts."""

    def __init__(
        self,
        *,
        theme: Theme,
        name: str = "facts",
        label_width: int = LABEL_WIDTH,
        parent: QWidget | None = None,
    ) -> None:
        """Start empty; names take at least `label_width` pixels at 100%."""
        super().__init__(parent)
        self._label_width = label_width
        self.setObjectName(name)
        self._theme = theme
        self._facts: tuple[KeyValue, ...] = ()
        self._ascent = self._descent = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(1, 1)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.customContextMenuRequested.connect(self._on_menu_requested)
        theme.changed.connect(self._refresh)

    def facts(self) -> tuple[KeyValue, ...]:
        """What is shown."""
        return self._facts

    def set_facts(self, facts: Sequence[KeyValue]) -> None:
        """Show these instead."""
        if tuple(facts) != self._facts:
            self._facts = tuple(facts)
            self._refresh()

    def as_text(self) -> str:
        """All facts as lines `name: value`."""
        return "\n".join(f"{fact.name}: {fact.value}" for fact in self._facts)

    def _refresh(self) -> None:
        clear_layout(self._grid)
        self._grid.setHorizontalSpacing(self._theme.px(12))
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnMinimumWidth(0, self._theme.px(self._label_width))
        plain, mono = QFontMetrics(self._theme.font()), QFontMetrics(self._theme.mono())
        self._ascent = max(plain.ascent(), mono.ascent())
        self._descent = max(plain.descent(), mono.descent())
        for row, fact in enumerate(self._facts[:MAX_ROWS]):
            self._grid.addWidget(self._name_label(fact), row, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(self._value_label(fact), row, 1)
        if len(self._facts) > MAX_ROWS:
            more = plain_label(
                f"and {len(self._facts) - MAX_ROWS:,} more; use Copy all to see them", parent=self
            )
            self._grid.addWidget(more, MAX_ROWS, 1)

    def _name_label(self, fact: KeyValue) -> QLabel:
        label = plain_label(visible(fact.name), tone="muted", parent=self)
        self._align(label, self._theme.font())
        return label

    def _value_label(self, fact: KeyValue) -> QLabel:
        start = fact.value[:MAX_VALUE]
        label = plain_label(tone=fact.tone, wrap=True, parent=self)
        label.setText(visible(start) + ("…" if len(start) < len(fact.value) else ""))
        label.setAccessibleName(f"{fact.name}: {label.text()}")
        label.setToolTip(tool_tip(fact.tip))
        label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        label.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        # As high as it needs at the width it gets; by its size hint it would be as high as at a width of its own choice.
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        label.setSizePolicy(policy)
        font = self._theme.mono() if fact.mono else self._theme.font()
        label.setFont(font)
        self._align(label, font)
        return label

    def _align(self, label: QLabel, font: QFont) -> None:
        """Put the first lines of a row on one baseline in any font, and give all rows one height."""
        metrics = QFontMetrics(font)
        label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        line = self._ascent + self._descent
        spare = max(self._theme.px(tokens.FACT_ROW) - line, 0)
        above = self._ascent - metrics.ascent() + spare // 2
        label.setContentsMargins(0, above, 0, spare - spare // 2)
        label.setMinimumHeight(line + spare)

    def _on_menu_requested(self, position: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if (fact := self._fact_at(position)) is not None:
            menu.addAction(no_mnemonic(f"Copy {visible(fact.name)}"), lambda: copy_text(fact.value))
        menu.addAction("Copy all", lambda: copy_text(self.as_text()))
        menu.popup(self.mapToGlobal(position))

    def _fact_at(self, position: QPoint) -> KeyValue | None:
        for row, fact in enumerate(self._facts[:MAX_ROWS]):
            if self._grid.cellRect(row, 1).united(self._grid.cellRect(row, 0)).contains(position):
                return fact
        return None
