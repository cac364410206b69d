"""Suggestions for an argument. Usable values of an invalid result are kept, so that typing goes on; the rest gets findings.

Source: server/utilities/completion, "Completion Results".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inspector.spec.keys import META
from inspector.spec.view import View

if TYPE_CHECKING:
    from inspector.finding import Finding

MAX_VALUES = 100
"""Values that one result may have."""


class Completion(View):
    """The member `completion` of a result."""

    SUBJECT: ClassVar[str] = "completion"
    RULE: ClassVar[str] = "L-CMP-02"
    NOUN: ClassVar[str] = "`completion`"
    POINTER: ClassVar[str] = "/result/completion"

    def _read_members(self) -> None:
        self.values = self._texts()
        self.total = self._total()
        self.says_more = self.flag("hasMore")
        self._check()

    @property
    def offered(self) -> tuple[str, ...]:
        """The values without duplicates, at most `MAX_VALUES`."""
        return tuple(dict.fromkeys(self.values))[:MAX_VALUES]

    @property
    def more(self) -> bool:
        """Whether the server has more than those."""
        known = self.total is not None and self.total > len(self.values)
        return self.says_more or known or len(set(self.values)) > MAX_VALUES

    def _texts(self) -> tuple[str, ...]:
        self.items("values", required=True)
        return self.texts("values") if isinstance(self.value("values"), list) else ()

    def _total(self) -> int | None:
        total = self.number("total")
        if total is not None and (total < 0 or not _is_whole(total)):
            self.add_finding(f"`total` must be an integer, not {total}", "total")
            return None
        return None if total is None else int(total)

    def _check(self) -> None:
        count = len(self.values)
        if count > MAX_VALUES:
            text = f"{count:,} values; the maximum is {MAX_VALUES}"
            self.add_finding(text, "values", rule="L-CMP-01")
        if len(set(self.values)) < count:
            text = "duplicate values"
            self.add_finding(text, "values", rule="L-CMP-04")
        if self.total is not None and self.total < count:
            text = f"`total` is {self.total:,}, but there are {count:,} values"
            self.add_finding(text, "total", rule="L-CMP-03")


class CompletionResult(View):
    """What `completion/complete` gave."""

    SUBJECT: ClassVar[str] = "completion"
    RULE: ClassVar[str] = "L-CMP-02"
    NOUN: ClassVar[str] = "the result of completion/complete"
    POINTER: ClassVar[str] = "/result"

    def _read_members(self) -> None:
        self.meta = self.members(META)
        self.result_type = self.text("resultType")
        inner = self.members("completion", required=True)
        usable = isinstance(self.value("completion"), dict)
        self.completion = Completion(
            inner if usable else {"values": []}, self.pointer_to("completion"), self.revision
        )

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything odd about it."""
        return (*self.notes, *self.completion.notes)


def _is_whole(number: float) -> bool:
    return isinstance(number, int) or number.is_integer()
