"""The resources and resource templates of a server: their lists, and the reads made in this session.

A URI is sent exactly as it is: it is never normalized, looked up on the local disk or handed to the system.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inspector.session.operation import Operation, OperationHistory
from inspector.session.outgoing import preview_headers
from inspector.session.paginated_list import ListSpec, PaginatedList
from inspector.spec.views.resource import (
    ReadResult,
    ResourcesPage,
    ResourceView,
    TemplatesPage,
    TemplateView,
)

if TYPE_CHECKING:
    from inspector.session.outgoing import Timeouts
    from inspector.session.session import Session
    from inspector.spec.mirrored_headers import MirroredHeaders
    from inspector.wire.json_codec import JsonObject

METHOD = "resources/read"

LIST_CHANGED = "notifications/resources/list_changed"
"""Announces a change of either list: templates have no notification of their own."""

RESOURCES = ListSpec[ResourceView]("resources/list", LIST_CHANGED, "resources", ResourcesPage)
TEMPLATES = ListSpec[TemplateView](
    "resources/templates/list", LIST_CHANGED, "resources", TemplatesPage
)


class Resources(PaginatedList[ResourceView]):
    """The list of resources, and the list of templates in `templates`."""

    def __init__(self, session: Session) -> None:
        """List the resources of `session`; nothing is read before `refresh`."""
        super().__init__(session, RESOURCES)
        self.templates: PaginatedList[TemplateView] = PaginatedList(session, TEMPLATES)

    def detach(self) -> None:
        """Follow the session no longer, nor let the templates do so."""
        super().detach()
        self.templates.detach()


class ResourceRead(Operation):
    """One read of one URI."""

    LARGE_MEMBERS: ClassVar[tuple[str, ...]] = ("contents",)

    def __init__(
        self,
        session: Session,
        uri: str,
        source: str,
        timeouts: Timeouts | None = None,
        *,
        meta: JsonObject | None = None,
    ) -> None:
        """Prepare to read `uri`."""
        super().__init__(session, METHOD, {"uri": uri}, timeouts=timeouts, meta=meta)
        self.uri = uri
        self.source = source
        """Where the URI is from: itself if it is in the list, the template that it was made of, or empty if it was typed."""

    @property
    def result(self) -> ReadResult | None:
        """The result; None without one."""
        return self._view(ReadResult)


class ResourceReads:
    """Reads resources, and keeps the history of reads."""

    def __init__(self, session: Session) -> None:
        """Read over `session`."""
        self.history: OperationHistory[ResourceRead] = OperationHistory()
        self._session = session

    def read(
        self,
        uri: str,
        *,
        source: str | None = None,
        timeouts: Timeouts | None = None,
        meta: JsonObject | None = None,
    ) -> ResourceRead:
        """Start to read `uri`; without a `source`, the URI itself is the source.

        `meta` are members of `_meta` that win over those of every request.
        """
        source = uri if source is None else source
        return self.history.start(ResourceRead(self._session, uri, source, timeouts, meta=meta))

    def headers_of(self, uri: str, meta: JsonObject | None = None) -> MirroredHeaders:
        """Return the headers that repeat parts of a request to read `uri`."""
        return preview_headers(self._session, METHOD, {"uri": uri}, meta)
