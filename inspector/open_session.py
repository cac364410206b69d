"""A session with what can be done in it, and the client as its server sees it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec import field

from inspector.checks.background_validator import BackgroundValidator
from inspector.clock import SystemClock
from inspector.config.ignored_paths import IgnoredPathSettings
from inspector.config.muted_rules import MutedRules
from inspector.config.target_clients import TargetClients
from inspector.features.client_capabilities import ClientCapabilities
from inspector.features.client_tasks import ClientTaskHost
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
from inspector.run_comparison import RunComparison
from inspector.runs import Runs
from inspector.session.notification_streams import DesiredSubscriptions
from inspector.session.paginated_list import ListState
from inspector.session.task_poller import TaskPoller

if TYPE_CHECKING:
    from inspector.auth.authorizer import Authorizer
    from inspector.checks.history import History
    from inspector.config.client_settings import ClientSettings
    from inspector.config.profile import Profile
    from inspector.inbox import Inbox
    from inspector.session.paginated_list import PaginatedList
    from inspector.session.session import Session
    from inspector.spec.views.resource import TemplateView

END_SECONDS = 2.0
"""How long the validation of a session that was disconnected may go on: what is left then stays unchecked."""


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
        self.sweep.settings.find_earlier = self._history_before
        self.sweep.set_targets(client.targets.names)
        session.renewed.subscribe(self._read_new_lists)
        session.interruptions.rediscovered.subscribe(self._read_new_lists)
        session.tasks.spawn(self.sweep.run(), name="judge messages")

    async def connect(self) -> None:
        """Connect and read the lists that the server declares.

        Raises:
            InspectorError: connecting failed; a list that cannot be read is no reason to fail.
        """
        self.sweep.settings.suspect = self.session.suspect
        await self.session.connect()
        self.sweep.settings.revision = self.session.revision
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


def make_client_profile(profile_id: str, file: ClientSettings | None) -> ClientProfile:
    """Return the client for one server as `file` has it; as it is at first without a file."""
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
