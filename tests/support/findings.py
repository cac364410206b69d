"""What is found in a record, once everything in it was validated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.catalog import CHECKED_RULES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.checks.background_validator import BackgroundValidator
    from inspector.finding import Finding
    from inspector.transcript.transcript import Transcript


def validate_all(sweep: BackgroundValidator) -> None:
    """Validate everything that is there now."""
    while sweep.pending:
        sweep.validate_slice()


def findings_of(transcript: Transcript, *, since: int = 1) -> list[Finding]:
    """The findings about all frames from the frame `since` on, in their order."""
    frames = range(since, transcript.count + 1)
    return [found for number in frames for found in transcript.findings(number)]


def rules_of(transcript: Transcript) -> list[str]:
    """The rules of the findings about all frames, each as often as it was found."""
    return [found.rule for found in findings_of(transcript)]


def protocol_rules(rules: Iterable[str]) -> list[str]:
    """Those of `rules` without the rules about quality that have a function: they look at what a sample leaves out for brevity."""
    left_out = {rule.id for rule in CHECKED_RULES if rule.level == "quality"}
    return [rule for rule in rules if rule not in left_out]
