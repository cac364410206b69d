"""How long the requests of a recording took, on the command line. Ours throughout."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from inspector.__main__ import main
from inspector.cli.command import SUCCESS, USAGE
from inspector.transcript.latency import EXACT
from inspector.transcript.transcript import Transcript
from tests.support.talk import Talk

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def recorded(path: Path, calls: int) -> str:
    """A recording of so many calls of one tool, each of a tenth of a second, every hundredth of a second; and a failed list."""

    async def write() -> None:
        talk = Talk()
        talk.transcript = Transcript.create(path, clock=talk.clock)
        for id_ in range(calls):
            talk.call(id_, "search")
            talk.wait(1 if id_ % 100 == 50 else 0.1)
            talk.text_result(id_, "fine")
        talk.request("l", "tools/list")
        talk.wait(0.5)
        talk.error("l", -32603, "no")
        await talk.transcript.aclose()

    asyncio.run(write())
    return str(path)


def test_each_method_and_tool_is_a_row_the_slowest_first(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Ours."""
    path = recorded(tmp_path / "a.spyglass", 100)

    assert main(["stats", path]) == SUCCESS
    lines = capfd.readouterr().out.splitlines()
    assert [line.split()[1:5] for line in lines[1:]] == [
        ["tools/list", "-", "1", "1"],
        ["tools/call", "search", "100", "0"],
    ]
    assert lines[2].split()[5:] == ["100.0", "ms", "100.0", "ms", "100.0", "ms", "1.00", "s"]


def test_programs_get_seconds_and_know_whether_they_are_exact(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Ours."""
    path = recorded(tmp_path / "a.spyglass", EXACT + 1)

    assert main(["stats", path, "--json"]) == SUCCESS
    search, lists = sorted(json.loads(capfd.readouterr().out), key=lambda row: row["method"])
    assert (search["name"], search["count"], search["exact"]) == ("search", EXACT + 1, False)
    assert abs(search["p50_s"] - 0.1) <= 0.001
    assert search["max_s"] == 1.0
    assert (lists["errors"], lists["exact"]) == (1, True)


def test_a_file_that_is_no_recording_is_refused(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Ours."""
    (tmp_path / "a.spyglass").write_text("text")

    assert main(["stats", str(tmp_path / "a.spyglass")]) == USAGE
    found = capfd.readouterr()
    assert not found.out
    assert "a.spyglass" in found.err
