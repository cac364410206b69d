"""Cases of `checks.families.envelope`, and of the rules in `rules.jsonrpc`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.revision import V2025_03_26, V2025_06_18, V2026_07_28
from tests.engine.checks.families.conversations import ask, connect, end, notify
from tests.support.rule_cases import Case

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.talk import Talk


def answered(**members: Json) -> Callable[[Talk], object]:
    """A request, and this message in response."""

    def write(talk: Talk) -> None:
        talk.request(1, "ping")
        talk.received({"jsonrpc": "2.0", "id": 1, **members})

    return write


def received(message: Json | bytes) -> Callable[[Talk], object]:
    """This message of the server, after its handshake."""

    def write(talk: Talk) -> None:
        connect(talk, logging={})
        talk.received(message)

    return write


def refused(code: Json, message: Json = "no", **members: Json) -> Callable[[Talk], object]:
    """A request of the stateless era, and this error."""

    def write(talk: Talk) -> None:
        ask(talk, 1, "tools/list")
        error: JsonObject = {"code": code, "message": message, **members}
        talk.received({"jsonrpc": "2.0", "id": 1, "error": error})

    return write


def lists(**result: Json) -> Callable[[Talk], object]:
    """A list of the stateless era with these members."""

    def write(talk: Talk) -> None:
        ask(talk, 1, "prompts/list")
        talk.result(1, prompts=[], ttlMs=0, cacheScope="public", **result)

    return write


def server_request(id_: Json, method: str, **capabilities: Json) -> Callable[[Talk], object]:
    """A request of the server to a client that declares these capabilities."""

    def write(talk: Talk) -> None:
        talk.request(1, "initialize", protocolVersion="2025-11-25", capabilities=capabilities)
        talk.result(
            1,
            protocolVersion="2025-11-25",
            capabilities={},
            serverInfo={"name": "x", "version": "1"},
        )
        talk.received({"jsonrpc": "2.0", "id": id_, "method": method, "params": {}})

    return write


def twice(first: Json, second: Json) -> Callable[[Talk], object]:
    """Two requests of the server with these ids, each answered."""

    def write(talk: Talk) -> None:
        connect(talk)
        for id_ in (first, second):
            talk.received({"jsonrpc": "2.0", "id": id_, "method": "ping"})
            talk.sent({"jsonrpc": "2.0", "id": id_, "result": {}})

    return write


def after_notice(seconds: float) -> Callable[[Talk], object]:
    """An error without an id, so long after a notification of ours."""

    def write(talk: Talk) -> None:
        connect(talk, "2025-06-18")
        talk.wait(seconds)
        error: JsonObject = {"code": -32601, "message": "Method not found"}
        talk.received({"jsonrpc": "2.0", "id": None, "error": error})

    return write


def open_for(
    seconds: float, reason: str = "the process exited with code 0"
) -> Callable[[Talk], object]:
    """A request that is so old when the connection ends."""

    def write(talk: Talk) -> None:
        connect(talk)
        talk.request(2, "tools/list")
        talk.wait(seconds)
        end(talk, reason)

    return write


def timed_out(method: str, *, is_answered: bool = False) -> Callable[[Talk], object]:
    """A request that Spyglass stopped waiting for after a minute, and perhaps an answer at last."""

    def write(talk: Talk) -> None:
        connect(talk)
        frame = talk.request(2, method)
        talk.wait(60)
        talk.note("timed-out", "no response", request=frame)
        talk.wait(5)
        if is_answered:
            talk.result(2)
        end(talk, OURS)

    return write


def batch(*, id_: Json) -> Callable[[Talk], object]:
    """A batch of ours, and an error with that id."""

    def write(talk: Talk) -> None:
        talk.sent([{"jsonrpc": "2.0", "id": 7, "method": "ping"}])
        error: JsonObject = {"code": -32600, "message": "no"}
        talk.received({"jsonrpc": "2.0", "id": id_, "error": error})

    return write


def slow(*, has_progress: bool) -> Callable[[Talk], object]:
    """A call of 20 seconds."""

    def write(talk: Talk) -> None:
        connect(talk)
        talk.request(2, "tools/call", name="build", arguments={}, _meta={"progressToken": "t"})
        if has_progress:
            notify(talk, "notifications/progress", progressToken="t", progress=1)
        talk.wait(20)
        talk.text_result(2, "done")

    return write


def _twice_answered(talk: Talk) -> None:
    answered(result={})(talk)
    talk.result(1)


ERROR: JsonObject = {"code": -32603, "message": "no"}
LOG: JsonObject = {"level": "info", "data": "x"}


def _log(**members: Json) -> JsonObject:
    return {"jsonrpc": "2.0", "method": "notifications/message", "params": LOG, **members}


OURS = "disconnected"

CASES = (
    Case("L-JR-01", received(_log(jsonrpc="1.0")), received(_log())),
    Case("L-JR-02", received([{"jsonrpc": "2.0", "params": {}}]), received([_log()])),
    Case("L-JR-03", answered(result={}, error=ERROR), answered(error=ERROR)),
    Case("L-JR-04", received({"jsonrpc": "2.0", "id": 9, "result": {}}), answered(result={})),
    Case("L-JR-05", _twice_answered, answered(result={})),
    Case("L-JR-06", answered(id="1", result={}), answered(result={})),
    Case("L-JR-07", answered(error={"message": "no"}), answered(error=ERROR)),
    Case(
        "L-JR-08", received({"jsonrpc": "2.0", "error": ERROR}), answered(error=ERROR), V2025_06_18
    ),
    Case(
        "L-JR-09",
        received({"jsonrpc": "2.0", "id": None, "error": ERROR}),
        received({"jsonrpc": "2.0", "error": ERROR}),
    ),
    Case("L-JR-10", received(_log(id=4)), received(_log())),
    Case("L-JR-11", server_request(1.5, "ping"), server_request(1, "ping")),
    Case("L-JR-12", twice("a", "a"), twice("a", "b")),
    Case("L-JR-13", after_notice(0.1), after_notice(5), V2025_06_18),
    Case("L-JR-14", open_for(30), open_for(1)),
    Case("L-JR-14", open_for(90, OURS), open_for(30, OURS), name="cut off by the user"),
    Case("L-JR-14", timed_out("logging/setLevel"), timed_out("tools/call"), name="time limit"),
    Case("L-JR-14", timed_out("ping"), timed_out("ping", is_answered=True), name="late answer"),
    Case("L-JR-15", received([_log()]), received(_log())),
    Case("L-JR-16", received([]), received([_log()]), V2025_03_26),
    Case("L-JR-17", batch(id_=None), batch(id_=7), V2025_03_26),
    Case(
        "L-JR-18",
        received(
            b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"\xff"}}'
        ),
        received(_log()),
    ),
    Case(
        "L-JR-19",
        received(
            b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1,"data":2}}'
        ),
        received(_log()),
    ),
    Case(
        "L-JR-20",
        answered(error={**ERROR, "message": "Traceback:\n  File x"}),
        answered(error=ERROR),
    ),
    Case("L-JR-21", answered(result=[]), answered(result={})),
    Case(
        "L-JR-22",
        server_request(3, "roots/list", roots={}),
        lists(resultType="complete"),
        V2026_07_28,
    ),
    Case("L-JR-23", lists(), lists(resultType="complete"), V2026_07_28),
    Case("L-JR-24", lists(resultType="partial"), lists(resultType="complete"), V2026_07_28),
    Case("L-JR-25", refused(-32050), refused(-32603), V2026_07_28),
    Case("L-JR-26", refused(-32002), refused(-32602), V2026_07_28),
    Case("L-JR-27", refused(-32000), refused(-31999), V2026_07_28),
    Case("L-JR-28", refused(-32001, "Header mismatch"), refused(-32001, "Disk full"), V2026_07_28),
    Case(
        "L-JR-29",
        refused(-32021),
        refused(-32021, data={"requiredCapabilities": {"roots": {}}}),
        V2026_07_28,
    ),
    Case("L-JR-30", received(_log(params=7)), received(_log())),
    Case("L-JR-31", received(_log(method="notifications/mine")), received(_log())),
    Case("L-JR-33", server_request(3, "mine/do"), server_request(3, "ping")),
    Case(
        "L-JR-34", server_request(3, "elicitation/create"), server_request(3, "ping"), V2025_03_26
    ),
    Case("L-JR-35", slow(has_progress=False), slow(has_progress=True)),
)
