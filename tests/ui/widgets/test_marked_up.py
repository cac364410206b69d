"""Names that our words quote are set off by the font, and markup stays what it looks like."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo, QTextDocument
from PySide6.QtWidgets import QLabel

from ui.widgets.marked_up import QuotingLabel, unquoted

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


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
