"""`spyglass-cli check`: reports of a server and of its recording, their formats, and exit codes for CI; ours."""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from inspector.checks.catalog import CATALOG
from inspector.cli.command import NOT_CONNECTED, PROBLEMS, SUCCESS, USAGE
from inspector.cli.command_line import read
from inspector.cli.commands import check as check_command
from inspector.wire import json_codec
from tests.support.command_line import cli

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.json_value import JsonObject

SERVER = ("--", sys.executable, "-m", "inspector.demo", "--odd-tools")


async def recorded(folder: Path) -> str:
    """Return a recording of a server with malformed tools, of which the lists were read."""
    file = folder / "session.spyglass"
    await cli("--quiet", "--record", str(file), "tools", *SERVER)
    return str(file)


def findings_of(text: str) -> list[JsonObject]:
    """Return the findings of a report in JSON."""
    value = json_codec.read(text.encode()).value
    assert isinstance(value, dict)
    found = value["findings"]
    assert isinstance(found, list)
    return [each for each in found if isinstance(each, dict)]


async def test_a_server_and_its_recording_have_findings_of_the_same_names(tmp_path: Path) -> None:
    """Ours: a baseline made of one session is for every other."""
    file = await recorded(tmp_path)
    live = await cli("check", "--json", "--family", "TOOL", *SERVER)
    stored = await cli("check", "--json", "--family", "tool", file)

    assert (live.code, stored.code) == (PROBLEMS, PROBLEMS)
    named = {str(each["fingerprint"]): each for each in findings_of(live.out)}
    assert named.keys() == {str(each["fingerprint"]) for each in findings_of(stored.out)}
    (duplicate, *_) = [each for each in named.values() if each["rule"] == "L-TOOL-04"]
    assert (duplicate["method"], bool(duplicate["item"])) == ("tools/list", True)


async def test_findings_of_a_baseline_do_no_harm_and_new_ones_do(tmp_path: Path) -> None:
    """Ours."""
    file, baseline = await recorded(tmp_path), tmp_path / "baseline.json"
    report = await cli("check", "--json", file)
    baseline.write_text(report.out)
    known = await cli("check", "--baseline", str(baseline), file)
    one_less = json.loads(report.out)
    one_less["findings"] = [each for each in one_less["findings"] if each["rule"] != "L-TOOL-04"]
    baseline.write_text(json.dumps(one_less))
    new = await cli("check", "--baseline", str(baseline), file)

    assert (known.code, "(known)" in known.out) == (SUCCESS, True)
    assert new.code == PROBLEMS


async def test_muted_rules_do_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours: the file is the one that the window writes; the usual one in this folder is read without an option."""
    file, muted = await recorded(tmp_path), tmp_path / ".spyglass.json"
    line = ("check", "--family", "CAP", "--severity", "info", "--json", file)
    before = await cli(*line)
    muted.write_text('{"mutedRules": {"L-CAP-12": "it is a demo"}}')
    named = await cli(*line, "--muted", str(muted))
    missing = await cli(*line, "--muted", str(tmp_path / "none.json"))
    monkeypatch.chdir(tmp_path)
    usual = await cli(*line)

    assert [each["rule"] for each in findings_of(before.out)] == ["L-CAP-12"]
    assert findings_of(named.out) == findings_of(usual.out) == []
    assert (before.code, named.code, usual.code) == (PROBLEMS, SUCCESS, SUCCESS)
    assert json.loads(named.out)["totals"]["muted"] == 1
    assert missing.code == USAGE


async def test_the_severity_decides_the_exit_code(tmp_path: Path) -> None:
    """Ours: findings below it are in the report all the same."""
    file = await recorded(tmp_path)
    assert (await cli("check", "--family", "MDL", "--severity", "error", file)).code == SUCCESS
    assert (await cli("check", "--family", "MDL", "--severity", "info", file)).code == PROBLEMS
    nothing = await cli("check", "--family", "SMP", file)
    assert (nothing.code, "0 errors, 0 warnings, 0 notes" in nothing.out) == (SUCCESS, True)


async def test_sarif_is_what_code_scanning_takes(tmp_path: Path) -> None:
    """Ours: every result has a file, a region, a fingerprint and a rule whose name is not its id."""
    file = await recorded(tmp_path)
    done = await cli("check", "--format", "sarif", "--source", "src\\server.py", file)
    (run,) = json.loads(done.out)["runs"]
    rules = run["tool"]["driver"]["rules"]

    assert [each["id"] for each in rules if each["id"] not in CATALOG] == []
    for rule in rules:
        assert rule["name"] != rule["id"]
        assert rule["helpUri"].startswith("https://")
        assert all(rule[key]["text"].endswith(".") for key in ("shortDescription", "help"))
    assert run["results"]
    for result in run["results"]:
        (location,) = result["locations"]
        physical = location["physicalLocation"]
        assert physical["artifactLocation"]["uri"] == "src/server.py"
        assert physical["region"]["startLine"] == 1
        assert location["logicalLocations"][0]["fullyQualifiedName"]
        assert result["partialFingerprints"]["spyglass/v1"]
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in {"error", "warning", "note"}


async def test_junit_has_a_test_for_every_rule_and_its_sums_agree(tmp_path: Path) -> None:
    """Ours: what saw nothing to check is skipped, never passed."""
    file = await recorded(tmp_path)
    done = await cli("check", "--format", "junit", file)
    root = ET.fromstring(done.out)
    cases = root.findall("./testsuite/testcase")

    assert int(root.get("tests", "")) == len(cases) >= len(CATALOG)
    assert int(root.get("failures", "")) == len(root.findall("./testsuite/testcase/failure")) > 0
    assert int(root.get("skipped", "")) == len(root.findall("./testsuite/testcase/skipped")) > 0
    assert {*CATALOG} <= {str(case.get("name")).split()[0] for case in cases}


async def test_markdown_cannot_be_broken_out_of_by_names_of_the_server(tmp_path: Path) -> None:
    """Ours: names and summaries are code."""
    file = await recorded(tmp_path)
    done = await cli("check", "--format", "markdown", file)
    items = [line for line in done.out.splitlines() if line.startswith("- ")]

    assert items
    assert all(line.startswith(("- `", "- and ")) for line in items)


@pytest.mark.parametrize(
    "line",
    [
        ("check",),
        ("check", "a.spyglass", *SERVER),
        ("check", "a.spyglass", "b.spyglass"),
        ("check", "--family", "NONE", *SERVER),
        ("check", "--json", "--format", "sarif", *SERVER),
        ("check", "--format", "pdf", *SERVER),
        ("check", "--probe-tools", *SERVER),
        ("check", "--probe", "a.spyglass"),
        ("check", "--probe-name", "no-such-probe", *SERVER),
        ("check", "--probe-name", "parallel-calls", *SERVER),
    ],
)
def test_a_check_that_means_nothing_starts_no_server(line: tuple[str, ...]) -> None:
    """Ours."""
    with pytest.raises(SystemExit) as ended:
        read(line)
    assert ended.value.code == USAGE


async def test_a_check_that_cannot_be_made_says_why(tmp_path: Path) -> None:
    """Ours."""
    (tmp_path / "baseline.json").write_text("{}")
    baseline = await cli("check", "--baseline", str(tmp_path / "baseline.json"), *SERVER)
    missing = await cli("check", str(tmp_path / "none.spyglass"))
    unreachable = await cli("check", "--", "no-such-command-xyz")

    assert (baseline.code, "no report in JSON" in baseline.err) == (USAGE, True)
    assert missing.code == USAGE
    assert unreachable.code == NOT_CONNECTED


async def test_a_check_that_ran_out_of_time_does_not_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: whatever the severity, and the report says so."""
    file = await recorded(tmp_path)
    monkeypatch.setattr(check_command, "FINISH_SECONDS", 0.0)
    cut = await cli("check", "--json", file)

    value = json_codec.read(cut.out.encode()).value
    assert isinstance(value, dict)
    assert isinstance(value["unchecked"], int)
    assert (cut.code, value["unchecked"] > 0) == (PROBLEMS, True)
    assert "not validated" in cut.err


async def test_probes_are_listed_before_and_run_only_when_asked_for() -> None:
    """Ours: no tool is called without another word."""
    plain = await cli("check", *SERVER)
    probed = await cli("check", "--probe", *SERVER)

    assert "spyglass_unknown_tool" not in plain.err
    lines = probed.err.splitlines()
    listed = next(at for at, line in enumerate(lines) if line.startswith("probe unknown-tool:"))
    passed = next(at for at, line in enumerate(lines) if line.startswith("passed: unknown-tool"))
    assert listed < passed
    assert any(line.startswith("could not be tried: tool-arguments") for line in lines)


async def test_probes_are_listed_without_a_server_and_chosen_by_name() -> None:
    """Ours: nothing but what was chosen is sent."""
    listed = await cli("check", "--list-probes", "--json")
    probed = await cli(
        "check", "--probe-name", "unknown-tool", "--probe-name", "bad-cursor", *SERVER
    )

    keys = [each["probe"] for each in json.loads(listed.out)]
    assert {"unknown-tool", "bad-cursor", "path-traversal"} <= {*keys}
    told = [line.split(": ")[0] for line in probed.err.splitlines() if line.startswith("probe ")]
    assert told == [f"probe {key}" for key in keys if key in {"unknown-tool", "bad-cursor"}]
    outcomes = ("passed", "failed", "not applicable", "could not be tried")
    told = [line.split(": ")[1] for line in probed.err.splitlines() if line.startswith(outcomes)]
    assert {*told} == {"unknown-tool", "bad-cursor"}
    assert "passed: unknown-tool" in probed.err


@pytest.mark.parametrize(
    "arguments", [("--", "python", "server.py"), ("a.spyglass",), ("--format", "sarif")]
)
async def test_a_list_of_probes_takes_neither_server_nor_recording_nor_another_format(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Ours: what is not looked at is not accepted."""
    with pytest.raises(SystemExit, match=str(USAGE)):
        await cli("check", "--list-probes", *arguments)

    assert "--list-probes takes no" in capsys.readouterr().err


async def test_probes_add_nothing_to_what_is_found_about_lists() -> None:
    """Ours: the lists are read once."""
    plain = await cli("check", "--json", "--family", "TOOL", *SERVER)
    probed = await cli("check", "--json", "--family", "TOOL", "--probe", *SERVER)

    sums = [
        Counter(each["rule"] for each in findings_of(run.out) if each["method"] == "tools/list")
        for run in (plain, probed)
    ]
    assert sums[0] == sums[1]


async def test_the_outcomes_of_probes_are_in_the_report_live_and_from_a_recording(
    tmp_path: Path,
) -> None:
    """Ours: a rule that a probe passed is not among those that saw nothing."""
    file = tmp_path / "probed.spyglass"
    live = await cli("check", "--json", "--probe", "--record", str(file), *SERVER)
    stored = await cli("check", "--json", str(file))

    for run in (live, stored):
        value = json_codec.read(run.out.encode()).value
        assert isinstance(value, dict)
        probes, rules = value["probes"], value["rules"]
        assert isinstance(probes, list)
        assert isinstance(rules, list)
        found = {each["probe"]: each["outcome"] for each in probes if isinstance(each, dict)}
        assert found["unknown-method"] == "passed"
        assert found["tool-arguments"] == "could not be tried"
        (method,) = [e for e in rules if isinstance(e, dict) and e["rule"] == "L-CAP-10"]
        assert method["outcome"] == "clean"


async def test_limits_of_other_clients_are_left_out(tmp_path: Path) -> None:
    """Ours: the report says for which clients it is; a name that is no client is an error of usage."""
    file = await recorded(tmp_path)
    every = await cli("check", "--json", file)
    one = await cli("check", "--json", "--client", "vscode", file)
    text = await cli("check", "--client", "vscode", file)

    found = [{str(each["rule"]) for each in findings_of(done.out)} for done in (every, one)]
    assert found[0] - found[1] >= {"L-MDL-03", "L-MDL-06"}
    assert "for VS Code" in text.out.splitlines()[0]
    assert json.loads(one.out)["clients"] == ["VS Code"]
    with pytest.raises(SystemExit, match=str(USAGE)):
        read(["check", "--client", "Emacs", file])
