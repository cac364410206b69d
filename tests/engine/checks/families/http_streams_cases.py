"""Cases of `checks.families.http_streams` and `event_streams`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.revision import V2024_11_05, V2025_06_18, V2026_07_28
from tests.support.rule_cases import Case

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json
    from tests.support.talk import Talk

PROGRESS = "notifications/progress"
SAMPLING: Json = {"jsonrpc": "2.0", "id": 7, "method": "sampling/createMessage", "params": {}}
RESULT: Json = {"jsonrpc": "2.0", "id": 1, "result": {}}
TOKEN: dict[str, Json] = {"_meta": {"progressToken": "t"}}


def streamed(*blocks: str, method: str = "tools/call", **headers: str) -> Callable[[Talk], object]:
    """A call that is answered by a stream of these blocks and the result."""

    def write(talk: Talk) -> None:
        talk.http.request(method)
        talk.http.stream(**headers)
        for block in blocks:
            talk.http.block(block)
        talk.http.result_event()

    return write


def lost(*blocks: str, event: str = "failed", is_whole: bool = True) -> Callable[[Talk], object]:
    """A call whose stream of these blocks ends without the result."""

    def write(talk: Talk) -> None:
        talk.http.request("tools/call")
        talk.http.stream()
        for block in blocks:
            talk.http.block(block, is_whole=is_whole)
        talk.http.lost(event)

    return write


def open_after(seconds: float) -> Callable[[Talk], object]:
    """A stream on which a comment comes that long after the result."""

    def write(talk: Talk) -> None:
        streamed()(talk)
        talk.wait(seconds)
        talk.http.block(": keep-alive")

    return write


def get_stream(talk: Talk, **headers: str) -> None:
    """The stream of a GET, of a server that has answered before."""
    talk.http.open()
    talk.http.get(**headers)
    talk.http.stream()


def response_on_get(**headers: str) -> Callable[[Talk], object]:
    """A response on the stream of a GET."""

    def write(talk: Talk) -> None:
        get_stream(talk, **headers)
        talk.http.event({"jsonrpc": "2.0", "id": 2, "result": {}})

    return write


def progress(*, is_related: bool) -> Callable[[Talk], object]:
    """Progress of a call, on its stream or on another."""

    def write(talk: Talk) -> None:
        get_stream(talk)
        other = talk.http.opener
        talk.http.request("tools/call", TOKEN)
        talk.http.stream()
        own = talk.http.opener
        talk.http.opener = own if is_related else other
        talk.http.notice(PROGRESS, progressToken="t", progress=1)

    return write


def asked_twice(**headers: str) -> Callable[[Talk], object]:
    """The server asks for something on two streams; the second one has these headers."""

    def write(talk: Talk) -> None:
        for more in ({}, headers):
            get_stream(talk, **more)
            talk.http.event(SAMPLING)

    return write


def ids(first: str, second: str) -> Callable[[Talk], object]:
    """Two streams with an event each."""

    def write(talk: Talk) -> None:
        for each in (first, second):
            talk.http.request("tools/call")
            talk.http.stream()
            talk.http.result_event(id=each)

    return write


def resumed(id_: str, *, responds_to: int = 2) -> Callable[[Talk], object]:
    """The second of two streams is resumed, and goes on with an event of that id."""

    def write(talk: Talk) -> None:
        talk.http.request("tools/call")
        talk.http.stream()
        talk.http.block("id: a-1\ndata:")
        talk.http.request("tools/call")
        talk.http.stream()
        talk.http.block("id: b-1\ndata:")
        talk.http.lost("resuming")
        talk.http.resume("b-1")
        talk.http.stream()
        talk.http.result_event(responds_to, id=id_)

    return write


def repeated(talk: Talk) -> None:
    """Spyglass remarks that an event came again."""
    resumed("b-2")(talk)
    talk.note("repeated", "x")


def not_resumed(
    status: int, *, session: str = "", leaves: bool = False
) -> Callable[[Talk], object]:
    """Resuming a stream is answered so, perhaps in a session that we leave."""

    def write(talk: Talk) -> None:
        lost("id: a-1\ndata:", event="resuming")(talk)
        sent = {"mcp_session_id": session} if session else {}
        opener = talk.http.opener
        if leaves:
            talk.http.delete(**sent)
        talk.http.opener = opener
        talk.http.send("GET", last_event_id="a-1", **sent)
        talk.http.answer(status, b"", "")

    return write


def asked_by_server(*, is_calling: bool) -> Callable[[Talk], object]:
    """The server asks for something, during a call or not."""

    def write(talk: Talk) -> None:
        talk.call(1, "sum")
        if not is_calling:
            talk.text_result(1, "3")
        talk.received(SAMPLING)

    return write


def listening(seconds: float) -> Callable[[Talk], object]:
    """A stream of notifications that is silent for so long."""

    def write(talk: Talk) -> None:
        talk.http.request("subscriptions/listen")
        talk.http.stream()
        talk.wait(seconds)
        talk.http.block(": keep-alive")

    return write


def burst(pause: float) -> Callable[[Talk], object]:
    """A call with progress that comes with these pauses, after a while."""

    def write(talk: Talk) -> None:
        talk.http.request("tools/call", TOKEN)
        talk.http.stream()
        talk.wait(5)
        for done in range(6):
            talk.http.notice(PROGRESS, progressToken="t", progress=done)
            talk.wait(pause)
        talk.http.result_event()

    return write


def older(*blocks: str, is_in_body: bool = False) -> Callable[[Talk], object]:
    """HTTP+SSE: a stream that begins with these blocks, and a request."""

    def write(talk: Talk) -> None:
        talk.http.get()
        talk.http.stream()
        stream = talk.http.opener
        for block in blocks:
            talk.http.block(block)
        talk.http.request("initialize")
        if is_in_body:
            talk.http.result()
        else:
            talk.http.head(202)
            talk.http.opener = stream
            talk.http.result_event()

    return write


def plain(talk: Talk) -> None:
    """A request that is answered in its own response."""
    talk.http.open()


ENDPOINT = "event: endpoint\ndata: /messages?session_id=1"
MESSAGE = (
    'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}'
)
PRIMING = "id: a-0\ndata:"
MODERN = V2026_07_28

CASES = (
    Case("L-SES-09", lost(MESSAGE), streamed(MESSAGE)),
    Case(
        "L-SES-09",
        lost(PRIMING, event="resuming"),
        streamed(PRIMING),
        revision=V2025_06_18,
        name="may be resumed",
    ),
    Case("L-SES-09", lost(MESSAGE), lost(PRIMING), name="from 2025-11-25"),
    Case("L-SES-10", open_after(30), open_after(0.5)),
    Case("L-SES-11", response_on_get(), response_on_get(last_event_id="a-1")),
    Case("L-SES-12", progress(is_related=False), progress(is_related=True)),
    Case("L-SES-13", asked_twice(), asked_twice(last_event_id="a-1")),
    Case("L-SES-14", ids("1", "1"), ids("a-1", "b-1")),
    Case("L-SES-15", streamed(), streamed(PRIMING)),
    Case(
        "L-SES-16",
        lost(PRIMING, event="resuming"),
        lost(f"retry: 1000\n{PRIMING}", event="resuming"),
    ),
    Case("L-SES-17", resumed("a-1"), resumed("b-2")),
    Case("L-SES-18", resumed("b-2", responds_to=1), resumed("b-2")),
    Case("L-SES-18", repeated, resumed("b-2"), name="again"),
    Case("L-SES-19", streamed("retry: 5\ndata:"), streamed("retry: 1000\ndata:")),
    Case(
        "L-SES-19",
        streamed("retry: 3600000\ndata:"),
        streamed("retry: 60000\ndata:"),
        name="too long",
    ),
    Case("L-SES-19", streamed("retry: soon\ndata:"), streamed("retry: 1000\ndata:"), name="a word"),
    Case(
        "L-SES-19",
        streamed("data:\rretry: 1000\rretry: +1000"),
        streamed("data:\rretry: 1000\rretry: 01000"),
        name="a sign, and lines that end with CR",
    ),
    Case("L-SES-20", not_resumed(405), not_resumed(503)),
    Case(
        "L-SES-20",
        not_resumed(400, session="s"),
        not_resumed(404, session="s"),
        name="session gone",
    ),
    Case(
        "L-SES-20",
        not_resumed(400, session="s"),
        not_resumed(400, session="s", leaves=True),
        name="session left",
    ),
    Case("L-SES-21", asked_by_server(is_calling=False), asked_by_server(is_calling=True)),
    Case("L-SSE-01", lost(MESSAGE, is_whole=False), lost(MESSAGE)),
    Case("L-SSE-02", streamed(f"event: log\n{MESSAGE}"), streamed(f"event: message\n{MESSAGE}")),
    Case("L-SSE-03", streamed("data: hello"), streamed(PRIMING)),
    Case("L-SSE-04", streamed(), streamed(x_accel_buffering="no"), revision=MODERN),
    Case("L-SSE-05", streamed(PRIMING), streamed(": hello"), revision=MODERN),
    Case("L-SSE-06", listening(400), listening(30), revision=MODERN),
    Case("L-SSE-07", streamed(), streamed(cache_control="no-cache, no-transform")),
    Case("L-SSE-08", burst(0), burst(0.5)),
    Case("L-OLD-01", older(MESSAGE), older(ENDPOINT), revision=V2024_11_05),
    Case(
        "L-OLD-02",
        older("event: endpoint\ndata: https://other.example/messages"),
        older("event: endpoint\ndata: http://127.0.0.1:8000/messages"),
        revision=V2024_11_05,
    ),
    Case(
        "L-OLD-02",
        older('event: endpoint\ndata: {"uri": "/messages"}'),
        older(ENDPOINT),
        revision=V2024_11_05,
        name="no URI",
    ),
    Case(
        "L-OLD-03",
        older(ENDPOINT, f"event: log\n{MESSAGE}"),
        older(ENDPOINT, f"event: message\n{MESSAGE}"),
        revision=V2024_11_05,
    ),
    Case("L-OLD-04", older(ENDPOINT, is_in_body=True), older(ENDPOINT), revision=V2024_11_05),
    Case(
        "L-OLD-04",
        older(ENDPOINT, is_in_body=True),
        plain,
        revision=V2024_11_05,
        name="the first response of Streamable HTTP",
    ),
    Case("L-OLD-01", older(MESSAGE), streamed(MESSAGE), revision=V2024_11_05, name="of a POST"),
    Case("L-OLD-06", older(ENDPOINT), streamed(), revision=V2024_11_05),
    Case(
        "L-OLD-07",
        older(ENDPOINT, "event: endpoint\ndata: /other"),
        older(ENDPOINT, ENDPOINT),
        revision=V2024_11_05,
    ),
)
