"""The bytes of all frames of a recording, as its reader yields them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.transcript.plain_pages import PlainPage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.transcript.recording_reader import RecordingReader


def stored_raws(file: RecordingReader) -> Iterator[bytes]:
    """Yield the bytes of each frame, in order."""
    for page in file.pages():
        for part in page:
            if isinstance(part, PlainPage):
                yield from part.raws
            else:
                yield from (line.raw for line in part.crossing.lines)
