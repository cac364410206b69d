"""HTTP exchanges as the record holds them, without their secrets, and as command lines; ours throughout."""

from __future__ import annotations

import asyncio
import json
import shutil
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.export.curl import curl_command, quoted
from inspector.transcript.filter.query import parse
from inspector.transcript.filter.suggestions import suggestions
from inspector.transcript.http_exchange import HttpExchange, http_exchange
from inspector.transcript.redaction import Masking
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from inspector.wire.redaction import MASK, fingerprint_in
from inspector.workspace import Workspace
from tests.support.http_session import at, call, connected, talking
from tests.support.http_stub import HttpStub, answer, reply, result_event, stream
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.http_stub import Rule

SECRETS = (("Authorization", "Bearer sesame-open"), ("X-Plain", "p"))


def exchange_of(transcript: Transcript, number: int) -> HttpExchange:
    found = http_exchange(transcript, number)
    assert found is not None
    return found


async def test_every_frame_of_an_exchange_leads_to_all_of_it() -> None:
    """The message, the heads and each event."""
    rules = {"POST tools/call": stream(": hello\n\n", result_event())}
    async with talking(rules) as (_, session):
        done = await call(session)
        transcript = session.transcript
        exchange = exchange_of(transcript, done.frame)
        (hop,) = exchange.hops

        assert exchange.opener == done.request_frame
        assert transcript.raw(hop.request).startswith(b"POST /mcp HTTP/1.1\r\n")
        assert transcript.raw(hop.response).startswith(b"HTTP/1.1 200")
        assert (hop.last, hop.parts) == (done.frame, 2)
        for number in (exchange.opener, hop.request, hop.response, hop.last):
            assert exchange_of(transcript, number) == exchange
            assert exchange.hop_of(number) == hop


async def test_redirects_and_streams_that_go_on_are_requests_of_the_same_exchange() -> None:
    """In the order of the wire."""
    rules: dict[str, Rule] = {
        "POST /mcp": reply(307, location="/mcp/"),
        "POST tools/call": stream("id: 7\nretry: 10\ndata:\n\n"),
        "GET": [
            reply(405),
            stream('id: 8\ndata: {"jsonrpc":"2.0","id":2,"result":{}}\n\n'),
        ],
    }
    async with talking(rules) as (stub, session):
        await wait_until(lambda: stub.said("GET"))
        stub.play("POST tools/call", [reply(307, location="/mcp/"), rules["POST tools/call"]])  # type: ignore[list-item] - a reply
        done = await call(session)
        exchange = exchange_of(session.transcript, done.frame)

        verbs = [session.transcript.raw(hop.request).split(b" ")[:2] for hop in exchange.hops]
        assert verbs == [[b"POST", b"/mcp"], [b"POST", b"/mcp/"], [b"GET", b"/mcp"]]
        assert exchange.hop_of(done.frame) == exchange.hops[2]


def test_a_body_that_looks_like_a_head_is_a_body() -> None:
    """Only the first head that comes back is one."""
    transcript = Transcript()
    for direction, text in (
        (Direction.SENT, b"GET / HTTP/1.1"),
        (Direction.RECEIVED, b"HTTP/1.1 500 No"),
        (Direction.RECEIVED, b"HTTP/1.1 200 OK"),
    ):
        transcript.append(direction, Channel.HTTP, [RawChunk(text)], min(transcript.count, 1))
    (hop,) = exchange_of(transcript, 3).hops

    assert (hop.response, hop.last, hop.parts) == (2, 3, 1)


def test_what_did_not_come_over_http_has_no_exchange() -> None:
    """Neither have remarks."""
    transcript = Transcript()
    transcript.append(Direction.SENT, Channel.STDIN, [RawChunk(b"{}")])
    transcript.note("x", "y")

    assert [http_exchange(transcript, number) for number in (1, 2)] == [None, None]


async def test_copies_hide_secrets_and_the_record_does_not() -> None:
    """Security duty 10: the session is one too."""
    async with HttpStub() as stub, connected(replace(at(stub.url), headers=SECRETS)) as session:
        done = await call(session)
        transcript = session.transcript
        hop = exchange_of(transcript, done.frame).hops[0]
        masked = Masking(transcript).raw(hop.request).decode()

        assert f"Authorization: Bearer {MASK}" in masked
        assert f"Mcp-Session-Id: {MASK}" in masked
        assert "X-Plain: p" in masked
        assert b"Bearer sesame-open" in transcript.raw(hop.request)
        assert Masking(transcript).hides([hop.request])
        assert not Masking(transcript).hides([done.frame])
        raw = Masking(transcript, with_secrets=True).raw(hop.request)
        assert raw == transcript.raw(hop.request)


async def test_secrets_that_a_server_gives_back_are_hidden_wherever_they_are() -> None:
    """What was given in the environment or in a header, also as JSON spells it."""
    told = 'the "sesame" opens'
    profile = replace(at(""), headers=SECRETS, env=(("MY_TOKEN", told), ("HOME", "/root/home")))
    said = answer({"result": {"a": told, "b": "sesame-open", "c": "/root/home"}})
    async with HttpStub({"POST tools/call": said}) as stub:
        workspace = Workspace(None)
        opened = workspace.open(replace(profile, url=stub.url))
        await opened.connect()
        done = await call(opened.session)
        masked = Masking(opened.session.transcript).raw(done.frame)
        await workspace.aclose()

    assert json.loads(masked)["result"] == {"a": MASK, "b": MASK, "c": "/root/home"}


async def test_secrets_are_not_written_to_the_file(tmp_path: Path) -> None:
    """Beyond what crossed the wire."""
    path = tmp_path / "a.spyglass"
    transcript = Transcript.create(path)
    transcript.redaction.know(("sesame-open",))
    transcript.note("a", "b")
    await transcript.aclose()

    assert b"sesame" not in await asyncio.to_thread(path.read_bytes)


async def test_a_request_is_a_command_line_that_sends_the_same_again() -> None:
    """With the secrets, where they are wanted; curl itself is asked where there is one."""
    async with HttpStub() as stub, connected(replace(at(stub.url), headers=SECRETS)) as session:
        done = await session.request("tools/call", {"name": "it's", "arguments": {"a": "ü\n$x"}})
        exchange = exchange_of(session.transcript, done.frame)
        hop = exchange.hops[0]
        hidden = curl_command(session.transcript, exchange, hop, Masking(session.transcript))
        whole = curl_command(
            session.transcript, exchange, hop, Masking(session.transcript, with_secrets=True)
        )

        assert f"--header 'Authorization: Bearer {MASK}'" in hidden
        assert "sesame" not in hidden
        assert stub.url in whole
        assert "Content-Length" not in whole
        if shutil.which("curl"):
            before = stub.said("POST tools/call")[-1]
            process = await asyncio.create_subprocess_exec(
                "sh", "-c", whole, stdout=asyncio.subprocess.PIPE
            )
            await process.communicate()
            again = stub.said("POST tools/call")[-1]
            assert again is not before
            assert again.body == before.body
            assert again.headers["authorization"] == "Bearer sesame-open"
            assert again.headers["mcp-session-id"] == "s-1"


async def test_a_get_is_a_command_line_without_a_body() -> None:
    """The stream of the server."""
    async with talking({"GET": stream(end="hang")}) as (_, session):
        await wait_until(lambda: b"GET /mcp HTTP/1.1" in b"".join(_heads(session.transcript)))
        number = next(
            n
            for n in range(1, session.transcript.count + 1)
            if session.transcript.raw(n).startswith(b"GET ")
        )
        exchange = exchange_of(session.transcript, number)
        line = curl_command(
            session.transcript, exchange, exchange.hops[0], Masking(session.transcript)
        )

        assert line.startswith("curl --include --no-buffer http://127.0.0.1")
        assert "--data" not in line
        assert "--request" not in line


def _heads(transcript: Transcript) -> list[bytes]:
    return [transcript.raw(number) for number in range(1, transcript.count + 1)]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("plain", "plain"),
        ("it's", "'it'\"'\"'s'"),
        ("two\nlines", "'two\nlines'"),
        ("nul\x00 and \x1b'", r"$'nul\x00 and \x1b\''"),
        (b"\xff".decode("utf-8", "surrogateescape"), r"$'\xff'"),
    ],
)
def test_any_text_is_one_word_of_a_shell(text: str, word: str) -> None:
    """Nothing in it is run."""
    assert quoted(text) == word


MESSAGE = b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"a"}}'


def post(transcript: Transcript, number: int, *headers: bytes) -> int:
    """A request over HTTP, sent once with each `Authorization` (empty for none); the frame of its message."""
    transcript.append(Direction.SENT, Channel.BODY, [RawChunk(MESSAGE % number)])
    opener = transcript.count
    for header in headers:
        block = b"\r\n".join([b"POST /mcp HTTP/1.1", b"Host: x", *filter(None, [header]), b"A: b"])
        transcript.append(Direction.SENT, Channel.HTTP, [RawChunk(block)], opener)
        head = b"HTTP/1.1 200 OK"
        transcript.append(Direction.RECEIVED, Channel.HTTP, [RawChunk(head)], opener)
    return opener


def fill(transcript: Transcript) -> dict[str, int]:
    """The frames of five requests by name."""
    found = {
        "none": post(transcript, 1, b""),
        "first": post(transcript, 2, b"Authorization: Bearer first-token"),
        "again": post(transcript, 3, b"authorization:  bearer  first-token "),
        "both": post(
            transcript, 4, b"Authorization: Bearer first-token", b"Authorization: DPoP second-token"
        ),
    }
    transcript.append(Direction.SENT, Channel.AUTH, [RawChunk(b"GET /token HTTP/1.1\r\nHost: x")])
    found["flow"] = transcript.count
    transcript.note("x", "a note")
    return found


def found_by(transcript: Transcript, query: str) -> set[int]:
    return set(parse(query).matches(transcript, 1, transcript.count + 1))


def test_equal_tokens_have_equal_fingerprints_and_a_rejected_one_stands_beside_its_successor() -> (
    None
):
    """Ours."""
    transcript = Transcript()
    frames = fill(transcript)

    (first,) = transcript.tokens.of(frames["first"])
    assert transcript.tokens.of(frames["again"]) == (first,)
    assert transcript.tokens.of(frames["none"]) == ()
    both = transcript.tokens.of(frames["both"])
    assert both[0] == first
    assert len(set(both)) == 2
    assert transcript.tokens.of(frames["first"] + 1) == (first,)
    assert "token" not in " ".join(transcript.tokens.names)


async def test_the_filter_finds_requests_by_their_token_live_and_in_the_recording(
    tmp_path: Path,
) -> None:
    """Ours: markers stand in the place of tokens there, whatever the scheme."""
    transcript = Transcript.create(tmp_path / "a.spyglass")
    frames = fill(transcript)
    names = transcript.tokens.names
    await transcript.aclose()
    recording = await Transcript.open(tmp_path / "a.spyglass")

    for each in (transcript, recording):
        first, second = each.tokens.names
        assert each.tokens.names == names
        assert frames["both"] in found_by(each, f"auth:{second}")
        assert frames["first"] not in found_by(each, f"auth:{second}")
        assert {frames["first"], frames["again"], frames["both"]} <= found_by(each, "auth:")
        assert found_by(each, f"auth:{first[:4]}*") >= {frames["first"], frames["both"]}
        assert found_by(each, "auth:flow") == {frames["flow"]}
        assert frames["none"] in found_by(each, "auth:none")
        assert frames["first"] not in found_by(each, "auth:none")
        assert found_by(each, "kind:note auth:none") == set()
        assert found_by(each, "auth: auth:none") == set()
    await recording.aclose()


@pytest.mark.parametrize("typed", ["auth:", "auth:fl", "aut"])
def test_the_filter_suggests_the_field_and_its_values(typed: str) -> None:
    """Ours."""
    found = [
        each.text for each in suggestions(typed, len(typed), lambda _field: {"ab12cd34": None})
    ]

    assert {"auth:", "flow"} & set(found)
    if typed == "auth:":
        assert "ab12cd34" in found


def test_a_marker_names_its_fingerprint() -> None:
    """Ours."""
    assert fingerprint_in("[redacted:11-bytes:ab12cd34]") == "ab12cd34"
    assert fingerprint_in("ab12cd34") == ""
