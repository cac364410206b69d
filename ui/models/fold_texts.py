"""What rows show that stand for several frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.transcript.operation_folds import Fold
from inspector.wire.message import MessageKind
from ui.widgets.units import plural, size

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
    kind: MessageKind,
    *,
    count: int,
    length: int,
) -> tuple[str, ...]:
    """Return the texts of a row that stands for `count` frames of `length` bytes; `texts` are those of the first one."""
    counted = {"method": FOLD_TEXTS[_FOLDS[kind]](count, count), "size": size(length)}
    return tuple(counted.get(spec.key, text) for spec, text in zip(columns, texts, strict=True))
