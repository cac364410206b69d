"""What is to be read: something listed, what a template makes of its variables, or an address that was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.fact import Fact
from inspector.spec.views.resource import ResourceView, TemplateView

if TYPE_CHECKING:
    from inspector.finding import Finding
    from inspector.spec.views.resource import Addressed

FREE = ""
"""The source of what was read by an address that was typed."""


class ReadTarget(Fact, frozen=True):
    """The subject of the middle panel."""

    entry: Addressed | None = None
    """A resource or template; None for an address that is typed."""
    clashes: tuple[Finding, ...] = ()
    """What is odd about it beside the others."""

    @property
    def source(self) -> str:
        """By which way what is read comes to be read."""
        return FREE if self.entry is None else self.entry.address_label

    @property
    def resource(self) -> ResourceView | None:
        """The resource, if it is one."""
        return self.entry if isinstance(self.entry, ResourceView) else None

    @property
    def template(self) -> TemplateView | None:
        """The template, if it is one."""
        return self.entry if isinstance(self.entry, TemplateView) else None
