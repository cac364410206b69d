"""Which session is shown, how sessions begin and end, and which are restarted when their source files change. Knows no widget."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from inspector.config.source_files import POLL_SECONDS, SourceWatch
from inspector.errors import InspectorError, StorageError
from inspector.session.session_state import SessionState
from inspector.session.transport_factory import transport_kind
from inspector.visible_text import one_line
from inspector.workspace import is_closed
from ui.aio import spawn
from ui.bind import bind
from ui.models.run_text import Dividers
from ui.models.timeline import Timeline, timeline_of
from ui.widgets.units import plural

if TYPE_CHECKING:
    from inspector.checks.background_validator import BackgroundValidator
    from inspector.checks.opened_recording import OpenedRecording
    from inspector.config.profile import Profile
    from inspector.config.server_list import ServerList
    from inspector.open_session import ClientProfile, OpenSession
    from inspector.session.session import Session
    from inspector.transcript.transcript import Transcript
    from inspector.workspace import Workspace


PAINTED_SECONDS = 0.25
"""From the pages of a recording to its validation: to load the validators beside the first paint would make that take four times as long."""


class SessionController(QObject):
    """Connects, disconnects, and shows one session or record at a time.

    Signals:
        session_changed: another session or recording, or none, is displayed.
        recorded_changed: the pages can show the recording that is displayed.
        failed: the text of an error that no panel shows.
    """

    session_changed = Signal()
    recorded_changed = Signal()
    failed = Signal(str)

    def __init__(
        self,
        *,
        workspace: Workspace,
        server_list: ServerList,
        indexes: Path,
        parent: QObject | None = None,
    ) -> None:
        """Conduct what is in `workspace`, reached as `server_list` says; what is derived from recordings is kept in `indexes`."""
        super().__init__(parent)
        self.profile: Profile | None = None
        self.session: OpenSession | None = None
        self.record: OpenedRecording | None = None
        self.recorded: OpenSession | None = None
        """What `record` shows of its session, once it is read; None if it has no handshake."""
        self.record_error: StorageError | None = None
        """Why the recording that was asked for last is not shown."""
        self._workspace = workspace
        self._server_list = server_list
        self._indexes = indexes
        self._beginning: set[str] = set()
        self._reading: asyncio.Task[None] | None = None
        self._connecting: set[asyncio.Task[None]] = set()
        bind(self, server_list.changed, self._on_list_changed)

    @property
    def transcript(self) -> Transcript | None:
        """The recording that is shown: of the session, or one that was opened."""
        if self.record is not None:
            return self.record.transcript
        return self.session.session.transcript if self.session is not None else None

    @property
    def visible_session(self) -> OpenSession | None:
        """What the pages show: a session, or what a recording has of one."""
        return self.session if self.record is None else self.recorded

    @property
    def sweep(self) -> BackgroundValidator | None:
        """What checks the shown transcript."""
        if self.record is not None:
            return self.record.sweep
        return self.session.sweep if self.session is not None else None

    @property
    def timeline(self) -> Timeline:
        """The frames that are shown: of all runs of the server, or of a record."""
        if self.record is not None:
            return timeline_of(self.transcript)
        runs = self.session.all_runs if self.session is not None else ()
        transcripts = [run.session.transcript for run in runs]
        dividers = Dividers(runs)
        numbers = [run.session.run.number for run in runs]
        return Timeline(transcripts, dividers, numbers, dividers.start)

    @property
    def is_connected(self) -> bool:
        """Whether the shown session can be asked things."""
        return self.session is not None and self.session.session.state is SessionState.READY

    @property
    def client_side(self) -> ClientProfile | None:
        """What we are to the server that is chosen."""
        return self._workspace.client_profile(self.profile) if self.profile is not None else None

    @property
    def is_beginning(self) -> bool:
        """Whether some session is being begun: it is until its lists are read, or that failed."""
        return bool(self._connecting)

    @property
    def is_live(self) -> bool:
        """Whether there is something to disconnect."""
        return self.session is not None and not is_closed(self.session.session)

    def is_live_with(self, profile: Profile) -> bool:
        """Whether a session with that server, shown or not, begins or goes on."""
        session = self._workspace.session_of(profile)
        return session is not None and not is_closed(session.session)

    def show(self, session: OpenSession | None) -> None:
        """Show `session`."""
        if session is not None:
            self.profile = session.profile
        self.session, self.record_error = session, None
        self._let_go_of_record()
        self.session_changed.emit()

    def show_profile(self, profile: Profile) -> None:
        """Show the latest session with a server, if any, also instead of a recording."""
        is_same = self.profile is not None and self.profile.id == profile.id
        self.profile = profile
        session = self._workspace.session_of(profile)
        is_recording = self.record is not None or self.record_error is not None
        if not is_same or is_recording or session is not self.session:
            self.show(session)

    def leave_record(self) -> None:
        """Show the selected server again."""
        if self.profile is not None:
            self.show_profile(self.profile)

    def connect_to(
        self,
        profile: Profile,
        *,
        revision: str | None = None,
        logs_in: bool = False,
        changed_files: str = "",
    ) -> None:
        """Begin a session in the place of the one with the same server; does nothing while that is being done.

        With `logs_in` the user may be asked to log in. `changed_files` names the files because of which it is started.
        """
        if profile.id in self._beginning:
            return
        self._beginning.add(profile.id)
        if revision is not None:
            profile = replace(profile, revision=revision)
        work = self._connect(profile, logs_in=logs_in, changed_files=changed_files)
        task = spawn(self, work, name=f"connect to {profile.name}")
        self._connecting.add(task)
        task.add_done_callback(self._connecting.discard)

    def disconnect_from(self, profile: Profile) -> None:
        """End the session with a server; its traffic stays."""
        session = self._workspace.session_of(profile)
        if session is not None:
            spawn(self, session.aclose(), name=f"disconnect from {profile.name}")

    def reconnect(self) -> None:
        """End the shown session and begin another with the same server."""
        self._connect_again(logs_in=False)

    def authorize(self) -> None:
        """Begin another session with the shown server, in which the user may be asked to log in."""
        self._connect_again(logs_in=True)

    def _connect_again(self, *, logs_in: bool) -> None:
        if self.session is not None:
            saved = self._server_list.find(self.session.profile.id)
            self.connect_to(saved or self.session.profile, logs_in=logs_in)

    def _on_list_changed(self) -> None:
        """The selected server may have been edited."""
        if self.profile is not None:
            self.profile = self._server_list.find(self.profile.id) or self.profile

    def open_record(self, path: Path) -> None:
        """Show the recording at `path` while it is read, and check it then, as a live session is."""
        spawn(self, self._open_record(path), name="open recording")

    def stop_opening(self) -> None:
        """Read no more of the shown recording."""
        if self.record is not None:
            self.record.stop()

    async def aclose(self) -> None:
        """Give up what is being begun, and let go of the record; sessions belong to the workspace."""
        for task in self._connecting:
            task.cancel()
        await asyncio.gather(*self._connecting, return_exceptions=True)
        record, self.record = self.record, None
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
        if record is not None:
            await record.aclose()

    async def _connect(self, profile: Profile, *, logs_in: bool, changed_files: str) -> None:
        try:
            before = self._workspace.session_of(profile)
            if before is not None:
                await self._workspace.end(before)
            resolved = await self._with_secrets(profile)
            opened = self._workspace.open(resolved, changed_files=changed_files)
        finally:
            self._beginning.discard(profile.id)
        if opened.authorizer is not None:
            opened.authorizer.allow_login(is_allowed=logs_in)
        self.show(opened)
        with contextlib.suppress(InspectorError):  # the session's steps tell it
            await opened.connect()
        if opened.authorizer is not None:  # the user may have left the connection steps
            opened.authorizer.allow_login(is_allowed=False)

    async def _with_secrets(self, profile: Profile) -> Profile:
        try:
            return await self._server_list.resolve(profile)
        except StorageError as error:
            self.failed.emit(f"{error.reason}; connecting without the stored secrets")
            return profile

    async def _open_record(self, path: Path) -> None:
        from inspector.checks.opened_recording import OpenedRecording  # brings all rules
        from inspector.transcript.index_cache import IndexCache

        try:
            record = await OpenedRecording.open(path, IndexCache(self._indexes))
        except StorageError as error:
            self.record_error = error
            self.failed.emit(error.reason)
            self.session_changed.emit()
            return
        self._let_go_of_record()
        self.session, self.record, self.record_error = None, record, None
        self._reading = spawn(self, self._read(record), name="read recording")
        self.session_changed.emit()

    async def _read(self, record: OpenedRecording) -> None:
        try:
            await record.load()
            await self._show_pages(record)
            await asyncio.sleep(PAINTED_SECONDS)
            await record.validate()
        finally:
            if self.record is not record:
                await record.aclose()

    async def _show_pages(self, record: OpenedRecording) -> None:
        """Let the pages show a recording that was read."""
        from inspector.recorded_session import open_recorded

        try:
            recorded = await open_recorded(record)
        except StorageError:
            return  # its frames say so
        if recorded is not None and self.record is record:
            self.recorded = recorded
            self.recorded_changed.emit()

    def _let_go_of_record(self) -> None:
        self.recorded = None
        record, self.record = self.record, None
        if record is None:
            return
        if self._reading is not None and not self._reading.done():
            self._reading.cancel()  # it closes the file
        else:
            spawn(self, record.aclose(), name="close recording")


MAX_NAMED = 3
"""Files that are named as the reason; the others are counted."""


def _may_run_again(session: Session) -> bool:
    """Whether a session runs, or was ended by its server."""
    is_lost = session.state is SessionState.CLOSED and bool(session.closed_reason)
    return is_lost or session.state in {SessionState.READY, SessionState.FAILED}


class Restarts(QObject):
    """Watches the source files of servers that run or have exited, but not of those that the user disconnected."""

    def __init__(
        self,
        *,
        workspace: Workspace,
        server_list: ServerList,
        controller: SessionController,
        parent: QObject | None = None,
    ) -> None:
        """Watch the sessions in `workspace`; `controller` starts them again."""
        super().__init__(parent)
        self._workspace = workspace
        self._server_list = server_list
        self._controller = controller
        self.poll_seconds = POLL_SECONDS
        """Between two looks at the files."""
        self._watched: dict[str, tuple[OpenSession, asyncio.Task[None]]] = {}
        bind(self, workspace.changed, self._refresh)
        bind(self, server_list.changed, self._refresh)

    def _refresh(self) -> None:
        to_watch = {
            profile.id: opened
            for profile in self._server_list.profiles
            if (opened := self._to_watch(profile)) is not None
        }
        for key, (opened, task) in list(self._watched.items()):
            if to_watch.get(key) is not opened:
                task.cancel()
                del self._watched[key]
        for key, opened in to_watch.items():
            if key not in self._watched:
                task = spawn(self, self._watch(opened), name="watch source files")
                self._watched[key] = (opened, task)

    def _to_watch(self, profile: Profile) -> OpenSession | None:
        if not profile.restart_on_change or not transport_kind(profile.transport).is_process:
            return None
        opened = self._workspace.session_of(profile)
        return opened if opened is not None and _may_run_again(opened.session) else None

    async def _watch(self, opened: OpenSession) -> None:
        transcript = opened.session.transcript
        watch = SourceWatch(opened.profile, poll_seconds=self.poll_seconds)
        found = await watch.start()
        if not found.stamps:
            text = "no source files to watch: name a script among the arguments, or set a working directory"
            transcript.note("not-watching", text)
            return
        more = "; there are more, which are not watched" if found.is_cut else ""
        transcript.note("watching", f"{plural(len(found.stamps), 'source file')} watched{more}")
        names = [Path(path).name for path in await watch.changed()]
        others = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
        named = one_line(", ".join(names[:MAX_NAMED]), 200)
        transcript.note("files-changed", f"{named}{others} changed: the server is started again")
        saved = self._server_list.find(opened.profile.id)
        self._controller.connect_to(saved or opened.profile, changed_files=f"{named}{others}")
