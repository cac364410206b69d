"""The servers of a pasted text. Never raises, runs nothing, and reads no file.

The kinds of text are tried in a fixed order: empty; TOML; JSON; install links; a URL; a URL with headers; YAML; a command that registers a
server with another client; any other command line. The text around a configuration, as in a README, is ignored: its code blocks, or what follows
a line that opens a JSON object, are read instead.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.config.importers.client_commands import read_known
from inspector.config.importers.command_line import (
    Segment,
    is_prose,
    read_segments,
    segments,
)
from inspector.config.importers.config_files import (
    NO_WEBSOCKET,
    is_json_like,
    is_toml_like,
    read_json,
    read_toml,
    read_yaml,
)
from inspector.config.importers.install_links import install_links, read_install_links
from inspector.config.importers.markup import is_yaml_like, passages, strip_fences
from inspector.config.importers.result import (
    Imported,
    ImportResult,
    NotRecognized,
    one_server,
    url_with_headers,
)
from inspector.config.importers.server_entry import bare_url, is_url, is_websocket_url
from inspector.config.profile import Profile
from inspector.session.placeholders import placeholder_warnings
from inspector.session.transport_factory import guess_transport, transport_kind
from inspector.wire.shell_tokens import UnclosedQuote

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["MAX_LENGTH", "ImportResult", "Imported", "NotRecognized", "import_text"]

MAX_LENGTH = 1_000_000
"""Characters; a longer text is not read: no configuration is that long."""

MAX_VALUES = 500
"""Arguments, variables and headers of one server, and servers in one text: no configuration has more, and each has a field to edit."""

EMPTY = NotRecognized("Paste a command line, a URL or another client's JSON configuration.")
PROSE = NotRecognized(
    "This is text about a server, not a command line. Paste the command, the URL or the configuration alone."
)

PAGE = NotRecognized(
    "This is HTML or XML, not a command line. Paste the command, the URL or the configuration alone."
)

COMMAND_LINE = "a command line"

_BARE_HOST = re.compile(
    r"(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:/\S*)?|[\w.-]+:\d+(?:/\S*)?"
)
_OTHER_LINK = re.compile(r"[a-z][a-z0-9+.-]+:(?![\\/]?[^\\/]*\\)\S*", re.IGNORECASE)


_INSTALLS = ("install", "i", "add", "ci", "get", "update", "upgrade", "tap")
_SETUP: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun", "pip", "pip3", "pipx", "brew"), _INSTALLS),
    **dict.fromkeys(("cargo", "go", "gem", "apt", "apt-get", "uv", "poetry"), _INSTALLS),
    "git": ("clone", "pull"),
    "docker": ("pull", "build"),
}
"""Program → its commands that only prepare for a server."""

_MARKUP = re.compile(
    r"<(?:!doctype|\?xml|[a-z][\w-]*(?:\s[^<>]*)?>.*</)", re.IGNORECASE | re.DOTALL
)
_FILE_KEYS = frozenset({"command", "args"})
"""Keys of a configuration that are no names of variables."""

_REQUEST_LINE = re.compile(r"(?:GET|POST)\s+(\S+)(?:\s+HTTP/[\d.]+)?", re.IGNORECASE)
_HEADER_LINE = re.compile(r"(?:-H\s+)?[\"']?([A-Za-z][\w-]*)\s*:\s*(.*?)[\"']?")
_LABEL = re.compile(r"(?:url|endpoint|server|address)\s*[:=]\s*", re.IGNORECASE)
_ENTRY_KEYS = ("type", "transport", "name", "headers", "command", "args", "env")
"""Keys of an entry in YAML, which `config_files` reads."""


def import_text(text: str) -> ImportResult:
    """Return the servers of `text`, or why it has none."""
    text = strip_fences(text.strip().lstrip("\ufeff")).strip()
    if not text:
        return EMPTY
    if len(text) > MAX_LENGTH:
        return NotRecognized("This text is too long for a server configuration.")
    reading = _read_whole(text)
    if not isinstance(reading, Imported) or _is_guess(reading):
        reading = _read_passages(text) or reading
    return _within_limits(reading)


def _within_limits(reading: ImportResult) -> ImportResult:
    if not isinstance(reading, Imported):
        return reading
    if len(reading.profiles) > MAX_VALUES:
        count = len(reading.profiles)
        return NotRecognized(f"This text has {count:,} servers. Paste at most {MAX_VALUES}.")
    for profile in reading.profiles:
        if max(map(len, (profile.args, profile.env, profile.headers))) > MAX_VALUES:
            return NotRecognized(
                f"A server has more than {MAX_VALUES} arguments, environment variables or headers."
            )
    return reading


def _is_guess(reading: Imported) -> bool:
    """Whether the text was taken for a command line of one word, which nearly any text is."""
    return reading.source == COMMAND_LINE and len(reading.profiles[0].args) == 0


def _read_passages(text: str) -> Imported | None:
    """Return the servers of the first code block that has some, with a warning that the rest was ignored.

    A command that only installs or downloads something is no server where another block has one.
    """
    readings = (_read_whole(passage.strip()) for passage in passages(text))
    found = [reading for reading in readings if isinstance(reading, Imported)]
    if not found:
        return None
    starting = [reading for reading in found if not _is_setup(reading)]
    first = next(iter(starting), found[0])
    runs = {_program(profile) for profile in first.profiles}
    notes = ["Text around the configuration was ignored."]
    if {_program(profile) for reading in starting for profile in reading.profiles} - runs:
        notes.append("So were other configurations in it: paste them alone to add them.")
    return Imported(first.profiles, first.source, (*first.warnings, *notes))


def _is_setup(reading: Imported) -> bool:
    """Whether a command line installs or downloads something, and starts no server."""
    profile = reading.profiles[0]
    verbs = _SETUP.get(profile.command.rpartition("/")[2].lower(), ())
    return reading.source == COMMAND_LINE and any(arg in verbs for arg in profile.args[:1])


def _program(profile: Profile) -> tuple[str, tuple[str, ...], str]:
    return profile.command, profile.args, profile.url


def _read_whole(text: str) -> ImportResult:
    if is_toml_like(text):
        return read_toml(text)
    if is_json_like(text):
        return read_json(text)
    if links := install_links(text):
        return read_install_links(links)
    return _read_url(text) or _read_http_lines(text) or _read_lines(text)


def _read_lines(text: str) -> ImportResult:
    if is_yaml_like(text):
        reading = read_yaml(text)
        if isinstance(reading, Imported) or not _known_commands(text):
            return reading
    return _read_commands(text)


def _known_commands(text: str) -> bool:
    try:
        return any(read_known(part.tokens) for part in segments(text))
    except UnclosedQuote:
        return False


def _read_url(text: str) -> ImportResult | None:
    url = bare_url(text)
    if not url or any(char.isspace() for char in url):
        return None
    notes: list[str] = []
    if _BARE_HOST.fullmatch(url):
        notes.append("“http://” was added.")
        url = f"http://{url}"
    if is_websocket_url(url):
        return NotRecognized(f"This is the URL of a WebSocket. {NO_WEBSOCKET}")
    if not is_url(url):
        return _read_other_link(url)
    kind = transport_kind(guess_transport(url))
    if kind.path_end:
        notes.append(f"The path ends in {kind.path_end}; using {kind.title}.")
    profile = Profile(transport=kind.key, url=url)
    source = "a URL" if kind.has_headers else f"a {kind.badge} URL"
    notes += placeholder_warnings(profile)
    return one_server(profile, source, notes)


def _read_http_lines(text: str) -> Imported | None:
    """Return the server of a URL followed by `Name: value` lines; None if the text is something else."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) < 2:
        return None
    request = _REQUEST_LINE.fullmatch(lines[0])
    url = bare_url(request[1] if request else _LABEL.sub("", lines[0]))
    found = [_HEADER_LINE.fullmatch(line) for line in lines[1:]]
    pairs = [(match[1], match[2]) for match in found if match]
    is_entry = any(name.lower() in _ENTRY_KEYS for name, _ in pairs)
    if not is_url(url) or any(char.isspace() for char in url) or None in found or is_entry:
        return None
    return url_with_headers(url, pairs, "a URL with headers")


def _read_other_link(text: str) -> NotRecognized | None:
    found = _OTHER_LINK.fullmatch(text)
    scheme = text.partition(":")[0]
    return NotRecognized(f"A “{scheme}:” link is not the URL of a server.") if found else None


def _read_commands(text: str) -> ImportResult:
    if _MARKUP.match(text):
        return PAGE
    try:
        found = segments(text)
    except UnclosedQuote as error:
        return NotRecognized(f"This looks like a command line, but it has an {error}.")
    if not found:
        return EMPTY
    return _registered(found) or _plain(found)


def _registered(found: list[Segment]) -> ImportResult | None:
    """Return the servers that commands of other clients register."""
    readings = [reading for part in found if (reading := read_known(part.tokens))]
    imported = [reading for reading in readings if isinstance(reading, Imported)]
    if not imported:
        return readings[0] if readings else None
    profiles = tuple(profile for reading in imported for profile in reading.profiles)
    warnings = (warning for reading in imported for warning in reading.warnings)
    return Imported(profiles, imported[0].source, _with_placeholders(warnings, profiles))


def _with_placeholders(
    warnings: Iterable[str], profiles: Iterable[Profile], *, leave_out: str = "\0"
) -> tuple[str, ...]:
    """Return `warnings` with one for each placeholder that they do not name, except those whose names start with `leave_out`."""
    named = list(warnings)
    for warning in (found for profile in profiles for found in placeholder_warnings(profile)):
        name = warning.split(" is a placeholder", 1)[0]
        if not name.startswith(leave_out) and not any(name in other for other in named):
            named.append(warning)
    return tuple(named)


def _plain(found: list[Segment]) -> ImportResult:
    read = read_segments(found)
    if isinstance(read, NotRecognized):
        return read
    profile, warnings = read
    if any(is_prose(segment) for segment in found) or _FILE_KEYS & dict(profile.env).keys():
        return PROSE
    if is_url(profile.command):
        return NotRecognized("Paste only the URL; add headers below.")
    # The warnings name `$NAME` already: a shell would replace it.
    warnings = _with_placeholders(warnings, [profile], leave_out="$")
    return one_server(profile, COMMAND_LINE, warnings)
