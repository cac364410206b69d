"""Cases of `checks.families.stdio`, and of the rules about stdio in `rules.utilities`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.revision import V2025_11_25, V2026_07_28, Revision
from tests.engine.checks.families.conversations import SERVER, ask, connect, discover, end
from tests.support.rule_cases import Case

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json
    from tests.support.talk import Talk

LOG = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}'


def line(*texts: bytes) -> Callable[[Talk], object]:
    """These lines on stdout."""

    def write(talk: Talk) -> None:
        connect(talk, logging={})
        for text in texts:
            talk.received(text)

    return write


def stderr(text: bytes) -> Callable[[Talk], object]:
    """This line on stderr."""

    def write(talk: Talk) -> None:
        connect(talk)
        talk.stderr(text)

    return write


def stopped(
    revision: Revision, *, by_signal: bool, is_known: bool = True, busy: bool = False
) -> Callable[[Talk], object]:
    """A server that is stopped."""

    def write(talk: Talk) -> None:
        if is_known and revision.stateful:
            connect(talk)
        elif is_known:
            discover(talk)
        else:
            talk.request(1, "initialize")
            talk.stderr(b"downloading")
        if by_signal:
            talk.note(
                "signal",
                "still running after stdin closed; sent SIGTERM",
                signal="SIGTERM",
                busy=busy,
            )
        end(talk, code=0)

    return write


def exited(reason: str, code: int, *, closes_stdout: bool = False) -> Callable[[Talk], object]:
    """A server whose process ends, or first closes stdout."""

    def write(talk: Talk) -> None:
        connect(talk)
        if closes_stdout:
            talk.note("stdout-closed", "the server closed stdout but is still running")
        end(talk, reason, code=code)

    return write


def cancelled(seconds: float) -> Callable[[Talk], object]:
    """A response so long after our cancellation."""

    def write(talk: Talk) -> None:
        discover(talk)
        number = ask(talk, 2, "tools/call", name="build", arguments={})
        talk.note("cancelled", "by the user", request=number)
        talk.wait(seconds)
        talk.result(2, content=[], resultType="complete")

    return write


def refused(message: str) -> Callable[[Talk], object]:
    """A request of the stateless era that is refused."""

    def write(talk: Talk) -> None:
        ask(talk, 1, "tools/list")
        talk.error(1, -32603, message)

    return write


def started(seconds: float, *, event: str = "") -> Callable[[Talk], object]:
    """A server that takes so long, and leaves a request before the handshake alone."""

    def write(talk: Talk) -> None:
        asked = talk.request(0, "server/discover")
        if event:
            talk.note(event, "…", request=asked)
        else:
            talk.error(0, -32601, "unknown")
        talk.wait(seconds)
        talk.request(1, "initialize", protocolVersion="2025-11-25", capabilities={})
        handshake: dict[str, Json] = {"protocolVersion": "2025-11-25", "capabilities": {}}
        talk.result(1, **handshake, serverInfo=SERVER)
        talk.note("probe", "…", request=asked, until=asked)

    return write


CASES = (
    Case("L-STD-01", line(b"Listening on port 3000"), line(LOG)),
    Case("L-STD-02", line(b"{", b'"jsonrpc": "2.0"', b"}"), line(LOG)),
    Case("L-STD-03", line(LOG + LOG), line(LOG, LOG)),
    Case("L-STD-04", line(b"\xef\xbb\xbf" + LOG), line(LOG)),
    Case("L-STD-05", line(b"Content-Length: 120"), line(b"Content: 120")),
    Case("L-STD-06", stderr(b"caf\xe9"), stderr("café".encode())),
    Case(
        "L-STD-07",
        stopped(V2026_07_28, by_signal=True),
        stopped(V2026_07_28, by_signal=False),
        V2026_07_28,
    ),
    Case(
        "L-STD-07",
        stopped(V2026_07_28, by_signal=True),
        stopped(V2026_07_28, by_signal=True, busy=True),
        V2026_07_28,
        name="busy machine",
    ),
    Case("L-STD-08", stopped(V2025_11_25, by_signal=True), stopped(V2025_11_25, by_signal=False)),
    Case(
        "L-STD-08",
        stopped(V2025_11_25, by_signal=True),
        stopped(V2025_11_25, by_signal=True, is_known=False),
        name="still starting",
    ),
    Case("L-STD-09", exited("the process exited with code 1", 1), exited("disconnected", 0)),
    Case("L-STD-11", cancelled(5), cancelled(1), V2026_07_28),
    Case("L-STD-12", refused("Server not initialized"), refused("Disk full"), V2026_07_28),
    Case("L-STD-13", started(20), started(1)),
    Case("L-STD-13", started(1, event="timed-out"), started(1), name="left alone"),
    Case("L-STD-14", started(1, event="failed"), started(1)),
    Case("L-STD-15", exited("stdout", 0, closes_stdout=True), exited("the process exited", 0)),
)
