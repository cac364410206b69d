"""Bytes in JSON: read tolerantly, named by what they are."""

from __future__ import annotations

import base64

import pytest

from inspector.spec.media_types import kind_of
from ui.render import payload
from ui.render.payload import decode, is_textual

PNG = b"\x89PNG\r\n\x1a\n" + bytes(16)


def test_a_data_prefix_is_skipped_and_remarked_on() -> None:
    """result-11-image-data-url."""
    read = decode("data:image/png;base64," + base64.b64encode(PNG).decode())

    assert (read.raw, read.found) == (PNG, "image/png")
    assert "prefix not allowed" in read.notes[0]


def test_an_address_is_not_fetched() -> None:
    """result-11-image-data-url."""
    read = decode("https://img.test/a.png")

    assert read.unreadable
    assert "not loaded" in read.notes[0]


@pytest.mark.parametrize(
    ("data", "raw", "note"),
    [
        ("aGVs\nbG8=", b"hello", "whitespace"),
        ("aGVsbG8", b"hello", "padding missing"),
        ("__79", b"\xff\xfe\xfd", "base64url alphabet"),
    ],
)
def test_sloppy_base64_is_read_with_a_remark(data: str, raw: bytes, note: str) -> None:
    """Ours: the display survives what judging fails."""
    read = decode(data)

    assert read.raw == raw
    assert note in read.notes[0]


@pytest.mark.parametrize("data", ["§§§§", "a", "====", "ab\ud800="])
def test_what_is_not_base64_is_said(data: str) -> None:
    """Ours."""
    assert decode(data).unreadable


def test_decoding_has_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours: resource limits on base64."""
    monkeypatch.setattr(payload, "MAX_ENCODED", 8)

    assert decode("A" * 12).unreadable


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF\0\0\0\0WEBP", "image/webp"),
        (b"RIFF\0\0\0\0WAVE", "audio/wav"),
        (b"<svg", ""),
        (b"", ""),
    ],
)
def test_bytes_are_known_by_their_magic(raw: bytes, kind: str) -> None:
    """C-ICO-08."""
    assert kind_of(raw) == kind


@pytest.mark.parametrize("mime", ["text/csv", "TEXT/HTML; charset=utf-8", "application/x+json"])
def test_textual_types_are_known(mime: str) -> None:
    """resource-09-mime-dispatch."""
    assert is_textual(mime)
    assert not is_textual("application/octet-stream")
