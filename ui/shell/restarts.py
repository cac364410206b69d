"""Starts servers again whose source files change, where the user has chosen that."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inspector.config.source_files import POLL_SECONDS, SourceWatch
from inspector.session.session import SessionState
from inspector.session.transport_factory import transport_kind
from inspector.visible_text import one_line
from ui.aio import spawn
from ui.bind import bind
from ui.widgets.units import plural

if TYPE_CHECKING:
    import asyncio

    from inspector.config.profile import Profile
    from inspector.config.server_list import ServerList
    from inspector.session.session import Session
    from inspector.workspace import OpenSession, Workspace
    from ui.shell.session_controller import SessionController

MAX_NAMED = 3
"""Files that are named as the reason; the others are counted."""


def _may_run_again(session: Session) -> bool:
    """Whether a session runs, or ended by itself."""
    is_lost = session.state is SessionState.CLOSED and bool(session.closed_words)
    return is_lost or session.state in {SessionState.READY, SessionState.FAILED}


class Restarts(QObject):
    """Watches the files of the servers that run, or whose process has ended by itself; one that the user disconnected stays so."""

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
        wanted = {
            profile.id: opened
            for profile in self._server_list.profiles
            if (opened := self._to_watch(profile)) is not None
        }
        for key, (opened, task) in list(self._watched.items()):
            if wanted.get(key) is not opened:
                task.cancel()
                del self._watched[key]
        for key, opened in wanted.items():
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
        shown = one_line(", ".join(names[:MAX_NAMED]), 200)
        transcript.note("files-changed", f"{shown}{others} changed: the server is started again")
        saved = self._server_list.find(opened.profile.id)
        self._controller.connect_to(saved or opened.profile)
