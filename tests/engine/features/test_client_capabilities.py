"""What we declare."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.errors import PeerError
from inspector.features.client_capabilities import (
    CapabilityFlags,
    ClientCapabilities,
    declared,
    is_sent,
    missing_flags,
)
from inspector.finding import Severity
from inspector.spec.capabilities import problems
from inspector.spec.method import Side
from inspector.spec.revision import (
    NEWEST,
    NEWEST_STATEFUL,
    STATEFUL,
    V2024_11_05,
    V2025_06_18,
    V2025_11_25,
    Revision,
)
from tests.support.asked import asker

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

TASK_REQUESTS: JsonObject = {"sampling": {"createMessage": {}}, "elicitation": {"create": {}}}


@pytest.mark.parametrize("revision", STATEFUL, ids=str)
def test_what_is_declared_is_known_to_the_revision(revision: Revision) -> None:
    """C-LC-13."""
    everything = CapabilityFlags(sampling_context=True)

    found = problems(declared(everything, revision), Side.CLIENT, revision)

    assert [each for each in found if each.severity is not Severity.INFO] == []


def test_each_revision_is_told_what_it_knows() -> None:
    """C-SMP-01, C-SMP-13, C-ELI-01, C-ROOT-01, C-TK4-14."""
    assert declared(CapabilityFlags(), V2024_11_05) == {
        "roots": {"listChanged": True},
        "sampling": {},
    }
    assert declared(CapabilityFlags(), V2025_06_18)["elicitation"] == {}
    assert declared(CapabilityFlags(), V2025_11_25) == {
        "roots": {"listChanged": True},
        "sampling": {"tools": {}},
        "elicitation": {"form": {}, "url": {}},
        "tasks": {"list": {}, "cancel": {}, "requests": TASK_REQUESTS},
    }
    off = CapabilityFlags(sampling=False, elicitation=False, elicitation_url=False, roots=False)
    assert declared(off, V2025_11_25) == {}


async def test_it_is_sent_with_the_first_message() -> None:
    """C-LC-13."""
    async with asker() as asking:
        params = asking.server.received[0]["params"]

        assert isinstance(params, dict)
        assert params["capabilities"] == declared(CapabilityFlags(), V2025_11_25)


def test_free_json_takes_the_place_of_the_switches_while_it_is_an_object() -> None:
    """Ours: for trying how a server takes it."""
    chosen = ClientCapabilities()
    chosen.set_override('{"sampling":null,"x":1.50}')
    assert list(chosen.enabled(V2025_11_25)) == ["sampling", "x"]
    for text in ("{", "[]", "5"):
        chosen.set_override(text)
        assert chosen.problem
        assert chosen.enabled(V2025_11_25) == declared(CapabilityFlags(), V2025_11_25)


def test_the_choice_is_kept() -> None:
    """Ours."""
    kept: list[Json] = []
    chosen = ClientCapabilities(save=kept.append)
    chosen.switch("roots", on=False)
    chosen.set_override("{}")
    again = ClientCapabilities(kept[-1])

    assert (again.switches, again.override) == (CapabilityFlags(roots=False), "{}")
    assert ClientCapabilities({"roots": "no", "override": 5}).switches == CapabilityFlags()


def test_an_error_says_which_switches_are_lacking() -> None:
    """Ours; source: error -32021: what is declared already is not among them, nor what there is no switch for."""
    required: JsonObject = {"sampling": {"tools": {}}, "roots": {}, "x": {"y": {}}}
    error = PeerError(-32021, "no", {"requiredCapabilities": required})
    assert missing_flags(error, {"roots": {}}) == ("sampling", "sampling_tools")
    extension: JsonObject = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
    assert missing_flags(PeerError(-32021, "no", {"requiredCapabilities": extension}), {}) == (
        "tasks_extension",
    )
    odds: list[Json] = [None, [], {"requiredCapabilities": 3}]
    for odd in odds:
        assert missing_flags(PeerError(-32021, "no", odd), {}) == ()
    assert missing_flags(PeerError(-32602, "no", {"requiredCapabilities": required}), {}) == ()


def test_a_switch_says_whether_a_revision_sends_it() -> None:
    """Ours."""
    assert not is_sent("tasks", NEWEST)
    assert is_sent("tasks", NEWEST_STATEFUL)
    assert is_sent("tasks_extension", NEWEST)
    assert not is_sent("tasks_extension", NEWEST_STATEFUL)
