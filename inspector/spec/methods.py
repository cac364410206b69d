"""Which requests and notifications a revision has, who sends them and what they require.

The rows are in `requests` and `notifications`; if there is no row, there is no such method. To add a request, add a row: what
depends on the method alone (direction, capability, validation of the name, headers, label in the traffic) follows from it.
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
    from collections.abc import Container, Iterable

    from inspector.spec.revision import Revision

METHODS: tuple[Method, ...] = (*REQUESTS, *NOTIFICATIONS)
"""Every row."""


class Availability(StrEnum):
    """Whether one side may send a method in a revision, and why not."""

    OFFERED = "offered"
    EXTENSION = "part of an extension"
    EMBEDDED = "allowed only in an input_required result"
    NOT_YET = "not yet part of this revision"
    NO_LONGER = "no longer part of this revision"
    WRONG_SIDE = "not sent in this direction"
    UNKNOWN = "not defined by any revision"


class MethodTable:
    """Answers by name from a tuple of rows."""

    def __init__(self, rows: Iterable[Method]) -> None:
        """Index `rows` by name."""
        self.rows = tuple(rows)
        found: defaultdict[str, list[Method]] = defaultdict(list)
        for row in self.rows:
            found[row.name].append(row)
        self._by_name = dict(found)
        self._opening = frozenset(row.name for row in self.rows if row.opens_session)

    def find(self, name: str, revision: Revision, sender: Side = Side.CLIENT) -> Method | None:
        """Return the row for `name` as `sender` uses it in `revision`, core or not."""
        rows = self._by_name.get(name, ())
        return next(
            (row for row in rows if row.sender is sender and row.applies_to(revision)), None
        )

    def find_any(self, name: str) -> Method | None:
        """Return the newest row for `name`, of either sender."""
        return max(self._by_name.get(name, ()), key=lambda row: row.last, default=None)

    def offered(
        self,
        name: str,
        revision: Revision,
        sender: Side = Side.CLIENT,
        *,
        extensions: Container[str] = (),
    ) -> bool:
        """Whether `sender` may send `name` as a message in `revision`, given the agreed `extensions`."""
        row = self.find(name, revision, sender)
        return row is not None and _is_offered(row, extensions)

    def required_capability(
        self, name: str, revision: Revision, sender: Side = Side.CLIENT
    ) -> RequiredCapability | None:
        """Return what must be declared, and by which side, before `sender` sends `name`."""
        row = self.find(name, revision, sender)
        return row.needs if row else None

    def can_require_input(self, name: str, revision: Revision) -> bool:
        """Whether the result of the client's request `name` may request input."""
        row = self.find(name, revision)
        return row is not None and row.can_require_input and revision.has_input_required

    def opens_session(self, name: str) -> bool:
        """Whether the request `name` opens a session: it is never cancelled."""
        return name in self._opening

    def is_repeatable(self, name: str) -> bool:
        """Whether the client's request `name` may be sent again automatically when its response is lost: it changes nothing."""
        rows = self._by_name.get(name, ())
        return any(row.is_repeatable for row in rows if row.sender is Side.CLIENT)

    def revision_of(self, name: str, agreed: Revision) -> Revision:
        """Return the revision that defines the client's request `name`: `agreed`, unless it opens a session of the other era."""
        if not self.opens_session(name) or self.find(name, agreed) is not None:
            return agreed
        row = self.find_any(name)
        return agreed if row is None else max(row.since, row.last)

    def direction(self, name: str) -> frozenset[Direction]:
        """Return the directions in which `name` is sent in any revision, from the client's point of view."""
        directions = {Side.CLIENT: Direction.SENT, Side.SERVER: Direction.RECEIVED}
        return frozenset(directions[row.sender] for row in self._by_name.get(name, ()))

    def names(
        self,
        revision: Revision,
        sender: Side = Side.CLIENT,
        kind: MethodKind = MethodKind.REQUEST,
        *,
        extensions: Container[str] = (),
    ) -> tuple[str, ...]:
        """Return what `sender` may send in `revision`, in the order of the rows."""
        return tuple(
            row.name
            for row in self.rows
            if row.kind is kind
            and row.sender is sender
            and row.applies_to(revision)
            and _is_offered(row, extensions)
        )

    def name_params(self) -> dict[str, str]:
        """Return the parameter that identifies the target of a request, by method; methods without one are left out."""
        requests = (row for row in self.rows if row.kind is MethodKind.REQUEST and row.name_param)
        return {row.name: row.name_param for row in requests}

    def availability(
        self, name: str, revision: Revision, sender: Side, kind: MethodKind
    ) -> Availability:
        """Return whether `sender` may send `name` in `revision`, and why not."""
        rows = [row for row in self._by_name.get(name, ()) if row.kind is kind]
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


def _is_offered(row: Method, extensions: Container[str]) -> bool:
    return not row.only_in_results and (not row.extension or row.extension in extensions)


def side_of(direction: Direction) -> Side:
    """Return who sent a frame: Spyglass is always the client."""
    return Side.CLIENT if direction is Direction.SENT else Side.SERVER


TABLE = MethodTable(METHODS)
"""The methods of all revisions; the following functions answer from it."""

find, find_any, names = TABLE.find, TABLE.find_any, TABLE.names
offered, required_capability = TABLE.offered, TABLE.required_capability
opens_session, is_repeatable = TABLE.opens_session, TABLE.is_repeatable
can_require_input, revision_of = TABLE.can_require_input, TABLE.revision_of
