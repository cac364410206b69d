"""Text that tries to be more than text, and the search for places on the screen where it succeeded.

Whatever a server says is shown as text: no markup, nothing invisible that hides or reorders what stands beside it, no mnemonics made of
ampersands.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QAbstractTableModel,
    QModelIndex,
    Qt,
)
from PySide6.QtGui import QAction
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabWidget,
    QTextBrowser,
    QTextEdit,
    QWidget,
)

from inspector.visible_text import END_ISOLATE, ISOLATE, hidden_characters
from ui.widgets.delegates import ListDelegate
from ui.widgets.labels import MarkedUpLabel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.wire.json_codec import Json, JsonObject

MARKUP = '<b>PWN</b><img src="http://127.0.0.1:9/x.png"><a href="javascript:1">x</a>'
ANSI = "\x1b[31mred\x1b[0m\x1b]0;PWN\x07"
BIDI = "abc\u202egpj.exe \u2066x"
INVISIBLE = "zero\u200bwidth\ufeff\u00ad\U000e0041"
CONTROLS = "a\x00b\x08c\x85\r\nnext\ttab\u2028para"
BROKEN = "half \ud800 of it"
AMPERSANDS = "R&D &&File &Quit"
WRITING = "مرحبا שלום 👨\u200d👩\u200d👧\u200d👦"
LONG = "w" * 3000

NASTY = " ".join((MARKUP, ANSI, BIDI, INVISIBLE, CONTROLS, BROKEN, AMPERSANDS, WRITING))
"""All of it, in the order of how soon it should be seen."""

SHORT = f"<i>&x</i>\u202e\u200b\x1b[1m{WRITING}"
"""What is left of it where there is room for a word."""

TEXTS = (MARKUP, ANSI, BIDI, INVISIBLE, CONTROLS, BROKEN, AMPERSANDS, WRITING, LONG, NASTY)

_OURS = {ord(ISOLATE): None, ord(END_ISOLATE): None}
_TIP_START, _TIP_END = '<div style="white-space: pre-wrap">', "</div>"
_ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
_FLAT = (QAbstractListModel, QAbstractTableModel)
MAX_ROWS = 300

HARMLESS = {"div", "span", "p", "br", "strong", "em", "s", "code", "pre", "blockquote"} | {
    *("ul", "ol", "li", "h4", "hr", "table", "thead", "tbody", "tr", "th", "td"),
}
"""Tags that only look."""

_TAG = re.compile(r"<(?!/)\s*([^\s/>]*)")
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)


def icon() -> JsonObject:
    """An icon that must not be fetched."""
    return {"src": "http://127.0.0.1:9/i.png", "mimeType": NASTY, "sizes": [NASTY]}


def schema() -> JsonObject:
    """A schema every word of which is hostile."""
    text: JsonObject = {"title": NASTY, "description": NASTY}
    choices: list[Json] = [NASTY, "b&c", "<u>d</u>"]
    return {
        "type": "object",
        "required": [SHORT],
        "properties": {
            SHORT: {"type": "string", "default": NASTY, **text},
            f"{SHORT}2": {"enum": choices, **text},
            f"{SHORT}3": {"type": "array", "items": {"enum": choices}, **text},
            f"{SHORT}4": {"type": "object", "properties": {SHORT: {"type": "boolean"}}, **text},
            f"{SHORT}5": {"anyOf": [{"const": NASTY, **text}, {"type": "null", "title": SHORT}]},
            f"{SHORT}7": {"const": NASTY},
            f"{SHORT}6": {"type": "string", "pattern": NASTY, "format": NASTY, "examples": [NASTY]},
        },
    }


def troubles(top: QWidget) -> list[str]:
    """Every place in and under `top` where text of a server could be more than text; hidden parts count, they may be shown."""
    parts = [top, *top.findChildren(QWidget)]
    found = [f"{_named(part)}: {what}" for part in parts for what in _of_widget(part)]
    actions = top.findChildren(QAction)
    return found + [f"action: {what}" for action in actions for what in _of_action(action)]


def _of_widget(part: QWidget) -> Iterator[str]:
    yield from _tip(part.toolTip())
    yield from _plain(part.accessibleName(), "accessible name")
    yield from _plain(part.windowTitle(), "window title")
    if isinstance(part, QLabel):
        yield from _label(part)
    elif isinstance(part, QAbstractButton):
        yield from _plain(part.text(), "button")
        yield from _mnemonic(part.text())
    elif isinstance(part, QTabWidget):
        for at in range(part.count()):
            yield from _plain(part.tabText(at), "tab")
            yield from _tip(part.tabToolTip(at))
    elif isinstance(part, QComboBox) and not isinstance(part.itemDelegate(), ListDelegate):
        for at in range(part.count()):
            yield from _plain(part.itemText(at), "option")
    elif isinstance(part, QLineEdit):
        yield from _plain(part.placeholderText(), "placeholder")
    elif isinstance(part, QAbstractItemView) and not isinstance(part, QHeaderView):
        yield from _items(part)
    elif isinstance(part, QTextEdit | QPlainTextEdit):
        yield from _document(part)


def _label(label: QLabel) -> Iterator[str]:
    text = label.text()
    yield from _plain(text, "label")
    if isinstance(label, MarkedUpLabel):
        yield from _marked_up(label)
    elif label.textFormat() != Qt.TextFormat.PlainText and GuiQt.mightBeRichText(text):
        yield f"may be drawn as markup: {text[:60]!r}"
    if _has_buddy(label) and "&" in text.replace("&&", ""):
        yield f"an ampersand becomes a mnemonic: {text[:60]!r}"


def _marked_up(label: MarkedUpLabel) -> Iterator[str]:
    """What is drawn of words that are marked up: nothing of them may have become a tag that acts."""
    if label.textFormat() == Qt.TextFormat.PlainText:
        return
    html = _STYLE.sub("", QLabel.text(label))
    tags = {tag.casefold() for tag in _TAG.findall(html)}
    if strange := tags - HARMLESS:
        yield f"markup is drawn, {strange}: {label.text()[:60]!r}"


def _has_buddy(label: QLabel) -> bool:
    return bool(label.buddy())  # the stubs do not say that there may be none


def _document(part: QTextEdit | QPlainTextEdit) -> Iterator[str]:
    """Text to read; what a user edits has to stay what it is."""
    if not part.isReadOnly():
        return
    document = part.document()
    yield from _plain(document.toPlainText().replace("\n", ""), "text")
    if isinstance(part, QTextBrowser):
        if "<img" in document.toHtml():
            yield "a picture is fetched"
        if part.openLinks() or part.openExternalLinks():
            yield "links open by themselves"


def _items(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    waiting = [QModelIndex()]
    while waiting:
        parent = waiting.pop()
        for row in range(min(model.rowCount(parent), MAX_ROWS)):
            for column in range(_columns(model, parent)):
                index = model.index(row, column, parent)
                shown, tip = (index.data(role) for role in _ROLES)
                yield from _tip(str(tip or ""))
                if _draws_raw(view):
                    yield from _plain(str(shown or ""), "cell")
            first = model.index(row, 0, parent)
            if not isinstance(model, _FLAT) and model.hasChildren(first):
                waiting.append(first)


def _columns(model: QAbstractItemModel, parent: QModelIndex) -> int:
    return 1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)


def _draws_raw(view: QAbstractItemView) -> bool:
    """Whether what the model says is drawn as it is; our own delegates make it visible first."""
    return not isinstance(view.itemDelegate(), ListDelegate)


def _of_action(action: QAction) -> Iterator[str]:
    yield from _plain(action.text(), "text")
    yield from _tip(action.toolTip() if action.toolTip() != action.iconText() else "")
    if "<" in action.text():  # text of a server, then
        yield from _mnemonic(action.text())


def _plain(text: str, what: str) -> Iterator[str]:
    hidden = hidden_characters(text.translate(_OURS))
    if hidden:
        yield f"{what} with {', '.join(hidden)}: {text[:80]!r}"


def _mnemonic(text: str) -> Iterator[str]:
    if "<" in text and "&" in text.replace("&&", ""):
        yield f"an ampersand becomes a mnemonic: {text[:80]!r}"


def _tip(text: str) -> Iterator[str]:
    if not text:
        return
    if text.startswith(_TIP_START):
        inner = text.removeprefix(_TIP_START).removesuffix(_TIP_END)
        if "<" in inner:
            yield f"markup in a tool tip: {text[:120]!r}"
        yield from _plain(inner, "tool tip")
    elif GuiQt.mightBeRichText(text) or "<" in text:
        yield f"a tool tip may be drawn as markup: {text[:120]!r}"
    else:
        yield from _plain(text, "tool tip")


def _named(part: QWidget) -> str:
    names: list[str] = []
    at: QWidget | None = part
    while at is not None and len(names) < 3:
        names.append(at.objectName() or type(at).__name__)
        at = at.parentWidget()
    return "/".join(reversed(names))
