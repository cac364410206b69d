"""The file of `--output`: never half written; ours."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from asyncio.subprocess import DEVNULL, create_subprocess_exec
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inspector.__main__ import main
from inspector.cli.command import NO_OUTPUT, NOT_CONNECTED, SUCCESS
from inspector.cli.console import OutputError
from inspector.cli.output_file import redirected
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).parents[3]
DEMO = ("--", sys.executable, "-m", "inspector.demo")
OLD = "what was there before"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that exists, in a folder of its own."""
    made = tmp_path / "out" / "result.json"
    made.parent.mkdir()
    made.write_text(OLD)
    made.chmod(0o640)
    return made


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        (SUCCESS, "new", "new"),
        (SUCCESS, "", ""),
        (NOT_CONNECTED, "an error as JSON", "an error as JSON"),
        (NOT_CONNECTED, "", OLD),
        (128 + signal.SIGINT, "half of", OLD),
    ],
)
def test_the_old_file_stays_until_the_new_one_is_whole(
    file: Path, code: int, text: str, expected: str
) -> None:
    """Ours: and what became of it is told."""
    with redirected(file) as output:
        assert output is not None
        output.out.write(text)
        assert file.read_text() == OLD
        told = output.settle(code)

    assert file.read_text() == expected
    assert ("replaced" in told) is (expected != OLD)
    assert file.stat().st_mode & 0o777 == 0o640
    assert [*file.parent.iterdir()] == [file]


def test_an_error_leaves_the_old_file(file: Path) -> None:
    """Ours."""
    with suppress(ZeroDivisionError), redirected(file) as output:
        assert output is not None
        output.out.write("half of")
        output.settle(1 // 0)

    assert (file.read_text(), [*file.parent.iterdir()]) == (OLD, [file])


def test_a_link_stays_a_link_and_a_device_is_written(file: Path, tmp_path: Path) -> None:
    """Ours."""
    link = tmp_path / "link.json"
    link.symlink_to(file)
    with redirected(link) as output:
        assert output is not None
        output.out.write("new")
        output.settle(SUCCESS)
    with redirected(Path(os.devnull)) as output:
        assert output is not None
        output.out.write("x")
        assert output.settle(SUCCESS) == ""

    assert (link.is_symlink(), file.read_text()) == (True, "new")


def test_a_folder_that_is_missing_is_an_error_of_the_output(tmp_path: Path) -> None:
    """Ours."""
    with pytest.raises(OutputError), redirected(tmp_path / "none" / "x"):
        pass


def test_a_command_may_read_the_file_that_it_replaces(tmp_path: Path) -> None:
    """Ours: a baseline is renewed in place."""
    baseline = tmp_path / "baseline.json"
    line = ["check", "--family", "CAP", "--severity", "info", "--json", "--output", str(baseline)]
    before = main([*line, *DEMO])
    again = main([*line, "--baseline", str(baseline), *DEMO])

    assert (before, again) == (7, SUCCESS)
    assert '"known": true' in baseline.read_text()


async def test_notifications_are_in_the_file_while_they_arrive(tmp_path: Path) -> None:
    """Ours: for `tail -f`; what arrived until Ctrl+C stays."""
    file = tmp_path / "log.txt"
    listen = ("--quiet", "listen", "demo://notes", "--output", str(file), *DEMO)
    command = [sys.executable, "-m", "inspector", *listen]
    listening = await create_subprocess_exec(*command, cwd=ROOT, stderr=DEVNULL)
    await wait_until(lambda: file.exists() and file.stat().st_size)
    listening.send_signal(signal.SIGINT)

    assert await listening.wait() == 128 + signal.SIGINT
    assert file.read_text().endswith("\n")


@pytest.mark.parametrize("line", [("tools",), ("shell",)])
def test_a_file_that_cannot_be_made_has_its_exit_code(tmp_path: Path, line: Sequence[str]) -> None:
    """Ours."""
    missing = tmp_path / "none" / "x"
    assert main([*line, "--output", str(missing), *DEMO]) == NO_OUTPUT


def test_a_link_that_leads_to_itself_is_a_file_that_cannot_be_made(tmp_path: Path) -> None:
    """Ours."""
    link = tmp_path / "x"
    link.symlink_to(link)
    assert main(["rules", "L-JR-23", "--output", str(link)]) == NO_OUTPUT


@pytest.mark.skipif(not hasattr(os, "seteuid"), reason="users as POSIX has them")
def test_a_file_that_is_protected_stays_as_it_is() -> None:
    """Ours: also in a folder where it could be replaced; nor is a folder without access an exception."""
    before = os.geteuid()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        folder.chmod(0o777)
        hidden, file = folder / "hidden", folder / "x"
        hidden.mkdir(mode=0o700 if before == 0 else 0)
        file.write_text(OLD)
        if before == 0:
            os.seteuid(65_534)
        else:
            file.chmod(0o444)
        try:
            for path in (file, hidden / "x"):
                with pytest.raises(OutputError), redirected(path):
                    pass
        finally:
            os.seteuid(before)
            hidden.chmod(0o700)
        assert file.read_text() == OLD
