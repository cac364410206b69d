"""The list of failures that are known, and how it is kept from rotting."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.expected import Comparison, compare, read
from tests.conformance.judging import Check, Evidence, Outcome, judge
from tests.conformance.plan import Run, Scenario, Side, runs

CLIENT = Scenario(Side.CLIENT, "tools_call", ("A", "B"))
AUTH = Scenario(Side.CLIENT, "auth/dpop", ("extension",))
SERVER = Scenario(Side.SERVER, "tools-list", ("A", "B"))
EVERY_RUN = runs([CLIENT, AUTH, SERVER])


def outcome(scenario: Scenario, wire: str, status: str) -> Outcome:
    return judge(Run(scenario, wire), Evidence(0, "", (Check("x", status, ""),)))


def compared(text: str, *outcomes: Outcome) -> Comparison:
    return compare(outcomes, read(text), EVERY_RUN)


def test_an_entry_has_a_side_a_pattern_perhaps_a_revision_and_a_reason() -> None:
    """Ours."""
    text = "# why\n\nclient:\nauth/*   # not yet\nserver:\ntools-list@A  # old\nping:x  # part\n"

    assert [(each.side, str(each), each.reason) for each in read(text)] == [
        (Side.CLIENT, "auth/*", "not yet"),
        (Side.SERVER, "tools-list@A", "old"),
        (Side.SERVER, "ping:x", "part"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "client:\ntools_call",
        "client:\ntools_call #",
        "tools_call # of no side",
        "somebody:\ntools_call # why",
        "client:\ntwo words # why",
    ],
)
def test_a_line_that_is_no_entry_with_a_reason_is_refused(text: str) -> None:
    """Ours."""
    with pytest.raises(ValueError, match="names no expected failure"):
        read(text)


def test_a_failure_that_nobody_expected_does_not_hold() -> None:
    """Ours."""
    failed = outcome(CLIENT, "B", "FAILURE")

    assert compared("", failed).unexpected == (failed,)
    assert not compared("", failed).holds
    assert not compared("client:\ntools_call@A # why", failed).holds
    assert not compared("server:\ntools* # why", failed).holds


@pytest.mark.parametrize("line", ["tools_call", "tools_call@B", "tools*"])
def test_a_failure_that_is_listed_holds(line: str) -> None:
    """Ours."""
    failed = outcome(CLIENT, "B", "FAILURE")
    found = compared(f"client:\n{line} # why", failed)

    assert found.excused == (failed,)
    assert found.holds


def two_checks(first: str, second: str, status: int = 0) -> Outcome:
    checks = (Check("x", first, ""), Check("y", second, ""))
    return judge(Run(CLIENT, "B"), Evidence(status, "", checks))


def test_an_entry_of_one_check_excuses_no_other() -> None:
    """Ours: a run is excused when entries speak of all that is wrong with it."""
    text = "client:\ntools_call@B:x # why"

    assert compared(text, two_checks("FAILURE", "SUCCESS")).holds
    assert not compared(text, two_checks("FAILURE", "FAILURE")).holds
    assert compared(text + "\ntools_call:y # too", two_checks("FAILURE", "FAILURE")).holds


def test_an_entry_of_one_check_does_not_excuse_a_bad_end() -> None:
    """Ours."""
    stopped = judge(Run(CLIENT, "B"), Evidence(None, "", (Check("x", "FAILURE", ""),)))

    assert compared("client:\ntools_call:x # why", stopped).unexpected == (stopped,)


def test_an_entry_of_one_check_does_not_hold_once_that_passes() -> None:
    """Ours: even where the run still fails for another reason."""
    found = compared("client:\ntools_call:x # why", two_checks("SUCCESS", "SUCCESS"))

    assert [str(entry) for entry, _ in found.stale] == ["tools_call:x"]
    both = "client:\ntools_call:x # why\ntools_call:y # why"
    assert not compared(both, two_checks("SUCCESS", "FAILURE")).holds


def test_an_entry_does_not_hold_once_anything_that_it_names_passes() -> None:
    """Ours."""
    failed, passed = outcome(CLIENT, "A", "FAILURE"), outcome(CLIENT, "B", "SUCCESS")
    found = compared("client:\ntools_call # why", failed, passed)

    assert [(str(entry), each) for entry, each in found.stale] == [("tools_call", passed)]
    assert not found.holds


def test_an_entry_that_names_nothing_does_not_hold() -> None:
    """Ours: a misspelt entry, or a scenario that a newer suite no longer has."""
    found = compared("client:\ntools_cal # why")

    assert [str(entry) for entry in found.idle] == ["tools_cal"]
    assert not found.holds


def test_an_entry_of_a_run_that_was_not_chosen_this_time_holds() -> None:
    """Ours."""
    assert compared("client:\nauth/* # why", outcome(CLIENT, "A", "SUCCESS")).holds


def test_the_list_that_is_kept_can_be_read() -> None:
    """Ours."""
    kept = Path(__file__).with_name("expected-failures.txt").read_text()

    assert all(entry.reason for entry in read(kept))
