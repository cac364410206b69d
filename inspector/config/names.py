"""Short names for servers without one. Guesses, which the user can change. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inspector.session.transport_factory import transport_kind

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from inspector.config.profile import Profile

_RUNNERS = frozenset(
    [
        *("npx", "bunx", "uvx", "pipx", "pnpm", "yarn", "npm", "bun", "uv", "deno", "node"),
        *("python", "py", "tsx", "ts-node", "ruby", "docker", "podman", "go", "cargo"),
        *("dotnet", "java", "cmd", "sh", "bash"),
    ]
)
"""Programs whose name does not identify the server that they start."""

_VERBS = frozenset(["run", "exec", "dlx", "x", "start", "tool"])
"""Subcommands between a runner and the program that it runs."""

_VALUE_OPTIONS = frozenset(
    [
        *("--directory", "--from", "--with", "--project", "--python", "-p", "--package"),
        *("-e", "--env", "-v", "--volume", "--mount", "--name", "--network", "-C"),
        *("--import", "--require", "-r", "-jar"),
    ]
)
"""Options of runners whose value is the next argument."""

_ENDINGS = re.compile(r"\.(exe|cmd|bat|js|mjs|cjs|ts|py|jar|rb|sh)$", re.IGNORECASE)
_PLAIN = frozenset(
    ["index", "main", "server", "__main__", "cli", "app", "dist", "build", "src", "bin", "lib"]
)
"""File and folder names that any server may have."""


def name_for(profile: Profile) -> str:
    """Return a name guessed from the command or the URL."""
    if not transport_kind(profile.transport).is_process:
        return urlsplit(profile.url).netloc.rsplit("@", 1)[-1] or profile.url
    program = _base(profile.command)
    if program.lower().rstrip("0123456789.") not in _RUNNERS:
        return program
    target = _target(profile.args)
    is_text = any(char.isspace() for char in target) and not re.search(r"[/\\]", target)
    return program if is_text else _base(target) or program


def _target(args: Sequence[str]) -> str:
    pending = iter(args)
    for arg in pending:
        if arg == "-m":
            return next(pending, "")
        if arg in _VALUE_OPTIONS:
            next(pending, "")
        elif not arg.startswith("-") and arg not in ("/c", "/C", *_VERBS, *_RUNNERS):
            return arg
    return ""


def _base(path: str) -> str:
    parts = [part for part in re.split(r"[/\\]", path) if part]
    for part in reversed(parts):
        name = _ENDINGS.sub("", part)
        name = re.sub(r"(?<=.)(@|==|:)[^@=:]*$", "", name)
        if name not in _PLAIN and name.strip("."):
            return name
    return _ENDINGS.sub("", parts[-1]) if parts else ""


def unique_name(name: str, taken: Collection[str]) -> str:
    """Return `name`, numbered if it is already `taken`."""
    name = name or "server"
    if name not in taken:
        return name
    number = 2
    while f"{name} {number}" in taken:
        number += 1
    return f"{name} {number}"
