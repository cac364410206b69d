"""What a run comes to. Pure: evidence in, outcome out.

Stricter than the suite, which looks at nothing but the checks that failed: a warning fails a run, and so does a client that was stopped,
ended with an error or died; and a run in which nothing was checked has not passed.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json
    from tests.conformance.plan import Run

BAD = ("FAILURE", "WARNING")

_CLIENT_ENDED = re.compile(r"CLIENT (TIMED OUT|EXITED WITH ERROR \(code [^)]*\))")
_ERROR_LINE = re.compile(r"^.*\b[Ee]rror\b.*$", re.MULTILINE)


class Verdict(StrEnum):
    """How a run ended."""

    PASSED = "passed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that the suite looked at."""

    id: str
    """What it is called; several may have one name."""
    status: str
    """`SUCCESS`, `FAILURE`, `WARNING`, `SKIPPED` or `INFO`."""
    words: str
    """What was wrong, else what was looked at."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a run left behind."""

    status: int | None
    """Exit status of the suite; None when it had to be stopped."""
    log: str = ""
    """What the suite said."""
    checks: tuple[Check, ...] | None = None
    """What it looked at; None when it left no result."""
    last_words: str = ""
    """The end of what the client wrote to stderr."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to."""

    run: Run
    """Which."""
    verdict: Verdict
    """How it ended."""
    reason: str
    """Why it did not pass, where the checks do not say."""
    checks: tuple[Check, ...] = ()
    """What was looked at."""
    last_words: str = ""
    """What the client said at its end, where that was no good one."""
    seconds: float = 0
    """How long it took; 0 where that is not known."""

    @property
    def good(self) -> int:
        """How many checks succeeded."""
        return _good(self.checks)

    @property
    def problems(self) -> tuple[Check, ...]:
        """The checks that did not."""
        return _bad(self.checks)


def judge(run: Run, evidence: Evidence, seconds: float = 0) -> Outcome:
    """What `evidence` says about a run."""
    reason = _reason(run, evidence)
    checks = evidence.checks or ()
    passed = not reason and not _bad(checks)
    said = evidence.last_words if reason else ""
    verdict = Verdict.PASSED if passed else Verdict.FAILED
    return Outcome(run, verdict, reason, checks, said, seconds)


def _reason(run: Run, evidence: Evidence) -> str:
    """Why a run failed, apart from the checks that did."""
    if evidence.status is None:
        return "no end in time, stopped"
    if evidence.checks is None:
        said = _ERROR_LINE.search(evidence.log)
        text = said[0].strip()[:200] if said else f"status {evidence.status}"
        return f"the suite left no result: {text}"
    ended = _CLIENT_ENDED.search(evidence.log)
    if evidence.status != 0 and ended:
        return f"client {ended[1].lower()}"
    if _bad(evidence.checks):
        return ""
    if evidence.status != 0:
        return f"the suite ended with {evidence.status}"
    return _blank(run, evidence.checks)


def _blank(run: Run, checks: tuple[Check, ...]) -> str:
    if not _good(checks):
        return "nothing was checked"
    if run.name.startswith("auth/") and all(check.id != "incoming-request" for check in checks):
        return "nothing was checked: the client sent no request"
    return ""


def _good(checks: tuple[Check, ...]) -> int:
    return sum(check.status == "SUCCESS" for check in checks)


def _bad(checks: tuple[Check, ...]) -> tuple[Check, ...]:
    return tuple(check for check in checks if check.status in BAD)


def read_checks(text: str) -> tuple[Check, ...] | None:
    """The checks in a `checks.json`; None when it is none."""
    try:
        value: Json = json.loads(text)
    except ValueError:
        return None
    if not isinstance(value, list):
        return None
    return tuple(_check(each) for each in value if isinstance(each, dict))


def _check(raw: dict[str, Json]) -> Check:
    text = raw.get("errorMessage") or raw.get("description") or ""
    return Check(str(raw.get("id", "?")), str(raw.get("status", "?")), str(text))
