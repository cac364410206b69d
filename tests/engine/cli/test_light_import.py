"""A command line imports what its command needs, and nothing more."""

from __future__ import annotations

import subprocess
import sys

from inspector.cli.command import COMMANDS, Target


def imported(script: str, names: set[str]) -> str:
    """Return which of `names` are imported after `script`."""
    code = f"import sys; {script}; print(*sorted({names} & {{*sys.modules}}))"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=15, check=True
    )
    return run.stdout.strip()


ABOUT_LOGINS = "logins"
"""The command without a server that is about authorization all the same."""


def test_authorization_is_imported_for_servers_over_http_alone() -> None:
    """Ours: it takes a tenth of a second. All commands in one process: the first that imports it is named."""
    needed = [
        each for each in COMMANDS if each.target is not Target.URL and each.name != ABOUT_LOGINS
    ]
    modules = list(dict.fromkeys(f"{each.package}.{each.module}" for each in needed))
    heavy = {"inspector.auth.flow", "httpx"}
    code = (
        "import sys; from importlib import import_module\n"
        f"for name in {modules}:\n"
        f"    import_module(name); assert not {heavy} & {{*sys.modules}}, name"
    )

    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)

    assert run.returncode == 0, run.stderr.splitlines()[-1]


def test_a_command_imports_no_command_of_another_module() -> None:
    """Ours: the help lists them without their modules."""
    modules = {f"{each.package}.{each.module}" for each in COMMANDS}
    script = "from inspector.cli.command_line import read; read(['tools', '--server', 'x'])"

    assert imported(script, modules) == "inspector.cli.commands.lists"
