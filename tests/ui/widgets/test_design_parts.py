"""Parts of the design have the size that they are designed with, at every text scale."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ui.theme.signs import SIGN_OF_TONE, Sign
from ui.theme.stylesheet import NOTICE_TONES
from ui.widgets.badge import Badge
from ui.widgets.buttons import link_button, push_button, tool_button
from ui.widgets.code_text import CodeText
from ui.widgets.dialog_parts import (
    DialogFoot,
    DialogSize,
    DialogTitle,
    destructive_button,
    set_size,
)
from ui.widgets.empty_state import EmptyState
from ui.widgets.key_values import FORM_LABEL_WIDTH, KeyValue, KeyValues
from ui.widgets.notice import Notice
from ui.widgets.segmented_control import SegmentedControl, ViewLinks
from ui.widgets.toggle_button import ToggleButton

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

VIEWS = (("form", "Form"), ("json", "JSON"), ("schema", "Schema"))
SCALES = (1.0, 1.5, 2.0)


@pytest.fixture(params=SCALES)
def scaled(request: pytest.FixtureRequest, qapp: QApplication, theme: Theme) -> Theme:
    theme.apply(qapp, "light", request.param)
    return theme


def in_a_row(qtbot: QtBot, *parts: QWidget) -> QWidget:
    around = QWidget()
    qtbot.addWidget(around)
    row = QHBoxLayout(around)
    row.setContentsMargins(0, 0, 0, 0)
    for part in parts:
        row.addWidget(part)
    row.addStretch(1)
    around.resize(1200, 100)
    around.show()
    return around


def test_segments_are_26_pixels_high_and_can_be_hit_over_their_whole_height(
    qtbot: QtBot, scaled: Theme
) -> None:
    """Ours; WCAG 2.2, 2.5.8."""
    segments = SegmentedControl(VIEWS)
    _around = in_a_row(qtbot, segments)

    assert segments.height() == scaled.px(26)
    buttons = segments.findChildren(QToolButton)
    assert {button.height() for button in buttons} == {segments.height()}


def test_segments_that_do_not_fit_become_a_list_that_selects_the_same(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: no label is elided."""
    segments = SegmentedControl(VIEWS)
    around = in_a_row(qtbot, segments)
    chosen: list[str] = []
    segments.chosen.connect(chosen.append)

    segments.choose("json")
    around.resize(segments.sizeHint().width() - 1, 100)

    box = segments.findChild(QComboBox)
    assert isinstance(box, QComboBox)
    qtbot.waitUntil(box.isVisible)
    assert (box.currentText(), segments.current(), segments.height()) == ("JSON", "json", 26)
    assert not any(button.isVisible() for button in segments.findChildren(QToolButton))
    box.setCurrentIndex(2)
    box.activated.emit(2)
    assert (segments.current(), chosen) == ("schema", ["schema"])
    around.resize(1200, 100)
    qtbot.waitUntil(box.isHidden)
    assert all(button.isVisible() for button in segments.findChildren(QToolButton))


def test_the_focus_stays_where_segments_become_a_list(qtbot: QtBot, theme: Theme) -> None:
    """Ours; WCAG 2.2, 2.4.7: it is not lost with the hidden button."""
    segments = SegmentedControl(VIEWS)
    around = in_a_row(qtbot, segments)
    qtbot.waitUntil(around.isActiveWindow)
    first = segments.findChild(QToolButton, "segments_form")
    assert isinstance(first, QToolButton)
    first.setFocus()

    around.resize(segments.sizeHint().width() - 1, 100)

    box = segments.findChild(QComboBox)
    assert isinstance(box, QComboBox)
    qtbot.waitUntil(box.hasFocus)
    around.resize(1200, 100)
    qtbot.waitUntil(first.hasFocus)


def test_a_longer_label_makes_a_list_of_segments_only_where_there_is_less_width(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: counts come and go."""
    segments = SegmentedControl(VIEWS)
    around = in_a_row(qtbot, segments)
    around.resize(segments.sizeHint().width(), 100)
    assert segments.findChild(QComboBox) is None

    segments.set_label("json", "JSON with a long label")
    qtbot.waitUntil(lambda: segments.findChild(QComboBox) is not None)
    box = segments.findChild(QComboBox)
    assert isinstance(box, QComboBox)
    assert box.isVisible()
    segments.set_label("json", "JSON")

    qtbot.waitUntil(box.isHidden)


def test_everything_that_is_pressed_is_large_enough(qtbot: QtBot, scaled: Theme) -> None:
    """Ours; WCAG 2.2, 2.5.8: 24 by 24 pixels."""
    links = ViewLinks((("t", "T"), ("raw", "Raw")))
    parts: list[QWidget] = [
        push_button("X", name="a"),
        link_button("X", name="b"),
        tool_button(scaled, Sign.CLOSE, "Close", name="c"),
        destructive_button("X", name="d"),
        ToggleButton("X", theme=scaled, name="e"),
        *links.findChildren(QToolButton),
    ]
    _around = in_a_row(qtbot, *parts[:5], links)

    least = scaled.px(24)
    small = [part.objectName() for part in parts if min(part.width(), part.height()) < least]
    assert small == []


def test_a_toggle_is_marked_and_keeps_its_width(qtbot: QtBot, theme: Theme) -> None:
    """Ours; WCAG 2.2, 1.4.1: not by color alone."""
    toggle = ToggleButton("Errors 3", theme=theme, name="errors")
    _around = in_a_row(qtbot, toggle)
    before, off = toggle.width(), toggle.icon().cacheKey()

    toggle.click()

    assert (toggle.isChecked(), toggle.width(), toggle.height()) == (True, before, 24)
    assert toggle.icon().cacheKey() != off


def test_a_badge_is_18_pixels_high(qtbot: QtBot, scaled: Theme) -> None:
    """Ours."""
    badge = Badge("read-only", theme=scaled)
    _around = in_a_row(qtbot, badge)

    assert badge.height() == scaled.px(18)
    assert badge.width() > QFontMetrics(scaled.font(0.9)).horizontalAdvance("read-only")


def test_a_notice_has_a_sign_and_a_sentence_and_is_hidden_before(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours; WCAG 2.2, 1.4.1."""
    notice = Notice(theme=theme, name="notice", tone="warning")
    _around = in_a_row(qtbot, notice)
    assert notice.isHidden()

    notice.add_button("Accept", name="accept")
    notice.add_link("Show frame", name="frame")
    notice.set_text("The issuer differs.", "Expected `a`, received `b`.", tone="error")

    assert notice.isVisible()
    assert notice.property("background") == "error"
    assert notice.accessibleName() == "The issuer differs. Expected `a`, received `b`."
    buttons = notice.findChildren(QPushButton)
    assert [button.objectName() for button in buttons] == ["accept", "frame"]
    assert NOTICE_TONES.keys() <= SIGN_OF_TONE.keys()


def test_the_foot_of_a_dialog_is_46_pixels_high_with_the_destructive_button_far_away(
    qtbot: QtBot, scaled: Theme
) -> None:
    """Ours."""
    dialog = QWidget()
    qtbot.addWidget(dialog)
    column = QVBoxLayout(dialog)
    title = DialogTitle(theme=scaled, name="title", sign=Sign.SAMPLING, parent=dialog)
    foot = DialogFoot(theme=scaled, name="foot", parent=dialog)
    title.set_text("Sampling")
    reject, later = destructive_button("Reject", name="r"), push_button("Later", name="l")
    send = push_button("Send", name="s", primary=True)
    foot.add_left(reject)
    foot.add_right(later)
    foot.add_right(send)
    for part in (title, foot):
        column.addWidget(part)
    column.addStretch(1)
    set_size(dialog, scaled, DialogSize.SMALL)
    dialog.resize(dialog.width(), scaled.px(300))
    dialog.show()

    assert (title.height(), foot.height()) == (scaled.px(40), pytest.approx(scaled.px(46), abs=1))
    assert reject.x() == scaled.px(16)
    assert send.geometry().right() + 1 == foot.width() - scaled.px(16)
    assert later.geometry().right() < send.x()


def test_lines_of_names_and_values_are_20_pixels_high_and_on_one_baseline(
    qtbot: QtBot, scaled: Theme
) -> None:
    """Ours: whatever the fonts."""
    facts = KeyValues(theme=scaled, label_width=FORM_LABEL_WIDTH)
    qtbot.addWidget(facts)
    facts.resize(scaled.px(400), facts.sizeHint().height())
    facts.show()
    facts.set_facts([KeyValue("a", "1"), KeyValue("b", "2", mono=False), KeyValue("c", "3")])
    qtbot.waitUntil(lambda: len(facts.findChildren(QLabel)) == 6)
    labels = facts.findChildren(QLabel)
    names, values = labels[::2], labels[1::2]
    qtbot.waitUntil(lambda: names[1].y() > 0)
    row = scaled.px(20)

    assert [name.y() for name in names] == [0, row, 2 * row]
    for name, value in zip(names, values, strict=True):
        assert baseline_of(name) == baseline_of(value)
        assert value.x() >= scaled.px(FORM_LABEL_WIDTH)


def baseline_of(label: QLabel) -> int:
    return label.y() + label.contentsMargins().top() + QFontMetrics(label.font()).ascent()


def test_an_empty_state_is_narrow_and_its_middle_is_above_that_of_the_area(
    qtbot: QtBot, scaled: Theme
) -> None:
    """Ours: 420 pixels at most, at 40 % of the height; an icon only where one is asked for."""
    state = EmptyState("No tasks", "word " * 60, theme=scaled, action="Show tools")
    qtbot.addWidget(state)
    state.resize(scaled.px(900), scaled.px(700))
    state.show()
    block = state.findChild(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert isinstance(block, QWidget)

    assert block.width() == scaled.px(420)
    assert abs(block.geometry().center().x() - state.rect().center().x()) <= 1
    assert abs(block.y() + block.height() / 2 - state.height() * 0.4) <= 1
    pictures = [label for label in state.findChildren(QLabel) if not label.pixmap().isNull()]
    assert pictures == []


def test_a_frame_around_the_focus_moves_nothing(qtbot: QtBot, theme: Theme) -> None:
    """Ours; WCAG 2.2, 2.4.7: it takes the padding of the part."""
    area, code = QScrollArea(), CodeText(theme=theme, name="code")
    area.setWidget(QLabel("content"))
    around = in_a_row(qtbot, area, code, push_button("X", name="x"))
    qtbot.waitUntil(around.isActiveWindow)
    for part in (area, code):
        other = code if part is area else area
        other.setFocus()
        before = part.viewport().geometry()

        part.setFocus()

        assert part.viewport().geometry() == before
        assert before.x() >= 2  # what the frame takes
