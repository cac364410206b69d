"""Labels and tooltips for text that may come from a server, and the colors that the style sheet gives them.

`plain_label` and `ElidedLabel` show text as it is, never as HTML. `QuotingLabel` and `DescriptionLabel` are the only labels with rich text.
It is made here and in `markdown_html`, of text in which everything is escaped: markup of a server stays literal, and nothing in it can be
clicked or fetched.
"""

from __future__ import annotations

import re
from textwrap import TextWrapper
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontDatabase, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from inspector.visible_text import cut, isolated, one_line, visible
from ui.theme.restyle import polish_again, set_semibold

if TYPE_CHECKING:
    from ui.theme import Theme

WIDEST_CHARACTERS = 400
"""Longer texts are cut before they are measured."""

TITLE = "title"
"""The tone of a text that stands out by its weight."""

_TIP_LINES = TextWrapper(
    width=80,
    expand_tabs=False,
    replace_whitespace=False,
    drop_whitespace=False,
    break_long_words=False,
    break_on_hyphens=False,
)
"""Wraps the lines of a tool tip, which Qt does for rich text only; nothing is left out."""

_MARKED_UP = '<div style="white-space: pre-wrap">'
"""How a tool tip with markup begins."""

_QUOTED = re.compile(r"`([^`\n]{1,300})`")


def plain_label(
    text: str = "",
    *,
    tone: str = "",
    name: str = "",
    wrap: bool = False,
    selectable: bool = False,
    parent: QWidget | None = None,
) -> QLabel:
    """A label that shows `text` as it is, never as HTML.

    `tone` is a color role of the style sheet, `name` the object name. A label that wraps may become narrower than its longest
    word, which is clipped then: a word of a server must not widen the window. `selectable` is for the mouse.
    """
    label = QLabel(text, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setObjectName(name)
    if tone:
        set_tone(label, tone)
    if wrap:
        label.setWordWrap(True)
        label.setMinimumWidth(1)
    if selectable:
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def on_baseline(*labels: QLabel) -> None:
    """Let the first lines of labels in different fonts, side by side in a layout that aligns them at the top, stand on one baseline.

    With whole numbers: metrics of QFontMetricsF are a pixel off at some sizes. Call it again when fonts change.
    """
    ascents = [QFontMetrics(label.font()).ascent() for label in labels]
    for label, ascent in zip(labels, ascents, strict=True):
        label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        label.setContentsMargins(0, max(ascents) - ascent, 0, 0)


def show_text(label: QLabel, text: str) -> None:
    """Show `text` in a label; an empty one hides the label."""
    label.setText(text)
    label.setVisible(bool(text))


def set_icon(label: QLabel, theme: Theme, icon: str, tone: str, edge: int = 0) -> None:
    """Show an icon in a label, colored by a role of the theme; `edge` is its size in pixels, 0 for the height of a line of text."""
    edge = edge or theme.ICON
    label.setPixmap(theme.icon(icon, tone).pixmap(edge, edge))


def set_tone(widget: QWidget, tone: str) -> None:
    """Color the text of a widget by a role of the style sheet: `error`, `muted`, …; "" for the usual one, `title` for a semibold one."""
    before = widget.property("tone")
    set_style_property(widget, "tone", tone)
    if before != tone and TITLE in {before, tone}:
        set_semibold(widget, is_semibold=tone == TITLE)


def set_background(widget: QWidget, tone: str) -> None:
    """Color the background of a box by a role of the style sheet; "" for none."""
    set_style_property(widget, "background", tone)


def set_style_property(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet selects by.

    Qt reads such properties only when it polishes a widget, so one that is polished already is polished again.
    """
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    polish_again(widget)


class ElidedLabel(QLabel):
    """A label that never asks for more room than there is."""

    def __init__(
        self,
        text: str = "",
        *,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
        parent: QWidget | None = None,
    ) -> None:
        """Show `text` as plain text on one line."""
        super().__init__(parent)
        self._elide = elide
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_text(text)

    def whole_text(self) -> str:
        """The text as given."""
        return self._whole

    def set_text(self, text: str) -> None:
        """Show `text` from now on."""
        self._whole = text
        self.setText(isolated(one_line(text, WIDEST_CHARACTERS)))
        self.setAccessibleName(visible_name(text))
        self._refresh_tool_tip()

    def is_elided(self) -> bool:
        """Whether something is not shown."""
        return (
            self.fontMetrics().horizontalAdvance(self.text()) > self.contentsRect().width()
            or len(self._whole) > WIDEST_CHARACTERS
        )

    def _refresh_tool_tip(self) -> None:
        self.setToolTip(tool_tip(self._whole) if self.is_elided() else "")

    def minimumSizeHint(self) -> QSize:
        """Enough for a letter on either side of the ellipsis."""
        return QSize(
            self.fontMetrics().horizontalAdvance("M…M"), super().minimumSizeHint().height()
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What is elided may have changed."""
        super().resizeEvent(event)
        self._refresh_tool_tip()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what fits."""
        painter = QPainter(self)
        area = self.contentsRect()
        text = self.fontMetrics().elidedText(self.text(), self._elide, area.width())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(area, self.alignment(), text)
        painter.end()


class ShorteningLabel(ElidedLabel):
    """A text with shorter versions for where there is little width; assistive technology always has the long one."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        """Start empty, and take what width is left."""
        self._texts = ("",)
        super().__init__(elide=Qt.TextElideMode.ElideRight, parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_texts(self, *texts: str) -> None:
        """Show the first of `texts` that fits, which are ever shorter; the last one is elided if none does."""
        self._texts = texts
        self._choose()

    def sizeHint(self) -> QSize:
        """The size for the long text, whichever is displayed."""
        sides = self.contentsMargins()
        width = self._advance(self._texts[0]) + sides.left() + sides.right()
        return QSize(width, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is more width now, or less."""
        super().resizeEvent(event)
        self._choose()

    def _choose(self) -> None:
        long, *_ = self._texts
        width = self.contentsRect().width()
        fitting = (text for text in self._texts if self._advance(text) <= width)
        text = next(fitting, self._texts[-1])
        self.set_text(text)
        self.setAccessibleName(visible_name(long))
        if text != long:
            self.setToolTip(tool_tip(long))

    def _advance(self, text: str) -> int:
        """The pixels that a text needs; without the one for what is rounded off, a label as wide as its text would elide it."""
        return self.fontMetrics().horizontalAdvance(text) + 1 if text else 0


def visible_name(text: str) -> str:
    """`text` as an accessible name: one visible line, not too long to listen to."""
    return one_line(text, 200)


def tool_tip(text: str, limit: int = 2000) -> str:
    """`text` as a tool tip that Qt cannot mistake for rich text, wrapped; empty stays empty.

    It has markup only where `text` may look like some: the tool tip of a widget without a description is read out as it is.
    """
    start = cut(text, limit)
    message = visible(start) + ("…" if len(start) < len(text) else "")
    if "<" in message:
        return _as_html(message)
    if len(message) <= _TIP_LINES.width:  # as most are, and are set again and again
        return message
    return "\n".join(map(_wrapped, message.split("\n")))


def _wrapped(line: str) -> str:
    return line if len(line) <= _TIP_LINES.width else _TIP_LINES.fill(line)


def joined_tips(*tips: str) -> str:
    """Return tool tips made by `tool_tip` as one, a line after another."""
    parts = [tip for tip in tips if tip]
    if any(tip.startswith(_MARKED_UP) for tip in parts):
        parts = [tip if tip.startswith(_MARKED_UP) else _as_html(tip) for tip in parts]
        return "".join(parts)
    return "\n".join(parts)


def _as_html(text: str) -> str:
    from html import escape  # half a megabyte of names of characters, with the first text

    return f"{_MARKED_UP}{escape(text)}</div>"


def no_mnemonic(text: str) -> str:
    """`text` for a button, an action or a tab, where an `&` would underline the next character and be left out."""
    return text.replace("&", "&&")


def unquoted(text: str) -> str:
    """`text` for a label with one font only: “name” instead of backticks."""
    return _QUOTED.sub(r"“\1”", text)


class MarkedUpLabel(QLabel):
    """A text that wraps and can be selected; it may be drawn with markup, and `text` returns it without."""

    def __init__(
        self, text: str = "", *, name: str = "", tone: str = "", parent: QWidget | None = None
    ) -> None:
        """Show `text`."""
        super().__init__(parent)
        self._text = ""
        self.setObjectName(name)
        set_tone(self, tone)
        self.setWordWrap(True)
        self.setMinimumWidth(1)  # a long word is clipped, or it would take the wrapping from others
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setText(text)

    def text(self) -> str:
        """The text without markup."""
        return self._text

    def set_plain(self, text: str) -> None:
        """Show `text` without markup."""
        self._draw(text, text, "")

    def _draw(self, text: str, accessible: str, html: str) -> None:
        """Show `text` as `html` if that is not empty; `accessible` is the accessible name."""
        self._text = text
        formats = Qt.TextFormat
        self.setTextFormat(formats.RichText if html else formats.PlainText)
        super().setText(html or text)
        self.setAccessibleName(accessible)


class QuotingLabel(MarkedUpLabel):
    """A text of Spyglass, in which names in backticks are set in monospace."""

    def setText(self, text: str) -> None:
        """Show a text, with the parts in backticks in monospace."""
        html = _marked_up(text) if _QUOTED.search(text) else ""
        self._draw(text, _QUOTED.sub(r"\1", text), html)


class DescriptionLabel(MarkedUpLabel):
    """A description of a server: rendered if it is Markdown."""

    def setText(self, text: str) -> None:
        """Show a text whose invisible characters are visible already."""
        self.set_description(text)

    def set_description(self, text: str, literal: str = "", *, lead: str = "") -> None:
        """Show `text`, right before it `lead`, and right after it `literal`, which are never Markdown."""
        from ui.widgets.markdown_html import description_html  # with the first description

        whole = lead + text + literal
        html = description_html(text, _mono(), literal=literal, lead=lead)
        self._draw(whole, whole, html)


def _mono() -> str:
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()


def _marked_up(text: str) -> str:
    from html import escape

    mono = f"<span style=\"font-family:'{escape(_mono())}'\">\\1</span>"
    return f'<div style="white-space:pre-wrap">{_QUOTED.sub(mono, escape(text))}</div>'
