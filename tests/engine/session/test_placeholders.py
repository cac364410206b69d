"""A server that was given a placeholder in the place of a credential: its refusal names the placeholder; ours."""

from __future__ import annotations

import sys

import pytest
from msgspec.structs import replace

from inspector.config.profile import Profile
from inspector.errors import InspectorError
from tests.support.http_session import at, session_of
from tests.support.http_stub import HttpStub, reply


async def hint_of(profile: Profile) -> str:
    async with session_of(profile) as session:
        with pytest.raises(InspectorError) as caught:
            await session.connect()
        assert caught.value.hint == session.steps[-1].hint
        return str(caught.value.hint)


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize("value", ["Bearer $TOKEN", "Bearer ${env:TOKEN}", "Bearer <TOKEN>"])
async def test_a_refusal_names_the_placeholder_that_was_sent(status: int, value: str) -> None:
    """Ours: "add the header" is no help where it is there."""
    refusal = reply(status, b"{}", "application/json", WWW_Authenticate="Bearer")
    async with HttpStub({"POST": refusal, "GET": refusal}) as stub:
        hint = await hint_of(replace(at(stub.url), headers=(("Authorization", value),)))
    assert value.removeprefix("Bearer ") in hint


async def test_a_refusal_of_a_real_value_names_none() -> None:
    """Ours."""
    refusal = reply(401, b"{}", "application/json", WWW_Authenticate="Bearer")
    async with HttpStub({"POST": refusal, "GET": refusal}) as stub:
        hint = await hint_of(replace(at(stub.url), headers=(("Authorization", "Bearer abc"),)))
    assert "placeholder" not in hint


async def test_a_program_that_ends_names_the_placeholder_among_its_variables() -> None:
    """Ours."""
    env = (("API_KEY", "${input:key}"),)
    hint = await hint_of(
        Profile(command=sys.executable, args=("-c", "raise SystemExit(1)"), env=env)
    )
    assert "${input:key}" in hint
