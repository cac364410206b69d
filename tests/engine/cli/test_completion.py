"""Completion of command lines in shells, and the saved servers whose names it asks for; ours."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from inspector.__main__ import main
from inspector.cli.command import COMMANDS, SUCCESS, USAGE
from inspector.cli.completion_scripts import SCRIPTS, completed_commands
from inspector.config.secrets import FileSecrets
from inspector.config.server_list import ServerList
from inspector.config.servers_file import ServersFile
from tests.support.command_line import with_folder

if TYPE_CHECKING:
    from pathlib import Path

SERVER = ("--", sys.executable, "server.py")


@pytest.fixture(scope="module")
def scripts() -> dict[str, str]:
    """The script of each shell."""
    commands = completed_commands(COMMANDS)
    return {shell: write(commands) for shell, write in SCRIPTS.items()}


@pytest.mark.parametrize("shell", [*SCRIPTS])
def test_every_command_and_option_is_in_the_script_of_every_shell(
    scripts: dict[str, str], shell: str
) -> None:
    """Ours."""
    for command in completed_commands(COMMANDS):
        assert command.name in scripts[shell]
        for option in command.options:
            name = option.name if shell != "fish" else f"-l {option.name.removeprefix('--')} "
            assert name in scripts[shell]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_commands_options_and_values(scripts: dict[str, str]) -> None:
    """Ours."""
    lines = [
        ("compl",),
        ("call", "echo", "--accept-a"),
        ("check", "--format", ""),
        ("tools", "--transport", "t"),
        ("tools", "--", "--"),
    ]
    tries = "\n".join(
        f"COMP_WORDS=(spyglass-cli {' '.join(line) if line[-1] else ' '.join(line[:-1]) + chr(32) + chr(34) * 2});"
        f' COMP_CWORD={len(line)}; _spyglass_cli; echo "${{COMPREPLY[*]}}"'
        for line in lines
    )
    script = f"compopt() {{ :; }}\n{scripts['bash']}\n{tries}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)

    assert done.stderr == ""
    assert done.stdout.split("\n")[:-1] == [
        "complete completion",
        "--accept-all",
        "text json sarif junit markdown",
        "tcp",
        "",
    ]


async def test_servers_are_added_listed_and_removed(tmp_path: Path) -> None:
    """Ours: the list is the one of the window, and secrets are masked in what is printed."""
    config = tmp_path / "mcp.json"
    config.write_text('{"mcpServers": {"other": {"url": "http://127.0.0.1:1/mcp"}}}')
    added = await with_folder(tmp_path, "servers", "add", "mine", "--cwd", "/srv", *SERVER)
    await with_folder(tmp_path, "servers", "add", "--config", str(config))
    names = await with_folder(tmp_path, "servers", "--names")
    listed = await with_folder(tmp_path, "servers", "--json")
    one = await with_folder(tmp_path, "servers", "show", "mine")
    await with_folder(tmp_path, "servers", "remove", "mine")
    left = await with_folder(tmp_path, "servers", "--names")
    foreign = await with_folder(tmp_path, "servers", "--names", "--config", str(config))
    unknown = await with_folder(tmp_path, "servers", "remove", "mine")

    assert (added.code, "mine" in added.out) == (SUCCESS, True)
    assert names.out.splitlines() == ["mine", "other"]
    assert [*json.loads(listed.out)["mcpServers"]] == ["mine", "other"]
    assert json.loads(one.out)["mcpServers"]["mine"]["command"] == sys.executable
    assert left.out == foreign.out == "other\n"
    assert unknown.code == USAGE


async def test_a_saved_server_is_edited_where_the_line_says_so(tmp_path: Path) -> None:
    """Ours: its name, and how it is reached."""
    await with_folder(tmp_path, "servers", "add", "mine", *SERVER)
    changed = await with_folder(
        tmp_path, "servers", "edit", "mine", "--env", "LEVEL=debug", "--rename", "yours"
    )
    moved = await with_folder(tmp_path, "servers", "edit", "yours", "--", "http://127.0.0.1:1/mcp")
    listed = await with_folder(tmp_path, "servers", "--json")
    unknown = await with_folder(tmp_path, "servers", "edit", "mine", "--cwd", "/")

    assert (changed.code, moved.code, unknown.code) == (SUCCESS, SUCCESS, USAGE)
    assert "yours" in changed.out
    (found,) = json.loads(listed.out)["mcpServers"].values()
    assert found["url"] == "http://127.0.0.1:1/mcp"


async def test_an_edit_keeps_what_the_line_does_not_name(tmp_path: Path) -> None:
    """Ours: also the secrets, which are not in the list."""
    line = ("--env", "LEVEL=info", "--env", "API_KEY=kept-secret", "--cwd", "/srv")
    await with_folder(tmp_path, "servers", "add", "mine", *line, *SERVER)
    await with_folder(tmp_path, "servers", "edit", "mine", "--env", "LEVEL=debug")
    servers = ServerList(ServersFile(tmp_path), lambda: FileSecrets(tmp_path))
    await servers.load()
    profile = await servers.resolve(servers.profiles[0])
    await servers.aclose()

    assert dict(profile.env) == {"LEVEL": "debug", "API_KEY": "kept-secret"}
    assert (profile.command, profile.cwd) == (sys.executable, "/srv")


def test_the_folder_of_a_script_is_made(tmp_path: Path) -> None:
    """Ours: a new user has none, and the examples of the help name it."""
    file = tmp_path / "share" / "completions" / "spyglass-cli"

    assert main(["completion", "bash", "--output", str(file)]) == SUCCESS
    assert "spyglass-cli" in file.read_text()
