"""The result of importing a text. Data, never an exception: a pasted text cannot be *wrong*."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from inspector.config.profile import Profile, name_for
from inspector.frozen import FrozenStruct
from inspector.session.transport_factory import guess_transport

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


TRANSPORT_HEADERS = frozenset(
    [
        *("accept", "content-type", "content-length", "host", "connection"),
        *("mcp-session-id", "mcp-protocol-version"),
    ]
)
"""Headers that the transport sets itself."""


class Imported(FrozenStruct, frozen=True):
    """A text with at least one server."""

    profiles: tuple[Profile, ...]
    """The servers in the order of the text."""
    source: str
    """The kind of text, such as `a URL` or `JSON: an mcpServers map`."""
    warnings: tuple[str, ...] = ()
    """What was guessed or ignored, or will not work as the text suggests."""


class NotRecognized(FrozenStruct, frozen=True):
    """A text without a server."""

    reason: str
    """Why it has none, and what can be imported."""


ImportResult: TypeAlias = Imported | NotRecognized
"""What `import_text` returns."""


def one_server(profile: Profile, source: str, warnings: Iterable[str] = ()) -> Imported:
    """Return a text with one server; without a name, it gets the one that its command or URL suggests."""
    named = profile if profile.name else replace(profile, name=name_for(profile))
    return Imported((named,), source, tuple(warnings))


def relabeled(result: ImportResult, source: str, name: str = "") -> ImportResult:
    """Return a result with another `source`; its only server gets `name`, unless that is empty."""
    if isinstance(result, NotRecognized):
        return result
    profiles = result.profiles
    if name and len(profiles) == 1:
        profiles = (replace(profiles[0], name=name),)
    return Imported(profiles, source, result.warnings)


def url_with_headers(url: str, pairs: Sequence[tuple[str, str]], source: str) -> Imported:
    """Return the server at a URL with these headers, except those that the transport sets."""
    headers = tuple(pair for pair in pairs if pair[0].lower() not in TRANSPORT_HEADERS)
    warnings = ["Headers set by the transport were ignored."] if len(headers) < len(pairs) else []
    profile = Profile(transport=guess_transport(url), url=url, headers=headers)
    return one_server(profile, source, warnings)
