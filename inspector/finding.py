"""A finding: a violation or anomaly in a message, as data. It never stops anything; it is displayed beside the message."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Severity(IntEnum):
    """How much a finding matters."""

    INFO = 0
    WARNING = 1
    ERROR = 2


class Finding(FrozenStruct, frozen=True):
    """One rule that one message broke."""

    rule: str
    """A stable name, e.g. `jsonrpc-version`."""
    severity: Severity
    """How much it matters."""
    summary: str
    """What is wrong, for the user."""
    pointer: str = ""
    """JSON pointer (RFC 6901) into the message; empty for the message as a whole."""
    link: str = ""
    """Where the specification says so."""
    counted: str = ""
    """A hash of the items that it counts, of which its summary names some; empty if it is about one."""


MAX_FINDINGS = 20
"""Findings kept for one message; the last one counts the rest."""

MAX_ALIKE = 3
"""Findings kept that differ by place alone."""


def bounded(findings: Iterable[Finding], limit: int = MAX_FINDINGS) -> list[Finding]:
    """Return the gravest findings: alike ones folded, and one at the end that counts those left out."""
    found = list(findings)
    if not found:
        return found  # as nearly always
    folded = sorted(_folded(found), key=lambda finding: -finding.severity)
    if len(folded) <= limit:
        return folded
    kept, rest = folded[: limit - 1], folded[limit - 1 :]
    text = f"{len(rest)} more problems in this message not shown"
    return [*kept, Finding("more-findings", rest[0].severity, text)]


def _folded(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the first few of those that say the same, then one that counts the others."""
    alike: dict[tuple[str, str], dict[str, Finding]] = {}
    for finding in findings:
        alike.setdefault((finding.rule, finding.summary), {}).setdefault(finding.pointer, finding)
    for places in alike.values():
        found = list(places.values())
        yield from found[:MAX_ALIKE]
        if len(found) > MAX_ALIKE:
            more = found[MAX_ALIKE]
            yield replace(
                more, summary=f"{more.summary} (and {len(found) - MAX_ALIKE} more like this)"
            )
