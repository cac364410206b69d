"""The usual mistakes of the demo server: where each stops the flow, and what the user is told."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from inspector.auth.browser import LoginPageCheck
from inspector.auth.grant import Access, MemoryGrants
from inspector.auth.settings import Settings, Waiver, Way
from inspector.auth.state import Stage
from inspector.config.profile import Profile
from inspector.demo.auth.faults import Fault
from inspector.errors import InspectorError
from inspector.workspace import Workspace
from tests.support.demo_server import demo
from tests.support.redirected import Redirected

if TYPE_CHECKING:
    from inspector.auth.flow import Flow
    from inspector.wire.json_codec import JsonObject

CODE = Settings(way=Way.CODE)


async def visited(
    *switches: str, settings: Settings = CODE, writes: bool = True
) -> tuple[InspectorError | None, Flow]:
    """What became of a connection, and of a call that needs another scope where it `writes`; and the latest flow."""
    async with demo("--http", "0", "--auth", "--auth-consent", "auto", *switches) as url:
        access = Access(
            settings, MemoryGrants(), lambda sender: LoginPageCheck(Redirected(sender), sender)
        )
        workspace = Workspace(None, access=lambda _: access)
        opened = workspace.open(Profile(name="demo", transport="http", url=url))
        failure = None
        try:
            await opened.connect()
            if writes:
                note: JsonObject = {"title": "a", "content": "b"}
                params: JsonObject = {"name": "notes_add", "arguments": note}
                await opened.session.request("tools/call", params)
        except InspectorError as error:
            failure = error
        finally:
            await workspace.aclose()
        assert opened.authorizer is not None
        assert opened.authorizer.flow is not None
        return failure, opened.authorizer.flow


@pytest.mark.parametrize("switches", [(), ("--auth-dpop", "nonce"), ("--auth-issuer-path", "/t1")])
async def test_a_server_that_does_everything_right_is_used(switches: tuple[str, ...]) -> None:
    """C-AUT-01, C-AUT-06, C-AUT-33; RFC 9449."""
    failure, flow = await visited(*switches)

    assert failure is None
    assert all(check.result.value != "failed" for step in flow.steps for check in step.checks)


STOPPED = {
    Fault.RESOURCE_PATH: (Stage.RESOURCE, Waiver.RESOURCE),
    Fault.RESOURCE_INNER_HOST: (Stage.RESOURCE, Waiver.RESOURCE),
    Fault.RESOURCE_500: (Stage.RESOURCE, None),
    Fault.RESOURCE_ISSUER_SLASH: (Stage.SERVER, Waiver.ISSUER),
    Fault.ISSUER_HOST: (Stage.SERVER, Waiver.ISSUER),
    Fault.METADATA_HTML: (Stage.SERVER, None),
    Fault.PKCE_NOT_LISTED: (Stage.SERVER, Waiver.PKCE),
    Fault.REGISTRATION_NONE: (Stage.CLIENT, None),
    Fault.REGISTRATION_FORBIDDEN: (Stage.CLIENT, None),
    Fault.AUTHORIZE_REFUSED: (Stage.AUTHORIZATION, None),
    Fault.ISS_WRONG: (Stage.AUTHORIZATION, None),
    Fault.STATE_MISSING: (Stage.AUTHORIZATION, None),
    Fault.TOKEN_ERROR_200: (Stage.TOKEN, None),
}


@pytest.mark.parametrize("fault", STOPPED)
async def test_a_mistake_stops_the_flow_at_its_step_in_words(fault: Fault) -> None:
    """C-AUT-07, C-AUT-17, C-AUT-24, C-AUT-37, C-AUT-40, C-AUT-49."""
    failure, flow = await visited("--auth-fault", fault)
    step = flow.steps[-1]

    assert failure is not None
    assert (step.stage, step.waiver) == STOPPED[fault]
    assert step.problem in failure.reason
    assert step.hint


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (Fault.RESOURCE_SLASH, "audience"),
        (Fault.TOKEN_AUDIENCE, "audience"),
        (Fault.TOKEN_OPAQUE, "not a JSON Web Token"),
        (Fault.CLOCK_AHEAD, "ahead"),
        (Fault.CLOCK_BEHIND, "behind"),
    ],
)
async def test_a_new_token_that_is_rejected_tells_why(fault: Fault, told: str) -> None:
    """Ours: servers reject them without a word that helps."""
    failure, _ = await visited("--auth-fault", fault)

    assert failure is not None
    assert told in failure.reason
    assert failure.hint


@pytest.mark.parametrize(
    ("fault", "rule"),
    [
        (Fault.RESOURCE_NOT_FOUND, "L-AUT-02"),
        (Fault.CHALLENGE_MISSING, "L-AUT-01"),
        (Fault.CHALLENGE_TWICE, "RFC 9110"),
        (Fault.TOKEN_EXPIRES_TEXT, "RFC 6749, section 5.1"),
    ],
)
async def test_a_mistake_that_need_not_stop_anybody_is_told_and_got_over(
    fault: Fault, rule: str
) -> None:
    """Ours: strict clients fail here."""
    failure, flow = await visited("--auth-fault", fault, writes=False)
    broken = {c.rule for step in flow.steps for c in step.checks if c.result.value == "failed"}

    assert failure is None
    assert rule in broken


async def test_scopes_that_are_never_granted_are_the_failure_of_the_call() -> None:
    """C-AUT-35; ours: the login itself went well."""
    failure, flow = await visited("--auth-fault", Fault.SCOPE_NEVER_GRANTED)
    step = flow.steps[-1]

    assert failure is not None
    assert (step.stage, step.status.value, step.response.status) == (Stage.CALL, "failed", 403)
    assert "mcp:write" in step.problem


async def test_several_mistakes_at_once_leave_nothing_running() -> None:
    """Ours."""
    failures = await asyncio.gather(
        visited("--auth-fault", Fault.METADATA_500), visited("--auth-fault", Fault.RESOURCE_REFUSED)
    )

    assert all(failure is not None for failure, _ in failures)
