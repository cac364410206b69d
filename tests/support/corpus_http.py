"""Cases of the corpus about HTTP, as rules of the HTTP stub."""

from __future__ import annotations

import functools
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from inspector.session.negotiation import HANDSHAKE
from tests.support.corpus import case
from tests.support.http_session import at, session_of
from tests.support.http_stub import HANGS, HttpStub, Piece, Reply, well_behaved
from tests.support.modern import modern_http

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.session.session import Session
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.corpus_stateless import Play
    from tests.support.http_stub import Rule


def variants(name: str) -> list[int]:
    """The numbers of a case's variants; 0 alone where it has none."""
    found = _input(name).get("variants")
    return list(range(1, len(found) + 1)) if isinstance(found, list) else [0]


def era_variants(name: str) -> list[str]:
    """The stateful revisions that a case is to be played with."""
    found = _input(name).get("eraVariants")
    assert isinstance(found, list)
    return [str(date) for date in found if date != "2026-07-28"]


@asynccontextmanager
async def played(
    name: str, variant: int = 0, *, revision: str = HANDSHAKE
) -> AsyncGenerator[tuple[HttpStub, Session]]:
    """A stub that plays the case, and a session that is not connected to it yet."""
    given = _input(name)
    session_id = given.get("session", "s-1")
    assert session_id is None or isinstance(session_id, str)
    otherwise = functools.partial(
        well_behaved, session=session_id.split()[0] if session_id else None
    )
    async with HttpStub(_rules(given, variant), otherwise=otherwise) as stub:
        profile = replace(at(stub.url), revision=revision, headers=_headers(given))
        async with session_of(profile) as session:
            yield stub, session


@asynccontextmanager
async def played_stateless(play: Play) -> AsyncGenerator[tuple[HttpStub, Session]]:
    """A stub without a handshake that plays it, and a session that is connected to it."""
    async with modern_http(stateless_rules(play)) as (stub, session):
        yield stub, session


def stateless_rules(play: Play) -> dict[str, Rule]:
    """What a stub does that plays it."""
    rules = _rules({"rules": [], **play.given}, 0)
    return rules | dict([_rule(play.given)] if "match" in play.given else [])


def _input(name: str) -> JsonObject:
    given = case(name)["input"]
    assert isinstance(given, dict)
    return given


def _headers(given: JsonObject) -> tuple[tuple[str, str], ...]:
    headers = given.get("requestHeaders", {})
    assert isinstance(headers, dict)
    return tuple((name, str(value)) for name, value in headers.items())


def _rules(given: JsonObject, variant: int) -> dict[str, Rule]:
    if "respondTo" in given:
        return {f"POST {given['respondTo']}": _reply(given)}
    rules = cast("list[JsonObject]", given["rules"])
    if variant:
        entry = cast("list[Json]", given["variants"])[variant - 1]
        if isinstance(entry, dict) and "match" in entry:
            rules = [*rules, entry]
        elif isinstance(entry, dict):
            rules = [{**rule, "respond": _changed(rule["respond"], entry)} for rule in rules]
    return dict(map(_rule, rules))


def _changed(respond: Json, entry: JsonObject) -> JsonObject:
    assert isinstance(respond, dict)
    return {**respond, **entry}


def _rule(rule: JsonObject) -> tuple[str, Rule]:
    match, respond = rule["match"], rule["respond"]
    assert isinstance(match, dict)
    assert isinstance(respond, dict)
    key = f"{match['verb']} {match.get('rpc', '')}".strip()
    made = _reply(respond)
    return key, [made, None] if "nth" in match else made


def _reply(respond: JsonObject) -> Reply:
    if respond.get("hang"):
        return HANGS
    headers = respond.get("headers", {})
    assert isinstance(headers, dict)
    pairs = tuple((n, str(v)) for n, v in headers.items() if n != "content-length")
    status = respond.get("status", 200)
    assert isinstance(status, int)
    chunks = cast("list[JsonObject]", respond.get("chunks", [{"text": respond.get("body", "")}]))
    end = "hang" if respond.get("end") == "hang" else "close"
    return Reply(status, pairs, tuple(piece for chunk in chunks for piece in _pieces(chunk)), end)


def _pieces(chunk: JsonObject) -> list[Piece]:
    if "hex" in chunk:
        return [bytes.fromhex(str(chunk["hex"]))]
    delay = chunk.get("delayMs", 0)
    assert isinstance(delay, int)
    # A pause of a server's heartbeat is shortened: what it means does not depend on its length.
    return [*([min(delay, 100) / 1000] if delay else []), str(chunk.get("text", "")).encode()]
