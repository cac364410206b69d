"""The question which session of a file is imported."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog

from inspector.visible_text import one_line
from ui.widgets.buttons import push_button
from ui.widgets.combo_boxes import OptionComboBox
from ui.widgets.dialog_parts import PADDING, DialogFoot, DialogSize, DialogTitle, set_size
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import column_layout
from ui.widgets.units import plural

if TYPE_CHECKING:
    from inspector.imports.importer import ForeignSession
    from ui.shell.main_window import MainWindow

NAME_LENGTH = 60
"""Characters of a file or a session in a sentence."""


class SessionChoice(QDialog):
    """Asks which session of a file is imported."""

    def __init__(self, sessions: list[ForeignSession], *, name: str, window: MainWindow) -> None:
        """Offer `sessions` of the file `name`."""
        super().__init__(window)
        theme = window.theme
        self.setObjectName("import_session_dialog")
        self.setWindowTitle("Import")
        heading = DialogTitle(theme=theme, name="import_title", parent=self)
        heading.set_text("Select a session")
        file = one_line(name, NAME_LENGTH)
        text = plain_label(f"{file} has {plural(len(sessions), 'session')}.", wrap=True)
        options = [(each.key, _title(each)) for each in sessions]
        self.session = OptionComboBox(options, name="import_session", text="Session")
        self.session.choose(options[-1][0])
        foot = DialogFoot(theme=theme, name="import_foot", parent=self)
        cancel = push_button("Cancel", name="import_cancel", parent=foot)
        accept = push_button("Import", name="import_accept", primary=True, parent=foot)
        foot.add_right(cancel)
        foot.add_right(accept)
        cancel.clicked.connect(self.reject)
        accept.clicked.connect(self.accept)
        pad = theme.px(PADDING)
        inner = column_layout(None, text, self.session, space=theme.SPACING_PX)
        inner.setContentsMargins(pad, 0, pad, pad)
        column = column_layout(self, heading, space=0)
        column.addLayout(inner)
        column.addWidget(foot)
        self.finished.connect(self.deleteLater)
        set_size(self, theme, DialogSize.SMALL)


def _title(session: ForeignSession) -> str:
    parts = [one_line(session.title or session.key, NAME_LENGTH)]
    if session.started_s:
        try:
            moment = datetime.fromtimestamp(session.started_s, UTC).astimezone()
            parts.append(f"{moment:%Y-%m-%d %H:%M:%S}")
        except (ValueError, OverflowError, OSError):
            pass  # no date of a calendar
    if session.messages:
        parts.append(plural(session.messages, "message"))
    return " · ".join(parts)
