"""Findings for one message: the official validators, and cheap rules of Spyglass.

Never raises, for any value. Rules that need the history of a session (unknown ids, order, capabilities) are in `inspector.checks`.

Importing this module imports pydantic and the official models, which takes about a second: import it late, in a thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.finding import bounded
from inspector.spec import jsonrpc_rules, methods, task_rules, tasks
from inspector.spec.field_availability import unavailable_members
from inspector.spec.keys import RESULT_INPUT_REQUIRED
from inspector.spec.mcp_types_validator import validate_call, validate_result
from inspector.spec.method import MethodKind
from inspector.spec.schema_errors import finding_for
from inspector.wire.message import MessageKind, tells_no_error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.finding import Finding
    from inspector.spec.method import Side
    from inspector.spec.revision import Revision
    from inspector.wire.frame import Direction
    from inspector.wire.json_codec import Json, JsonObject

MAX_BATCH = 100
"""Messages of a batch that are validated one by one."""

_SILENT = frozenset({MessageKind.STDERR, MessageKind.NOTE, MessageKind.BLANK_LINE})

_CALL_KINDS = {
    MessageKind.REQUEST: MethodKind.REQUEST,
    MessageKind.NOTIFICATION: MethodKind.NOTIFICATION,
}


def validate(
    message_value: Json,
    *,
    kind: MessageKind,
    method_of_request: str | None,
    revision: Revision,
    direction: Direction,
) -> list[Finding]:
    """Return what is wrong with a message.

    `method_of_request` is needed for responses only: without it their result is not validated.
    """
    if kind in _SILENT:
        return []
    sender = methods.side_of(direction)
    return bounded(_validated(message_value, kind, method_of_request, revision, sender))


def _validated(
    value: Json, kind: MessageKind, method: str | None, revision: Revision, sender: Side
) -> Iterator[Finding]:
    if kind is MessageKind.BATCH and isinstance(value, list):
        yield from _batch(value, revision, sender)
    elif not isinstance(value, dict) or kind not in _CHECKS:
        yield from jsonrpc_rules.check_other(value, revision)
    else:
        yield from jsonrpc_rules.check_version(value, revision)
        yield from _CHECKS[kind](value, kind, method, revision, sender)


def _batch(batch: list[Json], revision: Revision, sender: Side) -> Iterator[Finding]:
    yield from jsonrpc_rules.check_batch(batch, revision)
    for number, each in enumerate(batch[:MAX_BATCH]):
        for finding in _validated(each, _kind_of(each), None, revision, sender):
            yield replace(finding, pointer=f"/{number}{finding.pointer}")


def _kind_of(value: Json) -> MessageKind:
    """Classify a member of a batch; a batch inside a batch is malformed."""
    if not isinstance(value, dict):
        return MessageKind.MALFORMED
    if isinstance(value.get("method"), str):
        return MessageKind.REQUEST if "id" in value else MessageKind.NOTIFICATION
    if "result" in value and tells_no_error(value.get("error")):
        return MessageKind.RESPONSE
    return MessageKind.ERROR if "error" in value else MessageKind.MALFORMED


def _call(
    message: JsonObject, kind: MessageKind, _method: str | None, revision: Revision, sender: Side
) -> Iterator[Finding]:
    call_kind = _CALL_KINDS[kind]
    yield from jsonrpc_rules.check_call(message, call_kind, sender, revision)
    name, params = message.get("method"), message.get("params")
    if not isinstance(name, str) or not ("params" not in message or isinstance(params, dict)):
        return
    found = params if isinstance(params, dict) else None
    for fault in validate_call(name, found, call_kind, sender, revision):
        yield finding_for(fault, "", name, revision)
    if call_kind is MethodKind.NOTIFICATION and found is not None:
        yield from task_rules.check_notification(name, found, revision)
    yield from unavailable_members(message, name, revision)


def _result(
    message: JsonObject, _kind: MessageKind, method: str | None, revision: Revision, sender: Side
) -> Iterator[Finding]:
    yield from jsonrpc_rules.check_result(message, method, sender, revision)
    result = message.get("result")
    if not method or not isinstance(result, dict):
        return
    about_tasks = task_rules.check_result(method, result, revision)
    if about_tasks is not None:
        yield from about_tasks
        yield from _inlined(method, result, sender, revision)
        return
    asks = result.get("resultType") == RESULT_INPUT_REQUIRED
    if asks and not methods.can_require_input(method, revision):
        return  # the envelope said so
    for fault in validate_result(method, result, sender, revision):
        if fault.steps != ("resultType",):  # said by the envelope already
            yield finding_for(fault, "/result", method, revision)
    yield from unavailable_members(message, method, revision)


def _inlined(
    method: str, result: JsonObject, sender: Side, revision: Revision
) -> Iterator[Finding]:
    """Validate the result of a call inside its task."""
    inner = result.get("result")
    if method != tasks.EXTENSION.get_method or not isinstance(inner, dict):
        return
    for fault in validate_result("tools/call", inner, sender, revision):
        if fault.steps != ("resultType",):  # a result inside another need not say what it is
            yield finding_for(fault, "/result/result", "tools/call", revision)


def _error(
    message: JsonObject, _kind: MessageKind, _method: str | None, revision: Revision, sender: Side
) -> Iterator[Finding]:
    yield from jsonrpc_rules.check_error(message, sender, revision)


_CHECKS = {
    MessageKind.REQUEST: _call,
    MessageKind.NOTIFICATION: _call,
    MessageKind.RESPONSE: _result,
    MessageKind.ERROR: _error,
}
