"""What to do about a request that the server refuses with an error: by what is known of the request, the session and the message of the error.

The meaning of the code alone (`inspector.spec.error_codes`) is the last resort: -32602 has nine uses.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.session.error_responses import (
    SESSION_ERROR,
    is_not_initialized,
    not_initialized_hint,
)
from inspector.spec import methods
from inspector.spec.error_codes import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
)

if TYPE_CHECKING:
    from inspector.errors import PeerError
    from inspector.session.outgoing import OutgoingRequest
    from inspector.session.protocol_mode import Agreement
    from inspector.transcript.transcript import Transcript

MAX_SEARCHED = 1000
"""Characters of a message of an error that are searched."""

_VALIDATION = r"\"code\": ?\"(?:invalid_|unrecognized_)|\bzoderror\b|\bvalidation errors? for\b|\bfield required\b|\binvalid_type\b"
_UNKNOWN_NAME = (
    r"\b(?:unknown|not found|no such|does not exist|doesn't exist|unrecognized|not registered)\b"
)

_BY_ITSELF = "Let the server handle each request by itself: {date} has no handshake."
_NO_SESSIONS = "Let the server handle requests without a session: {date} has none."
_VALIDATES = "Compare the request with what the error says that the server expects: its validation rejects the request before a handler runs."
_OWN_CURSOR = (
    "Let the server accept the cursor of the request: it returned it itself as `nextCursor`."
)
_COMPARE = "Compare the request with the specification."


def refusal_hint(
    error: PeerError, call: OutgoingRequest, agreed: Agreement, transcript: Transcript
) -> str:
    """Return what to do about the error that a request of an open session got; empty where its code says as much."""
    stateful, date = agreed.revision.stateful, agreed.revision.date
    if not stateful and is_not_initialized(error):
        return _BY_ITSELF.format(date=date)
    if not stateful and re.search(SESSION_ERROR, error.message[:MAX_SEARCHED]):
        return _NO_SESSIONS.format(date=date)
    if error.hint:
        return error.hint
    if missed := not_initialized_hint(error, agreed, transcript):
        return missed
    if error.code == METHOD_NOT_FOUND:
        return _unhandled(call.method, agreed)
    message = error.message[:MAX_SEARCHED].lower()
    if error.code in {INVALID_PARAMS, INTERNAL_ERROR} and re.search(_VALIDATION, message):
        return _VALIDATES
    if error.code == INVALID_PARAMS:
        return _invalid(call, message)
    return _COMPARE if error.code == INVALID_REQUEST and call.method != "tools/call" else ""


def _unhandled(method: str, agreed: Agreement) -> str:
    need = methods.required_capability(method, agreed.revision)
    if need is None or not agreed.is_declared or not agreed.server.declares(*need.path):
        return ""
    return f"Let the server handle {method}, or not declare `{need.name}`: it declares the capability without the method."


def _invalid(call: OutgoingRequest, message: str) -> str:
    if "cursor" in call.params:
        return _OWN_CURSOR
    row = methods.find_any(call.method)
    if row is None or not row.name_param or not re.search(_UNKNOWN_NAME, message):
        return ""
    return f"Compare the name with those in the list: if it is there, the handler of {call.method} does not know a name that the server lists."
