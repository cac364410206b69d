"""Lists of choices: as boxes to tick, and item by item; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QPushButton

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.ui.widgets.form.player import Player
    from ui.widgets.form import Form

PICKS: JsonObject = {"type": "array", "items": {"enum": ["a", "b", "c"]}}
SCHEMA: Json = {"type": "object", "properties": {"v": PICKS}}


def tick(player: Player, at: int) -> None:
    player.find(QCheckBox, f"pick:/v/{at}").click()


@pytest.mark.parametrize(
    ("text", "ticked", "expected"),
    [
        ("{}", [2, 0], '{"v":["a","c"]}'),
        ('{"v":["c","a"]}', [1], '{"v":["c","a","b"]}'),
        ('{"v":["c","a","b"]}', [0], '{"v":["c","b"]}'),
        ('{"v":["b"]}', [1], "{}"),
    ],
)
def test_ticking_keeps_the_order_that_there_is(
    form: Form, player: Player, text: str, ticked: list[int], expected: str
) -> None:
    """Ours: without any, it is the order of the schema."""
    player.show(SCHEMA)
    form.set_text(text)

    for at in ticked:
        tick(player, at)

    assert form.text() == expected


def test_items_are_put_in_order_and_repeated_one_by_one(form: Form, player: Player) -> None:
    """Ours."""
    player.show(SCHEMA)
    tick(player, 0)
    tick(player, 1)
    player.find(QPushButton, "as list:/v").click()

    player.add("/v")
    player.choose("/v/2", "a")
    move = player.row("/v/1").context.move
    assert move is not None
    move(-1)

    assert form.text() == '{"v":["b","a","a"]}'
    assert player.find(QPushButton, "as list:/v").isHidden()
    player.press_in_row("/v/2", "remove")
    player.find(QPushButton, "as list:/v").click()
    assert player.find(QCheckBox, "pick:/v/0").isVisible()
    assert form.text() == '{"v":["b","a"]}'


@pytest.mark.parametrize("text", ['{"v":["a","a"]}', '{"v":["z"]}', '{"v":[null,{"x":1}]}'])
def test_a_list_that_boxes_cannot_show_is_shown_item_by_item(
    form: Form, player: Player, text: str
) -> None:
    """Ours: it is not edited as JSON, and stays as it is."""
    player.show(SCHEMA)

    form.set_text(text)

    assert not player.has("json:/v")
    assert player.has("row:/v/0")
    assert form.text() == text


def test_problems_of_items_are_told_at_them(form: Form, player: Player) -> None:
    """Ours."""
    player.show(SCHEMA)
    form.set_text('{"v":["a","z"]}')
    player.validate()

    assert player.words("/v/1", "problem")
    assert player.has("json:/v/1")
    assert player.find(QComboBox, "field:/v/0").currentText() == "a"


def test_items_stay_a_list_when_the_schema_changes(form: Form, player: Player) -> None:
    """Ours: what the user asked for is kept."""
    player.show(SCHEMA)
    form.set_text('{"v":["b","a"]}')
    player.find(QPushButton, "as list:/v").click()

    form.set_schema({"properties": {"v": PICKS, "w": PICKS}}, form.text(), again=True)

    assert player.has("row:/v/0")
    assert form.text() == '{"v":["b","a"]}'
