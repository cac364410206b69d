"""Something wrong or odd on the wire, as data.

A finding never stops anything: the display shows what came, and the finding stands beside it.
"""

from __future__ import annotations

from enum import IntEnum

from inspector.frozen import FrozenStruct


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
    """What is wrong, for the person who sees it."""
    pointer: str = ""
    """JSON pointer (RFC 6901) into the message; empty for the message as a whole."""
    link: str = ""
    """Where the specification says so."""
