"""A root: a place in the file system that the client tells the server of.

Source: client/roots, "Root".
"""

from __future__ import annotations

from pathlib import PureWindowsPath
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import quote, unquote, urlsplit

from inspector.spec.keys import META
from inspector.spec.view import View

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.jsontext import Json

SCHEME = "file://"
"""How the address of every root begins; no revision allows another."""


class RootView(View):
    """One root."""

    SUBJECT: ClassVar[str] = "roots"
    RULE: ClassVar[str] = "L-ROOT-01"
    NOUN: ClassVar[str] = "a root"

    def __init__(self, raw: Json, place: str = "", revision: Revision | None = None) -> None:
        """Read the root."""
        super().__init__(raw, place, revision)
        self.uri = self.text("uri", required=True)
        self.name = self.text("name")
        self.meta = self.members(META)


def uri_trouble(uri: str) -> str:
    """Why `uri` must not be the address of a root; empty when it may."""
    if not uri:
        return "the address is missing"
    if not uri.lower().startswith(SCHEME):
        return f"the address must begin with {SCHEME}"
    if any(character.isspace() or ord(character) < 32 for character in uri):
        return "the address holds spaces or control characters; they must be escaped"
    try:
        path = unquote(urlsplit(uri).path)
    except ValueError as error:
        return f"the address cannot be read: {error}"
    if not path:
        return "the address has no path"
    if ".." in path.replace("\\", "/").split("/"):
        return "the path must not climb with “..”"
    return ""


def path_of(uri: str) -> str:
    """The path on this machine that `uri` leads to; empty when it leads to none."""
    if uri_trouble(uri):
        return ""
    split = urlsplit(uri)
    path = unquote(split.path)
    if split.netloc not in ("", "localhost"):
        return ""
    is_drive = len(path) > 2 and path[0] == "/" and path[2] == ":"
    return path[1:] if is_drive else path


def uri_of(path: str) -> str:
    """The address of a folder, given its absolute path."""
    if PureWindowsPath(path).drive:
        path = f"/{PureWindowsPath(path).as_posix()}"
    return SCHEME + quote(path, safe="/:")
