"""A resource, a template of resources, pages of both, and what reading one gives.

Addresses are kept exactly as they came. What is said about size, type and importance is the server's word and nothing more.

Source: server/resources, "Resource", "Listing Resources", "Reading Resources", "Resource Templates", "Annotations".
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, ClassVar, TypeVar

from inspector.finding import Finding, Severity
from inspector.spec.hidden_text import note_hidden
from inspector.spec.keys import META
from inspector.spec.spec_urls import link
from inspector.spec.uri_template import UriTemplate
from inspector.spec.view import View
from inspector.spec.views.caching import CacheHints
from inspector.spec.views.content import Annotations, ResourceContents
from inspector.spec.views.icon import icons
from inspector.spec.views.list_page import ListPage
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class Addressed(View):
    """What resources and templates have in common."""

    SUBJECT: ClassVar[str] = "resources"
    ADDRESS: ClassVar[str]
    """The member that says where it is."""

    def __init__(self, raw: Json, pointer: str = "", revision: Revision | None = None) -> None:
        """Read the common members."""
        super().__init__(raw, pointer, revision)
        self.exact_address = self.value(self.ADDRESS)
        self.address = self.text(self.ADDRESS, required=True)
        self.name = self.text("name", required=True)
        self.title = self.text("title")
        self.description = self.text("description")
        self.mime_type = self.text("mimeType")
        self.annotations = self._annotations()
        self.icons = icons(self)
        self.meta = self.members(META)
        note_hidden(self, self.ADDRESS, "name", "title", "description")

    @property
    def has_address(self) -> bool:
        """Whether there is something to ask for, however odd; an empty text is."""
        return isinstance(self.exact_address, str)

    @property
    def address_label(self) -> str:
        """The address for the screen: exact where there is one, in brackets what stands in its place."""
        if self.address:
            return self.address
        if not self.has(self.ADDRESS):
            return f"(no {self.ADDRESS})"
        if self.exact_address == "":
            return f"(empty {self.ADDRESS})"
        return f"({json_codec.write(self.exact_address)})"

    @property
    def label(self) -> str:
        """What to call it on screen: `title`, `name`, the address; never empty."""
        return self.title or self.name or self.address_label

    @property
    def problems(self) -> tuple[Finding, ...]:
        """Everything odd about it."""
        return tuple(self.notes)

    def _annotations(self) -> Annotations:
        raw = self.value("annotations") if self.has("annotations") else {}
        found = Annotations(raw, self.pointer_to("annotations"), self.revision)
        self.include_findings_of(found)
        return found


class ResourceView(Addressed):
    """One resource as listed."""

    RULE: ClassVar[str] = "L-RES-01"
    NOUN: ClassVar[str] = "a resource"
    ADDRESS: ClassVar[str] = "uri"

    def __init__(self, raw: Json, pointer: str = "", revision: Revision | None = None) -> None:
        """Read a resource."""
        super().__init__(raw, pointer, revision)
        self.uri = self.address
        self.size = self._size()
        if self.has_address and _SCHEME.match(self.uri) is None:
            text = "`uri` has no scheme; sent unchanged"
            self.add_finding(text, "uri", severity=Severity.WARNING)

    def _size(self) -> int | None:
        """Bytes, or None where nothing usable is said."""
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
    ADDRESS: ClassVar[str] = "uriTemplate"

    def __init__(self, raw: Json, pointer: str = "", revision: Revision | None = None) -> None:
        """Read a template."""
        super().__init__(raw, pointer, revision)
        self.template = UriTemplate(self.address)
        for problem in self.template.problems:
            self.add_finding(problem, self.ADDRESS, section="Resource Templates")


class ResourcesPage(ListPage[ResourceView]):
    """The result of `resources/list`."""

    SUBJECT: ClassVar[str] = "resources"
    NOUN: ClassVar[str] = "the result of resources/list"
    KEY: ClassVar[str] = "resources"
    ITEM = ResourceView


class TemplatesPage(ListPage[TemplateView]):
    """The result of `resources/templates/list`."""

    SUBJECT: ClassVar[str] = "resources"
    NOUN: ClassVar[str] = "the result of resources/templates/list"
    KEY: ClassVar[str] = "resourceTemplates"
    ITEM = TemplateView


class ReadResult(View):
    """What `resources/read` gave: any number of contents, whose addresses may differ from the one asked for."""

    SUBJECT: ClassVar[str] = "resources"
    RULE: ClassVar[str] = "L-RES-05"
    NOUN: ClassVar[str] = "the resources/read result"

    def __init__(
        self, raw: Json, pointer: str = "/result", revision: Revision | None = None
    ) -> None:
        """Read the result."""
        super().__init__(raw, pointer, revision)
        self.contents = tuple(
            ResourceContents(item, self.pointer_to("contents", number), revision)
            for number, item in enumerate(self.items("contents", required=True))
        )
        self.caching = CacheHints(self)
        self.meta = self.members(META)
        self.result_type = self.text("resultType")
        if self.has("contents") and self.has_no_items("contents"):
            text = "empty result: no contents"
            self.add_finding(text, "contents", rule="L-RES-10", severity=Severity.INFO)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything odd about the result and its contents."""
        return (*self.notes, *(note for item in self.contents for note in item.notes))


A = TypeVar("A", bound=Addressed)


def address_clashes(items: Sequence[A]) -> Mapping[int, tuple[Finding, ...]]:
    """Return findings for the items, by position, whose address another one has too."""
    by_address: defaultdict[str, list[int]] = defaultdict(list)
    for number, item in enumerate(items):
        if item.has_address:
            by_address[item.address].append(number)
    return {
        number: (_clash(items[number], len(numbers)),)
        for numbers in by_address.values()
        if len(numbers) > 1
        for number in numbers
    }


def _clash(item: Addressed, same: int) -> Finding:
    text = f"{same} entries have the same {item.ADDRESS} {item.address!r}"
    page = link(item.SUBJECT, item.revision)
    return Finding("L-RES-02", Severity.WARNING, text, item.pointer_to(item.ADDRESS), page)
