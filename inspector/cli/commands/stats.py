"""`stats`: how long the requests of a recording took, by method and tool."""

from __future__ import annotations

from asyncio import sleep
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from inspector.checks.opened_recording import OpenedRecording
from inspector.cli.command import SUCCESS, CommandCode
from inspector.cli.findings_report import ARROWS
from inspector.cli.options import add_output_options
from inspector.cli.stderr_report import print_usage_error
from inspector.errors import StorageError
from inspector.transcript.latency import LatencyFeed, LatencyStatistics

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.cli.console import Console, Keyboard
    from inspector.cli.options import Options
    from inspector.json_value import JsonObject
    from inspector.transcript.latency import LatencyRow

PERCENTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
"""Columns, and the share of the requests that take no longer."""
HEADINGS = ("", "method", "name", "count", "errors", *PERCENTILES)
SLICE_SECONDS = 0.05
"""Between two moments at which Ctrl+C works."""


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("args", nargs=1, metavar="FILE", help="a recording")
    add_output_options(parser, "print JSON, durations in seconds")


async def _run(options: Options, console: Console, keyboard: Keyboard) -> int:
    """Print one row for each method and tool, the slowest first."""
    del keyboard
    try:
        recording = await OpenedRecording.open(Path(options.args[0]))
    except StorageError as error:
        return print_usage_error(console, error, options)
    try:
        await recording.load()
        for sentence in recording.report.sentences:
            console.err(sentence)
        statistics = LatencyStatistics()
        feed = LatencyFeed(recording.transcript, statistics)
        while not feed.is_complete:
            feed.advance(perf_counter() + SLICE_SECONDS)
            await sleep(0)
    finally:
        await recording.aclose()
    _print(statistics.by_slowness(), options, console)
    return SUCCESS


def _print(rows: list[LatencyRow], options: Options, console: Console) -> None:
    if options.json:
        console.out_json([_to_json(row) for row in rows])
        return
    if not rows:
        console.err("no request in this recording has ended")
        return
    console.out_table([HEADINGS, *map(_cells, rows)])
    if not all(row.is_exact for row in rows):
        console.err("~ from a histogram, within 1%")


def _cells(row: LatencyRow) -> tuple[str, ...]:
    sign = "" if row.is_exact else "~"
    percentiles = (
        f"{sign if share < 1 else ''}{_duration(row.durations.percentile(share))}"
        for share in PERCENTILES.values()
    )
    method = row.key.method or "(others)"
    arrow = ARROWS[row.key.direction]
    return (arrow, method, row.key.name or "-", f"{row.count:,}", f"{row.errors:,}", *percentiles)


def _duration(seconds: float) -> str:
    return f"{seconds * 1000:,.1f} ms" if seconds < 1 else f"{seconds:,.2f} s"


def _to_json(row: LatencyRow) -> JsonObject:
    document: JsonObject = {
        "direction": row.key.direction.name.lower(),
        "method": row.key.method,
        "name": row.key.name,
        "count": row.count,
        "errors": row.errors,
        "cancelled": row.cancelled,
        "exact": row.is_exact,
    }
    return document | {
        f"{name}_s": row.durations.percentile(share) for name, share in PERCENTILES.items()
    }


stats = CommandCode(
    _add_arguments, _run, ("stats session.spyglass", "stats session.spyglass --json")
)
