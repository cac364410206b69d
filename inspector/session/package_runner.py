"""Programs that download what they run: `npx`, `uvx`, `docker run` and their kin. Pure; nothing is started or looked up.

The first start of such a command takes as long as the network does, and most of these programs are silent meanwhile. Ending one in the
middle of it can leave an incomplete installation behind.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class PackageRunner(FrozenStruct, frozen=True):
    """A command that may download the server before it starts it."""

    name: str
    """The command without arguments, e.g. `uv tool run`."""
    work: str
    """What it may do first, after *may*, e.g. `download the package from npm`."""


_NPM = "download the package from npm"
_PYPI = "download the package from PyPI"
_IMAGE = "pull the image from its registry"
_NUGET = "download the package from NuGet"
_BUILD = "download dependencies and build the program"

_RUNNERS: dict[tuple[str, ...], str] = {
    ("npx",): _NPM,
    ("pnpx",): _NPM,
    ("bunx",): _NPM,
    ("npm", "exec"): _NPM,
    ("npm", "x"): _NPM,
    ("pnpm", "dlx"): _NPM,
    ("yarn", "dlx"): _NPM,
    ("bun", "x"): _NPM,
    ("deno", "run"): "download the modules it imports",
    ("uvx",): _PYPI,
    ("uv", "tool", "run"): _PYPI,
    ("uv", "x"): _PYPI,
    ("uv", "run"): _PYPI,
    ("pipx",): _PYPI,
    ("docker", "run"): _IMAGE,
    ("docker", "container", "run"): _IMAGE,
    ("docker", "compose"): _IMAGE,
    ("podman", "run"): _IMAGE,
    ("nerdctl", "run"): _IMAGE,
    ("dnx",): _NUGET,
    ("dotnet", "dnx"): _NUGET,
    ("dotnet", "tool", "exec"): _NUGET,
    ("dotnet", "run"): _BUILD,
    ("go", "run"): _BUILD,
    ("cargo", "run"): _BUILD,
    ("jbang",): "download dependencies from Maven",
}
"""The arguments a command begins with, options left out, and what the program may do first."""

MAX_ARGS = 5
"""Arguments after the program that are searched for its verb."""

_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "fish", "cmd", "powershell", "pwsh"})
_SCRIPT = re.compile(r"[-/]\w*c(ommand)?", re.IGNORECASE)
"""The option that comes before the script of a shell: `-c`, `-lc`, `/c`, `-Command`."""

_INTERPRETER = re.compile(r"python[\d.]*w?|pypy[\d.]*|node|nodejs|ruby|perl|php|irb|lua")
_WITH_CODE = frozenset({"-c", "-e", "-m", "--eval", "-r", "--version", "--help"})
"""Options that bring a program, or end without one."""

_WRAPPERS = frozenset({"env", "sudo", "doas", "nice", "nohup", "exec", "time"})
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")

_CONTAINERS = frozenset({"docker", "podman", "nerdctl", "kubectl"})
_KEEPS_NO_INPUT = frozenset({"run", "exec"})
_SWITCHES = frozenset(
    {
        *("--rm", "--init", "--privileged", "--read-only", "--detach", "--tty", "--publish-all"),
        *("--no-healthcheck", "--oom-kill-disable", "--sig-proxy", "--quiet", "--replace", "--rmi"),
        *("--disable-content-trust", "--stdin"),
    }
)
"""Options of `docker run` without a value of their own."""

_SHORT_SWITCHES = re.compile(r"-[itdPq]+")


def program_name(command: str) -> str:
    """Return the program's name without folder and ending, in lower case."""
    base = re.split(r"[/\\]", command)[-1].lower()
    return re.sub(r"\.(exe|cmd|bat|ps1)$", "", base)


def find_runner(command: str, args: Sequence[str]) -> PackageRunner | None:
    """Return the package runner that a command line starts, also behind a shell, `env` or `sudo`; None for any other program."""
    name, rest = _unwrapped(command, args)
    text = [word for word in rest if not word.startswith("-")][:MAX_ARGS]
    for (program, *verbs), work in _RUNNERS.items():
        if program == name and _follow(verbs, text):
            return PackageRunner(" ".join((program, *verbs)), work)
    return None


def is_bare_interpreter(command: str, args: Sequence[str]) -> bool:
    """Whether a command line starts an interpreter without a program: it reads one from standard input."""
    name, rest = _unwrapped(command, args)
    is_interpreter = _INTERPRETER.fullmatch(name) is not None or name in _SHELLS
    return is_interpreter and all(arg.startswith("-") for arg in rest) and not _WITH_CODE & {*rest}


def lacks_stdin(command: str, args: Sequence[str]) -> str:
    """Return the container command (`docker run`) that keeps standard input closed because `-i` is missing; empty otherwise."""
    name, rest = _unwrapped(command, args)
    if name not in _CONTAINERS:
        return ""
    text = iter(rest)
    verb = next((word for word in text if not word.startswith("-") and word != "container"), "")
    if verb not in _KEEPS_NO_INPUT or any(_opens_stdin(word) for word in _options(text)):
        return ""
    return f"{name} {verb}"


def _follow(verbs: list[str], texts: list[str]) -> bool:
    """Whether `texts` have `verbs` in that order; values of options (`uv --directory D run`) may be between them."""
    rest = iter(texts)
    return all(verb in rest for verb in verbs)


def _options(text: Iterator[str]) -> Iterator[str]:
    """The options before the image; values of options are left out."""
    for word in text:
        if not word.startswith("-") or word == "--":
            return
        yield word
        has_value = "=" in word or word in _SWITCHES or _SHORT_SWITCHES.fullmatch(word)
        if not has_value and not _opens_stdin(word):
            next(text, None)


def _opens_stdin(option: str) -> bool:
    is_short = _SHORT_SWITCHES.fullmatch(option) is not None and "i" in option
    return is_short or option in {"--interactive", "--interactive=true", "--stdin", "--stdin=true"}


def _unwrapped(command: str, args: Sequence[str]) -> tuple[str, list[str]]:
    """The program behind shells and wrappers, and its arguments."""
    name, rest = program_name(command), list(args)
    for _ in range(3):  # `sudo env sh -c "npx …"` is as deep as commands get
        inner = _script(name, rest) if name in _SHELLS else _wrapped(name, rest)
        if not inner:
            break  # the program itself
        name, rest = program_name(inner[0]), inner[1:]
    return name, rest


def _script(shell: str, args: list[str]) -> list[str]:
    at = next((at for at, arg in enumerate(args) if _SCRIPT.fullmatch(arg)), None)
    if at is None or at + 1 >= len(args):
        return []
    if shell == "cmd":
        return args[at + 1 :]
    try:
        text = shlex.split(args[at + 1])
    except ValueError:
        return []
    steps = [at for at, word in enumerate(text) if word in {"&&", ";"}]
    return _wrapped("env", text[steps[-1] + 1 :] if steps else text)


def _wrapped(name: str, args: list[str]) -> list[str]:
    if name not in _WRAPPERS:
        return []
    at = 0
    while at < len(args) and (
        _ASSIGNMENT.match(args[at]) or args[at].startswith("-") or args[at] in _WRAPPERS
    ):
        at += 1
    return args[at:]
