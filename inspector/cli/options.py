"""The options of the command line in groups, and the values that they have in the end.

A command adds the groups that mean something to it; `command_line.py` knows all of them, because an option may stand before its command.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import field

from inspector.cli.auth_options import AuthOptions, add_auth_options
from inspector.cli.client_options import ClientOptions, add_client_profile_options
from inspector.errors import NegotiationFailed
from inspector.frozen import FrozenStruct
from inspector.session import transport_factory
from inspector.session.negotiation import initial_offer
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.cli.command import Command
    from inspector.export.formats import Format
    from inspector.wire.json_codec import Json, JsonObject

MAX_SECONDS = 1e6
"""The longest timeout."""

OWN_OPTIONS = (
    "--arg",
    "--baseline",
    "--client",
    "--block",
    "--concurrency",
    "--count",
    "--family",
    "--for",
    "--idle",
    "--interval",
    "--muted",
    "--probe-name",
    "--rate",
    "--rename",
    "--ref",
    "--severity",
    "--source",
    "--ttl",
)
"""The options with a value that single commands take: those may stand before the command, too."""


class Options(FrozenStruct, frozen=True):
    """A command line, understood; a field without a docstring is named like its option, whose help is below."""

    command: Command
    """The command to run."""
    args: tuple[str, ...] = ()
    """What the command is about: a name and arguments, a text, a file."""
    arguments: str | None = None
    """The arguments of `call`, `prompt` and `request` as JSON text; None if there are none. `--arg` adds to them."""
    target: tuple[str, ...] = ()
    """The server's program and its arguments, or its URL; empty if `server` or `config` names one."""
    json: bool = False
    quiet: bool = False
    strict: bool = False
    output: Path | None = None
    record: Path | None = None
    record_secrets: bool = False
    secrets: bool = False
    format: str = ""
    """The key of the format of an export; empty for a table."""
    filter: str = ""
    """The filter for the frames of a recording; empty for all of them."""
    session: str = ""
    """The key of a session in a file that has several; empty for the only one."""
    server: str = ""
    config: Path | None = None
    fill: bool = False
    folder: Path | None = None
    """The folder with the saved servers; None for the usual one of the user."""
    revision: str = ""
    """The only protocol revision to use; empty for automatic."""
    timeout_s: float = 0.0
    """The timeout of a response; 0 for the default or the one of the saved server."""
    headers: tuple[tuple[str, str], ...] = ()
    """HTTP headers sent with every request."""
    transport: str | None = None
    """The transport for a URL; None for the one that the URL suggests."""
    proxy: str = ""
    """The URL of the proxy; empty for the one of the environment."""
    ca_file: str = ""
    client_cert: str = ""
    insecure: bool = False
    env: tuple[tuple[str, str], ...] = ()
    cwd: str = ""
    """The server's working directory; empty for the one of Spyglass."""
    meta: JsonObject = field(default_factory=dict[str, "Json"])
    """Members of `_meta` for the request of the command."""
    ref_type: str = ""
    count: int = 0
    """How many times; 0 for the default of the command."""
    interval_s: float = 0.0
    """Seconds between two times; 0 for the default of the command."""
    duration_s: float = 0.0
    """Seconds after which a command ends that goes on until Ctrl+C; 0 for never."""
    keep_going: bool = False
    concurrency: int = 0
    """How many at once; 0 for the default of the command."""
    rate: float = 0.0
    """How many a second at most; 0 for any number."""
    no_revoke: bool = False
    names: bool = False
    rename: str = ""
    families: tuple[str, ...] = ()
    """The families of rules of every `--family`; empty for all."""
    clients: tuple[str, ...] = ()
    """The clients of every `--client`; empty for all."""
    severity: str = ""
    """The lowest severity of findings that matter; empty for a warning."""
    baseline: Path | None = None
    probe: bool = False
    probes: tuple[str, ...] = ()
    """The names of every `--probe-name`."""
    list_probes: bool = False
    probe_tools: bool = False
    muted: Path | None = None
    source: str = ""
    raw: bool = False
    block: int = 0
    """The content block to write, counted from 1; 0 for the only one."""
    task: bool = False
    ttl_ms: int | None = None
    """How long a server should keep a task, in milliseconds; None leaves that to the server."""
    idle_s: float = 0.0
    """Seconds without a command after which a named connection ends; 0 for the default."""
    foreground: bool = False
    ready_on: int = 0
    """The file descriptor on which the process of a named connection reports that it is connected; 0 for none."""
    all: bool = False
    line: tuple[str, ...] = ()
    """The whole command line, as it was given."""
    client: ClientOptions = ClientOptions()
    """The client that the server sees."""
    auth: AuthOptions = AuthOptions()
    """Access to a protected server."""

    @property
    def needs_tasks(self) -> bool:
        """Whether the command is about tasks, which a client declares in some revisions."""
        return self.task or self.command.name == "tasks"


def add_all_options(parser: argparse.ArgumentParser) -> None:
    """Add every option that may stand before a command."""
    add_session_options(parser)
    add_meta_option(parser)
    add_export_options(parser)
    add_selection_options(parser)
    add_session_option(parser)
    for option in OWN_OPTIONS:
        parser.add_argument(option)


def add_session_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of every command that holds a session with a server of any kind."""
    add_output_options(parser)
    add_check_options(parser)
    add_connection_options(parser)


def add_connection_options(parser: argparse.ArgumentParser) -> None:
    """Add the options about the server, the session with it, and its recording."""
    add_record_options(parser)
    add_server_options(parser)
    add_process_options(parser)
    add_client_profile_options(parser)
    add_auth_options(parser)


def add_url_options(parser: argparse.ArgumentParser) -> None:
    """Add the URL and the options of every command about authorization."""
    parser.add_argument("target", nargs="*", metavar="URL", help="URL of the server")
    add_output_options(parser)
    add_record_options(parser)
    add_server_options(parser)


def add_output_options(parser: argparse.ArgumentParser, json_help: str = "print JSON") -> None:
    """Add the options about what is printed, and where."""
    add = parser.add_argument
    add("--json", action="store_true", help=json_help)
    add("--output", type=Path, metavar="FILE", help="write the result to FILE")


def add_check_options(parser: argparse.ArgumentParser) -> None:
    """Add the options about findings."""
    add = parser.add_argument
    add("--quiet", action="store_true", help="skip validation (faster)")
    add_strict_option(parser)


def add_strict_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that makes a problem an exit code."""
    parser.add_argument("--strict", action="store_true", help="exit with 7 if a problem is found")


def add_record_options(parser: argparse.ArgumentParser) -> None:
    """Add the options about a recording of the session."""
    add = parser.add_argument
    add("--record", type=Path, metavar="FILE", help="save a recording to a new FILE")
    add("--record-secrets", action="store_true", help="keep secrets in that FILE in clear")


def add_server_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that name a server, and those about a connection over HTTP."""
    add = parser.add_argument_group("server").add_argument
    add("--server", metavar="NAME", help="use a saved server, or an entry of --config")
    add("--config", type=Path, metavar="FILE", help="read servers from a file such as mcp.json")
    add("--fill", action="store_true", help="fill placeholders in it from the environment")
    add("--folder", type=Path, metavar="DIR", help="folder with the saved servers")
    add("--revision", type=_revision, metavar="DATE", help="use this protocol revision")
    text = "response timeout in seconds (default 60)"
    add("--timeout", dest="timeout_s", type=positive_seconds, metavar="S", help=text)
    text, form = "send an HTTP header (repeatable)", "'NAME: VALUE'"
    add("--header", dest="headers", type=_header, action="append", metavar=form, help=text)
    keys = [kind.key for kind in transport_factory.TRANSPORTS if kind.schemes]
    add("--transport", choices=keys, help="transport for a URL")
    add("--proxy", metavar="URL", help="use a proxy (default: as the environment says)")
    add("--ca", dest="ca_file", metavar="FILE", help="trust the certificates in FILE (PEM)")
    add("--client-cert", metavar="FILE", help="present the certificate and key in FILE (PEM)")
    add("--insecure", action="store_true", help="do not verify the certificate of the server")


def add_process_options(parser: argparse.ArgumentParser) -> None:
    """Add the options about a server that is started."""
    add = parser.add_argument_group("process of the server").add_argument
    text = "set an environment variable (repeatable)"
    add("--env", type=_pair, action="append", metavar="NAME=VALUE", help=text)
    add("--cwd", metavar="DIR", help="working directory")


def add_export_options(parser: argparse.ArgumentParser, formats: Sequence[Format] = ()) -> None:
    """Add the options about the frames of a recording; without `formats`, any format is taken."""
    keys = [each.key for each in formats] or None
    titles = ", ".join(f"{each.key}: {each.title}" for each in formats)
    add = parser.add_argument
    add("--format", choices=keys, help=f"print frames in another format ({titles})")
    add("--secrets", action="store_true", help="show the secrets in the recording")


def add_selection_options(parser: argparse.ArgumentParser) -> None:
    """Add the option that selects frames of a recording."""
    text = "only the frames that match, such as 'method:tools/* status:error'"
    parser.add_argument("--filter", metavar="FILTER", help=text)


def add_session_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that selects a session of a file."""
    text = "the session to import, of a file that has several"
    parser.add_argument("--session", metavar="NAME", help=text)


def add_meta_option(parser: argparse.ArgumentParser) -> None:
    """Add the option about `_meta` of a request."""
    text, form = "add a member of _meta; VALUE is JSON or text (repeatable)", "NAME=VALUE"
    parser.add_argument("--meta", type=_meta, action="append", metavar=form, help=text)


def _meta(text: str) -> tuple[str, Json]:
    name, value = _pair(text)
    try:
        return name, json_codec.read(value.encode("utf-8", "surrogateescape")).value
    except JsonSyntaxError:
        return name, value


def _revision(text: str) -> str:
    try:
        initial_offer(text)
    except NegotiationFailed as error:
        raise argparse.ArgumentTypeError(f"{error.reason}. {error.hint}") from None
    return text


def positive_seconds(text: str) -> float:
    """Read a number of seconds.

    Raises:
        argparse.ArgumentTypeError: it is none, or too large.
    """
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= MAX_SECONDS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number of seconds")
    return seconds


def positive_count(text: str) -> int:
    """Read a positive integer.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    try:
        count = int(text)
    except ValueError:
        count = 0
    if count <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive integer")
    return count


def _pair(text: str, separator: str = "=", form: str = "NAME=VALUE") -> tuple[str, str]:
    name, found, value = text.partition(separator)
    if not name.strip() or not found:
        raise argparse.ArgumentTypeError(f"{text!r} is not in the form {form}")
    return name, value


def _header(text: str) -> tuple[str, str]:
    name, value = _pair(text, ":", "NAME: VALUE")
    return name.strip(), value.strip()
