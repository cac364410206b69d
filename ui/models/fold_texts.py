"""What rows show that stand for several frames."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.transcript.large_frames import quick_message
from inspector.transcript.operation_folds import Fold
from inspector.wire.message import MessageKind
from ui.models.traffic_summary import about
from ui.widgets.units import plural, size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from inspector.transcript.transcript import Transcript
    from ui.models.traffic_columns import ColumnSpec

FOLD_TEXTS: dict[Fold, Callable[[int, int], str]] = {
    Fold.LISTS: lambda count, _: f"Lists · {plural(count, 'operation')}",
    Fold.PINGS: lambda count, _: f"Keep-alives · {plural(count, 'ping')}",
    Fold.PROBE: lambda _, frames: f"Probe of Spyglass · {plural(frames, 'frame')}",
    Fold.STDERR: lambda count, _: f"stderr · {plural(count, 'line')}",
    Fold.BLANK: lambda count, _: f"Empty lines · {count:,}",
    Fold.HTTP: lambda count, _: f"HTTP headers · {count:,}",
    Fold.AUTHORIZATION: lambda count, _: f"Authorization · {plural(count, 'HTTP frame')}",
    Fold.KEEP_ALIVE: lambda count, _: f"SSE keep-alives · {plural(count, 'event')}",
    Fold.NOTE: lambda count, _: f"Notes · {count:,}",
    Fold.MALFORMED: lambda count, _: f"Invalid messages · {count:,}",
    Fold.NOTIFICATION: lambda count, _: f"Notifications · {count:,}",
    Fold.POLL: lambda count, _: f"Polls · {count:,}",
}
"""Why frames fold → the text about so many rows, and so many frames in and beneath them."""

_FOLDS = {
    MessageKind.STDERR: Fold.STDERR,
    MessageKind.HTTP: Fold.HTTP,
    MessageKind.SSE_OTHER: Fold.KEEP_ALIVE,
}
"""Kinds of frames that fold among the messages."""


MAX_EMPTY = 20
"""Frames at the beginning of a fold that are searched for one with text."""


def first_text(transcript: Transcript, numbers: Iterable[int]) -> str:
    """Return the summary of the first of some frames on stderr that has text, and is not the very first; else an empty string."""
    with suppress(StorageError):
        for at, number in enumerate(islice(numbers, MAX_EMPTY)):
            message = quick_message(transcript, number)
            if message is None or message.raw.strip():
                return about(message, "") if at and message is not None else ""
    return ""


def folded_texts(
    columns: Sequence[ColumnSpec],
    texts: Sequence[str],
    kind: MessageKind,
    *,
    count: int,
    length: int,
    summary: str = "",
) -> tuple[str, ...]:
    """Return the texts of a row that stands for `count` frames of `length` bytes; `texts` are those of the first one, but for a `summary`."""
    counted = {"method": FOLD_TEXTS[_FOLDS[kind]](count, count), "size": size(length)}
    if summary:
        counted["summary"] = summary
    return tuple(counted.get(spec.key, text) for spec, text in zip(columns, texts, strict=True))
