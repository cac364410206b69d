"""The params of progress notifications and log messages.

Source: basic, "Progress"; server/utilities/logging; RFC 5424 for the levels.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

from inspector.spec.json_types import format_value, type_text
from inspector.spec.keys import LOG_LEVELS, META
from inspector.spec.view import View

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json


class ProgressView(View):
    """The params of `notifications/progress`."""

    SUBJECT: ClassVar[str] = "progress"
    RULE: ClassVar[str] = "L-PRG-07"
    NOUN: ClassVar[str] = "the params of a progress notification"
    POINTER: ClassVar[str] = "/params"

    def _read_members(self) -> None:
        self.has_token = self.has("progressToken")
        self.token = self.value("progressToken")
        self.progress = self.number("progress", required=True)
        self.total = self.number("total")
        self.message = self.text("message")
        self._check()

    @property
    def fraction(self) -> float | None:
        """How far along, from 0 to 1; None when the total is not known."""
        if self.progress is None or not self.total or self.total < 0:
            return None
        try:
            fraction = self.progress / self.total
        except OverflowError:
            return None
        return None if math.isnan(fraction) else min(1.0, max(0.0, fraction))

    @property
    def status_text(self) -> str:
        """How far along and what is being done, as it was sent: `3 of 4 · copying`; what is no number is named so."""
        numbers = {"progress": self.progress, "total": self.total}
        sent = [key for key in numbers if self.value(key) is not None]
        strange = [f"`{key}`" for key in sent if numbers[key] is None]
        amount = " of ".join(_amount(self.value(key)) for key in sent)
        if strange:
            verb = "are not numbers" if len(strange) > 1 else "is not a number"
            amount += f" ({' and '.join(strange)} {verb})"
        return " · ".join(part for part in (amount, self.message) if part)

    def _check(self) -> None:
        if not self.has_token:
            if self.is_object:
                self.add_finding("`progressToken` is missing", "progressToken")
        elif isinstance(self.token, bool) or not isinstance(self.token, str | int):
            found = type_text(self.token)
            self.add_finding(
                f"`progressToken` must be a string or integer, not {found}", "progressToken"
            )
        for key, value in (("progress", self.progress), ("total", self.total)):
            if value is not None and value < 0:
                text = f"`{key}` is negative: {value}"
                self.add_finding(text, key, rule="L-PRG-04")
        if self.progress is not None and self.total is not None and 0 <= self.total < self.progress:
            text = f"progress {self.progress} exceeds the total {self.total}"
            self.add_finding(text, "progress", rule="L-PRG-04")


def _amount(value: Json) -> str:
    return f"{value:.12g}" if isinstance(value, float) else format_value(value)


class LogView(View):
    """The params of `notifications/message`; an unknown level is kept as received."""

    SUBJECT: ClassVar[str] = "logging"
    RULE: ClassVar[str] = "L-LOG-01"
    NOUN: ClassVar[str] = "the params of a log message"
    POINTER: ClassVar[str] = "/params"

    def _read_members(self) -> None:
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
        """Position among the levels, 0 for debug; None for an unknown level."""
        return LOG_LEVELS.index(self.level) if self.level in LOG_LEVELS else None
