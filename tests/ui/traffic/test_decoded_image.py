"""An image in base64 is drawn under the tree, within limits; ours throughout."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from tests.ui.render import test_registry as image
from ui.traffic import message_tree

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from tests.support.talk import Talk
    from ui.traffic.panel import TrafficPanel


def png(width: int, height: int) -> str:
    """An image, in base64."""
    return base64.b64encode(image.png(width, height)).decode()


@pytest.mark.parametrize("prefix", ["", "data:image/png;base64,"])
def test_an_image_is_drawn_beside_its_text(
    panel: TrafficPanel, talk: Talk, qtbot: QtBot, prefix: str
) -> None:
    """Ours: and gone with the next value."""
    panel.resize(1200, 700)
    panel.select_frame(talk.result(7, image=f"{prefix}{png(60, 40)}", text="x"))
    tree = panel.detail.tree
    tree.reveal("/result/image")
    qtbot.waitUntil(lambda: tree.decoded.image is not None)
    drawn = tree.decoded.image
    assert drawn is not None
    assert drawn.accessibleName() == "Image, 60 × 40 pixels"
    qtbot.waitUntil(lambda: drawn.isVisible() and drawn.height() >= 40)
    tree.reveal("/result/text")
    qtbot.waitUntil(lambda: tree.decoded.image is None)


def test_an_image_that_is_large_or_broken_is_not_decoded(
    panel: TrafficPanel, talk: Talk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: a few bytes may stand for any number of pixels."""
    monkeypatch.setattr(message_tree, "MAX_PIXELS", 1000)
    broken = base64.b64encode(base64.b64decode(png(8, 8))[:40]).decode()
    panel.select_frame(talk.result(7, large=png(60, 40), broken=broken))
    tree = panel.detail.tree
    for name in ("large", "broken"):
        tree.reveal(f"/result/{name}")
        qtbot.waitUntil(lambda: "image/png" in tree.decoded.title.whole_text())
        assert tree.decoded.image is None
