"""Bytes on screen, and what is marked in those of a text."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ui.widgets.hex_view import HexView, Mark, TextBytes, ascii_of, marks_in

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


def test_bytes_are_drawn_a_screen_at_a_time(qtbot: QtBot, theme: Theme) -> None:
    """resource-09-mime-dispatch: a bytes view for binaries."""
    view = HexView(theme=theme)
    qtbot.addWidget(view)
    view.resize(900, 200)
    view.show()
    view.set_bytes(bytes(range(256)) * 200_000)

    assert not view.grab().isNull()
    assert view.rows() == 3_200_000
    view.resize(400, 200)
    assert view.rows() == 6_400_000
    assert view.accessibleName() == "Hex view, 51,200,000 bytes"
    assert ascii_of(b"A\x00~\x7f\xff") == "A·~··"


def test_what_cannot_be_seen_in_text_is_marked_in_its_bytes() -> None:
    """Ours: a byte order mark, ends of lines, and what is not UTF-8, wherever the screen begins."""
    raw = b"\xef\xbb\xbf" + "Grüße".encode() + b"\r\n\xff\xc3(\xe2\x82\xac\xf0\x9f\x98"

    def found(start: int, end: int) -> list[tuple[bytes, Mark]]:
        return [(raw[m.start : m.end], m.mark) for m in marks_in(raw, start, end)]

    everything = [
        (b"\xef\xbb\xbf", Mark.BOM),
        (b"\r\n", Mark.CR_LF),
        (b"\xff", Mark.INVALID),
        (b"\xc3", Mark.INVALID),
        (b"\xf0\x9f\x98", Mark.INVALID),
    ]
    assert found(0, len(raw)) == everything
    for at in range(len(raw)):  # a screen that begins or ends within a character
        assert found(at, len(raw)) == [each for each in everything if each in found(at, len(raw))]
        assert set(found(0, at)) <= set(everything)
    assert found(raw.index(b"\n"), len(raw)) == everything[1:]
    euro = raw.index(b"\xe2")
    assert found(euro + 1, euro + 3) == []
    assert found(len(raw) - 1, len(raw)) == everything[-1:]


def test_fifty_megabytes_are_on_screen_at_once_with_their_marks(qtbot: QtBot, theme: Theme) -> None:
    """Ours: only what is on screen is examined; the end is as near as the beginning."""
    raw = b"\xff\xfe\r\n" * 12_500_000
    page = TextBytes(theme=theme, name="bytes", file_name="a", mime="text/plain")
    qtbot.addWidget(page)
    page.resize(900, 200)
    page.show()
    start = time.perf_counter()

    page.set_bytes(raw)
    assert "invalid UTF-8" in page.marked.text()
    page.view.verticalScrollBar().setValue(page.view.verticalScrollBar().maximum())
    assert not page.view.grab().isNull()

    assert time.perf_counter() - start < 1
    page.set_bytes(b"plain")
    assert page.marked.text().endswith("nothing")
