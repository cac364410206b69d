"""Whatever a person pastes, read as servers. Never raises, never runs anything, never asks the disk.

The kinds are tried in a fixed order, each by its look: nothing; an install link; TOML; JSON; a URL; a
command that registers a server with another client; any other command line.
"""

from __future__ import annotations

import re

from inspector.library.command_text import Segment, read_segments, segments
from inspector.library.config_text import looks_like_json, looks_like_toml, read_json, read_toml
from inspector.library.entry import guess_transport, is_url
from inspector.library.install_links import is_install_link, read_install_link
from inspector.library.known_commands import read_known
from inspector.library.names import name_for
from inspector.library.profile import Profile, with_
from inspector.library.shell_words import UnclosedQuote
from inspector.library.tolerant_json import unfence
from inspector.library.understood import NotUnderstood, Reading, Understood

__all__ = ["MAX_LENGTH", "NotUnderstood", "Reading", "Understood", "understand"]

MAX_LENGTH = 1_000_000
"""Longer texts are not looked at: no configuration is that long."""

EMPTY = NotUnderstood("Paste a command line, a URL, or JSON from another client.")

_BARE_HOST = re.compile(r"(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:/\S*)?|[\w.-]+:\d+/\S*")


def understand(text: str) -> Reading:
    """Return the servers that `text` names, or why it names none."""
    text = unfence(text.strip().lstrip("\ufeff")).strip()
    if not text:
        return EMPTY
    if len(text) > MAX_LENGTH:
        return NotUnderstood("This text is too long to be a server's configuration.")
    if is_install_link(text):
        return read_install_link(text)
    if looks_like_toml(text):
        return read_toml(text)
    if looks_like_json(text):
        return read_json(text)
    return _read_url(text) or _read_commands(text)


def _read_url(text: str) -> Understood | None:
    url = text.strip("<>\"'`")
    if not url or any(char.isspace() for char in url):
        return None
    notes: list[str] = []
    if _BARE_HOST.fullmatch(url):
        notes.append("“http://” was put in front.")
        url = f"http://{url}"
    if not is_url(url):
        return None
    transport = guess_transport(url)
    if transport == "sse":
        notes.append("The path ends in /sse: the older transport, HTTP with SSE, is assumed.")
    profile = Profile(transport=transport, url=url)
    kind = "a TCP address" if transport == "tcp" else "a URL"
    return Understood((with_(profile, name=name_for(profile)),), kind, tuple(notes))


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
    return Understood(
        tuple(profile for reading in understood for profile in reading.profiles),
        understood[0].words,
        tuple(words for reading in understood for words in reading.warnings),
    )


def _plain(found: list[Segment]) -> Reading:
    read = read_segments(found)
    if isinstance(read, NotUnderstood):
        return read
    profile, warnings = read
    if is_url(profile.command):
        return NotUnderstood(
            "This is a URL and something else; paste the URL alone, then add headers below."
        )
    return Understood((with_(profile, name=name_for(profile)),), "a command line", warnings)
