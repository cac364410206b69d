"""Everything that is open: sessions with what can be done in them, and the records of earlier ones.

The front ends (window and command line) talk to this and to what it hands out. What a session consists of is imported with the first one: it
is a quarter of what the window would import before it is shown.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.authorizers import Authorizers, authorizer_of, declared
from inspector.clock import SystemClock
from inspector.config.client_settings import save_era
from inspector.config.secrets import secret_values
from inspector.errors import StorageError
from inspector.event import Event
from inspector.inbox import Inbox
from inspector.session.session_state import SessionState
from inspector.session.transport_factory import make_transport
from inspector.wire.redaction import MASK, mask_text, mask_urls

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from inspector.auth.grant import Access
    from inspector.config.client_settings import ClientSettings
    from inspector.config.profile import Profile
    from inspector.open_session import ClientProfile, OpenSession
    from inspector.runs import Runs
    from inspector.session.era_cache import CachedEra
    from inspector.session.session import Session
    from inspector.transcript.transcript import Transcript

RECORDING_SUFFIX = ".spyglass"
"""File name ending of recordings."""

MAX_RECORDINGS = 200
"""Recordings kept in their folder; older ones are deleted when a new one starts."""


class Workspace:
    """The open sessions, newest last, and the folder of their recordings."""

    def __init__(
        self,
        records: Path | None,
        client: ClientSettings | None = None,
        *,
        access: Callable[[Profile], Access | None] = lambda _: None,
    ) -> None:
        """Record into the folder `records`; if it is None, in memory.

        `client` saves the client settings of each server; without it, no capability is declared. `access` returns how a protected server grants
        access; if it returns None, a 401 is an error.
        """
        self.changed: Event[()] = Event()
        self.inbox = Inbox()
        self.sessions: list[OpenSession] = []
        self.records = records
        self._client = client
        self.authorizers = Authorizers(access)
        self._sides: dict[str, ClientProfile] = {}
        self._runs: dict[str, Runs[OpenSession]] = {}

    def open(self, profile: Profile, *, changed_files: str = "") -> OpenSession:
        """Make a session for `profile`; call its `connect` next. `changed_files` names the files because of which it is started."""
        from inspector.open_session import OpenSession
        from inspector.runs import NOTE, Runs
        from inspector.session import era_cache
        from inspector.session.session import Session

        credentials = self.authorizers.credentials(profile)
        authorizer = authorizer_of(credentials)
        make = partial(make_transport, credentials=credentials)
        session = Session(profile, self._record(profile), make, clock=SystemClock())
        redaction = session.transcript.redaction
        redaction.know(secret_values(profile))
        redaction.is_on = not profile.record_secrets
        if credentials is not None:
            credentials.secrets_found.subscribe(redaction.know_more)
        side = self.client_profile(profile)
        if self._client is not None:
            session.declare = partial(declared, side.capabilities.enabled, authorizer)
            session.use_cached(era_cache.read(self._client.part(profile.id, "era")))
            session.changed.subscribe(partial(save_era, session, self._client, profile.id))
        runs = self._runs.setdefault(profile.id, Runs())
        opened = OpenSession(
            profile, session, side, self.inbox, runs=runs, changed_files=changed_files
        )
        opened.authorizer = authorizer
        session.tasks.spawn(side.muted.load(), name="read muted rules")
        if session.run.reason:
            session.transcript.set_metadata({"run": str(session.run.number)})
            text = f"run {session.run.number}: {session.run.reason}"
            session.transcript.note(NOTE, text, run=session.run.number)
        opened.session.changed.subscribe(self.changed.fire)
        self.sessions.append(opened)
        self.changed.fire()
        return opened

    def without_secrets(self, text: str) -> str:
        """Return a text that leaves Spyglass, such as an error report, without the secrets of the open sessions."""
        for opened in self.sessions:
            text = opened.session.transcript.redaction.hide(text)
        return mask_text(text)

    def client_profile(self, profile: Profile) -> ClientProfile:
        """Return the client for the server of `profile`, connected or not."""
        from inspector.open_session import make_client_profile

        side = self._sides.get(profile.id)
        if side is None:
            side = self._sides[profile.id] = make_client_profile(profile.id, self._client)
        return side

    def cached_era(self, profile: Profile) -> CachedEra | None:
        """Return what earlier connections found about the server of `profile`; None if it is reached in another way now."""
        from inspector.session import era_cache

        kept = self._client.part(profile.id, "era") if self._client is not None else None
        found = era_cache.read(kept)
        return found if found is not None and found.applies_to(profile) else None

    def forget_era(self, profile: Profile) -> None:
        """Forget what earlier connections found: the next one starts without it."""
        if self._client is not None:
            self._client.set_part(profile.id, "era", None)

    def rename(self, profile: Profile) -> None:
        """Give the sessions of `profile` its new name; other changes apply to the next session."""
        runs = self._runs.get(profile.id)
        opened = [each for each in self.sessions if each.profile.id == profile.id]
        for each in (*opened, *(runs.earlier if runs is not None else ())):
            each.profile = each.session.profile = replace(each.profile, name=profile.name)
        if opened:
            self.changed.fire()

    def session_of(self, profile: Profile) -> OpenSession | None:
        """Return the latest session with a profile, in any state."""
        return next((s for s in reversed(self.sessions) if s.profile.id == profile.id), None)

    async def end(self, opened: OpenSession) -> None:
        """Disconnect a session and keep it as an earlier run of its server."""
        await opened.aclose()
        if opened in self.sessions:
            self.sessions.remove(opened)
            opened.runs.add(opened)
            self.changed.fire()

    async def close(self, opened: OpenSession) -> None:
        """Disconnect and forget a session."""
        await opened.session.aclose()
        if opened in self.sessions:
            self.sessions.remove(opened)
            self.changed.fire()

    async def aclose(self) -> None:
        """Disconnect everything, at the same time."""
        ends = (opened.session.aclose() for opened in self.sessions)
        await asyncio.gather(*ends, return_exceptions=True)
        await asyncio.gather(*(side.muted.aclose() for side in self._sides.values()))
        await self.authorizers.aclose()

    def recent_recordings(self) -> list[Path]:
        """Return the recordings of earlier sessions, newest first."""
        if self.records is None or not self.records.is_dir():
            return []
        taken = {opened.session.transcript.path for opened in self.sessions}
        return [
            path
            for path in sorted(self.records.glob(f"*{RECORDING_SUFFIX}"), reverse=True)
            if path not in taken
        ]

    def _record(self, profile: Profile) -> Transcript:
        from inspector.transcript.transcript import Transcript

        if self.records is None:
            return Transcript()
        title = mask_urls(profile.name)  # a server may have been named by its URL
        name = re.sub(r"[^\w.-]+", "-", title.replace(MASK, "")).strip("-.")[:60] or "session"
        stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime())
        facts = {"title": title, "started": f"{time.time():.3f}"}
        try:
            self._delete_oldest()
            return Transcript.create(self._free(f"{stamp}-{name}"), facts=facts)
        except StorageError as error:
            transcript = Transcript(failure=error)
            transcript.note("not-recorded", f"{error.reason}; this session is in memory only")
            return transcript

    def _free(self, stem: str) -> Path:
        assert self.records is not None
        path, again = self.records / f"{stem}{RECORDING_SUFFIX}", 1
        while path.exists():
            again += 1
            path = self.records / f"{stem}-{again}{RECORDING_SUFFIX}"
        return path

    def _delete_oldest(self) -> None:
        from inspector.transcript.recording_file import COMPANIONS

        kept = {
            each.session.transcript.path for runs in self._runs.values() for each in runs.earlier
        }
        for path in self.recent_recordings()[MAX_RECORDINGS - 1 :]:
            if path in kept:  # its frames are read from there
                continue
            for beside in ("", *COMPANIONS):
                with contextlib.suppress(OSError):
                    path.with_name(path.name + beside).unlink()


def is_closed(session: Session) -> bool:
    """Whether a session is closed or failed."""
    return session.state in {SessionState.CLOSED, SessionState.FAILED}
