"""Access tokens from environment variables and commands."""

from __future__ import annotations

import os
import shlex
import sys
import time
from typing import TYPE_CHECKING

import pytest

from inspector.auth.settings import Settings, Way
from inspector.auth.supplied_token import CommandSource, VariableSource, source_of
from inspector.errors import AuthError
from tests.support.programs import lives
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from pathlib import Path


def printing(code: str, *arguments: str, seconds: float = 20.0) -> CommandSource:
    """A command in Python."""
    return CommandSource((sys.executable, "-c", code, *arguments), max_run_seconds=seconds)


async def failure_of(source: CommandSource | VariableSource) -> AuthError:
    with pytest.raises(AuthError) as caught:
        await source.read()
    return caught.value


async def test_a_variable_gives_its_value_without_blanks_around_it() -> None:
    """Ours."""
    assert await VariableSource("T", {"T": " a-token\n"}).read() == "a-token"


@pytest.mark.parametrize("value", [None, "", "  ", "two\nlines", "a b", "tök", "a\x1bb"])
async def test_a_variable_without_a_token_is_named_and_its_value_is_not(value: str | None) -> None:
    """Ours (C-SEC-17)."""
    failure = await failure_of(
        VariableSource("MY_TOKEN", {} if value is None else {"MY_TOKEN": value})
    )

    assert "MY_TOKEN" in failure.reason
    assert failure.hint
    assert not value or not value.strip() or value.strip() not in failure.reason


async def test_a_command_gives_the_line_that_it_prints() -> None:
    """Ours."""
    assert await printing("print('a-token')").read() == "a-token"


async def test_no_shell_reads_a_command() -> None:
    """Ours: what stands in an argument reaches the program as it is."""
    arguments = ("$HOME", "a;b", "*", "`id`")
    found = await printing("import sys; print('|'.join(sys.argv[1:]))", *arguments).read()

    assert found == "$HOME|a;b|*|`id`"


async def test_a_command_gets_no_input() -> None:
    """Ours: one that asks for a password must not wait for ever."""
    assert await printing("import sys; print('end' + sys.stdin.read())").read() == "end"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import sys; print('no session', file=sys.stderr); sys.exit(3)", "code 3: no session"),
        (
            "import sys; print('first\\nsecond', file=sys.stderr); sys.exit(1)",
            "exited with code 1: first",
        ),
        ("raise SystemExit(2)", "exited with code 2"),
        ("pass", "printed nothing"),
        ("print('a\\nb')", "2 lines"),
        ("print('a b')", "characters"),
        ("import sys\nwhile True: sys.stdout.write('x' * 1000)", "more than a token"),
    ],
)
async def test_a_command_that_prints_no_token_is_told_why(code: str, told: str) -> None:
    """Ours."""
    failure = await failure_of(printing(code, "--key=the-secret"))

    assert told in failure.reason
    assert "second" not in failure.reason
    assert "the-secret" not in failure.reason + failure.hint
    assert failure.hint


async def test_a_program_that_is_not_there_is_named() -> None:
    """Ours."""
    failure = await failure_of(CommandSource(("no-such-program", "the-secret")))

    assert "no-such-program" in failure.reason
    assert "the-secret" not in failure.reason


async def test_a_command_that_takes_too_long_is_ended_with_all_it_started(tmp_path: Path) -> None:
    """Ours."""
    file = tmp_path / "pid"
    child = "import time; time.sleep(600)"
    code = (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        f"open({str(file)!r}, 'w').write(str(child.pid))\n"
        "time.sleep(600)"
    )
    failure = await failure_of(printing(code, seconds=2.0))

    assert "within 2 s" in failure.reason
    await wait_until(lambda: not lives(int(file.read_text())))


@pytest.mark.skipif(os.name != "posix", reason="a shell")
async def test_a_service_that_a_command_leaves_running_delays_nothing(tmp_path: Path) -> None:
    """Ours: password managers start one, which keeps standard output open."""
    file = tmp_path / "pid"
    began = time.monotonic()
    script = f"sleep 600 & echo $! > {shlex.quote(str(file))}; echo a-token"
    try:
        assert await CommandSource(("sh", "-c", script)).read() == "a-token"
        assert time.monotonic() - began < 10
        assert lives(int(file.read_text()))
    finally:
        os.kill(int(file.read_text()), 9)


def test_the_settings_name_the_source() -> None:
    """Ours."""
    variable = source_of(Settings(way=Way.VARIABLE, token_variable="T"))
    command = source_of(Settings(way=Way.COMMAND, token_command=("p", "a")))

    assert isinstance(variable, VariableSource)
    assert isinstance(command, CommandSource)
    assert source_of(Settings(way=Way.CODE)) is None
