"""What a server has to read: its resources, and the templates that make addresses of more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.session.paginated_list import ListSpec, PaginatedList
from inspector.spec.views.resource import (
    ResourcesPage,
    ResourceView,
    TemplatesPage,
    TemplateView,
    address_clashes,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.finding import Finding
    from inspector.session.session import Session
    from inspector.spec.revision import Revision
    from inspector.spec.views.resource import Addressed
    from inspector.wire.json_codec import Json

LIST_CHANGED = "notifications/resources/list_changed"
"""Says that either list changed: templates have no notification of their own."""


def _resources(
    result: Json, revision: Revision | None
) -> tuple[Sequence[ResourceView], Sequence[Finding]]:
    page = ResourcesPage(result, revision=revision)
    return page.listed, page.notes


def _templates(
    result: Json, revision: Revision | None
) -> tuple[Sequence[TemplateView], Sequence[Finding]]:
    page = TemplatesPage(result, revision=revision)
    return page.listed, page.notes


def _name_of(item: Addressed) -> str:
    return item.id_label


RESOURCES = ListSpec[ResourceView](
    "resources/list",
    LIST_CHANGED,
    "resources",
    _resources,
    address_clashes,
    _name_of,
)
TEMPLATES = ListSpec[TemplateView](
    "resources/templates/list",
    LIST_CHANGED,
    "resources",
    _templates,
    address_clashes,
    _name_of,
)


class Resources(PaginatedList[ResourceView]):
    """The list of resources, with the list of templates beside it."""

    def __init__(self, session: Session) -> None:
        """Offer what `session` has to read; nothing is read before `refresh`."""
        super().__init__(session, RESOURCES)
        self.templates: PaginatedList[TemplateView] = PaginatedList(session, TEMPLATES)
