"""Cases of rules: a conversation that breaks a rule, and one that nearly does; validated as a live one is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.checks.background_validator import BackgroundValidator
from inspector.spec.revision import V2025_11_25, Revision
from tests.support.findings import findings_of, validate_all
from tests.support.talk import Talk

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.finding import Finding


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
    before: Callable[[Talk], object] | None = None
    """Writes the run before with the same server; None without one."""
    targets: frozenset[str] = frozenset()
    """The clients that the server is for; empty for all."""


def rules_found(
    write: Callable[[Talk], object],
    revision: Revision,
    before: Callable[[Talk], object] | None = None,
    targets: frozenset[str] = frozenset(),
) -> list[str]:
    """Return the rules that are broken in the conversation that `write` writes, each as often as it was found.

    `before` writes the run before.
    """
    return [finding.rule for finding in found_in(write, revision, before, targets)]


def found_in(
    write: Callable[[Talk], object],
    revision: Revision,
    before: Callable[[Talk], object] | None = None,
    targets: frozenset[str] = frozenset(),
) -> list[Finding]:
    """Return the findings about the conversation that `write` writes."""
    talk = Talk()
    write(talk)
    validator = BackgroundValidator(talk.transcript, revision)
    validator.set_targets(targets)
    if before is not None:
        earlier = Talk()
        before(earlier)
        known = BackgroundValidator(earlier.transcript, revision)
        validate_all(known)
        validator.rules.history.find_earlier = lambda: known.rules.history
    validator.end()
    validate_all(validator)
    return findings_of(talk.transcript)
