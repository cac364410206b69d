"""A resource, a template of resources, pages of both, and what reading one gives.

Addresses are kept exactly as they came. What is said about size, type and importance is the server's word and nothing more.

Source: server/resources, "Resource", "Listing Resources", "Reading Resources", "Resource Templates", "Annotations".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, TypeVar

from inspector.finding import Finding, Severity
from inspector.spec.findings import make_finding
from inspector.spec.keys import META
from inspector.spec.uri_template import UriTemplate
from inspector.spec.view import View
from inspector.spec.views.content import Annotations, ResourceContents
from inspector.spec.views.definition import Definition, find_repeated, icons
from inspector.spec.views.list_page import CacheHints, ListPage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.background_tasks import Steps


_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class Addressed(Definition):
    """A resource or a template; it is told from others by its URI or URI template."""

    SUBJECT: ClassVar[str] = "resources"

    def _read_members(self) -> None:
        super()._read_members()
        self.address = self.text(self.ID, required=True)
        self.mime_type = self.text("mimeType")
        self.annotations = self._annotations()
        self.icons = icons(self)
        self.meta = self.members(META)
        self.check_hidden_text(self.ID, "name", "title", "description")

    @property
    def label(self) -> str:
        """The title, the name or the address for display; never empty."""
        return self.title or self.name or self.id_label

    def _annotations(self) -> Annotations:
        raw = self.value("annotations") if self.has("annotations") else {}
        found = Annotations(raw, self.pointer_to("annotations"), self.revision)
        self.include_findings_of(found)
        return found


class ResourceView(Addressed):
    """One resource as listed."""

    RULE: ClassVar[str] = "L-RES-01"
    NOUN: ClassVar[str] = "a resource"
    ID: ClassVar[str] = "uri"

    def _read_members(self) -> None:
        super()._read_members()
        self.uri = self.address
        self.size = self._size()
        if self.has_id and _SCHEME.match(self.uri) is None:
            text = "`uri` has no scheme; sent unchanged"
            self.add_finding(text, "uri", severity=Severity.WARNING)

    def _size(self) -> int | None:
        """Return the bytes, or None if `size` is missing or invalid."""
        size = self.number("size")
        if size is None:
            return None
        if size < 0 or not (isinstance(size, int) or size.is_integer()):
            self.add_finding(f"`size` must be a non-negative integer, not {size}", "size")
            return None
        return int(size)


class TemplateView(Addressed):
    """A template that makes addresses of resources."""

    RULE: ClassVar[str] = "L-RES-03"
    NOUN: ClassVar[str] = "a resource template"
    ID: ClassVar[str] = "uriTemplate"

    def _read_members(self) -> None:
        super()._read_members()
        self.template = UriTemplate(self.address)
        for problem in self.template.problems:
            self.add_finding(problem, self.ID, section="Resource Templates")


A = TypeVar("A", bound=Addressed)


class AddressedPage(ListPage[A]):
    """A page of resources or templates."""

    SUBJECT: ClassVar[str] = "resources"

    @classmethod
    def find_duplicates(
        cls, items: Sequence[A], limit: int | None = None
    ) -> Steps[dict[int, tuple[Finding, ...]]]:
        """Return findings for items, by position, whose URI or URI template is not unique."""
        return (yield from find_repeated(items, _key, _duplicate, limit))


class ResourcesPage(AddressedPage[ResourceView]):
    """The result of `resources/list`."""

    NOUN: ClassVar[str] = "the result of resources/list"
    KEY: ClassVar[str] = "resources"
    ITEM = ResourceView


class TemplatesPage(AddressedPage[TemplateView]):
    """The result of `resources/templates/list`."""

    NOUN: ClassVar[str] = "the result of resources/templates/list"
    KEY: ClassVar[str] = "resourceTemplates"
    ITEM = TemplateView


class ReadResult(View):
    """What `resources/read` gave: any number of contents, whose addresses may differ from the one asked for."""

    SUBJECT: ClassVar[str] = "resources"
    RULE: ClassVar[str] = "L-RES-05"
    NOUN: ClassVar[str] = "the resources/read result"
    POINTER: ClassVar[str] = "/result"

    def _read_members(self) -> None:
        self.contents = self.views("contents", ResourceContents, required=True)
        self.caching = CacheHints(self)
        self.meta = self.members(META)
        self.result_type = self.text("resultType")
        if self.has("contents") and self.has_no_items("contents"):
            text = "empty result: no contents"
            self.add_finding(text, "contents", rule="L-RES-10")

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything odd about the result and its contents."""
        return (*self.notes, *(note for item in self.contents for note in item.notes))


def _key(item: Addressed) -> str | None:
    return item.address if item.has_id else None


def _duplicate(item: Addressed, same: int) -> Finding:
    text = f"{same} entries have the same {item.ID} {item.address!r}"
    return make_finding("L-RES-02", text, item.pointer_to(item.ID), item.revision)
