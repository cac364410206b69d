"""A panel that prepares a request, where it is lower than its parts need."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QTextCursor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from ui.request.panel import MIN_BODY_PIXELS, RequestColumn
from ui.widgets.inner_scroll import InnerScroll
from ui.widgets.json_tree import JsonTree
from ui.widgets.json_view import JsonView
from ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


def labels(*texts: str) -> list[QWidget]:
    made: list[QWidget] = []
    for text in texts:
        label = QLabel(text)
        label.setWordWrap(True)
        made.append(label)
    return made


@pytest.mark.parametrize("height", [140, 260, 700])
def test_parts_never_overlap_and_the_row_is_always_in_sight(
    qtbot: QtBot, theme: Theme, height: int
) -> None:
    """Ours: what there is no room for is scrolled to."""
    above, below = labels("heading", "word " * 60), [*labels("headers"), QSpinBox()]
    body, row = QPlainTextEdit(), QLabel("row")
    panel = RequestColumn(above, body, below, row=row, theme=theme)
    qtbot.addWidget(panel)
    panel.resize(300, height)
    panel.show()
    area = panel.findChild(QScrollArea, "request_column")
    assert area is not None
    inner = area.widget()
    assert inner is not None
    assert inner.isAncestorOf(body)

    def are_apart() -> bool:
        tops = [(w.mapTo(inner, QPoint()).y(), w.height()) for w in (*above, body, *below)]
        return all(top + high <= next_top for (top, high), (next_top, _) in pairwise(tops))

    qtbot.waitUntil(
        lambda: are_apart() and inner.width() <= area.viewport().width(), timeout=20_000
    )

    assert body.height() >= theme.px(MIN_BODY_PIXELS)
    assert row.geometry().bottom() < panel.height()
    assert area.verticalScrollBar().maximum() == max(inner.height() - area.viewport().height(), 0)
    assert (height == 700) == (area.verticalScrollBar().maximum() == 0)


def test_the_panel_is_as_wide_as_what_scrolls_in_it(qtbot: QtBot, theme: Theme) -> None:
    """Ours: nothing is cut at its side."""
    wide = QLabel("w" * 100)
    panel = RequestColumn([], QPlainTextEdit(), [wide], row=QLabel(), theme=theme)
    qtbot.addWidget(panel)

    assert panel.minimumSizeHint().width() > wide.minimumSizeHint().width()


def test_a_panel_that_gets_too_little_width_squeezes_its_parts(qtbot: QtBot, theme: Theme) -> None:
    """Ours: nothing is cut at the side."""
    body = QPlainTextEdit()
    panel = RequestColumn([], body, [QLabel("w" * 100)], row=QLabel(), theme=theme)
    around = QWidget()
    qtbot.addWidget(around)
    panel.setParent(around)
    panel.setGeometry(0, 0, 200, 300)
    around.resize(400, 400)
    around.show()

    qtbot.waitUntil(lambda: 0 < body.width() < 200, timeout=20_000)
    assert body.mapTo(panel, QPoint(body.width(), 0)).x() <= panel.width()


def test_fields_without_height_for_a_scroll_bar_of_their_own_scroll_with_the_column(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: there are never two scroll bars side by side, and what is below the fields can be reached."""
    fields, last = QWidget(), QLabel("last")
    column = QVBoxLayout(fields)
    for label in labels(*("a field " * 9 for _ in range(12))):
        column.addWidget(label)
    column.addWidget(last)
    inner, body = InnerScroll(fields), QStackedWidget()
    body.addWidget(inner)
    above, below = labels("heading", "word " * 60), labels("below")
    panel = RequestColumn(above, body, below, row=QLabel("row"), theme=theme)
    qtbot.addWidget(panel)
    panel.show()
    outer = panel.findChild(QScrollArea, "request_column")
    assert outer is not None
    seen: set[tuple[bool, bool]] = set()
    for height in (*range(500, 100, -20), *range(100, 900, 40)):
        panel.resize(300, height)
        qtbot.waitUntil(lambda: is_settled(outer) and is_settled(inner))
        if outer.verticalScrollBar().isVisible():  # then all fields are in it
            assert fields.height() <= inner.viewport().height()
        seen.add((outer.verticalScrollBar().isVisible(), inner.verticalScrollBar().isVisible()))
    assert seen == {(False, True), (True, False), (False, False)}

    body.removeWidget(inner)
    inner.deleteLater()
    qtbot.waitUntil(lambda: not isValid(inner))
    body.addWidget(QLabel("other"))
    panel.resize(300, 60)
    assert body.minimumHeight() == theme.px(MIN_BODY_PIXELS)


def test_a_text_without_height_for_a_scroll_bar_of_its_own_moves_with_the_column(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: one scroll bar, the wheel and the keys reach all of it, what is above it and what is below."""
    text, (above,), (below,) = QPlainTextEdit("line\n" * 200), labels("word " * 60), labels("below")
    panel = RequestColumn([above], text, [below], row=QLabel("row"), theme=theme)
    qtbot.addWidget(panel)
    panel.resize(300, 160)
    panel.show()
    outer = panel.findChild(QScrollArea, "request_column")
    assert outer is not None
    bar, inside = outer.verticalScrollBar(), text.verticalScrollBar()
    qtbot.waitUntil(lambda: is_settled(outer) and bar.maximum() > inside.maximum() > 0)
    assert bar.isVisible()
    assert not inside.isVisible()
    assert text.height() == outer.viewport().height()

    def top(widget: QWidget) -> int:
        return widget.mapTo(outer.viewport(), QPoint()).y()

    place = QPointF(text.viewport().rect().center())
    wheel = QWheelEvent(
        *(place, text.mapToGlobal(place), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton),
        *(Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False),
    )
    QCoreApplication.sendEvent(text.viewport(), wheel)
    assert top(above) < 0
    assert inside.value() == 0
    QTest.keyClick(text, Qt.Key.Key_Down)
    assert top(text) == 0
    bar.setValue(bar.maximum() // 2)
    assert top(text) == 0
    assert 0 < inside.value() < inside.maximum()
    bar.setValue(bar.maximum())
    assert inside.value() == inside.maximum()
    assert top(below) + below.height() <= outer.viewport().height()
    text.moveCursor(QTextCursor.MoveOperation.Start)
    assert (top(text), inside.value()) == (0, 0)
    outer.ensureWidgetVisible(below)
    assert inside.value() == inside.maximum()

    panel.resize(300, 900)
    qtbot.waitUntil(lambda: is_settled(outer) and is_settled(text))
    assert inside.isVisible()
    assert not bar.isVisible()


def test_a_text_keeps_its_place_when_the_panel_or_another_part_gets_another_height(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: also when the panel becomes so low that the text moves with the column."""
    text, above = QPlainTextEdit("line\n" * 200), QLabel("word " * 60, wordWrap=True)
    panel = RequestColumn([above], text, labels("below"), row=QLabel("row"), theme=theme)
    qtbot.addWidget(panel)
    panel.resize(300, 900)
    panel.show()
    outer = panel.findChild(QScrollArea, "request_column")
    assert outer is not None
    bar, inside = outer.verticalScrollBar(), text.verticalScrollBar()
    qtbot.waitUntil(lambda: is_settled(outer) and inside.isVisible())

    def place() -> tuple[int, int]:
        return text.mapTo(outer.viewport(), QPoint()).y(), inside.value()

    inside.setValue(100)
    for height in (160, 120):
        panel.resize(300, height)
        qtbot.waitUntil(lambda: is_settled(outer) and text.height() == outer.viewport().height())
        assert place() == (0, 100)
    before = above.height()
    above.setText("word " * 100)
    qtbot.waitUntil(lambda: is_settled(outer) and above.height() > before)
    assert place() == (0, 100)
    bar.setValue(bar.value() + text.fontMetrics().lineSpacing())
    assert place() == (0, 101)


@pytest.mark.parametrize("kind", [TextView, JsonView])
@pytest.mark.parametrize("count", [2, 300])
def test_what_is_found_in_a_low_panel_is_in_sight_with_the_field_for_it(
    qtbot: QtBot, theme: Theme, kind: type[TextView | JsonView], count: int
) -> None:
    """Ours: a match within the view moves nothing in it, so the column has to move; also for the same match again."""
    body = kind(theme=theme)
    body.set_raw(b"[\n%s]" % b",\n".join(b'"line %d"' % number for number in range(count)))
    panel = RequestColumn(labels("word " * 60), body, labels("below"), row=QLabel(), theme=theme)
    qtbot.addWidget(panel)
    panel.resize(300, 200)
    panel.show()
    outer = panel.findChild(QScrollArea, "request_column")
    assert outer is not None
    view = body.tree if isinstance(body, JsonView) else body.edit
    qtbot.waitUntil(lambda: is_settled(outer) and outer.verticalScrollBar().maximum() > 0)

    def is_seen(widget: QWidget, place: QRect) -> bool:
        shown = QRect(widget.mapTo(outer.viewport(), place.topLeft()), place.size())
        return outer.viewport().rect().contains(shown)

    def is_found() -> bool:
        if isinstance(view, JsonTree):
            return is_seen(view.viewport(), view.visualRect(view.currentIndex()))
        return is_seen(view.viewport(), view.cursorRect())

    body.find_bar.open_bar("line 1")
    line = body.find_bar.line
    qtbot.waitUntil(lambda: is_seen(line, line.rect()))
    for _ in range(2):
        outer.verticalScrollBar().setValue(0)
        assert not is_seen(view, view.rect())
        body.find_bar.request(onwards=True)
        qtbot.waitUntil(lambda: body.find_bar.outcome() != "Searching…" and is_found())
        assert is_seen(line, line.rect())


def is_settled(area: QAbstractScrollArea) -> bool:
    """Whether the scroll bar is visible where there is something to scroll."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    bar, is_off = area.verticalScrollBar(), area.verticalScrollBarPolicy().name.endswith("Off")
    return bar.isVisible() is (bar.maximum() > 0 and not is_off)
