"""A root: a folder that the client exposes to the server.

Source: client/roots, "Root".
"""

from __future__ import annotations

import posixpath
from pathlib import PureWindowsPath
from urllib.parse import quote, unquote, urlsplit

SCHEME = "file://"
"""How the address of every root begins; no revision allows another."""


def uri_problem(uri: str) -> str:
    """Return why `uri` is not a valid root URI; an empty string if it is."""
    if not uri:
        return "`uri` is missing"
    if not uri.lower().startswith(SCHEME):
        return f"`uri` must start with {SCHEME}"
    if any(character.isspace() or ord(character) < 32 for character in uri):
        return "`uri` contains unescaped spaces or control characters"
    try:
        path = unquote(urlsplit(uri).path)
    except ValueError as error:
        return f"invalid URI: {error}"
    if not path:
        return "`uri` has no path"
    if ".." in path.replace("\\", "/").split("/"):
        return "the path must not contain “..”"
    return ""


def path_of(uri: str) -> str:
    """The path on this machine that `uri` leads to; empty when it leads to none."""
    if uri_problem(uri):
        return ""
    split = urlsplit(uri)
    path = unquote(split.path)
    if split.netloc not in ("", "localhost"):
        return ""
    is_drive = len(path) > 2 and path[0] == "/" and path[2] == ":"
    return path[1:] if is_drive else path


def uri_of(path: str) -> str:
    """The address of a folder, given its absolute path."""
    windows = PureWindowsPath(path)
    if windows.drive and windows.is_absolute():
        share = windows.as_posix().startswith("//")
        return ("file:" if share else f"{SCHEME}/") + quote(windows.as_posix(), safe="/:")
    return SCHEME + quote(path, safe="/:")


def uri_suggestion(text: str) -> str:
    """Return the valid root URI that `text`, an absolute path or a malformed URI, most likely means; an empty string for other texts.

    Removes quotes, escapes what must be escaped, and resolves `..`. Does not read the disk.
    """
    text = text.strip().strip("\"'")
    windows = PureWindowsPath(text)
    if windows.drive and windows.is_absolute():
        found = uri_of(text)
    elif text.startswith("/"):
        found = uri_of(posixpath.normpath(f"/{text.lstrip('/')}"))
    elif text.lower().startswith("file:"):
        found = _mended_uri(text[len("file:") :])
    else:
        return ""
    return "" if uri_problem(found) else found


def _mended_uri(rest: str) -> str:
    """Return the URI of what follows `file:`, with its path in order."""
    if not rest.startswith("//"):
        host, path = "", rest
    else:
        host, slash, path = rest[2:].partition("/")
        path = slash + path
    path = posixpath.normpath(f"/{path.lstrip('/')}")
    # A percent sign stays: what was escaped already is not escaped again.
    return f"{SCHEME}{host}{quote(path, safe='/:%')}"
