"""How a server differs between two recordings, on the command line. Ours throughout."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from inspector.__main__ import main
from inspector.cli.command import PROBLEMS, SUCCESS, USAGE
from inspector.spec.revision import NEWEST_STATEFUL
from inspector.transcript.transcript import Transcript
from tests.support.answering import tool
from tests.support.talk import Talk

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from inspector.json_value import Json


def recorded(path: Path, version: str, *tools: Json) -> str:
    """A recording of a handshake and a list of tools, in two pages."""

    async def write() -> None:
        talk = Talk()
        talk.transcript = Transcript.create(path, clock=talk.clock)
        talk.request(0, "initialize", protocolVersion=NEWEST_STATEFUL.date)
        talk.result(
            0,
            protocolVersion=NEWEST_STATEFUL.date,
            capabilities={"tools": {}},
            serverInfo={"name": "orders", "version": version},
        )
        talk.request(1, "tools/list")
        talk.result(1, tools=list(tools[:1]), nextCursor="n")
        talk.request(2, "tools/list", cursor="n")
        talk.result(2, tools=list(tools[1:]))
        await talk.transcript.aclose()

    asyncio.run(write())
    return str(path)


def both(folder: Path) -> list[str]:
    old = recorded(folder / "a.spyglass", "1.0.0", tool("find", description="Finds."), tool("drop"))
    new = recorded(
        folder / "b.spyglass", "1.0.1", tool("find", description="Seeks."), tool("refund")
    )
    return [old, new]


def test_two_recordings_are_compared(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Ours: a line for each difference, and an exit code on request."""
    files = both(tmp_path)

    assert main(["diff", *files]) == SUCCESS
    assert capfd.readouterr().out.splitlines() == [
        "~ version 1.0.0 -> 1.0.1",
        "+ tool refund",
        "- tool drop",
        "~ tool find (description)",
        "    ~ description",
    ]
    assert main(["diff", "--strict", *files]) == PROBLEMS
    assert main(["diff", "--strict", files[0], files[0]]) == SUCCESS


def test_programs_get_the_difference_as_json(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Ours."""
    assert main(["diff", "--json", *both(tmp_path)]) == SUCCESS

    found = json.loads(capfd.readouterr().out)
    assert found["version"] == {"before": "1.0.0", "after": "1.0.1"}
    assert found["lists"]["tools"]["added"] == ["refund"]
    assert found["lists"]["tools"]["changed"] == [
        {
            "name": "find",
            "aspects": ["description"],
            "changes": [{"change": "changed", "path": "description"}],
        }
    ]


def test_a_file_that_is_no_recording_is_an_error(tmp_path: Path) -> None:
    """Ours."""
    other = tmp_path / "c.spyglass"
    other.write_text("no recording")

    assert main(["diff", both(tmp_path)[0], str(other)]) == USAGE
