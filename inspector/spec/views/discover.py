"""The answer to `server/discover`.

Source: server/discover; basic/versioning.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, ClassVar

from inspector.finding import Severity
from inspector.spec import capabilities, revision
from inspector.spec.hidden_text import note_hidden
from inspector.spec.json_types import format_value
from inspector.spec.keys import META, META_SERVER_INFO
from inspector.spec.method import Side
from inspector.spec.view import View
from inspector.spec.views.caching import CacheHints
from inspector.spec.views.initialize import ServerInfo

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json

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
        note_hidden(self, "instructions")
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
            self.add_finding(text, META, rule="L-MET-04", severity=Severity.WARNING)
        if self.is_answer and not self.supported_versions:
            text = "`supportedVersions` is empty"
            self.add_finding(text, "supportedVersions", rule="L-DSC-05", severity=Severity.INFO)
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
            self.add_finding(text, "supportedVersions", rule="L-DSC-05", severity=Severity.INFO)
        odd = next((each for each in versions if not _DATE.fullmatch(each)), None)
        if odd is not None:
            text = f"`supportedVersions` contains {format_value(odd)}, which is not a date"
            self.add_finding(text, "supportedVersions", rule="L-DSC-05", severity=Severity.INFO)
