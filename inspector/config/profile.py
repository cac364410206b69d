"""How to reach one server, and a name for one that has none. Frozen data; light to import (no pydantic, no httpx).

Arguments are a tuple of exact strings: nothing here splits, trims, expands or quotes them. `command_line` quotes for
*display*; its text is never executed.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit
from uuid import uuid4

from msgspec import field

from inspector.auth.settings import Settings, Way
from inspector.frozen import FrozenStruct
from inspector.session.transport_factory import transport_kind
from inspector.wire.argument_secrets import mask_arguments, mask_command_line
from inspector.wire.redaction import MASK, mask_urls

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from inspector.session.transport_factory import ConnectionTarget
    from inspector.wire.json_codec import Json, JsonObject

Pairs: TypeAlias = tuple[tuple[str, str], ...]
"""Ordered name and value pairs; duplicates and case are kept."""

TIMEOUT_SECONDS = 60.0
TOTAL_TIMEOUT_SECONDS = 600.0


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


def new_id() -> str:
    """Return a new id for a profile."""
    return uuid4().hex


class Profile(FrozenStruct, frozen=True):
    """How to reach a server and how long to wait for it."""

    id: str = field(default_factory=new_id)
    """Id inside Spyglass; a renamed profile keeps it."""
    name: str = ""
    """The name that the user gave it; the key in the saved `mcpServers` map."""
    transport: str = "stdio"
    """The key of the transport that reaches it (`inspector.session.transport_factory`)."""
    command: str = ""
    """The program to start (stdio only), without arguments."""
    args: tuple[str, ...] = ()
    """The arguments of the program; each reaches it unchanged, empty ones included."""
    env: Pairs = ()
    """Variables added to the environment the program inherits."""
    cwd: str = ""
    """Working directory of the program; empty for the one of Spyglass."""
    url: str = ""
    """URL of the server (every transport but stdio)."""
    headers: Pairs = ()
    """HTTP headers sent with every request."""
    verify: bool = True
    """Whether the certificate of the server is checked."""
    record_secrets: bool = False
    """Whether recordings have the secrets of this server in clear, not masked."""
    restart_on_change: bool = False
    """Whether the server is started again when its source files change (stdio only)."""
    ca_file: str = ""
    """File of certificates to trust besides those of the system (PEM)."""
    client_cert: str = ""
    """File with the client certificate and its key (PEM)."""
    proxy: str = ""
    """URL of the proxy; empty for the proxy of the environment."""
    authorization: Settings = Settings(way=Way.CODE)
    """How Spyglass is authorized (HTTP only)."""
    revision: str = ""
    """Date of the required protocol revision; empty for automatic."""
    timeout_seconds: float = TIMEOUT_SECONDS
    """Idle timeout: how long to wait for a response without progress."""
    total_timeout_seconds: float = TOTAL_TIMEOUT_SECONDS
    """Total timeout: how long to wait for a response even while progress arrives."""
    extracted: tuple[str, ...] = ()
    """Slots whose secret is in the keyring and not in this profile: `env:NAME`, `header:NAME`, `command`, `arg:N`, `url`, `proxy`, `auth:MEMBER`, `extra:POINTER`."""
    extra: JsonObject = field(default_factory=dict[str, "Json"])
    """Keys of a saved or imported entry that Spyglass does not know; written back unchanged."""

    def __hash__(self) -> int:
        """Equal profiles have one id; `extra` cannot be hashed."""
        return hash(self.id)


def masked_arguments(profile: ConnectionTarget) -> list[str]:
    """Return the arguments without their secrets."""
    return mask_arguments(profile.args, program=profile.command)


def command_line(profile: ConnectionTarget) -> str:
    """Return the command as one line, quoted as a POSIX shell would need it, secrets masked; for display only."""
    if not profile.command:
        return ""
    masked = (mask_command_line(profile.command), *masked_arguments(profile))
    return " ".join(map(_quoted, masked))


def endpoint_text(profile: ConnectionTarget) -> str:
    """Return the command line or the URL, secrets masked; for display only."""
    is_process = transport_kind(profile.transport).is_process
    return command_line(profile) if is_process else mask_urls(profile.url)


def _quoted(masked: str) -> str:
    """Quote an argument except its dots, which are for display only."""
    if MASK not in masked:
        return shlex.quote(masked)
    return MASK.join(shlex.quote(part) if part else "" for part in masked.split(MASK))


def name_for(profile: Profile) -> str:
    """Return a name guessed from the command or the URL, which the user can change."""
    if not transport_kind(profile.transport).is_process:
        url = mask_urls(profile.url)
        return urlsplit(url).netloc.rsplit("@", 1)[-1] or url
    program = _base(mask_command_line(profile.command))
    if program.lower().rstrip("0123456789.") not in _RUNNERS:
        return program
    target = _target(masked_arguments(profile))
    is_text = any(char.isspace() for char in target) and not re.search(r"[/\\]", target)
    return program if is_text else _base(target) or program


def _target(args: Sequence[str]) -> str:
    pending = iter(args)
    for arg in pending:
        if arg == "-m":
            return next(pending, "")
        if arg in _VALUE_OPTIONS:
            next(pending, "")
        elif not arg.startswith("-") and arg not in ("/c", "/C", MASK, *_VERBS, *_RUNNERS):
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
