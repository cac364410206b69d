"""What Spyglass is, where it keeps things, and which errors of its own it caught."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from inspector.version import VERSION
from ui.theme import tokens
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import set_dialog_size
from ui.widgets.text_view import TextView
from ui.widgets.units import clock_exact

if TYPE_CHECKING:
    from ui.errors import Reporter
    from ui.theme import Theme


class AboutDialog(QDialog):
    """A few words and the list of errors."""

    def __init__(self, *, reporter: Reporter, theme: Theme, parent: QWidget | None = None) -> None:
        """Show the errors that `reporter` has."""
        super().__init__(parent)
        self.setObjectName("about")
        self.setWindowTitle("About Spyglass")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = plain_label(f"Spyglass {VERSION}")
        title.setFont(theme.font(tokens.TITLE, bold=True))
        text = plain_label(
            "An inspector and debugger for Model Context Protocol servers.\n"
            f"Python {platform.python_version()}, Qt {qVersion()}, {platform.platform()}",
            wrap=True,
            selectable=True,
        )
        errors = TextView(theme=theme, name="about_errors")
        errors.set_text(_story(reporter))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(
            2 * theme.PADDING_PX, 2 * theme.PADDING_PX, 2 * theme.PADDING_PX, 2 * theme.PADDING_PX
        )
        layout.setSpacing(theme.PADDING_PX)
        for part in (title, text, errors, buttons):
            layout.addWidget(part)
        set_dialog_size(self, theme, 640, 420)


def _story(reporter: Reporter) -> str:
    if not reporter.problems:
        return "No internal errors since startup."
    gone = f"({reporter.dropped} earlier errors discarded)\n\n" if reporter.dropped else ""
    parts = (
        f"{clock_exact(p.at)}  {p.summary}\n{p.traceback}" for p in reversed(reporter.problems)
    )
    return gone + "\n".join(parts)
