"""Cases of `checks.families.utilities`, `logging` and `completion`, and of their rules in `rules.utilities`."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from inspector.spec.keys import META_LOG_LEVEL
from inspector.spec.revision import V2024_11_05, V2026_07_28
from tests.engine.checks.families.conversations import (
    ask,
    connect,
    discover,
    meta,
    notify,
    post,
    respond,
)
from tests.support.rule_cases import Case

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.talk import Talk

LOG, PROGRESS, CANCELLED = (
    f"notifications/{each}" for each in ("message", "progress", "cancelled")
)
GREET: JsonObject = {"name": "greet"}
LEAVE: JsonObject = {"name": "leave"}


def pages(*asked: tuple[str | None, Json, list[JsonObject]]) -> Callable[[Talk], object]:
    """Pages of prompts: the cursor that is sent, the next one, and the items."""

    def write(talk: Talk) -> None:
        connect(talk, prompts={})
        for id_, (cursor, following, items) in enumerate(asked, 2):
            talk.request(id_, "prompts/list", **({"cursor": cursor} if cursor else {}))
            more: JsonObject = {} if following is None else {"nextCursor": following}
            talk.result(id_, prompts=[*items], **more)

    return write


def odd_cursor(code: int) -> Callable[[Talk], object]:
    """A cursor that was never issued, and an error with this code; 0 for a page."""

    def write(talk: Talk) -> None:
        pages((None, None, [GREET]))(talk)
        talk.request(9, "prompts/list", cursor="bogus")
        if code:
            talk.error(9, code, "no such cursor")
        else:
            talk.result(9, prompts=[GREET])

    return write


def progress(
    *steps: Mapping[str, Json], seconds: float = 0, token: Json = "t"
) -> Callable[[Talk], object]:
    """A call with this progress, so many seconds after it was cancelled unless that is 0."""

    def write(talk: Talk) -> None:
        connect(talk, tools={})
        number = talk.request(2, "tools/call", name="x", arguments={}, _meta={"progressToken": "t"})
        if seconds:
            talk.note("cancelled", "by the user", request=number)
            talk.wait(seconds)
        for step in steps:
            notify(talk, PROGRESS, progressToken=token, **step)

    return write


def after_response(talk: Talk) -> None:
    """Progress of a call that was answered."""
    connect(talk, tools={})
    talk.request(2, "tools/call", name="x", arguments={}, _meta={"progressToken": "t"})
    talk.text_result(2, "done")
    notify(talk, PROGRESS, progressToken="t", progress=1)


def cancelled(seconds: float) -> Callable[[Talk], object]:
    """A response so long after our cancellation."""

    def write(talk: Talk) -> None:
        connect(talk, tools={})
        number = talk.call(2, "x")
        talk.note("cancelled", "by the user", request=number)
        talk.wait(seconds)
        talk.text_result(2, "done")

    return write


def server_cancels(id_: Json) -> Callable[[Talk], object]:
    """The server cancels our call 2, its own request 7 with a task, or its request 8 without one."""

    def write(talk: Talk) -> None:
        connect(talk, tools={})
        talk.call(2, "x")
        with_task: JsonObject = {"task": {}}
        without: JsonObject = {}
        for own, params in ((7, with_task), (8, without)):
            request: JsonObject = {"jsonrpc": "2.0", "id": own, "method": "sampling/createMessage"}
            talk.received({**request, "params": {"messages": [], "maxTokens": 1, **params}})
        notify(talk, CANCELLED, requestId=id_)

    return write


def server_ends(method: str) -> Callable[[Talk], object]:
    """The server of the stateless era cancels our request."""

    def write(talk: Talk) -> None:
        discover(talk)
        ask(talk, 2, method, notifications={})
        notify(talk, CANCELLED, requestId=2)

    return write


def we_cancel(id_: int) -> Callable[[Talk], object]:
    """We cancel a request."""

    def write(talk: Talk) -> None:
        connect(talk)
        talk.request(2, "tools/list")
        cancel: JsonObject = {"jsonrpc": "2.0", "method": CANCELLED, "params": {"requestId": id_}}
        talk.sent(cancel)

    return write


def logs(*messages: JsonObject) -> Callable[[Talk], object]:
    """These log messages."""

    def write(talk: Talk) -> None:
        connect(talk, logging={})
        for message in messages:
            notify(talk, LOG, **message)

    return write


def level_set(level: str, *, seconds: float = 5) -> Callable[[Talk], object]:
    """A log message of the level info, so long after another level was set."""

    def write(talk: Talk) -> None:
        connect(talk, logging={})
        talk.request(2, "logging/setLevel", level=level)
        talk.result(2)
        talk.wait(seconds)
        notify(talk, LOG, level="info", data="x")

    return write


def requested(level: str, *, is_served: bool = False) -> Callable[[Talk], object]:
    """A log message of the level info during a request that names a level, or after it was served."""

    def write(talk: Talk) -> None:
        discover(talk)
        ask(talk, 2, "prompts/list", meta({META_LOG_LEVEL: level} if level else {}))
        if is_served:
            result: JsonObject = {"resultType": "complete", "ttlMs": 0, "cacheScope": "public"}
            talk.result(2, prompts=[], **result)
        else:
            notify(talk, LOG, level="info", data="x")

    return write


def completed(seconds: float, *values: Json, **members: Json) -> Callable[[Talk], object]:
    """Suggestions after so long."""

    def write(talk: Talk) -> None:
        connect(talk, completions={})
        _ask_completion(talk, 2)
        talk.wait(seconds)
        talk.result(2, completion={"values": list(values), **members})

    return write


def _ask_completion(talk: Talk, id_: int, name: str = "greet", **more: Json) -> None:
    argument: JsonObject = {"name": "who", "value": "a"}
    talk.request(
        id_,
        "completion/complete",
        ref={"type": "ref/prompt", "name": name},
        argument=argument,
        **more,
    )


def in_contexts(*, is_used: bool) -> Callable[[Talk], object]:
    """Suggestions for the same text in four contexts."""

    def write(talk: Talk) -> None:
        connect(talk, completions={})
        for id_ in range(2, 6):
            _ask_completion(talk, id_, context={"arguments": {"team": f"{id_}"}})
            talk.result(id_, completion={"values": [f"ada {id_}" if is_used else "ada"]})

    return write


def no_prompt(name: str, code: int) -> Callable[[Talk], object]:
    """Suggestions for a prompt, refused with this code."""

    def write(talk: Talk) -> None:
        connect(talk, completions={}, prompts={})
        talk.request(2, "prompts/list")
        talk.result(2, prompts=[GREET])
        _ask_completion(talk, 3, name)
        talk.error(3, code, "no")

    return write


def streamed(
    method: str, params: JsonObject, *, on: int, is_answered: bool = False
) -> Callable[[Talk], object]:
    """A notification on the stream of the first or the second of two requests over HTTP, before or after its response."""

    def write(talk: Talk) -> None:
        streams: list[int] = []
        for id_ in (1, 2):
            own: JsonObject = {**meta({META_LOG_LEVEL: "debug"}), "progressToken": f"t{id_}"}
            request: JsonObject = {"jsonrpc": "2.0", "id": id_, "method": "prompts/list"}
            streams.append(post(talk, {**request, "params": {"_meta": own}}))
        if is_answered:
            result: JsonObject = {
                "prompts": [],
                "resultType": "complete",
                "ttlMs": 0,
                "cacheScope": "public",
            }
            respond(talk, {"jsonrpc": "2.0", "id": on, "result": result}, streams[on - 1])
        respond(talk, {"jsonrpc": "2.0", "method": method, "params": params}, streams[on - 1])

    return write


STEP: JsonObject = {"progress": 1, "message": "counting"}
INFO: JsonObject = {"level": "info", "data": "x"}
OF_FIRST: JsonObject = {"progressToken": "t1", "progress": 1}
SECRET: JsonObject = {"level": "info", "data": "key AKIAABCDEFGHIJKLMNOP"}
PLAIN = base64.b64encode(b"select * from prompts offset 2").decode()
TWO = (None, "b", [GREET]), ("b", None, [LEAVE])

CASES = (
    Case("L-PAG-01", pages((None, 7, [])), pages((None, None, []))),
    Case("L-PAG-02", odd_cursor(0), odd_cursor(-32602)),
    Case("L-PAG-02", odd_cursor(-32603), odd_cursor(-32602), name="another code"),
    Case("L-PAG-03", pages(*TWO, ("b", None, [GREET])), pages(*TWO, ("b", None, [LEAVE]))),
    Case("L-PAG-04", pages((None, "b", [GREET]), ("b", "b", [LEAVE])), pages(*TWO)),
    Case("L-PAG-05", pages((None, "b", [GREET]), ("b", None, [GREET])), pages(*TWO)),
    Case("L-PAG-06", pages((None, "b", [])), pages((None, "b", [GREET]))),
    Case("L-PAG-07", pages((None, PLAIN, [GREET])), pages((None, "c2Vjb25k", [GREET]))),
    Case("L-PRG-01", progress(STEP, token="other"), progress(STEP)),
    Case("L-PRG-02", after_response, progress(STEP)),
    Case("L-PRG-03", progress(STEP, STEP), progress(STEP, {"progress": 2})),
    Case("L-PRG-04", progress({"progress": 3, "total": 2}), progress({"progress": 2, "total": 2})),
    Case("L-PRG-05", progress({"progress": 1}), progress(STEP)),
    Case(
        "L-PRG-06",
        progress(*({"progress": n} for n in range(60))),
        progress(*({"progress": n} for n in range(40))),
    ),
    Case("L-PRG-07", progress({"progress": "1"}), progress(STEP)),
    Case(
        "L-LOG-09",
        streamed(LOG, INFO, on=1, is_answered=True),
        streamed(LOG, INFO, on=1),
        V2026_07_28,
    ),
    Case("L-PRG-09", progress(STEP), progress({"progress": 1}), V2024_11_05),
    Case("L-CAN-01", server_cancels(2), server_cancels(8)),
    Case("L-CAN-02", cancelled(5), cancelled(1)),
    Case("L-CAN-03", progress(STEP, seconds=5), progress(STEP, seconds=1)),
    Case("L-CAN-04", server_ends("prompts/list"), server_ends("subscriptions/listen"), V2026_07_28),
    Case("L-CAN-05", we_cancel(1), we_cancel(2)),
    Case("L-CAN-06", server_cancels(7), server_cancels(8)),
    Case("L-LOG-01", logs({"level": "loud", "data": 1}), logs(INFO)),
    Case("L-LOG-02", level_set("error"), level_set("debug")),
    Case("L-LOG-02", level_set("error"), level_set("error", seconds=1), name="just set"),
    Case("L-LOG-03", level_set("loud"), level_set("error")),
    Case("L-LOG-04", requested(""), requested("debug"), V2026_07_28),
    Case("L-LOG-05", requested("error"), requested("info"), V2026_07_28),
    Case("L-LOG-06", logs(SECRET), logs({"level": "info", "data": "key f3a9 of AKI"})),
    Case(
        "L-LOG-06",
        logs(SECRET),
        logs({"level": "info", "data": "key AKIAIOSFODNN7EXAMPLE"}),
        name="example",
    ),
    Case("L-LOG-07", logs(*[INFO] * 120), logs(*[INFO] * 80)),
    Case(
        "L-LOG-08",
        logs({**INFO, "logger": "my.db"}, {**INFO, "logger": "MyDB"}),
        logs({**INFO, "logger": "a"}, {**INFO, "logger": "b"}),
    ),
    Case("L-LOG-10", requested("debug"), requested("debug", is_served=True), V2026_07_28),
    Case(
        "L-LOG-11",
        requested("loud", is_served=True),
        requested("info", is_served=True),
        V2026_07_28,
    ),
    Case(
        "L-CMP-01",
        completed(0, *(f"a{n}" for n in range(101))),
        completed(0, *(f"a{n}" for n in range(100))),
    ),
    Case("L-CMP-02", completed(0, 7), completed(0, "a")),
    Case("L-CMP-03", completed(0, "a", "ab", total=1), completed(0, "a", total=1)),
    Case("L-CMP-04", completed(0, "a", "a"), completed(0, "a")),
    Case("L-CMP-05", no_prompt("absent", -32603), no_prompt("absent", -32602)),
    Case("L-CMP-05", no_prompt("absent", -32603), no_prompt("greet", -32603), name="a known one"),
    Case("L-CMP-06", in_contexts(is_used=False), in_contexts(is_used=True)),
    Case("L-CMP-07", completed(3, "a"), completed(0.5, "a")),
)
