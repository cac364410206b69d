"""A rule applied to one document or message of an authorization: what it requires, where, and the result. Data, never an exception."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterable

_RFC = re.compile(r"RFC (\d+), section ([\d.]+)")


class CheckResult(StrEnum):
    """The result of a check."""

    PASSED = "passed"
    INFO = "info"
    """No rule is broken, but the user should know."""
    WARNING = "warning"
    """A SHOULD is broken: the flow continues; other clients may stop here."""
    FAILED = "failed"
    """A MUST is broken."""


class Check(FrozenStruct, frozen=True):
    """One rule, applied to what was received."""

    rule: str
    """A stable name, such as `L-AUT-06`, or the source itself where there is no such name."""
    source: str
    """Where the rule is written, such as `RFC 8414, section 3.3`."""
    pointer: str
    """JSON pointer into the document, or the name of the parameter or header; empty for the whole."""
    result: CheckResult
    """The result."""
    summary: str
    """What was found."""

    @property
    def link(self) -> str:
        """The URL of the source; empty for anything but an RFC."""
        found = _RFC.search(self.source)
        return f"https://www.rfc-editor.org/rfc/rfc{found[1]}#section-{found[2]}" if found else ""


def _check(result: CheckResult, rule: str, source: str, pointer: str, text: str) -> Check:
    return Check(rule, source, pointer, result, text)


passed = partial(_check, CheckResult.PASSED)
"""Returns a check of a rule that is obeyed; takes rule, source, pointer and text, like the others."""
info = partial(_check, CheckResult.INFO)
"""Returns a check that informs the user."""
warning = partial(_check, CheckResult.WARNING)
"""Returns a check of a SHOULD that is broken, or of something that stops other clients."""
failed = partial(_check, CheckResult.FAILED)
"""Returns a check of a MUST that is broken."""


def worst(checks: Iterable[Check]) -> CheckResult:
    """Return the most serious result of checks; `PASSED` without checks."""
    order = list(CheckResult)
    return max((each.result for each in checks), key=order.index, default=CheckResult.PASSED)
