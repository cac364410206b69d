"""What will happen on *connect*, in full, and what to notice about it before."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPlainTextEdit, QWidget

from inspector.config.profile import Profile, command_line
from inspector.config.profile_warnings import Level, ProfileWarning
from inspector.config.secrets import MASK, mask_secret
from inspector.session.transport_factory import transport_kind
from inspector.visible_text import visible
from inspector.wire.redaction import mask_urls
from ui.widgets.buttons import link_button
from ui.widgets.labels import plain_label, set_background, set_icon, tool_tip
from ui.widgets.layout_parts import clear_layout, column_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Theme

MAX_LINES = 6
"""Lines of the command before it scrolls."""

STYLES = {
    Level.INFO: ("mdi6.information-outline", "muted", "Note"),
    Level.WARNING: ("mdi6.alert-outline", "warning", "Warning"),
    Level.DANGER: ("mdi6.alert-octagon-outline", "error", "Danger"),
}
"""Level → icon, color and label."""

GROUNDS = {Level.INFO: "info", Level.WARNING: "warning", Level.DANGER: "error"}


def command_text(profile: Profile) -> str:
    """The whole command with its variables in front, secrets masked; or the address."""
    if not transport_kind(profile.transport).is_process:
        return mask_urls(profile.url)
    sealed = {slot.partition(":")[2] for slot in profile.extracted if slot.startswith("env:")}
    parts = [
        f"{name}={MASK if name in sealed else _quoted(mask_secret(name, value))}"
        for name, value in profile.env
    ]
    return " ".join((*parts, command_line(profile))).strip()


def _quoted(value: str) -> str:
    return value if value == MASK else shlex.quote(value)


class CommandPreview(QFrame):
    """The command as it will be run, and cautions, on a ground of their gravity.

    Signals:
        fill_requested: placeholders are to be filled from the environment.
    """

    fill_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("will_run")
        self._theme = theme
        self._profile = Profile()
        self._cautions: tuple[ProfileWarning, ...] = ()
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        self._title = plain_label(tone="muted", parent=self)
        self._command = QPlainTextEdit(self)
        self._command.setObjectName("full_command")
        self._command.setAccessibleName("Full command")
        self._command.setReadOnly(True)
        self._command.setTabChangesFocus(True)
        self._command.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self._command.setStyleSheet("background: transparent")
        self._command.document().setDocumentMargin(0)
        self._fill = link_button(
            "Fill in from the environment", name="fill_placeholders", parent=self
        )
        self._lines = QGridLayout()
        self._lines.setColumnStretch(1, 1)
        column = column_layout(
            self,
            self._title,
            self._command,
            self._lines,
            space=self._theme.SPACING_PX,
            margins=self._theme.PADDING_PX,
        )
        column.addWidget(self._fill, 0, Qt.AlignmentFlag.AlignLeft)

    def _wire(self) -> None:
        self._theme.changed.connect(self._refresh)
        self._fill.clicked.connect(self.fill_requested)
        sizes = self._command.document().documentLayout().documentSizeChanged
        sizes.connect(self._fit)

    def text(self) -> str:
        """The command shown."""
        return self._command.toPlainText()

    def cautions(self) -> tuple[ProfileWarning, ...]:
        """What is said about it."""
        return self._cautions

    def show_profile(
        self, profile: Profile, cautions: Sequence[ProfileWarning], fillable: Sequence[str] = ()
    ) -> None:
        """Show what this profile would do; the environment has values for the placeholders that are `fillable`."""
        self._fill.setVisible(bool(fillable))
        self._fill.setToolTip(tool_tip(f"The environment of Spyglass has {', '.join(fillable)}"))
        if (profile, tuple(cautions)) != (self._profile, self._cautions):
            self._profile, self._cautions = profile, tuple(cautions)
            self._refresh()

    def _refresh(self) -> None:
        local = transport_kind(self._profile.transport).is_process
        where = f" in {visible(self._profile.cwd)}" if self._profile.cwd and local else ""
        self._title.setText(f"Command to run{where} (no shell):" if local else "Endpoint:")
        self._command.setFont(self._theme.mono())
        self._command.setPlainText(visible(command_text(self._profile)))
        self._draw_cautions()
        worst = max((caution.level for caution in self._cautions), default=Level.INFO)
        set_background(self, GROUNDS[worst])
        self.setVisible(bool(self._command.toPlainText()))
        self._fit()

    def _fit(self) -> None:
        lines = min(MAX_LINES, max(1, round(self._command.document().size().height())))
        self._command.setFixedHeight(self._command.fontMetrics().lineSpacing() * lines + 2)

    def _draw_cautions(self) -> None:
        clear_layout(self._lines)
        self._lines.setHorizontalSpacing(self._theme.SPACING_PX)
        for row, caution in enumerate(self._cautions):
            icon, tone, word = STYLES[caution.level]
            sign = QLabel(self)
            set_icon(sign, self._theme, icon, tone)
            text = plain_label(
                f"{word}: {visible(caution.text)}",
                tone=tone,
                name=f"caution_{caution.rule}",
                wrap=True,
                parent=self,
            )
            self._lines.addWidget(sign, row, 0, Qt.AlignmentFlag.AlignTop)
            self._lines.addWidget(text, row, 1)
