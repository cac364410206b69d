"""JSON in colors while it is typed; ours."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from ui.request.message_edit import MessageEdit
from ui.widgets.json_colors import MAX_COLORED, MAX_LINE, line_spans

if TYPE_CHECKING:
    from PySide6.QtGui import QTextBlock
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('  "city": "Oslo",', [('"city"', "key"), ('"Oslo"', "string")]),
        (
            '{"a": [-1.5e3, true, null]}',
            [('"a"', "key"), ("-1.5e3", "number"), ("true", "keyword"), ("null", "keyword")],
        ),
        (r'"a\"b" : 1', [(r'"a\"b"', "key"), ("1", "number")]),
        ('"no end, 1', [('"no end, 1', "string")]),
        ('"cut \\', [('"cut \\', "string")]),
        ("[null1, abc123, 0x1F, \u0663, 4]", [("4", "number")]),
        ("nullable", []),
    ],
)
def test_a_line_is_colored_as_far_as_it_reads_as_json(
    line: str, expected: list[tuple[str, str]]
) -> None:
    """Ours: also while it is not whole."""
    assert [(line[start:end], tone) for start, end, tone in line_spans(line)] == expected


def test_a_line_that_is_cut_in_a_string_full_of_escapes_is_read_once() -> None:
    """Ours: read again from each quotation mark in it, nine such lines held the window up for a second."""
    line = ('"' + '\\"' * MAX_LINE)[:MAX_LINE]
    assert line.endswith('"\\')
    begun = time.thread_time()
    for _ in range(9):
        assert line_spans(line) == [(0, MAX_LINE, "string")]
    assert time.thread_time() - begun < 0.1


def test_what_is_typed_is_colored_unless_it_is_long(
    qtbot: QtBot, qapp: QApplication, theme: Theme
) -> None:
    """Ours: going through all lines of a long text would hold the window up. Colors change no text."""
    edit = MessageEdit('{"🙂": 12}', theme=theme, name="edit")
    qtbot.addWidget(edit)
    first = edit.document().firstBlock()
    key, number = theme.color("key").name(), theme.color("number").name()
    assert colored(first) == [('"🙂"', key), ("12", number)]
    changes: list[None] = []
    edit.textChanged.connect(lambda: changes.append(None))
    theme.apply(qapp, "dark", 1.0)
    qtbot.wait(0)
    assert colored(first)[1][1] == theme.color("number").name() != number
    assert changes == []

    edit.setPlainText("[\n" + "1,\n" * MAX_COLORED)
    assert colored(edit.document().firstBlock().next()) == []
    edit.setPlainText("[1]")
    changes.clear()
    qtbot.waitUntil(lambda: bool(colored(edit.document().firstBlock())))
    assert changes == []


def colored(block: QTextBlock) -> list[tuple[str, str]]:
    """The colored parts of a line and their colors."""
    units = block.text().encode("utf-16-le")
    return [
        (
            units[2 * each.start : 2 * (each.start + each.length)].decode("utf-16-le"),
            each.format.foreground().color().name(),
        )
        for each in block.layout().formats()
    ]
