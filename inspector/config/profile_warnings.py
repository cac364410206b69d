"""Warnings about a profile before it is connected. They forbid nothing.

Pure except for the parameters `find`, which returns the path of a program as `shutil.which` does, and `is_folder`, which tests whether a folder exists.
"""

from __future__ import annotations

import re
import shlex
from enum import IntEnum
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.auth.settings import Way
from inspector.config import authorization
from inspector.config.importers.server_entry import is_url
from inspector.frozen import FrozenStruct
from inspector.session.package_runner import find_runner, lacks_stdin, program_name
from inspector.session.placeholders import placeholders, placeholders_of
from inspector.session.transport_factory import transport_kind, url_schemes
from inspector.wire.argument_secrets import mask_arguments, mask_command_line
from inspector.wire.redaction import MASK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inspector.config.profile import Profile
    from inspector.session.transport_factory import ConnectionTarget

    Find = Callable[[str], str | None]


class Level(IntEnum):
    """How severe a warning is."""

    INFO = 0
    WARNING = 1
    DANGER = 2


INFO, WARNING, DANGER = Level


class ProfileWarning(FrozenStruct, frozen=True):
    """A warning about a profile."""

    rule: str
    """A short name for tests and tables."""
    level: Level
    """How severe it is."""
    text: str
    """What is unusual, and its consequence."""
    field: str
    """The field of the profile: `command`, `args`, `env`, `cwd`, `url`, `headers`, `verify`, `authorization`, `record_secrets`."""


_ROOT = frozenset(["sudo", "su", "doas", "pkexec", "runas"])
_SHELLS = frozenset(["sh", "bash", "zsh", "dash", "fish", "ksh", "cmd", "powershell", "pwsh"])
_METACHARACTERS = re.compile(r"^(?:&&|\|\|?|;|&|[<>]{1,2}.*|2>.*)$")
_DESTRUCTIVE = r"(?i)\brm\s+-\w*[rf]|\bmkfs\b|\bdd\s+if=|\bdel\s+/[sq]|\bformat\s+[a-z]:"
"""Compiled when a command is checked, not at the start."""
_PIPED_SCRIPT = re.compile(r"\b(?:curl|wget)\b|\|\s*+(?:sudo\s++)?\w*+(?<=sh)|\n")
"""What fetches, what pipes into a shell, and the end of a line."""


def typed_arguments(profile: Profile, find: Find) -> tuple[str, tuple[str, ...]] | None:
    """Return program and arguments if the command contains arguments, else None."""
    program, *rest = profile.command.split() or [""]
    if not rest or find(profile.command):
        return None
    if re.search(r"[/\\]", program) and not find(program):
        return None  # more likely a path with spaces
    return program, (*rest, *profile.args)


def split_command(profile: Profile, find: Find) -> Profile:
    """Return the profile with the arguments in its command moved to `args`."""
    typed = typed_arguments(profile, find)
    return replace(profile, command=typed[0], args=typed[1]) if typed else profile


def profile_warnings(
    profile: Profile, find: Find, is_folder: Callable[[str], bool] = bool
) -> tuple[ProfileWarning, ...]:
    """Return the warnings about a profile, the most severe first."""
    rules = (
        _of_process(profile, find, is_folder)
        if transport_kind(profile.transport).is_process
        else _of_url(profile)
    )
    found = (*rules, *_of_placeholders(profile), *_of_recordings(profile))
    return tuple(sorted(found, key=lambda warning: -warning.level))


def _of_placeholders(profile: Profile) -> Iterator[ProfileWarning]:
    values = authorization.credentials(profile.authorization).values()
    names_in = [name for value in values for name in placeholders(value, is_value=True)]
    found = {**placeholders_of(profile), "authorization": tuple(dict.fromkeys(names_in))}
    for field, names in found.items():
        names = tuple(name for name in names if name != MASK or not profile.extracted)
        if not names:
            continue
        text = f"Placeholders are sent unchanged: {', '.join(names)}. Replace them with the values."
        yield ProfileWarning("placeholder", WARNING, text, field)


def _of_recordings(profile: Profile) -> Iterator[ProfileWarning]:
    if profile.record_secrets:
        text = "Recordings hold the secrets of this server in clear: do not share them."
        yield ProfileWarning("secrets-recorded", WARNING, text, "record_secrets")


def _of_process(
    profile: Profile, find: Find, is_folder: Callable[[str], bool]
) -> Iterator[ProfileWarning]:
    whole = " ".join((profile.command, *profile.args))
    name = program_name(profile.command)
    if name in _ROOT or any(arg in _ROOT for arg in profile.args):
        yield ProfileWarning("root", DANGER, "Runs with elevated privileges (sudo).", "command")
    if re.search(_DESTRUCTIVE, whole):
        yield ProfileWarning("destructive", DANGER, "Can delete or overwrite files.", "args")
    if _runs_fetched_script(whole):
        yield ProfileWarning("script", DANGER, "Runs a script downloaded from the network.", "args")
    if name in _SHELLS and any(
        arg in ("-c", "/c", "/C", "-Command", "-lc") for arg in profile.args
    ):
        text = "The next argument is run by a shell: everything in it is executed."
        yield ProfileWarning("shell", WARNING, text, "args")
    yield from _of_command(profile, find)
    if profile.cwd and not is_folder(profile.cwd):
        text = f"Working directory “{profile.cwd}” does not exist."
        yield ProfileWarning("no-folder", WARNING, text, "cwd")
    yield from _of_download(profile)


def _runs_fetched_script(text: str) -> bool:
    """Whether a line pipes what it fetches into a shell."""
    fetches = False
    for found in _PIPED_SCRIPT.finditer(text):
        if fetches and found[0].startswith("|"):
            return True
        fetches = found[0] in ("curl", "wget") or (fetches and found[0] != "\n")
    return False


def _of_download(profile: Profile) -> Iterator[ProfileWarning]:
    runner = find_runner(profile.command, profile.args)
    if runner is not None:
        text = f"{runner.name} may {runner.work} and run its code."
        yield ProfileWarning("fetch", INFO, text, "command")
    container = lacks_stdin(profile.command, profile.args)
    if container:
        text = f"{container} without -i closes standard input: the server receives no messages."
        yield ProfileWarning("no-stdin", WARNING, text, "args")


def _of_command(profile: Profile, find: Find) -> Iterator[ProfileWarning]:
    if not profile.command:
        yield ProfileWarning("no-command", WARNING, "No program specified.", "command")
        return
    if typed_arguments(profile, find):
        text = "The command contains arguments. Move them to Arguments."
        yield ProfileWarning("typed-arguments", WARNING, text, "command")
    elif not profile.cwd and not find(profile.command):
        text = f"“{mask_command_line(profile.command)}” is not on PATH."
        yield ProfileWarning("not-found", WARNING, text, "command")
    operators = [arg for arg in profile.args if _METACHARACTERS.match(arg)]
    if operators:
        text = f"No shell is used: “{'”, “'.join(operators)}” is passed to the program as is."
        yield ProfileWarning("metacharacters", WARNING, text, "args")


def _of_url(profile: Profile) -> Iterator[ProfileWarning]:
    if not is_url(profile.url):
        *others, last = (f"{scheme}://" for scheme in url_schemes())
        text = f"The URL must start with {', '.join(others)} or {last}."
        yield ProfileWarning("no-url", WARNING, text, "url")
    elif profile.url.lower().startswith("http://") and not _is_local(profile.url):
        text = "Plain HTTP: all data, including secrets, is sent unencrypted."
        yield ProfileWarning("plain-http", WARNING, text, "url")
    if is_unchecked(profile):
        text = (
            "Certificate verification is off: the connection can be intercepted, including secrets."
        )
        yield ProfileWarning("not-verified", WARNING, text, "verify")
    if "@" in profile.url.split("://", 1)[-1].split("/", 1)[0]:
        yield ProfileWarning("userinfo", WARNING, "The URL contains a password.", "url")
    if command := token_command(profile):
        text = f"Spyglass runs a program to get the access token: {command}"
        yield ProfileWarning("token-command", WARNING, text, "authorization")


def token_command(profile: Profile) -> str:
    """Return the command that is run for the access token, secrets masked; empty without one."""
    chosen = authorization.settings_of(profile)
    if chosen.way is not Way.COMMAND or not chosen.token_command:
        return ""
    return shlex.join(mask_arguments(chosen.token_command))


def is_unchecked(profile: ConnectionTarget) -> bool:
    """Whether an HTTPS server is not authenticated, because its certificate is not verified."""
    has_tls = "verify" in transport_kind(profile.transport).fields
    return has_tls and not profile.verify and profile.url.lower().startswith("https://")


def _is_local(url: str) -> bool:
    host = url.split("://", 1)[1].split("/", 1)[0].rsplit("@", 1)[-1]
    return bool(re.fullmatch(r"(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?", host))
