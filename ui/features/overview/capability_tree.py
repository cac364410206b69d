"""A table of capabilities, one row for each and each part of one, declared or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from inspector.spec.capabilities import CapabilityRow, rows
from inspector.visible_text import one_line
from inspector.wire import json_codec
from ui.widgets.delegates import RowDelegate
from ui.widgets.labels import tool_tip, unquoted
from ui.widgets.table_columns import HeaderStyle

if TYPE_CHECKING:
    from inspector.spec.method import Side
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json
    from ui.theme import Theme

COLUMNS = ("Capability", "Declared", "Since", "Description")

_NAME, _DECLARED, _SINCE, _TEXT = range(4)


class CapabilityTree(QTreeWidget):
    """What one side declared, beside what it could have."""

    def __init__(
        self, *, theme: Theme, name: str, text: str, parent: QWidget | None = None
    ) -> None:
        """Start empty; `text` is the accessible name."""
        super().__init__(parent)
        self._theme = theme
        self.setObjectName(name)
        self.setAccessibleName(text)
        self.setColumnCount(len(COLUMNS))
        self.setHeaderLabels(COLUMNS)
        self.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._rows = RowDelegate(self)
        self._rows.set_height(theme.ROW_HEIGHT_PX)
        self.setItemDelegate(self._rows)
        header = self.header()
        header.setSectionsMovable(False)
        for column in (_NAME, _DECLARED, _SINCE):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_TEXT, QHeaderView.ResizeMode.Stretch)
        self._header_style = HeaderStyle(header, theme)

    def show_declared(self, declared: Json, side: Side, revision: Revision) -> None:
        """Show what `side` declared in a conversation of `revision`."""
        self.clear()
        self.setIndentation(self._theme.px(14))
        self._rows.set_height(self._theme.ROW_HEIGHT_PX)
        self._rows.set_gap(self._theme.px(8))
        parents: dict[tuple[str, ...], QTreeWidgetItem] = {}
        count = 0
        for row in rows(declared, side, revision):
            item = self._item(row)
            above = parents.get(row.path[:-1])
            if above is None:
                self.addTopLevelItem(item)
            else:
                above.addChild(item)
            parents[row.path] = item
            count += 1
        self.expandAll()
        height = max(self.sizeHintForRow(0), self._theme.ROW_HEIGHT_PX)
        self.setFixedHeight(self.header().sizeHint().height() + count * height + 4)

    def _item(self, row: CapabilityRow) -> QTreeWidgetItem:
        summary, tone = _summary_of(row)
        since = row.known.since.date if row.known is not None else "undefined"
        item = QTreeWidgetItem([one_line(row.label), summary, since, one_line(_meaning(row))])
        item.setFont(_NAME, self._theme.mono())
        item.setForeground(_DECLARED, self._theme.color(tone))
        for column in (_SINCE, _TEXT):
            item.setForeground(column, self._theme.color("muted"))
        if row.findings or not row.defined:
            item.setForeground(_TEXT, self._theme.color("warning"))
        tip = "\n".join([row.name, _meaning(row), row.link]).strip()
        for column in range(len(COLUMNS)):
            item.setToolTip(column, tool_tip(tip))
        return item


def _summary_of(row: CapabilityRow) -> tuple[str, str]:
    raw = one_line(json_codec.write(row.raw), 60) if row.present else ""
    is_unknown = "" if isinstance(row.raw, dict) or row.raw is True else f" ({raw})"
    if row.declared:
        return f"✔ yes{is_unknown}", "text"  # color is left to what is wrong
    return (f"✘ no{is_unknown}", "muted") if row.present else ("–", "muted")


def _meaning(row: CapabilityRow) -> str:
    parts = [row.summary, *(f"⚠ {unquoted(finding.summary)}" for finding in row.findings)]
    if row.deprecated and not row.findings:
        parts.append("deprecated")
    return " · ".join(part for part in parts if part)
