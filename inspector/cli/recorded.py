"""`transcript`: a recorded session, one frame a line; its secrets are hidden unless they are asked for."""

from __future__ import annotations

import asyncio
import base64
import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.checks.opened_recording import OpenedRecording
from inspector.cli.codes import FINE, PROBLEMS
from inspector.cli.documents import finding_of
from inspector.cli.telling import FRAMES_AT_ONCE, tell_findings, tell_left_out
from inspector.transcript.masking import Masking
from inspector.transcript.passages import LABEL_MEMBER
from inspector.wire import jsontext
from inspector.wire.frame import Direction
from inspector.wire.message import ABSENT, Absent, Kind, or_null
from inspector.wire.secrecy import DOTS

if TYPE_CHECKING:
    from inspector.cli.options import Options
    from inspector.cli.screen import Screen
    from inspector.transcript.index import Row
    from inspector.transcript.transcript import Transcript
    from inspector.wire.frame import Frame
    from inspector.wire.jsontext import JsonObject
    from inspector.wire.message import MaybeJson, Message

EXCERPT = 160
"""Characters shown of a frame."""

_ARROWS = {Direction.SENT: "→", Direction.RECEIVED: "←", Direction.NOTE: "·"}
_WIDTHS = (6, 12, 1, 12, 25, 4, 9, 9)


async def show(options: Options, screen: Screen) -> int:
    """Print every frame, then what was found about them.

    Raises:
        StorageError: the file cannot be read.
    """
    recording = await OpenedRecording.open(Path(options.words[0]))
    try:
        await recording.load()
        for sentence in recording.report.sentences:
            screen.tell(sentence)
        if not options.quiet:
            tell_left_out(screen, await recording.sweep.finish())
        await _print(recording.transcript, options, screen)
        problems = 0 if options.quiet else await tell_findings(screen, recording.transcript)
    finally:
        await recording.aclose()
    return PROBLEMS if options.strict and problems else FINE


async def _print(transcript: Transcript, options: Options, screen: Screen) -> None:
    masking = Masking(transcript, with_secrets=options.secrets)
    for number in range(1, transcript.count + 1):
        if options.json:
            screen.print_json(_document(transcript, number, masking))
        else:
            screen.say_row(_cells(transcript, number, masking), _WIDTHS)
        if number % FRAMES_AT_ONCE == 0:
            await asyncio.sleep(0)  # Ctrl+C works here too


def _cells(transcript: Transcript, number: int, masking: Masking) -> tuple[str, ...]:
    row, message = transcript.row(number), transcript.message(number)
    return (
        f"#{number}",
        _clock(row.wall),
        _ARROWS[row.direction],
        row.kind.name.lower(),
        row.method or "-",
        _id(message.id),
        transcript.status(number) or "-",
        f"{row.size:,} B",
        _about(transcript, row, message, masking),
    )


_SHOWN_AS_THEY_ARE = {Kind.STDERR, Kind.MALFORMED, Kind.BATCH, Kind.HTTP, Kind.EVENT}


def _about(transcript: Transcript, row: Row, message: Message, masking: Masking) -> str:
    """What a frame is about, in a few words."""
    if row.kind in _SHOWN_AS_THEY_ARE:
        return _excerpt(masking.apply(row.number, message.raw))
    if row.kind is Kind.NOTE:
        note = message.value
        words = str(note.get("words", "")) if isinstance(note, dict) else _excerpt(message.raw)
        return masking.text(words)
    if row.kind is Kind.ERROR:
        error = or_null(message.error)
        told = error if isinstance(error, dict) else {"message": error}
        return masking.text(f"{jsontext.write(told.get('code'))} {told.get('message', '')}")
    columns = transcript.columns
    label = columns.labels.texts[columns.label[row.number - 1]]
    names_a_task = LABEL_MEMBER.get(row.method) == "taskId"
    return DOTS if label and names_a_task and not masking.with_secrets else label


def _document(transcript: Transcript, number: int, masking: Masking) -> JsonObject:
    row, message, frame = (
        transcript.row(number),
        transcript.message(number),
        transcript.frame(number),
    )
    told: JsonObject = {
        "number": number,
        "at": row.at,
        "wall": row.wall,
        "direction": row.direction.name.lower(),
        "channel": row.channel.name.lower(),
        "kind": row.kind.name.lower(),
        "method": row.method,
    }
    if not isinstance(message.id, Absent):
        told["id"] = message.id
    if frame.stream:
        told["stream"] = frame.stream
    if exchange := transcript.exchange(number):
        told |= {"request": exchange.request, "status": exchange.status.value}
    told |= {"size": row.size, "findings": [finding_of(f) for f in transcript.findings(number)]}
    return told | _raw(frame, masking.apply(number, frame.raw))


def _raw(frame: Frame, raw: bytes) -> JsonObject:
    told: JsonObject = {}
    if frame.flaw:
        told = {"flaw": (frame.flaw.name or "").lower(), "dropped": frame.dropped}
    if raw != frame.raw:
        told["secretsHidden"] = True
    try:
        return told | {"raw": raw.decode()}
    except UnicodeDecodeError:
        return told | {"rawBase64": base64.b64encode(raw).decode()}


def _id(id_: MaybeJson) -> str:
    return "-" if id_ is ABSENT else _short(jsontext.write(id_))  # type: ignore[arg-type] - absent is excluded


def _excerpt(raw: bytes) -> str:
    return _short(raw[: 4 * EXCERPT].decode("utf-8", "replace").strip(), len(raw) > 4 * EXCERPT)


def _short(text: str, longer: bool = False) -> str:
    return text[: EXCERPT - 1] + "…" if longer or len(text) > EXCERPT else text


def _clock(wall: float) -> str:
    when = datetime.datetime.fromtimestamp(wall, datetime.UTC).astimezone()
    return when.isoformat(timespec="milliseconds")[11:23]
