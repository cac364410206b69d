"""Text of any size: shown in windows, copied and saved exactly."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from ui.widgets.text_view import HTTP_MESSAGE, MAX_COLORED, TextView, find_lexer, spans
from ui.widgets.text_window import LINES, MAX_LINE, WINDOW, Source, cut

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> TextView:
    view = TextView(theme=theme)
    qtbot.addWidget(view)
    view.resize(600, 400)
    view.show()
    return view


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_short_text_is_shown_whole_and_admits_nothing(view: TextView) -> None:
    """result-23-whitespace-exact."""
    view.set_text("  two\n\n\tthree  \n\n")

    assert view.edit.toPlainText() == "  two\n\n\tthree  \n\n"
    assert view.bar.isHidden()


def test_empty_text_says_that_it_is_empty(view: TextView) -> None:
    """result-23-whitespace-exact."""
    view.set_text("")

    assert view.edit.placeholderText() == "(empty)"


@pytest.mark.parametrize("text", ["z" * 50_000_000, "line of words\n" * 3_500_000])
def test_fifty_megabytes_show_at_once(view: TextView, text: str) -> None:
    """result-21-huge-text."""
    begun = time.thread_time()
    view.set_text(text)
    view.grab()

    assert time.thread_time() - begun < 0.25  # 25 ms alone on the machine
    assert "of 50.0 MB" in view.bar.text() or "of 49.0 MB" in view.bar.text()


def test_a_long_text_can_be_paged_to_its_end_and_back(view: TextView) -> None:
    """result-21-huge-text: the rest on demand."""
    text = "".join(f"line {number}\n" for number in range(2 * LINES + 10))
    view.set_text(text)

    view.bar.page_requested.emit(True)
    view.bar.page_requested.emit(True)
    last = view.edit.toPlainText()
    view.bar.page_requested.emit(False)
    view.bar.page_requested.emit(False)

    assert last.endswith(f"line {2 * LINES + 9}\n")
    assert view.edit.toPlainText().startswith("line 0\n")


def test_show_all_shows_all(view: TextView) -> None:
    """result-21-huge-text."""
    text = "x" * 100 + "\n"
    view.set_text(text * 6000)

    view.show_all()

    assert view.edit.toPlainText() == text * 6000


def test_copy_all_gives_all_of_a_text_that_is_shown_in_part(view: TextView) -> None:
    """result-21-huge-text: must not truncate what 'copy all' gives."""
    text = "lorem ipsum 0123456789 " * 50_000
    view.set_text(text)

    view.copy_all()

    assert clipboard() == text


def test_a_selection_copies_the_characters_and_not_their_signs(view: TextView) -> None:
    """text-01-bidi-and-invisible: must not change what is copied."""
    text = "ab\u202ecd \U0001f600\x00\r\nnext\rline\u2028" + "y" * (3 * MAX_LINE) + "\nend"
    view.set_text(text)
    assert "\u202e" not in view.edit.toPlainText()

    view.edit.selectAll()
    view.edit.copy()

    assert view.edit.selected_text() == text


def test_what_cannot_be_seen_is_counted(view: TextView) -> None:
    """text-01-bidi-and-invisible: made visible and counted."""
    view.set_text("a\u202eb\u200bc\r\n")

    assert view.bar.text() == "2 invisible characters shown as markers"


def test_bytes_that_are_not_utf8_are_shown_and_saved_as_they_came(
    view: TextView, tmp_path: Path, qtbot: QtBot
) -> None:
    """Ours: raw is truth."""
    raw = b"ok \xff\xfe\x00 end"
    view.set_raw(raw)
    assert view.edit.toPlainText() == "ok \ufffd\ufffd⌧ end"

    view.save()
    dialog = view.findChild(QFileDialog, "save_dialog")
    assert dialog is not None
    dialog.fileSelected.emit(str(tmp_path / "x"))
    dialog.close()

    assert (tmp_path / "x").read_bytes() == raw


def test_a_file_that_cannot_be_written_is_told_in_place(view: TextView, tmp_path: Path) -> None:
    """Ours: an error belongs to the place where it happened."""
    view.set_text("x")

    view.save()
    dialog = view.findChild(QFileDialog, "save_dialog")
    assert dialog is not None
    dialog.fileSelected.emit(str(tmp_path / "no" / "folder"))
    dialog.close()

    assert "No such file or directory" in view.bar.text()


def test_finding_looks_beyond_what_is_shown(view: TextView) -> None:
    """Ours: Ctrl+F."""
    view.set_text("a\n" * WINDOW + "Needle in the hay\n" + "b\n" * WINDOW)

    assert view.find_next("needle")
    assert view.edit.selected_text() == "Needle"
    assert view.find_next("needle")  # around, to the same
    assert view.find_next("needle", onwards=False)
    assert not view.find_next("nEEdle")


def test_ends_of_lines_can_be_shown(view: TextView) -> None:
    """Ours: raw mode shows control characters."""
    view.set_text("a\tb\r\nc")

    view.set_marks(True)

    assert view.edit.toPlainText() == "a⇥b⏎↵\nc"


@given(
    st.text(st.sampled_from("ab\n\r\t\u202e\U0001f600é"), max_size=60),
    st.booleans(),
)
def test_every_place_on_screen_leads_to_its_character_and_back(text: str, marks: bool) -> None:
    """Ours: copying is exact."""
    window = cut(Source(text), 0, marks=marks)

    for position, character in enumerate(text):
        line, column = window.locate(position)
        if character not in "\r\n" and column < len(window.lines[line]):
            assert window.position(line, column) == position


@given(st.binary(max_size=200))
def test_any_bytes_have_a_window(raw: bytes) -> None:
    """Ours: nothing a server sends stops the display."""
    source = Source(raw=raw)

    window = cut(source, 0)

    assert window.whole
    assert source.to_bytes() == raw


@pytest.mark.parametrize("mime", ["application/json", "text/html; charset=utf-8", "a/b+json"])
def test_known_types_have_a_lexer(mime: str) -> None:
    """Ours: text with highlighting."""
    assert find_lexer(mime) is not None


@pytest.mark.parametrize("mime", ["", "text/plain", "no/such", "x", "\u202e/;"])
def test_unknown_types_stay_plain(mime: str) -> None:
    """Ours."""
    assert find_lexer(mime) is None


def test_spans_stand_where_the_tokens_are_in_units_of_qt() -> None:
    """Ours: Qt counts UTF-16 units."""
    lexer = find_lexer("application/json")
    assert lexer is not None

    lines = spans('{"\U0001f600":\n  12}', lexer)

    assert (1, 4, "key") in lines[0]
    assert (2, 2, "number") in lines[1]


def test_a_view_colours_short_text_and_leaves_long_text_plain(qtbot: QtBot, theme: Theme) -> None:
    """result-21-huge-text: must not run a highlighter over all of it."""
    view = TextView(theme=theme, mime="application/json")
    qtbot.addWidget(view)

    view.set_text('{"a": 1}')
    assert view.edit.document().firstBlock().layout().formats()
    view.set_text('{"a": 1}' + " " * MAX_COLORED)

    assert not view.edit.document().firstBlock().layout().formats()

    http = TextView(theme=theme, mime=HTTP_MESSAGE)
    qtbot.addWidget(http)
    http.set_text('HTTP 200\ncontent-length: 8\n\n{"a": 1}')
    first = http.edit.document().firstBlock()
    assert not first.next().layout().formats()
    assert http.edit.document().lastBlock().layout().formats()
