"""`export`: a recording in the format of another tool; secrets are masked without `--secrets`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from inspector.background_tasks import SLICE_SECONDS
from inspector.checks.opened_recording import OpenedRecording
from inspector.cli.command import SUCCESS, USAGE, CommandCode
from inspector.cli.commands.transcript import filter_problem, selected_frames
from inspector.cli.options import add_selection_options
from inspector.cli.stderr_report import print_usage_error
from inspector.errors import StorageError
from inspector.export.formats import FORMATS
from inspector.export.pieces import Piece, is_turn
from inspector.export.saving import masked_text
from inspector.transcript.redaction import Masking

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator

    from inspector.cli.console import Console, Keyboard
    from inspector.cli.options import Options
    from inspector.export.formats import Format


def _add_arguments(parser: ArgumentParser) -> None:
    keys = "; ".join(f"{each.key}: {each.title}" for each in FORMATS)
    text = f"a format ({keys}), and a recording"
    parser.add_argument("args", nargs=2, metavar="FORMAT FILE", help=text)
    add_selection_options(parser)
    parser.add_argument("--secrets", action="store_true", help="include the secrets")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write to FILE")


async def _run(options: Options, console: Console, keyboard: Keyboard) -> int:
    """Print the recording in the format, and what was masked to standard error."""
    del keyboard
    key, file = options.args
    format_ = next((each for each in FORMATS if each.key == key), None)
    if format_ is None:
        console.err(f"no format {key!r}; formats: {', '.join(each.key for each in FORMATS)}")
        return USAGE
    if problem := filter_problem(options):
        console.err(problem)
        return USAGE
    try:
        recording = await OpenedRecording.open(Path(file))
        try:
            await recording.load()
            for sentence in recording.report.sentences:
                console.err(sentence)
            await _print(recording, format_, options, console)
        finally:
            await recording.aclose()
    except StorageError as error:
        return print_usage_error(console, error, options)
    return SUCCESS


async def _print(
    recording: OpenedRecording, format_: Format, options: Options, console: Console
) -> None:
    transcript = recording.transcript
    masking = Masking(transcript, with_secrets=options.secrets)
    is_empty = True

    def frames() -> Iterator[int]:
        nonlocal is_empty
        for number in selected_frames(transcript, options):
            is_empty = is_empty and not format_.applies_to(transcript, number)
            yield number

    until = perf_counter() + SLICE_SECONDS
    for text in format_.write(transcript, frames(), masking):
        if not is_turn(text):
            console.out_exact(text, end="" if isinstance(text, Piece) else "\n")
        if perf_counter() >= until:
            await asyncio.sleep(0)  # Ctrl+C works here too
            until = perf_counter() + SLICE_SECONDS
    if is_empty:
        console.err(f"warning: no selected frame can be written as {format_.title}")
    if masked := masked_text(masking):
        console.err(f"{masked}; --secrets includes them")


export = CommandCode(
    _add_arguments,
    _run,
    (
        "export har session.spyglass --output session.har",
        "export curl session.spyglass --filter 'method:tools/call'",
    ),
)
