"""Tests that rules look at hostile texts in linear time."""

from __future__ import annotations

import base64
import time

import pytest

from inspector.checks.families.apps import MAX_HTML, external_origins
from inspector.checks.families.challenges import parameters
from inspector.spec.decodings import MAX_TEXT, decodings
from inspector.spec.image_damage import MAX_BYTES, damage

LIMIT_SECONDS = 0.2
"""Far above what a linear search takes on a busy machine, and below what these texts took."""


@pytest.mark.parametrize("html", ["<img src = ", "<script ", "<img " + "src " * 50])
def test_a_page_of_unfinished_tags_is_searched_at_once(html: str) -> None:
    """Ours."""
    start = time.process_time()
    assert external_origins((html * MAX_HTML)[:MAX_HTML]) == []
    assert time.process_time() - start < LIMIT_SECONDS


def test_what_a_tag_loads_is_found_behind_its_other_attributes() -> None:
    """Ours."""
    page = '<img alt="x" src="https://a.example/x.png"><a href="https://b.example">b</a>'
    assert external_origins(page) == ["https://a.example"]


def test_a_long_challenge_without_parameters_is_read_at_once() -> None:
    """Ours: fifty of them, since one took a tenth of a second."""
    start = time.process_time()
    for _ in range(50):
        assert parameters("a" * 4096) == {}
    assert time.process_time() - start < LIMIT_SECONDS
    assert parameters('Bearer error="x", scope=a') == {"error": "x", "scope": "a"}


SCAN = b"\xff\xc0\0\x0b\x08\0\x01\0\x01\x01\x01\x11\0\xff\xda\0\x08\x01\x01\0\0\x3f\0"


@pytest.mark.parametrize(
    ("media_type", "start", "part"),
    [
        ("image/jpeg", b"\xff\xd8", b"\xff"),
        ("image/jpeg", b"\xff\xd8" + SCAN, b"\xff"),
        ("image/jpeg", b"\xff\xd8", b"\xff\xe0\0\x02"),
        (
            "image/jpeg",
            b"\xff\xd8" + SCAN,
            b"".join(b"\xff%c" % each for each in range(0xD0, 0xD8)),
        ),
        ("image/png", b"\x89PNG\r\n\x1a\n", b"\0\0\0\0abCd\0\0\0\0"),
    ],
    ids=["fill", "fill-in-scan", "segments", "restarts", "chunks"],
)
def test_an_image_of_one_part_again_and_again_is_examined_at_once(
    media_type: str, start: bytes, part: bytes
) -> None:
    """Ours: each image of a result is, before the result is displayed."""
    raw = (start + part * MAX_BYTES)[: MAX_BYTES - 3] + b"\0\xff\xd9"
    began = time.process_time()
    assert not damage(media_type, raw)
    assert time.process_time() - began < LIMIT_SECONDS


@pytest.mark.parametrize("run", [".", "a.", "a", "\\", "@", "/a"])
def test_a_long_value_of_an_option_in_a_text_is_masked_at_once(run: str) -> None:
    """Ours: a server sends such text packed, and it is unpacked where it is shown."""
    text = ("-u " + run * 2 * MAX_TEXT)[: 2 * MAX_TEXT]
    began = time.process_time()
    assert decodings(base64.b64encode(text.encode()).decode(), "value")
    assert time.process_time() - began < LIMIT_SECONDS
