"""`diff`: how a server differs between two recordings; secrets are masked without `--secrets`."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.background_tasks import in_steps
from inspector.checks.opened_recording import OpenedRecording
from inspector.cli.command import PROBLEMS, SUCCESS, CommandCode
from inspector.cli.options import add_output_options
from inspector.cli.stderr_report import print_usage_error
from inspector.compare.json_difference import ChangeKind
from inspector.compare.run_difference import compare_snapshots
from inspector.compare.server_snapshot import recorded_snapshot
from inspector.errors import StorageError
from inspector.transcript.redaction import Masking
from inspector.wire import json_codec

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator, Sequence

    from inspector.cli.console import Console, Keyboard
    from inspector.cli.options import Options
    from inspector.compare.run_difference import ItemChange, ListDifference, RunDifference
    from inspector.compare.server_snapshot import ServerSnapshot
    from inspector.json_value import Json, JsonObject

SIGNS = {
    ChangeKind.ADDED: "+",
    ChangeKind.REMOVED: "-",
    ChangeKind.CHANGED: "~",
    ChangeKind.MOVED: ">",
}
"""What precedes a line of each kind, on every terminal."""


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "args", nargs=2, metavar="FILE", help="the recordings, the earlier one first"
    )
    add_output_options(parser)
    parser.add_argument("--secrets", action="store_true", help="show the secrets in the recordings")
    parser.add_argument("--strict", action="store_true", help="exit with 7 if they differ")


async def _run(options: Options, console: Console, keyboard: Keyboard) -> int:
    """Print what was added, removed, changed and moved, and return the exit code."""
    del keyboard
    try:
        async with AsyncExitStack() as stack:
            opened: list[OpenedRecording] = []
            for path in options.args:
                recording = await OpenedRecording.open(Path(path))
                stack.push_async_callback(recording.aclose)
                await recording.load()
                for sentence in recording.report.sentences:
                    console.err(f"{path}: {sentence}")
                opened.append(recording)
            snapshots = [await _snapshot(each) for each in opened]
            difference = await in_steps(compare_snapshots(*snapshots))
            maskings = [Masking(each.transcript, with_secrets=options.secrets) for each in opened]
    except StorageError as error:
        return print_usage_error(console, error, options)
    _print_unknown(snapshots, difference, options, console)
    _print(difference, maskings, options, console)
    return PROBLEMS if options.strict and not difference.is_empty else SUCCESS


async def _snapshot(recording: OpenedRecording) -> ServerSnapshot:
    revision = recording.sweep.settings.revision
    date = str(revision.date) if revision is not None else ""
    return await in_steps(recorded_snapshot(recording.transcript, date))


def _print_unknown(
    snapshots: Sequence[ServerSnapshot],
    difference: RunDifference,
    options: Options,
    console: Console,
) -> None:
    for path, snapshot in zip(options.args, snapshots, strict=True):
        if not snapshot.is_known:
            console.err(f"{path}: the server did not describe itself; only its lists are compared")
    for key in difference.unknown:
        console.err(f"{key}: listed in one recording only; not compared")


def _print(
    difference: RunDifference, maskings: Sequence[Masking], options: Options, console: Console
) -> None:
    def masked(text: str) -> str:
        for masking in maskings:
            text = masking.text(text)
        return text

    if options.json:
        document = masked(json_codec.write(to_json(difference)))
        console.out_json(json_codec.read(document.encode()).value)
        return
    lines = list(_lines(difference))
    for line in lines:
        console.out(masked(line))
    if not lines:
        console.err("no differences")


def _lines(difference: RunDifference) -> Iterator[str]:
    for noun, pair in (("version", difference.version), ("revision", difference.revision)):
        if pair is not None:
            yield f"~ {noun} {pair[0] or 'none'} -> {pair[1] or 'none'}"
    for each in difference.lists:
        yield from _list_lines(each)
    for title, changes in (
        ("capabilities", difference.capabilities),
        ("serverInfo", difference.info),
    ):
        yield from (f"{SIGNS[kind]} {title} {path}".rstrip() for kind, path in changes)
    if difference.has_other_instructions:
        yield "~ instructions"


def _list_lines(difference: ListDifference) -> Iterator[str]:
    noun = difference.noun
    named = (
        (ChangeKind.ADDED, difference.added),
        (ChangeKind.REMOVED, difference.removed),
        (ChangeKind.MOVED, difference.moved),
    )
    for kind, names in named:
        yield from (f"{SIGNS[kind]} {noun} {name}" for name in names)
    for item in difference.changed:
        aspects = ", ".join(aspect for aspect in item.aspects if aspect)
        yield f"~ {noun} {item.name}" + (f" ({aspects})" if aspects else "")
        yield from (f"    {SIGNS[kind]} {path}" for kind, path in item.paths)
        if item.count > len(item.paths):
            yield f"    {item.count - len(item.paths):,} more"


def to_json(difference: RunDifference) -> JsonObject:
    """Return a difference as JSON."""
    return {
        "version": _pair(difference.version),
        "revision": _pair(difference.revision),
        "capabilities": _changes(difference.capabilities),
        "serverInfo": _changes(difference.info),
        "instructions": difference.has_other_instructions,
        "lists": {each.key: _list_to_json(each) for each in difference.lists},
        "not_compared": list(difference.unknown),
    }


def _pair(pair: tuple[str, str] | None) -> Json:
    return None if pair is None else {"before": pair[0], "after": pair[1]}


def _changes(changes: Sequence[tuple[ChangeKind, str]]) -> list[Json]:
    return [{"change": kind.value, "path": path} for kind, path in changes]


def _list_to_json(difference: ListDifference) -> JsonObject:
    return {
        "added": list(difference.added),
        "removed": list(difference.removed),
        "moved": list(difference.moved),
        "changed": [_item_to_json(each) for each in difference.changed],
    }


def _item_to_json(item: ItemChange) -> JsonObject:
    aspects: list[Json] = [aspect for aspect in item.aspects if aspect]
    return {"name": item.name, "aspects": aspects, "changes": _changes(item.paths)}


diff = CommandCode(
    _add_arguments,
    _run,
    ("diff old.spyglass new.spyglass", "diff old.spyglass new.spyglass --json --strict"),
    (PROBLEMS,),
)
