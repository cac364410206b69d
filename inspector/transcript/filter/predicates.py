"""The tests of the fields of the filter language.

Each function makes a `Test` of a value. Masks come from the packed columns; only `id:` reads frames, and only those that may contain the id.
"""

from __future__ import annotations

from difflib import get_close_matches
from operator import eq, ge, gt, le, lt
from typing import TYPE_CHECKING, TypeAlias

from inspector.finding import Severity
from inspector.transcript.exchange import STATUS_NUMBER, Status
from inspector.transcript.filter.parser import QueryError, Value
from inspector.transcript.index import FrameFlags
from inspector.transcript.text_search import Glob, TextPattern
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import Absent, MessageKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from inspector.transcript.transcript import Transcript
    from inspector.wire.message import MaybeJson

Test: TypeAlias = "Callable[[Transcript, int, int], bytes]"
"""(transcript, start, stop) → mask of the frames whose number less one is from start to before stop: one byte a frame, 1
where the test holds."""


def _kinds(kinds: Iterable[MessageKind]) -> bytes:
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
    "lost": ("connection closed first", (Status.NO_RESPONSE,)),
    "input-required": ("input required", (Status.INPUT_REQUIRED,)),
    "invalid": ("invalid result", (Status.INVALID_RESULT,)),
    "late": ("response after cancellation or timeout", ()),
    "probe": ("sent by Spyglass to find out how to talk to the server", ()),
    "failed": ("any status except ok", _FAILED),
}
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
_ANSWERED_KINDS = _kinds(
    (MessageKind.REQUEST, MessageKind.RESPONSE, MessageKind.ERROR, MessageKind.BATCH)
)


def _select(field: str, value: Value, choices: Collection[str]) -> list[str]:
    selected: list[str] = []
    for alternative in value.alternatives:
        glob = Glob(alternative.pieces)
        fitting = [choice for choice in choices if glob.matches(choice)]
        if not fitting:
            raise QueryError(
                _no_such_value(field, alternative.text, choices), value.position, stop=value.stop
            )
        selected += fitting
    return selected


def _no_such_value(field: str, text: str, choices: Collection[str]) -> str:
    near = get_close_matches(text.lower(), choices, 1)
    hint = f"did you mean {field}:{near[0]}?" if near else f"{field}: takes {', '.join(choices)}"
    return f"{field}: unknown value “{text}”; {hint}"


def by_dir(value: Value) -> Test:
    """Test the direction."""
    selected = {DIRECTIONS[name][1] for name in _select("dir", value, DIRECTIONS)}
    table = bytes(number in selected for number in range(256))
    return lambda transcript, start, stop: (
        transcript.columns.direction[start:stop].tobytes().translate(table)
    )


def by_kind(value: Value) -> Test:
    """Test the kind of message."""
    table = _kinds(kind for name in _select("kind", value, KINDS) for kind in KINDS[name][1])
    return lambda transcript, start, stop: (
        transcript.columns.kind[start:stop].tobytes().translate(table)
    )


def _globs(value: Value) -> list[Glob]:
    return [Glob(alternative.pieces) for alternative in value.alternatives]


def _fits_any(globs: list[Glob], name: str) -> bool:
    return any(glob.matches(name) for glob in globs)


def _matching(numbers: Sequence[int], texts: list[str], globs: list[Glob]) -> bytes:
    """Return the mask of a column of interned texts; each distinct text is matched once."""
    matching = {number for number in set(numbers) if _fits_any(globs, texts[number])}
    return bytes(map(matching.__contains__, numbers))


def by_method(value: Value) -> Test:
    """Test the method of a frame; responses have the method of their request."""
    globs = _globs(value)
    return lambda transcript, start, stop: _matching(
        transcript.columns.method[start:stop], transcript.columns.methods.texts, globs
    )


def by_name(value: Value) -> Test:
    """Test the tool, prompt or URI that the request of a frame names."""
    globs = _globs(value)
    return lambda transcript, start, stop: _matching(
        transcript.columns.label[start:stop], transcript.columns.labels.texts, globs
    )


def by_tool(value: Value) -> Test:
    """Test the tool of the call that a frame belongs to."""
    named = by_name(value)

    def test(transcript: Transcript, start: int, stop: int) -> bytes:
        columns = transcript.columns
        texts, methods = columns.methods.texts, columns.method
        calls = (
            o != 0 and texts[methods[o - 1]] == "tools/call" for o in columns.request[start:stop]
        )
        return intersect(named(transcript, start, stop), bytes(calls))

    return test


def by_status(value: Value) -> Test:
    """Test the state of the request, for requests and responses."""
    names = _select("status", value, STATUSES)
    statuses = {STATUS_NUMBER[status] for name in names for status in STATUSES[name][1]}
    late, probe = "late" in names, "probe" in names

    def holds(transcript: Transcript, owner: int) -> bool:
        columns = transcript.columns
        if columns.flags[owner - 1] & FrameFlags.PROBE:
            return probe
        if columns.status[owner - 1] in statuses:
            return True
        response = columns.response[owner - 1] if late else 0
        return response != 0 and bool(columns.flags[response - 1] & FrameFlags.LATE)

    return _by_owner(holds)


def by_duration(value: Value) -> Test:
    """Test the time from request to response, or until the request was given up."""
    compare = _comparison("duration", value, _TIMES, "duration:>500ms")

    def holds(transcript: Transcript, owner: int) -> bool:
        took = transcript.took_seconds(owner)
        return took is not None and compare(took)

    return _by_owner(holds)


def _by_owner(holds: Callable[[Transcript, int], bool]) -> Test:
    """Return a test of the exchange, for its requests and responses."""

    def test(transcript: Transcript, start: int, stop: int) -> bytes:
        columns = transcript.columns
        mask = bytes(
            owner != 0 and holds(transcript, owner) for owner in columns.request[start:stop]
        )
        return intersect(mask, columns.kind[start:stop].tobytes().translate(_ANSWERED_KINDS))

    return test


def by_size(value: Value) -> Test:
    """Test the size."""
    compare = _comparison("size", value, _SIZES, "size:>10k")
    return lambda transcript, start, stop: bytes(map(compare, transcript.columns.size[start:stop]))


def by_number(value: Value) -> Test:
    """Test the number of the frame."""
    compare = _comparison("number", value, _ANY_NUMBER, "number:>100")
    return lambda _transcript, start, stop: bytes(map(compare, range(start + 1, stop + 1)))


def _comparison(
    field: str, value: Value, units: Mapping[str, float], example: str
) -> Callable[[float], bool]:
    text = value.text
    operator = next((mark for mark in _COMPARISONS if text.startswith(mark)), "")
    if not operator and units is _TIMES:
        raise _wrong(value, f"{field}: expects a comparison, e.g. {example} or {field}:<2s")
    limit = _quantity(text.removeprefix(operator).strip(), units)
    if limit is None:
        known = ", ".join(unit for unit in units if unit)
        raise _wrong(
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


def _wrong(value: Value, text: str) -> QueryError:
    return QueryError(text, value.position, stop=max(value.stop, value.position + 1))


def by_problem(value: Value) -> Test:
    """Test the findings: any above `INFO`, or of a severity, or of a rule."""
    if not value.text or value.text == "*":
        return _marked(FrameFlags.PROBLEM)
    severities = {
        SEVERITIES[part.text][1] for part in value.alternatives if part.text in SEVERITIES
    }
    globs = [Glob(part.pieces) for part in value.alternatives if part.text not in SEVERITIES]
    found = _marked(FrameFlags.FINDING)

    def test(transcript: Transcript, start: int, stop: int) -> bytes:
        mask = bytearray(found(transcript, start, stop))
        at = mask.find(1)
        while at >= 0:
            findings = transcript.findings(start + at + 1)
            mask[at] = any(f.severity in severities or _fits_any(globs, f.rule) for f in findings)
            at = mask.find(1, at + 1)
        return bytes(mask)

    return test


def _marked(mark: int) -> Test:
    table = bytes(bool(number & mark) for number in range(256))
    return lambda transcript, start, stop: (
        transcript.columns.flags[start:stop].tobytes().translate(table)
    )


def by_auth(value: Value) -> Test:
    """Test the token of the HTTP request; `flow`: exchanges of an authorization, `none`: requests without a token."""
    names = [part.text for part in value.alternatives]
    globs = _globs(value) if value.text else []
    is_any, flow, none = not value.text or value.text == "*", "flow" in names, "none" in names

    def holds(transcript: Transcript, number: int) -> bool:
        channel = transcript.columns.channel[number - 1]
        if channel == Channel.AUTH:
            return flow
        tokens = transcript.tokens.of(number)
        if not tokens:
            return none and channel in _OVER_HTTP
        return is_any or any(_fits_any(globs, token) for token in tokens)

    def test(transcript: Transcript, start: int, stop: int) -> bytes:
        return bytes(holds(transcript, number) for number in range(start + 1, stop + 1))

    return test


def by_session(value: Value) -> Test:
    """Test the title or profile of the session."""
    globs = _globs(value)

    def test(transcript: Transcript, start: int, stop: int) -> bytes:
        names = (transcript.metadata.get(fact, "") for fact in ("title", "profile"))
        return bytes([any(_fits_any(globs, name) for name in names if name)]) * (stop - start)

    return test


def by_id(value: Value) -> Test:
    """Test the id, of any JSON type, of requests and responses."""
    globs = _globs(value)
    needles = [TextPattern(alternative.pieces) for alternative in value.alternatives]

    def test(transcript: Transcript, start: int, stop: int) -> bytes:
        kinds = transcript.columns.kind[start:stop].tobytes().translate(_ANSWERED_KINDS)
        mask = bytearray(stop - start)
        raws = transcript.raws(start + 1, stop + 1)
        for at in {at for needle in needles for at in needle.find_in(raws)}:
            mask[at] = kinds[at] and _has_id(transcript, start + at + 1, globs)
        return bytes(mask)

    return test


def _has_id(transcript: Transcript, number: int, globs: list[Glob]) -> bool:
    message = transcript.message(number)
    ids = (
        [message.id]
        if message.kind is not MessageKind.BATCH
        else [member.id for member in message.members]
    )
    return any(_fits_any(globs, id_text(id_)) for id_ in ids if not isinstance(id_, Absent))


def id_text(id_: MaybeJson) -> str:
    """Return an id as a user writes it: a string without its quotes."""
    if isinstance(id_, Absent):
        return ""
    return id_ if isinstance(id_, str) else json_codec.write(id_)


def intersect(one: bytes, other: bytes) -> bytes:
    """Return the mask of frames that are in both."""
    joined = int.from_bytes(one, "little") & int.from_bytes(other, "little")
    return joined.to_bytes(len(one), "little")
