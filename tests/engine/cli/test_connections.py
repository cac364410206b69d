"""Named connections: one session for many command lines, in processes of their own; ours."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from inspector.__main__ import main
from inspector.cli import connection_files
from inspector.cli.command import (
    ERROR_RESPONSE,
    INTERRUPTED,
    NOT_CONNECTED,
    SUCCESS,
    TOOL_ERROR,
    USAGE,
)
from inspector.cli.connection_client import facts
from inspector.cli.connection_files import claimed, files_of, is_own
from inspector.errors import StorageError
from tests.support.command_line import Printed
from tests.support.programs import lives
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., Printed]

ROOT = Path(__file__).parents[3]
CLI = (sys.executable, "-m", "inspector")
DEMO = ("--", sys.executable, "-m", "inspector.demo", "--era", "stateful")

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sockets of one user")


@pytest.fixture
def run(
    connections_folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Runs a command line here; what `connect` starts is a process of its own."""
    monkeypatch.chdir(ROOT)

    def run(*arguments: str) -> Printed:
        code = main(arguments)
        out, err = capfd.readouterr()
        return Printed(code, out, err)

    return run


def until(condition: Callable[[], object]) -> None:
    """Wait until a process has done what it is about to do."""
    asyncio.run(wait_until(condition))


def test_many_command_lines_use_one_session(
    run: Run, connections_folder: Path, tmp_path: Path
) -> None:
    """Ours: with exit codes, both streams and files as without a connection; nobody else can open the socket."""
    record, image = tmp_path / "x.spyglass", tmp_path / "x.png"
    made = run("connect", "calc", "--quiet", "--json", "--record", str(record), *DEMO)
    process = json.loads(made.out)["process"]
    again = run("connect", "calc", *DEMO)
    modes = [
        (each.stat().st_mode & 0o777)
        for each in (connections_folder, connections_folder / "calc.sock")
    ]
    echo = run(
        "@calc", "call", "echo", "message=two words", "--meta", "x=1.50", "--meta", "y=1e400"
    )
    failed = run("@calc", "call", "fail_as_result", "--json")
    drawn = run("@calc", "call", "show_image", "--raw", "--output", str(image))
    wrong = run("@calc", "call")
    listed = run("connections", "--json")
    ended = run("disconnect", "calc")
    until(lambda: not lives(process))
    gone = run("@calc", "ping", "--json")
    stats = run("stats", str(record), "--json")
    sent = run("export", "raw", str(record)).out

    assert (made.code, json.loads(made.out)["server"]) == (SUCCESS, "Spyglass demo server")
    assert (again.code, wrong.code, ended.code) == (USAGE, USAGE, SUCCESS)
    assert modes == [0o700, 0o600]
    assert (echo.code, echo.out, "response in" in echo.err) == (SUCCESS, "two words\n", True)
    assert (failed.code, json.loads(failed.out)["state"]) == (TOOL_ERROR, "tool error")
    assert (drawn.code, image.read_bytes()[:4]) == (SUCCESS, b"\x89PNG")
    assert [each["name"] for each in json.loads(listed.out)["connections"]] == ["calc"]
    assert (gone.code, "calc" in json.loads(gone.out)["error"]["reason"]) == (NOT_CONNECTED, True)
    assert '"x":1.50,"y":1e400' in sent  # as it is spelled
    counts = {each["method"]: each["count"] for each in json.loads(stats.out)}
    assert counts["initialize"] == 1
    assert [each.name for each in connections_folder.iterdir()] == ["calc.lock"]


def test_ctrl_c_cancels_a_command_and_leaves_the_connection(run: Run) -> None:
    """Ours: another command runs beside it, and after it."""
    made = json.loads(run("connect", "c", "--quiet", "--json", *DEMO).out)
    line = (*CLI, "@c", "call", "fault_never_answer")
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as never:
        until(lambda: facts(files_of("c"))["running"] == ["call"])
        beside = run("@c", "ping")
        never.send_signal(signal.SIGINT)
    after = run("@c", "call", "echo", "message=alive")
    run("disconnect", "--all")
    until(lambda: not lives(made["process"]))

    assert (beside.code, never.returncode) == (SUCCESS, INTERRUPTED)
    assert (after.code, after.out) == (SUCCESS, "alive\n")


def test_why_a_connection_ended_is_told_to_the_next_command(
    run: Run, connections_folder: Path
) -> None:
    """Ours: the server exited, nobody used it, its process was killed, and it was never made."""
    lost = run("connect", "lost", "--quiet", *DEMO)
    exited = run("@lost", "call", "fault_crash")
    run("connect", "idle", "--quiet", "--idle", "0.01", *DEMO)
    killed = json.loads(run("connect", "killed", "--quiet", "--json", *DEMO).out)
    os.kill(killed["process"], signal.SIGKILL)
    until(
        lambda: (
            (connections_folder / "idle.ended").exists()
            and (connections_folder / "lost.ended").exists()
        )
    )
    until(lambda: not lives(killed["process"]))
    told = [run(f"@{name}", "ping") for name in ("lost", "idle", "killed", "none")]
    listed = json.loads(run("connections", "--json").out)["connections"]
    forgotten = run("disconnect", "--all")
    empty = run("connections")

    assert (lost.code, exited.code) == (SUCCESS, ERROR_RESPONSE)
    assert {each.code for each in told} == {NOT_CONNECTED}
    reasons = ("exited", "idle for", "process was ended", "no connection")
    for each, reason in zip(told, reasons, strict=True):
        assert reason in each.err
    assert [each["name"] for each in listed if "ended" in each] == ["idle", "killed", "lost"]
    assert (forgotten.code, empty.out) == (SUCCESS, "")


def test_a_connection_that_cannot_be_made_has_its_exit_code(
    run: Run, connections_folder: Path
) -> None:
    """Ours: and leaves nothing that is listed."""
    failed = run("connect", "x", "--", "no-such-program-of-spyglass")

    assert (failed.code, "not on PATH" in failed.err) == (NOT_CONNECTED, True)
    assert [each.name for each in connections_folder.iterdir()] == ["x.lock"]


def test_the_process_of_a_connection_shows_no_secret_and_runs_nothing_of_its_folder(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-SEC-17: every user can read its arguments, and it may be made in a folder that somebody else wrote."""
    for name in ("platformdirs", "inspector", "json"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    server = (*DEMO[:2], "-P", *DEMO[2:])
    made = run("connect", "c", "--quiet", "--json", "--env", "API_TOKEN=s3cr3t-value", *server)
    shown = subprocess.run(("ps", "axww", "-o", "args"), capture_output=True, text=True).stdout
    echo = run("@c", "call", "echo", "message=a")
    run("disconnect", "c")

    assert (made.code, echo.code) == (SUCCESS, SUCCESS)
    assert "@c" in shown
    assert "s3cr3t-value" not in shown


def test_a_connection_that_breaks_off_is_no_end_of_the_output(
    run: Run, connections_folder: Path
) -> None:
    """Ours: its process was killed in the middle of a command, which then fails; nothing it sent is read as a whole response."""
    files = files_of("x")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(files.socket))
        listener.listen()

        def break_off() -> None:
            channel, _ = listener.accept()
            channel.recv(1)  # what is unread makes it a reset
            channel.close()

        thread = threading.Thread(target=break_off)
        thread.start()
        printed = run("@x", "ping")
        thread.join()

    assert (printed.code, "has ended" in printed.err) == (NOT_CONNECTED, True)


def test_of_two_starts_at_once_one_wins(run: Run) -> None:
    """Ours: before a server is started; the name is free again as soon as it is disconnected."""
    line = (*CLI, "connect", "c", "--quiet", *DEMO)
    starts = [subprocess.Popen(line, stdout=subprocess.DEVNULL) for _ in range(2)]
    codes = sorted(each.wait(30) for each in starts)
    ended = run("disconnect", "c")
    again = run("connect", "c", "--quiet", *DEMO)
    run("disconnect", "c")

    assert codes == [SUCCESS, USAGE]
    assert (ended.code, again.code) == (SUCCESS, SUCCESS)


@pytest.mark.usefixtures("connections_folder")
def test_who_comes_second_does_not_wait_for_a_connection_that_stays() -> None:
    """Ours: only for one that is about to end."""
    files = files_of("x")
    with claimed(files, 0), pytest.raises(StorageError), claimed(files, 1e6):
        pass
    with claimed(files, 0):
        files.unclaim()
        assert not files.is_claimed


class MacSocket:
    """What macOS tells of the process at the other end of a socket."""

    def __init__(self, user: int, version: int = 0) -> None:
        self._credentials = struct.pack("IIh16I", version, user, 1, *range(16))

    def getsockopt(self, level: int, option: int, size: int) -> bytes:
        assert (level, option, size) == (0, 1, 76)
        return self._credentials


@pytest.mark.parametrize(
    ("user", "version", "own"),
    [(os.geteuid(), 0, True), (os.geteuid() + 1, 0, False), (os.geteuid(), 1, False)],
)
def test_a_process_of_another_user_is_told_apart_on_macos(
    user: int, version: int, *, own: bool
) -> None:
    """Ours: by LOCAL_PEERCRED."""
    channel = cast("socket.socket", MacSocket(user, version))

    assert is_own(channel, "darwin") is own


def test_a_folder_that_others_can_enter_is_not_used(connections_folder: Path) -> None:
    """Ours: nor a name that leads out of it."""
    files_of("x")
    for name in ("", "../x", ".x", "a/b", "x" * 41):
        with pytest.raises(StorageError):
            files_of(name)
    for each, mode in ((connections_folder, 0o755), (connections_folder.parent, 0o777)):
        before = each.stat().st_mode & 0o777
        each.chmod(mode)
        with pytest.raises(StorageError) as raised:
            files_of("x")
        each.chmod(before)
        assert "private" in raised.value.reason
    files_of("x")


def test_a_system_without_such_sockets_has_no_named_connections(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: as Windows has none; every command says so."""
    monkeypatch.setattr(connection_files, "HAS_SOCKETS", False)
    lines = [("connect", "c", *DEMO), ("connections",), ("disconnect", "c"), ("@c", "ping")]
    for line in lines:
        printed = run(*line)
        assert (printed.code, "no sockets" in printed.err) == (USAGE, True)
