"""The tests of the fields of the filter language: names, states and findings.

Each function makes a `Test` of a value. Masks come from the packed columns; only `id:` reads frames, and only those that may contain the id.
"""

from __future__ import annotations

import sys
from itertools import compress
from typing import TYPE_CHECKING, TypeAlias

from inspector.finding import Severity
from inspector.transcript.exchange import STATUS_NUMBER, Status
from inspector.transcript.filter.parser import QueryError, Value
from inspector.transcript.filter.patterns import NamePattern, Pattern, matches_any, name_patterns
from inspector.transcript.index import FrameFlags
from inspector.transcript.text_search import Glob
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import Absent, MessageKind

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Collection, Iterable, Iterator

    from inspector.transcript.index import Columns
    from inspector.transcript.transcript import Transcript
    from inspector.wire.message import MaybeJson

Test: TypeAlias = "Callable[[Transcript, int, int], bytes]"
"""(transcript, start, stop) → mask of the frames whose number less one is from start to before stop: one byte a frame, 1
where the test holds."""


def kinds_table(kinds: Iterable[MessageKind]) -> bytes:
    """Return a table that translates a column of kinds into a mask of these kinds."""
    selected = set(kinds)
    return bytes(number in selected for number in range(256))


DIRECTIONS = {
    "in": ("received", Direction.RECEIVED),
    "out": ("sent", Direction.SENT),
    "note": ("Spyglass notes", Direction.NOTE),
}
KINDS = {
    "request": ("requests", (MessageKind.REQUEST,)),
    "response": ("results and errors", (MessageKind.RESPONSE, MessageKind.ERROR)),
    "result": ("responses with a result", (MessageKind.RESPONSE,)),
    "error": ("responses with an error", (MessageKind.ERROR,)),
    "notification": ("notifications", (MessageKind.NOTIFICATION,)),
    "batch": ("several messages in one frame", (MessageKind.BATCH,)),
    "malformed": ("invalid messages", (MessageKind.MALFORMED,)),
    "stderr": ("stderr lines", (MessageKind.STDERR,)),
    "note": ("Spyglass notes", (MessageKind.NOTE,)),
    "blank": ("empty lines", (MessageKind.BLANK_LINE,)),
    "http": ("HTTP headers and non-message bodies", (MessageKind.HTTP,)),
    "event": ("SSE events without a message", (MessageKind.SSE_OTHER,)),
}
_FAILED = (
    *(Status.ERROR, Status.TOOL_ERROR, Status.CANCELLED, Status.TIMED_OUT),
    *(Status.NO_RESPONSE, Status.INVALID_RESULT),
)
STATUSES = {
    "ok": ("result received", (Status.OK,)),
    "error": ("JSON-RPC error or tool error", (Status.ERROR, Status.TOOL_ERROR)),
    "rpc-error": ("JSON-RPC error", (Status.ERROR,)),
    "tool-error": ("tool error (isError)", (Status.TOOL_ERROR,)),
    "pending": ("no response yet", (Status.PENDING,)),
    "open": ("open subscriptions", (Status.OPEN,)),
    "cancelled": ("cancelled", (Status.CANCELLED,)),
    "timed-out": ("timed out", (Status.TIMED_OUT,)),
    "no-response": ("connection closed first", (Status.NO_RESPONSE,)),
    "input-required": ("input required", (Status.INPUT_REQUIRED,)),
    "invalid": ("invalid result", (Status.INVALID_RESULT,)),
    "late": ("response after cancellation or timeout", ()),
    "probe": ("sent by Spyglass to find out how to talk to the server", ()),
    "failed": ("any status except ok", _FAILED),
}
EARLIER_VALUES = {"lost": "no-response"}
"""Values in filters of earlier versions → current values."""
SEVERITIES = {
    "error": ("errors", Severity.ERROR),
    "warning": ("warnings", Severity.WARNING),
    "info": ("informational", Severity.INFO),
}
TOKENS = {
    "flow": ("requests of the authorization itself", None),
    "none": ("over HTTP without a token", None),
}
_OVER_HTTP = frozenset({Channel.HTTP, Channel.BODY, Channel.SSE})
ANSWERED_KINDS = kinds_table(
    (MessageKind.REQUEST, MessageKind.RESPONSE, MessageKind.ERROR, MessageKind.BATCH)
)
"""Kinds of frames that have an id."""


def select_names(field: str, value: Value, choices: Collection[str]) -> list[str]:
    """Return the names among `choices` that match a value.

    Raises:
        QueryError: an alternative matches none.
    """
    if value.is_pattern:
        pattern = Pattern(value)
        return [choice for choice in choices if pattern.matches(choice)]
    selected: list[str] = []
    for alternative in value.alternatives:
        glob = Glob(alternative.pieces)
        fitting = [choice for choice in choices if glob.matches(choice)]
        if not fitting:
            current = EARLIER_VALUES.get(alternative.text.lower())
            fitting = [choice for choice in choices if choice == current]
        if not fitting:
            raise QueryError(
                _no_such_value(field, alternative.text, choices), value.position, stop=value.stop
            )
        selected += fitting
    return selected


def _no_such_value(field: str, text: str, choices: Collection[str]) -> str:
    if ":" in text:
        return f"{field}: unknown value “{text}”; put spaces around “|” between terms"
    from difflib import get_close_matches  # with the first mistake

    near = get_close_matches(text.lower(), choices, 1)
    hint = f"did you mean {field}:{near[0]}?" if near else f"{field}: takes {', '.join(choices)}"
    return f"{field}: unknown value “{text}”; {hint}"


def by_dir(value: Value) -> Test:
    """Test the direction."""
    selected = {DIRECTIONS[name][1] for name in select_names("dir", value, DIRECTIONS)}
    table = bytes(number in selected for number in range(256))
    return lambda transcript, start, stop: (
        transcript.columns.direction[start:stop].tobytes().translate(table)
    )


def by_kind(value: Value) -> Test:
    """Test the kind of message."""
    table = kinds_table(
        kind for name in select_names("kind", value, KINDS) for kind in KINDS[name][1]
    )
    return lambda transcript, start, stop: (
        transcript.columns.kind[start:stop].tobytes().translate(table)
    )


def _matching(numbers: array[int], texts: list[str], patterns: list[NamePattern]) -> bytes:
    """Return the mask of a column of interned texts; each distinct text is matched once."""
    if len(texts) > 256:
        matching = {number for number in set(numbers) if matches_any(patterns, texts[number])}
        return bytes(map(matching.__contains__, numbers))
    table = bytes(matches_any(patterns, text) for text in texts).ljust(256, b"\0")
    low = 0 if sys.byteorder == "little" else numbers.itemsize - 1
    return numbers.tobytes()[low :: numbers.itemsize].translate(table)


def by_method(value: Value) -> Test:
    """Test the method of a frame; responses have the method of their request."""
    patterns = name_patterns(value)
    return lambda transcript, start, stop: _matching(
        transcript.columns.method[start:stop], transcript.columns.methods.texts, patterns
    )


def by_name(value: Value) -> Test:
    """Test the tool, prompt or URI that the request of a frame names."""
    patterns = name_patterns(value)
    return lambda transcript, start, stop: _matching(
        transcript.columns.label[start:stop], transcript.columns.labels.texts, patterns
    )


def by_tool(value: Value) -> Test:
    """Test the tool of the call that a frame belongs to."""
    named = by_name(value)

    def test(transcript: Transcript, start: int, stop: int) -> bytes:
        columns, mask = transcript.columns, bytearray(named(transcript, start, stop))
        texts, methods, owners = columns.methods.texts, columns.method, columns.request
        at = mask.find(1)
        while at >= 0:
            owner = owners[start + at]
            mask[at] = owner != 0 and texts[methods[owner - 1]] == "tools/call"
            at = mask.find(1, at + 1)
        return bytes(mask)

    return test


def by_status(value: Value) -> Test:
    """Test the state of the request, for requests and responses."""
    names = select_names("status", value, STATUSES)
    statuses = {STATUS_NUMBER[status] for name in names for status in STATUSES[name][1]}
    late, probe = "late" in names, "probe" in names
    table = bytes(number in statuses for number in range(256))

    def of_probe_or_late(transcript: Transcript, owner: int) -> bool:
        columns = transcript.columns
        if columns.flags[owner - 1] & FrameFlags.PROBE:
            return probe
        response = columns.response[owner - 1] if late else 0
        is_late = response != 0 and bool(columns.flags[response - 1] & FrameFlags.LATE)
        return is_late or bool(table[columns.status[owner - 1]])

    def test(transcript: Transcript, start: int, stop: int) -> bytes:
        columns = transcript.columns
        status, flags = columns.status, columns.flags
        owners = _answered(columns, start, stop)
        mask = bytearray(stop - start)
        for at, owner in owners:
            if owner and table[status[owner - 1]] and not flags[owner - 1] & FrameFlags.PROBE:
                mask[at] = 1
        return bytes(mask)

    return of_exchange(of_probe_or_late) if late or probe else test


def _answered(columns: Columns, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield where in a part of the columns the requests and responses are, and the request of each."""
    is_answered = columns.kind[start:stop].tobytes().translate(ANSWERED_KINDS)
    return compress(enumerate(columns.request[start:stop]), is_answered)


def of_exchange(holds: Callable[[Transcript, int], bool]) -> Test:
    """Return a test of the exchange, for its requests and responses."""

    def test(transcript: Transcript, start: int, stop: int) -> bytes:
        mask = bytearray(stop - start)
        for at, owner in _answered(transcript.columns, start, stop):
            mask[at] = owner != 0 and holds(transcript, owner)
        return bytes(mask)

    return test


def by_problem(value: Value) -> Test:
    """Test the findings: any above `INFO`, or of a severity, or of a rule."""
    return _with_findings(value, FrameFlags.PROBLEM)


def by_finding(value: Value) -> Test:
    """Test the findings: any at all, or of a severity, or of a rule."""
    return _with_findings(value, FrameFlags.FINDING)


def _with_findings(value: Value, flag: int) -> Test:
    if not value.text or value.text == "*":
        return flagged(flag)
    alternatives = value.alternatives
    names = [each.text for each in alternatives]
    severities = {SEVERITIES[name][1] for name in names if name in SEVERITIES}
    patterns = [
        p for each in alternatives if each.text not in SEVERITIES for p in name_patterns(each)
    ]
    found = flagged(FrameFlags.FINDING)

    def test(transcript: Transcript, start: int, stop: int) -> bytes:
        mask = bytearray(found(transcript, start, stop))
        at = mask.find(1)
        while at >= 0:
            findings = transcript.findings(start + at + 1)
            mask[at] = any(
                f.severity in severities or matches_any(patterns, f.rule) for f in findings
            )
            at = mask.find(1, at + 1)
        return bytes(mask)

    return test


def flagged(flag: int) -> Test:
    """Return a test of one of `FrameFlags`."""
    table = bytes(bool(number & flag) for number in range(256))
    return lambda transcript, start, stop: (
        transcript.columns.flags[start:stop].tobytes().translate(table)
    )


def by_auth(value: Value) -> Test:
    """Test the token of the HTTP request; `flow`: exchanges of an authorization, `none`: requests without a token."""
    names = [part.text for part in value.alternatives]
    patterns = name_patterns(value) if value.text else []
    is_any, flow, none = not value.text or value.text == "*", "flow" in names, "none" in names

    def holds(transcript: Transcript, number: int) -> bool:
        channel = transcript.columns.channel[number - 1]
        if channel == Channel.AUTH:
            return flow
        tokens = transcript.tokens.of(number)
        if not tokens:
            return none and channel in _OVER_HTTP
        return is_any or any(matches_any(patterns, token) for token in tokens)

    def test(transcript: Transcript, start: int, stop: int) -> bytes:
        return bytes(holds(transcript, number) for number in range(start + 1, stop + 1))

    return test


def by_session(value: Value) -> Test:
    """Test the title or profile of the session."""
    patterns = name_patterns(value)

    def test(transcript: Transcript, start: int, stop: int) -> bytes:
        names = (transcript.metadata.get(fact, "") for fact in ("title", "profile"))
        return bytes([any(matches_any(patterns, name) for name in names if name)]) * (stop - start)

    return test


def id_text(id_: MaybeJson) -> str:
    """Return an id as a user writes it: a string without its quotes."""
    if isinstance(id_, Absent):
        return ""
    return id_ if isinstance(id_, str) else json_codec.write(id_)


def intersect(one: bytes, other: bytes) -> bytes:
    """Return the mask of frames that are in both."""
    joined = int.from_bytes(one, "little") & int.from_bytes(other, "little")
    return joined.to_bytes(len(one), "little")
