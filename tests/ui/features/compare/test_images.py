"""The images of a change are displayed, with how many of their pixels differ; ours."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage, QImageWriter

from inspector.background_tasks import at_once
from inspector.compare.json_difference import compare_json
from inspector.compare.json_rows import json_rows
from tests.ui.qt_actions import reads
from ui.features.compare.images import ComparedImages
from ui.render.image_view import ImageView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


def png(width: int, height: int = 20, *, changed: int = 0) -> bytes:
    """A result with an image of many colors, of which some pixels have another one."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    for at in range(width * height):
        color = 0xFF000000 | at * 7919 if at >= changed else 0xFFFFFFFF
        image.setPixel(at % width, at // width, color)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert QImageWriter(buffer, QByteArray(b"PNG")).write(image)
    data = base64.b64encode(buffer.data().data()).decode()
    return f'{{"data":"{data}"}}'.encode()


TEXT = b'{"data":"words"}'


@pytest.mark.parametrize(
    ("before", "after", "count", "text"),
    [
        (png(30), png(30, changed=12), 3, "12 of 600 pixels differ"),
        (png(7, 3), png(7, 3, changed=5), 3, "5 of 21 pixels differ"),
        (png(30), png(20), 2, "Images of different sizes: 30 × 20 and 20 × 20 pixels"),
        (png(30), TEXT, 1, "Image removed: 30 × 20 pixels"),
        (b'{"data":"some words"}', TEXT, 0, ""),
    ],
)
def test_both_images_are_beside_their_difference(
    qtbot: QtBot, theme: Theme, before: bytes, after: bytes, count: int, text: str
) -> None:
    """Ours: where they have the same size; a value that is no image has none."""
    difference = at_once(compare_json(before, after))
    [change] = at_once(json_rows(difference, ())).changes
    images = ComparedImages(theme=theme)
    qtbot.addWidget(images)

    images.show_change(change)

    assert images.isHidden() is not bool(count)
    assert len(images.findChildren(ImageView)) == count
    if text:
        assert reads(images, "compare_images_text") == text
    images.show_change(None)
    assert images.isHidden()
