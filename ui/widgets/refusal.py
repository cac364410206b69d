"""A JSON-RPC error in words: what the code means, what to try, and what came with it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.spec.error_codes import explain
from inspector.wire import jsontext

if TYPE_CHECKING:
    from inspector.errors import PeerError
    from inspector.spec.revision import Revision


class Refusal(NamedTuple):
    """What an error panel shows."""

    words: str
    """Code, name and message."""
    remedy: str
    """What to try next."""
    detail: str
    """What the code says, and the data."""


def refusal(error: PeerError, revision: Revision | None) -> Refusal:
    """Put `error` into words."""
    known = explain(error.code, revision)
    words = f"{error.code} {known.name}: {error.message or '(no message)'}"
    remedy = known.remedy
    if error.http is not None and error.http.prevails:
        words, remedy = error.words, error.remedy
    elif error.http is not None:
        words += f" ({'; '.join((error.http.line, *error.http.explained))})"
    detail = known.words
    if error.data is not None:
        detail += f"\n\ndata: {jsontext.write(error.data, indent=2)}"
    return Refusal(words, remedy, detail)
