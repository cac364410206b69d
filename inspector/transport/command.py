"""Finds the program of a command, and explains why it cannot be started."""

from __future__ import annotations

import errno
import os
import re
import shlex
import shutil
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from inspector.errors import ConnectFailed, Hint
from inspector.frozen import FrozenStruct
from inspector.wire.argument_secrets import mask_command_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


MAX_START_BYTES = 256
"""Bytes of a file that are read to explain why it cannot be started."""

_VARIABLE = re.compile(r"\$\{?\w|%\w+%")
_HOST_AND_PORT = re.compile(r"[\w.-]+:\d{1,5}(?:/|$)")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_SET_VARIABLE = Hint(
    "Begin the command with the program, and move the variable to the environment of this server.",
    cli="Begin the command with the program, and set the variable with --env NAME=VALUE.",
)

_BUILTINS = frozenset({"cd", "export", "source", ".", "set", "alias", "ulimit", "pushd"})
_USE_SHELL = Hint(
    "Begin the command with the program, and set its working directory and environment: no shell is used. Or start one: sh -c '…'",
    cli="Begin the command with the program, and set --cwd and --env: no shell is used. Or start one: sh -c '…'",
)
"""For what shells execute themselves."""

_WINDOWS_PATH = re.compile(r"[A-Za-z]:[\\/]|\\\\|\.{0,2}\\")
_WINDOWS_SHELLS = frozenset({"cmd", "wsl", "powershell"})
_WINDOWS_ENDINGS = (".cmd", ".bat", ".ps1", ".exe")
_QUOTED = re.compile(r"([\"'`]).*\1|[“„‘].*[”“’]")
_WINDOWS_SHELL = "Begin the command with the program that stands after it: it is a program of Windows, which starts others."


class ProcessSpec(FrozenStruct, frozen=True):
    """The process that will be started."""

    program: str
    """Path of the program."""
    args: tuple[str, ...]
    """The arguments, passed as they are; there is no shell."""
    env: Mapping[str, str]
    """The whole environment."""
    cwd: str | None
    """Working directory; None: as for Spyglass."""


def resolve(
    command: str, args: Sequence[str], additions: Mapping[str, str], cwd: str
) -> ProcessSpec:
    """Return the process for a command: the environment of Spyglass with `additions`, and the program found on its PATH.

    Raises:
        ConnectFailed: the working directory or the program is not usable.
    """
    env = {**os.environ, **additions}
    directory = str(Path(cwd).expanduser()) if cwd else None
    if directory is not None and not Path(directory).is_dir():
        raise ConnectFailed(
            f"the working directory {directory} does not exist",
            hint="Fix the working directory.",
            is_of_settings=True,
        )
    return ProcessSpec(_find(command, args, env, directory), tuple(args), env, directory)


def _find(command: str, args: Sequence[str], env: Mapping[str, str], cwd: str | None) -> str:
    if not command.strip():
        hint = "Enter the program that starts the server."
        raise ConnectFailed("no command", hint=hint, is_of_settings=True)
    if _names_a_path(command):
        return _find_path(command, cwd)
    path = env.get("PATH", os.defpath)
    found = shutil.which(command, path=path)
    if found is not None:
        return found
    if typed := _no_program_hint(command) or _typed_arguments(command, args, path):
        reason = f"no program has the name `{mask_command_line(command)}`"
        raise ConnectFailed(reason, hint=typed, is_of_settings=True)
    raise ConnectFailed(
        f"`{mask_command_line(command)}` is not on PATH; PATH was {path or '(empty)'}",
        hint="Install it, or give the program's full path.",
        is_of_settings=True,
    )


def _no_program_hint(command: str) -> str:
    """Return what to do about a command that begins with something other than a program of this system; else an empty string."""
    first = command.split(maxsplit=1)[0]
    if _ASSIGNMENT.match(first):
        return _SET_VARIABLE
    if first.lower() in _BUILTINS:
        return _USE_SHELL
    if _QUOTED.fullmatch(command):
        return "Remove the quotation marks: no shell takes them away here."
    if os.name == "nt":
        return ""
    if _WINDOWS_PATH.match(command):
        return "Use a path of this system: this one is a path of Windows."
    if first.lower().removesuffix(".exe") in _WINDOWS_SHELLS:
        return _WINDOWS_SHELL
    ending = PurePath(command).suffix
    if ending.lower() in _WINDOWS_ENDINGS:
        return f"Leave out the ending {ending}: the program has it on Windows only."
    return ""


def not_started(program: str, error: Exception) -> ConnectFailed:
    """Return why the system does not start a program that exists."""
    reason, hint = str(error), "Check the command."
    if isinstance(error, PermissionError):
        reason, hint = (
            "permission denied",
            "Make the file executable, or run it with its interpreter.",
        )
    elif isinstance(error, OSError) and error.errno == errno.ENOEXEC:
        reason, hint = _format_error(program)
    elif isinstance(error, FileNotFoundError) and (line := _shebang(program)):
        reason = f"the interpreter in its first line does not exist: {line}"
        hint = "Fix the first line of the file, or run it with its interpreter."
        if line.endswith("␍"):
            hint = "Save the file with line endings of Unix (LF): a carriage return belongs to the name of the interpreter."
    return ConnectFailed(f"cannot start `{program}`: {reason}", hint=hint)


_BINARIES = (b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
"""First bytes of executables on Linux, Windows and macOS."""


def _format_error(program: str) -> tuple[str, str]:
    if _first_bytes(program).startswith(_BINARIES):
        return (
            "it is damaged, or built for another system or processor",
            "Use a build of the program for this system.",
        )
    return (
        "not an executable file: a script needs a shebang line such as `#!/usr/bin/env python3`",
        "Add that line, or run the file with its interpreter.",
    )


def _shebang(program: str) -> str:
    """Return the shebang line of a script, with a visible carriage return at its end; empty for other files."""
    line = _first_bytes(program).split(b"\n", 1)[0].decode("utf-8", "replace")
    return line.replace("\r", "␍") if line.startswith("#!") else ""


def _first_bytes(program: str) -> bytes:
    try:
        with Path(program).open("rb") as file:
            return file.read(MAX_START_BYTES)
    except OSError:
        return b""


def _names_a_path(command: str) -> bool:
    return os.sep in command or bool(os.altsep and os.altsep in command)


def _missing_hint(command: str) -> str:
    """Return what to do about the path of a program that does not exist."""
    if _VARIABLE.search(command):
        return "Write the value of the variable: no shell replaces it here."
    if _HOST_AND_PORT.match(command):
        return "For a URL, write http:// or https:// before it."
    if Path(command).expanduser().is_absolute():
        return "Check the path, and that the program is installed or built."
    return "Check the path; it is relative to the working directory."


def _find_path(command: str, cwd: str | None) -> str:
    if _URL.match(command):
        raise ConnectFailed(
            f"{mask_command_line(command)} is a URL of a kind that is not supported",
            hint="Use a URL that starts with http://, https:// or tcp://.",
            is_of_settings=True,
        )
    expanded = Path(command).expanduser()
    path = expanded if expanded.is_absolute() else Path(cwd or ".") / expanded
    if path.is_dir():
        raise ConnectFailed(
            f"`{path}` is a directory, not a program",
            hint="Enter the path of a program in that directory.",
            is_of_settings=True,
        )
    if not path.exists():
        hint = (
            _no_program_hint(command)
            or _typed_arguments(command, (), os.defpath)
            or _missing_hint(command)
        )
        reason = f"`{mask_command_line(str(path))}` does not exist"
        raise ConnectFailed(reason, hint=hint, is_of_settings=True)
    if not os.access(path, os.X_OK):
        raise ConnectFailed(
            f"`{path}` is not executable (permission denied)",
            hint=f"Run chmod +x {shlex.quote(str(path))}, or start it with its interpreter.",
        )
    return str(path.absolute())


def _typed_arguments(command: str, args: Sequence[str], path: str) -> str:
    """Return a hint when the command field contains a whole command line; else an empty string."""
    try:
        tokens = shlex.split(command)
    except ValueError:
        return ""
    if len(tokens) < 2 or args:
        return ""
    known = shutil.which(tokens[0], path=path) is not None
    has_options = any(token.startswith("-") for token in tokens)
    if not known and not has_options and _names_a_path(tokens[0]):  # or a path with a space
        return Hint(
            "Check the path. If arguments stand after it, move them to Arguments.",
            cli="Check the path. If arguments stand after it, pass them as separate arguments.",
        )
    found = "" if known else " (which is not on PATH either)"
    named = f"The command contains arguments: program `{mask_command_line(tokens[0])}`{found}"
    return Hint(
        f"{named}; move the rest to Arguments.",
        cli=f"{named}; pass the rest as separate arguments.",
    )
