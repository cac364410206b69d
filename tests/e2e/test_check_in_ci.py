"""`spyglass-cli check` as a CI job runs it: an empty environment, a server with planted faults, and the documented exit codes; ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from inspector.cli.command import PROBLEMS, SUCCESS
from tests.servers.planted_faults import PLANTED
from tests.support.command_line import cli

if TYPE_CHECKING:
    from inspector.json_value import JsonObject

ROOT = Path(__file__).parents[2]
SERVER = ROOT / "tests" / "servers" / "planted_faults.py"


class Job:
    """What one run in an empty folder left."""

    def __init__(self, folder: Path) -> None:
        """Check the server with an environment that has nothing of this one."""
        self.recording, self.report = folder / "x.spyglass", folder / "report.json"
        line = ("check", "--json", "--output", str(self.report), "--record", str(self.recording))
        home = folder / "home"
        home.mkdir()
        self.done = subprocess.run(
            [sys.executable, "-m", "inspector", *line, "--", sys.executable, str(SERVER)],
            cwd=folder, env={"HOME": str(home), "PYTHONPATH": str(ROOT), "PATH": os.defpath},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=50, check=False,
        )  # fmt: skip
        self.left = sorted(each.name for each in folder.rglob("*") if each != home)
        self.findings: list[JsonObject] = json.loads(self.report.read_text())["findings"]

    def rules(self, *severities: str) -> set[str]:
        """Return the rules that found something of these severities; of any without one."""
        found = (each for each in self.findings if not severities or each["severity"] in severities)
        return {str(each["rule"]) for each in found}


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    """One run for all tests."""
    return Job(tmp_path_factory.mktemp("ci"))


def test_every_planted_fault_is_found_by_its_rule(job: Job) -> None:
    """Ours: in an empty environment, and nothing is left but what was asked for."""
    assert (job.done.returncode, job.done.stdout) == (PROBLEMS, "")
    assert PLANTED.keys() - job.rules() == set()
    assert job.left == ["report.json", "x.spyglass"]


@pytest.mark.parametrize("severity", ["error", "warning", "info"])
async def test_the_exit_code_follows_severity_family_and_baseline(
    job: Job, severity: str, tmp_path: Path
) -> None:
    """Ours: every planted finding alone is above its own severity; all of them in the baseline are none."""
    line = ("check", str(job.recording), "--severity", severity)
    found = await cli(*line)
    known = await cli(*line, "--baseline", str(job.report))
    report = json.loads(job.report.read_text())
    worst = [each for each in report["findings"] if each["severity"] == severity]
    report["findings"] = [each for each in report["findings"] if each != worst[0]]
    (tmp_path / "less.json").write_text(json.dumps(report))
    new = await cli(*line, "--baseline", str(tmp_path / "less.json"))
    other = await cli(*line, "--family", "SMP")

    assert (found.code, known.code, new.code, other.code) == (PROBLEMS, SUCCESS, PROBLEMS, SUCCESS)


async def test_a_family_decides_with_the_severity(job: Job) -> None:
    """Ours: of two faults in resources none is an error."""
    line = ("check", str(job.recording), "--family", "RES", "--severity")
    codes = [(await cli(*line, each)).code for each in ("error", "warning")]

    assert codes == [SUCCESS, PROBLEMS]


async def test_every_format_has_every_planted_fault(job: Job) -> None:
    """Ours: the recording of the run is enough."""
    written = {
        each: await cli("check", str(job.recording), "--format", each)
        for each in ("text", "json", "sarif", "junit", "markdown")
    }

    assert {each.code for each in written.values()} == {PROBLEMS}
    for text in (each.out for each in written.values()):
        assert [rule for rule in PLANTED if rule not in text] == []
    (run,) = json.loads(written["sarif"].out)["runs"]
    assert {each["ruleId"] for each in run["results"]} == job.rules()
    failed = ET.fromstring(written["junit"].out).findall("./testsuite/testcase/failure/..")
    assert {str(each.get("name")).split()[0] for each in failed} == job.rules("error", "warning")
