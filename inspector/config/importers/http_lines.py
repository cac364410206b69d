"""A URL with lines of headers below it, or a whole HTTP request as text, read as a server."""

from __future__ import annotations

import re

from inspector.config.importers.result import Imported
from inspector.config.importers.server_entry import bare_url, is_url
from inspector.config.names import name_for
from inspector.config.profile import Profile, with_
from inspector.session.transports import guess_transport

_REQUEST_LINE = re.compile(r"(?:GET|POST)\s+(\S+)(?:\s+HTTP/[\d.]+)?", re.IGNORECASE)
_HEADER_LINE = re.compile(r"(?:-H\s+)?[\"']?([A-Za-z][\w-]*)\s*:\s*(.*?)[\"']?")
_LABEL = re.compile(r"(?:url|endpoint|server|address)\s*[:=]\s*", re.IGNORECASE)
_ENTRY_KEYS = ("type", "transport", "name", "headers", "command", "args", "env")
"""Keys of an entry in YAML, which `config_files` reads."""

TRANSPORT_HEADERS = frozenset(
    [
        *("accept", "content-type", "content-length", "host", "connection"),
        *("mcp-session-id", "mcp-protocol-version"),
    ]
)
"""Headers that the transport sets itself."""


def read_http_lines(text: str) -> Imported | None:
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
    headers = tuple(pair for pair in pairs if pair[0].lower() not in TRANSPORT_HEADERS)
    notes = ("Headers set by the transport were ignored.",) if len(headers) < len(pairs) else ()
    profile = Profile(transport=guess_transport(url), url=url, headers=headers)
    return Imported((with_(profile, name=name_for(profile)),), "a URL with headers", notes)
