"""What JSON-RPC and the revision say about a message as a whole, checked by hand: cheap, and without the official models.

Every function takes any JSON value and yields findings; none raises. Places are JSON pointers into the message.

Source: JSON-RPC 2.0; basic, "Messages"; the requirement ids are those of the checks.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from inspector.finding import Finding, Severity, bounded
from inspector.spec import error_codes, methods, tasks
from inspector.spec.error_details import ErrorView
from inspector.spec.findings import make_finding
from inspector.spec.json_types import format_value, is_integer, type_text
from inspector.spec.keys import (
    META,
    META_SUBSCRIPTION_ID,
    RESULT_COMPLETE,
    RESULT_INPUT_REQUIRED,
    RESULT_TASK,
    is_meta_key,
    is_reserved_prefix,
    meta_key,
)
from inspector.spec.method import MethodKind, Side
from inspector.spec.methods import Availability
from inspector.spec.pointer import join
from inspector.spec.revision import V2024_11_05
from inspector.spec.subscription_filter import ACKNOWLEDGED, KINDS, UPDATED
from inspector.wire.json_codec import write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inspector.spec.methods import MethodTable
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject, JsonWarning

MAX_MESSAGE = 200
"""Characters after which an error message is no longer one concise sentence."""

MAX_NOTES = 1_000
"""Tolerances that are looked at: a megabyte can need a hundred thousand."""

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO


def check_notes(notes: Sequence[JsonWarning], revision: Revision) -> list[Finding]:
    """Return a finding for each tolerance that reading the text as JSON needed, once for alike ones."""
    found = dict.fromkeys(notes)
    return bounded(
        make_finding(_NOTE_RULES[note.rule], note.text, "", revision, subject="messages")
        for note in islice(found, MAX_NOTES)
    )


_NOTE_RULES = {
    "invalid-utf8": "L-JR-18",
    "byte-order-mark": "L-STD-04",
    "duplicate-key": "L-JR-19",
    "not-a-number": "L-JR-19",
    "lone-surrogate": "L-JR-19",
    "too-deep": "not-judged",
}


def check_version(message: JsonObject, revision: Revision) -> Iterator[Finding]:
    """Check the member `jsonrpc`."""
    version = message.get("jsonrpc")
    if version != "2.0" or not isinstance(version, str):
        found = "missing" if "jsonrpc" not in message else f"{format_value(version)}"
        text = f'`jsonrpc` must be "2.0"; it is {found}'
        yield make_finding("L-JR-01", text, "/jsonrpc", revision)


def check_call(
    message: JsonObject,
    kind: MethodKind,
    sender: Side,
    revision: Revision,
    table: MethodTable = methods.TABLE,
) -> Iterator[Finding]:
    """Check a request or notification by the methods of `table`."""
    if kind is MethodKind.REQUEST:
        yield from _check_id(message, revision)
    params = message.get("params")
    if "params" in message and not isinstance(params, dict):
        text = f"`params` must be an object, not {type_text(params)}"
        yield make_finding("L-JR-30", text, "/params", revision)
    name = message.get("method")
    if not isinstance(name, str):
        text = f"`method` must be a string, not {type_text(name)}"
        yield make_finding("L-JR-30", text, "/method", revision)
    else:
        yield from _check_method(name, kind, sender, revision, table)
        if sender is Side.SERVER and not revision.stateful and name in ANNOUNCED:
            yield from _check_tag(name, params, revision)
    if isinstance(params, dict):
        yield from _check_meta(params.get(META), join("/params", META), revision)


def _empty_text(error: Json) -> str:
    return f"empty ({write(error)})" if error is not None else "null"


def check_result(
    message: JsonObject, method: str | None, sender: Side, revision: Revision
) -> Iterator[Finding]:
    """Check a response with a result; `method` is the request's, if known."""
    yield from _check_id(message, revision)
    yield from _check_answering(sender, revision)
    result = message.get("result")
    if "error" in message:  # an empty one: with anything else it is an error
        text = f"there is both `result` and `error`, which is {_empty_text(message['error'])}: it must be left out"
        yield make_finding("L-JR-03", text, "/error", revision, section="Responses")
    if not isinstance(result, dict):
        text = f"`result` must be an object, not {type_text(result)}"
        yield make_finding("L-JR-21", text, "/result", revision, section="Responses")
        return
    yield from _check_meta(result.get(META), join("/result", META), revision)
    if revision.has_result_type:
        yield from _check_result_type(result, method, revision)
    cursor = result.get("nextCursor", "")
    if method and method.endswith("/list") and cursor is None:
        text = "`nextCursor` is null; it should be omitted on the last page"
        pointer = "/result/nextCursor"
        yield make_finding("L-PAG-01", text, pointer, revision, severity=WARNING)


def check_error(message: JsonObject, sender: Side, revision: Revision) -> Iterator[Finding]:
    """Check a response with an error."""
    yield from _check_answering(sender, revision)
    if "result" in message:
        yield make_finding(
            "L-JR-03",
            "both `result` and `error` are present",
            "/result",
            revision,
            section="Responses",
        )
    yield from _check_error_id(message, revision)
    error = ErrorView(message.get("error"), "/error", revision)
    yield from error.notes
    if len(error.message) > MAX_MESSAGE or "\n" in error.message.strip():
        text = "`message` should be a single concise sentence"
        yield make_finding("L-JR-20", text, "/error/message", revision, section="Responses")
    if isinstance(error.code, int) and sender is Side.SERVER:
        yield from _check_code(error, revision)


def check_other(message: Json, revision: Revision) -> Iterator[Finding]:
    """Say what is wrong with a value that is no message."""
    if not isinstance(message, dict):
        text = f"a message must be an object, not {type_text(message)}"
        yield make_finding("L-JR-02", text, "", revision)
    elif "method" in message:
        text = f"`method` must be a string, not {type_text(message['method'])}"
        yield make_finding("L-JR-02", text, "/method", revision)
    else:
        text = "not a request, notification or response"
        yield make_finding("L-JR-02", text, "", revision)


def check_batch(batch: Sequence[Json], revision: Revision) -> Iterator[Finding]:
    """Check a list of messages as a list."""
    if not revision.has_batches:
        severity = INFO if revision == V2024_11_05 else ERROR
        text = f"batches are not part of {revision}"
        yield make_finding("L-JR-15", text, "", revision, severity=severity)
    if not batch:
        yield make_finding("L-JR-16", "empty batch", "", revision)
    answers = [isinstance(each, dict) and "method" not in each for each in batch]
    if any(answers) and not all(answers):
        yield make_finding("L-JR-16", "batch mixes requests and responses", "", revision)
    for number, each in enumerate(batch):
        if isinstance(each, dict) and each.get("method") == "initialize":
            text = "`initialize` must not be part of a batch"
            yield make_finding("L-LC-12", text, f"/{number}", revision)


def _check_id(message: JsonObject, revision: Revision) -> Iterator[Finding]:
    id_ = message.get("id")
    if "id" not in message:
        yield make_finding("L-JR-30", "`id` is missing", "/id", revision)
    elif id_ is None:
        yield make_finding("L-JR-10", "`id` must not be null", "/id", revision)
    elif not isinstance(id_, str) and not is_integer(id_):
        text = f"`id` must be a string or integer, not {format_value(id_)}"
        yield make_finding("L-JR-11", text, "/id", revision)


def _check_error_id(message: JsonObject, revision: Revision) -> Iterator[Finding]:
    id_ = message.get("id")
    if id_ is not None:
        yield from _check_id(message, revision)
    elif revision.error_id_optional and "id" in message:
        text = "`id` is null; it should be omitted when the request id is unknown"
        yield make_finding("L-JR-09", text, "/id", revision)
    elif not revision.error_id_optional:
        text = "error response without `id`"
        yield make_finding("L-JR-08", text, "/id", revision)


def _check_answering(sender: Side, revision: Revision) -> Iterator[Finding]:
    if sender is Side.CLIENT and not revision.has_server_requests:
        text = f"clients do not send responses in {revision}"
        yield make_finding("L-JR-30", text, "", revision, subject="input-required")


def _check_method(
    name: str, kind: MethodKind, sender: Side, revision: Revision, table: MethodTable
) -> Iterator[Finding]:
    status, row = table.availability(name, revision, sender, kind), table.find_any(name)
    subject = row.subject if row else "messages"
    if status is Availability.UNKNOWN and row is not None:
        text = _MISTAKEN[kind].format(name=name)
        yield make_finding("L-JR-10", text, "/id", revision, subject=subject)
    elif kind is MethodKind.REQUEST and sender is Side.SERVER and not revision.has_server_requests:
        text = f"servers do not send requests in {revision}; input is requested in results"
        yield make_finding("L-JR-22", text, "/method", revision)
    elif (status, kind) in _UNAVAILABLE:
        rule, severity = _UNAVAILABLE[status, kind]
        is_unknown = status is Availability.UNKNOWN
        text = "is not defined in any revision" if is_unknown else f"is {status.value} ({revision})"
        name_text = repr(name) if is_unknown else f"`{name}`"
        text = f"{name_text} {text}"
        yield make_finding(rule, text, "/method", revision, severity=severity, subject=subject)


ANNOUNCED = frozenset({*KINDS, UPDATED, ACKNOWLEDGED, tasks.EXTENSION.announced})
"""What comes on streams that were asked for, and nowhere else."""


def _check_tag(name: str, params: Json, revision: Revision) -> Iterator[Finding]:
    meta = params.get(META) if isinstance(params, dict) else None
    if meta is None or (isinstance(meta, dict) and META_SUBSCRIPTION_ID not in meta):
        text = f"`{name}` has no subscription id"
        pointer = join("/params", META)
        yield make_finding("L-SUB-02", text, pointer, revision)


_MISTAKEN = {
    MethodKind.REQUEST: "`{name}` is a notification and must not have an `id`",
    MethodKind.NOTIFICATION: "`{name}` is a request and must have an `id`",
}

_UNAVAILABLE = {
    (Availability.UNKNOWN, MethodKind.REQUEST): ("L-JR-33", INFO),
    (Availability.UNKNOWN, MethodKind.NOTIFICATION): ("L-JR-31", INFO),
    (Availability.WRONG_SIDE, MethodKind.REQUEST): ("L-JR-33", WARNING),
    (Availability.WRONG_SIDE, MethodKind.NOTIFICATION): ("L-JR-31", WARNING),
    (Availability.NOT_YET, MethodKind.REQUEST): ("L-JR-34", WARNING),
    (Availability.NOT_YET, MethodKind.NOTIFICATION): ("L-JR-34", WARNING),
    (Availability.NO_LONGER, MethodKind.REQUEST): ("L-JR-34", WARNING),
    (Availability.NO_LONGER, MethodKind.NOTIFICATION): ("L-JR-34", WARNING),
    (Availability.EMBEDDED, MethodKind.REQUEST): ("L-JR-22", ERROR),
}


def _check_meta(meta: Json, pointer: str, revision: Revision) -> Iterator[Finding]:
    if not isinstance(meta, dict) or not revision.defines_meta_keys:
        return
    for key in meta:
        if not is_meta_key(key):
            text = f"`_meta` key {key!r} must be a name of letters, digits, `-`, `_` and `.`, after an optional prefix such as `com.example/`"
            yield make_finding("L-MET-01", text, join(pointer, key), revision, section="_meta")
        elif meta_key(key) is None and is_reserved_prefix(key, revision):
            text = f"`_meta` key {key!r} uses a reserved prefix, but is not defined by the specification"
            yield make_finding("L-MET-02", text, join(pointer, key), revision, section="_meta")


def _check_result_type(
    result: JsonObject, method: str | None, revision: Revision
) -> Iterator[Finding]:
    kind, pointer = result.get("resultType"), "/result/resultType"
    if "resultType" not in result:
        text = "`resultType` is missing; treated as complete"
        yield make_finding("L-JR-23", text, pointer, revision, section="Result Responses")
    elif kind not in (RESULT_COMPLETE, RESULT_INPUT_REQUIRED, RESULT_TASK):
        text = f"undefined `resultType` {format_value(kind)}"
        yield make_finding("L-JR-24", text, pointer, revision, section="Result Responses")
    elif kind == RESULT_INPUT_REQUIRED:
        yield from _check_input_required(result, method, revision)
    if kind != RESULT_INPUT_REQUIRED and method and methods.can_require_input(method, revision):
        for key in ("inputRequests", "requestState"):
            if key in result:
                text = f"`{key}` is present, but `resultType` is not `input_required`"
                yield make_finding(
                    "L-MRTR-05", text, join("/result", key), revision, severity=WARNING
                )


def _check_input_required(
    result: JsonObject, method: str | None, revision: Revision
) -> Iterator[Finding]:
    row = methods.find(method, revision) if method else None
    if row and not row.can_require_input:
        text = f"a `{row.name}` result must not be `input_required`"
        yield make_finding("L-MRTR-02", text, "/result/resultType", revision)
    if "inputRequests" not in result and "requestState" not in result:
        text = "`input_required` result has neither `inputRequests` nor `requestState`"
        yield make_finding("L-MRTR-01", text, "/result", revision)
    for key, expected in (("inputRequests", "an object"), ("requestState", "a string")):
        if key in result and result[key] is None:
            text = f"`{key}` must be {expected}, not null"
            yield make_finding("L-MRTR-05", text, join("/result", key), revision)
    asked = result.get("inputRequests")
    for name, request in asked.items() if isinstance(asked, dict) else ():
        for key in ("id", "jsonrpc"):
            if isinstance(request, dict) and key in request:
                text = f"an input request is not a message and must not have `{key}`"
                pointer = join("/result/inputRequests", name, key)
                yield make_finding("L-MRTR-05", text, pointer, revision)


def _check_code(error: ErrorView, revision: Revision) -> Iterator[Finding]:
    code, section = error.code, "Error Codes"
    meaning, pointer = error.meaning, "/error/code"
    if not meaning.allowed:
        retired = code in (error_codes.RESOURCE_NOT_FOUND, error_codes.URL_ELICITATION_REQUIRED)
        rule, status = ("L-JR-26", "retired") if retired else ("L-JR-25", "reserved and undefined")
        text = f"code {code} is {status} in {revision}"
        yield make_finding(rule, text, pointer, revision, section=section)
    elif not revision.stateful and code in _OWN_CODES:
        text = f"code {code} should not be used by new servers in {revision}"
        yield make_finding("L-JR-27", text, pointer, revision, section=section)
    text = _missing_data_text(error, revision)
    if text:
        rule = "L-ELI-15" if code == error_codes.URL_ELICITATION_REQUIRED else "L-JR-29"
        yield make_finding(rule, text, "/error/data", revision, subject="errors", section=section)


_OWN_CODES = range(-32019, -31999)
"""Codes that servers once chose from."""


def _missing_data_text(error: ErrorView, revision: Revision) -> str:
    """Return which members of `data` a code requires and the error lacks; an empty string for none."""
    data = error.data if isinstance(error.data, dict) else {}
    expected = _DATA_OF.get(error.code, ()) if isinstance(error.code, int) else ()
    if error.meaning.name == "Server-defined error" or not error.meaning.allowed:
        return ""
    missing = [key for key, kind in expected if not isinstance(data.get(key), kind)]
    listed = " and ".join(f"`{key}`" for key in missing)
    return f"an error with code {error.code} must carry {listed} in `data`" if missing else ""


_DATA_OF: dict[int, tuple[tuple[str, type], ...]] = {
    error_codes.MISSING_CLIENT_CAPABILITY: (("requiredCapabilities", dict),),
    error_codes.UNSUPPORTED_VERSION: (("supported", list), ("requested", str)),
    error_codes.URL_ELICITATION_REQUIRED: (("elicitations", list),),
}
