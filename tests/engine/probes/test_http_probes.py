"""Probes of Streamable HTTP against a server that breaks each rule, and one that keeps it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.checks.background_validator import BackgroundValidator
from inspector.probes.probe import Effect, Outcome
from inspector.probes.runner import PROBES, run_probes
from inspector.session.session_state import SessionState
from inspector.spec.revision import NEWEST, NEWEST_STATEFUL
from tests.support.findings import rules_of, validate_all
from tests.support.http_session import at, connected, session_of, talking
from tests.support.http_stub import (
    STREAM_TYPE,
    HttpStub,
    answer,
    message_event,
    reply,
    result_event,
    stream,
    well_behaved,
)
from tests.support.modern import complete, discovered, modern_http, offering
from tests.support.old_server import OldServer

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.json_value import JsonObject
    from inspector.session.session import Session
    from tests.support.http_stub import Asked, Reply

    Otherwise = Callable[[Asked], Reply]

OPEN, OVER = "0b6b3e57-9d0c-4c39-a2f5-6f0d1c7a8e41", "e1d7f3a8-52c4-4b0f-8a69-3c9e0d2b7f16"
"""The session, and that of the probe, which is over when it is asked."""

HTTP_RULES = ("L-HTTP-0", "L-SES-0", "L-MOD-")
HTTP_PROBES = {probe.key for probe in PROBES if probe.effect is Effect.OPENS_CONNECTIONS}


def strict(asked: Asked) -> Reply:
    """What a proper server of the stateful era does, whatever is wrong with a request; `OVER` is over."""
    headers, session = asked.headers, asked.headers.get("mcp-session-id")
    version = headers.get("mcp-protocol-version", NEWEST_STATEFUL.date)
    if "origin" in headers or not headers["host"].startswith("127.0.0.1"):
        return reply(403)
    if version != NEWEST_STATEFUL.date or (session is None and asked.rpc != "initialize"):
        return reply(400)
    if session == OVER and asked.verb == "POST":
        return reply(404)
    return well_behaved(asked)


def stateful() -> Otherwise:
    """A strict server whose second session is `OVER`."""
    begun: list[Asked] = []

    def respond(asked: Asked) -> Reply:
        if asked.rpc != "initialize":
            return strict(asked)
        begun.append(asked)
        return well_behaved(asked, session=OVER if len(begun) > 1 else OPEN)

    return respond


def stateless(asked: Asked) -> Reply:
    """What a proper server of the stateless era does, whatever is wrong with a request."""
    headers = asked.headers
    if "origin" in headers or not headers["host"].startswith("127.0.0.1"):
        return reply(403)
    is_same = headers.get("mcp-protocol-version") == NEWEST.date
    is_named = asked.rpc != "prompts/get" or headers.get("mcp-name") == "greet"
    if asked.verb == "POST" and not (is_same and is_named and _has_method(asked)):
        return answer({"error": {"code": -32020, "message": "Header mismatch"}}, status=400)
    if asked.rpc == "prompts/list":
        return answer(
            {"result": complete(prompts=[{"name": "greet"}], ttlMs=0, cacheScope="private")}
        )
    return offering(asked)


def _has_method(asked: Asked) -> bool:
    return asked.headers.get("mcp-method") == asked.rpc


def breaking(
    broken: Callable[[Asked], bool], given: Reply | None = None, *, of: Otherwise | None = None
) -> Otherwise:
    """A strict server that accepts what is `broken`, or answers it by `given`."""
    keeping, accepting = of or stateful(), offering if of is stateless else well_behaved
    return lambda asked: (given or accepting(asked)) if broken(asked) else keeping(asked)


def probed(asked: Asked) -> bool:
    """Whether a probe sent it."""
    return str(asked.message.get("id", "")).startswith("spyglass-probe")


def lacks(name: str) -> Callable[[Asked], bool]:
    """Whether a probe left a header out."""
    return lambda asked: probed(asked) and asked.rpc == "ping" and name not in asked.headers


def spelled_small(asked: Asked) -> bool:
    """Whether a header of the protocol is in lower case."""
    return any(name == "mcp-method" for name, _ in asked.pairs)


def accepts_no_stream(asked: Asked) -> bool:
    """Whether it is a GET that accepts something else."""
    return asked.verb == "GET" and asked.headers.get("accept") != STREAM_TYPE


def resumes(asked: Asked) -> bool:
    """Whether it asks for the rest of a stream."""
    return "last-event-id" in asked.headers


def is_text(asked: Asked) -> bool:
    """Whether it does not say that it is JSON."""
    return asked.headers.get("content-type") == "text/plain"


def is_of_no_version(asked: Asked) -> bool:
    """Whether its revision does not exist."""
    return asked.headers.get("mcp-protocol-version", "").startswith("1900")


def is_of_ended(asked: Asked) -> bool:
    """Whether it is of the session that is over."""
    return asked.headers.get("mcp-session-id") == OVER and asked.verb == "POST"


NOT_JSON = answer({"error": {"code": -32700, "message": "Not JSON"}})
MISMATCH = answer({"error": {"code": -32020, "message": "Header mismatch"}}, status=400)


@pytest.mark.parametrize(
    ("key", "rule", "otherwise"),
    [
        ("foreign-origin", "L-HTTP-09", breaking(lambda asked: "origin" in asked.headers)),
        ("foreign-origin", "L-HTTP-09", breaking(lambda a: "origin" in a.headers, reply(400))),
        ("foreign-host", "L-HTTP-09", breaking(lambda asked: "spyglass" in asked.headers["host"])),
        ("get-accept", "L-HTTP-07", breaking(accepts_no_stream, answer({}))),
        ("content-type", "L-HTTP-14", breaking(is_text, NOT_JSON)),
        ("content-type", "L-HTTP-06", breaking(is_text, reply(202))),
        ("missing-session", "L-SES-04", breaking(lacks("mcp-session-id"))),
        ("unknown-version-header", "L-SES-07", breaking(is_of_no_version)),
        ("missing-version-header", "L-SES-08", breaking(lacks("mcp-protocol-version"), reply(400))),
        ("ended-session", "L-SES-05", breaking(is_of_ended, reply(400))),
        ("ended-session", "L-SES-05", breaking(is_of_ended)),
        ("foreign-event-id", "L-SES-18", breaking(resumes, stream(result_event(), end="hang"))),
    ],
)
async def test_a_probe_finds_what_a_careless_server_does(
    key: str, rule: str, otherwise: Otherwise
) -> None:
    """Ours: the finding is at the header block of the response."""
    async with talking(otherwise=otherwise) as (_, session):
        await assert_found(session, key, rule)
        assert (await session.request("ping")).message.result == {}


@pytest.mark.parametrize(
    ("key", "rule", "otherwise"),
    [
        (
            "header-mismatch",
            "L-MOD-06",
            breaking(lambda a: a.headers.get("mcp-method") != a.rpc, of=stateless),
        ),
        (
            "missing-method-header",
            "L-MOD-06",
            breaking(lambda a: "mcp-method" not in a.headers, of=stateless),
        ),
        (
            "missing-name-header",
            "L-MOD-06",
            breaking(lambda a: a.rpc == "prompts/get", of=stateless),
        ),
        (
            "missing-version",
            "L-MOD-22",
            breaking(lambda a: "mcp-protocol-version" not in a.headers, of=stateless),
        ),
        ("lower-case-headers", "L-MOD-17", breaking(spelled_small, MISMATCH, of=stateless)),
        ("other-verbs", "L-MOD-11", breaking(lambda a: a.verb == "DELETE", reply(), of=stateless)),
        (
            "last-event-id",
            "L-MOD-21",
            breaking(resumes, stream(), of=stateless),
        ),
        (
            "last-event-id",
            "L-MOD-21",
            breaking(resumes, reply(400), of=stateless),
        ),
        ("foreign-origin", "L-HTTP-09", breaking(lambda a: "origin" in a.headers, of=stateless)),
    ],
)
async def test_a_probe_finds_what_a_careless_server_without_sessions_does(
    key: str, rule: str, otherwise: Otherwise
) -> None:
    """Ours."""
    async with modern_http(otherwise=otherwise, revision=NEWEST.date) as (_, session):
        await assert_found(session, key, rule)


async def assert_found(session: Session, key: str, rule: str) -> None:
    """The probe fails by one finding of the rule, and nothing else finds the same."""
    (concluded,) = [each async for each in run_probes(session, {key})]

    assert concluded.result.outcome is Outcome.FAILED, concluded.result.text
    ((frame, finding),) = concluded.result.findings
    assert finding.rule == rule
    assert rule in concluded.probe.rules
    assert session.transcript.raw(frame).startswith(b"HTTP/1.1 ")
    validate_all(BackgroundValidator(session.transcript, session.revision))
    assert rules_of(session.transcript).count(rule) == 1


async def test_a_server_that_keeps_the_rules_passes_every_probe() -> None:
    """Ours: and the session is what it was."""
    async with talking(otherwise=stateful()) as (_, session):
        found = {each.probe.key: each.result async for each in run_probes(session, HTTP_PROBES)}

        assert {key for key, each in found.items() if each.outcome is not Outcome.PASSED} == {
            probe.key
            for probe in PROBES
            if probe.key in HTTP_PROBES and probe.rules[0].startswith(("L-MOD", "L-OLD", "L-LC"))
        }
        assert session.state is SessionState.READY
        assert (await session.request("ping")).message.result == {}
        validate_all(BackgroundValidator(session.transcript, session.revision))
        assert {
            rule for rule in rules_of(session.transcript) if rule.startswith(HTTP_RULES)
        } == set()


async def test_a_server_without_sessions_that_keeps_the_rules_passes_every_probe() -> None:
    """Ours."""
    async with modern_http(otherwise=stateless, revision=NEWEST.date) as (_, session):
        found = {each.probe.key: each.result async for each in run_probes(session, HTTP_PROBES)}

        assert {key for key, each in found.items() if each.outcome is not Outcome.PASSED} == {
            *(key for key in HTTP_PROBES if _of(key).startswith(("L-SES", "L-HTTP-07", "L-OLD"))),
            *("early-requests", "second-initialize"),
        }
        assert session.state is SessionState.READY


def _of(key: str) -> str:
    """The rule that a probe is about first of all."""
    return next(probe.rules[0] for probe in PROBES if probe.key == key)


async def test_a_server_that_serves_revisions_without_the_header_may_accept_none() -> None:
    """L-MOD-22: near miss."""

    def otherwise(asked: Asked) -> Reply:
        both = discovered(NEWEST.date, "2025-03-26")
        return answer({"result": both}) if asked.rpc == "server/discover" else offering(asked)

    async with modern_http(otherwise=otherwise, revision=NEWEST.date) as (_, session):
        (concluded,) = [each async for each in run_probes(session, {"missing-version"})]

    assert concluded.result.outcome is Outcome.NOT_APPLICABLE


class CheckingServer(OldServer):
    """Refuses the stream to pages of other sites."""

    def _stream(self, asked: Asked) -> Reply:
        return reply(403) if "origin" in asked.headers else super()._stream(asked)


@pytest.mark.parametrize(
    ("server", "outcome"), [(OldServer, Outcome.FAILED), (CheckingServer, Outcome.PASSED)]
)
async def test_the_event_stream_of_the_older_transport_is_not_for_other_sites(
    server: type[OldServer], outcome: Outcome
) -> None:
    """L-OLD-05: the stream of the session stays open."""
    async with server() as old, connected(at(old.url, "sse")) as session:
        (concluded,) = [each async for each in run_probes(session, {"foreign-origin-sse"})]

        assert concluded.result.outcome is outcome
        assert ("L-OLD-05" in rules_of(session.transcript)) is (outcome is Outcome.FAILED)
        assert (await session.request("ping")).message.result == {}


async def test_a_probe_sends_what_the_user_set_but_for_what_it_edits() -> None:
    """Ours: a header of the user is kept, the origin of the user replaced."""
    async with HttpStub(otherwise=stateful()) as stub:
        own = (("X-Key", "k"), ("Origin", "http://127.0.0.1"))
        async with session_of(replace(at(stub.url), headers=own)) as session:
            stub.play("POST initialize", well_behaved)
            stub.play("POST notifications/initialized", reply(202))
            await session.connect()
            _ = [each async for each in run_probes(session, {"foreign-origin"})]

    asked = stub.said("POST ping")[-1]
    assert asked.headers["x-key"] == "k"
    assert [value for name, value in asked.pairs if name.lower() == "origin"] == [
        "https://spyglass.invalid"
    ]


@pytest.mark.parametrize("given", [reply(401), reply(429), reply(500)])
async def test_what_says_nothing_of_the_rule_blames_nobody(given: Reply) -> None:
    """Ours: access, limits and failures."""
    otherwise = breaking(lambda asked: "origin" in asked.headers, given)
    async with talking(otherwise=otherwise) as (_, session):
        (concluded,) = [each async for each in run_probes(session, {"foreign-origin"})]

        assert concluded.result.outcome is Outcome.NOT_TRIED
        assert session.state is SessionState.READY


async def test_a_refusal_of_an_edited_request_is_no_finding() -> None:
    """Ours: a server that refuses by the headers knows neither the id nor a code of its own; both SDKs do so."""
    error: JsonObject = {"code": -32000, "message": "Bad Request"}
    refusal = answer({"jsonrpc": "2.0", "id": "server-error", "error": error}, status=400)

    def otherwise(asked: Asked) -> Reply:
        return refusal if "mcp-method" not in asked.headers else stateless(asked)

    async with modern_http(otherwise=otherwise, revision=NEWEST.date) as (_, session):
        (concluded,) = [each async for each in run_probes(session, {"missing-method-header"})]
        validate_all(BackgroundValidator(session.transcript, session.revision))

        assert concluded.result.outcome is Outcome.PASSED
        assert {rule for rule in rules_of(session.transcript) if rule.startswith("L-JR")} == set()
        assert "wrong-id" not in rules_of(session.transcript)


async def test_a_stream_after_an_unknown_event_may_have_other_messages() -> None:
    """Ours: they are recorded as text, and not processed again."""
    asking = message_event({"jsonrpc": "2.0", "id": 7, "method": "ping"})
    otherwise = breaking(resumes, stream(asking, end="hang"))
    async with talking(otherwise=otherwise) as (stub, session):
        (concluded,) = [each async for each in run_probes(session, {"foreign-event-id"})]

        assert concluded.result.outcome is Outcome.PASSED
        assert asking.encode() in [
            session.transcript.raw(number) for number in range(1, session.transcript.count + 1)
        ]
    assert [asked.message for asked in stub.asked if asked.message.get("id") == 7] == []


async def test_a_server_that_refuses_a_missing_session_may_serve_earlier_revisions() -> None:
    """Ours: 405 is for servers of this revision alone, which nothing tells."""
    otherwise = breaking(lambda asked: asked.verb != "POST", reply(400), of=stateless)
    async with modern_http(otherwise=otherwise, revision=NEWEST.date) as (_, session):
        (concluded,) = [each async for each in run_probes(session, {"other-verbs"})]

    assert concluded.result.outcome is Outcome.PASSED


async def test_a_redirect_is_not_followed() -> None:
    """Ours: what is edited goes to the URL of the session alone."""
    elsewhere = reply(307, location="/other")
    otherwise = breaking(lambda asked: "spyglass" in asked.headers["host"], elsewhere)
    async with talking(otherwise=otherwise) as (stub, session):
        (concluded,) = [each async for each in run_probes(session, {"foreign-host"})]

    assert concluded.result.outcome is Outcome.PASSED
    assert {asked.path for asked in stub.asked} == {"/mcp"}
