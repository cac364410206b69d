"""A server that calls itself not initialized after a complete handshake is shown that it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.errors import PeerError, for_cli
from inspector.session.error_responses import hint_of, initialize_hint
from inspector.spec.revision import REVISIONS
from tests.support.dialogue import Dialogue, greeted, hears_error, says, session_of

if TYPE_CHECKING:
    from inspector.json_value import JsonObject


@pytest.mark.parametrize(
    "message",
    [
        "Server not initialized",
        "Received request before initialization was complete",
        "session has not been initialised",
    ],
)
async def test_the_frames_of_the_handshake_are_named(message: str) -> None:
    """C-LC-06: the notification was sent; the server ignored it, or handles requests before it."""
    dialogue = Dialogue(*greeted(), says("tools/list"), hears_error(-32602, message))
    async with session_of(dialogue) as session:
        await session.connect()
        with pytest.raises(PeerError) as failure:
            await session.request("tools/list")

        assert "frame 2" in failure.value.hint
        assert "frame 3" in failure.value.hint


async def test_any_other_refusal_gets_no_such_hint() -> None:
    """Ours."""
    dialogue = Dialogue(*greeted(), says("tools/list"), hears_error(-32602, "bad cursor"))
    async with session_of(dialogue) as session:
        await session.connect()
        with pytest.raises(PeerError) as failure:
            await session.request("tools/list")

        assert not failure.value.hint


@pytest.mark.parametrize(
    ("message", "date"),
    [
        ("Unsupported protocol version (supported versions: 2024-11-05)", "2024-11-05"),
        ("2025-11-25 is not supported", ""),
        ("build 12024-11-05 failed", ""),
        ("unknown protocol version: see https://x.test/specification/2025-06-18/basic", ""),
        ("cannot open the backup of 2025-06-18", ""),
    ],
)
def test_a_refusal_of_initialize_that_names_other_revisions_leads_to_them(
    message: str, date: str
) -> None:
    """Ours: over stdio as over HTTP."""
    hint = initialize_hint(PeerError(-32000, message, None), [REVISIONS[-2]])

    assert for_cli(hint) == (
        f"Set --revision to one that the response of the server names: {date}." if date else ""
    )


@pytest.mark.parametrize(
    ("pinned", "second", "word"),
    [
        ("", "Unsupported protocol version: 2025-06-18", ""),
        ("", "Unsupported protocol version, supported: 2025-11-25, 2025-06-18", ""),
        ("", "Unsupported protocol version, supported: 2024-11-05", "names: 2024-11-05."),
        ("2025-11-25", "", "or leave it out"),
    ],
)
async def test_no_revision_is_named_that_was_refused_just_before(
    pinned: str, second: str, word: str
) -> None:
    """Ours: of the offers after which nothing else is tried, none is advised again."""
    first = hears_error(-32602, "Protocol version: use 2025-06-18", {"supported": ["2025-06-18"]})
    offers = [says("initialize"), first]
    if not pinned:
        discover = (says("server/discover"), hears_error(-32601, "no"))
        offers = [*discover, *offers, says("initialize"), hears_error(-32602, second)]
    async with session_of(Dialogue(*offers), revision=pinned) as session:
        with pytest.raises(PeerError) as failure:
            await session.connect()

        hint = for_cli(failure.value.hint)
        assert word in hint
        assert bool(word) or "2025" not in hint


@pytest.mark.parametrize(
    ("data", "at", "word"),
    [
        ({"supported": ["2025-06-18"]}, -1, "--revision"),
        *((None, -1, "Let the server list"), ({}, -1, "Let the"), (None, -2, "")),
    ],
)
def test_a_revision_can_be_selected_from_a_list_that_came_only(
    data: JsonObject, at: int, word: str
) -> None:
    """Ours: the code of the error requires the list; in older revisions it is one of the server itself."""
    hint = hint_of(PeerError(-32022, "Unsupported protocol version", data), REVISIONS[at])

    assert word in for_cli(hint)
    assert bool(word) or "list" not in hint
