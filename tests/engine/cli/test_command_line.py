"""How a command line is read: commands, their own options and help, and one more command; ours."""

from __future__ import annotations

import argparse
import io
import re
import shlex
import sys
from typing import TYPE_CHECKING

import pytest

from inspector.cli.command import COMMANDS, SUCCESS, USAGE, Command, Target
from inspector.cli.command_line import read, read_tokens
from inspector.cli.connection_files import SIGN
from inspector.cli.console import Console
from inspector.cli.options import Options, add_all_options
from inspector.cli.runner import run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

NAMES = [each.name for each in COMMANDS]

SERVER = ("--", "python", "server.py")


def ended(
    arguments: Sequence[str],
    capsys: pytest.CaptureFixture[str],
    commands: tuple[Command, ...] = COMMANDS,
) -> tuple[object, str, str]:
    """Read a command line that ends the program; return exit code, stdout and stderr."""
    with pytest.raises(SystemExit) as exited:
        read(arguments, commands)
    printed = capsys.readouterr()
    return exited.value.code, printed.out, printed.err


def test_the_general_help_lists_every_command_with_a_line_each(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Ours."""
    code, out, _ = ended(["--help"], capsys)

    assert code == 0
    lines = out.partition("commands:\n")[2].partition("\n\n")[0].splitlines()
    assert [line.split()[0] for line in lines] == NAMES
    assert [line.endswith(each.summary) for line, each in zip(lines, COMMANDS, strict=True)] == [
        True
    ] * len(NAMES)


@pytest.mark.parametrize("command", COMMANDS, ids=NAMES)
def test_every_command_has_help_of_its_own_with_examples_that_can_be_typed(
    command: Command, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Ours."""
    code, out, _ = ended([command.name, "--help"], capsys)

    assert code == 0
    assert out.startswith(f"usage: spyglass-cli {command.name} ")
    examples = command.load().examples
    assert examples
    assert all(f"  spyglass-cli {example}\n" in out for example in examples)
    assert "exit codes: 0 success, 1 usage error" in out
    file = tmp_path / "file"
    file.write_text("{}")
    for example in examples:
        if example.startswith(SIGN):
            used, _ = read_tokens(shlex.split(example)[1:], Options(command))
            assert used.target is Target.ANY
            continue
        tokens = shlex.split(re.sub(r"@\S+", f"@{file}", example))
        assert read(tokens).command is command


@pytest.mark.parametrize("command", COMMANDS, ids=NAMES)
def test_an_option_with_a_value_may_stand_before_every_command(command: Command) -> None:
    """Ours: its value is not taken for the command."""
    of_all, of_one = argparse.ArgumentParser(), argparse.ArgumentParser()
    add_all_options(of_all)
    command.load().add_arguments(of_one)

    assert with_value(of_one) - with_value(of_all) == set()


def with_value(parser: argparse.ArgumentParser) -> set[str]:
    """Return the options of a parser that take a value."""
    return {*re.findall(r"\[(--[\w-]+) [^]]", parser.format_usage())}


@pytest.mark.parametrize(
    ("name", "has", "lacks"),
    [
        ("call", "--meta", "--secrets"),
        ("tools", "--record", "--meta"),
        ("transcript", "--secrets", "--server"),
        ("auth", "--accept", "--token-env"),
        ("login", "--no-browser", "--env"),
        ("logout", "--client-key", "--no-browser"),
    ],
)
def test_help_shows_what_a_command_takes_and_what_it_does_not_take_is_refused(
    name: str, has: str, lacks: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ours: an option that means nothing is not ignored in silence."""
    _, out, _ = ended([name, "--help"], capsys)

    assert has in out
    assert lacks not in out
    code, _, err = ended([name, lacks, "a=1"], capsys)
    assert code == USAGE
    assert lacks in err


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        (["--meta", "a=1", "tools", *SERVER], "tools takes no --meta"),
        (["--timeout", "5", "completion", "bash"], "completion takes no --timeout"),
        (["--timeout=5", "stats", "run.spyglass"], "stats takes no --timeout"),
    ],
)
def test_an_option_of_other_commands_is_refused_before_the_command_too(
    line: list[str], refused: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ours: by its name; its value would be taken for an argument of the command."""
    code, _, err = ended(line, capsys)

    assert code == USAGE
    assert f": {refused}\n" in err


@pytest.mark.parametrize(
    "line",
    [
        ("--header", "A: 1", "call", "echo", "a=1", "--header", "B: 2", "b=2"),
        ("call", "--header", "A: 1", "echo", "--header", "B: 2", "a=1", "b=2"),
        ("--header", "A: 1", "--header", "B: 2", "call", "echo", "a=1", "b=2"),
        ("call", "echo", "a=1", "b=2", "--header", "A: 1", "--header", "B: 2"),
    ],
)
def test_options_stand_before_or_after_the_command_or_between_its_arguments(
    line: tuple[str, ...],
) -> None:
    """Ours."""
    options = read([*line, *SERVER])

    assert (options.command.name, options.args) == ("call", ("echo", "a=1", "b=2"))
    assert options.headers == (("A", "1"), ("B", "2"))
    assert options.arguments == '{"a": "1", "b": "2"}'
    assert options.target == SERVER[1:]


def test_the_value_of_an_option_is_no_command() -> None:
    """Ours."""
    options = read(["--server", "tools", "--folder", "call", "info"])

    assert (options.command.name, options.server) == ("info", "tools")


@pytest.mark.parametrize("line", [("login", "http://a/"), ("login", "--", "http://a/")])
def test_the_url_of_a_login_stands_with_or_without_a_separator(line: tuple[str, ...]) -> None:
    """Ours."""
    assert read(line).target == ("http://a/",)


async def test_a_command_more_is_a_module_and_a_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ours: it is in the help, has help of its own, and runs."""
    package = tmp_path / "more_commands"
    package.mkdir()
    (package / "count.py").write_text(
        "from inspector.cli.command import CommandCode\n"
        "def add_arguments(parser):\n"
        "    parser.add_argument('args', nargs=1, metavar='TEXT')\n"
        "    parser.add_argument('--strict', action='store_true')\n"
        "async def run(options, console, keyboard):\n"
        "    console.out(str(len(options.args[0])))\n"
        "    return 7 if options.strict else 0\n"
        "count = CommandCode(add_arguments, run)\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "more_commands", raising=False)
    row = Command("count", "TEXT", "count characters", "count", Target.NONE, "more_commands")
    commands = (*COMMANDS, row)

    assert "count TEXT" in ended(["--help"], capsys, commands)[1]
    assert "--strict" in ended(["count", "--help"], capsys, commands)[1]
    assert ended(["count", "a", "--record", "x"], capsys, commands)[0] == USAGE
    out = io.StringIO()
    code = await run(read(["count", "four"], commands), Console(out, io.StringIO()))
    assert (code, out.getvalue()) == (SUCCESS, "4\n")
