"""What a row of the tables of requests and notifications says."""

from __future__ import annotations

from enum import StrEnum

from inspector.frozen import FrozenStruct
from inspector.spec.revision import NEWEST, V2024_11_05, Revision


class Side(StrEnum):
    """One of the two that converse."""

    CLIENT = "client"
    SERVER = "server"

    @property
    def other(self) -> Side:
        """The one it talks to."""
        return Side.SERVER if self is Side.CLIENT else Side.CLIENT


class MethodKind(StrEnum):
    """Whether an answer is expected."""

    REQUEST = "request"
    NOTIFICATION = "notification"


class RequiredCapability(FrozenStruct, frozen=True):
    """A capability that must have been declared before the method may be used."""

    side: Side
    """Who declares it."""
    path: tuple[str, ...]
    """Keys from `capabilities` inward."""

    @property
    def name(self) -> str:
        """How people write it, e.g. `resources.subscribe`."""
        return ".".join(self.path)


class Method(FrozenStruct, frozen=True, kw_only=True):
    """One method as one side sends it during a stretch of revisions."""

    name: str
    """As on the wire."""
    kind: MethodKind = MethodKind.REQUEST
    """Whether it is answered."""
    sender: Side = Side.CLIENT
    """Who sends it."""
    since: Revision = V2024_11_05
    """The first revision these facts hold for."""
    last: Revision = NEWEST
    """The last one."""
    needs: RequiredCapability | None = None
    """The capability it depends on."""
    summary: str
    """What it does, in a few words."""
    subject: str
    """The subject of `links` that describes it."""
    name_param: str = ""
    """The parameter that says which one: a tool's name, a resource's address."""
    extension: str = ""
    """The extension it belongs to, if it is not part of the core."""
    only_in_results: bool = False
    """Never a message of its own: it travels inside a result that asks for input."""
    deprecated: bool = False
    """Still there, but to be avoided."""
    can_require_input: bool = False
    """The result may ask for input instead of completing."""

    def applies_to(self, revision: Revision) -> bool:
        """Whether these facts hold for `revision`."""
        return self.since <= revision <= self.last


def server(*path: str) -> RequiredCapability:
    """Return the need for a capability of the server."""
    return RequiredCapability(Side.SERVER, path)


def client(*path: str) -> RequiredCapability:
    """Return the need for a capability of the client."""
    return RequiredCapability(Side.CLIENT, path)
