"""Cases of rules: a conversation that breaks a rule, and one that nearly does; validated as a live one is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.checks.background_validator import BackgroundValidator
from inspector.spec.revision import V2025_11_25, Revision
from tests.support.findings import rules_of, validate_all
from tests.support.talk import Talk

if TYPE_CHECKING:
    from collections.abc import Callable


class Case(NamedTuple):
    """What proves one rule."""

    rule: str
    breaks: Callable[[Talk], object]
    """Writes the shortest conversation that breaks it."""
    near_miss: Callable[[Talk], object]
    """Writes one that differs in what matters alone, and does not; never an empty one."""
    revision: Revision = V2025_11_25
    name: str = ""
    """Tells several cases of one rule apart."""


def rules_found(write: Callable[[Talk], object], revision: Revision) -> list[str]:
    """Return the rules that are broken in the conversation that `write` writes, each as often as it was found."""
    talk = Talk()
    write(talk)
    validator = BackgroundValidator(talk.transcript, revision)
    validate_all(validator)
    validator.rules.check_connection()
    return rules_of(talk.transcript)
