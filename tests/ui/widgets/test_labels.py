"""Labels show text as it is, and a tone shows whether it was set before or after the label was; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QFontInfo, QPalette, QTextDocument
from PySide6.QtWidgets import QFrame, QLabel, QToolButton, QVBoxLayout, QWidget

from ui.widgets.labels import (
    QuotingLabel,
    ShorteningLabel,
    plain_label,
    set_background,
    set_tone,
    tool_tip,
    unquoted,
)

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


@pytest.mark.usefixtures("qapp")
def test_a_plain_label_never_takes_its_text_for_html() -> None:
    """Ours."""
    label = plain_label("<b>x</b>", name="x", wrap=True)

    assert label.textFormat() is Qt.TextFormat.PlainText
    assert (label.text(), label.objectName()) == ("<b>x</b>", "x")


def test_a_long_word_does_not_widen_a_label_that_wraps(qtbot: QtBot) -> None:
    """Ours: a word of a server must not make the window wider."""
    box = QWidget()
    qtbot.addWidget(box)
    column = QVBoxLayout(box)
    column.addWidget(plain_label("w" * 3000, wrap=True))

    assert box.minimumSizeHint().width() < 100


def test_a_tone_is_drawn_before_and_after_a_label_is_shown(theme: Theme, qtbot: QtBot) -> None:
    """Ours: Qt looks at the property only while it polishes the label."""
    box = QFrame()
    qtbot.addWidget(box)
    label = plain_label("x", tone="error", parent=box)
    box.show()
    before = label.palette().color(QPalette.ColorRole.WindowText)

    set_tone(label, "ok")
    set_background(box, "warning")

    after = label.palette().color(QPalette.ColorRole.WindowText)
    assert (before, after) == (theme.color("error"), theme.color("ok"))
    drawn = box.grab().toImage().pixelColor(box.width() - 2, box.height() // 2)
    assert drawn == theme.color("warning_ground")


def on_screen(label: QuotingLabel) -> QTextDocument:
    """What the label draws."""
    document = QTextDocument()
    text = QLabel.text(label)
    if label.textFormat() == Qt.TextFormat.RichText:
        document.setHtml(text)
    else:
        document.setPlainText(text)
    return document


def test_what_is_quoted_is_in_monospace_and_without_backticks(qtbot: QtBot) -> None:
    """Ours."""
    label = QuotingLabel("⚠ `contents` must be a list,  not `a b`\nsecond line")
    qtbot.addWidget(label)

    document = on_screen(label)
    assert document.toPlainText() == "⚠ contents must be a list,  not a b\nsecond line"
    cursor = document.find("contents")
    assert QFontInfo(cursor.charFormat().font()).fixedPitch()
    assert label.text() == "⚠ `contents` must be a list,  not `a b`\nsecond line"
    assert label.accessibleName() == "⚠ contents must be a list,  not a b\nsecond line"


@pytest.mark.parametrize(
    "markup",
    ["`<img src='file:///etc/passwd'>`", "`a` <a href='http://x'>x</a>", "`&amp;` <b>"],
)
def test_markup_in_what_is_quoted_stays_text(markup: str, qtbot: QtBot) -> None:
    """Ours: everything is escaped before anything is made of it."""
    label = QuotingLabel(markup)
    qtbot.addWidget(label)

    assert on_screen(label).toPlainText() == markup.replace("`", "")
    assert "<a " not in QLabel.text(label)
    assert "<img" not in QLabel.text(label)


@pytest.mark.parametrize("text", ["no quotes <b>", "one ` alone", "``", "a `\n` b"])
def test_words_that_quote_nothing_are_plain_text(text: str, qtbot: QtBot) -> None:
    """Ours."""
    label = QuotingLabel(text)
    qtbot.addWidget(label)

    assert label.textFormat() == Qt.TextFormat.PlainText
    assert QLabel.text(label) == text


def test_the_words_of_a_server_keep_their_backticks(qtbot: QtBot) -> None:
    """Ours: what was sent is shown as it was sent."""
    label = QuotingLabel()
    qtbot.addWidget(label)
    label.set_plain("use `x`")

    assert on_screen(label).toPlainText() == "use `x`"


def test_where_there_is_one_font_quotation_marks_stand_for_backticks() -> None:
    """Ours."""
    assert unquoted("`a` is not `b`") == "“a” is not “b”"


def test_a_tool_tip_never_has_markup_of_the_server() -> None:
    """result-27-markup-in-text."""
    tip = tool_tip('<img src=x onerror="PWN">&\u202e')

    assert "<img" not in tip
    assert "&lt;img src=x onerror=&quot;PWN&quot;&gt;&amp;⟨U+202E⟩" in tip
    assert tool_tip("") == ""


def test_a_tool_tip_has_no_markup_that_a_screen_reader_would_read_out(qtbot: QtBot) -> None:
    """Ours; Qt reads the tool tip out where a widget has no description."""
    button = QToolButton()
    qtbot.addWidget(button)
    button.setToolTip(tool_tip("Tools & resources, 'a' > 'b'"))
    interface = QAccessible.queryAccessibleInterface(button)
    assert interface is not None

    assert interface.text(QAccessible.Text.Description) == "Tools & resources, 'a' > 'b'"


def test_a_long_tool_tip_is_wrapped_and_whole() -> None:
    """Ours; Qt wraps rich text only."""
    text = "  two  spaces, " + "word " * 60 + "x" * 200
    tip = tool_tip(text)

    assert tip.replace("\n", "") == text
    assert max(map(len, tip.split("\n")[:-1])) <= 80


def test_a_label_as_wide_as_its_text_shows_all_of_it(qtbot: QtBot, theme: Theme) -> None:
    """Ours: what the width of a text rounds off made "550 characters" end in an ellipsis beside empty space."""
    label = ShorteningLabel()
    label.setFont(theme.font())
    qtbot.addWidget(label)
    for number in range(500, 700):
        text = f"{number} characters"
        label.set_texts(text, "")
        label.resize(label.sizeHint())
        shown = label.fontMetrics().elidedText(
            label.text(), Qt.TextElideMode.ElideRight, label.contentsRect().width()
        )
        assert label.text()
        assert shown == label.text()
