"""Whatever the user pastes, read as servers. Never raises, never runs anything, never asks the disk.

The kinds are tried in a fixed order, each by its look: nothing; TOML; JSON; install links; a URL; a URL with headers; YAML; a
command that registers a server with another client; any other command line. Text around a configuration, such as the passage of
a README, is left out: what stands in its code blocks, or after a line that opens a JSON object, is read instead.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.library.command_text import Segment, is_prose, read_segments, segments
from inspector.library.config_text import (
    NO_WEBSOCKET,
    looks_like_json,
    looks_like_toml,
    read_json,
    read_toml,
    read_yaml,
)
from inspector.library.entry import bare_url, guess_transport, is_url, is_websocket_url
from inspector.library.http_lines import read_http_lines
from inspector.library.install_links import install_links, read_install_links
from inspector.library.known_commands import read_known
from inspector.library.names import name_for
from inspector.library.profile import Profile, with_
from inspector.library.shell_words import UnclosedQuote
from inspector.library.tolerant_json import passages, unfence
from inspector.library.understood import NotUnderstood, Reading, Understood
from inspector.library.yaml_text import looks_like_yaml
from inspector.session.placeholders import placeholder_warnings

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["MAX_LENGTH", "NotUnderstood", "Reading", "Understood", "understand"]

MAX_LENGTH = 1_000_000
"""Longer texts are not looked at: no configuration is that long."""

MOST_VALUES = 500
"""Arguments, variables and headers of one server, and servers in one text: no configuration has more, and each has a field to edit."""

EMPTY = NotUnderstood("Paste a command line, a URL, or JSON from another client.")
PROSE = NotUnderstood(
    "This is text about a server, not a command line. Paste the command, the URL or the configuration alone."
)

COMMAND_LINE = "a command line"

_BARE_HOST = re.compile(
    r"(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:/\S*)?|[\w.-]+:\d+(?:/\S*)?"
)
_OTHER_LINK = re.compile(r"[a-z][a-z0-9+.-]+:(?![\\/]?[^\\/]*\\)\S*", re.IGNORECASE)


def understand(text: str) -> Reading:
    """Return the servers that `text` names, or why it names none."""
    text = unfence(text.strip().lstrip("\ufeff")).strip()
    if not text:
        return EMPTY
    if len(text) > MAX_LENGTH:
        return NotUnderstood("This text is too long to be a server's configuration.")
    reading = _read_whole(text)
    if not isinstance(reading, Understood) or _is_guess(reading):
        reading = _read_passages(text) or reading
    return _within_limits(reading)


def _within_limits(reading: Reading) -> Reading:
    if not isinstance(reading, Understood):
        return reading
    if len(reading.profiles) > MOST_VALUES:
        count = len(reading.profiles)
        return NotUnderstood(f"This text names {count:,} servers. Paste at most {MOST_VALUES}.")
    for profile in reading.profiles:
        if max(map(len, (profile.args, profile.env, profile.headers))) > MOST_VALUES:
            words = "arguments, environment variables or headers"
            return NotUnderstood(f"A server here has more than {MOST_VALUES} {words}.")
    return reading


def _is_guess(reading: Understood) -> bool:
    """Whether a reading is the last of the chain, which nearly any text fits."""
    return reading.words == COMMAND_LINE and len(reading.profiles[0].args) == 0


def _read_passages(text: str) -> Understood | None:
    """Return the first server in the code blocks of a text, with a note that the rest was left out."""
    for passage in passages(text):
        reading = _read_whole(passage.strip())
        if isinstance(reading, Understood):
            note = "The text around the configuration was left out."
            return Understood(reading.profiles, reading.words, (*reading.warnings, note))
    return None


def _read_whole(text: str) -> Reading:
    if looks_like_toml(text):
        return read_toml(text)
    if looks_like_json(text):
        return read_json(text)
    if links := install_links(text):
        return read_install_links(links)
    return _read_url(text) or read_http_lines(text) or _read_lines(text)


def _read_lines(text: str) -> Reading:
    if looks_like_yaml(text):
        reading = read_yaml(text)
        if isinstance(reading, Understood) or not _known_commands(text):
            return reading
    return _read_commands(text)


def _known_commands(text: str) -> bool:
    try:
        return any(read_known(part.words) for part in segments(text))
    except UnclosedQuote:
        return False


def _read_url(text: str) -> Reading | None:
    url = bare_url(text)
    if not url or any(char.isspace() for char in url):
        return None
    notes: list[str] = []
    if _BARE_HOST.fullmatch(url):
        notes.append("“http://” was put in front.")
        url = f"http://{url}"
    if is_websocket_url(url):
        return NotUnderstood(f"This is the address of a WebSocket. {NO_WEBSOCKET}")
    if not is_url(url):
        return _read_other_link(url)
    transport = guess_transport(url)
    if transport == "sse":
        notes.append("The path ends in /sse: the older transport, HTTP with SSE, is assumed.")
    profile = Profile(transport=transport, url=url)
    kind = "a TCP address" if transport == "tcp" else "a URL"
    notes += placeholder_warnings(profile)
    return Understood((with_(profile, name=name_for(profile)),), kind, tuple(notes))


def _read_other_link(text: str) -> NotUnderstood | None:
    found = _OTHER_LINK.fullmatch(text)
    scheme = text.partition(":")[0]
    return NotUnderstood(f"A “{scheme}:” link is not the address of a server.") if found else None


def _read_commands(text: str) -> Reading:
    try:
        found = segments(text)
    except UnclosedQuote as error:
        return NotUnderstood(f"This looks like a command line, but {error}.")
    if not found:
        return EMPTY
    return _registered(found) or _plain(found)


def _registered(found: list[Segment]) -> Reading | None:
    """Return what commands for other clients register; of several, all of it."""
    readings = [reading for part in found if (reading := read_known(part.words))]
    understood = [reading for reading in readings if isinstance(reading, Understood)]
    if not understood:
        return readings[0] if readings else None
    profiles = tuple(profile for reading in understood for profile in reading.profiles)
    warnings = (warning for reading in understood for warning in reading.warnings)
    return Understood(profiles, understood[0].words, _with_placeholders(warnings, profiles))


def _with_placeholders(
    warnings: Iterable[str], profiles: Iterable[Profile], *, leave_out: str = "\0"
) -> tuple[str, ...]:
    """Return warnings with one for each placeholder that none of them names yet; `leave_out` is a beginning of names."""
    named = list(warnings)
    for warning in (found for profile in profiles for found in placeholder_warnings(profile)):
        name = warning.split(" is a placeholder", 1)[0]
        if not name.startswith(leave_out) and not any(name in other for other in named):
            named.append(warning)
    return tuple(named)


def _plain(found: list[Segment]) -> Reading:
    read = read_segments(found)
    if isinstance(read, NotUnderstood):
        return read
    profile, warnings = read
    if any(is_prose(segment) for segment in found):
        return PROSE
    if is_url(profile.command):
        return NotUnderstood(
            "This is a URL and something else; paste the URL alone, then add headers below."
        )
    named = (with_(profile, name=name_for(profile)),)
    # Of `$NAME`, quoted or not, the words were told already what a shell would do.
    warnings = _with_placeholders(warnings, named, leave_out="$")
    return Understood(named, COMMAND_LINE, warnings)
