"""The tests of the fields of the filter language that compare quantities: durations, sizes, numbers of frames, operations, runs."""

from __future__ import annotations

from operator import eq, ge, gt, le, lt
from typing import TYPE_CHECKING

from inspector.transcript.filter.parser import wrong_value
from inspector.transcript.filter.predicates import of_exchange

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inspector.transcript.filter.parser import Value
    from inspector.transcript.filter.predicates import Test
    from inspector.transcript.transcript import Transcript

_TIMES = {"us": 1e-6, "µs": 1e-6, "ms": 1e-3, "": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0}
_SIZES = {
    "": 1,
    "b": 1,
    "k": 10**3,
    "kb": 10**3,
    "m": 10**6,
    "mb": 10**6,
    "kib": 1 << 10,
    "mib": 1 << 20,
}
_ANY_NUMBER = {"": 1}

_COMPARISONS = {">=": ge, "<=": le, ">": gt, "<": lt, "=": eq}


def by_duration(value: Value) -> Test:
    """Test the time from request to response, or until the request was given up."""
    compare = _comparison("duration", value, _TIMES, "duration:>500ms")

    def holds(transcript: Transcript, owner: int) -> bool:
        took = transcript.took_seconds(owner)
        return took is not None and compare(took)

    return of_exchange(holds)


def by_size(value: Value) -> Test:
    """Test the size."""
    compare = _comparison("size", value, _SIZES, "size:>10k")
    return lambda transcript, start, stop: bytes(map(compare, transcript.columns.size[start:stop]))


def by_number(value: Value) -> Test:
    """Test the number of the frame."""
    compare = _comparison("number", value, _ANY_NUMBER, "number:>100")
    return lambda _transcript, start, stop: bytes(map(compare, range(start + 1, stop + 1)))


def by_operation(value: Value) -> Test:
    """Test whether the frame belongs to the operation with this number, or is it."""
    compare = _comparison("operation", value, _ANY_NUMBER, "operation:61")

    def test(transcript: Transcript, start: int, stop: int) -> bytes:
        rows = transcript.operations
        rows.advance(stop + 1)
        operations = map(rows.operation, range(start + 1, stop + 1))
        return bytes(operation > 0 and compare(operation) for operation in operations)

    return test


def _comparison(
    field: str, value: Value, units: Mapping[str, float], example: str
) -> Callable[[float], bool]:
    text = value.text
    operator = next((mark for mark in _COMPARISONS if text.startswith(mark)), "")
    if not operator and units is _TIMES:
        raise wrong_value(value, f"{field}: expects a comparison, e.g. {example} or {field}:<2s")
    limit = _quantity(text.removeprefix(operator).strip(), units)
    if limit is None:
        known = ", ".join(unit for unit in units if unit)
        raise wrong_value(
            value,
            f"{field}: takes a number{f' with one of {known}' if known else ''}, for example {example}",
        )
    compare = _COMPARISONS[operator or "="]
    return lambda quantity: compare(quantity, limit)


def _quantity(text: str, units: Mapping[str, float]) -> float | None:
    digits = text.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZµ")
    factor = units.get(text[len(digits) :].lower())
    try:
        return None if factor is None else float(digits) * factor
    except ValueError:
        return None


def by_run(value: Value) -> Test:
    """Test the number of the run."""
    compare = _comparison("run", value, _ANY_NUMBER, "run:2")

    def test(transcript: Transcript, start: int, stop: int) -> bytes:
        return bytes([compare(run_number(transcript))]) * (stop - start)

    return test


def run_number(transcript: Transcript) -> int:
    """Return the number of a run among those of its server; a recording of the first, or of an earlier version, does not name it."""
    number = transcript.metadata.get("run", "")
    return int(number) if number.isdecimal() and len(number) < MAX_DIGITS else 1


MAX_DIGITS = 10
"""Digits of the number of a run that is believed."""
