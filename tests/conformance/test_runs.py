"""A few real runs of the suite, and the proof that it bites; all of them are in `make conformance`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.spec.revision import NEWEST_STATEFUL, V2025_03_26
from tests.conformance import server_runs
from tests.conformance.client_runs import CLIENT, ClientRuns
from tests.conformance.judging import Outcome, Verdict
from tests.conformance.plan import Side, runs

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conformance.suite import Suite


async def outcomes_of(
    suite: Suite, folder: Path, *names: str, client: Path = CLIENT
) -> list[Outcome]:
    scenarios = await suite.scenarios(Side.CLIENT, folder)
    chosen = runs(scenarios, only=names, wire=NEWEST_STATEFUL.date)
    outcomes: list[Outcome] = []
    await ClientRuns(suite, folder, client).run(chosen, outcomes.append)
    return outcomes


async def test_our_engine_passes_as_a_client(conformance_suite: Suite, tmp_path: Path) -> None:
    """The suite's `tools_call`, `elicitation-sep1034-client-defaults`."""
    names = ("tools_call", "elicitation-sep1034-client-defaults")
    outcomes = await outcomes_of(conformance_suite, tmp_path, *names)

    assert [(each.run.name, each.reason, each.problems) for each in outcomes] == [
        (name, "", ()) for name in names
    ]
    assert all(each.good for each in outcomes)


async def test_our_demo_server_passes(conformance_suite: Suite, tmp_path: Path) -> None:
    """The suite's `server-session-lifecycle`, alone at its revision."""
    scenarios = await conformance_suite.scenarios(Side.SERVER, tmp_path)
    outcomes: list[Outcome] = []
    chosen = runs(scenarios, wire=V2025_03_26.date)
    await server_runs.run(conformance_suite, chosen, tmp_path, outcomes.append)

    assert [(each.run.name, each.verdict) for each in outcomes] == [
        ("server-session-lifecycle", Verdict.PASSED)
    ]


async def test_our_demo_server_makes_tasks_as_the_extension_wants(
    conformance_suite: Suite, tmp_path: Path
) -> None:
    """The suite's `tasks-required-task-error`, `tasks-mrtr-composition`: of an extension, each run alone."""
    scenarios = await conformance_suite.scenarios(Side.SERVER, tmp_path)
    names = ("tasks-required-task-error", "tasks-mrtr-composition")
    outcomes: list[Outcome] = []
    await server_runs.run(conformance_suite, runs(scenarios, only=names), tmp_path, outcomes.append)

    found = {each.run.label: {check.id for check in each.problems} for each in outcomes}
    assert found == {
        "tasks-required-task-error@extension": set(),
        "tasks-mrtr-composition@extension": {"wire-schema-valid"},  # as expected-failures.txt says
    }
    assert all(each.good and not each.reason for each in outcomes)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("exit 0", "nothing was checked"),
        ("kill -SEGV $$", "client exited with error (code 139)"),
    ],
)
async def test_a_client_that_does_nothing_or_dies_does_not_pass(
    conformance_suite: Suite, tmp_path: Path, script: str, reason: str
) -> None:
    """Ours: the suite itself lets the first one pass."""
    client = tmp_path / "client.sh"
    text = CLIENT.read_text().replace(
        '"$CONFORMANCE_PYTHON" -m tests.conformance.client "$@"', f"sh -c '{script}'"
    )
    client.write_text(text)
    client.chmod(0o755)

    (outcome,) = await outcomes_of(conformance_suite, tmp_path, "initialize", client=client)

    assert (outcome.verdict, outcome.reason) == (Verdict.FAILED, reason)
