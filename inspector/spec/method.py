"""The row type of the tables of requests and notifications."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.frozen import FrozenStruct
from inspector.spec.revision import NEWEST, V2024_11_05, Revision

if TYPE_CHECKING:
    from collections.abc import Iterable


class Side(StrEnum):
    """One of the two sides of a session."""

    CLIENT = "client"
    SERVER = "server"

    @property
    def other(self) -> Side:
        """The side it communicates with."""
        return Side.SERVER if self is Side.CLIENT else Side.CLIENT


class MethodKind(StrEnum):
    """Whether a response is expected."""

    REQUEST = "request"
    NOTIFICATION = "notification"


class RequiredCapability(FrozenStruct, frozen=True):
    """A capability that must be declared before a method may be used."""

    side: Side
    """The side that declares it."""
    path: tuple[str, ...]
    """Keys from `capabilities` inward."""

    @property
    def name(self) -> str:
        """The path with dots, e.g. `resources.subscribe`."""
        return ".".join(self.path)


class Method(FrozenStruct, frozen=True):
    """One method as one side sends it in a range of revisions."""

    name: str
    """As on the wire."""
    subject: str
    """The topic of `spec_urls` that describes it."""
    summary: str
    """A label: what a request does, what a notification reports."""
    needs: RequiredCapability | None = None
    """The capability that must be declared."""
    name_param: str = ""
    """The parameter that identifies the target: a tool's name, a resource's URI."""
    since: Revision = V2024_11_05
    """The first revision in which these facts hold."""
    last: Revision = NEWEST
    """The last one."""
    opens_session: bool = False
    """Opens a session: it is never cancelled."""
    is_repeatable: bool = False
    """Changes nothing, so it may be sent again automatically when its response is lost."""
    can_require_input: bool = False
    """The result may request input instead of being complete."""
    only_in_results: bool = False
    """Never a message of its own: it is sent inside a result that requests input."""
    deprecated: bool = False
    """Still defined, but to be avoided."""
    extension: str = ""
    """The extension that defines it; empty for the core."""
    sender: Side = Side.CLIENT
    """The side that sends it."""
    kind: MethodKind = MethodKind.REQUEST
    """Whether it gets a response."""

    def applies_to(self, revision: Revision) -> bool:
        """Whether these facts hold in `revision`."""
        return self.since <= revision <= self.last


def sent_by(
    sender: Side, rows: Iterable[Method], kind: MethodKind = MethodKind.REQUEST
) -> tuple[Method, ...]:
    """Return `rows` with the two columns that all rows of a table share."""
    return tuple(replace(row, sender=sender, kind=kind) for row in rows)


def server(*path: str) -> RequiredCapability:
    """Return the requirement of a server capability."""
    return RequiredCapability(Side.SERVER, path)


def client(*path: str) -> RequiredCapability:
    """Return the requirement of a client capability."""
    return RequiredCapability(Side.CLIENT, path)
