"""Content blocks in a panel with little width."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ui.render.registry import render
from ui.widgets.labels import ElidedLabel, ShorteningLabel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json
    from ui.theme import Theme


@pytest.mark.parametrize(
    "content",
    [
        {"type": "text", "text": "# Title\n\n* one\n* [two](http://a.test)"},
        {
            "type": "resource",
            "resource": {"uri": "a:b", "mimeType": "text/markdown", "text": "# a"},
        },
        {
            "type": "text",
            "text": "x",
            "annotations": {
                "audience": ["user", "assistant"],
                "priority": 1,
                "lastModified": "2026-01-01T00:00:00Z",
            },
        },
    ],
)
def test_a_block_fits_the_narrowest_panel(content: Json, qtbot: QtBot, theme: Theme) -> None:
    """Ours: its buttons are whole in a window of 1024 pixels; annotations take another line."""
    block = render(content, theme=theme)
    qtbot.addWidget(block)

    assert block.minimumSizeHint().width() <= NARROW_PIXELS

    block.resize(NARROWEST_PIXELS, 200)
    block.show()
    qtbot.waitUntil(lambda: block.minimumSizeHint().width() <= NARROWEST_PIXELS, timeout=20_000)


NARROW_PIXELS = 290
"""A result beside its list and its form, in a window of 1024 pixels, without the scroll bar."""

NARROWEST_PIXELS = 272
"""A result beside its form with text of twice the size, in a window of 1280 pixels."""


def test_the_facts_give_way_before_the_kind(qtbot: QtBot, theme: Theme) -> None:
    """Ours: a long media type left “r…e” of “resource”; a fact is whole, or left out."""
    mime = "text/html;profile=mcp-app"
    content: Json = {"type": "resource", "resource": {"uri": "a:b", "mimeType": mime, "text": "#"}}
    block = render(content, theme=theme)
    qtbot.addWidget(block)
    block.resize(block.minimumSizeHint().width() + theme.px(80), 200)
    block.show()
    (kind,) = (each for each in block.findChildren(ElidedLabel) if each.text() == "resource")

    qtbot.waitUntil(lambda: kind.width() >= kind.sizeHint().width(), timeout=20_000)
    (facts,) = block.findChildren(ShorteningLabel)
    assert facts.fontMetrics().horizontalAdvance(facts.text()) <= facts.width()
