"""What rows show that stand for several frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.transcript.operation_folds import Fold
from inspector.wire.message import MessageKind
from ui.widgets.units import plural, size

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ui.models.timeline import Timeline
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


def folded_texts(
    columns: Sequence[ColumnSpec],
    texts: Sequence[str],
    frames: Sequence[int],
    timeline: Timeline,
) -> tuple[str, ...]:
    """Return the texts of a row of messages that stands for `frames`, of which `texts` are those of the first one."""
    transcript, local = timeline.locate(frames[0])
    base, sizes = frames[0] - local, transcript.columns.size
    fold = _FOLDS[MessageKind(transcript.columns.kind[local - 1])]
    counted = {
        "method": FOLD_TEXTS[fold](len(frames), len(frames)),
        "size": size(sum(sizes[frame - base - 1] for frame in frames)),
    }
    return tuple(counted.get(spec.key, text) for spec, text in zip(columns, texts, strict=True))
