"""A URL with lines of headers below it, or a whole HTTP request as text, read as a server."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.config.importers.result import Imported, one_server
from inspector.config.importers.server_entry import bare_url, is_url
from inspector.config.profile import Profile
from inspector.session.transport_factory import guess_transport

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    return url_with_headers(url, pairs, "a URL with headers")


def url_with_headers(url: str, pairs: Sequence[tuple[str, str]], source: str) -> Imported:
    """Return the server at a URL with these headers, except those that the transport sets."""
    headers = tuple(pair for pair in pairs if pair[0].lower() not in TRANSPORT_HEADERS)
    warnings = ["Headers set by the transport were ignored."] if len(headers) < len(pairs) else []
    profile = Profile(transport=guess_transport(url), url=url, headers=headers)
    return one_server(profile, source, warnings)
