"""Links that install a server in a client: the server is written inside the link itself. No link is ever opened.

vscode: vscode-insiders: vsweb+mcp:  P or name=&config=       P: percent-encoded JSON, once or twice
https://vscode.dev/redirect …       the same, or url= with one of the above
cursor: lmstudio: cherrystudio: trae: and their pages          config=, servers=: base64 of JSON
kiro: raycast:                       percent-encoded JSON
goose:                               cmd= arg= env= url= type=
"""

from __future__ import annotations

import base64
import binascii
import html
import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlsplit

from inspector.config.importers.config_files import read_json, read_value
from inspector.config.importers.result import Imported, ImportResult, NotRecognized, relabeled

if TYPE_CHECKING:
    from inspector.config.profile import Profile
    from inspector.wire.json_codec import Json, JsonObject

_SCHEMES = (
    "vscode|vscode-insiders|vscodium|cursor|lmstudio|goose|kiro|raycast|cherrystudio|trae|trae-cn"
    "|windsurf|warp|claude-cli|claude"
)
_PAGES = (
    r"(?:insiders\.)?vscode\.dev/redirect|(?:www\.)?cursor\.com/(?:\w\w/)?(?:install-mcp|link/mcp)"
    r"|lmstudio\.ai/install-mcp|kiro\.dev/launch/mcp"
)
_START = rf"(?<![\w+.-])(?:(?:{_SCHEMES})://|(?:vscode|vscode-insiders|vscodium):mcp/|vsweb\+mcp:/)|https?://(?:{_PAGES})"
_LINK = re.compile(rf"(?:{_START})[^\s<>\"'`]*", re.IGNORECASE)
_URL = re.compile(r"https?://[^\s<>\"'`]*+", re.IGNORECASE)
_INSTALL_PATH = re.compile(r"install[-_/]mcp|mcp(?:/|%2f)install", re.IGNORECASE)
_INSTALL_QUERY = re.compile(r"[?&](?:amp;)?(?:config|servers)=.", re.IGNORECASE)
_PAYLOAD_KEYS = ("config", "servers", "server")
MAX_LINKS = 50
"""Links of one text that are read."""

MAX_NESTED_LINKS = 5
"""Links inside one another that are followed: a page of a client holds one link of that client."""

ONE_LINK = "an install link"
NO_SERVER = "This link opens a page of the other client; it contains no server."


def install_links(text: str) -> tuple[str, ...]:
    """Return the install links in a text, alone or as targets of Markdown and HTML links, in their order."""
    pages = (match for match in _URL.finditer(text) if _is_install_page(match[0]))
    found = [*_LINK.finditer(text), *pages]
    links = (
        html.unescape(_balanced(match[0]))
        for match in sorted(found, key=lambda match: match.start())
    )
    return tuple(dict.fromkeys(links))[:MAX_LINKS]


def _is_install_page(url: str) -> bool:
    path = _INSTALL_PATH.search(url)
    return bool(path and _INSTALL_QUERY.search(url, path.end()))


def _balanced(link: str) -> str:
    """Return a link without the parenthesis and punctuation of the text around it."""
    end, unopened = len(link), link.count(")") - link.count("(")
    while end and link[end - 1] in ").,;]":
        if link[end - 1] == ")":
            if unopened <= 0:
                break
            unopened -= 1
        end -= 1
    return link[:end]


def read_install_links(links: tuple[str, ...]) -> ImportResult:
    """Return the servers that links hold, each once: a README has a link for every client."""
    readings = [read_install_link(link) for link in links]
    imported = [reading for reading in readings if isinstance(reading, Imported)]
    if not imported:
        return readings[0]
    profiles: dict[tuple[object, ...], Profile] = {}
    warnings: dict[str, None] = {}
    for reading in imported:
        for profile in reading.profiles:
            profiles.setdefault(_what_runs(profile), profile)
        warnings |= dict.fromkeys(reading.warnings)
    kind = ONE_LINK if len(links) == 1 else f"{len(links)} install links"
    return Imported(tuple(profiles.values()), kind, tuple(warnings))


def _what_runs(profile: Profile) -> tuple[object, ...]:
    return (
        profile.transport,
        profile.command,
        profile.args,
        profile.url,
        profile.env,
        profile.headers,
    )


def read_install_link(text: str, *, nested: int = 0) -> ImportResult:
    """Return the server that an install link holds; `nested` is how many links this one was in."""
    parts = urlsplit(text)
    query = parse_qsl(parts.query, keep_blank_values=True)
    options = dict(query)
    inner = unquote(options.get("url", ""))
    if re.match(_START, inner, re.IGNORECASE):
        if nested >= MAX_NESTED_LINKS:
            return NotRecognized(NO_SERVER)
        return read_install_link(inner, nested=nested + 1)
    if parts.scheme.lower() == "goose":
        return _read_goose(query)
    payload = next((options[key] for key in _PAYLOAD_KEYS if options.get(key)), "")
    if not payload and text.partition("?")[2].startswith(("{", "%", "eyJ")):
        payload = text.partition("?")[2]
    return relabeled(_read_payload(payload), ONE_LINK, options.get("name", ""))


def _read_payload(payload: str) -> ImportResult:
    """Read JSON that may be percent-encoded, once or twice, or base64, in any of its spellings, or both."""
    tried = payload
    for _ in range(3):
        if tried.lstrip().startswith(("{", "[")):
            return _read_inner(tried)
        decoded = _from_base64(tried)
        if decoded is not None:
            return _read_inner(unquote(decoded) if decoded.lstrip().startswith("%") else decoded)
        if unquote(tried) == tried:
            break
        tried = unquote(tried)
    return NotRecognized(
        "The configuration in this link is neither JSON nor valid base64." if payload else NO_SERVER
    )


def _read_inner(text: str) -> ImportResult:
    reading = read_json(text)
    if isinstance(reading, Imported):
        return reading
    reason = reading.reason.removeprefix("This looks like JSON, but ")
    return NotRecognized(f"The configuration in this link cannot be used: {reason}")


def _from_base64(text: str) -> str | None:
    """Return what base64 text holds if that is JSON: padded or not, standard or URL-safe, `+` as a space."""
    standard = text.strip().replace(" ", "+").replace("-", "+").replace("_", "/").rstrip("=")
    try:
        decoded = base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True).decode()
    except (binascii.Error, ValueError):
        return None
    return decoded if decoded.lstrip().startswith(("{", "[", "%7B", "%7b", "%5B", "%5b")) else None


def _read_goose(query: list[tuple[str, str]]) -> ImportResult:
    options = dict(query)
    env: JsonObject = {}
    for name, _, value in (text.partition("=") for key, text in query if key == "env"):
        env[name] = value
    args: list[Json] = [text for key, text in query if key == "arg"]
    entry: JsonObject = {"env": env} if env else {}
    if command := options.get("cmd"):
        entry |= {"command": command, "args": args}
    elif url := options.get("url"):
        entry |= {"url": url, "type": options.get("type") or "http"}
    name = options.get("name") or options.get("id") or ""
    return (
        relabeled(read_value(entry, []), ONE_LINK, name)
        if "command" in entry or "url" in entry
        else NotRecognized(NO_SERVER)
    )
