"""What a server complains about in an error, beside what was sent: the rows for a frame of the record. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.spec.error_codes import (
    HEADER_MISMATCH,
    MISSING_CLIENT_CAPABILITY,
    STATELESS_ERA_CODES,
    UNSUPPORTED_VERSION,
)
from inspector.spec.error_details import explain_error
from inspector.spec.keys import META, META_PROTOCOL_VERSION
from inspector.spec.revision import NEWEST, find
from inspector.transcript.http_exchange import http_exchange
from inspector.wire.message import MessageKind, or_null
from ui.widgets.comparison_table import ComparisonRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.errors import PeerError
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json

TITLES = ("sent", "server")
"""What stands above the two columns."""


_REPORT = "Report it to the developer of the server."
CONTRADICTIONS: dict[int, str] = {
    HEADER_MISMATCH: f"The headers that were sent match the body. {_REPORT}",
    MISSING_CLIENT_CAPABILITY: f"The request declared the capabilities that the server requires. {_REPORT}",
    UNSUPPORTED_VERSION: f"The server rejects a revision that it lists as supported. {_REPORT}",
}
"""Code of an error that the comparison with what was sent refutes → the hint."""


def is_refuted(rows: Sequence[ComparisonRow], error: PeerError) -> bool:
    """Return whether the rows show that what the server asks for was sent."""
    return error.code in STATELESS_ERA_CODES and bool(rows) and all(row.fits for row in rows)


def hint_beside(rows: Sequence[ComparisonRow], error: PeerError, hint: str) -> str:
    """Return the hint to show with `rows`: `hint`, unless the rows refute the error."""
    if isinstance(error.code, int) and is_refuted(rows, error):
        return CONTRADICTIONS[error.code]
    return hint


def complaint_rows(
    transcript: Transcript, frame: int, revision: Revision | None = None, input_schema: Json = None
) -> tuple[ComparisonRow, ...]:
    """Return the rows for the error in `frame`; empty if it says nothing of what was sent.

    Without a `revision`, the one named in the request is used; for a call, `input_schema` is the schema of the tool.
    """
    if not 0 < frame <= transcript.count or transcript.row(frame).kind is not MessageKind.ERROR:
        return ()
    request = transcript.columns.request[frame - 1]
    if not request:
        return ()
    try:
        error = or_null(transcript.message(frame).error)
        number = _asked(transcript, request, frame)
        asked, headers = transcript.message(number), _headers(transcript, number)
    except StorageError:
        return ()
    params = or_null(asked.params)
    used = revision or _revision_of(params)
    if used is None:
        return ()
    found = explain_error(error, asked.method, params, used, input_schema, headers)
    return tuple(ComparisonRow(*row) for row in found)


def _asked(transcript: Transcript, request: int, frame: int) -> int:
    """The request that was answered by `frame`, which may be a later round of the exchange."""
    exchange = transcript.exchange(request)
    rounds = exchange.rounds if exchange is not None else ()
    return next((each.request for each in rounds if each.response == frame), request)


def _headers(transcript: Transcript, request: int) -> list[tuple[str, str]] | None:
    """The headers that a request was sent with; None for a request without recorded headers."""
    exchange = http_exchange(transcript, request)
    hop = exchange.hop_of(request) if exchange is not None else None
    if hop is None:
        return None
    lines = transcript.raw(hop.request).decode("utf-8", "replace").split("\r\n")[1:]
    pairs = (line.partition(":") for line in lines)
    return [(name.strip(), value.strip()) for name, _, value in pairs]


def _revision_of(params: Json) -> Revision | None:
    """By which revision a request was sent; a version that we do not know was sent by the newest."""
    meta = params.get(META) if isinstance(params, dict) else None
    if not isinstance(meta, dict) or META_PROTOCOL_VERSION not in meta:
        return None
    return find(meta[META_PROTOCOL_VERSION]) or NEWEST
