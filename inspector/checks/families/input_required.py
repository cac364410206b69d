"""Results that ask for input, and the rounds that they lead to.

Source: basic/patterns/mrtr.
"""

from __future__ import annotations

import base64
import binascii
from itertools import islice
from typing import TYPE_CHECKING

from inspector.checks.families.discovery import is_remembered
from inspector.finding import Severity
from inspector.rules.rule import HTTP_ONLY, Kind, On, Rule, Subject
from inspector.spec import capabilities, methods
from inspector.spec.findings import make_finding
from inspector.spec.json_types import format_value
from inspector.spec.keys import META, META_CLIENT_CAPABILITIES, RESULT_INPUT_REQUIRED
from inspector.spec.method import Side
from inspector.spec.pointer import join
from inspector.spec.views.input_required import STATE_BYTES
from inspector.visible_text import one_line
from inspector.wire import json_codec
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.http_exchanges import HttpFrame
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding
    from inspector.wire.json_codec import Json, JsonObject

MAX_ROUNDS = 16
"""Rounds of one request after which it looks endless."""
MAX_TRIES = 6
"""Likewise in a row without input requests."""
MAX_REQUESTS = 1_000
"""Input requests of one result that are looked at."""

_ALLOWED = frozenset({"elicitation/create", "sampling/createMessage", "roots/list"})
_REQUESTS = "/result/inputRequests"


def _is_question(message: ReceivedMessage, history: History) -> bool:
    del history
    return message.result.get("resultType") == RESULT_INPUT_REQUIRED


def _asks(message: ReceivedMessage, history: History) -> bool:
    """Whether it asks for input; a task does so as well."""
    is_task = message.method == "tasks/get" and "inputRequests" in message.result
    return is_task or _is_question(message, history)


def _requests(message: ReceivedMessage) -> Iterator[tuple[str, str, JsonObject]]:
    """Yield key, method and request of what a result asks for."""
    asked = message.result.get("inputRequests")
    for key, each in islice(asked.items(), MAX_REQUESTS) if isinstance(asked, dict) else ():
        method = each.get("method") if isinstance(each, dict) else None
        if isinstance(each, dict) and isinstance(method, str):
            yield key, method, each


def check_methods(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield input requests of another method than the three."""
    del history
    for key, method, _ in _requests(message):
        if method not in _ALLOWED:
            text = f"{one_line(format_value(method), 80)} is not allowed as an input request"
            yield make_finding("L-MRTR-03", text, join(_REQUESTS, key, "method"), message.revision)


def check_declared(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield input requests whose capability no request declared; what an earlier one declared is L-DSC-10."""
    declared = _declared(message.request_params())
    for key, method, _ in _requests(message):
        need = methods.required_capability(method, message.revision, Side.SERVER)
        if need is None or capabilities.declares(declared, *need.path):
            continue
        is_absent = isinstance(declared, dict) and need.path[0] not in declared
        is_older = is_absent and is_remembered(need.path[0], history)
        if not (is_older and _is_question(message, history)):
            text = (
                f"input of `{method}` was requested, but the client did not declare `{need.name}`"
            )
            yield make_finding("L-MRTR-04", text, join(_REQUESTS, key), message.revision)


def _declared(params: Json) -> Json:
    meta = params.get(META) if isinstance(params, dict) else None
    return meta.get(META_CLIENT_CAPABILITIES) if isinstance(meta, dict) else None


def check_state_text(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that the state can be read and changed by a client, once."""
    state = message.result.get("requestState")
    kind = _readable(state) if isinstance(state, str) and len(state) <= STATE_BYTES else ""
    if kind and history.is_first("L-MRTR-06"):
        text = f"`requestState` is {kind}: unless it contains a signature, clients can change it"
        yield make_finding("L-MRTR-06", text, "/result/requestState", message.revision)


def _readable(state: str) -> str:
    """Return how a state can be read; empty if it cannot. A token of three parts has a signature."""
    if _is_object(state.encode("utf-8", "surrogatepass")):
        return "plain JSON"
    try:
        raw = base64.b64decode(state.translate(str.maketrans("-_", "+/")) + "===", validate=False)
    except (ValueError, binascii.Error):
        return ""
    return "JSON in base64" if "." not in state and _is_object(raw) else ""


def _is_object(raw: bytes) -> bool:
    if not raw.lstrip().startswith((b"{", b"[")):
        return False
    try:
        json_codec.read(raw)
    except json_codec.JsonSyntaxError:
        return False
    return True


def _has_state(message: ReceivedMessage, history: History) -> bool:
    return _is_question(message, history) and "requestState" in message.result


def check_rounds(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that the rounds of a request do not come to an end."""
    asked = history.rounds.asked.get(history.rounds.first_of(message.request))
    if asked is None:
        return
    if asked.rounds == MAX_ROUNDS + 1:
        text = f"still requesting input after {MAX_ROUNDS} rounds"
    elif asked.tries == MAX_TRIES + 1:
        text = f"the server requested a retry {asked.tries} times in a row, without input requests"
    else:
        return
    yield make_finding("L-MRTR-09", text, "/result", message.revision)


def check_after_question(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a message comes after the result that asks for input."""
    del history
    text = (
        "a message was sent on the stream after the `input_required` result, which must be the last"
    )
    yield make_finding("L-MRTR-11", text, "", frame.revision)


def _is_after_question(frame: HttpFrame, history: History) -> bool:
    is_message = frame.kind not in {MessageKind.SSE_OTHER, MessageKind.MALFORMED}
    return is_message and frame.exchange.answer in history.rounds.questions


def check_state_size(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that the state is very large."""
    del history
    state = message.result.get("requestState")
    size = len(state.encode("utf-8", "surrogatepass")) if isinstance(state, str) else 0
    if size > STATE_BYTES:
        text = f"`requestState` is {size:,} bytes and is sent with every round"
        yield make_finding("L-MRTR-12", text, "/result/requestState", message.revision)


def check_keys(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a key stands for something else than in an earlier round."""
    asked = history.rounds.asked.get(history.rounds.first_of(message.request))
    known = dict(asked.methods) if asked is not None else {}
    for key, method, _ in _requests(message):
        before = known.get(key)
        if before is not None and before != method:
            text = f"key “{one_line(key, 60)}” was used for {before} in an earlier round, and now for {one_line(method, 60)}"
            yield make_finding("L-MRTR-14", text, join(_REQUESTS, key), message.revision)


def _is_later_round(message: ReceivedMessage, history: History) -> bool:
    asked = history.rounds.asked.get(history.rounds.first_of(message.request))
    return _is_question(message, history) and asked is not None and asked.rounds > 1


_SERVERS, _ERRORS = "Server Requirements", "Error Handling"
_ON_RESULT, _ON_ERROR = On(Subject.RESULT), On(Subject.ERROR)

RULES = (
    Rule(
        "L-MRTR-03",
        Severity.ERROR,
        "input-required",
        "input request with another method",
        why="Clients cannot provide the input, and the call fails.",
        hint="Request input only with `elicitation/create`, `sampling/createMessage` or `roots/list`.",
        section="Server Requirements (Basic Workflow)",
        level="MUST",
        since=5,
        on=(_ON_RESULT,),
        check=check_methods,
        when=_is_question,
    ),
    Rule(
        "L-MRTR-04",
        Severity.ERROR,
        "input-required",
        "input request for an undeclared capability",
        why="The client cannot provide the input, and the call fails.",
        hint="Check `clientCapabilities` in `_meta` of the request first.",
        section=_SERVERS,
        level="MUST NOT",
        since=5,
        on=(_ON_RESULT,),
        check=check_declared,
        when=_asks,
    ),
    Rule(
        "L-MRTR-06",
        Severity.INFO,
        "input-required",
        "requestState can be read and changed",
        why="Clients can change the state, such as the identity of the user.",
        hint="Sign or encrypt `requestState`, or keep only harmless data in it.",
        section=_SERVERS,
        level="quality",
        since=5,
        on=(_ON_RESULT,),
        check=check_state_text,
        when=_has_state,
    ),
    Rule(
        "L-MRTR-07",
        Severity.WARNING,
        "input-required",
        "missing input causes an error",
        why="Clients that provide one input at a time never get a result.",
        hint="Request the missing input again instead of returning an error.",
        section=_ERRORS,
        level="SHOULD",
        since=5,
        kind=Kind.ACTIVE,
        on=(_ON_ERROR,),
    ),
    Rule(
        "L-MRTR-08",
        Severity.WARNING,
        "input-required",
        "unknown extra input causes an error",
        why="Clients that also send the input of an earlier round never get a result.",
        hint="Ignore input with keys that were not requested.",
        section=_ERRORS,
        level="SHOULD",
        since=5,
        kind=Kind.ACTIVE,
        on=(_ON_ERROR,),
    ),
    Rule(
        "L-MRTR-09",
        Severity.WARNING,
        "input-required",
        "too many rounds",
        why="Clients stop after some rounds, and the input of the user is lost.",
        hint="Request all input at once, and return a result or an error once it is complete.",
        section=_SERVERS,
        level="quality",
        since=5,
        on=(_ON_RESULT,),
        check=check_rounds,
        when=_is_question,
    ),
    Rule(
        "L-MRTR-10",
        Severity.ERROR,
        "input-required",
        "changed requestState accepted",
        why="Clients can make the server act on state that it never issued.",
        hint="Verify the integrity of `requestState`, and reject changed state.",
        section=_SERVERS,
        level="MUST",
        since=5,
        kind=Kind.ACTIVE,
        on=(_ON_RESULT,),
    ),
    Rule(
        "L-MRTR-11",
        Severity.WARNING,
        "input-required",
        "message after an input_required result",
        why="Clients stop reading at the result, and lose what follows.",
        hint="End the stream with the `input_required` result.",
        level="RULE",
        since=5,
        transports=HTTP_ONLY,
        on=(On(Subject.EVENT),),
        check=check_after_question,
        when=_is_after_question,
    ),
    Rule(
        "L-MRTR-12",
        Severity.WARNING,
        "input-required",
        "requestState very large",
        why="The state is sent with every round, and servers and proxies reject large requests.",
        hint="Keep large state on the server, and put a key to it into `requestState`.",
        section=_SERVERS,
        level="quality",
        since=5,
        on=(_ON_RESULT,),
        check=check_state_size,
        when=_has_state,
    ),
    Rule(
        "L-MRTR-13",
        Severity.ERROR,
        "input-required",
        "next round depends on the connection",
        why="Behind a load balancer, the next round reaches another process and fails.",
        hint="Put what the next round needs into `requestState`.",
        section=_SERVERS,
        level="MUST NOT",
        since=5,
        kind=Kind.ACTIVE,
        on=(_ON_ERROR,),
    ),
    Rule(
        "L-MRTR-14",
        Severity.ERROR,
        "input-required",
        "input request key reused in a later round",
        why="Clients that store input by key send the wrong value.",
        hint="Use a unique key for each input request of a call.",
        section=_SERVERS,
        level="MUST",
        since=5,
        on=(_ON_RESULT,),
        check=check_keys,
        when=_is_later_round,
    ),
)
