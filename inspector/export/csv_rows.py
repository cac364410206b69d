"""The rows of frames as CSV, for a spreadsheet (RFC 4180).

A text that a spreadsheet would run as a formula gets an apostrophe in front: names and ids are made up by the server.
Source: https://owasp.org/www-community/attacks/CSV_Injection.
"""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from inspector.export.json_lines import DIRECTIONS
from inspector.wire import json_codec
from inspector.wire.message import Absent, MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.transcript.redaction import Masking
    from inspector.transcript.transcript import Transcript

COLUMNS = (
    *("number", "time", "seconds", "direction", "channel", "kind", "method", "name", "id"),
    *("request", "status", "duration_ms", "bytes", "problems"),
)
"""The first row."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_WITH_ID = {MessageKind.REQUEST, MessageKind.RESPONSE, MessageKind.ERROR}


def csv_rows(transcript: Transcript, numbers: Iterable[int], masking: Masking) -> Iterator[str]:
    """Yield the names of the columns, and a row for each frame."""
    yield ",".join(COLUMNS)
    for number in numbers:
        yield _line(_cells(transcript, number, masking))


def _cells(transcript: Transcript, number: int, masking: Masking) -> tuple[str, ...]:
    row, columns = transcript.row(number), transcript.columns
    request = columns.request[number - 1]
    is_request = request == number
    took = transcript.took_seconds(number) if is_request else None
    label = columns.labels.texts[columns.label[number - 1]]
    return (
        f"{number}",
        iso_time(row.wall_s),
        f"{row.monotonic_s - columns.monotonic_s[0]:.6f}",
        DIRECTIONS[row.direction],
        row.channel.name.lower(),
        row.kind.name.lower(),
        _safe(masking.text(row.method)),
        _safe(masking.label(row.method, label)),
        _safe(_id(transcript, number)) if row.kind in _WITH_ID else "",
        f"{request}" if request else "",
        transcript.status(number) if is_request else "",
        "" if took is None else f"{took * 1000:.3f}",
        f"{row.size}",
        " ".join(finding.rule for finding in transcript.findings(number)),
    )


def iso_time(wall_s: float) -> str:
    """Return seconds since 1970 as date and time in UTC, with microseconds; as a number where no calendar has it."""
    try:
        return datetime.fromtimestamp(wall_s, UTC).isoformat(timespec="microseconds")
    except (ValueError, OverflowError, OSError):
        return repr(wall_s)


def _id(transcript: Transcript, number: int) -> str:
    id_ = transcript.message(number).id
    return "" if isinstance(id_, Absent) else json_codec.write(id_)


def _safe(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _line(cells: Iterable[str]) -> str:
    out = io.StringIO()
    # Without a terminator, Python 3.11 does not quote cells with line ends.
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue().removesuffix("\r\n")
