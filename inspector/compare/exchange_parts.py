"""The parts of an exchange that are compared with those of another: result, arguments, frame, timing."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from inspector.background_tasks import in_steps
from inspector.compare.compared_frame import ComparedFrame
from inspector.compare.json_difference import compare_json
from inspector.compare.json_rows import json_rows
from inspector.compare.json_text import OBJECT, json_text, kind, members
from inspector.compare.text_difference import compare_text, text_rows
from inspector.frozen import FrozenStruct
from inspector.transcript.redaction import Redaction
from inspector.wire.frame import Channel
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inspector.compare.paths import Path, PathPattern
    from inspector.compare.rows import DifferenceRows
    from inspector.transcript.transcript import Transcript

MAX_CANDIDATES = 200
"""Exchanges that are offered for a comparison, the latest first."""


class ExchangePart(StrEnum):
    """A part of an exchange."""

    RESULT = "result"
    ARGUMENTS = "arguments"
    FRAME = "frame"
    TIMING = "timing"


class PartText(FrozenStruct, frozen=True):
    """The text of a part."""

    raw: bytes
    path: Path = ()
    """Where it is in the message."""
    is_json: bool = True


def redaction_of(secrets: Iterable[str]) -> Redaction:
    """Return what replaces secrets in both sides of one comparison: equal ones by equal markers."""
    redaction = Redaction()
    redaction.know_more(tuple(secrets))
    return redaction


def part_of(
    compared: ComparedFrame, part: ExchangePart, redaction: Redaction | None = None
) -> PartText | None:
    """Return a part of an exchange, without its secrets with `redaction`; None if it has none.

    Raises:
        StorageError: the frame cannot be read.
    """
    if part is ExchangePart.FRAME:
        message = compared.transcript.message(compared.number)
        is_message = message.kind <= MessageKind.BATCH or message.kind is MessageKind.NOTE
        raw = message.raw
        if redaction is not None:
            channel = compared.transcript.columns.channel[compared.number - 1]
            raw = redaction.redacted(channel, raw)
        return PartText(raw, is_json=is_message)
    found = None
    if part is ExchangePart.RESULT:
        found = _member(compared, compared.response, "result", "error")
    elif part is ExchangePart.ARGUMENTS:
        params = _member(compared, compared.request, "params")
        found = _inner(params, "arguments") or params
    if found is None or redaction is None:
        return found
    return PartText(redaction.redacted(Channel.BODY, found.raw), found.path)


def _member(compared: ComparedFrame, number: int, *names: str) -> PartText | None:
    if not number:
        return None
    text = json_text(compared.transcript.message(number).raw)
    found = members(text) if kind(text) == OBJECT else None
    name = next((name for name in names if found is not None and name in found), None)
    return PartText(bytes(found[name]), (name,)) if found is not None and name else None


def _inner(part: PartText | None, name: str) -> PartText | None:
    """Return the object called `name` in a part."""
    if part is None:
        return None
    text = json_text(part.raw)
    found = (members(text) or {}).get(name) if kind(text) == OBJECT else None
    return PartText(bytes(found), (*part.path, name)) if found is not None else None


async def part_rows(
    old: PartText | None, new: PartText | None, ignored: Sequence[PathPattern]
) -> DifferenceRows:
    """Return how a part of one exchange differs from that of another, either of which may be missing."""
    raws = [part.raw if part is not None else b"" for part in (old, new)]
    known = [part for part in (old, new) if part is not None]
    if all(part.is_json for part in known):
        difference = await in_steps(compare_json(*raws))
        return await in_steps(json_rows(difference, ignored, known[-1].path))
    texts = [raw.decode("utf-8", "replace") for raw in raws]
    return await in_steps(text_rows(await in_steps(compare_text(*texts))))


def candidates(compared: ComparedFrame, *transcripts: Transcript) -> list[ComparedFrame]:
    """Return the exchanges of the same method with the same name in these transcripts, the latest first; at most `MAX_CANDIDATES`."""
    if not compared.request:
        return []
    columns, at = compared.transcript.columns, compared.request - 1
    method = columns.methods.texts[columns.method[at]]
    label = columns.labels.texts[columns.label[at]]
    found: list[ComparedFrame] = []
    for transcript in reversed(transcripts):
        for request in _requests(transcript, method, label):
            found.append(ComparedFrame(transcript, request))
            if len(found) == MAX_CANDIDATES:
                return found
    return found


def _requests(transcript: Transcript, method: str, label: str) -> list[int]:
    """Return the first requests of exchanges, the latest first."""
    columns = transcript.columns
    if method not in columns.methods.texts or label not in columns.labels.texts:
        return []
    method_number = columns.methods.texts.index(method)
    label_number = columns.labels.texts.index(label)
    methods, labels, requests = columns.method, columns.label, columns.request
    return [
        at + 1
        for at in range(len(methods) - 1, -1, -1)
        if methods[at] == method_number and labels[at] == label_number and requests[at] == at + 1
    ]


class TimingRow(FrozenStruct, frozen=True):
    """One measure of an exchange."""

    name: str
    value: float | None
    """None for one that is not known yet."""
    unit: str
    """`s`, `bytes`, or empty for a number."""


def timing_of(compared: ComparedFrame) -> list[TimingRow]:
    """Return what an exchange took: durations, sizes, and numbers of messages."""
    transcript, request = compared.transcript, compared.request
    exchange = transcript.exchange(request) if request else None
    if exchange is None:
        return [TimingRow("Frame", transcript.columns.size[compared.number - 1], "bytes")]
    sizes = transcript.columns.size
    response = compared.response
    own = {each.request for each in exchange.rounds} | {each.response for each in exchange.rounds}
    return [
        TimingRow("Total", transcript.took_seconds(request), "s"),
        TimingRow("Server", exchange.server_seconds, "s"),
        TimingRow("Between rounds", exchange.waited_seconds, "s"),
        TimingRow("Rounds", len(exchange.rounds), ""),
        TimingRow("Other messages", len(set(transcript.members(request)) - own), ""),
        TimingRow("Request", sizes[request - 1], "bytes"),
        TimingRow("Response", sizes[response - 1] if response else None, "bytes"),
    ]
