"""An authorization from the challenge to the tokens, step by step: each step is a value with its request, its response and its checks.

It can be run to its end or to some step, one step at a time with a changed request, and again from any step on.
"""

from __future__ import annotations

import asyncio
import math
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from inspector.auth import signing, steps
from inspector.auth.messages import HttpResponse
from inspector.auth.settings import Way
from inspector.auth.state import Stage, StepProblem, StepResponse
from inspector.clock import SystemClock
from inspector.errors import AuthError, Hint, InspectorError
from inspector.event import Event

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.auth.check import Check
    from inspector.auth.client import Client
    from inspector.auth.messages import HttpRequest
    from inspector.auth.settings import Settings
    from inspector.auth.state import Planned, State
    from inspector.auth.tokens import Tokens
    from inspector.auth.user_agent import Sender, UserAgent
    from inspector.clock import Clock

MAX_STEPS = 60
"""Steps of one run: a server may require a new nonce again and again."""

T = TypeVar("T")

FORBIDDEN = 403

LOG_IN = Hint("Select Authorize… to log in.", cli="Log in first.")
"""The hint if a login is needed."""

_WITH_USER = {Stage.CLIENT, Stage.AUTHORIZATION}
_CONCLUDED = ("reason", "checks", *StepProblem.__struct_fields__)


class StepStatus(StrEnum):
    """The status of a step."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class FlowStep(StepProblem, frozen=True):
    """One step, done or running."""

    number: int
    """Position, from 1."""
    stage: Stage
    """Its kind."""
    title: str
    """Its title on screen."""
    status: StepStatus
    """Its status."""
    before: State
    """The state before it."""
    request: HttpRequest | None = None
    """Its request; None if it sends nothing."""
    visit: str = ""
    """The URL that was opened in a browser."""
    waits_for_user: bool = False
    """Whether the user can open that URL now: the login page was requested, and the callback is awaited."""
    response: HttpResponse = HttpResponse()
    """Its response."""
    callback: str = ""
    """The URL to which the browser was redirected."""
    checks: tuple[Check, ...] = ()
    """Its checks."""
    reason: str = ""
    """Its outcome, in one line."""
    began_wall: float = 0.0
    """When it started, in seconds since 1970-01-01 UTC."""
    seconds: float = math.nan
    """Its duration in seconds; not a number while it runs."""

    @property
    def is_running(self) -> bool:
        """Whether it is under way."""
        return self.status is StepStatus.RUNNING

    @property
    def has_failed(self) -> bool:
        """Whether it failed."""
        return self.status is StepStatus.FAILED

    @property
    def frame(self) -> int:
        """The frame that started its HTTP exchange; 0 without one."""
        return self.response.frame


class LoginNeeded(AuthError):
    """An authorization needs a login of the user, who was not prompted yet."""


class FlowFailed(AuthError):
    """An authorization failed at `step`."""

    def __init__(self, step: FlowStep) -> None:
        """Use the problem of the step as the reason."""
        text = f"{step.title}: {step.problem}"
        super().__init__(text, hint=step.hint, frame=step.frame or None)
        self.step = step


class Flow:
    """One authorization."""

    def __init__(
        self,
        state: State,
        sender: Sender,
        user_agent: UserAgent | None = None,
        *,
        stored_client: Callable[[str], Awaitable[Client | None]] | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Start with `state`; `stored_client` returns the client that was used at an issuer before."""
        self.changed: Event[()] = Event()
        """Fired when a step starts, ends, or is undone."""
        self.state = state
        """The state after the latest step."""
        self.needs_user = False
        """Whether it stopped because the user has to log in, and there is no user agent."""
        self.is_stopped = False
        """Whether the user stopped it."""
        self._sender = sender
        self._user_agent = user_agent
        self._make_user_agent: Callable[[], UserAgent] | None = None
        self._stored_client = stored_client
        self._clock = clock or SystemClock()
        self._steps: list[FlowStep] = []
        self._limit: asyncio.Timeout | None = None

    @property
    def steps(self) -> tuple[FlowStep, ...]:
        """The steps so far, in order."""
        return tuple(self._steps)

    @property
    def is_running(self) -> bool:
        """Whether a step is running."""
        return bool(self._steps) and self._steps[-1].status is StepStatus.RUNNING

    @property
    def tokens(self) -> Tokens | None:
        """The tokens; None before the end."""
        return self.state.tokens

    async def next_step(self) -> Planned | None:
        """Return the next step with its request; None at the end.

        Raises:
            AuthError: it cannot be prepared.
            LoginNeeded: it needs the user.
        """
        await self._prepare()
        planned = steps.plan(self.state, self._clock.wall_s())
        if planned is not None and planned.stage in _WITH_USER and self._needs_redirect():
            self.state = replace(self.state, redirect_uri=await self._agent().start())
            planned = steps.plan(self.state, self._clock.wall_s())
        return planned

    async def advance(self, planned: Planned | None = None) -> FlowStep | None:
        """Run the next step, or `planned`, which the user may have edited; None at the end.

        Raises:
            AuthError: it cannot be prepared.
        """
        planned = planned or await self.next_step()
        if planned is None:
            return None
        if len(self._steps) >= MAX_STEPS:
            raise AuthError(f"the authorization is not over after {MAX_STEPS} steps")
        began, began_wall = self._clock.monotonic(), self._clock.wall_s()
        step = FlowStep(
            len(self._steps) + 1,
            planned.stage,
            planned.title,
            StepStatus.RUNNING,
            self.state,
            planned.request,
            planned.visit,
            began_wall=began_wall,
        )
        self._steps.append(step)
        self.changed.fire()
        try:
            step = await self._do(step, planned)
        except BaseException as error:
            known = isinstance(error, InspectorError)
            step = replace(
                step,
                status=StepStatus.FAILED,
                problem=error.reason if known else "it was cancelled",
                hint=error.hint if known else "",
            )
            if not known:
                raise
        finally:
            self._steps[-1] = replace(step, seconds=self._clock.monotonic() - began)
            self.changed.fire()
        return self._steps[-1]

    async def run(self, until: Stage | None = None) -> Tokens | None:
        """Run to the end, or until a step of the kind `until` is done; return the tokens, if there are any by then.

        Raises:
            FlowFailed: a step failed.
            AuthError: a step cannot be prepared.
        """
        while (step := await self.advance()) is not None:
            if step.status is StepStatus.FAILED:
                raise FlowFailed(step)
            if step.stage is until:
                break
        return self.tokens

    def rewind(self, number: int, settings: Settings | None = None) -> None:
        """Undo the steps from `number` on, and continue from there; with other `settings`, unless they are None."""
        self.state = self._steps[number - 1].before
        if settings is not None:
            self.state = replace(self.state, settings=settings)
        del self._steps[number - 1 :]
        self.changed.fire()

    def paste(self, url: str) -> str:
        """Use the URL that a browser elsewhere was redirected to; return why it cannot be used, or an empty string."""
        return self._agent().paste(url)

    def invite(self, make: Callable[[], UserAgent]) -> None:
        """Make the user agent with `make` when the user has to log in."""
        self._make_user_agent = make

    def involve_user(self) -> None:
        """Let the user log in from now on, if that is possible."""
        if self._user_agent is None and self._make_user_agent is not None:
            self._user_agent = self._make_user_agent()
            self.needs_user = False

    def stop(self) -> None:
        """Let the running step fail; does nothing without one."""
        if self._limit is not None and not self._limit.expired():
            self.is_stopped = True
            self._limit.reschedule(asyncio.get_running_loop().time())

    def conclude(self, step: FlowStep) -> None:
        """Append the outcome of the call with the new token, which the transport made; a later one replaces it."""
        if self._steps and self._steps[-1].stage is Stage.CALL:
            self._steps.pop()
        number = len(self._steps) + 1
        self._steps.append(replace(step, number=number, before=self.state))
        self.changed.fire()

    async def aclose(self) -> None:
        """Stop to wait for a callback, and close the connections."""
        if self._user_agent is not None:
            await self._user_agent.stop()
        await self._sender.aclose()

    async def _prepare(self) -> None:
        """Load what planning needs: the library of keys, the stored client."""
        state = self.state
        if state.settings.private_key or state.binds_tokens or state.dpop_key:
            await signing.load()
        if state.server is None or self._stored_client is None:
            return
        if state.client is None and state.stored_client is None:
            stored = await self._stored_client(state.server.issuer)
            self.state = replace(state, stored_client=stored)

    def _needs_redirect(self) -> bool:
        return self.state.settings.way is Way.CODE and not self.state.redirect_uri

    def _agent(self) -> UserAgent:
        if self._user_agent is None:
            self.needs_user = True
            self.changed.fire()
            raise LoginNeeded(login_text(self.state), hint=LOG_IN)
        return self._user_agent

    async def _do(self, step: FlowStep, planned: Planned) -> FlowStep:
        response, callback = HttpResponse(), ""
        if planned.request is not None:
            response = await self._unless_stopped(self._sender.send(planned.request))
        elif planned.visit:
            visiting = self._agent().visit(planned.visit, self._wait_for_user)
            callback = await self._unless_stopped(visiting)
        came = StepResponse(planned.request, response, callback, self._clock.wall_s())
        found = steps.conclude(planned, came)
        if not found.problem:
            self.state = found.state
        return replace(
            step,
            status=StepStatus.FAILED if found.problem else StepStatus.DONE,
            response=response,
            callback=callback,
            **{name: getattr(found, name) for name in _CONCLUDED},
        )

    def _wait_for_user(self) -> None:
        """Mark the step: the login page can be opened now."""
        self._steps[-1] = replace(self._steps[-1], waits_for_user=True)
        self.changed.fire()

    async def _unless_stopped(self, work: Awaitable[T]) -> T:
        """Return the result of `work`.

        Raises:
            AuthError: `stop` was called meanwhile.
        """
        try:
            async with asyncio.timeout(None) as self._limit:
                return await work
        except TimeoutError:
            raise AuthError("it was stopped", hint="Run it again from here.") from None
        finally:
            self._limit = None


def login_text(state: State) -> str:
    """Return why a login is needed: the first one, or one for scopes that the token lacks."""
    missing = [each for each in state.challenges.scopes if each not in state.earlier_scopes]
    if state.status != FORBIDDEN or not missing:
        return "the server requires authorization"
    return f"the server requires the scope {' '.join(missing)}"
