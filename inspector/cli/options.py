"""The command line, taken apart. What stands behind `--` is the server's and is not looked at."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from msgspec import field

from inspector.cli.auth_options import AUTH_TASKS, AuthOptions, add_auth_options, read_auth
from inspector.cli.exit_codes import USAGE
from inspector.cli.url_guess import suggested_url
from inspector.config.importers.server_entry import is_url
from inspector.errors import NegotiationFailed
from inspector.fact import Fact
from inspector.session.negotiate import first_offer
from inspector.version import VERSION
from inspector.wire import jsontext
from inspector.wire.jsontext import JsonTextError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.config.profile import Transport
    from inspector.wire.jsontext import Json, JsonObject

_TASKS = {
    "info": (0, 0, "info"),
    "tools": (0, 0, "tools"),
    "resources": (0, 0, "resources"),
    "prompts": (0, 0, "prompts"),
    "call": (1, 1000, "call NAME [JSON | KEY=TEXT ... KEY:=JSON ...]"),
    "read": (1, 1, "read URI"),
    "prompt": (1, 1000, "prompt NAME [JSON | KEY=TEXT ...]"),
    "request": (1, 2, "request METHOD [PARAMS]"),
    "raw": (1, 1, "raw TEXT"),
    "auth": (0, 0, "auth URL"),
    "login": (0, 0, "login URL"),
    "logout": (0, 0, "logout URL"),
    "transcript": (1, 1, "transcript FILE"),
}
"""Each task: how many words it takes at least and at most, and how it is written."""

_PAIR = re.compile(r"([^\s={}\[\]\":]+)(:?)=(.*)", re.DOTALL)

_DESCRIPTION = """\
Connects to an MCP server, does one thing with it, and disconnects.

tasks:
  info                    who the server is, what both sides declared
  tools                   the tools it lists, one a line
  resources, prompts      the same for resources with their templates, and for prompts
  call NAME [ARGUMENTS]   call a tool: JSON, or KEY=TEXT for strings and KEY:=JSON for other values
  read URI                read a resource
  prompt NAME [ARGUMENTS] get a prompt: JSON, or KEY=TEXT
  request METHOD [PARAMS] send any request with the metadata and headers of the revision; print the result
  raw TEXT                send TEXT as one frame, valid or not; print the response
  auth URL                show what a protected server and its authorization server publish, checked, without logging in
  login URL               log in with the browser, or as a client, and keep the token in the system keyring
  logout URL              revoke the token and forget it
  transcript FILE         print a recording; needs no server

The server is started with the COMMAND after `--`; every ARG reaches it unchanged. A URL there (http, https or tcp) is
connected to instead. `--server NAME` uses a server saved in Spyglass, or, with `--config FILE`, an entry of another client's file.
Every task uses the token of an earlier login; a header of `--header` wins over it.
"""

_EPILOG = """\
exit codes: 0 fine, 1 usage, 2 could not connect, 3 the server responded with an error or not at all, or breaks a MUST (auth),
4 the tool reported an error, 5 the server requires authorization, or logging in failed, 6 the revision of --revision is not
confirmed by the server, 7 --strict and a problem was found, 8 standard output could not be written, 130 ended with Ctrl+C.
Findings and failures are printed on stderr.
"""


class Options(Fact, frozen=True):
    """What is to be done."""

    command: str
    """A key of the tasks."""
    args: tuple[str, ...]
    """What the task is about: a name and arguments, a text, a file."""
    json: bool
    """Print one JSON document instead of text for people."""
    quiet: bool
    """Tell no findings."""
    revision: str
    """The revision to insist on; empty for automatic."""
    timeout_seconds: float
    """How long to wait for a response; 0 for the default or what a saved server says."""
    env: tuple[tuple[str, str], ...]
    """Variables added to the server's environment."""
    cwd: str
    """The server's working directory; empty for ours."""
    headers: tuple[tuple[str, str], ...]
    """HTTP headers sent with every request."""
    transport: Transport | None
    """How to reach a URL; none for what the URL suggests."""
    record: Path | None
    """Where the transcript is kept; nowhere without."""
    record_secrets: bool
    """Keep secrets in the recording in clear."""
    secrets: bool
    """Print secrets of a transcript, too."""
    target: tuple[str, ...]
    """The server's program and its arguments, or its URL; empty where `server` or `config` names one."""
    server: str = ""
    """The name of a saved server, or of an entry of `config`."""
    config: Path | None = None
    """A file with servers of another client."""
    fill: bool = False
    """Fill placeholders of `config` from the environment."""
    folder: Path | None = None
    """Where Spyglass keeps its servers; None for the usual folder of the user."""
    insecure: bool = False
    """Do not verify the certificate of the server."""
    ca_file: str = ""
    """Certificates to trust besides those of the system (PEM)."""
    client_cert: str = ""
    """A certificate and its key to present to the server (PEM)."""
    proxy: str = ""
    """The URL of the proxy; empty for what the environment says."""
    meta: JsonObject = field(default_factory=dict[str, "Json"])
    """Members of `_meta` for the request of the task."""
    strict: bool = False
    """Exit with a code of its own when a problem is found."""
    output: Path | None = None
    """A file for what otherwise goes to standard output."""
    arguments: str | None = None
    """The arguments of `call` and `prompt` as JSON text; None for none at all."""
    auth: AuthOptions = AuthOptions()
    """How to be let in by a protected server."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {message}\n")


def read(arguments: Sequence[str]) -> Options:
    """Read the command line; ends the program with words and code when it cannot be followed."""
    parser = _parser()
    ours, command = _split(arguments)
    found = parser.parse_intermixed_args(ours)
    words: tuple[str, ...] = tuple(found.words)
    if found.task in AUTH_TASKS and not command:
        words, command = (), words
    _check(parser, found, words, command)
    return Options(
        command=found.task,
        args=words,
        json=found.json,
        quiet=found.quiet,
        revision=found.revision,
        timeout_seconds=found.timeout,
        env=tuple(found.env),
        cwd=found.cwd,
        headers=tuple(found.header),
        transport=found.transport,
        record=found.record,
        record_secrets=found.record_secrets,
        secrets=found.secrets,
        target=command,
        server=found.server,
        config=found.config,
        fill=found.fill,
        folder=found.folder,
        insecure=found.insecure,
        ca_file=found.ca,
        client_cert=found.client_cert,
        proxy=found.proxy,
        meta=dict(found.meta),
        strict=found.strict,
        output=found.output,
        arguments=_arguments(parser, found.task, words[1:]),
        auth=read_auth(found.task, found, parser.error),
    )


def _split(arguments: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    if "--" not in arguments:
        return list(arguments), ()
    at = list(arguments).index("--")
    return list(arguments[:at]), tuple(arguments[at + 1 :])


def _parser() -> _Parser:
    parser = _Parser(
        prog="spyglass-cli",
        usage="%(prog)s [options] TASK [WORD ...] -- COMMAND [ARG ...]\n"
        "       %(prog)s [options] TASK [WORD ...] -- URL\n"
        "       %(prog)s [options] TASK [WORD ...] --server NAME\n"
        "       %(prog)s [options] auth|login|logout URL\n"
        "       %(prog)s [options] transcript FILE",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("task", choices=tuple(_TASKS), help=argparse.SUPPRESS)
    add("words", nargs="*", help=argparse.SUPPRESS)
    add("--json", action="store_true", help="print for programs: JSON, every value exact")
    add("--quiet", action="store_true", help="do not look for findings, which takes a second")
    add("--strict", action="store_true", help="exit with 7 when a problem is found")
    add("--output", type=Path, metavar="FILE", help="write the result to a new FILE")
    add("--record", type=Path, metavar="FILE", help="keep the transcript in a new FILE")
    add(
        "--record-secrets",
        action="store_true",
        help="keep tokens, cookies and keys in that FILE in clear, not as markers",
    )
    add("--secrets", action="store_true", help="print a recording with the secrets it holds")
    _add_server_options(parser)
    add_auth_options(parser)
    add("--version", action="version", version=f"%(prog)s {VERSION}")
    return parser


def _add_server_options(parser: _Parser) -> None:
    add = parser.add_argument
    add("--server", default="", metavar="NAME", help="use a saved server, or an entry of --config")
    add("--config", type=Path, metavar="FILE", help="read servers from a file such as mcp.json")
    add("--fill", action="store_true", help="fill placeholders in it from the environment")
    add("--folder", type=Path, metavar="D", help="where Spyglass keeps its servers")
    add("--revision", type=_revision, default="", metavar="R", help="insist on a revision")
    add(
        "--timeout",
        type=_seconds,
        default=0.0,
        metavar="S",
        help="seconds to wait for a response (default 60)",
    )
    add("--env", type=_pair, action="append", default=[], metavar="K=V", help="add a variable")
    add("--cwd", default="", metavar="D", help="working directory of the server")
    add(
        "--header",
        type=_header,
        action="append",
        default=[],
        metavar="'K: V'",
        help="send a header",
    )
    add(
        "--meta",
        type=_meta,
        action="append",
        default=[],
        metavar="K=V",
        help="add a member of _meta; V is JSON or text",
    )
    add("--transport", choices=("http", "sse", "tcp"), help="how to reach a URL")
    add(
        "--proxy",
        default="",
        metavar="URL",
        help="use a proxy; without it, what the environment says",
    )
    add("--ca", default="", metavar="FILE", help="trust the certificates in FILE (PEM)")
    add(
        "--client-cert",
        default="",
        metavar="FILE",
        help="present the certificate and key in FILE (PEM)",
    )
    add("--insecure", action="store_true", help="do not verify the certificate of the server")


def _check(
    parser: _Parser, found: argparse.Namespace, words: tuple[str, ...], command: tuple[str, ...]
) -> None:
    task: str = found.task
    least, most, form = _TASKS[task]
    if not least <= len(words) <= most:
        parser.error(f"it is written: {form}{_separator_hint(task, words)}")
    names_server = bool(command or found.server or found.config)
    if task == "transcript" and names_server:
        parser.error("transcript reads a file and starts no server")
    if task != "transcript" and not names_server:
        hint = _separator_hint(task, words)
        given = "its URL" if task in AUTH_TASKS else "its command or its URL after `--`"
        parser.error(f"which server? Give {given}, or --server NAME{hint}")
    if command and (found.server or found.config):
        parser.error("either a server after `--`, or --server and --config")
    if task in AUTH_TASKS and command:
        _check_url(parser, task, command)


def _check_url(parser: _Parser, task: str, command: tuple[str, ...]) -> None:
    """End the program where a task takes a URL, and something else is there."""
    first, *more = command
    if more or not first.lower().startswith(("http://", "https://")):
        url = suggested_url(first)
        meant = f"; did you mean {url}?" if url else ""
        parser.error(f"{task} takes the URL of one server (http or https){meant}")


def _separator_hint(task: str, words: tuple[str, ...]) -> str:
    """Return how the line reads with the `--` that was probably forgotten."""
    server = next(
        (at for at, word in enumerate(words) if is_url(word) or suggested_url(word)), None
    )
    if server is None:
        return ""
    line = shlex.join(("spyglass-cli", task, *words[:server], "--", *words[server:]))
    return f"\n`--` is missing in front of the server. Write: {line}"


def _arguments(parser: _Parser, task: str, words: Sequence[str]) -> str | None:
    """Return the arguments of a call as JSON text: one JSON value, or pairs in the order of the command line."""
    if task not in ("call", "prompt", "request") or not words:
        return None
    if len(words) == 1 and not _PAIR.match(words[0]):
        _check_json(parser, "the arguments are", words[0])
        return words[0]
    members: list[str] = []
    for word in words:
        pair = _PAIR.match(word)
        if pair is None:
            parser.error(f"{word!r} is neither KEY=TEXT nor KEY:=JSON")
        key, is_json, text = pair.groups()
        if is_json:
            _check_json(parser, f"the value of {key!r} is", text)
        members.append(f"{jsontext.write(key)}: {text if is_json else jsontext.write(text)}")
    return "{" + ", ".join(members) + "}"


def _check_json(parser: _Parser, subject: str, text: str) -> None:
    try:
        jsontext.read(text.encode("utf-8", "surrogateescape"))
    except JsonTextError as error:
        parser.error(f"{subject} not JSON: {error}")


def _meta(text: str) -> tuple[str, Json]:
    name, value = _pair(text)
    try:
        return name, jsontext.read(value.encode("utf-8", "surrogateescape")).value
    except JsonTextError:
        return name, value


def _revision(text: str) -> str:
    try:
        first_offer(text)
    except NegotiationFailed as error:
        raise argparse.ArgumentTypeError(f"{error.words}. {error.remedy}") from None
    return text


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return seconds


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not name.strip() or not colon:
        raise argparse.ArgumentTypeError(f"{text!r} is not written NAME: VALUE")
    return name.strip(), value.strip()


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not written NAME=VALUE")
    return name, value
