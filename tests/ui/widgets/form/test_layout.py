"""Every text of a form is whole whenever it is painted, in any width; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtWidgets import QLabel, QLineEdit, QScrollArea

from ui.widgets.field_label import FieldLabel
from ui.widgets.form import layout
from ui.widgets.form.layout import WrappedLabel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json, JsonObject
    from tests.ui.widgets.form.player import Player
    from ui.theme import Theme
    from ui.widgets.form import Form

WORDS = f"{'several words ' * 10}and the last ones count"
INNER: JsonObject = {
    "type": "object",
    "properties": {
        "limit": {"type": "integer", "description": WORDS, "maximum": 500},
        "name": {"type": "string", "description": WORDS},
        "kind": {"enum": ["a", "b"], "description": WORDS},
        "map": {"type": "object", "additionalProperties": True, "description": WORDS},
    },
}


def nested(levels: int) -> Json:
    """Lists of objects in lists of objects."""
    schema: JsonObject = INNER
    for level in range(levels):
        listed: JsonObject = {"type": "array", "items": schema, "description": WORDS}
        properties: JsonObject = {f"level_{levels - level}": listed}
        schema = {"type": "object", "properties": properties}
    return schema


def filled(levels: int) -> str:
    text = '{"limit":1000,"name":1}'
    for level in range(levels):
        text = f'{{"level_{levels - level}":[{text},{text if level == 0 else "{}"}]}}'
    return text


class Painted(QObject):
    """Sees each label that is painted in less height than its text takes."""

    def __init__(self) -> None:
        super().__init__()
        self.cut: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and is_cut(watched):
            assert isinstance(watched, WrappedLabel)
            self.cut.append(f"{watched.objectName()} {watched.width()}x{watched.height()}")
        return False


def is_cut(thing: QObject) -> bool:
    return isinstance(thing, WrappedLabel) and thing.height() < thing.heightForWidth(thing.width())


@pytest.fixture
def painted(qapp: QApplication) -> Iterator[Painted]:
    spy = Painted()
    qapp.installEventFilter(spy)
    yield spy
    qapp.removeEventFilter(spy)


def settle(form: Form, player: Player, qtbot: QtBot) -> None:
    player.settle()
    qtbot.waitUntil(lambda: not any(map(is_cut, seen(form))), timeout=20_000)


def seen(form: Form) -> list[WrappedLabel]:
    return [label for label in form.findChildren(WrappedLabel) if label.isVisible()]


@pytest.mark.parametrize("width", [300, 333, 420, 425, 700])
def test_texts_deep_in_a_form_are_whole(
    width: int, form: Form, player: Player, qtbot: QtBot
) -> None:
    """Ours: those of findings too, and after the form was made wider or narrower."""
    form.resize(420, 700)
    player.show(nested(4))
    form.set_text(filled(4))
    form.reveal("/level_1/0/level_2/0/level_3/0/level_4/0/limit")
    settle(form, player, qtbot)

    form.resize(width, 700)
    player.validate()
    settle(form, player, qtbot)

    message = [label.text() for label in seen(form)]
    assert sum("last ones count" in text for text in message) >= 8
    problems = [label.text() for label in form.findChildren(QLabel, "problem")]
    assert any("500" in text and "must" in text for text in problems)


@pytest.fixture(params=[1.0, 2.0])
def scaled(
    request: pytest.FixtureRequest,
    form: Form,
    theme: Theme,
    qapp: QApplication,
    monkeypatch: pytest.MonkeyPatch,
) -> Form:
    """A form of which rows are made one at a time, as on a slow computer, with letters of either size."""
    monkeypatch.setattr(layout, "TURN_SECONDS", 0.0)
    theme.apply(qapp, "light", request.param)
    form.resize(640, 700)
    return form


def test_what_is_not_laid_out_yet_is_not_painted(
    scaled: Form, player: Player, painted: Painted, qtbot: QtBot
) -> None:
    """Ours."""
    form = scaled
    player.show(nested(3))
    form.set_text(filled(3))
    form.reveal("/level_1/0/level_2/0/level_3/1/limit")
    settle(form, player, qtbot)

    player.validate()
    settle(form, player, qtbot)

    assert painted.cut == []


def test_where_labels_stand_does_not_depend_on_the_scroll_bar(
    form: Form, player: Player, qtbot: QtBot
) -> None:
    """Ours: it depends on their height, which depends on where they stand; Qt would change both until it has no stack left."""
    described: JsonObject = {"type": "string", "description": WORDS}
    player.show({"type": "object", "properties": dict.fromkeys("abc", described)})
    scroll, name = form.findChild(QScrollArea), form.findChild(FieldLabel)
    field = player.find(QLineEdit, "field:/a")
    assert scroll is not None
    assert name is not None
    bar = scroll.verticalScrollBar()
    for width in range(350, 390, 4):
        found: list[bool] = []
        for height in (700, 120):
            form.resize(width, height)
            qtbot.waitUntil(lambda low=height < 700: bar.isVisible() is low)
            layout.lay_out_now()
            found.append(
                name.mapTo(form, QPoint(0, name.height())).y() <= field.mapTo(form, QPoint()).y()
            )
        assert found[0] is found[1], width
