"""`transcript`: a recording, one frame a line; secrets are masked without `--secrets`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.checks.opened_recording import OpenedRecording
from inspector.cli.command import PROBLEMS, SUCCESS, USAGE, CommandCode
from inspector.cli.findings_report import (
    ARROWS,
    MAX_EXCERPT_LENGTH,
    MAX_FRAMES_PER_TURN,
    print_findings,
    print_unchecked,
)
from inspector.cli.json_output import frame_to_json
from inspector.cli.notifications import clock_text
from inspector.cli.options import (
    add_check_options,
    add_export_options,
    add_output_options,
    add_selection_options,
)
from inspector.cli.stderr_report import print_usage_error
from inspector.errors import StorageError
from inspector.export.formats import FORMATS
from inspector.transcript.filter.query import QueryError, parse
from inspector.transcript.redaction import Masking
from inspector.wire import json_codec
from inspector.wire.message import Absent, MessageKind, or_null

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from array import array

    from inspector.cli.console import Console, Keyboard
    from inspector.cli.options import Options
    from inspector.transcript.index import Row
    from inspector.transcript.transcript import Transcript
    from inspector.wire.message import MaybeJson, Message

_WIDTHS = (6, 12, 1, 12, 25, 4, 9, 9)


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("args", nargs=1, metavar="FILE", help="a recording")
    add_export_options(parser, FORMATS)
    add_selection_options(parser)
    add_output_options(parser, "print every frame as JSON, with times, exchange and findings")
    add_check_options(parser)


async def _run(options: Options, console: Console, keyboard: Keyboard) -> int:
    """Print every frame, then the findings, and return the exit code."""
    del keyboard
    if options.json and options.format:
        console.err("either --json or --format")
        return USAGE
    if problem := filter_problem(options):
        console.err(problem)
        return USAGE
    try:
        return await _show(options, console)
    except StorageError as error:
        return print_usage_error(console, error, options)


async def _show(options: Options, console: Console) -> int:
    recording = await OpenedRecording.open(Path(options.args[0]))
    try:
        await recording.load()
        for sentence in recording.report.sentences:
            console.err(sentence)
        if not options.quiet:
            print_unchecked(console, await recording.sweep.finish())
        await _print(recording.transcript, options, console)
        problems = 0 if options.quiet else await print_findings(console, recording.transcript)
    finally:
        await recording.aclose()
    return PROBLEMS if options.strict and problems else SUCCESS


def filter_problem(options: Options) -> str:
    """Return what is wrong with the filter of a command line; empty if nothing is."""
    try:
        parse(options.filter)
    except QueryError as error:
        return f"--filter: {error}"
    return ""


def selected_frames(transcript: Transcript, options: Options) -> array[int]:
    """Return the frames that the filter of a command line matches, all without one."""
    return parse(options.filter).matches(transcript, 1, transcript.count + 1)


async def _print(transcript: Transcript, options: Options, console: Console) -> None:
    masking = Masking(transcript, with_secrets=options.secrets)
    numbers = selected_frames(transcript, options)
    texts = next((each.write for each in FORMATS if each.key == options.format), None)
    if texts is not None:
        for count, text in enumerate(texts(transcript, numbers, masking)):
            if text:
                console.out_exact(text)
            await _give_turn(count)
        return
    for number in numbers:
        if options.json:
            console.out_json(frame_to_json(transcript, number, masking))
        else:
            console.out_row(_cells(transcript, number, masking), _WIDTHS)
        await _give_turn(number)


async def _give_turn(count: int) -> None:
    if count % MAX_FRAMES_PER_TURN == 0:
        await asyncio.sleep(0)  # Ctrl+C works here too


def _cells(transcript: Transcript, number: int, masking: Masking) -> tuple[str, ...]:
    row, message = transcript.row(number), transcript.message(number)
    return (
        f"#{number}",
        clock_text(row.wall_s),
        ARROWS[row.direction],
        row.kind.name.lower(),
        row.method or "-",
        _id(message.id),
        transcript.status(number) or "-",
        f"{row.size:,} B",
        _summary(transcript, row, message, masking),
    )


_RAW_KINDS = {
    MessageKind.STDERR,
    MessageKind.MALFORMED,
    MessageKind.BATCH,
    MessageKind.HTTP,
    MessageKind.SSE_OTHER,
}


def _summary(transcript: Transcript, row: Row, message: Message, masking: Masking) -> str:
    """Return a summary of a frame."""
    if row.kind in _RAW_KINDS:
        return _excerpt(masking.apply(row.number, message.raw))
    if row.kind is MessageKind.NOTE:
        note = message.value
        text = str(note.get("words", "")) if isinstance(note, dict) else _excerpt(message.raw)
        return masking.text(text)
    if row.kind is MessageKind.ERROR:
        error = or_null(message.error)
        members = error if isinstance(error, dict) else {"message": error}
        return masking.text(f"{json_codec.write(members.get('code'))} {members.get('message', '')}")
    columns = transcript.columns
    return masking.label(row.method, columns.labels.texts[columns.label[row.number - 1]])


def _id(id_: MaybeJson) -> str:
    return "-" if isinstance(id_, Absent) else _short(json_codec.write(id_))


def _excerpt(raw: bytes) -> str:
    return _short(raw[: 4 * MAX_EXCERPT_LENGTH + 4].decode("utf-8", "replace").strip())


def _short(text: str) -> str:
    is_short = len(text) <= MAX_EXCERPT_LENGTH
    return text if is_short else f"{text[: MAX_EXCERPT_LENGTH - 1]}…"


transcript = CommandCode(
    _add_arguments,
    _run,
    (
        "transcript session.spyglass",
        "transcript session.spyglass --filter 'method:tools/* status:error'",
        "transcript session.spyglass --json --strict",
    ),
    (PROBLEMS,),
)
