"""The muted rules of a server, why each is muted, and where they are kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFileDialog,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from inspector.config.muted_rules import FILE_NAME, MAX_REASON
from inspector.errors import StorageError
from inspector.visible_text import one_line, visible
from ui.aio import spawn
from ui.bind import bind
from ui.render.rule_text import rule_title
from ui.theme import tokens
from ui.theme.restyle import set_own_font
from ui.widgets.buttons import link_button, push_button
from ui.widgets.dialog_parts import DialogFoot, DialogSize, DialogTitle, set_size
from ui.widgets.labels import plain_label, set_tone, tool_tip
from ui.widgets.layout_parts import column_layout, row_layout

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.config.muted_rules import MutedRules
    from inspector.transcript.rule_findings import RuleFindings
    from ui.theme import Theme

COLUMNS = ("Rule", "Id", "Findings", "Reason")
REASON = 3
"""The column that can be edited."""
RULE_CHARACTERS, ID_CHARACTERS, COUNT_CHARACTERS = 20, 14, 9
REASON_CHARACTERS, MIN_REASON_CHARACTERS = 18, 12
"""Widths of columns in digits; that of a rule is the least one."""

_Item = Qt.ItemFlag
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class MuteDialog(QDialog):
    """A check box for each rule that found something or is muted.

    Signals:
        reported: what happened, as a text.
    """

    reported = Signal(str)

    def __init__(
        self,
        muted: MutedRules,
        findings: Mapping[str, RuleFindings],
        *,
        folder: str,
        server: str,
        theme: Theme,
        parent: QWidget,
    ) -> None:
        """Edit `muted`; `findings` are those of the session, and `folder` is proposed for a file."""
        super().__init__(parent)
        self.setObjectName("mute_rules")
        self.setWindowTitle("Mute rules")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme, self._muted, self._findings = theme, muted, findings
        self._folder = folder
        self._is_filling = False
        self._build(server)
        self._wire()
        self._refresh()

    def _build(self, server: str) -> None:
        theme = self._theme
        self._title = DialogTitle(theme=theme, name="mute_title", parent=self)
        self._title.set_text("Mute rules")
        self._text = plain_label(
            f"Findings of muted rules about this {server} are not listed, and do not count as problems.",
            tone="muted",
            wrap=True,
            parent=self,
        )
        self.table = table = QTableWidget(0, len(COLUMNS), self)
        table.setObjectName("mute_table")
        table.setAccessibleName("Rules")
        table.setHorizontalHeaderLabels(COLUMNS)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setCornerButtonEnabled(False)
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.horizontalHeader().setHighlightSections(False)
        table.horizontalHeader().setDefaultAlignment(_LEFT)
        self.kept = plain_label(name="mute_kept", wrap=True, parent=self)
        self.use_file = link_button("Use a file…", name="mute_use_file", parent=self)
        self.use_settings = link_button("Use settings", name="mute_use_settings", parent=self)
        self.problem = plain_label(name="mute_problem", tone="error", wrap=True, parent=self)
        self._kept_row = row_layout(None, self.kept, self.use_file, self.use_settings, space=0)
        self._kept_row.setStretch(0, 1)
        self._foot = DialogFoot(theme=theme, name="mute_foot", parent=self)
        self.close_button = push_button("Close", name="mute_close", primary=True, parent=self)
        self._foot.add_right(self.close_button)
        self._inner = column_layout(None, self._text, table, self._kept_row, self.problem, space=0)
        self._inner.setStretch(1, 1)
        self._column = column_layout(self, self._title, self._inner, self._foot, space=0)

    def _wire(self) -> None:
        self.table.viewport().installEventFilter(self)
        self.table.itemChanged.connect(self._on_item_changed)
        self.use_file.clicked.connect(self._on_use_file_clicked)
        self.use_settings.clicked.connect(self._muted.use_settings)
        self.close_button.clicked.connect(self.accept)
        self._theme.changed.connect(self._refresh)
        bind(self, self._muted.changed, self._show_kept)

    def _refresh(self) -> None:
        theme, px = self._theme, self._theme.px
        edge = px(tokens.READING_PADDING_PX)
        self._inner.setContentsMargins(edge, 0, edge, px(12))
        self._inner.setSpacing(px(8))
        self._kept_row.setSpacing(px(8))
        header = self.table.horizontalHeader()
        for part in (header, header.viewport()):  # Qt paints in the font of the viewport
            set_own_font(part, theme.font(tokens.SMALL))
        self.table.verticalHeader().setDefaultSectionSize(theme.ROW_HEIGHT_PX)
        set_size(self, theme, DialogSize.MEDIUM)
        self._arrange()
        self._fill()  # in the colors of the theme
        self._show_kept()

    def _arrange(self) -> None:
        """Give the rule what the others leave, and take it from the reason where that is too little."""
        digit = self._theme.character_width()
        id_, count = ID_CHARACTERS * digit, COUNT_CHARACTERS * digit
        rest = self.table.viewport().width() - id_ - count
        spare = rest - RULE_CHARACTERS * digit
        reason = max(min(REASON_CHARACTERS * digit, spare), MIN_REASON_CHARACTERS * digit)
        rule = max(rest - reason, RULE_CHARACTERS * digit)
        for column, width in enumerate((rule, id_, count, reason)):
            self.table.horizontalHeader().resizeSection(column, width)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The table is wider, or less."""
        if event.type() == QEvent.Type.Resize:
            self._arrange()
        return super().eventFilter(watched, event)

    def _fill(self) -> None:
        """List the rules that found something, the gravest first, and then muted ones that found nothing."""
        found = sorted(self._findings.values(), key=lambda each: (-each.severity, -each.count))
        ids = [each.rule for each in found]
        ids += [id_ for id_ in self._muted.reasons if id_ not in self._findings]
        self._is_filling = True
        self.table.setRowCount(len(ids))
        for row, id_ in enumerate(ids):
            count = self._findings[id_].count if id_ in self._findings else 0
            texts = (rule_title(id_), id_, f"{count:,}", self._muted.reasons.get(id_, ""))
            for column, text in enumerate(texts):
                self.table.setItem(row, column, self._item(column, text, id_))
        self._is_filling = False

    def _item(self, column: int, text: str, id_: str) -> QTableWidgetItem:
        item = QTableWidgetItem(text if column == REASON else one_line(text))
        flags = _Item.ItemIsEnabled | _Item.ItemIsSelectable
        if column == 0:
            flags |= _Item.ItemIsUserCheckable
            is_muted = id_ in self._muted.reasons
            item.setCheckState(Qt.CheckState.Checked if is_muted else Qt.CheckState.Unchecked)
            item.setData(Qt.ItemDataRole.UserRole, id_)
            item.setToolTip(tool_tip(text))
        elif column == REASON:
            flags |= _Item.ItemIsEditable
            item.setToolTip("Why the rule is muted, for those who read the file")
        else:
            item.setForeground(self._theme.color("muted"))
        if column == 2:
            item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setFlags(flags)
        return item

    def _on_item_changed(self, item: QTableWidgetItem) -> None:
        """Take a check mark or a reason; a reason mutes the rule."""
        if self._is_filling:
            return
        box, reason = self.table.item(item.row(), 0), self.table.item(item.row(), REASON)
        if box is None or reason is None:
            return
        if item.column() == REASON and reason.text().strip():
            box.setCheckState(Qt.CheckState.Checked)
        id_ = str(box.data(Qt.ItemDataRole.UserRole))
        if box.checkState() is Qt.CheckState.Checked:
            self._muted.mute(id_, reason.text().strip()[:MAX_REASON])
        else:
            self._muted.unmute(id_)

    def _show_kept(self) -> None:
        path = self._muted.path
        self.kept.setText(
            f"Kept in {visible(str(path))}"
            if path is not None
            else "Kept in the settings of Spyglass"
        )
        self.use_file.setText("Use another file…" if path is not None else "Use a file…")
        self.use_file.setAccessibleName(self.use_file.text())
        self.use_settings.setVisible(path is not None)
        self.problem.setText(visible(self._muted.problem))
        self.problem.setVisible(bool(self._muted.problem))

    def _on_use_file_clicked(self) -> None:
        """Ask for a file; writing into it is what the user agrees to by selecting it."""
        dialog = QFileDialog(self, "Keep muted rules in", str(Path(self._folder) / FILE_NAME))
        dialog.setObjectName("mute_file")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)  # its other members stay
        dialog.selectFile(FILE_NAME)
        dialog.fileSelected.connect(self.keep_in)
        dialog.open()

    def keep_in(self, path: str) -> None:
        """Keep the muted rules in the file at `path`, with those that it has."""
        spawn(self, self._keep_in(Path(path)), name="use a file for muted rules")

    async def _keep_in(self, path: Path) -> None:
        try:
            await self._muted.use_file(path)
        except StorageError as error:
            set_tone(self.problem, "error")
            self.problem.setText(visible(error.reason))
            self.problem.show()
            return
        self._fill()
