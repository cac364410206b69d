"""The texts of a JSON-RPC error: the meaning of its code, what to try, and its data. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import code_text
from inspector.spec.error_codes import APPLICATION_ERROR, NOT_A_CODE, explain
from inspector.wire import json_codec

if TYPE_CHECKING:
    from inspector.errors import PeerError
    from inspector.spec.revision import Revision


class ErrorText(NamedTuple):
    """What an error panel shows."""

    text: str
    """Code, name and message."""
    hint: str
    """What to try next."""
    detail: str
    """What the code says, and the data."""


def code_and_name(error: PeerError, revision: Revision | None) -> str:
    """What kind of error it is: `-32601 Method not found`, `code 0`, `error without a code`."""
    known = explain(error.code, revision)
    if known is NOT_A_CODE:
        return code_text(error.code)
    return f"code {error.code}" if known is APPLICATION_ERROR else f"{error.code} {known.name}"


def error_text(error: PeerError, revision: Revision | None) -> ErrorText:
    """Return the texts of `error`."""
    known = explain(error.code, revision)
    message = error.message or "(no message)"
    is_named = message.casefold().startswith(known.name.casefold())  # many servers do that
    text = f"{error.code} {message}" if is_named else f"{code_and_name(error, revision)}: {message}"
    hint = error.hint or known.hint
    if error.http is not None and error.http.prevails:
        text, hint = error.reason, error.hint
    elif error.http is not None:
        text += f" ({'; '.join((error.http.line, *error.http.explained))})"
    detail = known.summary
    if error.data is not None:
        detail += f"\n\ndata: {json_codec.write(error.data, indent=2)}"
    return ErrorText(text, hint, detail)
