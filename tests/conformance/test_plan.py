"""Which runs there are."""

from __future__ import annotations

from tests.conformance.plan import Scenario, Side, runs
from tests.conformance.suite import listed

TEXT = """\
Client scenarios (test against a client):
  - initialize [R3,R4]
  - auth/dpop [extension]

Authorization server scenarios (test against an authorization server):
  (none)
"""
INITIALIZE = Scenario(Side.CLIENT, "initialize", ("R3", "R4"))
DPOP = Scenario(Side.CLIENT, "auth/dpop", ("extension",))


def test_scenarios_are_read_from_what_the_suite_lists() -> None:
    """Ours."""
    assert listed(Side.CLIENT, TEXT) == (INITIALIZE, DPOP)


def test_a_scenario_is_run_at_every_revision_that_it_is_for() -> None:
    """Ours."""
    labels = [run.label for run in runs([INITIALIZE, DPOP])]

    assert labels == ["initialize@R3", "initialize@R4", "auth/dpop@extension"]


def test_runs_are_chosen_by_name_and_by_revision() -> None:
    """Ours."""
    by_name = runs([INITIALIZE, DPOP], only=["auth/*", "nothing"])
    by_wire = runs([INITIALIZE, DPOP], wire="R4")

    assert [run.label for run in by_name] == ["auth/dpop@extension"]
    assert [run.label for run in by_wire] == ["initialize@R4"]
