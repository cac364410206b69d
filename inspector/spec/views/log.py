"""A line of the server's log.

Source: server/utilities/logging; RFC 5424 for the levels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inspector.spec.keys import LOG_LEVELS, META
from inspector.spec.view import View

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json


class LogView(View):
    """The params of `notifications/message`."""

    SUBJECT: ClassVar[str] = "logging"
    RULE: ClassVar[str] = "L-LOG-01"
    NOUN: ClassVar[str] = "the params of a log message"

    def __init__(
        self, raw: Json, pointer: str = "/params", revision: Revision | None = None
    ) -> None:
        """Read the params; a level nobody knows is kept as it is."""
        super().__init__(raw, pointer, revision)
        self.level = self.text("level", required=True)
        self.logger = self.text("logger")
        self.has_data = self.has("data")
        self.data = self.value("data")
        self.meta = self.members(META)
        if self.level and self.level not in LOG_LEVELS:
            self.add_finding(f"unknown log level {self.level!r}", "level")
        if self.is_object and not self.has_data:
            self.add_finding("`data` is missing", "data")

    @property
    def rank(self) -> int | None:
        """Position among the levels, 0 for debug; None for a level nobody knows."""
        return LOG_LEVELS.index(self.level) if self.level in LOG_LEVELS else None
