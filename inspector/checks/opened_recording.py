"""An opened recording: read from its file, then validated by the revision that was used in it, as a live session is.

Source for the revision: basic/lifecycle, "Version Negotiation"; basic, "General fields" on `_meta` of the stateless revision.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.checks import kept_checks
from inspector.checks.background_validator import BackgroundValidator
from inspector.checks.catalog_lookup import catalog_lookup
from inspector.errors import StorageError
from inspector.spec import methods
from inspector.spec.keys import META, META_PROTOCOL_VERSION
from inspector.spec.revision import find
from inspector.transcript.recording_loader import MIN_FRAMES, RecordingLoader
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Direction
from inspector.wire.message import MessageKind, or_null

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inspector.spec.revision import Revision
    from inspector.transcript.index_cache import IndexCache
    from inspector.transcript.stored_rows import ReadingReport
    from inspector.wire.json_codec import Json
    from inspector.wire.message import Message


class OpenedRecording:
    """A transcript that fills up from a file, and what checks it."""

    def __init__(self, loader: RecordingLoader) -> None:
        """Use `open`."""
        self.transcript = Transcript(file=loader.file)
        self.sweep = BackgroundValidator(self.transcript)
        self._loader = loader
        self._read_findings: dict[int, int] = {}
        """How many findings about each frame reading it gave, before it was checked."""

    @classmethod
    async def open(cls, path: Path, known: IndexCache | None = None) -> OpenedRecording:
        """Open the file at `path`; `load` reads its frames, or takes from `known` what was derived from them before.

        Raises:
            StorageError: it is missing, no recording, or of a form that cannot be read.
        """
        return cls(await RecordingLoader.open(path, known))

    @property
    def path(self) -> Path:
        """The file."""
        return self._loader.file.path

    @property
    def report(self) -> ReadingReport:
        """What could not be read; grows during `load`."""
        return self._loader.file.report

    @property
    def is_loading(self) -> bool:
        """Whether frames are still to be read."""
        return not self._loader.is_done

    async def load(self) -> None:
        """Read all frames. What could not be read is in the report, not an error."""
        await self._loader.load(self.transcript)
        self.sweep.settings.revision = detect_revision(self.transcript)
        self.sweep.end()
        self.transcript.appended.fire()  # the state has changed, though no frame came
        await self._loader.keep(self.transcript)
        self._read_findings = {n: len(each) for n, each in self.transcript.all_findings.items()}
        await self._restore_checks()

    async def _restore_checks(self) -> None:
        """Take what checking gave earlier, if the same code would give it again."""
        raw = await self._loader.kept_checks()
        checks = await asyncio.to_thread(kept_checks.read, raw) if raw else None
        if checks is not None:
            await asyncio.to_thread(
                catalog_lookup
            )  # what other clients make of it is checked at once
            await kept_checks.restore(checks, self.transcript, self.sweep)

    async def validate(self) -> None:
        """Check the frames that were read, unless that is known from an earlier time."""
        if not self.sweep.pending:
            return
        await self.sweep.catch_up()
        if self.transcript.count >= MIN_FRAMES and not self.transcript.dropped_findings:
            rechecks = self.sweep.rechecks
            checks = await asyncio.to_thread(self._checks)
            # Other clients may have been chosen meanwhile.
            if checks and self.sweep.rechecks == rechecks:
                await self._loader.keep_checks(checks)

    def _checks(self) -> bytes:
        """Return what checking gave. In a thread: there may be a hundred thousand findings."""
        found = kept_checks.added(self.transcript, self._read_findings)
        return kept_checks.kept(self.sweep, found)

    def stop(self) -> None:
        """End the reading; the frames that were read stay."""
        self._loader.file.stop()

    async def aclose(self) -> None:
        """Close the file, away from the loop: that may wait for the disk."""
        await asyncio.to_thread(self._loader.file.close)


MAX_FRAMES = 500
"""Frames that are searched: a session agrees on a revision at its start."""


def detect_revision(transcript: Transcript) -> Revision | None:
    """Return the revision agreed on by a handshake, or the one in `_meta` of requests, whichever is first; None if neither is found."""
    for message, method in _beginning(transcript):
        if message.kind is MessageKind.RESPONSE and method == "initialize":
            agreed = find(_member(or_null(message.result), "protocolVersion"))
            if agreed is not None:
                return agreed
        elif message.kind is MessageKind.REQUEST and not methods.opens_session(method):
            meta = _member(or_null(message.params), META)
            stamped = find(_member(meta, META_PROTOCOL_VERSION))
            if stamped is not None:
                return stamped
    return None


def _beginning(transcript: Transcript) -> Iterator[tuple[Message, str]]:
    """Yield the client's requests and the results of its handshake, with the method of the request."""
    columns = transcript.columns
    for number in range(1, min(transcript.count, MAX_FRAMES) + 1):
        owner = columns.request[number - 1]
        if not owner or columns.direction[owner - 1] != Direction.SENT:
            continue
        method = columns.methods.texts[columns.method[owner - 1]]
        if number != owner and method != "initialize":
            continue
        try:
            yield transcript.message(number), method
        except StorageError:
            continue


def _member(value: Json, name: str) -> Json:
    return value.get(name) if isinstance(value, dict) else None
