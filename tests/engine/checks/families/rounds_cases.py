"""Cases of `checks.families.subscriptions`, `caching` and `input_required`."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from inspector.spec.keys import META, META_CLIENT_CAPABILITIES, META_SUBSCRIPTION_ID
from inspector.spec.revision import V2026_07_28
from inspector.spec.subscription_filter import ACKNOWLEDGED, LISTEN
from tests.support.rule_cases import Case

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.talk import Talk

MODERN = V2026_07_28
TOOLS, PROMPTS = "notifications/tools/list_changed", "notifications/prompts/list_changed"
FORM: Json = {"method": "elicitation/create", "params": {"message": "Who?"}}
ROOTS: Json = {"method": "roots/list"}
SAMPLE: Json = {"method": "sampling/createMessage", "params": {}}


def discovered(talk: Talk, **capabilities: Json) -> None:
    """What the server declares."""
    talk.request(90, "server/discover")
    info: Json = {"name": "sample", "version": "1.2.3"}
    versions: Json = [MODERN.date]
    talk.result(90, supportedVersions=versions, capabilities=capabilities, serverInfo=info)


def listening(
    agreed: JsonObject, *, sent: str = "", wait: float = -1.0
) -> Callable[[Talk], object]:
    """A subscription to two lists of which `agreed` is acknowledged, and a notification; `wait` seconds after it was cancelled."""
    tag: JsonObject = {META: {META_SUBSCRIPTION_ID: 1}}

    def write(talk: Talk) -> None:
        discovered(talk, tools={"listChanged": True}, prompts={})
        asked: Json = {"toolsListChanged": True, "promptsListChanged": True}
        opened = talk.request(1, LISTEN, notifications=asked)
        params: Json = {**tag, "notifications": agreed}
        talk.received({"jsonrpc": "2.0", "method": ACKNOWLEDGED, "params": params})
        if wait >= 0:
            talk.note("cancelled", "x", request=opened)
            talk.wait(wait)
        if sent:
            talk.received({"jsonrpc": "2.0", "method": sent, "params": tag})

    return write


def stream_end(*, is_answered: bool) -> Callable[[Talk], object]:
    """A stream of notifications over HTTP that ends with its result or without it."""

    def write(talk: Talk) -> None:
        talk.http.request(LISTEN, {"notifications": {"toolsListChanged": True}})
        talk.http.stream()
        talk.http.block(": hello")
        if is_answered:
            talk.http.result_event()
        talk.http.lost()

    return write


def listen_answer(*, is_stream: bool) -> Callable[[Talk], object]:
    """A request for a stream, answered by one or at once."""

    def write(talk: Talk) -> None:
        talk.http.request(LISTEN, {"notifications": {}})
        if is_stream:
            talk.http.stream()
        else:
            talk.http.result()

    return write


def pages(*scopes: str) -> Callable[[Talk], object]:
    """Pages of a list with these scopes."""

    def write(talk: Talk) -> None:
        for number, scope in enumerate(scopes, start=1):
            cursor: JsonObject = {"cursor": "a"} if number > 1 else {}
            talk.request(number, "tools/list", **cursor)
            more: JsonObject = {"nextCursor": "a"} if number < len(scopes) else {}
            talk.result(number, tools=[], ttlMs=1000, cacheScope=scope, **more)

    return write


def again(seconds: float, *, is_announced: bool = False) -> Callable[[Talk], object]:
    """A list that is another one after that time; it may be kept for a minute."""

    def write(talk: Talk) -> None:
        for number in (1, 2):
            talk.request(number, "tools/list")
            found: Json = [{"name": f"tool_{number}", "inputSchema": {"type": "object"}}]
            talk.result(number, tools=found, ttlMs=60_000, cacheScope="private")
            talk.wait(seconds)
            if is_announced:
                talk.received({"jsonrpc": "2.0", "method": TOOLS})

    return write


def by_token(scope: str) -> Callable[[Talk], object]:
    """A resource that two users read, with other contents."""

    def write(talk: Talk) -> None:
        for user in ("one", "two"):
            talk.http.request("resources/read", {"uri": "x:a"}, authorization=f"Bearer {user}")
            contents: Json = [{"uri": "x:a", "text": user}]
            found: JsonObject = {"contents": contents, "ttlMs": 9, "cacheScope": scope}
            talk.http.result("application/json", found)

    return write


def kept(*times: int) -> Callable[[Talk], object]:
    """Lists that may be kept for these times."""

    def write(talk: Talk) -> None:
        for number, ttl in enumerate(times, start=1):
            talk.request(number, "tools/list")
            talk.result(number, tools=[], ttlMs=ttl, cacheScope="private")

    return write


def asked(
    *rounds: JsonObject, declares: JsonObject | None = None, **members: Json
) -> Callable[[Talk], object]:
    """A call that asks for these in its rounds."""
    capabilities: JsonObject = {"elicitation": {}, "roots": {}} if declares is None else declares

    def write(talk: Talk) -> None:
        first = 0
        for number, requests in enumerate(rounds, start=1):
            meta: Json = {META_CLIENT_CAPABILITIES: capabilities}
            sent = talk.request(number, "tools/call", name="a", arguments={}, **{META: meta})
            first = first or sent
            if sent != first:
                talk.note("input-given", "x", request=first, retry=sent)
            given: JsonObject = {"inputRequests": requests} if requests else {"requestState": "s"}
            talk.result(number, resultType="input_required", **given, **members)
            talk.note("input-required", "x", request=first)

    return write


def after_question(method: str) -> Callable[[Talk], object]:
    """A stream on which something comes after the result, or a comment."""

    def write(talk: Talk) -> None:
        talk.http.request("tools/call")
        talk.http.stream()
        result: Json = {"resultType": "input_required", "requestState": "s"}
        talk.http.event({"jsonrpc": "2.0", "id": 1, "result": result})
        if method:
            talk.http.notice(method, level="info", data="x")
        else:
            talk.http.block(": bye")

    return write


def encoded(value: bytes) -> str:
    """In base64, as states are."""
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


ASKS: JsonObject = {"a": FORM}
NOTHING: JsonObject = {}
BOTH: JsonObject = {"toolsListChanged": True, "promptsListChanged": True}
ONE: JsonObject = {"toolsListChanged": True}

CASES = tuple(
    case._replace(revision=MODERN)
    for case in (
        Case("L-SUB-04", listening(ONE, sent=PROMPTS), listening(BOTH, sent=PROMPTS)),
        Case("L-SUB-06", stream_end(is_answered=False), stream_end(is_answered=True)),
        Case("L-SUB-10", listen_answer(is_stream=False), listen_answer(is_stream=True)),
        Case("L-SUB-11", listening({}), listening(ONE)),
        Case("L-SUB-12", listening(BOTH, sent=TOOLS, wait=9), listening(BOTH, sent=TOOLS, wait=1)),
        Case("L-CCH-04", pages("public", "private"), pages("public", "public")),
        Case("L-CCH-05", asked({"a": FORM}, ttlMs=1), asked({"a": FORM})),
        Case("L-CCH-06", again(5), again(90)),
        Case("L-CCH-06", again(5), again(5, is_announced=True), name="announced"),
        Case("L-CCH-07", by_token("public"), by_token("private")),
        Case("L-CCH-08", kept(10**12), kept(60_000)),
        Case("L-CCH-08", kept(0, 0, 0, 0, 0), kept(0, 0, 0, 0, 9), name="never"),
        Case("L-MRTR-03", asked({"a": {"method": "tools/call"}}), asked({"a": ROOTS})),
        Case("L-MRTR-04", asked({"a": SAMPLE}), asked({"a": FORM})),
        Case(
            "L-MRTR-06",
            asked({"a": FORM}, requestState=encoded(b'{"user": 1}')),
            asked({"a": FORM}, requestState=encoded(b"\x93\x01\x02\xff sealed")),
        ),
        Case("L-MRTR-09", asked(*[ASKS] * 17), asked(*[ASKS] * 16)),
        Case("L-MRTR-09", asked(*[NOTHING] * 7), asked(*[NOTHING] * 6), name="without requests"),
        Case("L-MRTR-11", after_question("notifications/message"), after_question("")),
        Case(
            "L-MRTR-12",
            asked({"a": FORM}, requestState="x" * 70_000),
            asked({"a": FORM}, requestState="x" * 60_000),
        ),
        Case("L-MRTR-14", asked({"a": FORM}, {"a": ROOTS}), asked({"a": FORM}, {"b": ROOTS})),
    )
)
