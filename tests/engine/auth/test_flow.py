"""The steps of a flow, over exchanges that are scripted: which come, what they send, and where they stop."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from inspector.auth.browser import LoginPageCheck
from inspector.auth.check import CheckResult
from inspector.auth.flow import Flow, LoginNeeded
from inspector.auth.messages import HttpRequest, HttpResponse
from inspector.auth.settings import Waiver
from inspector.auth.state import Stage
from inspector.errors import for_cli
from inspector.spec import revision as revisions
from tests.support.scripted_flow import (
    CODE,
    ISSUER,
    Script,
    checks,
    failure,
    flow_of,
    refused,
)

# Discovery


async def test_a_server_of_the_second_revision_is_asked_itself_and_told_the_revision() -> None:
    """C-AUT-05, C-AUT-08, C-AUT-09."""
    script = Script()
    flow = flow_of(script, refused(date=revisions.V2025_03_26.date))
    await flow.run()

    first = script.sent[0]
    assert first.url == "https://mcp.example/.well-known/oauth-authorization-server"
    assert ("MCP-Protocol-Version", revisions.V2025_03_26.date) in first.headers
    assert [each.url for each in script.sent[1:]] == [
        "https://mcp.example/register",
        "https://mcp.example/token",
    ]


async def test_the_metadata_that_the_challenge_names_is_asked_for_first() -> None:
    """C-AUT-03, C-AUT-04."""
    script = Script(resource=None)
    await flow_of(script, refused('Bearer resource_metadata="https://mcp.example/mine"')).run(
        Stage.RESOURCE
    )

    assert script.paths == ["/mine"]


async def test_metadata_in_clear_on_another_machine_is_not_asked_for() -> None:
    """C-AUT-46, C-SEC-12."""
    script = Script(metadata={"token_endpoint": "http://as.example/token"})
    failed = await failure(script, refused())

    assert failed.step.waiver is Waiver.PLAIN_HTTP
    assert all(each.url.startswith("https:") for each in script.sent)


@pytest.mark.parametrize("listed", [None, [], ["plain"]])
async def test_without_s256_the_flow_stops_unless_the_user_lets_it_be(listed: object) -> None:
    """C-AUT-23, C-AUT-24."""
    script = Script(metadata={"code_challenge_methods_supported": listed})
    failed = await failure(script, refused())
    assert failed.step.waiver is Waiver.PKCE
    assert script.visited == []

    waived = replace(CODE, waivers=frozenset({Waiver.PKCE}))
    await flow_of(script, refused(settings=waived)).run()
    assert script.asked["code_challenge_method"] == ["S256"]


OTHER = "https://other.example"


async def test_of_several_authorization_servers_the_first_is_used_and_the_others_are_told() -> None:
    """Ours: which one is right, only the user knows."""
    script = Script(resource={"authorization_servers": ["ftp://no.example", ISSUER, OTHER]})
    flow = flow_of(script, refused())
    await flow.run()
    step = next(each for each in flow.steps if each.stage is Stage.RESOURCE)

    assert flow.state.issuer == ISSUER
    assert OTHER in step.reason
    assert "first" in step.reason


@pytest.mark.parametrize(("named", "is_told"), [([OTHER, ISSUER], False), ([OTHER], True)])
async def test_the_authorization_server_that_was_selected_is_used(
    named: list[str], *, is_told: bool
) -> None:
    """Ours; one that the server does not name is used and told."""
    script = Script(resource={"authorization_servers": named})
    flow = flow_of(script, refused(settings=replace(CODE, issuer=ISSUER)))
    await flow.run()
    step = next(each for each in flow.steps if each.stage is Stage.RESOURCE)

    assert flow.state.issuer == ISSUER
    assert OTHER in step.reason
    assert (step.checks[-1].result is CheckResult.WARNING) is is_told
    assert all(not each.url.startswith(OTHER) for each in script.sent)


# Scopes


@pytest.mark.parametrize(
    ("field", "resource", "scope"),
    [
        ('Bearer scope="mine"', {}, ["mine"]),
        ("Bearer", {}, ["p q"]),
        ("Bearer", {"scopes_supported": None}, None),
    ],
)
async def test_scopes_are_those_of_the_challenge_else_those_of_the_server_else_none(
    field: str, resource: dict[str, object], scope: list[str] | None
) -> None:
    """C-AUT-31, C-AUT-32, C-AUT-45, C-SEC-16."""
    script = Script(resource=resource)
    await flow_of(script, refused(field)).run()

    assert script.asked.get("scope") == scope


@pytest.mark.parametrize(
    ("listed", "scope"), [(["offline_access"], "p q offline_access"), (["x"], "p q")]
)
async def test_a_refresh_token_is_asked_for_where_the_authorization_server_lists_it(
    listed: list[str], scope: str
) -> None:
    """C-AUT-44."""
    script = Script(metadata={"scopes_supported": listed})
    await flow_of(script, refused()).run()

    assert script.asked["scope"] == [scope]
    registration = json.loads(
        next(each.body for each in script.sent if each.url.endswith("/register"))
    )
    assert "refresh_token" in registration["grant_types"]


async def test_consent_is_asked_for_where_a_refresh_token_is_unless_the_user_chose_otherwise() -> (
    None
):
    """OpenID Connect Core 1.0, section 11; ours: servers drop the scope without it, and say nothing."""
    script = Script(metadata={"scopes_supported": ["offline_access"]})
    await flow_of(script, refused()).run()
    assert script.asked["prompt"] == ["consent"]

    chosen = replace(CODE, extra=(("prompt", "login"),))
    await flow_of(script, refused(settings=chosen)).run()
    assert script.asked["prompt"] == ["login"]

    await flow_of(script := Script(), refused()).run()
    assert "prompt" not in script.asked


async def test_scopes_that_the_user_chose_are_all_until_the_server_wants_more() -> None:
    """C-AUT-34."""
    chosen = refused('Bearer scope="write"', replace(CODE, scopes=("mine",)))
    await flow_of(script := Script(), chosen).run()
    assert script.asked["scope"] == ["mine"]

    await flow_of(script, replace(chosen, earlier_scopes=("mine", "read"))).run()
    assert script.asked["scope"] == ["mine read write"]


# Clocks


AT_SIX = ("Date", "Thu, 01 Jan 1970 06:00:00 GMT")


async def test_a_clock_that_is_wrong_is_told_with_the_tokens() -> None:
    """RFC 9110, section 6.6.1."""
    flow = flow_of(Script(token_headers=(AT_SIX,)), refused())
    await flow.run()

    assert flow.state.issuer_ahead is not None
    assert flow.state.issuer_ahead < 0
    assert any(check.pointer == "Date" for check in flow.steps[-1].checks)


@pytest.mark.parametrize("signs", [True, False])
async def test_a_clock_that_is_wrong_is_told_where_what_we_signed_is_refused(
    *, signs: bool
) -> None:
    """RFC 9449, section 11.1: a proof is valid for a short time."""
    script = Script(answers=[{"error": "invalid_dpop_proof"}], token_headers=(AT_SIX,))
    failed = await failure(script, refused(settings=replace(CODE, always_dpop=signs)))

    assert ("behind ours" in failed.reason) is signs


async def test_a_nonce_that_comes_with_tokens_is_kept_for_the_next_proof() -> None:
    """RFC 9449, section 8.2."""
    script = Script(token_headers=(("DPoP-Nonce", "next"),))
    flow = flow_of(script, refused(settings=replace(CODE, always_dpop=True)))
    await flow.run()

    assert flow.state.dpop_nonce == "next"


# Steps


async def test_what_a_step_sends_can_be_changed_before() -> None:
    """Ours: a wrong verifier on purpose, say."""
    script = Script()
    flow = flow_of(script, refused())
    await flow.run(Stage.AUTHORIZATION)
    planned = await flow.next_step()
    assert planned is not None
    assert planned.request is not None
    wrong = planned.request.body.replace(b"code_verifier=", b"code_verifier=x")
    await flow.advance(replace(planned, request=replace(planned.request, body=wrong)))

    assert script.form()["code_verifier"].startswith("x")
    assert flow.tokens is not None
    assert await flow.advance() is None


async def test_every_step_is_told_when_it_begins_and_when_it_ends() -> None:
    """Ours."""
    flow = flow_of(Script(), refused())
    seen: list[tuple[int, str]] = []
    flow.changed.subscribe(lambda: seen.append((len(flow.steps), str(flow.steps[-1].status))))
    await flow.run()

    count = len(flow.steps)
    assert [*dict.fromkeys(seen)] == [
        (n, status) for n in range(1, count + 1) for status in ("running", "done")
    ]
    assert all(each.rule and each.source and each.summary for each in checks(flow))


async def test_a_step_waits_for_the_user_once_the_login_page_was_looked_at() -> None:
    """Ours: what is opened before may be replaced by another attempt, and its callback be missed."""
    script = Script()
    during: list[bool] = []

    class Looking(Script):
        async def send(self, request: HttpRequest) -> HttpResponse:
            during.append(flow.steps[-1].waits_for_user)
            return HttpResponse(200)

    flow = Flow(refused(), script, LoginPageCheck(script, Looking()))
    flow.changed.subscribe(lambda: during.append(flow.steps[-1].waits_for_user))
    await flow.run()

    assert [*during][-6:-2] == [False, False, True, False]
    assert during.count(True) == 1


async def test_nobody_to_log_in_is_a_sentence() -> None:
    """Ours."""
    flow = Flow(refused(), Script())
    with pytest.raises(LoginNeeded) as needed:
        await flow.run()
    assert needed.value.reason
    assert for_cli(needed.value.hint) != needed.value.hint
    assert flow.needs_user
