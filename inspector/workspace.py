"""Everything that is open: sessions with what can be done in them, and the records of earlier ones.

The front ends (window and command line) talk to this and to what it hands out.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from functools import partial
from typing import TYPE_CHECKING

from msgspec import field
from msgspec.structs import replace

from inspector.authorizers import Authorizers, authorizer_of, declared
from inspector.clock import SystemClock
from inspector.config.client_settings import save_era
from inspector.config.ignored_paths import IgnoredPathSettings
from inspector.config.muted_rules import MutedRules
from inspector.config.secrets import secret_values
from inspector.config.target_clients import TargetClients
from inspector.errors import StorageError
from inspector.event import Event
from inspector.features.client_capabilities import ClientCapabilities
from inspector.features.completion import Completions
from inspector.features.elicitation import Elicitation
from inspector.features.logs import Logs
from inspector.features.ping import Ping
from inspector.features.prompts import Prompts
from inspector.features.raw import Raw
from inspector.features.resources import ResourceReads, Resources
from inspector.features.roots import RootList, Roots
from inspector.features.sampling import Sampling, SavedAnswers
from inspector.features.subscriptions import Subscriptions
from inspector.features.task_persistence import SavedTasks, TaskPersistence
from inspector.features.tasks import Tasks
from inspector.features.tools import Tools
from inspector.frozen import FrozenStruct
from inspector.inbox import Inbox
from inspector.runs import NOTE, Runs
from inspector.session import era_cache
from inspector.session.notification_streams import DesiredSubscriptions
from inspector.session.paginated_list import ListState
from inspector.session.session import Session, SessionState
from inspector.session.task_poller import TaskPoller
from inspector.session.transport_factory import make_transport
from inspector.transcript.recording_file import COMPANIONS
from inspector.transcript.transcript import Transcript
from inspector.wire.redaction import MASK, mask_urls

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from inspector.auth.authorizer import Authorizer
    from inspector.auth.grant import Access
    from inspector.checks.history import History
    from inspector.config.client_settings import ClientSettings
    from inspector.config.profile import Profile
    from inspector.session.era_cache import CachedEra
    from inspector.session.paginated_list import PaginatedList
    from inspector.spec.views.resource import TemplateView

RECORDING_SUFFIX = ".spyglass"
"""File name ending of recordings."""

END_SECONDS = 2.0
"""How long the validation of a session that was disconnected may go on: what is left then stays unchecked."""

MAX_RECORDINGS = 200
"""Recordings kept in their folder; older ones are deleted when a new one starts."""


class ClientProfile(FrozenStruct, frozen=True):
    """The client as one server sees it; outlives its sessions."""

    capabilities: ClientCapabilities
    """The capabilities that are declared when connecting."""
    roots: RootList
    """The folders that are listed to the server."""
    answers: SavedAnswers
    """Saved responses to sampling requests."""
    tasks: SavedTasks = field(default_factory=SavedTasks)
    """Tasks of the server that are not done."""
    subscriptions: DesiredSubscriptions = field(default_factory=DesiredSubscriptions)
    """The resources that the server is to notify about."""
    muted: MutedRules = field(default_factory=MutedRules)
    """The rules whose findings about the server are not reported."""
    targets: TargetClients = field(default_factory=TargetClients)
    """The clients that the server is for."""
    ignored: IgnoredPathSettings = field(default_factory=IgnoredPathSettings)
    """The paths that comparisons of its messages ignore."""


class OpenSession:
    """A session and its features."""

    def __init__(
        self,
        profile: Profile,
        session: Session,
        client: ClientProfile,
        inbox: Inbox,
        *,
        runs: Runs[OpenSession] | None = None,
        changed_files: str = "",
    ) -> None:
        """Make the features of `session`, the next of `runs`, or the only one; server requests go into `inbox`."""
        # What only a session needs is imported with the first one: it is a sixth of what starting the window imports.
        from inspector.checks.background_validator import BackgroundValidator
        from inspector.features.client_tasks import ClientTaskHost
        from inspector.run_comparison import RunComparison

        self.runs: Runs[OpenSession] = Runs() if runs is None else runs
        session.run = self.runs.next(changed_files)
        self.profile = profile
        self.session: Session = session
        self.authorizer: Authorizer | None = None
        """Gets the access tokens of the session; None without authorization."""
        self.client = client
        self.inbox = inbox
        self.sampling = Sampling(session, inbox, client.answers, clock=SystemClock())
        self.elicitation = Elicitation(session, inbox, clock=SystemClock())
        self.roots = Roots(session, client.roots)
        watch = TaskPoller(session)
        self.hosted = ClientTaskHost(
            session, inbox, watch.table
        )  # after sampling and elicitation, whose requests it takes over
        self.tasks = Tasks(session, watch)
        self.task_persistence = TaskPersistence(session, watch, client.tasks)
        self.tools = Tools(session, watch)
        self.resources = Resources(session)
        self.reads = ResourceReads(session)
        session.listening.desired = client.subscriptions
        self.subscriptions = Subscriptions(session)
        self.prompts = Prompts(session)
        self.completions = Completions(session)
        self.logs = Logs(session)
        self.ping = Ping(session)
        self.raw = Raw(session)
        self.comparison = RunComparison(self, lambda: self.runs.compared(self))
        self.sweep = BackgroundValidator(session.transcript)
        self.sweep.rules.history.find_earlier = self._history_before
        self.sweep.set_targets(client.targets.names)
        session.renewed.subscribe(self._read_new_lists)
        session.interruptions.rediscovered.subscribe(self._read_new_lists)
        session.tasks.spawn(self.sweep.run(), name="judge messages")

    async def connect(self) -> None:
        """Connect and read the lists that the server declares.

        Raises:
            InspectorError: connecting failed; a list that cannot be read is no reason to fail.
        """
        self.sweep.suspect = self.session.suspect
        await self.session.connect()
        self.sweep.revision = self.session.revision
        self.task_persistence.resume()
        self.logs.resume()
        async with self.session.listening.gathering():
            self.subscriptions.resume()
            await self._read_lists_as_step()

    @property
    def lists(
        self,
    ) -> dict[str, Tools | Resources | PaginatedList[TemplateView] | Prompts]:
        """The lists of the server, by `ListKind.key`."""
        return {
            "tools": self.tools,
            "resources": self.resources,
            "templates": self.resources.templates,
            "prompts": self.prompts,
        }

    @property
    def all_runs(self) -> tuple[OpenSession, ...]:
        """The kept earlier runs with this server and this one, oldest first."""
        return (*self.runs.before(self), self)

    async def aclose(self) -> None:
        """Disconnect, and validate what came last and the connection as a whole; the transcript stays readable."""
        await self.session.aclose()
        await self.sweep.finish(END_SECONDS)

    async def read_lists(self) -> None:
        """Read every declared list, all at the same time; each list keeps its failure."""
        await asyncio.gather(*(each.refresh() for _, each in self._offered_lists()))

    def _history_before(self) -> History | None:
        """Return what rules know of the run with which this one is compared."""
        before = self.runs.compared(self)
        return before.sweep.rules.history if before is not None else None

    def _read_new_lists(self) -> None:
        """Read the lists that the server declares only since it was restarted; the others refresh themselves."""
        for noun, each in self._offered_lists():
            if each.state is ListState.UNREAD:
                self.session.tasks.spawn(each.refresh(), name=f"read {noun}")

    async def _read_lists_as_step(self) -> None:
        offered = self._offered_lists()
        if not offered:
            return
        with self.session.steps.run("Read lists") as step:
            await self.read_lists()
            text = ", ".join(each.status_text(noun) for noun, each in offered)
            failures = [each.failure for _, each in offered if each.failure is not None]
            self.session.steps.set_text(step, text, frame=failures[0].frame if failures else None)

    def _offered_lists(
        self,
    ) -> list[tuple[str, Tools | Resources | PaginatedList[TemplateView] | Prompts]]:
        return [(noun, each) for noun, each in self.lists.items() if each.offered]


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
        return mask_urls(text)

    def client_profile(self, profile: Profile) -> ClientProfile:
        """Return the client for the server of `profile`, connected or not."""
        side = self._sides.get(profile.id)
        if side is None:
            side = self._sides[profile.id] = _client_profile(profile.id, self._client)
        return side

    def cached_era(self, profile: Profile) -> CachedEra | None:
        """Return what earlier connections found about the server of `profile`; None if it is reached in another way now."""
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


def _client_profile(profile_id: str, file: ClientSettings | None) -> ClientProfile:
    if file is None:
        return ClientProfile(ClientCapabilities(), RootList(), SavedAnswers())
    part, keeper = file.part, file.keeper
    return ClientProfile(
        ClientCapabilities(part(profile_id, "declares"), keeper(profile_id, "declares")),
        RootList(part(profile_id, "roots"), keeper(profile_id, "roots")),
        SavedAnswers(part(profile_id, "answers"), keeper(profile_id, "answers")),
        SavedTasks(part(profile_id, "tasks"), keeper(profile_id, "tasks")),
        muted=MutedRules(part(profile_id, "muted"), keeper(profile_id, "muted")),
        targets=TargetClients(part(profile_id, "targets"), keeper(profile_id, "targets")),
        ignored=IgnoredPathSettings(part(profile_id, "ignored"), keeper(profile_id, "ignored")),
    )
