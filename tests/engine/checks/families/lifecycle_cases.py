"""Cases of `checks.families.lifecycle` and `checks.families.discovery`, and of the rules in `rules.opening`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.keys import (
    META_CLIENT_CAPABILITIES,
    META_CLIENT_INFO,
    META_PROTOCOL_VERSION,
)
from inspector.spec.revision import V2025_03_26, V2026_07_28
from tests.engine.checks.families.conversations import (
    SERVER,
    STATELESS,
    ask,
    connect,
    discover,
    meta,
)
from tests.support.rule_cases import Case

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.talk import Talk


def opened(**members: Json) -> Callable[[Talk], object]:
    """A handshake with these members; None leaves one out."""

    def write(talk: Talk) -> None:
        talk.request(1, "initialize", protocolVersion="2025-11-25", capabilities={})
        whole: JsonObject = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "serverInfo": SERVER,
            **members,
        }
        talk.result(1, **{key: value for key, value in whole.items() if value is not None})

    return write


def discovered(**members: Json) -> Callable[[Talk], object]:
    """A result of `server/discover` with these members."""
    return lambda talk: discover(talk, 1, **members)


def refused(
    message: str, code: int = -32602, method: str = "initialize", **data: Json
) -> Callable[[Talk], object]:
    """A request that is refused by this error."""

    def write(talk: Talk) -> None:
        if method == "initialize":
            talk.request(1, method, protocolVersion="2025-11-25", capabilities={})
        else:
            ask(talk, 1, method)
        error: JsonObject = {"code": code, "message": message, **({"data": data} if data else {})}
        talk.received({"jsonrpc": "2.0", "id": 1, "error": error})

    return write


def early(*, is_ready: bool) -> Callable[[Talk], object]:
    """A request of the server, before or after the client is initialized."""

    def write(talk: Talk) -> None:
        if is_ready:
            connect(talk)
        else:
            opened()(talk)
        talk.received({"jsonrpc": "2.0", "id": 1, "method": "roots/list"})

    return write


def pinged(seconds: float, **result: Json) -> Callable[[Talk], object]:
    """A ping that is answered after so long."""

    def write(talk: Talk) -> None:
        connect(talk)
        talk.request(2, "ping")
        talk.wait(seconds)
        talk.result(2, **result)

    return write


def in_batch(message: Json) -> Callable[[Talk], object]:
    """A batch of ours that begins with this message."""

    def write(talk: Talk) -> None:
        talk.received([message])

    return write


def without_discovery(*, is_served: bool) -> Callable[[Talk], object]:
    """A list of the stateless era, after a request for what the server is."""

    def write(talk: Talk) -> None:
        if is_served:
            discover(talk)
        else:
            ask(talk, 1, "server/discover")
            talk.error(1, -32601, "unknown")
        ask(talk, 2, "prompts/list")
        talk.result(2, prompts=[], resultType="complete", ttlMs=0, cacheScope="public")

    return write


def then_refused(requested: str, *, version: str = STATELESS) -> Callable[[Talk], object]:
    """A request with a version that is refused by an error about `requested`."""

    def write(talk: Talk) -> None:
        discover(talk)
        ask(talk, 2, "prompts/list", meta({META_PROTOCOL_VERSION: version}))
        data: JsonObject = {"supported": [STATELESS], "requested": requested}
        error: JsonObject = {"code": -32022, "message": "no", "data": data}
        talk.received({"jsonrpc": "2.0", "id": 2, "error": error})

    return write


def told(request_meta: JsonObject, *, error: JsonObject | None = None) -> Callable[[Talk], object]:
    """A request that tells this of itself, answered by a result or an error."""

    def write(talk: Talk) -> None:
        ask(talk, 2, "prompts/list", request_meta)
        if error is None:
            talk.result(2, prompts=[], resultType="complete", ttlMs=0, cacheScope="public")
        else:
            talk.received({"jsonrpc": "2.0", "id": 2, "error": error})

    return write


def asks_roots(now: JsonObject) -> Callable[[Talk], object]:
    """Roots are asked for by the answer to a request with these capabilities, after one that had roots."""

    def write(talk: Talk) -> None:
        told(meta({META_CLIENT_CAPABILITIES: {"roots": {}}}))(talk)
        ask(talk, 3, "tools/call", meta({META_CLIENT_CAPABILITIES: now}), name="x", arguments={})
        requests: JsonObject = {"r": {"method": "roots/list"}}
        talk.result(3, resultType="input_required", inputRequests=requests)

    return write


def twice(seconds: float) -> Callable[[Talk], object]:
    """Other capabilities so long after those that last 10 seconds."""

    def write(talk: Talk) -> None:
        discover(talk, 1, ttlMs=10_000)
        talk.wait(seconds)
        discover(talk, 2, capabilities={"prompts": {}})

    return write


ICON: JsonObject = {"src": "https://example.com/a.png"}


def with_icon(**members: Json) -> Callable[[Talk], object]:
    """A handshake with an icon of these members."""
    return opened(serverInfo={**SERVER, "icons": [{**ICON, **members}]})


def listed_icon(**members: Json) -> Callable[[Talk], object]:
    """A prompt with an icon of these members."""

    def write(talk: Talk) -> None:
        talk.request(1, "prompts/list")
        talk.result(1, prompts=[{"name": "greet", "icons": [{**ICON, **members}]}])

    return write


def agreed(
    version: str, *, offered: str = "2025-11-25", **server: Json
) -> Callable[[Talk], object]:
    """A handshake that agrees on a version, with a server of this name."""

    def write(talk: Talk) -> None:
        talk.request(1, "initialize", protocolVersion=offered, capabilities={})
        info: JsonObject = {**SERVER, **server}
        talk.result(1, protocolVersion=version, capabilities={}, serverInfo=info)

    return write


NO_CLIENT = meta(without=META_CLIENT_INFO)
INITIALIZED: JsonObject = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
PING: JsonObject = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
NO_INFO: JsonObject = {"code": -32602, "message": "clientInfo is required"}
NO_META: JsonObject = {"code": -32602, "message": "_meta is required"}

CASES = (
    Case("L-MET-01", opened(_meta={"a b/c": 1}), opened(_meta={"com.example/c": 1})),
    Case(
        "L-MET-02",
        opened(_meta={"io.modelcontextprotocol/mine": 1}),
        opened(_meta={"com.example/mine": 1}),
    ),
    Case("L-MET-04", discovered(_meta={}), discovered(), V2026_07_28),
    Case("L-ICO-01", with_icon(src="ftp://example.com/a.png"), with_icon()),
    Case("L-ICO-03", listed_icon(theme="blue"), listed_icon(theme="dark")),
    Case("L-IMP-01", opened(serverInfo={"name": "x"}), opened()),
    Case("L-LC-01", opened(capabilities=None), opened()),
    Case("L-LC-04", opened(protocolVersion="2025-01-01"), opened()),
    Case("L-LC-02", agreed("2025-06-18"), agreed("2025-11-25"), before=agreed("2025-11-25")),
    Case("L-LC-03", agreed("2025-03-26"), agreed("2025-06-18"), before=agreed("2025-06-18")),
    Case(
        "L-LC-09",
        agreed("2025-11-25", name="other"),
        agreed("2025-11-25", title="New"),
        before=agreed("2025-11-25"),
    ),
    Case("L-LC-05", refused("Unsupported protocol version"), refused("Out of memory")),
    Case("L-LC-06", early(is_ready=False), early(is_ready=True)),
    Case("L-LC-08", pinged(0.1, pong=True), pinged(0.1)),
    Case("L-LC-08", pinged(20), pinged(1), name="late"),
    Case("L-LC-10", opened(instructions=""), opened(instructions="Tells the time.")),
    Case("L-LC-11", refused("Unsupported", -32022), refused("Use 2026-07-28", -32022), V2026_07_28),
    Case("L-LC-12", in_batch(INITIALIZED), in_batch(PING), V2025_03_26),
    Case(
        "L-DSC-01",
        without_discovery(is_served=False),
        without_discovery(is_served=True),
        V2026_07_28,
    ),
    Case("L-DSC-02", discovered(supportedVersions=7), discovered(), V2026_07_28),
    Case("L-DSC-03", discovered(supportedVersions=["2025-11-25"]), discovered(), V2026_07_28),
    Case(
        "L-DSC-04",
        then_refused(STATELESS),
        then_refused("2027-01-01", version="2027-01-01"),
        V2026_07_28,
    ),
    Case("L-DSC-05", discovered(supportedVersions=[]), discovered(), V2026_07_28),
    Case(
        "L-DSC-06",
        then_refused("2027-01-02", version="2027-01-01"),
        then_refused("2027-01-01", version="2027-01-01"),
        V2026_07_28,
    ),
    Case("L-DSC-07", told(meta({META_PROTOCOL_VERSION: "1999-01-01"})), told(meta()), V2026_07_28),
    Case("L-DSC-08", told(meta(without=META_PROTOCOL_VERSION)), told(meta()), V2026_07_28),
    Case(
        "L-DSC-08",
        told({}, error={**NO_META, "code": -32603}),
        told({}, error=NO_META),
        V2026_07_28,
        "another code",
    ),
    Case("L-DSC-09", told(NO_CLIENT, error=NO_INFO), told(NO_CLIENT, error=NO_META), V2026_07_28),
    Case("L-DSC-10", asks_roots({}), asks_roots({"roots": {}}), V2026_07_28),
    Case(
        "L-DSC-11",
        refused("The client does not support sampling", -32603, "tools/list"),
        refused("Disk full", -32603, "tools/list"),
        V2026_07_28,
    ),
    Case("L-DSC-12", twice(1), twice(60), V2026_07_28),
    Case(
        "L-DSC-13",
        discovered(capabilities={"extensions": {"mine": {}}}),
        discovered(capabilities={"extensions": {"com.example/mine": {}}}),
        V2026_07_28,
    ),
    Case("L-DSC-14", discovered(capabilities={"tasks": {}}), discovered(), V2026_07_28),
    Case("L-CAP-07", opened(capabilities={"tools": True}), opened(capabilities={"tools": {}})),
    Case("L-CAP-12", discovered(capabilities={"logging": {}}), discovered(), V2026_07_28),
)
