"""The results of `initialize` and `server/discover`: what a server says about itself.

Source: basic/lifecycle, "Initialization"; server/discover; basic/versioning.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, ClassVar

from inspector.spec import capabilities, revision
from inspector.spec.json_types import format_value
from inspector.spec.keys import META, META_SERVER_INFO
from inspector.spec.method import Side
from inspector.spec.view import View
from inspector.spec.views.definition import icons
from inspector.spec.views.list_page import CacheHints

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json


class ServerInfo(View):
    """Who a server, or a client, says it is."""

    SUBJECT: ClassVar[str] = "lifecycle"
    RULE: ClassVar[str] = "L-IMP-01"
    NOUN: ClassVar[str] = "`serverInfo`"

    def __init__(self, raw: Json, pointer: str = "", revision: Revision | None = None) -> None:
        """Read an Implementation."""
        super().__init__(raw, pointer, revision)
        self.name = self.text("name", required=True)
        self.version = self.text("version", required=True)
        self.title = self.text("title")
        self.description = self.text("description")
        self.website_url = self.text("websiteUrl")
        self.icons = icons(self)
        self.check_hidden_text("name", "title", "description")

    @property
    def label(self) -> str:
        """What to call it on screen; empty when it did not say."""
        return self.title or self.name


class InitializeResultView(View):
    """What the server answered to `initialize`."""

    SUBJECT: ClassVar[str] = "lifecycle"
    RULE: ClassVar[str] = "L-LC-01"
    NOUN: ClassVar[str] = "the initialize result"

    def __init__(self, raw: Json, pointer: str = "/result") -> None:
        """Read the result; the revision is the one it names itself."""
        named = raw.get("protocolVersion") if isinstance(raw, dict) else None
        super().__init__(raw, pointer, revision.find(named))
        self.protocol_version = self.text("protocolVersion", required=True)
        self.capabilities = self.value("capabilities")
        self.server = ServerInfo(
            self.value("serverInfo"), self.pointer_to("serverInfo"), self.revision
        )
        self.instructions = self.text("instructions")
        self.meta = self.members("_meta")
        self.check_hidden_text("instructions")
        self._check()

    @property
    def supported_versions(self) -> tuple[str, ...]:
        """The revisions the server speaks, as far as it said so: the one it named."""
        return (self.protocol_version,) if self.protocol_version else ()

    @property
    def version_words(self) -> str:
        """The revision it named, as text whatever it was; empty when it named none."""
        value = self.value("protocolVersion")
        return value if isinstance(value, str) else "" if value is None else str(value)

    def declares(self, *path: str) -> bool:
        """Whether the server declared a capability, read tolerantly."""
        return capabilities.declares(self.capabilities, *path)

    def _check(self) -> None:
        if self.has("serverInfo"):
            self.include_findings_of(self.server)
        elif self.is_object:
            self.add_finding("`serverInfo` is missing", "serverInfo")
        if self.protocol_version and self.revision is None:
            text = f"`protocolVersion` {self.protocol_version!r} is not a known revision"
            self.add_finding(text, "protocolVersion", rule="L-LC-04")
        if self.has("capabilities"):
            read_as = self.revision or revision.NEWEST_STATEFUL
            pointer = self.pointer_to("capabilities")
            self._notes += capabilities.problems(self.capabilities, Side.SERVER, read_as, pointer)
        elif self.is_object:
            self.add_finding("`capabilities` is missing; treated as empty", "capabilities")
        if self.has("instructions") and not self.instructions:
            self.add_finding("`instructions` is empty", "instructions", rule="L-LC-10")


_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class DiscoverResultView(View):
    """What a server of the stateless era says about itself."""

    SUBJECT: ClassVar[str] = "discover"
    RULE: ClassVar[str] = "L-DSC-02"
    NOUN: ClassVar[str] = "the result of server/discover"

    def __init__(
        self, raw: Json, pointer: str = "/result", revision: Revision | None = None
    ) -> None:
        """Read the result."""
        super().__init__(raw, pointer, revision)
        self.is_answer = isinstance(self.value("supportedVersions"), list)
        self.items("supportedVersions", required=True)
        self.supported_versions = self.texts("supportedVersions") if self.is_answer else ()
        self.capabilities = self.value("capabilities")
        self.instructions = self.text("instructions")
        self.result_type = self.text("resultType", required=True)
        self.caching = CacheHints(self)
        self.meta = self.members(META)
        self.server = self._server()
        self.check_hidden_text("instructions")
        self._check()

    def best(self, among: tuple[Revision, ...] = revision.REVISIONS) -> Revision | None:
        """Return the newest revision of `among` that the server supports."""
        return revision.best(list(self.supported_versions), among)

    def declares(self, *path: str) -> bool:
        """Whether the server declared a capability, read tolerantly."""
        return capabilities.declares(self.capabilities, *path)

    def _server(self) -> ServerInfo:
        """Read who it is: in `_meta`, or in the body as an earlier draft had it."""
        if META_SERVER_INFO in self.meta:
            pointer = self.pointer_to(META, META_SERVER_INFO)
            return ServerInfo(self.meta[META_SERVER_INFO], pointer, self.revision)
        return ServerInfo(self.value("serverInfo"), self.pointer_to("serverInfo"), self.revision)

    def _check(self) -> None:
        if self.server.is_object:
            self.include_findings_of(self.server)
        else:
            text = "`serverInfo` is missing"
            self.add_finding(text, META, rule="L-MET-04")
        if self.is_answer and not self.supported_versions:
            text = "`supportedVersions` is empty"
            self.add_finding(text, "supportedVersions", rule="L-DSC-05")
        self._check_versions()
        if not self.has("capabilities"):
            self.add_finding("`capabilities` is missing; treated as empty", "capabilities")
            return
        read_as = self.revision or revision.NEWEST
        pointer = self.pointer_to("capabilities")
        self._notes += capabilities.problems(self.capabilities, Side.SERVER, read_as, pointer)

    def _check_versions(self) -> None:
        versions = self.supported_versions
        if len(set(versions)) < len(versions):
            twice, _ = Counter(versions).most_common(1)[0]
            text = f"`supportedVersions` contains {format_value(twice)} more than once"
            self.add_finding(text, "supportedVersions", rule="L-DSC-05")
        odd = next((each for each in versions if not _DATE.fullmatch(each)), None)
        if odd is not None:
            text = f"`supportedVersions` contains {format_value(odd)}, which is not a date"
            self.add_finding(text, "supportedVersions", rule="L-DSC-05")
