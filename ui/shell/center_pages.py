"""What the workbench shows without a session: the first screen, and the state of an opened recording."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from inspector.visible_text import one_line
from ui.theme import tokens
from ui.theme.signs import Sign
from ui.widgets.buttons import push_button
from ui.widgets.empty_state import EmptyState
from ui.widgets.labels import no_mnemonic, plain_label, set_background, set_icon
from ui.widgets.layout_parts import column_layout, row_layout, space_in_column
from ui.widgets.units import plural

if TYPE_CHECKING:
    from inspector.checks.opened_recording import OpenedRecording
    from inspector.errors import StorageError
    from ui.theme import Theme

NAME_LENGTH = 40
"""Characters of a server's name on a button."""

IS_RECORDING = "This is a recording. Its traffic is shown below; connect to a server to call tools."


class RecordingPage(QWidget):
    """The shown recording, or why the one that was asked for cannot be opened.

    Signals:
        open_requested: open another recording.
        back_requested: show the selected server again.
        stop_requested: stop reading the file.
    """

    open_requested = Signal()
    back_requested = Signal()
    stop_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a recording."""
        super().__init__(parent)
        self.setObjectName("workbench_record")
        self._theme = theme
        self._build()
        self._wire()

    def _build(self) -> None:
        self._state = EmptyState(
            "Recording",
            IS_RECORDING,
            theme=self._theme,
            icon="mdi6.history",
            name="recording_state",
            parent=self,
        )
        self._stop = push_button("Stop", name="recording_stop", parent=self)
        self._back = push_button("Back", name="recording_back", parent=self)
        self._open = push_button("Open another…", name="recording_open", parent=self)
        row = QHBoxLayout()
        row.setSpacing(self._theme.PADDING_PX)
        row.addStretch(1)
        for button in (self._stop, self._back, self._open):
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        pad = self._theme.px(16)
        column.setContentsMargins(0, 0, 0, pad)
        column.addWidget(self._state, 1)
        column.addLayout(row)
        column.addStretch(1)
        column.setAlignment(Qt.AlignmentFlag.AlignHCenter)

    def _wire(self) -> None:
        self._stop.clicked.connect(self.stop_requested)
        self._back.clicked.connect(self.back_requested)
        self._open.clicked.connect(self.open_requested)

    def accessible_text(self) -> str:
        """All that it says, as a screen reader reads it."""
        return self._state.accessibleName()

    def show_recording(self, recording: OpenedRecording, server: str | None) -> None:
        """Show how far `recording` was read; `server` is the name of the server to go back to."""
        count = plural(recording.transcript.count, "frame")
        lines = [f"Opening: {count} so far." if recording.is_loading else IS_RECORDING]
        lines += recording.report.sentences
        self._state.set_text("Recording", "\n".join(lines))
        self._offer(server, is_loading=recording.is_loading)

    def show_failure(self, error: StorageError, server: str | None) -> None:
        """Say why a recording cannot be opened."""
        text = f"{error.reason}.\n{error.hint}" if error.hint else f"{error.reason}."
        self._state.set_text("Cannot open recording", text)
        self._offer(server, is_loading=False)

    def _offer(self, server: str | None, *, is_loading: bool) -> None:
        self._stop.setVisible(is_loading)
        label_back(self._back, server)


class RecordingBar(QFrame):
    """The notice above the pages of a recording, which are read-only.

    Signals:
        open_requested: open another recording.
        back_requested: show the selected server again.
    """

    open_requested = Signal()
    back_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start hidden."""
        super().__init__(parent)
        self.setObjectName("recording_bar")
        set_background(self, "info")
        self._theme = theme
        self._sign = QLabel(self)
        self._text = plain_label(tone="title", name="recording_bar_text", wrap=True, parent=self)
        self._back = push_button("Back", name="recording_bar_back", parent=self)
        self._open = push_button("Open another…", name="recording_bar_open", parent=self)
        row = row_layout(
            self, self._sign, self._text, self._back, self._open, space=theme.PADDING_PX
        )
        row.setStretchFactor(self._text, 1)
        pad, gap = theme.px(tokens.READING_PADDING_PX), theme.SPACING_PX
        row.setContentsMargins(pad, gap, pad, gap)
        self._back.clicked.connect(self.back_requested)
        self._open.clicked.connect(self.open_requested)
        theme.changed.connect(self._dress)
        self._dress()
        self.hide()

    def _dress(self) -> None:
        set_icon(self._sign, self._theme, Sign.NOTE, "accent")

    def show_recording(self, recording: OpenedRecording, server: str | None) -> None:
        """Name `recording` and what of it could not be read; `server` is the name of the server to go back to."""
        name = recording.transcript.metadata.get("title", "") or recording.path.stem
        lines = [f"Recording of {one_line(name, NAME_LENGTH)}: nothing can be sent."]
        self._text.setText(" ".join((*lines, *recording.report.sentences)))
        label_back(self._back, server)


def label_back(button: QPushButton, server: str | None) -> None:
    """Let a button name the server that it goes back to, and hide it without one."""
    button.setVisible(server is not None)
    name = one_line(server or "", NAME_LENGTH)
    text = f"Back to {name}" if name else "Back"
    button.setText(no_mnemonic(text))
    button.setAccessibleName(text)


INTRODUCTION = (
    "Inspect MCP traffic, call tools, and respond to server requests.",
    "Paste a command line, a URL or another client's JSON configuration, or explore with the bundled demo server.",
)
ICON_PIXELS = 32

BLOCK_STRETCH = 1000
"""So that the block takes all width up to its limit before the space beside it takes any."""

BLOCK_WIDTH = 420
"""Pixels at 100% that the first screen takes at most."""


class Welcome(QWidget):
    """The first screen.

    Signals:
        add_requested: open the editor of a new server.
        demo_requested: connect to the demo server.
    """

    add_requested = Signal()
    demo_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Offer the two first steps."""
        super().__init__(parent)
        self.setObjectName("workbench_empty")
        self._theme = theme
        self._build()
        self._wire()
        self._apply_theme()

    def _build(self) -> None:
        theme = self._theme
        self._block = QWidget(self)
        self._image = QLabel(self._block)
        self._title = plain_label("Spyglass", parent=self._block)
        self._lines = [plain_label(text, tone="muted", parent=self._block) for text in INTRODUCTION]
        self._add = push_button("Add server…", name="welcome_add", primary=True, parent=self._block)
        self._demo = push_button("Connect to demo server", name="welcome_demo", parent=self._block)
        buttons = row_layout(None, space=theme.px(6))
        buttons.addStretch(1)
        buttons.addWidget(self._add)
        buttons.addWidget(self._demo)
        buttons.addStretch(1)
        self._column = column_layout(self._block, space=0)
        for label in (self._image, self._title, *self._lines):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setWordWrap(True)
            self._column.addWidget(label)
        self._column.addWidget(space_in_column(theme, tokens.PADDING_PX))
        self._column.addLayout(buttons)
        middle = row_layout(None, space=0)
        middle.addStretch(1)
        middle.addWidget(self._block, BLOCK_STRETCH)
        middle.addStretch(1)
        self._outer = column_layout(self, space=0)
        self._outer.addStretch(2)  # its middle is at 40 % of the height
        self._outer.addLayout(middle)
        self._outer.addStretch(3)

    def _wire(self) -> None:
        self._add.clicked.connect(self.add_requested)
        self._demo.clicked.connect(self.demo_requested)
        self._theme.changed.connect(self._apply_theme)

    def _apply_theme(self) -> None:
        edge = self._theme.px(ICON_PIXELS)
        self._image.setPixmap(self._theme.icon("mdi6.telescope", "muted").pixmap(edge, edge))
        self._title.setFont(self._theme.font(tokens.TITLE, bold=True))
        self._block.setMaximumWidth(self._theme.px(BLOCK_WIDTH))
        self._column.setSpacing(self._theme.PADDING_PX)
        self._outer.setContentsMargins(*[self._theme.px(tokens.READING_PADDING_PX)] * 4)
