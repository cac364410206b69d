"""Cases about the beginning of a conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.errors import NegotiationFailed, PeerError, TimedOut
from inspector.session.outgoing import Timeouts
from inspector.session.session_state import SessionState
from inspector.session.steps import StepState
from inspector.spec.revision import STATEFUL, V2024_11_05
from tests.support.corpus import connected, failure_of, playing, variants

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("variant", variants("lifecycle-01-version-unknown"))
async def test_a_version_nobody_knows_is_named_and_ends_the_connection(
    tmp_path: Path, variant: int
) -> None:
    """lifecycle-01-version-unknown."""
    async with playing("lifecycle-01-version-unknown", tmp_path, variant) as played:
        failure = await failure_of(played)

        version = ["2099-01-01", "1999-01-01", "latest", "20250618", "`protocolVersion` is missing"]
        assert isinstance(failure, NegotiationFailed)
        assert version[variant - 1] in failure.reason
        assert all(revision.date in failure.reason for revision in STATEFUL)
        assert played.session.state is SessionState.FAILED
        assert played.methods() == ["initialize"]


@pytest.mark.parametrize(
    ("variant", "declared", "odd"),
    [
        (1, [], True),
        (2, [], True),
        (3, ["prompts"], True),
        (4, ["tools"], True),
        (5, ["tools", "logging", "experimental"], True),
        (6, [], False),
    ],
)
async def test_capabilities_of_any_shape_are_read_for_what_was_meant(
    tmp_path: Path, variant: int, declared: list[str], odd: bool
) -> None:
    """lifecycle-03-capabilities-shapes."""
    async with connected("lifecycle-03-capabilities-shapes", tmp_path, variant) as played:
        greeting = played.session.greeting
        assert greeting is not None
        names = ["tools", "prompts", "resources", "logging", "experimental"]
        assert [name for name in names if played.session.declares(name)] == declared
        assert bool(greeting.server.notes) is odd
        assert ("tools/list" in played.methods()) is ("tools" in declared)


def test_every_shape_of_capabilities_is_looked_at() -> None:
    """lifecycle-03-capabilities-shapes."""
    assert len(variants("lifecycle-03-capabilities-shapes")) == 6


async def test_lists_that_were_not_declared_are_not_asked_for(tmp_path: Path) -> None:
    """lifecycle-05-undeclared-lists."""
    async with connected("lifecycle-05-undeclared-lists", tmp_path) as played:
        assert played.names() == ["a"]
        assert played.methods() == ["initialize", "notifications/initialized", "tools/list"]
        with pytest.raises(PeerError, match="Method not found"):
            await played.session.request("prompts/list")


async def test_huge_instructions_are_kept_to_the_last_character(tmp_path: Path) -> None:
    """lifecycle-06-instructions-huge."""
    async with connected("lifecycle-06-instructions-huge", tmp_path) as played:
        assert played.session.greeting is not None
        instructions = played.session.greeting.server.instructions
        assert instructions == "# Title\n- do *this*\u0007 and <b>that</b>\n" * 8000


async def test_an_error_that_names_a_revision_is_answered_by_asking_for_that_one(
    tmp_path: Path,
) -> None:
    """lifecycle-07-initialize-error, variant 1: the offer to try again is taken on a fresh connection."""
    async with playing("lifecycle-07-initialize-error", tmp_path, 1) as played:
        failure = await failure_of(played)

        assert isinstance(failure, PeerError)
        assert failure.code == -32602
        asked = [message["params"] for message in played.received()]
        assert [str(params).count(V2024_11_05.date) for params in asked] == [0, 1]
        assert played.methods() == ["initialize"] * 2


@pytest.mark.parametrize(
    ("variant", "code", "text"), [(2, -32601, "unknown method"), (3, -32603, "trace")]
)
async def test_an_error_to_initialize_is_told_whole(
    tmp_path: Path, variant: int, code: int, text: str
) -> None:
    """lifecycle-07-initialize-error."""
    async with playing("lifecycle-07-initialize-error", tmp_path, variant) as played:
        failure = await failure_of(played)

        assert isinstance(failure, PeerError)
        assert failure.code == code
        step = played.session.steps[-1]
        assert step.state is StepState.FAILED
        assert text in f"{step.status_text} {step.detail}"
        assert played.methods() == ["initialize"]


@pytest.mark.parametrize("variant", [1, 2, 4])
async def test_logging_is_left_alone_until_somebody_asks(tmp_path: Path, variant: int) -> None:
    """lifecycle-12-logging-gate; variant 3 is about an HTTP status."""
    async with connected("lifecycle-12-logging-gate", tmp_path, variant) as played:
        assert played.session.state is SessionState.READY
        assert "logging/setLevel" not in played.methods()
        assert played.session.declares("logging") is (variant != 1)
        assert all(step.state is StepState.DONE for step in played.session.steps)

        with pytest.raises((PeerError, TimedOut)):
            await played.session.request(
                "logging/setLevel", {"level": "info"}, timeouts=Timeouts(0.2)
            )
        assert played.session.state is SessionState.READY
