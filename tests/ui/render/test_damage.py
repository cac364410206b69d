"""What is wrong with the bytes of a block is named for each part; ours."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QGuiApplication, QImage, QImageWriter

from inspector.visible_text import hidden_characters, visible
from ui.render.image_view import decode_image, dimensions
from ui.render.payload import decode
from ui.render.rendering import Malformed
from ui.render.text import is_one_long_line
from ui.widgets.clipboard import copy_text

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def encoded(format_name: str) -> bytes:
    image = QImage(40, 40, QImage.Format.Format_RGB32)
    image.fill(0x336699)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert QImageWriter(buffer, QByteArray(format_name.encode())).write(image)
    return bytes(buffer.data().data())


def notes_of(data: str) -> str:
    return "; ".join(decode(data).notes)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("", "empty"),
        ("AA!A", "“!” at character 3"),
        ("AA\u00e9A", "“é” at character 3"),
        ("A=AA", "padding"),
    ],
)
def test_data_that_is_no_base64_says_where(data: str, text: str) -> None:
    """Ours."""
    assert text in notes_of(data)


@pytest.mark.parametrize("format_name", ["PNG", "JPEG", "GIF"])
def test_an_image_that_ends_early_says_after_how_many_bytes(qtbot: QtBot, format_name: str) -> None:
    """Ours: "Unknown error" is a library's word for it."""
    assert qtbot is not None
    if format_name == "GIF":  # Qt writes none
        whole = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
    else:
        whole = encoded(format_name)
    cut = whole[:-20]
    assert notes_of(base64.b64encode(whole).decode()) == ""
    assert f"after {len(cut)} bytes" in notes_of(base64.b64encode(cut).decode())


def test_a_sound_that_ends_early_says_so() -> None:
    """Ours."""
    wave = b"RIFF" + (1000).to_bytes(4, "little") + b"WAVEfmt " + bytes(100)
    assert "ends early, after 116 bytes" in notes_of(base64.b64encode(wave).decode())


@pytest.mark.parametrize("cut", [20, 60])
def test_a_damaged_image_is_told_without_the_words_of_the_library(qtbot: QtBot, cut: int) -> None:
    """Ours."""
    assert qtbot is not None
    raw = encoded("PNG")[:cut]
    with pytest.raises(Malformed, match="corrupt") as caught:
        decode_image(raw)
    assert "Unknown error" not in str(caught.value)


def test_no_bytes_are_no_image() -> None:
    """Ours."""
    with pytest.raises(Malformed, match="no bytes"):
        dimensions(b"")


@pytest.mark.parametrize("character", ["\uffff", "\ufffe", "\ufdd0", "\U0001ffff", "\U0010fffe"])
def test_noncharacters_are_marked_and_counted(character: str) -> None:
    """Ours: Unicode, section 23.7."""
    name = f"U+{ord(character):04X}"
    assert visible(f"a{character}b") == f"a⟨{name}⟩b"
    assert hidden_characters(character * 2) == {name: 2}


def test_half_a_surrogate_pair_is_copied_as_a_replacement(qtbot: QtBot) -> None:
    """Ours: it vanished from the clipboard without a word."""
    assert qtbot is not None
    copy_text("a\ud83db")
    assert QGuiApplication.clipboard().text() == "a\ufffdb"


@pytest.mark.parametrize(
    ("text", "is_json_first"),
    [
        ('{"a": "' + "x" * 100 + '"}', True),
        ("[" + "1, " * 100 + "1]", True),
        ('{"a": 1}', False),
        ('{\n"a": "' + "x" * 100 + '"}', False),
        ("x" * 200, False),
    ],
)
def test_json_in_one_long_line_opens_as_json(text: str, is_json_first: bool) -> None:
    """Ours."""
    assert is_one_long_line(text) is is_json_first
