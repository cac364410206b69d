"""What the command line prints: nothing in it acts on the terminal, and tables are aligned."""

from __future__ import annotations

import io
import json
import os
import tracemalloc
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.cli.console import Console, cut_columns, row_text, width
from inspector.visible_text import visible, visible_json
from inspector.wire import json_codec
from tests.support.json_texts import quick

if TYPE_CHECKING:
    from pathlib import Path

ANY_TEXT = st.text(st.characters(), max_size=30)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain — 漢 🎉 👨\u200d👩\u200d👧", "plain — 漢 🎉 👨\u200d👩\u200d👧"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("\x1b[2J\x07\x00\r\x7f", "⟨ESC⟩[2J⟨BEL⟩⟨NUL⟩⟨CR⟩⟨DEL⟩"),
        ("\x85\x9b\u202e\u2066\ufeff\u2028", "⟨U+0085⟩⟨U+009B⟩⟨U+202E⟩⟨U+2066⟩⟨U+FEFF⟩⟨U+2028⟩"),
        ("\ud83d", "⟨U+D83D⟩"),
    ],
)
def test_what_would_act_or_hide_is_shown(text: str, shown: str) -> None:
    """stdio-04; lifecycle-06."""
    assert visible(text) == shown


@quick
@given(ANY_TEXT)
def test_nothing_that_a_terminal_acts_upon_gets_through(text: str) -> None:
    """stdio-04."""
    shown = visible(text)

    assert not any(ord(c) < 32 and c not in "\t\n" for c in shown)
    assert not any(0x7F <= ord(c) <= 0x9F for c in shown)
    shown.encode()


@quick
@given(ANY_TEXT)
def test_json_for_a_terminal_is_the_same_value_in_characters_that_do_nothing(text: str) -> None:
    """stdio-04: a program that reads it from a terminal loses nothing."""
    shown = visible_json(json_codec.write(text))

    assert visible(shown) == shown
    assert json.loads(shown) == json.loads(json_codec.write(text))


@quick
@given(ANY_TEXT)
def test_a_row_is_one_line(text: str) -> None:
    """Ours."""
    assert len(row_text(text).splitlines()) <= 1
    assert "\t" not in row_text(text)


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("漢字", 4, "漢字"),
        ("漢字漢", 4, "漢…"),
        ("e\u0301e\u0301", 2, "e\u0301e\u0301"),
        ("abc", 1, "…"),
    ],
)
def test_a_line_is_cut_by_columns_not_by_characters(text: str, columns: int, shown: str) -> None:
    """Ours."""
    assert cut_columns(text, columns) == shown
    assert width(shown) <= columns


def test_a_table_is_aligned_and_its_last_column_is_left_alone() -> None:
    """Ours."""
    out = io.StringIO()
    Console(out, io.StringIO()).out_table([("a", "x", "1"), ("漢字", "\n", "2  "), ("bb", "", "")])

    assert out.getvalue() == "a     x  1\n漢字  ↵  2\nbb\n"


class FullDisk(io.StringIO):
    """A file that takes nothing."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor

    def fileno(self) -> int:
        return self._descriptor

    def write(self, s: str) -> int:
        raise OSError(28, "No space left on device")


def test_what_cannot_be_written_to_stderr_costs_no_result_and_is_not_kept(tmp_path: Path) -> None:
    """Ours: a command that listens may go on for days."""
    out, path = io.StringIO(), tmp_path / "stderr"
    with path.open("wb") as file:
        console = Console(out, FullDisk(file.fileno()))
        before = _next_descriptor()
        console.err("a problem")
        assert _next_descriptor() == before
        tracemalloc.start()
        for _ in range(20):
            console.err("x" * 10_000)
        kept, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        console.out("the result")
        console.flush()
        file.write(b"what is buffered")

    assert out.getvalue() == "the result\n"
    assert kept < 50_000
    assert path.read_bytes() == b""


def _next_descriptor() -> int:
    """The number that the next file to be opened gets."""
    descriptor = os.open(os.devnull, os.O_RDONLY)
    os.close(descriptor)
    return descriptor
