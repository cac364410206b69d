"""Which requests and notifications a revision has, who sends them and what they need.

The rows are in `requests` and `notifications`; absence of a row is the answer "no". A name has one row for each sender and
for each stretch of revisions in which its facts hold.
"""

from __future__ import annotations

from collections import defaultdict
from enum import StrEnum
from typing import TYPE_CHECKING

from inspector.spec.method import Method, MethodKind, RequiredCapability, Side
from inspector.spec.notifications import NOTIFICATIONS
from inspector.spec.requests import REQUESTS
from inspector.wire.frame import Direction

if TYPE_CHECKING:
    from collections.abc import Container

    from inspector.spec.revision import Revision

METHODS: tuple[Method, ...] = (*REQUESTS, *NOTIFICATIONS)
"""Every row."""


class Availability(StrEnum):
    """How a name stands in a revision, for one sender."""

    OFFERED = "offered"
    EXTENSION = "part of an extension"
    EMBEDDED = "allowed only in an input_required result"
    NOT_YET = "not yet part of this revision"
    NO_LONGER = "no longer part of this revision"
    WRONG_SIDE = "sent by the other side only"
    UNKNOWN = "not defined by any revision"


def _by_name() -> dict[str, tuple[Method, ...]]:
    found: defaultdict[str, list[Method]] = defaultdict(list)
    for row in METHODS:
        found[row.name].append(row)
    return {name: tuple(rows) for name, rows in found.items()}


_ROWS = _by_name()

_REPEATABLE = frozenset(
    {
        *("server/discover", "ping", "tools/list", "resources/list", "resources/templates/list"),
        *("resources/read", "prompts/list", "prompts/get", "completion/complete"),
        *("tasks/get", "tasks/list"),
    }
)


def find(name: str, revision: Revision, sender: Side = Side.CLIENT) -> Method | None:
    """Return the row for `name` as `sender` uses it in `revision`, core or not."""
    rows = _ROWS.get(name, ())
    return next((row for row in rows if row.sender is sender and row.applies_to(revision)), None)


def find_any(name: str) -> Method | None:
    """Return the newest row for `name`, whoever sends it."""
    return max(_ROWS.get(name, ()), key=lambda row: row.last, default=None)


def is_known(name: str) -> bool:
    """Whether any revision has `name`."""
    return name in _ROWS


def offered(
    name: str,
    revision: Revision,
    sender: Side = Side.CLIENT,
    *,
    extensions: Container[str] = (),
) -> bool:
    """Whether `sender` may send `name` as a message in `revision`, given the `extensions` agreed on."""
    row = find(name, revision, sender)
    return (
        row is not None
        and not row.only_in_results
        and (not row.extension or row.extension in extensions)
    )


def required_capability(
    name: str, revision: Revision, sender: Side = Side.CLIENT
) -> RequiredCapability | None:
    """Return what must be declared, and by whom, before `sender` sends `name`."""
    row = find(name, revision, sender)
    return row.needs if row else None


def can_require_input(name: str, revision: Revision) -> bool:
    """Whether the answer to the client's request `name` may be a question."""
    row = find(name, revision)
    return row is not None and row.can_require_input and revision.has_input_required


def is_greeting(name: str) -> bool:
    """Whether `name` opens a conversation: it is never called off."""
    return name in {"initialize", "server/discover"}


def revision_of(name: str, agreed: Revision) -> Revision:
    """The revision by which the client's request `name` is meant: the one agreed on, but what asks for another era knows better."""
    if not is_greeting(name) or find(name, agreed) is not None:
        return agreed
    row = find_any(name)
    return agreed if row is None else max(row.since, row.last)


def is_repeatable(name: str) -> bool:
    """Whether the client's request `name` may be sent once more by itself when its answer is lost: it changes nothing."""
    return name in _REPEATABLE


def senders(name: str) -> frozenset[Side]:
    """Who sends `name` in any revision; empty when nobody does."""
    return frozenset(row.sender for row in _ROWS.get(name, ()))


def side_of(direction: Direction) -> Side:
    """Return who wrote a frame: we are always the client."""
    return Side.CLIENT if direction is Direction.SENT else Side.SERVER


def direction(name: str) -> frozenset[Direction]:
    """Return the directions in which `name` travels, seen from the client."""
    wanted = {Side.CLIENT: Direction.SENT, Side.SERVER: Direction.RECEIVED}
    return frozenset(wanted[side] for side in senders(name))


def names(
    revision: Revision,
    sender: Side = Side.CLIENT,
    kind: MethodKind = MethodKind.REQUEST,
    *,
    extensions: Container[str] = (),
) -> tuple[str, ...]:
    """Return what `sender` may send in `revision`, in the order of the tables."""
    return tuple(
        row.name
        for row in METHODS
        if row.kind is kind
        and row.sender is sender
        and row.applies_to(revision)
        and offered(row.name, revision, sender, extensions=extensions)
    )


def availability(name: str, revision: Revision, sender: Side, kind: MethodKind) -> Availability:
    """Return how `name` stands when `sender` uses it in `revision`."""
    rows = [row for row in _ROWS.get(name, ()) if row.kind is kind]
    own = [row for row in rows if row.sender is sender]
    if not own:
        return Availability.WRONG_SIDE if rows else Availability.UNKNOWN
    row = next((row for row in own if row.applies_to(revision)), None)
    if row is None:
        later = all(row.since > revision for row in own)
        return Availability.NOT_YET if later else Availability.NO_LONGER
    if row.only_in_results:
        return Availability.EMBEDDED
    return Availability.EXTENSION if row.extension else Availability.OFFERED
