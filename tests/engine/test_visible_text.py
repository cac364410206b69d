"""Text from a server neither hides nor moves anything unseen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.visible_text import (
    MARK,
    hidden_characters,
    isolated,
    one_line,
    visible,
    visible_same_length,
    without_ansi,
    without_nuls,
)

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
WALES = "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"


def test_bidirectional_overrides_and_invisible_characters_become_marks() -> None:
    """text-01-bidi-and-invisible."""
    assert visible("abc\u202egpj.exe") == "abc⟨U+202E⟩gpj.exe"
    assert visible("a\u200b") == "a⟨U+200B⟩"
    assert visible("Adds.\U000e0049") == "Adds.⟨U+E0049⟩"


def test_invisible_characters_are_counted() -> None:
    """text-01-bidi-and-invisible."""
    counts = hidden_characters("x\u202ey\u200b\u200bz")

    assert counts == {"U+202E": 1, "U+200B": 2}


@pytest.mark.parametrize(
    "text", [FAMILY, WALES, "می\u200cخواهم", "क्\u200dष", "é", "Z\u0351a\u0334"]
)
def test_joiners_and_tags_that_writing_needs_stay(text: str) -> None:
    """text-02-rtl-and-emoji."""
    assert visible(text) == text


@pytest.mark.parametrize("before", ["", "a", "\U0001f469", "क"])
@pytest.mark.parametrize("after", ["", "a", "\U0001f469", "क"])
def test_a_joiner_that_joins_nothing_on_one_side_is_marked(before: str, after: str) -> None:
    """text-01-bidi-and-invisible."""
    joins = all(side in {"\U0001f469", "क"} for side in (before, after))

    assert ("⟨U+200D⟩" in visible(f"{before}\u200d{after}")) is not joins


def test_control_characters_are_named_and_lines_stay() -> None:
    """result-23-whitespace-exact."""
    assert visible("  a\n\tb \n\n") == "  a\n\tb \n\n"
    assert visible("a\x00b\x1b[31m\rc\x7f") == "a⟨NUL⟩b⟨ESC⟩[31m⟨CR⟩c⟨DEL⟩"
    assert visible("c\u2028d") == "c⟨U+2028⟩d"


@given(st.text(st.characters(), max_size=40))
def test_marks_of_the_same_length_keep_every_position(text: str) -> None:
    """Ours: copying leads back to the exact characters."""
    shown = visible_same_length(text)

    assert len(shown) == len(text)
    assert all(a in {b, MARK, "\ufffd", "⏎"} for a, b in zip(shown, text, strict=True))


def test_a_line_is_cut_between_whole_emoji() -> None:
    """text-02-rtl-and-emoji: the family is kept whole when cut."""
    line = one_line("ab" + FAMILY + "cd", 5)

    assert line == "ab…"


def test_a_line_has_no_line_breaks() -> None:
    """Ours."""
    assert one_line("a\nb\tc") == "a↵b⇥c"
    assert (
        one_line("{\n    a:  1,\n b\n}") == "{↵ a:  1,↵ b↵}"
    )  # the row has room for more of the text


def test_text_that_is_not_ascii_is_isolated_in_direction() -> None:
    """text-02-rtl-and-emoji."""
    assert isolated("abc") == "abc"
    assert isolated("שלום") == "\u2068שלום\u2069"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]8;;http://evil.test\x07link\x1b]8;;\x07", "link"),
        ("\x1b]0;title\x1b\\x", "x"),
        ("\x1b[2J\x1b[Hgone", "gone"),
        ("a\x1b]0;unended", "a"),
        ("plain [31m", "plain [31m"),
    ],
)
def test_escape_sequences_of_terminals_are_removed(text: str, plain: str) -> None:
    """stdio-04-ansi-colours."""
    assert without_ansi(text) == plain


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ('{"id": 1}'.encode("utf-16"), b'{"id": 1}'),
        ('{"id": 1}'.encode("utf-16-be"), b'{"id": 1}'),
        (b'{"id": 1}\0', b'{"id": 1}\0'),
        (b"", b""),
    ],
)
def test_an_excerpt_of_utf_16_is_readable(raw: bytes, text: bytes) -> None:
    """Ours: in a failure that says that it is no UTF-8."""
    assert without_nuls(raw) == text
