"""Reading resources, and what was read in this session.

The address leaves exactly as it is: nothing is normalised, looked up on the local disk or handed to the system.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.session.history import History
from inspector.session.operation import Operation, OperationState
from inspector.session.request_preview import preview_headers
from inspector.spec.views.resource import ReadResult

if TYPE_CHECKING:
    from inspector.session.session import Session
    from inspector.session.timeouts import Timeouts
    from inspector.spec.mirrored_headers import MirroredHeaders
    from inspector.wire.json_codec import JsonObject

METHOD = "resources/read"


class ResourceRead(Operation):
    """One reading of one address."""

    def __init__(
        self,
        session: Session,
        uri: str,
        source: str,
        timeouts: Timeouts | None = None,
        *,
        meta: JsonObject | None = None,
    ) -> None:
        """Prepare to read `uri`, wanted by way of `source`."""
        params: JsonObject = {"uri": uri}
        super().__init__(session, METHOD, params, timeouts=timeouts, meta=meta, parts=("contents",))
        self.uri = uri
        self.source = source
        """By which way it came to be read: the address in the list, a template, or empty for one that was typed."""

    @property
    def read_result(self) -> ReadResult | None:
        """What was read; none while or where there is nothing."""
        if self.state is not OperationState.DONE:
            return None
        return ReadResult(self.result, revision=self.revision)


class ResourceReads:
    """What was read."""

    def __init__(self, session: Session) -> None:
        """Offer to read over `session`."""
        self.history: History[ResourceRead] = History()
        self._session = session

    def read(
        self,
        uri: str,
        *,
        source: str | None = None,
        timeouts: Timeouts | None = None,
        meta: JsonObject | None = None,
    ) -> ResourceRead:
        """Begin to read `uri`; without another `source` it counts as read for its own sake.

        `meta` are members of `_meta` that win over those every request carries.
        """
        way = uri if source is None else source
        return self.history.start(ResourceRead(self._session, uri, way, timeouts, meta=meta))

    def headers_of(self, uri: str, meta: JsonObject | None = None) -> MirroredHeaders:
        """The headers that reading `uri` would repeat; none where nothing is repeated."""
        return preview_headers(self._session, METHOD, {"uri": uri}, meta)
