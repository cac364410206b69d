"""Markdown as formatted text, without anything that acts.

HTML in it stays literal, images are named and never fetched, links only say where they lead and tell the host when they
are clicked. Only schemes of `LINKS` become links at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser

from inspector.visible_text import visible
from ui.widgets.tool_tip import tool_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token
    from PySide6.QtGui import QResizeEvent, QShowEvent
    from PySide6.QtWidgets import QWidget

    from ui.render.drawn import Host

LINKS = {"http", "https", "mailto"}
"""Schemes that may be a link."""
HEADINGS = {"h1": "h3", "h2": "h4", "h3": "h4", "h5": "h4", "h6": "h4"}
"""Headings as they are drawn: a panel has no room for more than two sizes."""
MOST_PIXELS = 420
"""Height at 100% before it scrolls by itself."""

_SHEET = """
body {{ color: {text}; }}
a {{ color: {accent}; }}
pre {{ white-space: pre-wrap; }}
code, pre {{ font-family: '{mono}'; background-color: {window}; }}
blockquote {{ color: {muted}; }}
th {{ font-weight: 600; text-align: left; }}
td, th {{ padding: 2px 8px; border: 1px solid {hairline}; }}
"""


class MarkdownView(QTextBrowser):
    """Formatted text, as high as it needs up to a limit."""

    def __init__(self, text: str, *, host: Host, parent: QWidget | None = None) -> None:
        """Show `text`; clicked links go to `host`."""
        super().__init__(parent)
        self._host = host
        self._html = to_html(text)
        self._was_shown = False
        self.setObjectName("markdown")
        self.setAccessibleName("Formatted text")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        # Wrapping is done after the view was given a width, in the turn after that even.
        self.document().documentLayout().documentSizeChanged.connect(self.updateGeometry)
        self.anchorClicked.connect(self._on_anchor_clicked)
        self.highlighted.connect(self._on_highlighted)
        host.theme.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        theme = self._host.theme
        names = ("text", "accent", "window", "muted", "hairline")
        colours = {name: theme.colour(name).name() for name in names}
        sheet = _SHEET.format(mono=theme.mono().family(), **colours)
        self.document().setDefaultStyleSheet(sheet)
        self.document().setDefaultFont(theme.font())
        self.document().setDocumentMargin(theme.PAD)
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Link, theme.colour("accent"))
        self.setPalette(palette)
        self.setHtml(self._html)
        self.updateGeometry()

    def _on_anchor_clicked(self, url: QUrl) -> None:
        self._host.want_link(url.toString())

    def _on_highlighted(self, url: QUrl) -> None:
        self.setToolTip(tool_tip(url.toString()))

    def sizeHint(self) -> QSize:
        """As high as the text."""
        size, theme = self.document().size(), self._host.theme
        height = round(size.height()) + 2
        if size.width() > self.viewport().width():  # a table that does not wrap
            height += self.horizontalScrollBar().sizeHint().height()
        return QSize(theme.px(400), min(height, theme.px(MOST_PIXELS)))

    def minimumSizeHint(self) -> QSize:
        """Never squeezed below what it needs."""
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wraps other lines."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.updateGeometry()

    def showEvent(self, event: QShowEvent) -> None:
        """Begin at the first line: Qt scrolls to where the cursor was in the height before anything was laid out."""
        super().showEvent(event)
        if not self._was_shown:
            self._was_shown = True
            self.verticalScrollBar().setValue(0)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing is ever loaded."""
        return None


def to_html(text: str) -> str:
    """Our own HTML for Markdown: none of the server's survives, no image, no link but to `LINKS`."""
    parser = _parser()
    tokens = parser.parse(visible(text))
    for token in tokens:
        token.content = token.content.rstrip("\n")
        token.tag = HEADINGS.get(token.tag, token.tag)
        if token.children is not None:
            token.children = _harmless(token.children)
    return str(parser.renderer.render(tokens, parser.options, {}))


def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # 40 ms at start-up that most sessions never need

    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def _harmless(tokens: Sequence[Token]) -> list[Token]:
    """Images become words; links that are no links become their text and address."""
    kept: list[Token] = []
    refused: list[str] = []
    for token in tokens:
        if token.type == "image":
            kept.append(_words(token, f"[image: {token.content} · {token.attrs.get('src', '')}]"))
        elif token.type == "link_open" and not _is_link(str(token.attrs.get("href", ""))):
            refused.append(str(token.attrs.get("href", "")))
            kept.append(_words(token, "["))
        elif token.type == "link_close" and refused:
            kept.append(_words(token, f"]({refused.pop()})"))
        else:
            kept.append(token)
    return kept


def _is_link(url: str) -> bool:
    try:
        return urlsplit(url).scheme.lower() in LINKS
    except ValueError:
        return False


def _words(token: Token, words: str) -> Token:
    made = token.copy()
    made.type, made.tag, made.nesting = "text", "", 0
    made.content, made.children, made.attrs = words, None, {}
    return made
