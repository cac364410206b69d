"""The keys, and the words of the filter. Both are read from what does them, so that nothing here can be out of date."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from inspector.transcript.query_fields import FIELDS
from ui.widgets.dialog_size import set_dialog_size
from ui.widgets.segments import Segments
from ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inspector.transcript.query_fields import Field
    from ui.shell.actions import Command
    from ui.theme import Theme

VIEWS = (("keys", "Keys"), ("filter", "Filter"))

INSIDE = (
    ("Ctrl+Enter", "Call, get, read, send or accept what is filled in"),
    ("Tab, Shift+Tab", "To the next field or button, and back"),
    ("Esc", "Close a sheet or a field for finding; what was written stays"),
    ("Enter", "In the list of servers: connect or disconnect"),
    ("Enter", "In the traffic: from a request to its response, and back"),
    ("Ctrl+C", "In lists: copy what is chosen"),
    ("Ctrl+.", "In a form: what else a field can be"),
    ("Alt+Up, Alt+Down", "In a form: move an item of a list"),
)
"""Keys of parts of the window, which are no commands."""

GRAMMAR = """\
Words search the text of every frame; all of them must be there.
  "two words"    as they stand, with the space
  list*page      * stands for anything
  -word          frames without it
  field:value    looks at one thing; see below
  field:a,b      one of several
  -field:value   everything else

The filter of the traffic takes all of this. Those of the lists take words.
"""


class HelpWindow(QDialog):
    """A text about each, beside the window and not in its way."""

    def __init__(
        self, commands: Sequence[Command], *, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Tell the keys of `commands`."""
        super().__init__(parent)
        self.setObjectName("help")
        self.setWindowTitle("Keys and filters")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._texts = {"keys": keys_text(commands), "filter": filter_text()}
        self._segments = Segments(VIEWS, name="help_views", parent=self)
        self._text = TextView(theme=theme, name="help_text")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*[2 * theme.PAD] * 4)
        layout.setSpacing(theme.PAD)
        layout.addWidget(self._segments, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self._text, 1)
        layout.addWidget(buttons)
        self._segments.chosen.connect(self._show)
        self._show(self._segments.current())
        set_dialog_size(self, theme, 620, 600)

    def _show(self, key: str) -> None:
        self._text.set_text(self._texts[key])


def keys_text(commands: Sequence[Command]) -> str:
    """The keys of all commands by menu, and those of parts of the window."""
    parts: list[str] = []
    for menu in dict.fromkeys(command.menu for command in commands):
        rows = [
            (_keys(command.shortcut), command.words.replace("&", ""))
            for command in commands
            if command.menu == menu and command.shortcut
        ]
        if rows:
            parts.append(f"{menu.replace('&', '')}\n{_table(rows)}")
    return "\n\n".join([*parts, f"Inside of the window\n{_table(INSIDE)}"])


def filter_text() -> str:
    """How a filter is written, with every field and the values it takes."""
    fields = "\n\n".join(_about(field) for field in FIELDS.values())
    return f"{GRAMMAR}\nFields\n\n{fields}"


def _about(field: Field) -> str:
    head = f"  {field.name}:  {field.words}, as in  {field.example}"
    return f"{head}\n{_table(field.values.items(), indent=6)}" if field.values else head


def _keys(shortcut: str) -> str:
    listed = QKeySequence.listFromString(shortcut)
    return ", ".join(each.toString(QKeySequence.SequenceFormat.NativeText) for each in listed)


def _table(rows: Iterable[tuple[str, str]], indent: int = 2) -> str:
    pairs = tuple(rows)
    width = max(len(first) for first, _ in pairs) + 3
    return "\n".join(f"{' ' * indent}{first:<{width}}{second}" for first, second in pairs)
