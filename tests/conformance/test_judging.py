"""What a run comes to: stricter than the suite where the suite is blind."""

from __future__ import annotations

import json

import pytest

from tests.conformance.judging import Check, Evidence, Verdict, judge, read_checks
from tests.conformance.plan import Run, Scenario, Side

GOOD = Check("a", "SUCCESS", "")
BAD = Check("b", "FAILURE", "it was not")
WARNED = Check("c", "WARNING", "it should")
SKIPPED = Check("d", "SKIPPED", "")
TOLD = Check("incoming-request", "INFO", "")


def run(name: str = "tools_call") -> Run:
    return Run(Scenario(Side.CLIENT, name, ("R",)), "R")


def test_a_run_whose_every_check_is_good_passes() -> None:
    """Ours."""
    outcome = judge(run(), Evidence(0, "", (GOOD, SKIPPED, GOOD)), 1.5)

    assert (outcome.verdict, outcome.reason, outcome.good) == (Verdict.PASSED, "", 2)
    assert outcome.seconds == 1.5


@pytest.mark.parametrize(
    ("evidence", "reason"),
    [
        (Evidence(1, "", (GOOD, BAD)), ""),
        (Evidence(0, "", (GOOD, WARNED)), ""),
        (Evidence(0, "", ()), "nothing was checked"),
        (Evidence(0, "", (SKIPPED, TOLD)), "nothing was checked"),
        (Evidence(None, "", (GOOD,)), "no end in time, stopped"),
        (Evidence(1, "CLIENT TIMED OUT", (GOOD,)), "client timed out"),
        (
            Evidence(1, "⚠️  CLIENT EXITED WITH ERROR (code 139)", (GOOD, BAD)),
            "client exited with error (code 139)",
        ),
        (Evidence(1, "", (GOOD,)), "the suite ended with 1"),
        (
            Evidence(1, "So:\nTypeError: no\n"),
            "the suite left no result: status 1",
        ),
        (
            Evidence(1, "So:\n  an Error: no\n"),
            "the suite left no result: an Error: no",
        ),
    ],
)
def test_a_run_fails_for_a_reason(evidence: Evidence, reason: str) -> None:
    """Ours: the suite itself lets a client pass that did nothing, was stopped or ended with an error."""
    outcome = judge(run(), evidence)

    assert (outcome.verdict, outcome.reason) == (Verdict.FAILED, reason)


def test_an_authorization_in_which_nobody_asked_for_anything_has_not_passed() -> None:
    """Ours: one of them is good for a client that does nothing."""
    idle = judge(run("auth/resource-mismatch"), Evidence(0, "", (GOOD,)))
    busy = judge(run("auth/resource-mismatch"), Evidence(0, "", (GOOD, TOLD)))

    assert idle.reason == "nothing was checked: the client sent no request"
    assert busy.verdict is Verdict.PASSED


def test_the_last_words_of_a_client_are_told_where_it_came_to_no_good_end() -> None:
    """Ours."""
    crashed = Evidence(1, "CLIENT EXITED WITH ERROR (code 1)", (GOOD, BAD), "Traceback …")
    wrong = Evidence(1, "", (GOOD, BAD), "a remark")

    assert judge(run(), crashed).last_words == "Traceback …"
    assert judge(run(), wrong).last_words == ""


def test_checks_are_read_as_they_are_written_down() -> None:
    """Ours."""
    text = json.dumps(
        [
            {"id": "a", "status": "SUCCESS", "description": "It holds"},
            {"id": "b", "status": "FAILURE", "description": "It holds", "errorMessage": "It fell"},
            {"status": "INFO"},
        ]
    )

    assert read_checks(text) == (
        Check("a", "SUCCESS", "It holds"),
        Check("b", "FAILURE", "It fell"),
        Check("?", "INFO", ""),
    )


@pytest.mark.parametrize("text", ["", "{", "{}", "null"])
def test_what_is_no_list_of_checks_is_no_result(text: str) -> None:
    """Ours."""
    assert read_checks(text) is None
