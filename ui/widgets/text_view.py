"""Text of any size, a window at a time: showing 50 MB costs what showing 256 KB costs.

A bar under the text admits what is not displayed, or displayed in another form. Copying and saving give the exact text. Windows small
enough to be tokenized at once are colored by lexers of Pygments, selected by media type; unknown types stay plain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence, QSyntaxHighlighter, QTextCharFormat, QTextDocument
from PySide6.QtWidgets import QDialog, QMenu, QPlainTextEdit, QVBoxLayout, QWidget

from inspector.visible_text import one_line
from ui.widgets import units
from ui.widgets.clipboard import copy_text
from ui.widgets.layout_parts import column_layout, set_dialog_size
from ui.widgets.save import save_as
from ui.widgets.text_bars import FindBar, TextBar
from ui.widgets.text_window import LINES, WINDOW, Source, Window, WindowedEdit, cut, unit_count
from ui.widgets.underlines import wave_format

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pygments.lexer import Lexer

    from ui.theme import Theme
    from ui.widgets.underlines import UnderlinedSpan


MAX_COLORED = 40_000
"""Longer texts stay plain; coloring so many takes some 50 ms."""

HTTP_MESSAGE = "message/http"
"""The media type of a request or response with its headers. Source: RFC 9112, 10.1."""

TONES = (
    ("Comment", "muted"),
    ("Name.Tag", "key"),
    ("Name.Attribute", "key"),
    ("Name.Function", "key"),
    ("Name.Class", "key"),
    ("Keyword", "keyword"),
    ("Literal.String", "string"),
    ("Literal.Number", "number"),
    ("Generic.Heading", "key"),
    ("Generic.Strong", "keyword"),
    ("Name.Builtin", "keyword"),
)
"""Start of a kind of token → name of its color; the first match counts."""

Span = tuple[int, int, str]
"""Start and length in UTF-16 units within a line, and the name of a color."""


class TextView(QWidget):
    """Plain text to read, search, copy and save."""

    def __init__(
        self,
        *,
        theme: Theme,
        name: str = "text_view",
        file_name: str = "",
        mime: str = "text/plain",
        mono: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        """Start empty; `wanted_name` and `mime` suggest a file name, `mime` colors the text, too."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._mono = mono
        self._requested_name = file_name
        self._mime = mime
        self._source = Source()
        self._window = Window(0, 0)
        self._earlier: list[int] = []
        self._underlined: tuple[UnderlinedSpan, ...] = ()
        self._marks = False
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        self.edit = WindowedEdit(self)
        self.edit.setObjectName(f"{self.objectName()}_edit")
        self.edit.setAccessibleName("Text")
        self._highlighter = Highlighter(self.edit.document(), theme=self._theme)
        self.bar = TextBar(theme=self._theme, parent=self)
        self.find_bar = FindBar(theme=self._theme, parent=self)
        column = column_layout(self, space=0)
        column.addWidget(self.edit, 1)
        column.addWidget(self.find_bar)
        column.addWidget(self.bar)
        self.wrap_action = self._action("Wrap lines", "Alt+Z")
        self.wrap_action.setCheckable(True)
        self.wrap_action.setChecked(True)
        self.marks_action = self._action("Show whitespace", "")
        self.marks_action.setCheckable(True)
        self.find_action = self._action("Find…", QKeySequence.StandardKey.Find)
        self.setFocusProxy(self.edit)

    def _action(self, text: str, key: str | QKeySequence.StandardKey) -> QAction:
        action = QAction(text, self)
        action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.addAction(action)
        return action

    def _wire(self) -> None:
        self._theme.changed.connect(self._refresh)
        self.wrap_action.toggled.connect(self.set_wrap)
        self.marks_action.toggled.connect(self.set_marks)
        self.find_action.triggered.connect(self._on_find_triggered)
        self.edit.menu_requested.connect(self._on_menu_requested)
        self.bar.page_requested.connect(self._on_page_requested)
        self.bar.all_requested.connect(self.show_all)
        self.bar.copy_requested.connect(self.copy_all)
        self.bar.save_requested.connect(self.save)
        self.find_bar.find_requested.connect(self.find_next)
        self.find_bar.closed.connect(self.edit.setFocus)

    def _refresh(self) -> None:
        font = self._theme.mono() if self._mono else self._theme.font()
        self.edit.setFont(font)
        self.edit.setTabStopDistance(4 * self.edit.fontMetrics().horizontalAdvance(" "))
        self.edit.document().setDocumentMargin(self._theme.SPACING_PX)
        self.edit.set_side_margin(self._theme.SPACING_PX)
        self._underline()

    def set_text(self, text: str) -> None:
        """Show `text` from its beginning."""
        self._show(Source(text))

    def set_raw(self, raw: bytes, mime: str = "") -> None:
        """Show bytes as UTF-8 text; what is not UTF-8 shows as �, and is saved as it came. `mime` is their media type, if it is another one."""
        self._mime = mime or self._mime
        self._show(Source(raw=raw))

    def text(self) -> str:
        """All of the text."""
        return self._source.text

    def set_wrap(self, wrapped: bool) -> None:
        """Break lines at the edge, or scroll."""
        mode = QPlainTextEdit.LineWrapMode
        self.edit.setLineWrapMode(mode.WidgetWidth if wrapped else mode.NoWrap)
        self.wrap_action.setChecked(wrapped)

    def set_marks(self, marked: bool) -> None:
        """Show ends of lines and tabs as signs, too."""
        self._marks = marked
        self.marks_action.setChecked(marked)
        self._show_window(self._window.start)

    def show_all(self) -> None:
        """Lay out the whole text, if it is not too long for that."""
        if self._source.fits:
            self._show_window(0, all_of_it=True)

    def copy_all(self) -> None:
        """Put the whole text on the clipboard."""
        copy_text(self._source.text)
        self.bar.show_text("Copied")

    def save(self) -> None:
        """Ask for a file and write the whole text there."""
        supply = self._source.to_bytes
        saving = save_as(supply, source_name=self._requested_name, mime=self._mime, parent=self)
        saving.saved.connect(self._on_saved)
        saving.failed.connect(self.bar.show_text)

    def find_next(self, text: str, onwards: bool = True) -> bool:
        """Select the next (or previous) occurrence; after the last, go on from the other end."""
        here = self.edit.position()
        found = self._source.find(text, here + 1 if onwards else here, backwards=not onwards)
        if found < 0:
            again = 0 if onwards else self._source.length
            found = self._source.find(text, again, backwards=not onwards)
        self.find_bar.show_outcome("" if found >= 0 else "Not found")
        if found >= 0:
            self.select(found, found + len(text))
        return found >= 0

    def length(self) -> int:
        """How long the text is: bytes as long as it is not read, then characters."""
        return self._source.length

    def select(self, start: int, end: int) -> None:
        """Select characters of the text, from `start` to before `end`, in a window that shows their beginning."""
        if not self._window.start <= start < self._window.end:
            self._earlier.clear()
            self._show_window(max(start - LINES // 2, 0))  # even if each is a line of its own
        self.edit.select(start, end)

    def set_underlines(self, spans: Sequence[UnderlinedSpan]) -> None:
        """Underline these parts of the text, as far as they are in a window."""
        self._underlined = tuple(spans)
        self._underline()

    def _underline(self) -> None:
        window = self._window
        here = [s for s in self._underlined if s.start < window.end and s.end > window.start]
        self.edit.set_formats(
            [
                (
                    max(span.start, window.start),
                    min(span.end, window.end),
                    wave_format(self._theme.color(span.tone)),
                )
                for span in here
            ]
        )

    def rows(self) -> int:
        """Lines on screen of this window, unwrapped."""
        return self.edit.blockCount()

    def _show(self, source: Source) -> None:
        self._source = source
        self._underlined = ()
        self.bar.set_note("")
        self._earlier.clear()
        self._show_window(0)

    def _show_window(self, start: int, *, all_of_it: bool = False) -> None:
        source = self._source
        window = cut(source, start, all_of_it=all_of_it, marks=self._marks)
        self._window = window
        self._highlighter.set_language("\n".join(window.lines), self._mime)
        self.edit.set_window(source, window)
        self._underline()
        self.edit.setPlaceholderText("" if source.length else "(empty)")
        self.bar.show_text(_facts(source, window))
        back, on = start > 0, not window.whole and window.end < source.length
        self.bar.set_paging(back=back, on=on, all_allowed=(back or on) and source.fits)

    def _on_page_requested(self, onwards: bool) -> None:
        if onwards:
            self._earlier.append(self._window.start)
            self._show_window(self._window.end)
        else:
            before = max(self._window.start - WINDOW, 0)
            self._show_window(self._earlier.pop() if self._earlier else before)

    def _on_saved(self, path: str) -> None:
        self.bar.show_text(f"Saved to {path}")

    def _on_find_triggered(self) -> None:
        self.find_bar.open_bar(self.edit.textCursor().selectedText()[:200])

    def _on_menu_requested(self, position: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction("Copy", QKeySequence.StandardKey.Copy, self.edit.copy)
        copy.setEnabled(self.edit.textCursor().hasSelection())
        menu.addAction("Copy all", self.copy_all)
        menu.addAction("Save as…", self.save)
        menu.addSeparator()
        menu.addActions([self.find_action, self.wrap_action, self.marks_action])
        menu.popup(position)


def _facts(source: Source, window: Window) -> str:
    parts: list[str] = []
    if not window.whole:
        first = "" if window.start else "the first "
        share = f", from {window.start / max(source.length, 1):.0%} on" if window.start else ""
        part = f"{window.end - window.start:,} characters"
        parts.append(f"Showing {first}{part} of {source.extent}{share}")
    if window.broken:
        parts.append(f"{units.plural(window.broken, 'long line')} wrapped for display")
    if window.hidden:
        parts.append(f"{units.plural(window.hidden, 'invisible character')} shown as markers")
    return " · ".join(parts)


def open_text(
    text: str, *, title: str, theme: Theme, file_name: str = "", parent: QWidget
) -> QDialog:
    """Open a window that shows `text`; it does not block and goes away when closed."""
    dialog = QDialog(parent)
    dialog.setObjectName("text_dialog")
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(one_line(title, 120))
    set_dialog_size(dialog, theme, 760, 520)
    view = TextView(theme=theme, file_name=file_name or title, parent=dialog)
    column = QVBoxLayout(dialog)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(view)
    view.set_text(text)
    dialog.show()
    return dialog


class Highlighter(QSyntaxHighlighter):
    """Colors the lines of a document by the language of `set_language`."""

    def __init__(self, document: QTextDocument, *, theme: Theme) -> None:
        """Plain until `set_language`."""
        super().__init__(document)
        self._theme = theme
        self._spans: list[list[Span]] = []
        theme.changed.connect(self.rehighlight)

    def set_language(self, text: str, mime: str) -> None:
        """Color `text`, which the document shows or is about to show, as the media type `mime`; of HTTP messages the JSON body."""
        above = 0
        if mime == HTTP_MESSAGE:
            header, blank, text = text.partition("\n\n")
            above = header.count("\n") + blank.count("\n")
            mime = "application/json" if text.startswith(("{", "[")) else ""
        lexer = find_lexer(mime) if len(text) <= MAX_COLORED else None
        self._spans = [[]] * above + (spans(text, lexer) if lexer is not None else [])

    def highlightBlock(self, text: str) -> None:
        """Color one line."""
        number = self.currentBlock().blockNumber()
        if number < len(self._spans):
            for start, length, tone in self._spans[number]:
                style = QTextCharFormat()
                style.setForeground(self._theme.color(tone))
                self.setFormat(start, length, style)


def find_lexer(mime: str) -> Lexer | None:
    """The lexer for a media type; none for plain text and unknown types."""
    kind = mime.partition(";")[0].strip().lower()
    kind = "application/json" if kind.endswith("+json") else kind
    if kind in {"", "text/plain"}:
        return None
    # Pygments costs 40 ms that most sessions never need.
    from pygments.lexers import (
        get_lexer_for_mimetype,  # pyright: ignore[reportUnknownVariableType] - untyped options
    )
    from pygments.util import ClassNotFound

    try:
        return get_lexer_for_mimetype(kind, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def spans(text: str, lexer: Lexer) -> list[list[Span]]:
    """The colored spans, line by line."""
    lines: list[list[Span]] = [[]]
    column = 0
    for kind, value in lexer.get_tokens(text):
        tone = _tone(str(kind).removeprefix("Token."))
        for number, piece in enumerate(value.split("\n")):
            if number:
                lines.append([])
                column = 0
            length = unit_count(piece)
            if tone and length:
                lines[-1].append((column, length, tone))
            column += length
    return lines


def _tone(kind: str) -> str:
    return next((tone for prefix, tone in TONES if kind.startswith(prefix)), "")
