"""Recordings in files, to be damaged by hand."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from inspector.checks.opened_recording import OpenedRecording
from inspector.transcript.transcript import Transcript
from tests.support.records import SteppingClock, Written, request, result

if TYPE_CHECKING:
    from pathlib import Path


async def write_recording(path: Path, *, calls: int = 3) -> None:
    """A good one: a note, then so many requests, each with its response; frames 2 and 3, 4 and 5, …"""
    live = Written(Transcript.create(path, facts={"title": "good"}, clock=SteppingClock()))
    live.transcript.note("started", "started process 1", pid=1)
    for number in range(calls):
        live.sent(request(number))
        live.received(result(number))
    await live.transcript.aclose()
    run_sql(path, "PRAGMA journal_mode=DELETE")


def run_sql(path: Path, script: str) -> None:
    """Change a recording with SQL."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


async def open_whole(path: Path) -> OpenedRecording:
    """The recording at `path`, read to its end."""
    recording = await OpenedRecording.open(path)
    async with asyncio.timeout(20):
        await recording.load()
    return recording


def rules_of(transcript: Transcript, number: int) -> list[str]:
    """The rules of the findings about a frame."""
    return [finding.rule for finding in transcript.findings(number)]


def written(folder: Path) -> bytes:
    """Everything that lies in a folder."""
    return b"".join(each.read_bytes() for each in folder.rglob("*") if each.is_file())
