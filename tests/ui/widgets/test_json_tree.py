"""JSON as a tree: exact, lazy, bounded."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QMenu

from inspector.wire.json_codec import read, write
from ui.widgets.json_model import JsonModel
from ui.widgets.json_node import Column
from ui.widgets.json_text import describe
from ui.widgets.json_tree import NOTED_BYTES, OPEN_ALL_ROWS, JsonTree
from ui.widgets.json_view import JsonView

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json
    from ui.theme import Theme


def tree_of(qtbot: QtBot, theme: Theme, value: Json) -> JsonTree:
    tree = JsonTree(theme=theme)
    qtbot.addWidget(tree)
    tree.resize(600, 400)
    tree.show()
    tree.set_value(value)
    return tree


def row(model: JsonModel, index: QModelIndex) -> tuple[str, str, str]:
    key, value, kind = (str(index.siblingAtColumn(column).data()) for column in Column)
    return key, value, kind


def rows(model: JsonModel) -> list[tuple[str, str, str]]:
    return [row(model, model.index(number, 0)) for number in range(model.rowCount())]


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_members_show_key_value_and_type(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    value: Json = {"a": "x\n", "n": None, "t": True, "o": {}, "l": [1, 2]}
    tree = tree_of(qtbot, theme, value)

    assert rows(tree.json) == [
        ("a", '"x\\n"', "string · 2"),
        ("n", "null", "null"),
        ("t", "true", "boolean"),
        ("o", "{}", "object · 0"),
        ("l", "[1, 2]", "array · 2"),
    ]


def test_numbers_are_spelled_as_on_the_wire(qtbot: QtBot, theme: Theme) -> None:
    """result-20-bigint-in-result."""
    raw = b"[36028797018963971, 1.10, 1E400, -0, 1e3]"
    tree = tree_of(qtbot, theme, read(raw).value)

    spelled = [value for _, value, _ in rows(tree.json)]

    assert spelled == ["36028797018963971", "1.10", "1E400", "-0", "1e3"]


def test_scalars_and_empty_containers_are_a_row_of_their_own(qtbot: QtBot, theme: Theme) -> None:
    """result-24-json-scalars-in-text."""
    values: list[Json] = [None, 0, "quoted", [], {}]

    shown = [rows(tree_of(qtbot, theme, value).json)[0][1] for value in values]

    assert shown == ["null", "0", '"quoted"', "[]", "{}"]


def test_a_model_behaves_as_qt_wants(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    model = JsonModel(theme=theme)
    model.set_value({"a": [1, {"b": [None, "x"]}], "c": "y"})

    fatal = QAbstractItemModelTester.FailureReportingMode.Fatal
    QAbstractItemModelTester(model, fatal)
    model.fetchMore(model.index(0, 0))
    model.set_value([1])


def test_large_containers_come_in_pages_and_say_so(qtbot: QtBot, theme: Theme) -> None:
    """Ours: everything that can grow has a budget, and what it drops is said."""
    tree = tree_of(qtbot, theme, list(range(2500)))
    model = tree.json
    last = model.index(model.rowCount() - 1, Column.VALUE)

    assert model.rowCount() == 1001
    assert last.data() == "1,000 of 2,500 shown; press Enter to show more"


def test_the_next_page_comes_when_the_end_is_scrolled_to(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    tree = tree_of(qtbot, theme, list(range(1500)))

    tree.scrollToBottom()

    qtbot.waitUntil(lambda: tree.json.rowCount() == 1500, timeout=20_000)


def test_a_json_pointer_leads_to_its_row_however_deep(qtbot: QtBot, theme: Theme) -> None:
    """Ours; RFC 6901."""
    tree = tree_of(qtbot, theme, {"a/b": [{"~": list(range(3000))}]})

    assert tree.reveal("/a~1b/0/~0/2999")

    node = tree.current()
    assert node is not None
    assert (node.value, node.pointer()) == (2999, "/a~1b/0/~0/2999")
    assert not tree.reveal("/nowhere")


def test_values_paths_and_subtrees_are_copied_exactly(qtbot: QtBot, theme: Theme) -> None:
    """text-05-copy-exactness; text-01-bidi-and-invisible: copying changes nothing."""
    tree = tree_of(qtbot, theme, read(b'{"s": "a\\u202eb", "o": {"n": 1.50}}').value)

    tree.reveal("/s")
    tree.copy_value()
    assert clipboard() == "a\u202eb"
    tree.copy_path()
    assert clipboard() == "/s"
    tree.reveal("/o")
    tree.copy_value()
    assert clipboard() == '{"n":1.50}'
    tree.copy_json()
    assert clipboard() == '{\n  "n": 1.50\n}'


def test_keys_with_invisible_characters_are_two_different_rows(qtbot: QtBot, theme: Theme) -> None:
    """text-01-bidi-and-invisible."""
    tree = tree_of(qtbot, theme, {"a\u200b": 1, "a": 2})

    assert [key for key, _, _ in rows(tree.json)] == ["a⟨U+200B⟩", "a"]


def test_long_strings_are_cut_in_the_row_and_whole_on_request(qtbot: QtBot, theme: Theme) -> None:
    """result-21-huge-text."""
    text = "x" * 5000
    tree = tree_of(qtbot, theme, {"t": text})
    assert len(rows(tree.json)[0][1]) < 520

    heard: list[tuple[str, str]] = []

    def hear(pointer: str, whole: str) -> None:
        heard.append((pointer, whole))

    tree.text_requested.connect(hear)
    tree.activated.emit(tree.json.index(0, 0))

    assert heard == [("/t", text)]


def test_ten_megabytes_show_at_once(qtbot: QtBot, theme: Theme) -> None:
    """Ours: large results never stop the window."""
    tree = tree_of(qtbot, theme, None)
    value: Json = [
        {"id": n, "name": f"name {n}", "tags": ["a", "b"], "o": {}} for n in range(60_000)
    ]

    begun = time.thread_time()
    tree.set_value(value)
    tree.grab()

    assert time.thread_time() - begun < 0.4  # 40 ms alone on the machine


def test_large_text_is_read_no_further_than_it_is_looked_at(qtbot: QtBot, theme: Theme) -> None:
    """Ours: and says the same, copies the same and is searched like any other."""
    item = '{"n":1.50,"list":[1,2]}'
    raw = f'{{"rows":[{",".join([item] * 40_000)}],"last":{{"words":"needle"}}}}'.encode()
    view = JsonView(theme=theme)
    qtbot.addWidget(view)
    view.resize(600, 400)
    view.show()

    assert len(raw) > NOTED_BYTES
    assert view.set_raw(raw)

    model = view.tree.json
    assert rows(model)[0][2] == "array · 40,000"
    assert view.reveal("/rows/39999/n")
    assert row(model, view.tree.currentIndex())[1] == "1.50"
    view.find_next("needle")
    qtbot.waitUntil(lambda: view.tree.current() is not None and at(view) == "/last/words")
    view.reveal("/rows/0")
    view.tree.copy_value()
    assert clipboard() == item
    assert write(view.tree.value()).encode() == raw


def test_large_values_are_read_one_level_in_a_turn_and_opened_then(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: each level of sixty megabytes takes a tenth of a second."""
    monkeypatch.setattr("ui.widgets.json_text.DEFERRED_BYTES", 1000)
    long = "x" * NOTED_BYTES
    tree = tree_of(qtbot, theme, None)
    tree.resize(900, 400)

    assert tree.set_raw(write({"id": 1, "result": {"rows": [1, 2], "text": long}}).encode())

    model = tree.json
    result = model.find("/result")
    assert rows(model) == [("id", "1", "number"), ("result", "…", "object")]
    assert model.hasChildren(result)
    assert not tree.isExpanded(result)
    qtbot.waitUntil(lambda: tree.isExpanded(model.find("/result")), timeout=20_000)
    assert row(model, model.find("/result"))[1].startswith('{rows: [2], text: "xxx')
    text = model.index(1, 0, model.find("/result"))
    assert not model.hasChildren(text)
    qtbot.waitUntil(
        lambda: row(model, text)[2] == f"string · {len(long):,}",
        timeout=20_000,
    )


@pytest.mark.parametrize("raw", ["[{}]", '{{"rows":[{}]}}'])
def test_very_many_items_are_counted_while_the_loop_has_time(
    qtbot: QtBot, theme: Theme, raw: str
) -> None:
    """Ours: counted at once, ten million of them stopped the window for a second."""
    view = JsonView(theme=theme)
    qtbot.addWidget(view)
    view.resize(600, 400)
    view.show()
    items = ["1"] * 20_000 + ['"needle"'] + ["1"] * 379_999
    pointer = "/rows" if "rows" in raw else ""

    assert view.set_raw(raw.format(",".join(items)).encode())

    model = view.tree.json
    array = model.node(model.find(pointer)) if pointer else model.node(QModelIndex())
    model.make_more(array)
    more = model.index_of(array).siblingAtColumn(0)
    shown = model.index(len(array.children), Column.VALUE, more).data()
    assert re.fullmatch(r"[12],000 of [1-9][0-9,]+\+ shown; press Enter to show more", shown)
    qtbot.waitUntil(lambda: array.total() == 400_000, timeout=20_000)
    assert describe(array.value) == "array · 400,000"
    view.find_next("needle")
    qtbot.waitUntil(
        lambda: view.tree.current() is not None and at(view) == f"{pointer}/20000", timeout=20_000
    )


def at(view: JsonView) -> str:
    node = view.tree.current()
    return "" if node is None else node.pointer()


def test_a_thousand_levels_open_without_recursion(qtbot: QtBot, theme: Theme) -> None:
    """Ours: nesting depth is bounded by nothing here."""
    value: list[Json] = []
    for _ in range(900):
        value = [value]
    tree = tree_of(qtbot, theme, value)

    tree.open_all()

    assert tree.reveal("/0" * 800)


def test_star_does_not_open_a_million_rows(qtbot: QtBot, theme: Theme) -> None:
    """Ours: Qt's own key would."""
    row_of_fifty: list[Json] = [0] * 50
    plane: list[Json] = [row_of_fifty] * 50
    value: list[Json] = [plane] * 50
    tree = tree_of(qtbot, theme, value)
    tree.setFocus()

    QTest.keyClick(tree, Qt.Key.Key_Asterisk)

    assert 0 < tree.json.rowCount(tree.json.index(0, 0)) <= 1001
    assert len(list(open_rows(tree))) <= OPEN_ALL_ROWS + 100


def open_rows(tree: JsonTree) -> Iterator[QModelIndex]:
    index = tree.json.index(0, 0)
    while index.isValid():
        yield index
        index = tree.indexBelow(index)


def test_duplicate_keys_are_remarked_on(qtbot: QtBot, theme: Theme) -> None:
    """Ours; RFC 8259, section 4."""
    view = JsonView(theme=theme)
    qtbot.addWidget(view)

    view.set_raw(b'{"a": 1, "a": 2}')

    assert "duplicate key" in view.remarks()


def test_text_that_is_not_json_is_explained(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    view = JsonView(theme=theme)
    qtbot.addWidget(view)

    assert not view.set_raw(b"Server listening on 8080")

    assert view.remarks().startswith("Not JSON: ")
    assert view.tree.json.rowCount() == 0


def test_searching_goes_from_match_to_match_and_around(qtbot: QtBot, theme: Theme) -> None:
    """Ours: Ctrl+F filters what has focus."""
    view = JsonView(theme=theme)
    qtbot.addWidget(view)
    view.set_value({"a": ["Needle", "x"], "b": {"needle": 1}})

    found: list[str] = []
    for _ in range(3):
        view.find_next("needle")
        qtbot.waitUntil(lambda: view.find_bar.outcome() not in {"", "Searching…"}, timeout=20_000)
        node = view.tree.current()
        found.append(node.pointer() if node else "")

    assert found == ["/a/0", "/b/needle", "/a/0"]


def test_searching_for_nothing_that_is_there_says_so(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    view = JsonView(theme=theme)
    qtbot.addWidget(view)
    view.set_value(list(range(5000)))

    view.find_next("absent")

    qtbot.waitUntil(lambda: view.find_bar.outcome() == "Not found", timeout=20_000)


def test_the_menu_opens_without_a_nested_loop(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    tree = tree_of(qtbot, theme, {"a": 1})
    tree.reveal("/a")

    tree.customContextMenuRequested.emit(tree.visualRect(tree.currentIndex()).center())

    menu = tree.findChild(QMenu, "json_menu")
    assert menu is not None
    assert [action.text() for action in menu.actions()][:4] == [
        "Copy value",
        "Copy as JSON",
        "Copy key",
        "Copy path",
    ]
    menu.close()


def test_keys_are_whole_before_values_and_types_get_their_room(qtbot: QtBot, theme: Theme) -> None:
    """Ours: also of a tree that was filled before it was shown, and of one that is made narrower."""
    value: Json = {"inputSchema": {"properties": {"a_rather_long_name": "v" * 200}}}
    tree = JsonTree(theme=theme)
    qtbot.addWidget(tree)
    tree.set_value(value)
    tree.resize(420, 300)
    tree.show()
    tree.open_all()
    qtbot.waitUntil(lambda: tree.columnWidth(Column.KEY) >= tree.sizeHintForColumn(Column.KEY))

    tree.resize(300, 300)

    assert tree.isColumnHidden(Column.TYPE)
    assert tree.columnWidth(Column.KEY) < tree.viewport().width()
    tree.resize(900, 300)
    assert not tree.isColumnHidden(Column.TYPE)
    assert tree.columnWidth(Column.KEY) >= tree.sizeHintForColumn(Column.KEY)
