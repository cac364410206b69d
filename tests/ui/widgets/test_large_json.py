"""JSON of which a value is large: it is read in a turn of its own, and the rest stays where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.wire import lazy_json
from inspector.wire.json_codec import write
from inspector.wire.lazy_json import LARGE, LazyArray
from ui.widgets.json_text import brief, is_deferred
from ui.widgets.json_tree import NOTED_BYTES, JsonTree

if TYPE_CHECKING:
    import pytest
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json
    from ui.theme import Theme


def test_a_row_that_was_closed_stays_so_when_a_large_value_is_read(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: a large value is read when it comes on screen; rows above that moved then would move under the wheel."""
    monkeypatch.setattr("ui.widgets.json_text.DEFERRED_BYTES", 1000)
    tree = JsonTree(theme=theme)
    qtbot.addWidget(tree)
    tree.resize(600, 200)
    tree.show()
    small: Json = {f"s{number}": number for number in range(30)}
    large: Json = {"text": "x" * NOTED_BYTES}
    assert tree.set_raw(write({"a": {"x": 1, "y": 2}, **small, "large": large}).encode())
    model = tree.json
    assert tree.isExpanded(model.find("/a"))

    tree.collapse(model.find("/a"))
    tree.scrollToBottom()

    qtbot.waitUntil(lambda: tree.isExpanded(model.find("/large")), timeout=20_000)
    assert not tree.isExpanded(model.find("/a"))


def test_a_line_about_large_items_reads_none_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours: six of sixty megabytes stopped the window for half a second when their row was painted."""
    monkeypatch.setattr("ui.widgets.json_text.DEFERRED_BYTES", 1000)
    items = [b'{"a":"%s"}' % (b"x" * LARGE), b"7" * 2000, b"[1,2]", b'"%s"' % (b"x" * 2000)]
    array = lazy_json.read(b"[%s]" % b",".join(items))

    assert brief(array) == f'[{{…}}, {"7" * 40}…, [2], "{"x" * 40}…]'

    assert isinstance(array, LazyArray)
    assert [is_deferred(item) for item in array.unread(0, 4)] == [True, True, False, True]
