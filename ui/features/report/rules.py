"""The rules of a family as rows of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from inspector.checks.report import Change, Outcome, RuleResult
from ui.render.rule_text import SEVERITY_SIGNS, SEVERITY_TEXTS, SEVERITY_TONES, heading
from ui.theme.signs import Sign
from ui.widgets.row_painter import PaintedRow
from ui.widgets.table_columns import TableColumn, header_data
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

COLUMNS = (
    TableColumn(
        key="result",
        title="Result",
        tooltip="The gravest severity and the number of findings",
        characters=20,
        min_characters=15,
        has_sign=True,
    ),
    TableColumn(
        key="rule",
        title="Rule",
        tooltip="Id of the rule",
        characters=18,
        min_characters=13,
        is_mono=True,
    ),
    TableColumn(
        key="title",
        title="Title",
        tooltip="What the rule finds",
        characters=40,
        min_characters=44,
    ),
    TableColumn(
        key="since",
        title="Since",
        tooltip="Whether it found something unlike in the run before, or no longer did",
        characters=15,
        leaves=1,
    ),
)
RESULT, RULE, TITLE, SINCE = range(len(COLUMNS))

NOT_FOUND = "no longer found"
"""What became of what a rule found in the run before; whether it was fixed is not known."""
CHANGE_TEXTS = {Change.NONE: "", Change.NEW: "new", Change.FIXED: NOT_FOUND}

_RANKS = {Outcome.FOUND: 0, Outcome.CLEAN: 2, Outcome.NOT_SEEN: 3}

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


def result_text(result: RuleResult) -> str:
    """Return what a rule came to; one that found nothing has *no findings*, never *passed*."""
    if result.outcome is Outcome.NOT_SEEN:
        return "not seen"
    if not result.count:
        return "no findings"
    if result.is_muted:
        return f"muted · {result.count:,}"
    return f"{SEVERITY_TEXTS[result.severity]} · {result.count:,}"


class RulesModel(QAbstractTableModel):
    """One row a rule: those that found something come first. The order stays until `show_rules`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start without rows."""
        super().__init__(parent)
        self.results: list[RuleResult] = []
        """The rules."""

    def show_rules(self, results: Sequence[RuleResult]) -> None:
        """Show other rules."""
        self.beginResetModel()
        self.results = sorted(results, key=_rank)
        self.endResetModel()

    def refresh(self, results: Sequence[RuleResult]) -> None:
        """Show what the same rules came to by now."""
        known = {each.rule.id: each for each in results}
        fresh = [known.get(each.rule.id, each) for each in self.results]
        if fresh != self.results:
            self.results = fresh
            self.dataChanged.emit(self.index(0, 0), self.index(len(fresh) - 1, SINCE))

    def row_of(self, rule: str) -> int:
        """Return the row of the rule of that id; -1 if it is not among them."""
        return next((at for at, each in enumerate(self.results) if each.rule.id == rule), -1)

    def painted_row(self, row: int) -> PaintedRow:
        """Return what is drawn of a row."""
        result = self.results[row]
        found = result.count and not result.is_muted
        tone = SEVERITY_TONES[result.severity] if found else "muted"
        sign = SEVERITY_SIGNS[result.severity] if found else _sign(result)
        title = "text" if result.outcome is not Outcome.NOT_SEEN else "muted"
        return PaintedRow(_texts(result), (tone, "muted", title, "muted"), sign=sign)

    def divider(self, row: int) -> str:
        """Return nothing: no row begins a run."""
        del row
        return ""

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        """Return the number of rules."""
        return 0 if parent.isValid() else len(self.results)

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
        if not 0 <= index.row() < len(self.results):
            return None
        result = self.results[index.row()]
        text = _texts(result)[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _sentence(result) if index.column() == RESULT else text
        return None


def _rank(result: RuleResult) -> tuple[int, int, int]:
    rank = 1 if result.is_muted and result.count else _RANKS[result.outcome]
    return rank, -result.severity if result.count else 0, -result.count


def _sign(result: RuleResult) -> str:
    return Sign.NOT_SEEN if result.outcome is Outcome.NOT_SEEN else Sign.NO_FINDINGS


def _texts(result: RuleResult) -> tuple[str, ...]:
    return (
        result_text(result),
        result.rule.id,
        heading(result.rule.title),
        CHANGE_TEXTS[result.change],
    )


def _sentence(result: RuleResult) -> str:
    count = plural(result.count, "finding") if result.count else ""
    parts = (
        heading(result.rule.title),
        result.rule.id,
        SEVERITY_TEXTS[result.severity] if result.count else result_text(result),
        count,
        "muted" if result.is_muted else "",
        f"{CHANGE_TEXTS[result.change]} since the run before" if result.change else "",
    )
    return ", ".join(part for part in parts if part)
