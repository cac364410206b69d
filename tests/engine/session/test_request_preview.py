"""What the next request will carry, told before it is sent, and then sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.session.outgoing import OverriddenMeta, preview_overrides
from inspector.spec.keys import META_CLIENT_INFO, META_LOG_LEVEL, META_PROTOCOL_VERSION
from inspector.spec.revision import NEWEST
from inspector.spec.views.prompt import PromptView
from inspector.wire import json_codec
from tests.support.answering import AnsweringServer
from tests.support.http_stub import HttpStub, answer
from tests.support.modern import always, complete, meta_of, modern, offering, opened_at
from tests.support.opened import make_session, opened

if TYPE_CHECKING:
    from inspector.open_session import OpenSession
    from inspector.session.operation import Operation
    from inspector.wire.json_codec import JsonObject
    from tests.support.http_stub import Asked, Reply

HERE: JsonObject = {"traceparent": "00-1", META_PROTOCOL_VERSION: "1999-01-01"}


def giving(asked: Asked) -> Reply:
    """Answers what is asked for one thing."""
    results: dict[str, JsonObject] = {
        "prompts/get": complete(messages=[]),
        "resources/read": complete(contents=[], ttlMs=0, cacheScope="private"),
    }
    found = results.get(asked.rpc)
    return offering(asked) if found is None else answer({"result": found})


def begun(session: OpenSession, method: str, subject: str, meta: JsonObject | None) -> Operation:
    """Ask for a prompt or a resource."""
    if method == "prompts/get":
        return session.prompts.get(PromptView({"name": subject}), {}, meta=meta)
    return session.reads.read(subject, meta=meta)


def foretold(session: OpenSession, method: str, subject: str, meta: JsonObject | None) -> set[str]:
    if method == "prompts/get":
        told = session.prompts.headers_of(PromptView({"name": subject}), meta)
    else:
        told = session.reads.headers_of(subject, meta)
    return {f"{name.lower()}: {value}" for name, value in told.pairs}


async def test_members_that_take_the_place_of_ours_are_told_with_what_they_replace() -> None:
    """modern-11-meta-required: not without warning; C-MET-08."""
    async with modern() as (_, session):
        ours = session.session.stamped({}, with_token=True)["_meta"]
        assert isinstance(ours, dict)
        wanted: JsonObject = {**HERE, META_CLIENT_INFO: {}, META_LOG_LEVEL: "info"}

        assert preview_overrides(session.session, wanted) == (
            OverriddenMeta(META_PROTOCOL_VERSION, NEWEST.date, "1999-01-01"),
            OverriddenMeta(META_CLIENT_INFO, ours[META_CLIENT_INFO], {}),
        )
        assert preview_overrides(session.session, {META_PROTOCOL_VERSION: NEWEST.date}) == ()
        assert preview_overrides(session.session, None) == ()


async def test_the_token_that_would_be_sent_is_the_one_that_is_sent_next() -> None:
    """C-PRG-01; ours: asking changes nothing."""
    async with opened(AnsweringServer({"resources/read": lambda _: {"contents": []}})) as session:
        (told,) = preview_overrides(session.session, {"progressToken": "mine"})
        assert preview_overrides(session.session, {"progressToken": "mine"}) == (told,)
        read = session.reads.read("a:1")
        await read.wait()
        sent = json_codec.read(session.session.transcript.raw(read.request_frame)).value
        assert isinstance(sent, dict)
        assert meta_of(sent)["progressToken"] == told.default_value


async def test_where_a_handshake_agreed_on_everything_only_the_token_can_be_replaced() -> None:
    """Ours."""
    async with opened(AnsweringServer()) as session:
        assert preview_overrides(session.session, HERE) == ()


async def test_nothing_is_replaced_before_there_is_a_connection() -> None:
    """Ours."""
    session = make_session(AnsweringServer())
    assert preview_overrides(session.session, HERE) == ()
    await session.aclose()


@pytest.mark.parametrize(
    ("method", "subject", "name"),
    [
        ("prompts/get", " lead", "=?base64?IGxlYWQ=?="),
        ("prompts/get", "plain", "plain"),
        ("resources/read", "demo://漢", "=?base64?ZGVtbzovL+a8og==?="),
        ("resources/read", "file:///a b.txt", "file:///a b.txt"),
        ("resources/read", "a:\ud800", "=?base64?YTrvv70=?="),
    ],
)
@pytest.mark.parametrize("meta", [None, HERE])
async def test_prompts_and_resources_are_asked_for_with_the_headers_that_were_told(
    method: str, subject: str, name: str, meta: JsonObject | None
) -> None:
    """modern-04-name-header-encoding, C-HTTP-21, C-HTTP-24: the version in the header is the one in the body, too."""
    async with HttpStub({}, otherwise=giving) as stub, opened_at(stub) as session:
        told = foretold(session, method, subject, meta)
        await begun(session, method, subject, meta).wait()

        (asked,) = stub.said(f"POST {method}")
        assert f"mcp-name: {name}" in told
        assert told <= {f"{n.lower()}: {value}" for n, value in asked.pairs}
        version = NEWEST.date if meta is None else "1999-01-01"
        assert asked.headers["mcp-protocol-version"] == version


async def test_members_of_meta_go_with_prompts_and_resources() -> None:
    """C-MET-08: what is set by hand wins."""
    results = {
        "prompts/get": complete(messages=[]),
        "resources/read": complete(contents=[], ttlMs=0, cacheScope="private"),
    }
    async with modern(always(results)) as (server, session):
        for method in results:
            made = begun(session, method, "a:1", HERE)
            await made.wait()
            (sent,) = server.of(method)
            assert HERE.items() <= meta_of(sent).items()
            assert made.meta == HERE
