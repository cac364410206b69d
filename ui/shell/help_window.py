"""The windows of the Help menu: keys and filter syntax, read from the commands and fields themselves, and *About*."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QWidget

from inspector.transcript.filter.fields import FIELDS
from inspector.version import VERSION
from ui.widgets.buttons import displayed_keys
from ui.widgets.dialog_parts import PADDING, DialogTitle, close_foot, inner_column
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import column_layout, set_dialog_size
from ui.widgets.segmented_control import SegmentedControl
from ui.widgets.text_view import TextView
from ui.widgets.units import clock_exact

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inspector.transcript.filter.fields import Field
    from ui.errors import Reporter
    from ui.shell.actions import Command
    from ui.theme import Theme

VIEWS = (("keys", "Keyboard"), ("filter", "Filter"))

INSIDE = (
    ("Ctrl+Enter", "Submit the form (call, get, read, send, accept)"),
    ("Tab, Shift+Tab", "Next / previous field or button"),
    ("Esc", "Close the dialog or find bar; input is kept"),
    ("Enter", "Server list: connect or disconnect"),
    ("Enter", "Traffic: jump between request and response"),
    ("+, -, Left, Right, Home, End, Esc", "Timeline: zoom, move, whole session"),
    ("Up, Down, Ctrl+Left, Ctrl+Right", "Timeline: select track, previous or next span"),
    ("Enter, Z, M", "Timeline: show frame, zoom to span, measure from span"),
    ("Enter, S", "Latency: show requests of the cell, sort by its column"),
    ("Ctrl+C", "Lists: copy the selection"),
    ("Ctrl+.", "Form: field menu (null, empty, edit as JSON)"),
    ("Alt+Up, Alt+Down", "Form: move an array item"),
)
"""Keys of parts of the window, which are no commands."""

GRAMMAR = """\
Words match anywhere in a frame; all words must match.
  "two words"    exact phrase
  list*page      * matches any characters
  -word          exclude frames with this word
  field:value    match one field; see below
  field:a,b      match any of these values
  -field:value   exclude these values
  a | b          match either side
  (a | b) c      group
  -(a b)         exclude frames that match both
  /regex/        regular expression, also as a value: method:/list$/

Values in messages, by path
  params.arguments.x=5         equal; text ignores case, * matches any characters
  params.arguments.x="5"       only the string, not the number
  params.arguments.x!=5        another value; also > >= < <=
  result.content[0].text=a*    an item; [*] matches any item
  params."a.b"=1               a name with special characters
  $.id=7                       a member of the message itself
  has:params.arguments.x       any value, null included

The traffic filter supports all of this. List filters support words only.
Ctrl+Space suggests values with their counts; Alt+Down lists earlier filters.
"""


class HelpWindow(QDialog):
    """A text about each, beside the window and not in its way."""

    def __init__(
        self, commands: Sequence[Command], *, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Tell the keys of `commands`."""
        super().__init__(parent)
        self.setObjectName("help")
        self.setWindowTitle("Keyboard shortcuts and filter syntax")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._texts = {"keys": keys_text(commands), "filter": filter_text()}
        self._segments = SegmentedControl(VIEWS, name="help_views", parent=self)
        self._text = TextView(theme=theme, name="help_text")
        inner = inner_column(theme)
        inner.setContentsMargins(*[theme.px(PADDING)] * 4)
        inner.addWidget(self._segments, 0, Qt.AlignmentFlag.AlignLeft)
        inner.addWidget(self._text, 1)
        column = column_layout(self, inner, space=0)
        column.addWidget(close_foot(self, theme=theme, name="help"))
        self._segments.chosen.connect(self._show)
        self._show(self._segments.current())
        set_dialog_size(self, theme, 620, 600)

    def _show(self, key: str) -> None:
        self._text.set_text(self._texts[key])


def keys_text(commands: Sequence[Command]) -> str:
    """The keys of all commands by menu, and those of parts of the window."""
    menus: dict[str, list[tuple[str, str]]] = {}
    for command in commands:
        if command.shortcut:
            row = (_keys(command.shortcut), command.text.replace("&", ""))
            menus.setdefault(command.menu.replace("&", ""), []).append(row)
    width = max((len(keys) for rows in menus.values() for keys, _ in rows), default=0)
    parts = [f"{menu}\n{_table(rows, width=width)}" for menu, rows in menus.items()]
    return "\n\n".join([*parts, f"In panels\n{_table(INSIDE)}"])


def filter_text() -> str:
    """How a filter is written, with every field and the values it takes."""
    fields = "\n\n".join(_about(field) for field in FIELDS.values())
    return f"{GRAMMAR}\nFields\n\n{fields}"


def _about(field: Field) -> str:
    heading = f"  {field.name}:  {field.summary}, e.g. {field.example}"
    return f"{heading}\n{_table(field.values.items(), indent=6)}" if field.values else heading


def _keys(shortcut: str) -> str:
    listed = QKeySequence.listFromString(shortcut)
    native = QKeySequence.SequenceFormat.NativeText
    return displayed_keys(", ".join(each.toString(native) for each in listed))


def _table(rows: Iterable[tuple[str, str]], indent: int = 2, width: int = 0) -> str:
    """Return two columns, the first one `width` characters wide; 0 for as wide as its texts."""
    pairs = tuple(rows)
    width = (width or max(len(first) for first, _ in pairs)) + 3
    return "\n".join(f"{' ' * indent}{first:<{width}}{second}" for first, second in pairs)


class AboutDialog(QDialog):
    """Version, platform and the internal errors."""

    def __init__(self, *, reporter: Reporter, theme: Theme, parent: QWidget | None = None) -> None:
        """Show the errors that `reporter` has."""
        super().__init__(parent)
        self.setObjectName("about")
        self.setWindowTitle("About Spyglass")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = DialogTitle(theme=theme, name="about_title", parent=self)
        title.set_text(f"Spyglass {VERSION}")
        text = plain_label(
            "An inspector and debugger for Model Context Protocol servers.\n"
            f"Python {platform.python_version()}, Qt {qVersion()}, {platform.platform()}",
            wrap=True,
            selectable=True,
        )
        errors = TextView(theme=theme, name="about_errors")
        errors.set_text(_errors_text(reporter))
        inner = inner_column(theme)
        inner.addWidget(text)
        inner.addWidget(errors, 1)
        column = column_layout(self, title, inner, space=0)
        column.addWidget(close_foot(self, theme=theme, name="about"))
        set_dialog_size(self, theme, 640, 420)


def _errors_text(reporter: Reporter) -> str:
    if not reporter.problems:
        return "No internal errors since startup."
    dropped = f"({reporter.dropped} earlier errors discarded)\n\n" if reporter.dropped else ""
    parts = (
        f"{clock_exact(p.at)}  {p.summary}\n{p.traceback}" for p in reversed(reporter.problems)
    )
    return dropped + "\n".join(parts)
