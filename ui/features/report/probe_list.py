"""The probes of a server by family, a check box each: what it sends, with what effect, what it came to. Below them, the tools to call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QTreeWidgetItemIterator,
)

from inspector.checks.probed import ProbeOutcome
from inspector.finding import Severity
from inspector.probes.probe import Effect
from inspector.rules import RULES
from inspector.visible_text import one_line
from inspector.wire import json_codec
from ui.render.rule_text import SEVERITY_SIGNS, SEVERITY_TONES
from ui.theme import tokens
from ui.theme.restyle import set_own_font
from ui.theme.signs import Sign
from ui.widgets.labels import tool_tip, unquoted
from ui.widgets.wrapping_delegate import WrappingDelegate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QWidget

    from inspector.probes.probe import ProbeResult
    from inspector.probes.runner import Planned
    from inspector.probes.tool_uses import ToolUse
    from ui.theme import Theme

COLUMNS = ("Probe", "Sends", "Requests", "Effect", "Outcome")
PROBE, SENDS, REQUESTS, EFFECT, OUTCOME = range(len(COLUMNS))
CHARACTERS = {PROBE: 34, REQUESTS: 10, EFFECT: 17, OUTCOME: 18}
"""Widths in digits; what is sent takes the rest."""

GAP_PIXELS = 6
"""At 100%, between the texts of two rows."""

NARROW = 70
"""Digits of width below which there is no column of the number of requests."""

TOOLS = "Tools that may be called"
"""The group below the probes."""

TONES: dict[Effect, str] = {
    Effect.CALLS_TOOL: "warning",
    Effect.READS_FILES: "warning",
    Effect.CONTACTS_HOSTS: "warning",
}
"""Of effects that a user should know of; others are muted."""

_TONE = int(Qt.ItemDataRole.UserRole)
_SIGN = _TONE + 1
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_ON, _OFF, _PARTLY = Qt.CheckState.Checked, Qt.CheckState.Unchecked, Qt.CheckState.PartiallyChecked
_Flag = Qt.ItemFlag


class ProbeList(QTreeWidget):
    """Probes by family, and tools; Space switches the current row.

    Signals:
        changed: the user switched something.
    """

    changed = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self._theme = theme
        self._probes: dict[str, QTreeWidgetItem] = {}
        self._uses: dict[str, ToolUse] = {}
        self._tools: dict[str, QTreeWidgetItem] = {}
        self._is_filling = self._is_locked = False
        self.setObjectName("probe_list")
        self.setAccessibleName("Probes")
        self.setColumnCount(len(COLUMNS))
        self.setHeaderLabels(COLUMNS)
        self.setWordWrap(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._rows = WrappingDelegate((PROBE, SENDS), self)
        self.setItemDelegate(self._rows)
        header = self.header()
        header.setSectionsMovable(False)
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.headerItem().setTextAlignment(REQUESTS, _RIGHT)
        self.itemChanged.connect(self._on_item_changed)
        self.setColumnHidden(OUTCOME, True)
        theme.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        theme = self._theme
        header = self.header()
        for part in (header, header.viewport()):  # Qt paints in the font of the viewport
            set_own_font(part, theme.font(tokens.SMALL))
        self.setIndentation(theme.px(14))
        self.setIconSize(QSize(theme.ICON, theme.ICON))
        self._rows.set_height(theme.ROW_HEIGHT_PX)
        self._rows.set_gap(theme.px(GAP_PIXELS))
        rows = QTreeWidgetItemIterator(self)
        self._is_filling = True
        while item := rows.value():
            self._dress(item)
            rows += 1
        self._is_filling = False
        self._arrange()

    def _dress(self, item: QTreeWidgetItem) -> None:
        """Give a row the fonts, colors and icons of the theme."""
        theme = self._theme
        if item.parent() is None:
            item.setFont(PROBE, theme.font(bold=True))
        for column in range(len(COLUMNS)):
            tone = str(item.data(column, _TONE) or "")
            if tone:
                item.setForeground(column, theme.color(tone))
        sign = str(item.data(OUTCOME, _SIGN) or "")
        icon = theme.icon(sign, str(item.data(OUTCOME, _TONE))) if sign else QIcon()
        item.setIcon(OUTCOME, icon)

    def _arrange(self) -> None:
        """Give what is sent the width that the others leave, and never less than a quarter."""
        digit, width = self._theme.character_width(), self.viewport().width()
        is_narrow = width < NARROW * digit
        self.setColumnHidden(REQUESTS, is_narrow or not self.isColumnHidden(OUTCOME))
        others = [each for each in CHARACTERS if not self.isColumnHidden(each)]
        widths = {each: CHARACTERS[each] * digit for each in others}
        widths[PROBE] = min(widths[PROBE], width // 3)
        rest = width - sum(widths.values())
        for column, pixels in {**widths, SENDS: max(rest, width // 4)}.items():
            self.header().resizeSection(column, int(pixels))
        self.verticalScrollBar().setSingleStep(self._theme.ROW_HEIGHT_PX)
        self.scheduleDelayedItemsLayout()  # rows of another height

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the columns out again."""
        super().resizeEvent(event)
        self._arrange()

    def show_plan(self, planned: Sequence[Planned], uses: Sequence[ToolUse]) -> None:
        """List the probes, of which those are on that apply and stay within the server, and the tools, of which read-only ones are on."""
        self._is_filling = True
        self.clear()
        self._probes, self._tools = {}, {}
        groups: dict[str, QTreeWidgetItem] = {}
        for each in planned:
            title = RULES[each.probe.rules[0]].family.title
            group = groups.get(title) or groups.setdefault(title, self._add_group(title))
            item = self._probes[each.probe.key] = QTreeWidgetItem(group)
            self._show_probe(item, each, is_on=not each.probe.is_opt_in)
        if uses:
            group = self._add_group(TOOLS)
            for use in uses:
                self._uses[use.name] = use
                self._add_tool(group, use)
        for at in range(
            self.topLevelItemCount()
        ):  # not all: the sign of an expanded row is that of a button that is on
            self.expand(self.model().index(at, 0))
        self._is_filling = False
        self._count()

    def update_plan(self, planned: Sequence[Planned]) -> None:
        """Show which probes apply now, after other tools may be called, and their effects again; those that begin to apply are on."""
        self._is_filling = True
        self._show_columns(outcomes=False)
        for each in planned:
            item = self._probes[each.probe.key]
            begins = not _is_switch(item) and not each.probe.is_opt_in
            self._show_probe(item, each, is_on=_is_on(item) or begins)
        self._is_filling = False
        self._count()

    def _add_group(self, title: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem(self, [title])
        item.setData(SENDS, _TONE, "muted")
        self._dress(item)
        item.setFlags(_Flag.ItemIsEnabled | _Flag.ItemIsSelectable | _Flag.ItemIsUserCheckable)
        return item

    def _show_probe(self, item: QTreeWidgetItem, planned: Planned, *, is_on: bool) -> None:
        probe, reason = planned
        applies = not reason
        sends = unquoted(probe.sends) if applies else f"Not applicable: {unquoted(reason)}"
        requests = f"{probe.requests}" if applies else ""
        self._show_row(item, probe.title, sends, requests, str(probe.effect) if applies else "")
        item.setData(EFFECT, _TONE, TONES.get(probe.effect, "muted"))
        item.setData(PROBE, _TONE, "text" if applies else "muted")
        self._dress(item)
        self._make_switch(item, is_switch=applies, is_on=is_on)

    def _add_tool(self, group: QTreeWidgetItem, use: ToolUse) -> None:
        item = self._tools[use.name] = QTreeWidgetItem(group)
        if use.arguments is None:
            sends = "without arguments, which it requires"
        elif use.arguments:
            sends = f"arguments of the last call: {json_codec.write(use.arguments)}"
        else:
            sends = "no arguments"
        effect = "read-only" if use.is_read_only else "may have effects"
        self._show_row(item, use.name, sends, "", effect)
        item.setData(EFFECT, _TONE, "muted" if use.is_read_only else "warning")
        self._dress(item)
        self._make_switch(item, is_switch=True, is_on=use.is_read_only)

    def _show_row(
        self, item: QTreeWidgetItem, title: str, sends: str, requests: str, effect: str
    ) -> None:
        for column, text in (
            (PROBE, title),
            (SENDS, sends),
            (REQUESTS, requests),
            (EFFECT, effect),
        ):
            item.setText(column, one_line(text, 500))
            item.setToolTip(column, tool_tip(text) if column in {PROBE, SENDS} else "")
        item.setTextAlignment(REQUESTS, _RIGHT)
        for column in (SENDS, REQUESTS):
            item.setData(column, _TONE, "muted")
        sentence = ", ".join(
            filter(None, (title, sends, requests and f"{requests} requests", effect))
        )
        item.setData(PROBE, Qt.ItemDataRole.AccessibleTextRole, one_line(sentence, 500))

    def _make_switch(self, item: QTreeWidgetItem, *, is_switch: bool, is_on: bool) -> None:
        """Give a row a check box, or none."""
        flags = _Flag.ItemIsEnabled | _Flag.ItemIsSelectable
        if is_switch and not self._is_locked:
            flags |= _Flag.ItemIsUserCheckable
        item.setFlags(flags)
        state = (_ON if is_on else _OFF) if is_switch else None
        item.setData(PROBE, Qt.ItemDataRole.CheckStateRole, state)

    def _on_item_changed(self, item: QTreeWidgetItem, column: int) -> None:
        """Take a switched row; that of a group switches all of it."""
        if self._is_filling or column != PROBE:
            return
        self._is_filling = True
        for row in _children(item):
            if _is_switch(row):
                row.setCheckState(PROBE, item.checkState(PROBE))
        self._is_filling = False
        self._count()
        self.changed.emit()

    def _count(self) -> None:
        """Let each group say whether all of it is on."""
        self._is_filling = True
        for group in (self.topLevelItem(at) for at in range(self.topLevelItemCount())):
            if group is None:
                continue
            rows = [row for row in _children(group) if _is_switch(row)]
            on = sum(row.checkState(PROBE) == _ON for row in rows)
            state = _ON if on == len(rows) else _PARTLY if on else _OFF
            group.setData(PROBE, Qt.ItemDataRole.CheckStateRole, state if rows else None)
            group.setText(SENDS, f"{on} of {len(rows)}" if rows else "")
        self._is_filling = False

    def chosen(self) -> list[str]:
        """Return the keys of the probes that are on, in the order in which they run."""
        return [key for key, item in self._probes.items() if _is_on(item)]

    def chosen_uses(self) -> list[ToolUse]:
        """Return the tools that may be called."""
        return [self._uses[name] for name, item in self._tools.items() if _is_on(item)]

    def set_locked(self, *, is_locked: bool) -> None:
        """Take no switches while probes run, neither of probes nor of groups."""
        self._is_locked = is_locked
        self._is_filling = True
        for group in (self.topLevelItem(at) for at in range(self.topLevelItemCount())):
            if group is not None:
                flags = group.flags() | _Flag.ItemIsUserCheckable
                group.setFlags(flags ^ _Flag.ItemIsUserCheckable if is_locked else flags)
        for item in (*self._probes.values(), *self._tools.values()):
            self._make_switch(item, is_switch=_is_switch(item), is_on=_is_on(item))
        self._is_filling = False

    def show_outcomes(self) -> None:
        """Show what is received and outcomes, of which there are none yet, in place of what is sent, numbers and effects."""
        self._is_filling = True
        for item in self._probes.values():
            item.setText(OUTCOME, "")
            item.setData(OUTCOME, _SIGN, "")
            if _is_switch(item):
                item.setText(SENDS, "")
                item.setToolTip(SENDS, "")
                item.setData(PROBE, Qt.ItemDataRole.AccessibleTextRole, item.text(PROBE))
            self._dress(item)
        self._show_columns(outcomes=True)
        self._is_filling = False

    @property
    def shows_outcomes(self) -> bool:
        """Whether the list says what the probes came to, not what they would send."""
        return not self.isColumnHidden(OUTCOME)

    def _show_columns(self, *, outcomes: bool) -> None:
        self.headerItem().setText(SENDS, "Received" if outcomes else COLUMNS[SENDS])
        self.setColumnHidden(EFFECT, outcomes)
        self.setColumnHidden(OUTCOME, not outcomes)
        self._arrange()

    def show_running(self, key: str) -> None:
        """Show that a probe runs, and where it is."""
        item = self._probes[key]
        self._show_outcome(item, "running", Sign.PENDING, "pending")
        self.scrollToItem(item)

    def show_stopped(self, key: str) -> None:
        """Show that a probe was stopped."""
        self._show_outcome(self._probes[key], "stopped", Sign.CANCELLED, "muted")

    def show_result(self, key: str, result: ProbeResult) -> None:
        """Show what a probe came to."""
        item = self._probes[key]
        item.setText(SENDS, one_line(unquoted(result.text), 500))
        item.setToolTip(SENDS, tool_tip(result.text))
        sign, tone = outcome_look(result.outcome, [each.severity for _, each in result.findings])
        self._show_outcome(item, result.outcome.value, sign, tone)

    def _show_outcome(self, item: QTreeWidgetItem, text: str, sign: str, tone: str) -> None:
        self._is_filling = True
        item.setText(OUTCOME, text)
        item.setData(OUTCOME, _SIGN, sign)
        item.setData(OUTCOME, _TONE, tone)
        self._dress(item)
        sentence = ", ".join(filter(None, (item.text(PROBE), text, item.text(SENDS))))
        item.setData(PROBE, Qt.ItemDataRole.AccessibleTextRole, sentence)
        self._is_filling = False


def outcome_look(outcome: ProbeOutcome, severities: Sequence[Severity]) -> tuple[str, str]:
    """Return the sign and the color of an outcome; a failure has those of the gravest finding."""
    if outcome is ProbeOutcome.FAILED:
        severity = max(severities, default=Severity.WARNING)
        return SEVERITY_SIGNS[severity], SEVERITY_TONES[severity]
    return (Sign.OK if outcome is ProbeOutcome.PASSED else Sign.NOT_SEEN), "muted"


def _children(item: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    found = (item.child(at) for at in range(item.childCount()))
    return [each for each in found if each is not None]


def _is_switch(item: QTreeWidgetItem) -> bool:
    return item.data(PROBE, Qt.ItemDataRole.CheckStateRole) is not None


def _is_on(item: QTreeWidgetItem) -> bool:
    return _is_switch(item) and item.checkState(PROBE) == _ON
