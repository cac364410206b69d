"""Finding the program that a user named, and saying plainly why it cannot be started."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from inspector.errors import ConnectFailed
from inspector.transport.command import ProcessSpec, resolve
from inspector.transport.stdio import StdioTransport
from tests.support.programs import Ear


def failure_of(command: str, *args: str, cwd: str = "", **env: str) -> ConnectFailed:
    with pytest.raises(ConnectFailed) as failure:
        resolve(command, args, env, cwd)
    return failure.value


def test_a_command_that_is_nowhere_names_the_path_that_was_searched() -> None:
    """stdio-17, stdio-23."""
    failure = failure_of("no-such-cmd-xyz", PATH="/usr/bin:/bin")

    assert "no-such-cmd-xyz" in failure.reason
    assert "/usr/bin:/bin" in failure.reason
    assert failure.hint


def test_a_directory_is_named_as_one() -> None:
    """stdio-17: in backticks, or a word would be written with a capital at the start of a line."""
    assert "`/etc` is a directory" in failure_of("/etc").reason


def test_a_file_that_may_not_be_executed_is_named_as_one(tmp_path: Path) -> None:
    """stdio-17: EACCES in plain words."""
    (tmp_path / "not-executable.txt").write_text("text")

    failure = failure_of("./not-executable.txt", cwd=str(tmp_path))

    assert "not executable" in failure.reason
    assert "chmod +x" in failure.hint


@pytest.mark.parametrize(
    ("command", "word"),
    [
        ("./missing", "relative to"),
        ("/no/such/server", "installed or built"),
        ("$HOME/server", "no shell"),
        ("localhost:3000/mcp", "http://"),
    ],
)
def test_advice_about_a_missing_file_fits_what_was_typed(command: str, word: str) -> None:
    """Ours."""
    assert word in failure_of(command).hint


def test_a_file_that_does_not_exist_is_named_with_its_whole_path(tmp_path: Path) -> None:
    """stdio-17."""
    failure = failure_of("./missing", cwd=str(tmp_path))

    assert str(tmp_path / "missing") in failure.reason
    assert failure.hint


@pytest.mark.parametrize(
    ("content", "text", "hint"),
    [
        (b"print(1)\n", "shebang", "interpreter"),
        (b"\x7fELF\2\1\1" + bytes(60), "another system", "build"),
        (b"#!/no/such/python9\nprint(1)\n", "#!/no/such/python9", "first line"),
        (b"#!/bin/sh\r\necho\r\n", "/bin/sh␍", "LF"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows starts files in another way")
async def test_why_a_file_that_exists_cannot_be_started_is_told(
    tmp_path: Path, content: bytes, text: str, hint: str
) -> None:
    """stdio-17: the file itself tells what the error of the system leaves out."""
    file = tmp_path / "server"
    file.write_bytes(content)
    file.chmod(0o755)

    with pytest.raises(ConnectFailed) as failure:
        await StdioTransport(ProcessSpec(str(file), (), {}, None)).open(Ear())

    assert text in failure.value.reason
    assert hint in failure.value.hint


def test_a_url_of_another_kind_is_no_missing_file() -> None:
    """Ours."""
    failure = failure_of("ws://127.0.0.1:9/mcp")

    assert "not supported" in failure.reason
    assert "http://" in failure.hint


@pytest.mark.parametrize(
    "command",
    [
        *("npx -y pkg", "python3 server.py", "/usr/bin/env python3 x.py"),
        *("srv --token s3cret -v", "/opt/srv --key=s3cret"),
    ],
)
def test_arguments_typed_into_the_command_are_recognised(command: str) -> None:
    """stdio-17."""
    failure = failure_of(command)

    assert "The command contains arguments" in failure.hint
    assert command.split()[0] in failure.hint
    assert "s3cret" not in f"{failure.reason} {failure.hint}"


@pytest.mark.skipif(os.name == "nt", reason="programs and paths of Windows")
@pytest.mark.parametrize(
    ("command", "args", "word"),
    [
        ("cmd", ("/c", "npx", "-y", "pkg"), "program of Windows"),
        ("C:\\srv\\node.exe", ("index.js",), "path of Windows"),
        ("C:/srv/node.exe", (), "path of Windows"),
        ("npx.cmd", ("-y", "pkg"), "ending .cmd"),
        ('"no-such-program"', (), "Remove the quotation marks"),
        ("/nowhere/My App/server", (), "Check the path."),
        ("API_KEY=s3cret", ("npx", "pkg"), "environment"),
        ("API_KEY=s3cret /usr/bin/npx pkg", (), "environment"),
        ("cd", ("/srv", "&&", "npx", "pkg"), "working directory"),
    ],
)
def test_what_is_no_program_of_this_system_is_told_apart(
    command: str, args: tuple[str, ...], word: str
) -> None:
    """Ours: lines of a shell, and configurations of Windows, pasted as a command."""
    failure = failure_of(command, *args)

    assert word in failure.hint
    assert "s3cret" not in f"{failure.reason} {failure.hint}"


@pytest.mark.parametrize("command", ["", "   "])
def test_no_command_at_all_is_said_to_be_missing(command: str) -> None:
    """Ours."""
    assert "no command" in failure_of(command).reason


def test_a_working_directory_that_does_not_exist_is_the_problem_that_is_named() -> None:
    """stdio-23."""
    failure = failure_of("no-such-cmd-xyz", cwd="/no/such/folder")

    assert "working directory /no/such/folder" in failure.reason


def test_the_environment_is_added_to_and_not_replaced() -> None:
    """stdio-23."""
    launch = resolve(sys.executable, (), {"ONLY": "this"}, "")

    assert launch.env["ONLY"] == "this"
    assert launch.env["PATH"] == os.environ["PATH"]
    assert launch.cwd is None


def test_the_program_is_looked_for_on_the_path_that_the_server_will_have(tmp_path: Path) -> None:
    """stdio-23."""
    program = tmp_path / "my-server"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)

    assert resolve("my-server", (), {"PATH": str(tmp_path)}, "").program == str(program)


def test_a_program_with_spaces_in_its_path_is_one_program(tmp_path: Path) -> None:
    """stdio-23."""
    program = tmp_path / "my server" / "run it"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)

    assert resolve(str(program), ("x",), {}, "").program == str(program)


def test_a_relative_path_is_relative_to_the_working_directory(tmp_path: Path) -> None:
    """stdio-17."""
    program = tmp_path / "server"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)

    launch = resolve("./server", (), {}, str(tmp_path))

    assert Path(launch.program).resolve() == program.resolve()
    assert launch.cwd == str(tmp_path)
