"""The results of `initialize` and `server/discover`: what a server says about itself.

Source: basic/lifecycle, "Initialization"; server/discover; basic/versioning.
"""

from __future__ import annotations

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
    """The description of a server or a client (`Implementation`)."""

    SUBJECT: ClassVar[str] = "lifecycle"
    RULE: ClassVar[str] = "L-IMP-01"
    NOUN: ClassVar[str] = "`serverInfo`"

    def _read_members(self) -> None:
        self.name = self.text("name", required=True)
        self.version = self.text("version", required=True)
        self.title = self.text("title")
        self.description = self.text("description")
        self.website_url = self.text("websiteUrl")
        self.icons = icons(self)
        self.check_hidden_text("name", "title", "description")

    @property
    def label(self) -> str:
        """The title or the name for display; empty if both are missing."""
        return self.title or self.name


class HandshakeResult(View):
    """What the results of both handshakes share."""

    POINTER: ClassVar[str] = "/result"
    NEWEST: ClassVar[Revision] = revision.NEWEST
    """The revision that defines the capabilities if none is known."""

    def _read_members(self) -> None:
        self.capabilities = self.value("capabilities")
        self.instructions = self.text("instructions")
        self.meta = self.members(META)
        self.server = self._server()
        self.check_hidden_text("instructions")

    def _check_capabilities(self) -> None:
        if self.has("capabilities"):
            read_as, pointer = self.revision or self.NEWEST, self.pointer_to("capabilities")
            self._notes += capabilities.problems(self.capabilities, Side.SERVER, read_as, pointer)
        elif self.is_object:
            self.add_finding("`capabilities` is missing; treated as empty", "capabilities")

    def declares(self, *path: str) -> bool:
        """Whether the server declared a capability, read tolerantly."""
        return capabilities.declares(self.capabilities, *path)

    def _server(self) -> ServerInfo:
        """Read `serverInfo`: from `_meta`, or from the body as in the stateful era and in an earlier draft of the stateless one."""
        if META_SERVER_INFO in self.meta and not self.NEWEST.stateful:
            pointer = self.pointer_to(META, META_SERVER_INFO)
            return ServerInfo(self.meta[META_SERVER_INFO], pointer, self.revision)
        return ServerInfo(self.value("serverInfo"), self.pointer_to("serverInfo"), self.revision)


class InitializeResultView(HandshakeResult):
    """The result of `initialize`."""

    SUBJECT: ClassVar[str] = "lifecycle"
    RULE: ClassVar[str] = "L-LC-01"
    NOUN: ClassVar[str] = "the initialize result"
    NEWEST: ClassVar[Revision] = revision.NEWEST_STATEFUL

    def __init__(self, raw: Json, pointer: str | None = None) -> None:
        """Read the result by the revision that it names itself."""
        named = raw.get("protocolVersion") if isinstance(raw, dict) else None
        super().__init__(raw, pointer, revision.find(named))

    def _read_members(self) -> None:
        self.protocol_version = self.text("protocolVersion", required=True)
        super()._read_members()
        if self.has("serverInfo"):
            self.include_findings_of(self.server)
        elif self.is_object:
            self.add_finding("`serverInfo` is missing", "serverInfo")
        if self.protocol_version and self.revision is None:
            text = f"`protocolVersion` {self.protocol_version!r} is not a known revision"
            self.add_finding(text, "protocolVersion", rule="L-LC-04")
        self._check_capabilities()
        if self.has("instructions") and not self.instructions:
            self.add_finding("`instructions` is empty", "instructions", rule="L-LC-10")

    @property
    def supported_versions(self) -> tuple[str, ...]:
        """The only revision that the server is known to support: the one it named."""
        return (self.protocol_version,) if self.protocol_version else ()

    @property
    def version_text(self) -> str:
        """The member `protocolVersion` as text, of any type; empty if it is missing."""
        value = self.value("protocolVersion")
        return value if isinstance(value, str) else "" if value is None else str(value)


class DiscoverResultView(HandshakeResult):
    """The result of `server/discover`."""

    SUBJECT: ClassVar[str] = "discover"
    RULE: ClassVar[str] = "L-DSC-02"
    NOUN: ClassVar[str] = "the result of server/discover"

    def _read_members(self) -> None:
        self.is_answer = isinstance(self.value("supportedVersions"), list)
        self.items("supportedVersions", required=True)
        self.supported_versions = self.texts("supportedVersions") if self.is_answer else ()
        self.result_type = self.text("resultType", required=True)
        self.caching = CacheHints(self)
        super()._read_members()
        if self.server.is_object:
            self.include_findings_of(self.server)
        else:
            self.add_finding("`serverInfo` is missing", META, rule="L-MET-04")
        self._check_versions()
        self._check_capabilities()

    def best(self, among: tuple[Revision, ...] = revision.REVISIONS) -> Revision | None:
        """Return the newest revision of `among` that the server supports."""
        return revision.best(list(self.supported_versions), among)

    def _check_versions(self) -> None:
        versions = self.supported_versions
        if self.is_answer and not versions:
            text = "`supportedVersions` is empty"
            self.add_finding(text, "supportedVersions", rule="L-DSC-05")
        if len(set(versions)) < len(versions):
            twice, _ = Counter(versions).most_common(1)[0]
            text = f"`supportedVersions` contains {format_value(twice)} more than once"
            self.add_finding(text, "supportedVersions", rule="L-DSC-05")
        invalid = next((each for each in versions if not revision.is_date(each)), None)
        if invalid is not None:
            text = f"`supportedVersions` contains {format_value(invalid)}, which is not a date"
            self.add_finding(text, "supportedVersions", rule="L-DSC-05")
