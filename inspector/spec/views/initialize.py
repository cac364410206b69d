"""The answer to `initialize`.

Source: basic/lifecycle, "Initialization".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inspector.finding import Severity
from inspector.spec import capabilities, revision
from inspector.spec.hidden_text import note_hidden
from inspector.spec.method import Side
from inspector.spec.view import View
from inspector.spec.views.icon import icons

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
        note_hidden(self, "name", "title", "description")

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
        note_hidden(self, "instructions")
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
            self.add_finding(
                "`instructions` is empty", "instructions", rule="L-LC-10", severity=Severity.INFO
            )
