"""Many parts in one scrolling area."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from tests.support.wait import wait_until
from ui.render.incremental import FEW, IncrementalArea, IncrementalBuilder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

MANY = 60


def parts(inner: QWidget, count: int, drawn: list[int]) -> Iterator[None]:
    column = QVBoxLayout(inner)
    for number in range(count):
        column.addWidget(QLabel(f"part {number}"))
        drawn.append(number)
        yield


def shown(qtbot: QtBot) -> IncrementalArea:
    area = IncrementalArea()
    qtbot.addWidget(area)
    area.resize(300, 200)
    area.show()
    return area


async def test_a_few_parts_are_there_at_once(qtbot: QtBot) -> None:
    """Ours."""
    area, inner, drawn = shown(qtbot), QWidget(), list[int]()
    IncrementalBuilder(parts(inner, FEW, drawn), inner, at_once=True)
    area.put(inner)

    assert drawn == [*range(FEW)]


async def test_of_many_the_rest_follows_in_order_and_finds_its_room(qtbot: QtBot) -> None:
    """Ours."""
    area, inner, drawn = shown(qtbot), QWidget(), list[int]()
    IncrementalBuilder(parts(inner, MANY, drawn), inner, at_once=True)
    area.put(inner)
    assert drawn == [*range(FEW)]

    await wait_until(lambda: drawn == [*range(MANY)])
    await wait_until(lambda: not inner.findChildren(IncrementalBuilder))
    wanted = sum(label.sizeHint().height() for label in inner.findChildren(QLabel))
    await wait_until(lambda: inner.height() >= wanted)
    assert area.verticalScrollBar().maximum() >= wanted - area.viewport().height()


async def test_what_is_replaced_is_drawn_no_further_and_goes(qtbot: QtBot) -> None:
    """Ours: an answer that is not looked at any more costs nothing."""
    area, first, second = shown(qtbot), QWidget(), QWidget()
    drawn, others = list[int](), list[int]()
    IncrementalBuilder(parts(first, MANY, drawn), first, at_once=True)
    area.put(first)
    await wait_until(lambda: len(drawn) > FEW + 2)

    IncrementalBuilder(parts(second, 1, others), second, at_once=True)
    area.put(second)
    assert first.isHidden()
    stopped = len(drawn)
    await wait_until(lambda: len(area.findChildren(QLabel)) == 1)
    assert len(drawn) == stopped


async def test_nothing_may_be_shown_again_and_the_area_may_go_meanwhile(qtbot: QtBot) -> None:
    """Ours."""
    area, inner = shown(qtbot), QWidget()
    IncrementalBuilder(parts(inner, MANY, []), inner, at_once=False)
    area.put(inner)
    area.put(None)
    area.deleteLater()
    await asyncio.sleep(0)


async def test_the_focus_does_not_wander_when_what_had_it_goes(qtbot: QtBot) -> None:
    """Ours."""
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    area, other = IncrementalArea(), QLineEdit()
    column.addWidget(area)
    column.addWidget(other)
    inner = QWidget()
    field = QLineEdit(inner)
    area.put(inner)
    window.show()
    window.activateWindow()
    field.setFocus()

    area.put(None)

    assert window.focusWidget() is not other
