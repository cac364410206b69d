"""Which revision the frames of a later session are checked by; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.checks.later_sessions import LaterSessions
from inspector.checks.opened_recording import detect_revision
from inspector.spec.keys import META, META_PROTOCOL_VERSION
from inspector.spec.revision import V2025_06_18, V2025_11_25, V2026_07_28, Revision
from tests.support.talk import Talk

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import JsonObject


def stamped(talk: Talk, id_: int, method: str) -> None:
    meta: JsonObject = {META_PROTOCOL_VERSION: V2026_07_28.date}
    talk.sent({"jsonrpc": "2.0", "id": id_, "method": method, "params": {META: meta}})


def renew(talk: Talk) -> None:
    talk.note("session-renewed", "session expired")


def discover(talk: Talk) -> None:
    stamped(talk, 8, "server/discover")
    talk.result(8, supportedVersions=[V2026_07_28.date])


def use(talk: Talk) -> None:
    stamped(talk, 7, "tools/list")


def replace(talk: Talk) -> None:
    talk.note("server-replaced", "another server responds at this address")


def initialize(talk: Talk) -> None:
    talk.request(9, "initialize", protocolVersion=V2025_11_25.date)
    talk.result(9, protocolVersion=V2025_11_25.date)


def initialized(talk: Talk) -> None:
    talk.sent({"jsonrpc": "2.0", "method": "notifications/initialized"})


@pytest.mark.parametrize(
    ("first", "steps", "revision"),
    [
        (V2025_06_18, (initialize, initialized), None),
        (V2025_06_18, (discover,), None),
        (V2025_06_18, (renew, initialize), None),
        (V2025_06_18, (renew, initialize, initialized), V2025_11_25),
        (V2025_06_18, (renew, discover), V2026_07_28),
        (V2025_06_18, (renew, discover, initialize, initialized), V2025_11_25),
        (V2025_06_18, (renew, discover, use, initialize, initialized), V2026_07_28),
        (V2025_06_18, (initialize, renew, initialized), None),
        (V2026_07_28, (initialize,), None),
        (V2026_07_28, (initialize, initialized), None),
        (V2026_07_28, (initialize, initialized, replace), V2025_11_25),
        (V2026_07_28, (initialize, initialized, discover, replace), None),
        (V2026_07_28, (initialized,), None),
        (None, (initialize, initialized, replace), None),
    ],
)
def test_a_later_session_has_the_revision_of_its_handshake(
    first: Revision | None,
    steps: tuple[Callable[[Talk], None], ...],
    revision: Revision | None,
) -> None:
    """A handshake that a probe makes, or a user, begins no session; nor does one that is not completed."""
    talk = Talk()
    for step in steps:
        step(talk)
    later = LaterSessions(talk.transcript)
    for number in range(1, talk.transcript.count + 1):
        later.follow(number, first)

    assert later.revision is revision


def test_a_recording_begins_with_its_first_session() -> None:
    """A server with a handshake may have replaced a stateless one."""
    talk = Talk()
    stamped(talk, 1, "tools/list")
    initialize(talk)

    assert detect_revision(talk.transcript) is V2026_07_28
