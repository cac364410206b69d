"""A command line imports what its command needs, and nothing more."""

from __future__ import annotations

import subprocess
import sys

import pytest

from inspector.cli.command import COMMANDS, Command, Target


def imported(script: str, names: set[str]) -> str:
    """Return which of `names` are imported after `script`."""
    code = f"import sys; {script}; print(*sorted({names} & {{*sys.modules}}))"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=15, check=True
    )
    return run.stdout.strip()


@pytest.mark.parametrize(
    "command",
    [each for each in COMMANDS if each.target is not Target.URL],
    ids=lambda each: each.name,
)
def test_authorization_is_imported_for_servers_over_http_alone(command: Command) -> None:
    """Ours: it takes a tenth of a second."""
    module = f"{command.package}.{command.module}"

    assert imported(f"import {module}", {"inspector.auth.flow", "httpx"}) == ""


def test_a_command_imports_no_command_of_another_module() -> None:
    """Ours: the help lists them without their modules."""
    modules = {f"{each.package}.{each.module}" for each in COMMANDS}
    script = "from inspector.cli.command_line import read; read(['tools', '--server', 'x'])"

    assert imported(script, modules) == "inspector.cli.commands.lists"
