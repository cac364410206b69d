"""What a person should notice about a profile before it runs. Data; nothing is forbidden.

Pure but for `find` and `is_folder`, which are given: one tells where a program would be found, as `shutil.which` does, the other
whether there is such a folder.
"""

from __future__ import annotations

import re
import shlex
from enum import IntEnum
from typing import TYPE_CHECKING

from inspector.auth.settings import Way
from inspector.config import authorization
from inspector.config.importers.server_entry import is_url
from inspector.config.profile import with_
from inspector.fact import Fact
from inspector.session.package_runner import find_runner, lacks_stdin, program_name
from inspector.session.placeholders import placeholders, placeholders_of
from inspector.session.transports import transport_kind, url_schemes
from inspector.wire.secrecy import DOTS, mask_arguments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inspector.config.profile import Profile
    from inspector.session.target import Target

    Find = Callable[[str], str | None]


class Level(IntEnum):
    """How much a caution matters."""

    INFO = 0
    WARNING = 1
    DANGER = 2


class ProfileWarning(Fact, frozen=True):
    """Something to notice about a profile."""

    rule: str
    """A short name for tests and tables."""
    level: Level
    """How much it matters."""
    text: str
    """What it is, and what follows from it."""
    field: str
    """The field it is about: `command`, `args`, `env`, `cwd`, `url`, `headers`, `verify`, `authorization`, `record_secrets`."""


_ROOT = frozenset(["sudo", "su", "doas", "pkexec", "runas"])
_SHELLS = frozenset(["sh", "bash", "zsh", "dash", "fish", "ksh", "cmd", "powershell", "pwsh"])
_METACHARACTERS = re.compile(r"^(?:&&|\|\|?|;|&|[<>]{1,2}.*|2>.*)$")
_DESTRUCTIVE = re.compile(
    r"\brm\s+-\w*[rf]|\bmkfs\b|\bdd\s+if=|\bdel\s+/[sq]|\bformat\s+[a-z]:", re.I
)
_PIPED_SCRIPT = re.compile(r"\b(?:curl|wget)\b|\|\s*+(?:sudo\s++)?\w*+(?<=sh)|\n")
"""What fetches, what pipes into a shell, and the end of a line."""


def typed_arguments(profile: Profile, find: Find) -> tuple[str, tuple[str, ...]] | None:
    """Return program and arguments if arguments were typed into the command, else None."""
    program, *rest = profile.command.split() or [""]
    if not rest or find(profile.command):
        return None
    if re.search(r"[/\\]", program) and not find(program):
        return None  # more likely a path with spaces in it
    return program, (*rest, *profile.args)


def split_command(profile: Profile, find: Find) -> Profile:
    """Return the profile with arguments typed into the command moved to where they belong."""
    typed = typed_arguments(profile, find)
    return with_(profile, command=typed[0], args=typed[1]) if typed else profile


def profile_warnings(
    profile: Profile, find: Find, is_folder: Callable[[str], bool] = bool
) -> tuple[ProfileWarning, ...]:
    """Return what to notice, the gravest first; `is_folder` tells whether there is such a folder."""
    rules = (
        _of_process(profile, find, is_folder)
        if transport_kind(profile.transport).is_process
        else _of_url(profile)
    )
    found = (*rules, *_of_placeholders(profile), *_of_recordings(profile))
    return tuple(sorted(found, key=lambda caution: -caution.level))


def _of_placeholders(profile: Profile) -> Iterator[ProfileWarning]:
    values = authorization.credentials(profile.authorization).values()
    names_in = [name for value in values for name in placeholders(value, is_value=True)]
    found = {**placeholders_of(profile), "authorization": tuple(dict.fromkeys(names_in))}
    for field, names in found.items():
        names = tuple(name for name in names if name != DOTS or not profile.extracted)
        if not names:
            continue
        words = (
            f"Placeholders are sent as they are: {', '.join(names)}. Replace them with the values."
        )
        yield ProfileWarning("placeholder", Level.WARNING, words, field)


def _of_recordings(profile: Profile) -> Iterator[ProfileWarning]:
    if profile.record_secrets:
        words = "Recordings hold the secrets of this server in clear: do not share them."
        yield ProfileWarning("secrets-recorded", Level.WARNING, words, "record_secrets")


def _of_process(
    profile: Profile, find: Find, is_folder: Callable[[str], bool]
) -> Iterator[ProfileWarning]:
    whole = " ".join((profile.command, *profile.args))
    name = program_name(profile.command)
    if name in _ROOT or any(arg in _ROOT for arg in profile.args):
        yield ProfileWarning(
            "root", Level.DANGER, "Runs with elevated privileges (sudo).", "command"
        )
    if _DESTRUCTIVE.search(whole):
        yield ProfileWarning("destructive", Level.DANGER, "Can delete or overwrite files.", "args")
    if _runs_fetched_script(whole):
        yield ProfileWarning(
            "script", Level.DANGER, "Runs a script downloaded from the network.", "args"
        )
    if name in _SHELLS and any(
        arg in ("-c", "/c", "/C", "-Command", "-lc") for arg in profile.args
    ):
        words = "The next argument is run by a shell: everything in it is executed."
        yield ProfileWarning("shell", Level.WARNING, words, "args")
    yield from _of_command(profile, find)
    if profile.cwd and not is_folder(profile.cwd):
        words = f"Working directory “{profile.cwd}” does not exist."
        yield ProfileWarning("no-folder", Level.WARNING, words, "cwd")
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
        words = f"{runner.name} may {runner.work} and run its code."
        yield ProfileWarning("fetch", Level.INFO, words, "command")
    container = lacks_stdin(profile.command, profile.args)
    if container:
        words = f"{container} without -i closes standard input: the server receives no messages."
        yield ProfileWarning("no-stdin", Level.WARNING, words, "args")


def _of_command(profile: Profile, find: Find) -> Iterator[ProfileWarning]:
    if not profile.command:
        yield ProfileWarning("no-command", Level.WARNING, "No program specified.", "command")
        return
    if typed_arguments(profile, find):
        words = "The command contains arguments. Move them to Arguments."
        yield ProfileWarning("typed-arguments", Level.WARNING, words, "command")
    elif not profile.cwd and not find(profile.command):
        words = f"“{profile.command}” is not on PATH."
        yield ProfileWarning("not-found", Level.WARNING, words, "command")
    odd = [arg for arg in profile.args if _METACHARACTERS.match(arg)]
    if odd:
        words = f"No shell is used: “{'”, “'.join(odd)}” is passed to the program as is."
        yield ProfileWarning("metacharacters", Level.WARNING, words, "args")


def _of_url(profile: Profile) -> Iterator[ProfileWarning]:
    if not is_url(profile.url):
        *others, last = (f"{scheme}://" for scheme in url_schemes())
        words = f"The URL must start with {', '.join(others)} or {last}."
        yield ProfileWarning("no-url", Level.WARNING, words, "url")
    elif profile.url.lower().startswith("http://") and not _is_local(profile.url):
        words = "Plain HTTP: all data, including secrets, is sent unencrypted."
        yield ProfileWarning("plain-http", Level.WARNING, words, "url")
    if is_unchecked(profile):
        words = (
            "Certificate verification is off: the connection can be intercepted, including secrets."
        )
        yield ProfileWarning("not-verified", Level.WARNING, words, "verify")
    if "@" in profile.url.split("://", 1)[-1].split("/", 1)[0]:
        yield ProfileWarning("userinfo", Level.WARNING, "The URL contains a password.", "url")
    if command := token_command(profile):
        words = f"Spyglass runs a program to get the access token: {command}"
        yield ProfileWarning("token-command", Level.WARNING, words, "authorization")


def token_command(profile: Profile) -> str:
    """Return the command that is run for the access token, secrets hidden; empty where there is none."""
    chosen = authorization.settings_of(profile)
    if chosen.way is not Way.COMMAND or not chosen.token_command:
        return ""
    return shlex.join(mask_arguments(chosen.token_command))


def is_unchecked(profile: Target) -> bool:
    """Whether the server could be anybody: its certificate is not checked."""
    has_tls = "verify" in transport_kind(profile.transport).fields
    return has_tls and not profile.verify and profile.url.lower().startswith("https://")


def _is_local(url: str) -> bool:
    host = url.split("://", 1)[1].split("/", 1)[0].rsplit("@", 1)[-1]
    return bool(re.fullmatch(r"(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?", host))
