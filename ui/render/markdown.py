"""Markdown as formatted text, without anything that acts: links only say where they lead, and tell the host when they are clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser

from ui.widgets.labels import tool_tip
from ui.widgets.markdown_html import to_html

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent
    from PySide6.QtWidgets import QWidget

    from ui.render.rendering import Host

MAX_PIXELS, WHOLE_PIXELS = 420, 630
"""Height at 100% of a text that scrolls, and up to which none does: a scroll bar for a few lines, inside of what scrolls itself, is in the way."""

_STYLESHEET = """
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
        self._was_displayed = False
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
        colors = {name: theme.color(name).name() for name in names}
        css = _STYLESHEET.format(mono=theme.mono().family(), **colors)
        self.document().setDefaultStyleSheet(css)
        self.document().setDefaultFont(theme.font())
        self.document().setDocumentMargin(theme.PADDING_PX)
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Link, theme.color("accent"))
        self.setPalette(palette)
        self.setHtml(self._html)
        self.updateGeometry()

    def _on_anchor_clicked(self, url: QUrl) -> None:
        self._host.open_link(url.toString())

    def _on_highlighted(self, url: QUrl) -> None:
        self.setToolTip(tool_tip(url.toString()))

    def sizeHint(self) -> QSize:
        """As high as the text."""
        size, theme = self.document().size(), self._host.theme
        height = round(size.height()) + 2
        if size.width() > self.viewport().width():  # a table that does not wrap
            height += self.horizontalScrollBar().sizeHint().height()
        is_whole = height <= theme.px(WHOLE_PIXELS)
        return QSize(theme.px(400), height if is_whole else theme.px(MAX_PIXELS))

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
        if not self._was_displayed:
            self._was_displayed = True
            self.verticalScrollBar().setValue(0)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing is ever loaded."""
        return None
