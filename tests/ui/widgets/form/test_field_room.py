"""Label, field, type, help and messages: where each is, and that none moves or covers another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from ui.widgets.combo_boxes import NoWheelComboBox
from ui.widgets.field_label import FieldLabel
from ui.widgets.form.field_help import FieldHelp
from ui.widgets.form.layout import Help
from ui.widgets.form.row import Row
from ui.widgets.form.text_inputs import TypedLineEdit

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import JsonObject
    from tests.ui.widgets.form.player import Player
    from ui.theme import Theme
    from ui.widgets.form import Form

SCALES = pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])

MIN_DISTANCE = 8
"""Pixels between a value and the type."""

FIELDS: JsonObject = {
    "type": "object",
    "required": ["xxx", "bare"],
    "properties": {
        "xxx": {"type": "string", "description": "a name"},
        "days": {"type": "integer", "maximum": 3},
        "bare": {"type": "string"},
        "unit": {"enum": ["celsius", "kelvin"], "description": "temperature"},
        "list": {"type": "array", "items": {"type": "integer"}, "uniqueItems": True},
        "last": {"type": "string", "description": "the end"},
    },
}


@pytest.fixture
def large(form: Form, theme: Theme, qapp: QApplication, scale: float) -> Form:
    """A form with text of the size of the test."""
    theme.apply(qapp, "light", scale)
    return form


def area_in(form: Form, widget: QWidget) -> QRect:
    return QRect(widget.mapTo(form, QPoint()), widget.size())


def label_of(player: Player, pointer: str) -> FieldLabel:
    return player.row(pointer).findChildren(FieldLabel)[0]


def help_of(player: Player, pointer: str) -> FieldHelp:
    return player.row(pointer).findChildren(FieldHelp)[0]


@SCALES
def test_the_type_never_touches_the_value(
    form: Form, player: Player, theme: Theme, qapp: QApplication, scale: float
) -> None:
    """Ours: and leaves when the value needs its room."""
    theme.apply(qapp, "light", scale)
    form.resize(round(420 * scale), 700)
    player.show(FIELDS)
    line = player.find(TypedLineEdit, "field:/xxx")
    had_hint: list[bool] = []

    for count in range(1, 80):
        line.setText("m" * count)
        had_hint.append(line.has_hint())
        end = line.text_rect().left() + line.fontMetrics().horizontalAdvance(line.text())
        if line.has_hint():
            assert line.hint_rect().left() - end >= MIN_DISTANCE * scale
            assert line.hint_rect().right() < line.rect().right()
        else:
            assert line.textMargins().right() == 0

    assert had_hint[0]
    assert not had_hint[-1]
    assert had_hint == sorted(had_hint, reverse=True)


def test_the_type_of_a_choice_never_touches_the_value(form: Form, player: Player) -> None:
    """Ours."""
    player.show(FIELDS)
    form.set_text('{"unit":"celsius"}')
    box = player.find(NoWheelComboBox, "field:/unit")
    value = box.fontMetrics().horizontalAdvance("celsius")

    assert box.hint_rect().left() - value >= MIN_DISTANCE
    box.set_hint("x" * 400)
    assert box.hint_rect().isEmpty()


def test_what_is_required_is_marked_in_small_letters(form: Form, player: Player) -> None:
    """Ours; WCAG 2.2, 1.3.1: the accessible name says the same."""
    player.show(FIELDS)
    required, optional = label_of(player, "/xxx"), label_of(player, "/last")

    assert required.whole_text() == "xxx"
    assert required.note() == "required"
    assert required.accessibleName() == "xxx (required)"
    assert not required.font().bold()
    assert optional.note() == ""
    assert optional.accessibleName() == "last"


def test_help_is_close_to_its_field_and_away_from_the_next(form: Form, player: Player) -> None:
    """Ours: 3 and 10 pixels."""
    player.show(FIELDS)
    field = area_in(form, player.find(QLineEdit, "field:/xxx"))
    text = area_in(form, help_of(player, "/xxx"))
    following = area_in(form, player.find(QLineEdit, "field:/days"))

    assert text.top() - field.bottom() - 1 == 3
    assert following.top() - text.bottom() - 1 == 10


@SCALES
@pytest.mark.parametrize(("width", "is_beside"), [(330, False), (350, False), (400, True)])
def test_labels_are_above_their_fields_in_a_narrow_form(
    large: Form, player: Player, qtbot: QtBot, scale: float, width: int, is_beside: bool
) -> None:
    """Ours: narrow by the size of the text."""
    form = large
    player.show(FIELDS)
    form.resize(round(width * scale), 1200)

    def is_arranged() -> bool:
        label = area_in(form, label_of(player, "/bare"))
        field = area_in(form, player.find(QLineEdit, "field:/bare"))
        if is_beside:
            return label.right() < field.left() and label.bottom() == field.bottom()
        is_close = field.top() - label.bottom() - 1 == round(3 * scale)
        is_low = label.height() == label_of(player, "/bare").fontMetrics().height()
        return is_close and is_low and label.left() == field.left()

    qtbot.waitUntil(is_arranged, timeout=20_000)


def test_a_wide_form_leaves_the_rest_empty(form: Form, player: Player, qtbot: QtBot) -> None:
    """Ours: a line is read up to 640 pixels."""
    form.resize(1200, 700)
    player.show(FIELDS)
    qtbot.waitUntil(lambda: area_in(form, label_of(player, "/xxx")).width() > 100, timeout=20_000)
    menus = [area_in(form, row).right() for row in form.findChildren(Row)]

    assert max(menus) < 640
    assert area_in(form, label_of(player, "/xxx")).left() < 20


def lowest_ink(image: QImage, area: QRect) -> int:
    """The lowest row of `area` in which something is as dark as text."""
    rows = range(area.bottom(), area.top() - 1, -1)
    dark = (
        y
        for y in rows
        if any(image.pixelColor(x, y).lightness() < 110 for x in range(area.left(), area.right()))
    )
    return next(dark)


@SCALES
def test_label_and_value_stand_on_one_baseline(
    form: Form, player: Player, theme: Theme, qapp: QApplication, scale: float
) -> None:
    """Ours."""
    theme.apply(qapp, "light", scale)
    form.resize(round(500 * scale), round(700 * scale))
    player.show(FIELDS)
    form.set_text('{"xxx":"xxx"}')
    player.settle()
    image = form.grab().toImage()
    label = area_in(form, label_of(player, "/xxx"))
    label.setWidth(label_of(player, "/xxx").fontMetrics().horizontalAdvance("xxx"))
    line = player.find(TypedLineEdit, "field:/xxx")
    value = line.text_rect().translated(line.mapTo(form, QPoint()))
    value.setWidth(line.fontMetrics().horizontalAdvance("xxx"))

    assert lowest_ink(image, label) == lowest_ink(image, value)


def places(form: Form) -> dict[str, QRect]:
    """Where everything is that the pointer may be on, but what tells of problems."""
    parts = [*form.findChildren(Row), *form.findChildren(QLineEdit)]
    return {part.objectName(): area_in(form, part) for part in parts}


@pytest.mark.parametrize("width", [340, 420])
def test_a_message_about_a_value_moves_nothing(
    form: Form, player: Player, qtbot: QtBot, width: int
) -> None:
    """Ours: of a field with help, without, and of an array; and it is whole in the tool tip."""
    form.resize(width, 900)
    player.show(FIELDS)
    form.set_text('{"xxx":"a","days":1,"bare":"b","list":[1,2],"last":"c"}')
    player.settle()
    before = places(form)

    form.set_text('{"days":1000,"list":[1.5,1.5],"last":""}')
    qtbot.waitUntil(lambda: "3" in help_of(player, "/days").message(), timeout=20_000)
    player.validate()
    player.settle()

    after = places(form)
    assert {name: after[name] for name in before} == before
    assert not help_of(player, "/days").findChildren(QLabel, "hint")[0].isVisible()
    assert help_of(player, "/bare").message()
    assert player.words("/list", "problem")
    form.set_text('{"xxx":"a","bare":"b","list":[1,2]}')
    qtbot.waitUntil(lambda: not help_of(player, "/days").message(), timeout=20_000)
    assert help_of(player, "/days").findChildren(QLabel, "hint")[0].isVisible()


def test_a_long_message_is_cut_and_whole_in_its_tool_tip(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    text = "this value is wrong because " * 8 + "of the end"
    made = FieldHelp(theme=theme)
    qtbot.addWidget(made)
    made.set_help(Help("short"))
    made.show()
    height = made.sizeHint().height()
    made.resize(200, height)

    made.show_message(text, "error", "problem")
    label = made.findChild(QLabel, "problem")

    assert isinstance(label, QLabel)
    assert label.text().endswith("…")
    assert "of the end" in label.toolTip()
    assert "short" in label.toolTip()
    assert label.accessibleName() == text
    assert made.sizeHint().height() == height
    made.resize(5000, height)
    assert label.text() == text
