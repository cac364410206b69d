"""Commands that *register* a server with another client: what they would register is what we read.

    claude mcp add NAME [-e K=V] [-t http|sse] [-H "Name: value"] [-s SCOPE] [--] COMMAND|URL [ARGS]
    claude mcp add-json NAME '{…}'      codex mcp add …      gemini mcp add …
    q mcp add --name NAME --command COMMAND --args A,B      kiro-cli mcp add --name NAME --url URL
    code --add-mcp '{…}'                curl [-H …] URL
    npx @modelcontextprotocol/inspector [-e K=V] [--] COMMAND|URL [ARGS]

Options may stand in any order. The words after the program are its arguments and are never options of
the client, unless the server is a URL.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inspector.config.importers.config_files import read_json
from inspector.config.importers.http_lines import TRANSPORT_HEADERS
from inspector.config.importers.result import Imported, ImportResult, NotRecognized
from inspector.config.importers.server_entry import is_url, transport_of
from inspector.config.names import name_for
from inspector.config.profile import Profile, with_
from inspector.session.transports import guess_transport, transport_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_CLIENTS = (
    "claude",
    "codex",
    "gemini",
    "amp",
    "qwen",
    "copilot",
    "q",
    "kiro-cli",
    "openhands",
    "devin",
    "auggie",
    "droid",
)
_INSPECTOR = re.compile(r"@modelcontextprotocol/inspector(?:-cli)?(?:@.*)?")
_EDITORS = ("code", "code-insiders", "codium", "cursor", "windsurf")

_ENV = ("-e", "--env")
_HEADER = ("-H", "--header")
_TRANSPORT = ("-t", "--transport", "--type")
_VALUES = (
    "-s",
    "--scope",
    "--timeout",
    "--description",
    "--bearer-token-env-var",
    "--client-id",
    "--env-file",
    "--include-tools",
    "--exclude-tools",
    "--callback-port",
)
_NAMED_OPTIONS = {
    "--name": "name",
    "--command": "command",
    "--url": "url",
    "--server-url": "url",
    "--args": "args",
}
"""Options that hold what other clients take as words, in the order of the words."""

_NO_CONSEQUENCE = ("-s", "--scope", "--cli", "-y")
"""Where the other client keeps the server, and how it runs."""
_CREDENTIAL_NOTES = {
    "--bearer-token-env-var": "no “Authorization” header is sent. Add it below with the value of the variable.",
    "--client-id": "Spyglass does not sign in with it.",
    "--client-secret": "Spyglass does not sign in with it.",
    "--env-file": "the variables in that file are not read. Add them below.",
}
"""Options of clients that carry a credential, and what the server does not get."""

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
_HEADER_TEXT = re.compile(r"[\w-]+:.*", re.DOTALL)
_CURL_VALUES = (
    "-X",
    "--request",
    "-d",
    "--data",
    "--data-raw",
    "-o",
    "--output",
    "-m",
    "--max-time",
)


@dataclass
class _Options:
    """What the options and words of a registering command say."""

    has_name: bool = True
    """Whether a name of the server stands before the program or URL."""
    words: list[str] = field(default_factory=list[str])
    """Words that are not options: the name, then the program or URL, then arguments."""
    named: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """The same three where they are options: `--name`, `--command`, `--args`."""
    env: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    headers: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    transport: str = ""
    notes: list[str] = field(default_factory=list[str])

    def read(self, args: Sequence[str]) -> None:
        at = 0
        while at < len(args):
            if args[at] == "--":
                self.words += args[at + 1 :]
                break
            if len(self.words) > self.has_name and not is_url(self.words[self.has_name]):
                self.words += args[at:]
                break
            at += self._take(args, at)
        self.words += [
            word
            for key in dict.fromkeys(_NAMED_OPTIONS.values())
            for word in self.named.get(key, [])
        ]

    def _take(self, args: Sequence[str], at: int) -> int:
        """Take in the word at `at`; return how many words that took."""
        word, has_value, value = args[at].partition("=")
        if not word.startswith("-") or word == "-":
            self.words.append(args[at])
            return 1
        values = [value] if has_value else self._following(word, args[at + 1 :])
        self._option(word, values)
        return 1 if has_value else 1 + len(values)

    @staticmethod
    def _following(option: str, rest: Sequence[str]) -> list[str]:
        """Return the values of an option: those of -e and -H repeat for as long as they look it."""
        shape = _ASSIGNMENT if option in _ENV else _HEADER_TEXT if option in _HEADER else None
        if shape is None:
            return list(rest[:1]) if option in (*_TRANSPORT, *_VALUES, *_NAMED_OPTIONS) else []
        values: list[str] = []
        for text in rest:
            if not shape.fullmatch(text) or is_url(text):
                break
            values.append(text)
        return values

    def _option(self, option: str, values: list[str]) -> None:
        if option in _ENV:
            self.env += [_pair(value, "=") for value in values]
        elif option in _HEADER:
            self.headers += [_pair(value, ":") for value in values]
        elif option in _TRANSPORT:
            self.transport = "".join(values)
        elif option in _NAMED_OPTIONS:
            parts = [part for value in values for part in value.split(",")]
            self.named.setdefault(_NAMED_OPTIONS[option], []).extend(
                parts if option == "--args" else values
            )
        elif option in _CREDENTIAL_NOTES:
            self.notes.append(f"“{option}” is not used: {_CREDENTIAL_NOTES[option]}")
        elif option not in _NO_CONSEQUENCE:
            shown = " ".join((option, *values))
            self.notes.append(f"Client option “{shown}” was ignored.")


def _pair(text: str, separator: str) -> tuple[str, str]:
    name, _, value = text.partition(separator)
    return (name, value) if separator == "=" else (name.strip(), value.strip())


def read_known(words: Sequence[str]) -> ImportResult | None:
    """Return the servers a registering command names; None if it is no such command."""
    program = re.sub(r"\.(exe|cmd)$", "", re.split(r"[/\\]", words[0])[-1])
    if program in _CLIENTS and list(words[1:2]) == ["mcp"] and len(words) > 2:
        reader = _VERBS.get(words[2])
        return reader(words[0], words[3:]) if reader else _no_server(words)
    if program in _EDITORS and "--add-mcp" in words:
        rest = words[words.index("--add-mcp") + 1 :]
        return _named(read_json(rest[0] if rest else ""), f"{program} --add-mcp")
    if program == "curl":
        return _read_curl(words[1:])
    inspector = next((at for at, word in enumerate(words) if _INSPECTOR.fullmatch(word)), None)
    if inspector is not None and program in ("npx", "bunx", "pnpm", "yarn", "npm"):
        return _read_inspector(words[inspector + 1 :])
    return None


def _no_server(words: Sequence[str]) -> NotRecognized:
    return NotRecognized(f"“{' '.join(words[:3])}” does not define a server; use “add”.")


def _read_add(client: str, args: Sequence[str]) -> ImportResult:
    options = _Options()
    options.read(args)
    if len(options.words) < 2:
        return NotRecognized(f"“{client} mcp add” requires a name followed by a command or URL.")
    return _profile(options, f"a “{client} mcp add” command")


def _read_inspector(args: Sequence[str]) -> ImportResult:
    """Return the server that a command line of the official Inspector would start or connect to."""
    options = _Options(has_name=False)
    options.read(args)
    if not options.words:
        return NotRecognized(
            "This starts the Inspector without a server. Paste the command of the server."
        )
    options.words.insert(0, "")
    reading = _profile(options, "a command line of the MCP Inspector")
    profile = reading.profiles[0]
    return Imported((with_(profile, name=name_for(profile)),), reading.source, reading.warnings)


def _profile(options: _Options, kind: str) -> Imported:
    name, target, *rest = options.words
    profile = Profile(
        name=name,
        transport=transport_of(options.transport) or "stdio",
        env=tuple(options.env),
        headers=tuple(options.headers),
    )
    if is_url(target) or not transport_kind(profile.transport).is_process:
        profile = _at_url(profile, target, options)
        options.notes += [f"“{word}” was ignored." for word in rest]
    else:
        profile = with_(profile, command=target, args=tuple(rest))
    return Imported((profile,), kind, tuple(options.notes))


def _at_url(profile: Profile, url: str, options: _Options) -> Profile:
    if transport_kind(profile.transport).is_process:
        if options.transport == "stdio":
            options.notes.append("Transport is stdio but a URL was given; using HTTP.")
        return with_(profile, transport=guess_transport(url), url=url)
    return with_(profile, url=url)


def _read_add_json(client: str, args: Sequence[str]) -> ImportResult:
    words = [arg for arg in args if not arg.startswith("-")]
    if len(words) < 2:
        return NotRecognized(f"“{client} mcp add-json” requires a name followed by JSON.")
    kind = f"a “{client} mcp add-json” command"
    return _named(read_json(words[1]), kind, name=words[0])


def _named(reading: ImportResult, kind: str, *, name: str = "") -> ImportResult:
    if isinstance(reading, NotRecognized):
        return reading
    profiles = reading.profiles
    if name and len(profiles) == 1:
        profiles = (with_(profiles[0], name=name),)
    return Imported(profiles, kind, reading.warnings)


def _read_curl(args: Sequence[str]) -> ImportResult:
    headers: list[tuple[str, str]] = []
    url, waiting = "", iter(args)
    for arg in waiting:
        if arg in _HEADER:
            headers.append(_pair(next(waiting, ""), ":"))
        elif arg in _CURL_VALUES:
            next(waiting, "")
        elif is_url(arg):
            url = arg
    if not url:
        return NotRecognized("This curl command has no http or https URL.")
    kept = tuple(pair for pair in headers if pair[0].lower() not in TRANSPORT_HEADERS)
    profile = Profile(transport=guess_transport(url), url=url, headers=kept)
    notes = ["Headers set by the transport were ignored."] if kept != tuple(headers) else []
    return Imported((with_(profile, name=name_for(profile)),), "a curl command", tuple(notes))


_VERBS: dict[str, Callable[[str, Sequence[str]], ImportResult]] = {
    "add": _read_add,
    "add-json": _read_add_json,
}
