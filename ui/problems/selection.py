"""Which findings are displayed, and in which groups."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from inspector.finding import Severity


class Grouping(StrEnum):
    """What the findings of a group have in common."""

    RULE = "rule"
    TOOL = "tool"
    FRAME = "frame"


class Selection(FrozenStruct, frozen=True):
    """Which findings are displayed, and how."""

    grouping: Grouping = Grouping.RULE
    """What is a group."""
    text: str = ""
    """Terms that occur in a finding, its rule or what it is about; in any case unless they have capitals."""
    hidden: frozenset[Severity] = frozenset()
    """Severities of rules whose findings are left out."""
