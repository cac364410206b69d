"""A protected server, reached with real requests: how a token is come by, used, renewed and replaced."""

from __future__ import annotations

import asyncio
import itertools

import pytest
from msgspec.structs import replace

from inspector.auth.settings import Settings, Waiver, Way
from inspector.errors import HttpStatus
from inspector.transcript.redaction import Masking
from inspector.wire import json_web_token
from inspector.wire.frame import Channel
from tests.support.http_stub import RESET, HttpStub, Reply, answer, reply
from tests.support.protected import Protected, call, opened


async def test_a_refusal_leads_to_a_token_that_every_request_carries_in_a_header() -> None:
    """C-AUT-02, C-AUT-03, C-AUT-10, C-AUT-22, C-AUT-25, C-AUT-28, C-AUT-29."""
    async with Protected() as server, opened(server) as session:
        await session.connect()
        await call(session)

        first, *rest = server.stub.said("POST /mcp")
        assert "authorization" not in first.headers
        assert {each.headers["authorization"] for each in rest} == {
            f"Bearer {next(iter(server.valid))}"
        }
        assert {each.headers.get("authorization") for each in server.asked("GET /mcp")} == {
            rest[0].headers["authorization"]
        }
        assert all("access-token" not in each.path for each in server.stub.asked)
        (form,) = server.forms()
        assert form["grant_type"] == "authorization_code"
        assert form["resource"] == server.stub.url
        assert server.count("GET /authorize") == 1


async def test_without_a_way_of_authorization_a_refusal_is_an_error_as_ever() -> None:
    """Ours."""
    async with Protected() as server:
        workspace = server.workspace()
        workspace = type(workspace)(None)
        async with opened(server, workspace) as session:
            with pytest.raises(HttpStatus) as failure:
                await session.connect()

            assert failure.value.status == 401
            assert session.authorizer is None
            assert server.count("GET /.well-known/oauth-protected-resource/mcp") == 0


async def test_a_second_connection_with_a_stored_token_makes_no_request_more() -> None:
    """Ours."""
    async with Protected() as server:
        async with opened(server) as session:
            await session.connect()
        before = len(server.stub.asked)
        async with opened(server) as session:
            await session.connect()
        paths = [each.path for each in server.stub.asked[before:]]

        assert set(paths) == {"/mcp"}
        assert all("authorization" in each.headers for each in server.stub.asked[before:])


async def test_200_calls_over_an_expiring_token_cause_one_refresh() -> None:
    """C-AUT-43; ours: one renewal for everybody who waits for it."""
    async with Protected() as server, opened(server) as session:
        await session.connect()
        assert session.authorizer is not None
        session.authorizer.expire()

        await asyncio.gather(*(call(session) for _ in range(200)))

        assert [form["grant_type"] for form in server.forms()] == [
            "authorization_code",
            "refresh_token",
        ]
        assert server.forms()[1]["resource"] == server.stub.url
        assert len(server.stub.said("POST tools/call")) == 200


async def test_200_calls_whose_token_is_refused_cause_one_refresh_and_are_sent_again() -> None:
    """C-AUT-03; ours."""
    async with Protected() as server, opened(server) as session:
        await session.connect()
        server.valid = set()

        await asyncio.gather(*(call(session) for _ in range(200)))

        assert [form["grant_type"] for form in server.forms()] == [
            "authorization_code",
            "refresh_token",
        ]
        assert server.count("GET /authorize") == 1


async def test_a_refresh_token_that_is_replaced_is_used_the_next_time() -> None:
    """C-AUT-43: rotation."""
    async with Protected() as server, opened(server) as session:
        await session.connect()
        assert session.authorizer is not None
        assert await session.authorizer.refresh()
        assert await session.authorizer.refresh()

        used = [form.get("refresh_token") for form in server.forms()]
        assert len(set(used)) == 3


async def test_a_refresh_token_that_is_dead_leads_back_to_the_user_and_to_no_other_client() -> None:
    """C-AUT-43, C-AUT-18."""
    async with Protected() as server, opened(server) as session:
        await session.connect()
        server.valid, server.refresh = set(), "another"

        await call(session)

        assert server.count("GET /authorize") == 2
        assert server.count("POST /register") == 1


async def test_a_token_that_somebody_else_renewed_is_taken_over_and_not_renewed_again() -> None:
    """Ours: rotation would kill the token of the other."""
    async with Protected() as server, opened(server) as session:
        await session.connect()
        async with opened(server) as other:
            await other.connect()
            assert other.authorizer is not None
            assert await other.authorizer.refresh()

            await call(session)

        assert len(server.forms()) == 2


async def test_a_new_token_that_is_refused_at_once_is_no_reason_to_ask_the_user_again() -> None:
    """Ours: the token is for another audience, say; each request would ask again."""
    async with Protected(refuses_all=True) as server, opened(server) as session:
        with pytest.raises(HttpStatus, match="rejects the token") as failure:
            await session.connect()

        assert failure.value.status == 401
        assert failure.value.hint
        assert server.count("GET /authorize") == 1


async def test_an_authorization_that_fails_is_told_to_everybody_who_waits_for_it() -> None:
    """Ours: 20 requests open one browser, not twenty."""
    async with Protected() as server, opened(server) as session:
        await session.connect()
        server.valid, server.refresh = set(), "another"
        server.stub.play("GET /authorize", reply(400))

        failures = await asyncio.gather(*(call(session) for _ in range(20)), return_exceptions=True)

        assert {type(each) for each in failures} == {HttpStatus}
        assert server.count("GET /authorize") == 2


async def test_a_document_about_another_resource_stops_the_flow_unless_the_user_lets_it_be() -> (
    None
):
    """C-AUT-49."""
    async with Protected(resource={"resource": "https://evil.example/mcp"}) as server:
        async with opened(server) as session:
            with pytest.raises(HttpStatus):
                await session.connect()
            flow = session.authorizer.flow if session.authorizer is not None else None
            assert flow is not None
            assert flow.steps[-1].waiver is Waiver.RESOURCE
            assert server.count("GET /.well-known/oauth-authorization-server") == 0
        waived = Settings(way=Way.CODE, waivers=frozenset({Waiver.RESOURCE}))
        async with opened(server, server.workspace(waived)) as session:
            await session.connect()


async def test_an_issuer_that_differs_in_a_slash_stops_the_flow_unless_the_user_lets_it_be() -> (
    None
):
    """C-AUT-07."""
    async with Protected() as server:
        server.metadata["issuer"] = f"{server.issuer}/"
        async with opened(server) as session:
            with pytest.raises(HttpStatus, match="issuer"):
                await session.connect()
            assert server.count("POST /register") == 0
        waived = Settings(way=Way.CODE, waivers=frozenset({Waiver.ISSUER}))
        async with opened(server, server.workspace(waived)) as session:
            with pytest.raises(HttpStatus, match="iss"):  # of the callback: that it must be, too
                await session.connect()


async def test_a_client_of_one_issuer_is_not_used_at_another() -> None:
    """C-AUT-18, C-AUT-19, C-AUT-21."""
    async with Protected() as server, Protected() as other:
        async with opened(server) as session:
            await session.connect()
        server.valid, server.refresh = set(), "another"
        server.resource["authorization_servers"] = [other.issuer]
        async with opened(server) as session:
            with pytest.raises(HttpStatus):  # its tokens are not those of this server here
                await session.connect()

        (registered,) = other.asked("POST /register")
        assert registered.message["application_type"] == "native"
        clients = {
            each.path.partition("client_id=")[2].partition("&")[0]
            for each in other.asked("GET /authorize")
        }
        assert (
            clients.isdisjoint({"", server.grants.clients[server.issuer].id}) or len(clients) == 1
        )


async def test_headers_of_the_user_go_to_the_server_and_to_no_authorization_server() -> None:
    """C-AUT-30; ours."""
    async with Protected() as server, Protected() as other:
        server.resource["authorization_servers"] = [other.issuer]
        profile = replace(server.profile, headers=(("X-Api-Key", "mine"),))
        workspace = server.workspace()
        session = workspace.open(profile)
        with pytest.raises(HttpStatus):
            await session.connect()
        await workspace.aclose()

        assert all("x-api-key" in each.headers for each in server.asked("POST /mcp"))
        assert other.stub.asked
        assert all("x-api-key" not in each.headers for each in other.stub.asked)


async def test_a_redirect_to_another_host_carries_no_token() -> None:
    """C-AUT-30; RFC 9700, section 4.12."""
    async with HttpStub() as other, Protected() as server, opened(server) as session:
        await session.connect()
        server.stub.play("POST /mcp", reply(307, location=other.url))
        with pytest.raises(HttpStatus, match="another origin"):
            await call(session)

        assert other.asked == []


async def test_what_is_exchanged_is_recorded_on_a_channel_of_its_own_and_no_secret_is_shown() -> (
    None
):
    """C-SEC-17."""
    async with Protected() as server, opened(server) as session:
        await session.connect()
        transcript = session.session.transcript
        numbers = range(1, transcript.count + 1)
        channels = [transcript.columns.channel[number - 1] for number in numbers]
        masking = Masking(transcript)
        shown = b"\n".join(masking.raw(number) for number in numbers)
        recorded = b"\n".join(transcript.raw(number) for number in numbers)

        assert channels.count(Channel.AUTH) >= 12
        assert b"grant_type=authorization_code" in recorded
        secrets = [*server.valid, server.refresh, "the-code", server.forms()[0]["code_verifier"]]
        assert all(each.encode() in recorded for each in secrets)
        assert [each for each in secrets if each.encode() in shown] == []


async def test_any_step_can_be_done_again_with_other_settings_or_another_request() -> None:
    """Ours."""
    async with Protected() as server, opened(server) as session:
        await session.connect()
        assert session.authorizer is not None
        flow = session.authorizer.new_flow()
        await flow.run()
        stages = [str(step.stage) for step in flow.steps]
        assert stages == [
            "challenge",
            "resource-metadata",
            "server-metadata",
            "client",
            "authorization",
            "token",
        ]

        flow.rewind(5, Settings(way=Way.CODE, scopes=("other",)))
        assert len(flow.steps) == 4
        await flow.run()
        await flow.aclose()

        assert "scope=other" in server.asked("GET /authorize")[-1].path
        assert flow.steps[-1].checks
        assert all(step.seconds >= 0 for step in flow.steps)


async def test_a_token_is_revoked_where_that_is_possible_and_forgotten() -> None:
    """RFC 7009, section 2.1."""
    async with Protected() as server, opened(server) as session:
        await session.connect()
        assert session.authorizer is not None
        refresh = server.refresh
        assert await session.authorizer.revoke() == ""

        assert server.forms("POST /revoke")[0]["token"] == refresh
        assert session.authorizer.grant is None
        assert server.grants.grants == {}


async def test_a_nonce_that_comes_with_a_good_response_is_in_the_next_proof() -> None:
    """RFC 9449, section 8.2: no request is refused first."""
    settings = Settings(way=Way.CODE, always_dpop=True)
    async with (
        Protected(token={"token_type": "DPoP"}) as server,
        opened(server, server.workspace(settings)) as session,
    ):
        await session.connect()
        numbers = itertools.count(1)
        server.stub.play(
            "POST tools/call",
            lambda _: answer({"result": {"content": []}}, dpop_nonce=f"n{next(numbers)}"),
        )
        for _ in range(3):
            await call(session)

        proofs = [each.headers["dpop"] for each in server.stub.said("POST tools/call")]
        claims = [json_web_token.token_claims(proof) for proof in proofs]
        assert [(each or {}).get("nonce") for each in claims] == [None, "n1", "n2"]


async def test_a_token_that_expired_before_it_was_used_is_replaced_and_not_explained() -> None:
    """C-AUT-43; ours: it was right when it came, however late it is used for the first time."""
    async with Protected(token={"refresh_token": ""}) as server, opened(server) as session:
        await session.connect()
        assert session.authorizer is not None
        flow = session.authorizer.new_flow()
        await flow.run()
        await flow.aclose()
        await session.authorizer.take(flow)
        server.valid = set()
        session.authorizer.expire()

        await call(session)

        assert server.count("GET /authorize") == 3


async def test_a_server_without_metadata_is_asked_itself() -> None:
    """C-AUT-05, C-AUT-09."""
    async with Protected() as server:
        server.stub.play("GET /.well-known/oauth-protected-resource/mcp", reply(404))
        async with opened(server) as session:
            await session.connect()

        assert server.count("POST /token") == 1


@pytest.mark.parametrize(
    ("served", "reason", "hint"),
    [
        (reply(503), "503", "log of that server"),
        (RESET, "closed the connection", "ended the response early"),
    ],
)
async def test_metadata_that_cannot_be_served_is_looked_for_nowhere_else(
    served: Reply, reason: str, hint: str
) -> None:
    """Ours: what another place has may be about something else."""
    async with Protected() as server:
        server.stub.play("GET /.well-known/oauth-protected-resource/mcp", served)
        async with opened(server) as session:
            with pytest.raises(HttpStatus, match=reason) as failure:
                await session.connect()

        assert hint in failure.value.hint
        assert server.count("GET /.well-known/oauth-authorization-server") == 0
