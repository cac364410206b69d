"""Pictures that take long to decode."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.wait import wait_until
from tests.ui.render.test_registry import huge_png, png
from ui.render.image_view import view_of_image

if TYPE_CHECKING:
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
