"""Runs an authorization for the user: a step at a time, up to a step, to its end, or again from a step. Knows no widget.

A flow that a request of the session runs is only watched, and can be stopped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from inspector.auth.flow import FlowStep, StepStatus
from inspector.auth.settings import Settings, Waiver
from inspector.errors import InspectorError
from ui.aio import spawn
from ui.bind import Bindings, bind, bind_coalesced

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.authorizer import Authorizer
    from inspector.auth.flow import Flow
    from inspector.auth.state import Planned, Stage


class FlowRunner(QObject):
    """The latest flow of one authorizer.

    Signals:
        changed: a step began or ended, or another flow is shown.
        authorized: a flow that the user ran came to tokens.
    """

    changed = Signal()
    authorized = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.authorizer: Authorizer | None = None
        self.flow: Flow | None = None
        self.planned: Planned | None = None
        """What comes next; None while a step runs, at the end, and where it is not known."""
        self.error: InspectorError | None = None
        """Why the flow cannot go on, where that is no failed step."""
        self._is_busy = False
        self._bindings = Bindings()
        self._unbind_flow: Callable[[], None] | None = None

    def set_authorizer(self, authorizer: Authorizer | None) -> None:
        """Follow the flows of `authorizer`."""
        if authorizer is self.authorizer:
            return
        self._bindings.replace()
        self.authorizer = authorizer
        if authorizer is not None:
            self._bindings.replace(bind(self, authorizer.changed, self._on_authorizer_changed))
        self._follow(authorizer.flow if authorizer is not None else None)

    # What is there

    @property
    def steps(self) -> tuple[FlowStep, ...]:
        """The steps that began."""
        return self.flow.steps if self.flow is not None else ()

    @property
    def settings(self) -> Settings:
        """How a token is come by."""
        if self.flow is not None:
            return self.flow.state.settings
        return self.authorizer.settings if self.authorizer is not None else Settings()

    @property
    def failed_step(self) -> FlowStep | None:
        """The step at which the flow stopped."""
        last = self.steps[-1] if self.steps else None
        return last if last is not None and last.status is StepStatus.FAILED else None

    @property
    def is_running(self) -> bool:
        """Whether a step is running, started by the user or by a request of the session."""
        return self._is_busy or (self.flow is not None and self.flow.is_running)

    @property
    def has_tokens(self) -> bool:
        """Whether the flow came to its end."""
        return self.flow is not None and self.flow.tokens is not None

    @property
    def can_run(self) -> bool:
        """Whether there is something to run."""
        return self.authorizer is not None and not self.is_running

    # What the user can do

    def run(self, planned: Planned | None = None, *, until: Stage | None = None) -> None:
        """Go on to the end, or until the step before one of kind `until`, with what the user made of the next step."""
        self._start(planned, until=until, limit=None)

    def step(self, planned: Planned | None = None) -> None:
        """Run one step, as the user edited it."""
        self._start(planned, until=None, limit=1)

    def rewind(self, number: int, settings: Settings | None = None) -> None:
        """Take the steps from `number` on back, and prepare that one."""
        if self.flow is not None and self.can_run:
            self.planned = None
            self.flow.rewind(number, settings)
            self._start(None, until=None, limit=0)

    def accept(self, waiver: Waiver) -> None:
        """Let the server break the rule that the flow failed by, and go on."""
        failed = self.failed_step
        if failed is None or self.flow is None:
            return
        settings = self.flow.state.settings
        settings = replace(settings, waivers=settings.waivers | {waiver})
        if self.authorizer is not None:
            self.authorizer.settings = settings
        self.planned = None
        self.flow.rewind(failed.number, settings)
        self.run()

    def restart(self) -> None:
        """Begin another flow, not yet run."""
        self._start(None, until=None, limit=0, is_new=True)

    def stop(self) -> None:
        """Let the step that is under way fail."""
        if self.flow is not None:
            self.flow.stop()

    def paste(self, url: str) -> str:
        """Go on with the URL that a browser elsewhere was redirected to; return why that is not possible."""
        if self.flow is None:
            return "no login is waited for"
        try:
            return self.flow.paste(url)
        except InspectorError as error:
            return error.reason

    # How it is done

    def _start(
        self,
        planned: Planned | None,
        *,
        until: Stage | None,
        limit: int | None,
        is_new: bool = False,
    ) -> None:
        if not self.can_run:
            return
        self._is_busy = True
        going = self._go(planned, until=until, limit=limit, is_new=is_new)
        spawn(self, going, name="authorize")

    async def _go(
        self, planned: Planned | None, *, until: Stage | None, limit: int | None, is_new: bool
    ) -> None:
        authorizer = self.authorizer
        assert authorizer is not None
        self.error = None
        try:
            flow = await self._ready(authorizer, is_new=is_new)
            await self._advance(flow, planned, until, limit)
            if flow.tokens is not None:
                await authorizer.take(flow)
                await flow.aclose()
                self.authorized.emit()
            elif self.failed_step is not None:
                await flow.aclose()  # its port is opened again when it is needed
        except InspectorError as error:
            self.error = error
        finally:
            self._is_busy = False
            self.changed.emit()

    async def _ready(self, authorizer: Authorizer, *, is_new: bool) -> Flow:
        """Return the flow to go on with: a step that failed is done again, and what is over begins again."""
        flow = self.flow
        if flow is not None and not is_new and flow.tokens is None:
            failed = self.failed_step
            if failed is not None:
                flow.rewind(failed.number)
            flow.involve_user()
            return flow
        if flow is not None:
            await flow.aclose()
        self.planned = None
        return authorizer.new_flow()

    async def _advance(
        self, flow: Flow, planned: Planned | None, until: Stage | None, limit: int | None
    ) -> None:
        done = 0
        planned = planned or self.planned
        while True:
            planned = planned or await flow.next_step()
            is_enough = limit is not None and done >= limit
            if planned is None or is_enough or (done and planned.stage is until):
                self.planned = planned if flow is self.flow else None
                return
            self.planned = None
            step = await flow.advance(planned)
            planned, done = None, done + 1
            if step is None or step.status is StepStatus.FAILED:
                return

    def _on_authorizer_changed(self) -> None:
        if self.authorizer is not None and self.authorizer.flow is not self.flow:
            self._follow(self.authorizer.flow)
        else:
            self.changed.emit()

    def _follow(self, flow: Flow | None) -> None:
        if self._unbind_flow is not None:
            self._unbind_flow()
            self._unbind_flow = None
        self.flow, self.planned, self.error = flow, None, None
        if flow is not None:
            self._unbind_flow = bind_coalesced(self, flow.changed, self.changed.emit)
        self.changed.emit()
