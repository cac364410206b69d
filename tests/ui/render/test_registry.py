"""Content blocks of every kind, of every degree of brokenness."""

from __future__ import annotations

import base64
import struct
import time
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QColor, QImage, QImageWriter
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QLabel

from inspector.wire.json_codec import Json, JsonObject
from ui.navigator import Navigator
from ui.render import BlockWidget, render, render_resource
from ui.render.auto_height import AutoHeightJson
from ui.render.image_view import ImageView, decode_image, dimensions
from ui.render.registry import RENDERERS
from ui.render.rendering import Host, Malformed, Rendering, View
from ui.widgets.badge import Badge
from ui.widgets.collapsible_section import CollapsibleSection
from ui.widgets.hex_view import HexView
from ui.widgets.json_view import JsonView
from ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="


Draw = Callable[[Json], BlockWidget]


@pytest.fixture
def show(qtbot: QtBot, theme: Theme) -> Draw:
    """Draw a block that lives as long as the test."""

    def make(block: Json) -> BlockWidget:
        made = render(block, theme=theme)
        qtbot.addWidget(made)
        return made

    return make


def notes(block: BlockWidget) -> str:
    return "\n".join(block.rendering.notes)


def png(width: int = 20, height: int = 10, *, colour: str = "teal") -> bytes:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.ReadWrite)
    QImageWriter(buffer, QByteArray(b"PNG")).write(image)
    return bytes(buffer.data().data())


def huge_png(edge: int, height: int = 0) -> bytes:
    """A picture that is small as a file and enormous in memory."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", edge, height or edge, 1, 0, 0, 0, 0))
    rows = zlib.compress(bytes((edge // 8 + 1) * 64), 9)
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def encoded(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def test_text_is_literal_first_and_exact(show: Draw) -> None:
    """result-27-markup-in-text; result-23-whitespace-exact."""
    text = "<script>x</script>\n# H\n  y\n"
    block = show({"type": "text", "text": text})

    view = block.widget("text")

    assert block.current_view() == "text"
    assert isinstance(view, TextView)
    assert view.edit.toPlainText() == text


@pytest.mark.parametrize(
    ("text", "views"),
    [
        ("null", ("text", "json", "raw")),
        ("0", ("text", "json", "raw")),
        ('"quoted"', ("text", "json", "raw")),
        ("[]", ("text", "json", "raw")),
        ('{"a":1}{"b":2}', ("text", "raw")),
        ("plain words", ("text", "raw")),
        ("# Heading\n", ("text", "markdown", "raw")),
        ("", ("text", "raw")),
    ],
)
def test_views_are_offered_only_where_they_apply(
    show: Draw, text: str, views: tuple[str, ...]
) -> None:
    """result-24-json-scalars-in-text."""
    assert show({"type": "text", "text": text}).views() == views


def test_json_in_text_keeps_its_digits(show: Draw) -> None:
    """result-20-bigint-in-result."""
    block = show({"type": "text", "text": '{"Id":36028797018963971}'})

    block.show_view("json")

    view = block.widget("json")
    assert isinstance(view, JsonView)
    assert view.tree.json.index(0, 1).data() == "36028797018963971"


@pytest.mark.parametrize(
    ("block", "text"),
    [
        ({"type": "text"}, "without text"),
        ({"type": "text", "text": None}, "without text"),
        ({"type": "text", "text": 7}, "not a string"),
        ({"type": "image", "mimeType": "image/png"}, "without data"),
        ({"type": "audio"}, "without data"),
        ({"type": "resource"}, "without resource"),
        ({"type": "resource", "resource": {"uri": "x"}}, "without text or blob"),
        ({"type": "resource_link", "name": "x"}, "without uri"),
        ({"type": "tool_use"}, "without a tool name"),
        ({"type": "hologram", "x": 1}, "unknown"),
        ({"type": 7}, "not a string"),
        ({}, "missing"),
        ("text", "must be an object"),
        (None, "must be an object"),
        ([1], "must be an object"),
    ],
)
def test_what_cannot_be_drawn_is_raw_and_says_why(show: Draw, block: Json, text: str) -> None:
    """result-05-text-without-text; result-08-embedded-sparse."""
    made = show(block)

    assert text in notes(made)
    assert made.current_view() == "raw"
    assert isinstance(made.widget("raw"), JsonView)


def test_a_drawer_that_fails_does_not_stop_the_others(qtbot: QtBot, theme: Theme) -> None:
    """Ours: a renderer falls back to raw and says so."""

    def broken(content: JsonObject, host: Host) -> Rendering:
        raise ZeroDivisionError

    block = render({"type": "text", "text": "x"}, theme=theme, renderers=(("text", broken),))
    qtbot.addWidget(block)

    assert "cannot be displayed" in notes(block)
    assert block.views() == ("raw",)


def test_a_picture_is_drawn_with_its_dimensions_and_bytes(show: Draw) -> None:
    """Ours."""
    raw = png()
    block = show({"type": "image", "mimeType": "image/png", "data": encoded(raw)})

    assert isinstance(block.widget("picture"), ImageView)
    assert block.rendering.facts == ("image/png", "20 × 10", f"{len(raw)} B")
    assert block.rendering.notes == ()


def test_a_data_url_is_drawn_with_a_note_and_an_address_is_only_shown(show: Draw) -> None:
    """result-11-image-data-url."""
    first = show(
        {
            "type": "image",
            "mimeType": "image/png",
            "data": f"data:image/png;base64,{encoded(png())}",
        }
    )
    second = show({"type": "image", "mimeType": "image/png", "data": "https://img.test/a.png"})

    assert first.current_view() == "picture"
    assert "not allowed" in notes(first)
    view = second.widget("text")
    assert isinstance(view, TextView)
    assert view.text() == "https://img.test/a.png"
    assert "not loaded" in notes(second)


def test_svg_is_never_run_but_shown_as_its_source(show: Draw) -> None:
    """result-09-svg-image; C-ICO-09: sanitise or refuse."""
    source = b"<svg onload='x'><script>1</script></svg>"
    block = show({"type": "image", "mimeType": "image/svg+xml", "data": encoded(source)})

    view = block.widget("text")
    assert isinstance(view, TextView)
    assert view.text() == source.decode()
    assert "showing the source" in notes(block)


def test_a_wrong_media_type_is_remarked_on(show: Draw) -> None:
    """C-ICO-08."""
    block = show({"type": "image", "mimeType": "image/jpeg", "data": encoded(png())})

    assert notes(block) == "declared image/jpeg, content is image/png"
    assert block.current_view() == "picture"


def test_a_bomb_is_refused_before_its_pixels_are_made(show: Draw) -> None:
    """C-ICO-07."""
    bomb = huge_png(20_000)
    assert dimensions(bomb).width() == 20_000

    block = show({"type": "image", "mimeType": "image/png", "data": encoded(bomb)})

    with pytest.raises(Malformed, match="too large"):
        decode_image(bomb)
    label = block.widget("picture")
    assert isinstance(label, QLabel)
    assert "image too large to show" in label.text()


@pytest.mark.qt_log_ignore("JPEG")
@pytest.mark.parametrize("raw", [b"", b"GIF89a", png()[:40], b"\xff\xd8\xff" + bytes(50)])
def test_damaged_pictures_fall_back_to_their_bytes(show: Draw, raw: bytes) -> None:
    """C-ICO-07."""
    block = show({"type": "image", "mimeType": "image/png", "data": encoded(raw)})

    assert {"bytes", "raw"} <= set(block.views())


def test_audio_shows_its_facts_and_never_plays(show: Draw) -> None:
    """result-13-audio."""
    wav = show({"type": "audio", "mimeType": "audio/wav", "data": WAV})
    odd = show({"type": "audio", "mimeType": "audio/unknown", "data": "AAAA"})
    bare = show({"type": "audio", "data": "AAAA"})

    assert wav.rendering.facts == ("audio/wav", "44 B", "0 ms")
    assert all(block.rendering.save is not None for block in (wav, odd, bare))
    assert notes(bare) == "media type missing"


def test_links_are_read_on_request_only_and_never_javascript(show: Draw, qtbot: QtBot) -> None:
    """result-07-resource-link."""
    link = show({"type": "resource_link", "uri": "demo://doc/1", "name": "Doc", "size": 12})
    bad = show({"type": "resource_link", "uri": "javascript:alert(1)", "name": "x"})

    button = link.findChild(QAbstractButton, "read_resource")
    assert button is not None
    heard: list[object] = []
    Navigator(link).resource_requested.connect(heard.append)
    button.click()
    assert heard == ["demo://doc/1"]
    assert bad.findChild(QAbstractButton, "read_resource") is None
    assert "cannot be opened" in notes(bad)


def test_embedded_resources_may_be_sparse(show: Draw) -> None:
    """result-08-embedded-sparse."""
    text = show({"type": "resource", "resource": {"text": "plain"}})
    hello = show({"type": "resource", "resource": {"uri": "demo://b", "blob": "aGVsbG8="}})
    stl = show(
        {"type": "resource", "resource": {"uri": "u", "mimeType": "model/stl", "blob": "AAECAw=="}}
    )

    assert "uri missing" in notes(text)
    assert text.current_view() == "text"
    assert (hello.rendering.facts, hello.rendering.address) == (("", "5 B"), "demo://b")
    assert isinstance(stl.widget("bytes"), HexView)
    assert "4 B" in stl.rendering.facts


@pytest.mark.parametrize(
    ("item", "first"),
    [
        ({"uri": "a", "mimeType": "text/csv", "blob": "YSxiCjEsMg=="}, "text"),
        ({"uri": "b", "mimeType": "application/json", "text": "{not json"}, "text"),
        ({"uri": "c", "mimeType": "image/png", "text": "\u0089PNG"}, "text"),
        ({"uri": "d", "text": "no type"}, "text"),
        ({"uri": "h", "text": '{"a": "' + "x" * 200 + '"}'}, "json"),
        ({"uri": "i", "text": '{\n"a": "' + "x" * 200 + '"}'}, "text"),
        ({"uri": "e", "mimeType": "TEXT/HTML; charset=utf-8", "text": "<b>x</b>"}, "text"),
        ({"uri": "f", "mimeType": "application/octet-stream", "blob": "AAECAwT/"}, "bytes"),
        ({"uri": "g", "blob": encoded(b"\x89PNG\r\n\x1a\n")}, "bytes"),
    ],
)
def test_resource_contents_are_drawn_by_what_they_are(
    qtbot: QtBot, theme: Theme, item: Json, first: str
) -> None:
    """resource-09-mime-dispatch."""
    block = render_resource(item, theme=theme)
    qtbot.addWidget(block)

    assert block.current_view() == first


def test_pictures_in_resources_are_drawn(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    block = render_resource({"uri": "x.png", "blob": encoded(png())}, theme=theme)
    qtbot.addWidget(block)

    assert block.current_view() == "picture"


def test_annotations_and_meta_are_shown_where_there_are_any(show: Draw) -> None:
    """e-server-features, "embedded resource": annotations may sit on the block or inside `resource`."""
    block = show(
        {
            "type": "resource",
            "resource": {
                "uri": "u",
                "text": "x",
                "annotations": {"audience": ["user"], "priority": 1},
            },
            "_meta": {"k": 1},
        }
    )

    badges = [child.accessibleName() for child in block.findChildren(Badge)]
    assert badges == ["for user", "priority 1"]
    assert block.findChild(CollapsibleSection, "meta") is not None


def test_a_save_suggests_a_clean_name_and_writes_the_exact_bytes(
    show: Draw, tmp_path: Path
) -> None:
    """text-04-names-as-paths."""
    resource: Json = {
        "uri": "file:///../../etc/passwd",
        "name": "../../x",
        "mimeType": "text/plain",
        "blob": "aGk=",
    }
    block = show({"type": "resource", "resource": resource})

    save = block.findChild(QAbstractButton, "save_block")
    assert save is not None
    save.click()
    dialog = block.findChild(QFileDialog, "save_dialog")
    assert dialog is not None
    suggested = dialog.selectedFiles()[0]
    dialog.fileSelected.emit(str(tmp_path / "x.txt"))
    dialog.close()

    assert suggested.endswith("/x.txt")
    assert (tmp_path / "x.txt").read_bytes() == b"hi"


def test_six_megabytes_of_text_do_not_stop_the_window(show: Draw) -> None:
    """result-21-huge-text: not more than 300 ms."""
    text = "lorem ipsum 0123456789 " * 273_000

    begun = time.thread_time()
    block = show({"type": "text", "text": text})
    block.resize(700, 400)
    block.grab()

    assert time.thread_time() - begun < 0.3
    assert "6.3 MB" in block.rendering.facts


def test_tool_use_and_result_show_their_json(show: Draw) -> None:
    """Ours: conversations with tools."""
    use = show({"type": "tool_use", "id": "1", "name": "get_sum", "input": {"a": 1}})
    result = show({"type": "tool_result", "toolUseId": "1", "content": [], "isError": True})

    assert (use.rendering.kind, use.rendering.facts) == ("tool use", ("get_sum", "1"))
    assert (result.rendering.kind, result.rendering.facts) == ("tool error", ("1", "0 blocks"))


def test_one_function_and_one_row_add_a_type_of_content(qtbot: QtBot, theme: Theme) -> None:
    """Ours: the new type gets header, views and raw JSON as every other; without its row it is shown as raw JSON."""

    def render_chart(content: JsonObject, host: Host) -> Rendering:
        def make() -> JsonView:
            return AutoHeightJson(content["points"], theme=host.theme, name="points")

        return Rendering(icon="", kind="chart", views=(View("points", "Points", make),))

    chart: Json = {"type": "chart", "points": [1, 2]}
    added = render(chart, theme=theme, renderers=(*RENDERERS, ("chart", render_chart)))
    unknown = render(chart, theme=theme)
    qtbot.addWidget(added)
    qtbot.addWidget(unknown)

    assert (added.rendering.kind, added.views(), notes(added)) == ("chart", ("points", "raw"), "")
    widget = added.widget("points")
    assert isinstance(widget, JsonView)
    assert widget.tree.value() == [1, 2]
    assert unknown.views() == ("raw",)
    assert notes(unknown)
