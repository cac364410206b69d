"""Everything that is open: sessions with what can be done in them, and the records of earlier ones.

The front ends (window and command line) talk to this and to what it hands out.
"""

from __future__ import annotations

import asyncio
import re
import time
from typing import TYPE_CHECKING

from inspector.checks.sweep import Sweep
from inspector.clock import SystemClock
from inspector.errors import StorageError
from inspector.event import Event
from inspector.features.ping import Ping
from inspector.features.raw import Raw
from inspector.features.tools import Tools
from inspector.session.session import Session, SessionState
from inspector.session.transports import make_transport
from inspector.transcript.transcript import Transcript

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.library.profile import Profile

SUFFIX = ".spyglass"
"""File name ending of transcripts."""

RECORDS_KEPT = 200
"""Transcripts kept in the folder of records; older ones are removed when a new one begins."""


class OpenSession:
    """A session and what can be done in it."""

    def __init__(self, session: Session) -> None:
        """Put the features beside the session."""
        self.session = session
        self.tools = Tools(session)
        self.ping = Ping(session)
        self.raw = Raw(session)
        self.sweep = Sweep(session.transcript)
        self._sweeping = session.tasks.spawn(self.sweep.run(), name="judge messages")

    @property
    def profile(self) -> Profile:
        """How the server is reached."""
        return self.session.profile

    async def connect(self) -> None:
        """Connect and read the lists that the server offers.

        Raises:
            InspectorError: connecting failed; a list that cannot be read is no reason to fail.
        """
        self.sweep.suspect = self.session.suspect
        await self.session.connect()
        self.sweep.revision = self.session.revision
        await self._read_lists()

    async def aclose(self) -> None:
        """Disconnect; the transcript stays readable."""
        await self.session.aclose()

    async def _read_lists(self) -> None:
        if not self.tools.offered:
            return
        with self.session.steps.run("Read lists") as step:
            await self.tools.refresh()
            if self.tools.failure is not None:
                words = f"tools/list: {self.tools.failure.words}"
                self.session.steps.tell(step, words, frame=self.tools.failure.frame)
            else:
                self.session.steps.tell(step, f"{len(self.tools.items):,} tools")


class Workspace:
    """The open sessions, newest last, and the folder of records."""

    def __init__(self, records: Path | None) -> None:
        """Record into the folder `records`; in memory alone without one."""
        self.changed: Event[()] = Event()
        self.sessions: list[OpenSession] = []
        self.records = records
        self.storage_failure: StorageError | None = None

    def open(self, profile: Profile) -> OpenSession:
        """Make a session for `profile`; call its `connect` next."""
        opened = OpenSession(
            Session(profile, self._record(profile), make_transport, clock=SystemClock())
        )
        opened.session.changed.subscribe(self.changed.fire)
        self.sessions.append(opened)
        self.changed.fire()
        return opened

    def session_of(self, profile: Profile) -> OpenSession | None:
        """The latest session with that profile, whatever its state."""
        return next((s for s in reversed(self.sessions) if s.profile.id == profile.id), None)

    async def close(self, opened: OpenSession) -> None:
        """Disconnect and forget a session."""
        await opened.aclose()
        if opened in self.sessions:
            self.sessions.remove(opened)
            self.changed.fire()

    async def aclose(self) -> None:
        """Disconnect everything, at the same time."""
        await asyncio.gather(*(opened.aclose() for opened in self.sessions), return_exceptions=True)

    def earlier_records(self) -> list[Path]:
        """Transcripts of earlier sessions, newest first, those that are open excluded."""
        if self.records is None or not self.records.is_dir():
            return []
        taken = {opened.session.transcript.path for opened in self.sessions}
        return [
            path
            for path in sorted(self.records.glob(f"*{SUFFIX}"), reverse=True)
            if path not in taken
        ]

    def _record(self, profile: Profile) -> Transcript:
        if self.records is None:
            return Transcript()
        name = re.sub(r"[^\w.-]+", "-", profile.name).strip("-.")[:60] or "session"
        stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime())
        facts = {"title": profile.name, "started": f"{time.time():.3f}"}
        try:
            self._prune()
            return Transcript.create(self._free(f"{stamp}-{name}"), facts=facts)
        except StorageError as error:
            self.storage_failure = error
            return Transcript()

    def _free(self, stem: str) -> Path:
        assert self.records is not None
        path, again = self.records / f"{stem}{SUFFIX}", 1
        while path.exists():
            again += 1
            path = self.records / f"{stem}-{again}{SUFFIX}"
        return path

    def _prune(self) -> None:
        for path in self.earlier_records()[RECORDS_KEPT - 1 :]:
            path.unlink(missing_ok=True)


def is_over(session: Session) -> bool:
    """Whether a session has ended, well or not."""
    return session.state in {SessionState.CLOSED, SessionState.FAILED}
