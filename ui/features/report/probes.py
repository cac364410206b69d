"""What the probes of a run came to, as rows of a table; and the rules of the selected family or these probes, one beside the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from inspector.checks.probed import ProbeOutcome
from inspector.checks.report import Outcome
from ui.features.report.probe_list import outcome_look
from ui.widgets.following_table import StillTable
from ui.widgets.labels import tool_tip, unquoted
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.row_painter import PaintedRow
from ui.widgets.segmented_control import SegmentedControl
from ui.widgets.table_columns import TableColumn, header_data

if TYPE_CHECKING:
    from inspector.checks.probed import ProbeRecord
    from inspector.checks.report import Report, RuleResult
    from ui.theme import Theme

COLUMNS = (
    TableColumn(
        key="outcome",
        title="Outcome",
        tooltip="What the probe came to",
        characters=20,
        has_sign=True,
    ),
    TableColumn(key="probe", title="Probe", tooltip="What was tried", characters=34),
    TableColumn(
        key="received",
        title="Received",
        tooltip="The response, or why nothing was sent",
        characters=40,
    ),
    TableColumn(
        key="rules",
        title="Rules",
        tooltip="Rules that the probe decides",
        characters=20,
        is_mono=True,
        leaves=1,
    ),
)
OUTCOME, PROBE, RECEIVED, RULES = range(len(COLUMNS))

RULES_VIEW, PROBES_VIEW = "rules", "probes"
"""Keys of what is displayed."""

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class ProbesModel(QAbstractTableModel):
    """One row a probe, in the order in which they ran."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start without rows."""
        super().__init__(parent)
        self.records: tuple[ProbeRecord, ...] = ()
        """What they came to."""
        self._signs: list[tuple[str, str]] = []

    def show_probes(self, records: tuple[ProbeRecord, ...], report: Report) -> None:
        """Show what the probes of a report came to; a failure looks as what its rules found."""
        if records == self.records:
            return
        self.beginResetModel()
        self.records = records
        self._signs = [_look(each, report) for each in records]
        self.endResetModel()

    def painted_row(self, row: int) -> PaintedRow:
        """Return what is drawn of a row."""
        sign, tone = self._signs[row]
        outcome = self.records[row].outcome
        is_decided = outcome in {ProbeOutcome.PASSED, ProbeOutcome.FAILED}
        title = "text" if is_decided else "muted"
        return PaintedRow(self._texts(row), (tone, title, "muted", "muted"), sign=sign)

    def divider(self, row: int) -> str:
        """Return nothing: no row begins a run."""
        del row
        return ""

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        """Return the number of probes."""
        return 0 if parent.isValid() else len(self.records)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> object:
        """Return the title of a column, and what it means."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        return header_data(COLUMNS[section], role)

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """Return the text of a cell."""
        if not 0 <= index.row() < len(self.records):
            return None
        texts = self._texts(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return texts[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == RECEIVED:
            return tool_tip(texts[RECEIVED])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(texts[:RULES]) if index.column() == OUTCOME else texts[index.column()]
        return None

    def _texts(self, row: int) -> tuple[str, ...]:
        record = self.records[row]
        return (
            record.outcome.value,
            record.title,
            unquoted(record.text),
            ", ".join(record.rules),
        )


class ResultsPane(QWidget):
    """A table of rules; where probes were run, a switch above it leads to theirs.

    Signals:
        selected: another row, or another table.
    """

    selected = Signal()

    def __init__(self, rule_table: StillTable, *, theme: Theme, parent: QWidget) -> None:
        """Show `rule_table`."""
        super().__init__(parent)
        self.probes = ProbesModel(self)
        self.probe_table = StillTable(
            model=self.probes,
            rows=self.probes,
            columns=COLUMNS,
            flexible="received",
            theme=theme,
            name="report_probes",
            parent=self,
        )
        self.probe_table.setAccessibleName("Probes")
        self.probe_table.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.views = SegmentedControl(
            [(RULES_VIEW, "Rules"), (PROBES_VIEW, "Probes")], name="report_views", parent=self
        )
        self._bar = QWidget(self)
        row = row_layout(self._bar, self.views, space=0, margins=theme.SPACING_PX)
        row.addStretch(1)
        self._tables = QStackedWidget(self)
        for table in (rule_table, self.probe_table):
            self._tables.addWidget(table)
        column = column_layout(self, self._bar, self._tables, space=0)
        column.setStretch(1, 1)
        self._bar.hide()
        self.views.chosen.connect(self.show_view)
        self.probe_table.selectionModel().currentRowChanged.connect(self.selected)

    def show_probes(self, records: tuple[ProbeRecord, ...], report: Report) -> None:
        """Show what the probes came to; without any, only rules."""
        row = self.probe_table.current_row()
        self.probes.show_probes(records, report)
        self.views.set_label(PROBES_VIEW, f"Probes {len(records)}")
        self._bar.setVisible(bool(records))
        if not records:
            self.show_view(RULES_VIEW)
        elif self.probe_table.current_row() < 0:
            self.probe_table.go_to(max(0, min(row, len(records) - 1)))

    def show_view(self, view: str) -> None:
        """Show the rules, or the probes."""
        self.views.choose(view)
        self._tables.setCurrentIndex(view == PROBES_VIEW)
        self.selected.emit()

    @property
    def record(self) -> ProbeRecord | None:
        """The selected probe; None while the rules are displayed."""
        row = self.probe_table.current_row()
        shows_probes = self._tables.currentIndex() == 1
        return self.probes.records[row] if shows_probes and row >= 0 else None


def results_of(record: ProbeRecord, report: Report) -> list[RuleResult]:
    """Return what the rules of a probe came to, those first that found something."""
    results = (report.result(rule) for rule in record.rules)
    known = [each for each in results if each is not None]
    return sorted(known, key=lambda each: each.outcome is not Outcome.FOUND)


def _look(record: ProbeRecord, report: Report) -> tuple[str, str]:
    found = results_of(record, report)
    return outcome_look(record.outcome, [each.severity for each in found if each.count])
