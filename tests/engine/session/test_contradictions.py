"""A server that refuses what it lists as supported is told so, and nobody is sent round in circles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.errors import InspectorError, for_cli
from inspector.session.steps import StepState
from inspector.spec.revision import NEWEST, NEWEST_STATEFUL, V2024_11_05
from tests.support.dialogue import Dialogue, hears_error, hears_result, says, session_of

if TYPE_CHECKING:
    from inspector.session.session import Session
    from inspector.wire.json_codec import Json

DISCOVER = "server/discover"
UNSUPPORTED, MISSING, INVALID, UNKNOWN = -32022, -32021, -32602, -32601


def supported(*dates: str) -> Json:
    return {"supported": [*dates], "requested": "x"}


async def failure_of(dialogue: Dialogue, revision: str = "") -> tuple[InspectorError, Session]:
    async with session_of(dialogue, revision=revision) as session:
        with pytest.raises(InspectorError) as failure:
            await session.connect()
        return failure.value, session


async def test_a_refused_revision_that_is_listed_as_supported_is_a_contradiction() -> None:
    """C-VER-02: the step that asked fails, and another revision of the list is offered."""
    data = supported(NEWEST.date, V2024_11_05.date)
    failure, session = await failure_of(
        Dialogue(
            says(DISCOVER),
            hears_error(UNSUPPORTED, "no", data),
            says(DISCOVER),
            hears_error(UNSUPPORTED, "no", data),
        )
    )

    assert f"refuses revision {NEWEST}, which it lists as supported" in failure.reason
    assert f"--revision {V2024_11_05.date}" in for_cli(failure.hint)
    assert [step.state for step in session.steps][-1] is StepState.FAILED
    assert session.steps[-1].status_text == failure.reason


async def test_capabilities_that_are_required_again_after_they_were_declared_are_a_contradiction() -> (
    None
):
    """C-VER-01."""
    refused = hears_error(MISSING, "no", {"requiredCapabilities": {"sampling": {}}})
    failure, _ = await failure_of(Dialogue(says(DISCOVER), refused, says(DISCOVER), refused))

    assert "`sampling`" in failure.reason
    assert "contradicts itself" in failure.hint


async def test_a_handshake_that_is_refused_for_the_revision_it_lists_is_a_contradiction() -> None:
    """C-LC-04: offering it again would end the same way."""
    failure, session = await failure_of(
        Dialogue(
            says(DISCOVER),
            hears_error(UNKNOWN, "no"),
            says("initialize"),
            hears_error(INVALID, "no", supported(NEWEST_STATEFUL.date)),
        )
    )

    assert f"refuses revision {NEWEST_STATEFUL}" in failure.reason
    assert session.steps[-1].hint == failure.hint


async def test_a_revision_with_a_handshake_that_is_set_for_a_server_without_one_is_named() -> None:
    """C-VER-19."""
    failure, _ = await failure_of(
        Dialogue(says("initialize"), hears_error(UNKNOWN, "no")), V2024_11_05.date
    )

    assert "Automatic" in failure.hint
    assert "--revision" in for_cli(failure.hint)


async def test_a_result_of_discovery_without_revisions_is_no_missing_method() -> None:
    """L-DSC-02."""
    failure, _ = await failure_of(
        Dialogue(says(DISCOVER), hears_result({}), says("initialize"), hears_error(UNKNOWN, "no"))
    )

    assert "no list of `supportedVersions`" in failure.reason
    assert "`supportedVersions`" in failure.hint


@pytest.mark.parametrize("code", [INVALID, -32603, -32600])
async def test_a_refused_handshake_always_says_what_to_do(code: int) -> None:
    """Ours: also where the specification has no word for it."""
    failure, session = await failure_of(
        Dialogue(
            says(DISCOVER), hears_error(UNKNOWN, "no"), says("initialize"), hears_error(code, "no")
        )
    )

    assert failure.hint
    assert session.steps[-1].hint == failure.hint
