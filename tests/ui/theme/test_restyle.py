"""A change of theme or text size reaches every widget, and those that nobody sees only when they are shown; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QMargins, QSize, Qt, QTimer
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QStackedWidget,
    QStatusBar,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from resources import path
from tests.ui.counted import Counted
from ui.theme import tokens
from ui.theme.restyle import set_own_font
from ui.widgets.buttons import PushButton, link_button, push_button, set_primary
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import plain_label, set_tone
from ui.widgets.layout_parts import Space, column_layout, row_layout, space_in_row
from ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

SIZE = QSize(700, 1200)


def make_page() -> QWidget:
    """One of each kind of widget that the style sheet knows."""
    page = QWidget()
    column = QVBoxLayout(page)
    tabs, box, text = QTabBar(), QComboBox(), QPlainTextEdit("text")
    for label in ("Tools", "Prompts"):
        tabs.addTab(label)
        box.addItem(label)
    text.setProperty("surface", "sunken")
    button = QToolButton()
    button.setText("Tool")
    parts: tuple[QWidget, ...] = (
        push_button("Call", name="call", primary=True),
        push_button("Reconnect", name="reconnect"),
        link_button("Show in traffic", name="show"),
        plain_label("a warning", tone="warning"),
        plain_label("a title", tone="title"),
        SegmentedControl((("a", "Form"), ("b", "JSON"))),
        QLineEdit("field"),
        QCheckBox("check"),
        QSpinBox(),
        button,
        tabs,
        box,
        text,
    )
    for part in parts:
        column.addWidget(part)
    return page


def has_focus(stack: QStackedWidget) -> bool:
    return any(part.hasFocus() for part in stack.findChildren(QWidget))


def make_stack(qtbot: QtBot) -> QStackedWidget:
    stack = QStackedWidget()
    stack.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    qtbot.addWidget(stack)
    stack.addWidget(make_page())
    stack.addWidget(QLabel("in front"))
    stack.resize(SIZE)
    stack.show()
    return stack


CHANGES = [("dark", 1.0), ("light", 1.5), ("dark_contrast", 2.0), ("light_contrast", 1.0)]


@pytest.mark.parametrize("was_in_front", [True, False])
@pytest.mark.parametrize(("mode", "scale"), CHANGES)
def test_a_page_is_as_if_it_had_been_made_after_the_change(
    qapp: QApplication, qtbot: QtBot, theme: Theme, was_in_front: bool, mode: str, scale: float
) -> None:
    """Ours: in front or behind at the time of the change."""
    stack = make_stack(qtbot)
    stack.grab()
    if not was_in_front:
        stack.setCurrentIndex(1)

    theme.apply(qapp, mode, scale)
    stack.setCurrentIndex(0)

    fresh = make_stack(qtbot)
    for each in (stack, fresh):
        each.setFocus()
    qtbot.waitUntil(lambda: not has_focus(stack) and not has_focus(fresh))
    qtbot.waitUntil(lambda: stack.grab().toImage() == fresh.grab().toImage())


def test_a_change_of_colors_polishes_only_what_is_visible_and_lays_out_nothing(
    qapp: QApplication, qtbot: QtBot, theme: Theme
) -> None:
    """Ours: with every page made, there are thousands of widgets."""
    stack = make_stack(qtbot)
    page, visible = (stack.widget(at) for at in range(2))
    assert page is not None
    assert visible is not None
    hidden = page.findChild(QLineEdit)
    assert isinstance(hidden, QLineEdit)
    stack.setCurrentIndex(1)
    kinds = QEvent.Type.StyleChange, QEvent.Type.FontChange, QEvent.Type.LayoutRequest
    counts = [Counted(widget, kind) for widget in (hidden, visible) for kind in kinds]

    theme.apply(qapp, "dark")
    assert [each.count for each in counts] == [0] * len(counts)
    stack.setCurrentIndex(0)

    assert counts[0].count == 1


def test_a_part_that_was_measured_before_it_was_first_shown_is_polished(
    qapp: QApplication, qtbot: QtBot, theme: Theme
) -> None:
    """Ours: Qt polishes a widget when it is asked for its size, and what it is in only when that is shown."""
    around = QWidget()
    qtbot.addWidget(around)
    inner = QWidget(around)
    column = QVBoxLayout(inner)
    button = push_button("Reconnect", name="reconnect")
    column.addWidget(button)
    button.show()
    before = button.sizeHint()

    theme.apply(qapp, "light", 1.5)
    around.show()
    theme.apply(qapp, "light", 2.0)

    assert button.font().pointSizeF() == pytest.approx(theme.font().pointSizeF())
    assert button.sizeHint().height() == 2 * before.height()


def test_a_font_that_a_hidden_widget_is_given_is_there_when_it_is_shown(
    qapp: QApplication, qtbot: QtBot, theme: Theme
) -> None:
    """Ours: Qt would bring back the font of before."""
    stack = make_stack(qtbot)
    label = QLabel("small")
    stack.addWidget(label)
    label.setFont(theme.font(tokens.SMALL))
    theme.changed.connect(lambda: label.setFont(theme.font(tokens.SMALL)))
    stack.setCurrentWidget(label)
    stack.setCurrentIndex(1)

    theme.apply(qapp, "light", 2.0)
    stack.setCurrentWidget(label)

    assert label.font().pointSizeF() == theme.font(tokens.SMALL).pointSizeF()


def small_label(theme: Theme) -> QLabel:
    """A label that sets its font again whenever the theme changes."""
    label = plain_label("small")
    label.setFont(theme.font(tokens.SMALL))
    theme.changed.connect(lambda: label.setFont(theme.font(tokens.SMALL)))
    return label


def test_a_font_that_is_set_when_the_theme_changes_outlasts_another_tone_and_another_parent(
    qapp: QApplication, qtbot: QtBot, theme: Theme
) -> None:
    """Ours: Qt polishes for both, and would bring back the font of before."""
    stack = make_stack(qtbot)
    label, moved = small_label(theme), small_label(theme)
    other = QWidget()
    qtbot.addWidget(other)
    for part in (label, moved):
        stack.addWidget(part)
        stack.setCurrentWidget(part)

    theme.apply(qapp, "light", 2.0)
    set_tone(label, "error")
    moved.setParent(other)
    other.show()

    sizes = [part.font().pointSizeF() for part in (label, moved)]
    assert sizes == [theme.font(tokens.SMALL).pointSizeF()] * 2


def test_what_is_semibold_by_its_meaning_is_so_at_every_size_and_no_longer_without_it(
    qapp: QApplication, qtbot: QtBot, theme: Theme
) -> None:
    """Ours: titles and primary buttons."""
    box = QWidget()
    qtbot.addWidget(box)
    column = QVBoxLayout(box)
    title = plain_label("Frames", tone="title")
    button = push_button("Call", name="call", primary=True)
    for part in (title, button):
        column.addWidget(part)
    box.show()

    theme.apply(qapp, "light", 2.0)
    looks = [(part.font().weight(), part.font().pointSizeF()) for part in (title, button)]
    set_tone(title, "muted")
    set_primary(button, is_primary=False)
    theme.apply(qapp, "light", 1.5)

    assert looks == [(QFont.Weight.DemiBold, theme.font().pointSizeF() / 1.5 * 2)] * 2
    fonts = {(part.font().weight(), part.font().pointSizeF()) for part in (title, button)}
    assert fonts == {(QFont.Weight.Normal, theme.font().pointSizeF())}


def test_spaces_that_were_made_at_one_text_size_are_those_of_the_next(
    qapp: QApplication, qtbot: QtBot, theme: Theme
) -> None:
    """Ours: between parts, around them and as parts, also in layouts that have none of their own, and the same when a size comes back."""
    pages: list[QWidget] = []
    usual = [2, 3, 4, 6, 8, 12]
    for scale in tokens.SCALES:
        theme.apply(qapp, "light", scale)
        page = QWidget()
        qtbot.addWidget(page)
        outer = column_layout(page, space=theme.px(usual[0]), margins=theme.px(16))
        for space in usual[1:]:
            inner = row_layout(
                None, QLabel(), QLabel(), space=theme.px(space), margins=(1, 0, 0, 0)
            )
            outer.addLayout(inner)
        outer.addLayout(QHBoxLayout())
        flow = FlowLayout(theme.px(6))
        flow.addWidget(space_in_row(theme, 20))
        outer.addLayout(flow)
        page.show()
        pages.append(page)
    for scale in (*tokens.SCALES, *reversed(tokens.SCALES)):
        theme.apply(qapp, "light", scale)
        qapp.sendPostedEvents()
        expected = [theme.px(space) for space in (*usual, usual[0], 6)]
        for page in pages:
            layouts = page.findChildren(QBoxLayout) + page.findChildren(FlowLayout)
            assert [layout.spacing() for layout in layouts] == pytest.approx(expected, abs=1)
            outer, inner, *_ = layouts
            assert outer.contentsMargins().top() == pytest.approx(theme.px(16), abs=1)
            assert inner.contentsMargins().left() == 1
            spaces = page.findChildren(Space)
            assert [space.width() for space in spaces] == [theme.px(20)]
    for page in pages:
        layouts = page.findChildren(QBoxLayout) + page.findChildren(FlowLayout)
        assert [layout.spacing() for layout in layouts] == [*usual, usual[0], 6]


def test_a_text_size_is_applied_beside_layouts_of_qt_that_are_gone(
    qapp: QApplication, qtbot: QtBot, theme: Theme
) -> None:
    """Qt: the status bar makes another layout for each widget that is added; PySide keeps what was found of the one before."""
    bar = QStatusBar()
    qtbot.addWidget(bar)
    for scale in tokens.SCALES:
        bar.addWidget(QLabel())
        theme.apply(qapp, "light", scale)


def test_the_style_sheet_has_no_fonts() -> None:
    """Ours: what Qt remembers as the font of a widget is then always the one that the widget was given."""
    assert "font" not in path("style.qss").read_text("utf-8")


def test_a_part_that_was_hidden_while_it_was_out_of_date_is_polished_when_it_is_shown(
    qapp: QApplication, qtbot: QtBot, theme: Theme
) -> None:
    """Ours: pages hide and show their parts before they are in front."""
    stack = make_stack(qtbot)
    page = stack.widget(0)
    assert page is not None
    line = page.findChild(QLineEdit)
    segments = page.findChild(SegmentedControl)
    assert isinstance(line, QLineEdit)
    assert isinstance(segments, SegmentedControl)
    before = segments.size()
    stack.setCurrentIndex(1)

    theme.apply(qapp, "dark", 2.0)
    line.hide()
    stack.setCurrentIndex(0)
    line.show()

    qtbot.waitUntil(lambda: segments.height() == 2 * before.height())
    fresh = QLineEdit(page)
    fresh.show()
    assert line.palette().base() == fresh.palette().base()
    theme.apply(qapp, "light", 1.0)
    qtbot.waitUntil(lambda: segments.size() == before)


class Rearranger(QWidget):
    """Hides its parts when it gets another style and shows them later, as pages do that arrange their columns by the size of text."""

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            for part in self.parts():
                part.hide()
            QTimer.singleShot(0, self, self.show_parts)

    def parts(self) -> list[QWidget]:
        return self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)

    def show_parts(self) -> None:
        for part in self.parts():
            part.show()


def test_parts_that_are_rearranged_meanwhile_get_the_size_too(
    qapp: QApplication, qtbot: QtBot, theme: Theme
) -> None:
    """Ours: they were visible before and are visible after it."""
    page = Rearranger()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    for _ in range(10):
        box = QWidget()
        inner = QVBoxLayout(box)
        for at in range(10):
            inner.addWidget(push_button(str(at), name=f"button_{at}"))
        column.addWidget(box)
    page.show()
    for scale in (2.0, 1.0, 1.5):
        theme.apply(qapp, "light", scale)
        qtbot.waitUntil(lambda: all(part.isVisible() for part in page.parts()))
        sizes = {button.font().pointSizeF() for button in page.findChildren(PushButton)}
        assert sizes == {theme.font().pointSizeF()}


def test_a_margin_that_is_set_between_two_changes_of_the_text_size_follows_the_next(
    qtbot: QtBot, qapp: QApplication, theme: Theme
) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    layout = row_layout(page, QLabel(), space=0, margins=(8, 0, 0, 0))
    for scale in (2.0, 1.0):
        theme.apply(qapp, "light", scale)
    layout.setContentsMargins(8, 0, 10, 0)

    for scale in (2.0, 1.0):
        theme.apply(qapp, "light", scale)
        assert layout.contentsMargins() == QMargins(8, 0, 10, 0) * scale


def test_a_widget_that_was_never_shown_follows_the_size_of_the_text(
    qapp: QApplication, qtbot: QtBot, theme: Theme
) -> None:
    """Ours: Qt gives a new font only to widgets that it polished before."""
    around = QWidget()
    qtbot.addWidget(around)
    column = QVBoxLayout(around)
    later, title = plain_label("later"), plain_label("a title", tone="title")
    parts = [plain_label("now"), later, title, push_button("Call", name="call", primary=True)]
    for part in parts:
        column.addWidget(part)
    later.hide()

    theme.apply(qapp, "light", 2.0)
    around.show()
    later.show()

    assert {part.font().pointSizeF() for part in parts} == {theme.font().pointSizeF()}
    assert [part.font().weight() for part in parts[2:]] == [QFont.Weight.DemiBold] * 2


def test_a_font_that_a_polished_widget_is_given_outlasts_another_parent(
    qapp: QApplication, qtbot: QtBot, theme: Theme
) -> None:
    """Ours: Qt polishes what is to be visible, and brings back the font of then."""
    theme.apply(qapp, "light")
    first, second = QWidget(), QWidget()
    qtbot.addWidget(first)
    qtbot.addWidget(second)
    label = QLabel("tools/call", first)
    label.setVisible(True)

    set_own_font(label, theme.mono())
    label.setParent(second)

    assert label.font().family() == theme.mono().family()
