"""What to do about a request that the server refuses with an error: by what is known of the request, the session and the message of the error.

The meaning of the code alone (`inspector.spec.error_codes`) is the last resort: -32602 has nine uses.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.session.diagnostics import earlier_results
from inspector.session.error_responses import (
    is_not_initialized,
    not_initialized_hint,
)
from inspector.spec import methods
from inspector.spec.error_codes import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    NO_SESSIONS,
    RESOURCE_NOT_FOUND,
)
from inspector.spec.keys import HEADER_SESSION_ID, META
from inspector.spec.refusal_texts import SESSION_ERROR

if TYPE_CHECKING:
    from inspector.errors import PeerError
    from inspector.session.outgoing import OutgoingRequest
    from inspector.session.protocol_mode import Agreement
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json

MAX_SEARCHED = 1000
"""Characters of a message of an error that are searched."""

_VALIDATION = r"\"code\": ?\"(?:invalid_|unrecognized_)|\bzoderror\b|\bvalidation errors? for\b|\bfield required\b|\binvalid_type\b"
_UNKNOWN_NAME = (
    r"\b(?:unknown|not found|no such|does not exist|doesn't exist|unrecognized|not registered)\b"
)

_KINDS = r"\b(?:tool|prompt|resource|task)\b"
_PATH_OF_REQUEST = r"\"path\": ?\[\s*\"params\""
"""What a validation says that was given the whole request."""

_OF_REQUEST = r"(?i)\brequests? before (?:the )?initiali[sz]ation\b"
"""What the Python SDK says of any request, with the code -32602."""

_BY_ITSELF = "Let the server handle each request by itself: {date} has no handshake."
_COMPARE_EXPECTED = "Compare the request with what the error says that the server expects: "
_VALIDATES = f"{_COMPARE_EXPECTED}its validation rejects the request."
_VALIDATES_FIRST = f"{_COMPARE_EXPECTED}its validation rejects the request before a handler runs."
_VALIDATES_DATA = (
    "Compare the data with what the error says that the server expects: its validation rejects the request, "
    "or what its handler fetched or returns."
)
_OWN_CURSOR = (
    "Let the server accept the cursor of the request: it returned it itself as `nextCursor`."
)
_EXPIRED_CURSOR = "Request the list from its first page: the cursor of the request has expired."
_NO_RESOURCE = "Correct what the message names: the code says that a resource does not exist, and the request names none."
_OTHER_CURSOR = "Send a cursor that the server returned as `nextCursor`: no earlier response in this session has the one of the request."
_COMPARE_NAME = "Compare the name with those in the list: if it is there, "
_COMPARE = "Compare the request with the specification."


def refusal_hint(
    error: PeerError, call: OutgoingRequest, agreed: Agreement, transcript: Transcript
) -> str:
    """Return what to do about the error that a request of an open session got; empty where its code says as much."""
    message = error.message[:MAX_SEARCHED]
    missed = _missing_session(error, call, agreed, transcript)
    if missed or error.hint:
        is_of_sessions = not agreed.revision.stateful and HEADER_SESSION_ID in error.hint
        return missed or ("" if is_of_sessions else error.hint)
    if is_not_initialized(error) and _is_of_session(error, call, agreed, transcript):
        return not_initialized_hint(agreed, transcript)
    if error.code == RESOURCE_NOT_FOUND and not _names_resource(call):
        return _NO_RESOURCE
    if error.code == METHOD_NOT_FOUND:
        return _unhandled(call, agreed, transcript, message.lower())
    if error.code in {INVALID_PARAMS, INTERNAL_ERROR} and re.search(_VALIDATION, message.lower()):
        return _of_validation(error.code, message)
    if error.code == INVALID_PARAMS:
        return _invalid(call, agreed, transcript, message.lower())
    # what a tool does not like is refused with it as well: then nothing is wrong with the request
    may_be_of_tool = call.method == "tools/call"
    return _COMPARE if error.code == INVALID_REQUEST and not may_be_of_tool else ""


def _names_resource(call: OutgoingRequest) -> bool:
    """Whether a request is about a resource; arguments of a tool or a prompt may name one."""
    return call.method.startswith(("resources/", "completion/")) or "uri" in str(call.params)


def _of_validation(code: Json, message: str) -> str:
    """Return what to do about an error of a validation: of the request, or with -32603 perhaps of what a handler works on."""
    if re.search(_PATH_OF_REQUEST, message):
        return _VALIDATES_FIRST
    return _VALIDATES if code == INVALID_PARAMS else _VALIDATES_DATA


def _missing_session(
    error: PeerError, call: OutgoingRequest, agreed: Agreement, transcript: Transcript
) -> str:
    """Return what to do about a stateless server that misses a handshake or a session; empty for any other error."""
    if agreed.revision.stateful:
        return ""
    date = agreed.revision.date
    names_header = HEADER_SESSION_ID.lower() in error.message[:MAX_SEARCHED].lower()
    if names_header and re.search(SESSION_ERROR, error.message[:MAX_SEARCHED]):
        return NO_SESSIONS.format(date=date)
    if not _is_of_session(error, call, agreed, transcript):
        return ""
    if is_not_initialized(error):
        return _BY_ITSELF.format(date=date)
    is_session = re.search(SESSION_ERROR, error.message[:MAX_SEARCHED])
    return NO_SESSIONS.format(date=date) if is_session else ""


def _is_of_session(
    error: PeerError, call: OutgoingRequest, agreed: Agreement, transcript: Transcript
) -> bool:
    """Whether the state that an error is about can be that of the session: a handler has state of its own, and fails by other codes."""
    if earlier_results.has_served(transcript, agreed.frame):
        return False
    if re.search(_OF_REQUEST, error.message[:MAX_SEARCHED]):
        return True
    row = methods.find_any(call.method)
    if error.code == INTERNAL_ERROR or row is None:
        return False
    return not row.name_param or (error.code != INVALID_PARAMS and error.http is not None)


def _unhandled(
    call: OutgoingRequest, agreed: Agreement, transcript: Transcript, message: str
) -> str:
    """Return what to do about -32601, which some servers send for an unknown name as well."""
    method, name = call.method, _name_of(call)
    names_method = method.lower() in message
    is_plain = not call.params.keys() - {META, "cursor"}
    if not names_method and not is_plain and ("method" not in message or _has(message, name)):
        return _unknown_name(call, message)
    need = methods.required_capability(method, agreed.revision)
    if need is None or not agreed.is_declared or not agreed.server.declares(*need.path):
        return ""
    if earlier_results.has_served(transcript, agreed.frame, method):
        return ""
    declare = f"let the server handle {method}, or not declare `{need.name}`"
    is_known = names_method or not name
    if is_known or earlier_results.lists_name(transcript, agreed.frame, method, name):
        return f"L{declare[1:]}: it declares the capability without the method."
    return f"{_COMPARE_NAME}{declare}."


def _invalid(call: OutgoingRequest, agreed: Agreement, transcript: Transcript, message: str) -> str:
    if "cursor" not in call.params:
        return _unknown_name(call, message)
    if "cursor" not in message and call.params.keys() - {META, "cursor"}:
        return ""
    is_own = earlier_results.returned_cursor(
        transcript, agreed.frame, call.method, call.params["cursor"]
    )
    if is_own:
        return _EXPIRED_CURSOR if re.search(r"\bexpired?\b", message) else _OWN_CURSOR
    return _OTHER_CURSOR if is_own is False else ""


def _unknown_name(call: OutgoingRequest, message: str) -> str:
    """Return what to do about an error that calls the name of the request unknown; empty for any other error."""
    row = methods.find_any(call.method)
    if row is None or not row.name_param or not re.search(_UNKNOWN_NAME, message):
        return ""
    if not (_has(message, _name_of(call)) or re.search(_KINDS, message)):
        return ""
    return (
        f"{_COMPARE_NAME}the handler of {call.method} does not know a name that the server lists."
    )


def _name_of(call: OutgoingRequest) -> str:
    """Return the name that a request is about; empty for none."""
    row = methods.find_any(call.method)
    name = call.params.get(row.name_param) if row is not None and row.name_param else None
    return name if isinstance(name, str) else ""


def _has(message: str, name: str) -> bool:
    return bool(name) and re.search(rf"(?<!\w){re.escape(name.lower())}(?!\w)", message) is not None
