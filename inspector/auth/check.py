"""One rule held against one document or message of an authorization: what it asks, where, and whether it was kept. Data, never an exception."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterable

_RFC = re.compile(r"RFC (\d+), section ([\d.]+)")


class CheckResult(StrEnum):
    """Whether a rule was kept."""

    PASSED = "passed"
    INFO = "info"
    """Nothing is broken, but it is worth knowing."""
    WARNING = "warning"
    """The flow goes on; other clients may stop here."""
    FAILED = "failed"
    """A rule with MUST is broken."""


class Check(FrozenStruct, frozen=True):
    """One rule, held against what was received."""

    rule: str
    """A stable name, such as `L-AUT-06`, or the source itself where there is no such name."""
    source: str
    """Where the rule is written, such as `RFC 8414, section 3.3`."""
    pointer: str
    """JSON pointer into the document, or the name of the parameter or header; empty for the whole."""
    result: CheckResult
    """Whether it was kept."""
    summary: str
    """What was found."""

    @property
    def link(self) -> str:
        """Where the source can be read; empty if that is no RFC."""
        found = _RFC.search(self.source)
        return f"https://www.rfc-editor.org/rfc/rfc{found[1]}#section-{found[2]}" if found else ""


def passed(rule: str, source: str, pointer: str, text: str) -> Check:
    """A rule that was kept."""
    return Check(rule, source, pointer, CheckResult.PASSED, text)


def info(rule: str, source: str, pointer: str, text: str) -> Check:
    """Something worth knowing."""
    return Check(rule, source, pointer, CheckResult.INFO, text)


def warning(rule: str, source: str, pointer: str, text: str) -> Check:
    """A rule with SHOULD that was broken, or something that stops other clients."""
    return Check(rule, source, pointer, CheckResult.WARNING, text)


def failed(rule: str, source: str, pointer: str, text: str) -> Check:
    """A rule with MUST that was broken."""
    return Check(rule, source, pointer, CheckResult.FAILED, text)


def worst(checks: Iterable[Check]) -> CheckResult:
    """The most serious verdict among checks; `PASSED` without checks."""
    order = list(CheckResult)
    return max((each.result for each in checks), key=order.index, default=CheckResult.PASSED)
