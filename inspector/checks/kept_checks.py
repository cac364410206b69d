"""What checking a recording gave, as bytes that are kept beside its index: opened again, it shows its problems at once.

Used only by the code that made it: rules, what they read, and the views that they are about. Otherwise the recording is checked again.
"""

from __future__ import annotations

import asyncio
import hashlib
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from inspector.background_tasks import TimeSlices
from inspector.checks.output_schema import OutputCheck, OutputState
from inspector.finding import Finding
from inspector.version import VERSION

if TYPE_CHECKING:
    from inspector.checks.background_validator import BackgroundValidator
    from inspector.schema.validate import FieldProblem
    from inspector.transcript.transcript import Transcript

FOLDERS = ("checks", "rules", "schema", "spec", "wire", "auth")
"""Packages that decide what is found."""


class _Problem(msgspec.Struct, frozen=True):
    """A `FieldProblem`."""

    pointer: str
    text: str
    missing: bool
    keys: tuple[str, ...]


class _Outcome(msgspec.Struct, frozen=True):
    """An `OutputCheck`, and the frame of the result that it is about."""

    number: int
    state: int
    is_error: bool
    problems: list[_Problem]
    notes: tuple[str, ...]
    findings: tuple[Finding, ...]


class KeptChecks(msgspec.Struct, frozen=True):
    """What checking all frames of a recording gave."""

    code: str
    """The version of Spyglass and of the modules that check."""
    findings: dict[int, list[Finding]]
    """By frame, beyond those that reading it gave."""
    seen_rules: list[str]
    """The rules that had something to check, by id."""
    outcomes: list[_Outcome]
    """Results that were validated by the output schema of their tool."""


def kept(validator: BackgroundValidator, findings: dict[int, list[Finding]]) -> bytes:
    """Return what a validator that is done gave; `findings` are those that it added."""
    outcomes = [
        _Outcome(
            number,
            check.state.value,
            check.is_error,
            [_Problem(each.pointer, each.text, each.missing, each.keys) for each in check.problems],
            check.notes,
            check.findings,
        )
        for number, check in validator.results.outcomes.items()
    ]
    made = KeptChecks(code(), findings, [*validator.rules.seen_rules], outcomes)
    return msgspec.msgpack.encode(made)


def read(raw: bytes) -> KeptChecks | None:
    """Return what was kept; None if it is not of this code. Blocks: what it is made of may have to be imported."""
    try:
        found = msgspec.msgpack.decode(raw, type=KeptChecks)
    except (msgspec.MsgspecError, ValueError):
        return None
    return found if found.code == code() else None


async def restore(
    checks: KeptChecks, transcript: Transcript, validator: BackgroundValidator
) -> None:
    """Let a recording that was read have all that checking it gave."""
    slices = TimeSlices()
    for number, findings in checks.findings.items():
        for finding in findings:
            transcript.add_finding(number, finding)
        await slices.checkpoint()
    validator.rules.seen_before = checks.seen_rules
    validator.results.restore(await asyncio.to_thread(_outcomes, checks))
    validator.restore()
    transcript.findings_changed.fire()


def _outcomes(checks: KeptChecks) -> dict[int, OutputCheck]:
    """Return the outcomes by frame. Blocks: what problems are made of may have to be imported."""
    return {each.number: _check(each) for each in checks.outcomes}


def _check(outcome: _Outcome) -> OutputCheck:
    problems: tuple[FieldProblem, ...] = ()
    if outcome.problems:
        problem = import_module("inspector.schema.validate").FieldProblem  # takes a moment
        problems = tuple(
            problem(each.pointer, each.text, each.missing, each.keys) for each in outcome.problems
        )
    state = OutputState(outcome.state)
    return OutputCheck(state, outcome.is_error, problems, outcome.notes, outcome.findings)


def added(transcript: Transcript, before: dict[int, int]) -> dict[int, list[Finding]]:
    """Return the findings of each frame beyond the number of those it had `before`."""
    found = {
        number: each[before.get(number, 0) :] for number, each in transcript.all_findings.items()
    }
    return {number: each for number, each in found.items() if each}


@cache
def code() -> str:
    """Return what changes with each change of what is found: the modules themselves, as far as they lie here as text."""
    digest = hashlib.blake2b(VERSION.encode(), digest_size=8)
    root = Path(__file__).parents[1]
    for folder in FOLDERS:
        for module in sorted((root / folder).rglob("*.py")):
            digest.update(module.read_bytes())
    return digest.hexdigest()
