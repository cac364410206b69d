"""Content blocks of tools, prompts and models.

`content(raw)` reads any value: a malformed block or one of an unknown type is still a block, with its raw value. A block of a type
that a later revision added is read as if it were allowed, with a finding.

Source: server/tools, "Tool Result"; server/prompts, "Data Types"; client/sampling.
"""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, ClassVar

from inspector.finding import Finding, Severity
from inspector.spec.image_damage import MAX_BYTES as MAX_EXAMINED
from inspector.spec.image_damage import damage
from inspector.spec.keys import META, content_type
from inspector.spec.media_types import (
    TAIL_BYTES,
    Binary,
    base64_ends,
    base64_problem,
    base64_size,
    decode_base64,
    kind_of,
    mismatch,
    missing_end,
)
from inspector.spec.pointer import join
from inspector.spec.spec_urls import link
from inspector.spec.view import View
from inspector.spec.views.definition import icons
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json

ROLES = ("user", "assistant")


class Annotations(View):
    """For whom a block is and how much it matters."""

    SUBJECT: ClassVar[str] = "resources"
    NOUN: ClassVar[str] = "annotations"

    def _read_members(self) -> None:
        self.audience = self.texts("audience")
        self.priority = self.number("priority")
        self.last_modified = self.text("lastModified")
        for number, role in enumerate(self.audience):
            if role not in ROLES:
                text = f"`audience` must contain only user or assistant, not {role!r}"
                self.add_finding(text, "audience", number, rule="L-ANN-01")
        if self.last_modified and not _is_date(self.last_modified):
            text = f"`lastModified` must be a date in ISO 8601, not {self.last_modified[:40]!r}"
            self.add_finding(text, "lastModified", rule="L-ANN-03")
        if self.priority is not None and not 0 <= self.priority <= 1:
            text = f"`priority` must be between 0 and 1, not {self.priority}"
            self.add_finding(text, "priority", rule="L-ANN-02")


NO_ANNOTATIONS = Annotations({})
"""Of the many blocks that have none."""


def _is_date(text: str) -> bool:
    try:
        datetime.datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


class ContentView(View):
    """A content block: what all types have."""

    SUBJECT: ClassVar[str] = "tools"
    NOUN: ClassVar[str] = "a content block"

    def _read_members(self) -> None:
        self.type = self.text("type", required=True)
        self.annotations = self._annotations()
        self.meta = self.members(META)
        self._check_type()

    @property
    def is_malformed(self) -> bool:
        """Whether it lacks what it takes to draw it as its type; then only `raw` helps."""
        return not self.is_object or not self.type

    def _annotations(self) -> Annotations:
        if not self.has("annotations"):
            return NO_ANNOTATIONS
        found = Annotations(
            self.value("annotations"), self.pointer_to("annotations"), self.revision
        )
        self.include_findings_of(found)
        return found

    def _check_type(self) -> None:
        known = content_type(self.type)
        if self.type and known is None:
            self.add_finding(
                f"content type {self.type!r} is not defined in any revision",
                "type",
                rule="L-TOOL-44",
            )
        elif known and self.revision and not known.applies_to(self.revision):
            text = f"content type {self.type!r} was added in {known.since}"
            self.add_finding(text, "type", rule="L-TOOL-44")


def _note_media(view: View, text: str, media_type: str) -> None:
    """Take note of base64 whose bytes are something else than they are called, end early or are damaged."""
    start, end = base64_ends(text, TAIL_BYTES)
    if found := mismatch(media_type, start):
        message = f"called `{one_line(media_type, 80)}`, but the bytes are {found}"
        view.add_finding(message, "mimeType", rule="L-TOOL-43")
    kind, size = kind_of(start), base64_size(text)
    if missing := missing_end(kind, end, start, size):
        message = f"the {kind} ends early, after {size:,} bytes: {missing}"
        view.add_finding(message, rule="media-ends-early")
    elif size <= MAX_EXAMINED and (found := damage(kind, decode_base64(text).data or b"")):
        message = f"the {kind} of {size:,} bytes is damaged: {found}"
        view.add_finding(message, rule="media-damaged")


class TextContent(ContentView):
    """Text, exactly as it came."""

    def _read_members(self) -> None:
        super()._read_members()
        self.text_value = self.value("text")
        self.body = self.text("text", required=True)

    @property
    def is_malformed(self) -> bool:
        """Whether there is no text, not even an empty one."""
        return not isinstance(self.text_value, str)


class MediaContent(ContentView):
    """An image or audio."""

    RULE: ClassVar[str] = "L-TOOL-42"

    def _read_members(self) -> None:
        super()._read_members()
        self.data = self.text("data", required=True)
        self.mime_type = self.text("mimeType", required=True)
        problem = base64_problem(self.data) if isinstance(self.value("data"), str) else ""
        if problem:
            self.add_finding(f"`data`: {problem}", "data")
        else:
            _note_media(self, self.data, self.mime_type)
        if self.mime_type and not self.mime_type.lower().startswith(f"{self.type}/"):
            text = f"`mimeType` of {self.type} content is {self.mime_type!r}"
            self.add_finding(text, "mimeType", severity=Severity.WARNING)

    @property
    def is_malformed(self) -> bool:
        """Whether there is no data at all."""
        return not isinstance(self.value("data"), str)

    @property
    def size(self) -> int:
        """Bytes it holds, reckoned from the length of the text."""
        return base64_size(self.data)

    def decode(self) -> Binary:
        """Decode the bytes, at each call; `problem` says why there are none."""
        return decode_base64(self.data)


class ResourceContents(View):
    """What a resource holds: text or bytes.

    Found in embedded resources and in the result of `resources/read`.
    """

    SUBJECT: ClassVar[str] = "resources"
    RULE: ClassVar[str] = "L-RES-05"
    NOUN: ClassVar[str] = "resource contents"

    def _read_members(self) -> None:
        self.uri = self.text("uri", required=True)
        self.mime_type = self.text("mimeType")
        self.has_text = isinstance(self.value("text"), str)
        self.has_blob = isinstance(self.value("blob"), str)
        self.body = self.text("text")
        self.blob = self.text("blob")
        self.meta = self.members(META)
        # Some servers annotate here, as an example of the specification did; the schema has it one level up.
        self.annotations = Annotations(
            self.value("annotations") if self.has("annotations") else {},
            self.pointer_to("annotations"),
            self.revision,
        )
        self._check()

    @property
    def is_malformed(self) -> bool:
        """Whether there is neither text nor blob."""
        return not (self.has_text or self.has_blob)

    @property
    def size(self) -> int:
        """Bytes it holds."""
        if self.has_blob:
            return base64_size(self.blob)
        return len(self.body.encode(errors="surrogatepass"))

    def decode(self) -> Binary:
        """Decode the bytes of the blob, at each call; `problem` says why there are none."""
        return decode_base64(self.blob)

    def _check(self) -> None:
        if self.has_text and self.has_blob:
            self.add_finding("both `text` and `blob` are present; only one is allowed", "blob")
        if self.is_object and self.is_malformed:
            self.add_finding("neither `text` nor `blob` is present")
        problem = base64_problem(self.blob) if self.has_blob and self.blob else ""
        if problem:
            self.add_finding(f"`blob`: {problem}", "blob")
        elif self.has_blob:
            _note_media(self, self.blob, self.mime_type)


class EmbeddedResource(ContentView):
    """A resource inside a message."""

    def _read_members(self) -> None:
        super()._read_members()
        self.has_resource = self.has("resource")
        self.resource = ResourceContents(
            self.value("resource"), self.pointer_to("resource"), self.revision
        )
        if self.has_resource:
            self.include_findings_of(self.resource)
        elif self.is_object:
            self.add_finding("`resource` is missing", "resource")
        if not self.has("annotations"):
            self.annotations = self.resource.annotations

    @property
    def is_malformed(self) -> bool:
        """Whether there is nothing inside."""
        return self.resource.is_malformed


class ResourceLink(ContentView):
    """A link to a resource, to be read through the server."""

    RULE: ClassVar[str] = "L-TOOL-41"

    def _read_members(self) -> None:
        super()._read_members()
        self.uri = self.text("uri", required=True)
        self.name = self.text("name", required=True)
        self.title = self.text("title")
        self.description = self.text("description")
        self.mime_type = self.text("mimeType")
        self.size = self.number("size")
        self.icons = icons(self)

    @property
    def label(self) -> str:
        """What to call it on screen."""
        return self.title or self.name or self.uri

    @property
    def scheme(self) -> str:
        """The scheme of its address in lower case; empty when it has none."""
        before, colon, _ = self.uri.partition(":")
        return before.strip().lower() if colon else ""

    @property
    def is_malformed(self) -> bool:
        """Whether it leads nowhere."""
        return not self.uri


class ToolUse(ContentView):
    """A model's wish to call a tool, in sampling."""

    SUBJECT: ClassVar[str] = "sampling"

    def _read_members(self) -> None:
        super()._read_members()
        self.id = self.text("id", required=True)
        self.name = self.text("name", required=True)
        self.input = self.value("input")
        if self.is_object and not isinstance(self.input, dict):
            self.members("input", required=True)


class ToolResult(ContentView):
    """What a tool answered to a model, in sampling."""

    SUBJECT: ClassVar[str] = "sampling"

    def _read_members(self) -> None:
        super()._read_members()
        self.tool_use_id = self.text("toolUseId", required=True)
        # A tool result inside a tool result is not allowed, and reading it could nest without end.
        self.content = contents(
            self.items("content", required=True),
            self.pointer_to("content"),
            self.revision,
            without="tool_result",
        )
        self.has_structured = self.has("structuredContent")
        self.structured = self.value("structuredContent")
        self.is_error = self.flag("isError")


CONTENT_VIEWS: dict[str, type[ContentView]] = {
    "text": TextContent,
    "image": MediaContent,
    "audio": MediaContent,
    "resource": EmbeddedResource,
    "resource_link": ResourceLink,
    "tool_use": ToolUse,
    "tool_result": ToolResult,
}
"""How each type is read; every other one is a plain `ContentView`."""


def content(
    raw: Json, pointer: str = "", revision: Revision | None = None, *, without: str = ""
) -> ContentView:
    """Read one block; a type that must not occur here may be left `without` a reading of its own."""
    name = raw.get("type") if isinstance(raw, dict) else None
    known = name if isinstance(name, str) and name != without else ""
    view = CONTENT_VIEWS.get(known, ContentView)
    return view(raw, pointer, revision)


def contents(
    items: Sequence[Json], pointer: str = "", revision: Revision | None = None, *, without: str = ""
) -> tuple[ContentView, ...]:
    """Read a list of blocks that stands at `place`."""
    return tuple(
        content(item, join(pointer, number), revision, without=without)
        for number, item in enumerate(items)
    )


def misplaced(blocks: Sequence[ContentView], allowed: frozenset[str]) -> list[Finding]:
    """Return a finding for each block whose type is known but not `allowed` where it stands."""
    return [
        Finding(
            "L-TOOL-44",
            Severity.ERROR,
            f"content type {block.type!r} is not allowed here",
            block.pointer_to("type"),
            link(block.SUBJECT, block.revision),
        )
        for block in blocks
        if content_type(block.type) and block.type not in allowed
    ]


def one_or_many(
    raw: Json, pointer: str, revision: Revision | None = None
) -> tuple[ContentView, ...]:
    """Read what may be a single block or a list of them."""
    if isinstance(raw, list):
        return contents(raw, pointer, revision)
    return (content(raw, pointer, revision),)
