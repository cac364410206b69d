"""Commands that *register* a server with another client: Spyglass reads the server that they would register.

    claude mcp add NAME [-e K=V] [-t http|sse] [-H "Name: value"] [-s SCOPE] [--] COMMAND|URL [ARGS]
    claude mcp add-json NAME '{…}'      codex mcp add …      gemini mcp add …
    q mcp add --name NAME --command COMMAND --args A,B      kiro-cli mcp add --name NAME --url URL
    code --add-mcp '{…}'                curl [-H …] URL
    npx @modelcontextprotocol/inspector [-e K=V] [--] COMMAND|URL [ARGS]

Options may stand in any order. What follows the program is its arguments and never an option of
the client, unless the server is a URL.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.config.importers.config_files import read_json
from inspector.config.importers.result import (
    Imported,
    ImportResult,
    NotRecognized,
    one_server,
    relabeled,
    url_with_headers,
)
from inspector.config.importers.server_entry import is_url, transport_of
from inspector.config.profile import Profile
from inspector.session.transport_factory import guess_transport, transport_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_CLIENTS = (
    *("claude", "codex", "gemini", "amp", "qwen", "copilot", "q", "kiro-cli", "openhands"),
    *("devin", "auggie", "droid"),
)
_INSPECTOR = re.compile(r"@modelcontextprotocol/inspector(?:-cli)?(?:@.*)?")
_INSPECTOR_REQUEST = (
    *("--method", "--tool-name", "--tool-arg", "--uri", "--prompt-name", "--prompt-args"),
    *("--log-level", "--metadata", "--tool-metadata"),
)
"""Options of the official Inspector for the request that it sends without its window."""

_EDITORS = ("code", "code-insiders", "codium", "cursor", "windsurf")

_ENV = ("-e", "--env")
_HEADER = ("-H", "--header")
_TRANSPORT = ("-t", "--transport", "--type")
_VALUES = (
    *("-s", "--scope", "--timeout", "--description", "--bearer-token-env-var"),
    *("--client-id", "--env-file", "--include-tools", "--exclude-tools", "--callback-port"),
)
_NAMED_OPTIONS = {
    "--name": "name",
    "--command": "command",
    "--url": "url",
    "--server-url": "url",
    "--args": "args",
}
"""Options that hold what other clients take as positional arguments, in the order of these."""

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
    *("-X", "--request", "-d", "--data", "--data-raw", "-o", "--output"),
    *("-m", "--max-time"),
)


@dataclass
class _Options:
    """The options and positional arguments of a registering command."""

    has_name: bool = True
    """Whether a name of the server stands before the program or URL."""
    positional: list[str] = field(default_factory=list[str])
    """The name, then the program or URL, then its arguments."""
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
                self.positional += args[at + 1 :]
                break
            if len(self.positional) > self.has_name and not is_url(self.positional[self.has_name]):
                self.positional += args[at:]
                break
            at += self._read_one(args, at)
        self.positional += [
            value
            for key in dict.fromkeys(_NAMED_OPTIONS.values())
            for value in self.named.get(key, [])
        ]

    def _read_one(self, args: Sequence[str], at: int) -> int:
        """Read the argument at `at`; return how many arguments that took."""
        option, has_value, value = args[at].partition("=")
        if not option.startswith("-") or option == "-":
            self.positional.append(args[at])
            return 1
        values = [value] if has_value else self._following(option, args[at + 1 :])
        self._option(option, values)
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
            text = " ".join((option, *values))
            self.notes.append(f"Client option “{text}” was ignored.")


def _pair(text: str, separator: str) -> tuple[str, str]:
    name, _, value = text.partition(separator)
    return (name, value) if separator == "=" else (name.strip(), value.strip())


def read_known(tokens: Sequence[str]) -> ImportResult | None:
    """Return the servers a registering command names; None if it is no such command."""
    program = re.sub(r"\.(exe|cmd)$", "", re.split(r"[/\\]", tokens[0])[-1])
    if program in _CLIENTS and list(tokens[1:2]) == ["mcp"] and len(tokens) > 2:
        reader = _VERBS.get(tokens[2])
        return reader(tokens[0], tokens[3:]) if reader else _no_server(tokens)
    if program in _EDITORS and "--add-mcp" in tokens:
        rest = tokens[tokens.index("--add-mcp") + 1 :]
        return relabeled(read_json(rest[0] if rest else ""), f"{program} --add-mcp")
    if program == "curl":
        return _read_curl(tokens[1:])
    inspector = next((at for at, token in enumerate(tokens) if _INSPECTOR.fullmatch(token)), None)
    if inspector is not None and program in ("npx", "bunx", "pnpm", "yarn", "npm"):
        return _read_inspector(tokens[inspector + 1 :])
    return None


def _no_server(tokens: Sequence[str]) -> NotRecognized:
    return NotRecognized(f"“{' '.join(tokens[:3])}” does not define a server; use “add”.")


def _read_add(client: str, args: Sequence[str]) -> ImportResult:
    options = _Options()
    options.read(args)
    if len(options.positional) < 2:
        return NotRecognized(f"“{client} mcp add” requires a name followed by a command or URL.")
    return _profile(options, f"a “{client} mcp add” command")


def _read_inspector(args: Sequence[str]) -> ImportResult:
    """Return the server that a command line of the official Inspector would start or connect to."""
    options = _Options(has_name=False)
    own, file = _inspector_options(args)
    options.read(own)
    if not options.positional and file:
        return NotRecognized(f"The servers are in the file “{file}”. Paste what is in it.")
    if not options.positional:
        return NotRecognized(
            "This starts the Inspector without a server. Paste the command of the server."
        )
    options.positional.insert(0, "")
    return _profile(options, "a command line of the MCP Inspector")


def _inspector_options(args: Sequence[str]) -> tuple[list[str], str]:
    """Return the arguments without those for a request on the command line, and the file that holds the servers."""
    end = args.index("--") if "--" in args else len(args)
    is_cli = "--cli" in args[:end]
    own, file, pending = list[str](), "", iter(args[:end])
    for arg in pending:
        option, has_value, value = arg.partition("=")
        if option in ("--config", "--server") and not own:
            value = value if has_value else next(pending, "")
            file = value if option == "--config" else file
        elif is_cli and option in _INSPECTOR_REQUEST:
            value = value if has_value else next(pending, "")
        else:
            own.append(arg)
    return [*own, *args[end:]], file


def _profile(options: _Options, kind: str) -> Imported:
    name, target, *rest = options.positional
    profile = Profile(
        name=name,
        transport=transport_of(options.transport) or "stdio",
        env=tuple(options.env),
        headers=tuple(options.headers),
    )
    if is_url(target) or not transport_kind(profile.transport).is_process:
        profile = _at_url(profile, target, options)
        options.notes += [f"“{arg}” was ignored." for arg in rest]
    else:
        profile = replace(profile, command=target, args=tuple(rest))
    return one_server(profile, kind, options.notes)


def _at_url(profile: Profile, url: str, options: _Options) -> Profile:
    if transport_kind(profile.transport).is_process:
        if options.transport == "stdio":
            options.notes.append("Transport is stdio but a URL was given; using HTTP.")
        return replace(profile, transport=guess_transport(url), url=url)
    return replace(profile, url=url)


def _read_add_json(client: str, args: Sequence[str]) -> ImportResult:
    positional = [arg for arg in args if not arg.startswith("-")]
    if len(positional) < 2:
        return NotRecognized(f"“{client} mcp add-json” requires a name followed by JSON.")
    kind = f"a “{client} mcp add-json” command"
    return relabeled(read_json(positional[1]), kind, positional[0])


def _read_curl(args: Sequence[str]) -> ImportResult:
    headers: list[tuple[str, str]] = []
    url, pending = "", iter(args)
    for arg in pending:
        if arg in _HEADER:
            headers.append(_pair(next(pending, ""), ":"))
        elif arg in _CURL_VALUES:
            next(pending, "")
        elif is_url(arg):
            url = arg
    if not url:
        return NotRecognized("This curl command has no http or https URL.")
    return url_with_headers(url, headers, "a curl command")


_VERBS: dict[str, Callable[[str, Sequence[str]], ImportResult]] = {
    "add": _read_add,
    "add-json": _read_add_json,
}
