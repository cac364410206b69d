"""Pictures that take long to decode."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from tests.support.wait import wait_until
from tests.ui.render.test_registry import huge_png, png
from ui.render import image_view
from ui.render.image_view import view_of_image

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


@pytest.mark.parametrize(
    ("raw", "name"),
    [(png(2000, 1000), "Image, 2,000 × 1,000 pixels"), (huge_png(2000), "corrupt PNG")],
)
async def test_a_large_picture_is_decoded_beside_the_window_in_a_place_of_its_size(
    qtbot: QtBot, theme: Theme, raw: bytes, name: str
) -> None:
    """Ours: one that cannot be decoded says why, in the same place."""
    view = view_of_image(raw, theme=theme)
    qtbot.addWidget(view)
    assert not view.is_decoded
    size = view.sizeHint()

    is_whole = name.startswith("Image")
    await wait_until(lambda: view.is_decoded or "corrupt" in view.accessibleName())

    assert view.is_decoded == is_whole
    assert view.accessibleName().startswith(name)
    assert view.sizeHint() == size


@pytest.mark.parametrize(("width", "height"), [(20_000, 100), (30, 40_000)])
async def test_why_a_large_picture_cannot_be_decoded_is_legible_where_it_would_be_thin(
    qtbot: QtBot, theme: Theme, width: int, height: int
) -> None:
    """Ours: in the room that the text takes, as a warning."""
    view = view_of_image(huge_png(width, height), theme=theme)
    qtbot.addWidget(view)

    await wait_until(lambda: "corrupt" in view.accessibleName())

    view.resize(view.sizeHint())
    texts = view.fontMetrics().horizontalAdvance("corrupt PNG"), view.fontMetrics().height()
    assert view.width() > texts[0]
    assert view.height() > texts[1]
    image, color = view.grab().toImage(), theme.color("warning").name()
    assert any(
        image.pixelColor(x, y).name() == color
        for x in range(image.width())
        for y in range(min(image.height(), 3 * texts[1]))
    )


async def test_pictures_are_decoded_one_at_a_time_and_any_failure_is_said(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: in a thread of their own."""
    threads: set[str] = set()

    def fail(_raw: bytes) -> QImage:
        threads.add(threading.current_thread().name)
        raise MemoryError("no room")

    monkeypatch.setattr(image_view, "decode_image", fail)
    views = [view_of_image(png(2000, 1000), theme=theme) for _ in range(4)]
    for view in views:
        qtbot.addWidget(view)

    await wait_until(lambda: all("no room" in view.accessibleName() for view in views))

    assert len(threads) == 1
    assert threading.main_thread().name not in threads
