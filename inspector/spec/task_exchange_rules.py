"""What is wrong with an answer about tasks of the extension, beside the request that it answers.

Pure. Only what the two show is judged: that an id is unknown the server has to say itself. Ids stand in no words here: who knows one can
ask for the task (C-SEC-14).

Source: the tasks extension, "Capability Negotiation", "Protocol Errors", "Backward Compatibility", "Security"; L-TKX-10, L-TKX-11, L-TKX-15,
L-TKX-16, L-TKX-19, L-TKX-20.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from inspector.finding import Finding, Severity
from inspector.spec import tasks
from inspector.spec.capabilities import declares
from inspector.spec.error_codes import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    MISSING_CLIENT_CAPABILITY,
    UNSUPPORTED_VERSION,
)
from inspector.spec.json_types import format_value
from inspector.spec.keys import META, META_CLIENT_CAPABILITIES, RESULT_TASK, TASKS_EXTENSION
from inspector.spec.spec_urls import link
from inspector.spec.subscription_filter import LISTEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

CALL = "tools/call"
OWN = (
    tasks.EXTENSION.get_method,
    tasks.EXTENSION.update_method,
    tasks.EXTENSION.cancel_method,
)
"""Requests of the extension."""
GONE = (tasks.CORE.result_method, tasks.CORE.list_method)
"""Requests of the older design, which the extension does not have."""
METHODS = frozenset({CALL, LISTEN, *OWN, *GONE})
"""Requests whose answers are looked at."""

MIN_BITS = 64
"""An id with room for less can be tried out."""

MIN_DIFFERENCE = 6
"""Two ids that differ in fewer characters in a row were counted, not drawn."""

_UNKNOWN = re.compile(r"not found|unknown|no such|not exist|n't exist|expired", re.IGNORECASE)
_NEED = r"requir|support|capab|extension|declar|negotiat|augment"
_NEEDS_TASKS = re.compile(
    rf"\btasks?\b.*(?:{_NEED})|(?:{_NEED}).*\btasks?\b", re.IGNORECASE | re.DOTALL
)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}", re.I)
_TIMED = "126"
"""Versions of a UUID that are made of the time and the machine."""
_EARLIER = frozenset({HEADER_MISMATCH, UNSUPPORTED_VERSION, METHOD_NOT_FOUND})
"""Refusals that come before capabilities are looked at, or because there are no tasks at all."""
LONGEST = 500
"""Characters of an error that are looked at."""


def of_answer(
    method: str, params: Json, message: JsonObject, revision: Revision
) -> Iterator[Finding]:
    """What is odd about the answer `message` to a request of ours."""
    if tasks.dialect(revision) is not tasks.EXTENSION or method not in METHODS:
        return
    sent: JsonObject = params if isinstance(params, dict) else {}
    error, result = message.get("error"), message.get("result")
    if isinstance(error, dict):
        yield from _of_error(method, sent, error, revision)
    elif "result" in message:
        yield from _of_result(method, sent, result, revision)


def made(method: str, message: JsonObject) -> str:
    """The id of the task that an answer tells of as new; empty for none."""
    result = message.get("result")
    if method != CALL or not isinstance(result, dict) or result.get("resultType") != RESULT_TASK:
        return ""
    id_ = result.get("taskId")
    return id_ if isinstance(id_, str) else ""


def of_id(id_: str, before: str, revision: Revision) -> Iterator[Finding]:
    """Whether somebody else could find the id of a new task by guessing; `before` is that of the last one."""
    text = _guessable(id_, before)
    if text:
        text = f"the id of a task must not be guessable, and {text}"
        yield _finding("L-TKX-16", text, "/result/taskId", revision, Severity.WARNING)


def is_declared(params: JsonObject) -> bool:
    """Whether a request says that its sender takes tasks."""
    meta = params.get(META)
    said = meta.get(META_CLIENT_CAPABILITIES) if isinstance(meta, dict) else None
    return declares(said, "extensions", TASKS_EXTENSION)


def _of_error(
    method: str, sent: JsonObject, error: JsonObject, revision: Revision
) -> Iterator[Finding]:
    code, message = _code(error), error.get("message")
    text = message[:LONGEST] if isinstance(message, str) else ""
    if method == CALL:
        yield from _of_refusal(sent, error, text, revision)
    elif method in OWN and not is_declared(sent):
        is_early = code in _EARLIER or (code == INVALID_PARAMS and not _UNKNOWN.search(text))
        if code != MISSING_CLIENT_CAPABILITY and not is_early:
            yield _undeclared(method, f"error {format_value(code)}", "/error/code", revision)
    elif method in OWN and code != INVALID_PARAMS and _UNKNOWN.search(text):
        is_get = method == tasks.EXTENSION.get_method
        severity = Severity.ERROR if is_get else Severity.WARNING
        need = "must" if is_get else "should"
        said = f"that a task is unknown {need} be told by {INVALID_PARAMS}, not by {format_value(code)}"
        yield _finding("L-TKX-10", said, "/error/code", revision, severity)


def _code(error: JsonObject) -> int | None:
    code = error.get("code")
    return code if isinstance(code, int) else None


def _of_refusal(
    sent: JsonObject, error: JsonObject, text: str, revision: Revision
) -> Iterator[Finding]:
    """A call that is refused because it would have to become a task."""
    if is_declared(sent):
        return
    code, data = _code(error), error.get("data")
    required = data.get("requiredCapabilities") if isinstance(data, dict) else None
    if code == MISSING_CLIENT_CAPABILITY:
        is_named = declares(required, "extensions", TASKS_EXTENSION)
        is_old = isinstance(required, dict) and "tasks" in required
        if not is_named and (is_old or _NEEDS_TASKS.search(text)):
            said = f"the extension that is needed belongs to `requiredCapabilities.extensions[{TASKS_EXTENSION!r}]`"
            yield _finding("L-TKX-20", said, "/error/data", revision)
    elif _NEEDS_TASKS.search(text) and code not in {*_EARLIER, INVALID_PARAMS} - {METHOD_NOT_FOUND}:
        said = f"a call that needs tasks is refused with {MISSING_CLIENT_CAPABILITY}, not with {format_value(code)}"
        yield _finding("L-TKX-20", said, "/error/code", revision, Severity.WARNING)


def _of_result(
    method: str, sent: JsonObject, result: Json, revision: Revision
) -> Iterator[Finding]:
    if method in GONE:
        text = f"the extension has no {method}, and it is answered all the same"
        yield _finding("L-TKX-15", text, "/result", revision, Severity.WARNING)
    elif method in OWN and not is_declared(sent):
        yield _undeclared(method, "a result", "/result", revision)
    elif method == CALL and "task" in sent and isinstance(result, dict):
        yield from _of_legacy(sent, result, revision)


def _of_legacy(sent: JsonObject, result: JsonObject, revision: Revision) -> Iterator[Finding]:
    """`params.task` means nothing in the extension, and must change nothing."""
    is_nested = isinstance(result.get("task"), dict) and "content" not in result
    is_task = result.get("resultType") == RESULT_TASK
    if is_nested or (is_task and not is_declared(sent)):
        text = "`params.task` of the older design made a task of the call; it must be ignored"
        yield _finding("L-TKX-19", text, "/result", revision)


def _undeclared(method: str, answer: str, pointer: str, revision: Revision) -> Finding:
    text = (
        f"{method} without the extension declared must be refused with {MISSING_CLIENT_CAPABILITY}; "
        f"it was answered with {answer}"
    )
    return _finding("L-TKX-11", text, pointer, revision)


def _guessable(id_: str, before: str) -> str:
    if found := _UUID.fullmatch(id_):
        return f"this is a UUID made of the time (version {found[1]})" if found[1] in _TIMED else ""
    bits = len(id_) * math.log2(max(2, _letters(id_)))
    if bits < MIN_BITS:
        return f"this one has room for about {bits:.0f} bits, fewer than {MIN_BITS}"
    if before and len(before) == len(id_) and 0 < _difference(before, id_) < MIN_DIFFERENCE:
        return "this one differs from the one before in a few characters only"
    return ""


def _letters(id_: str) -> int:
    """How many letters there are to choose from, as far as the id shows."""
    if re.fullmatch(r"[0-9]*", id_):
        return 10
    if re.fullmatch(r"[0-9a-f-]*|[0-9A-F-]*", id_):
        return 16
    return 36 if id_ in {id_.lower(), id_.upper()} else 64


def _difference(one: str, other: str) -> int:
    """How long the stretch is in which two texts of one length differ."""
    differing = [at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    return differing[-1] - differing[0] + 1 if differing else 0


def _finding(
    rule: str, text: str, pointer: str, revision: Revision, severity: Severity = Severity.ERROR
) -> Finding:
    return Finding(rule, severity, text, pointer, link("tasks", revision))
