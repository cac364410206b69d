"""The connection steps of one session."""

from __future__ import annotations

import math
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from inspector.errors import InspectorError
from inspector.event import Event

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from inspector.clock import Clock


WAITING = "waiting for response"
"""The text of a step that waits, until something is known."""


class StepState(StrEnum):
    """The state of a step."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    """The connection failed by it."""
    UNSUCCESSFUL = "unsuccessful"
    """It failed, and something else was tried, which decides."""
    SKIPPED = "skipped"


@dataclass(slots=True)
class Step:
    """One connection step."""

    name: str
    """The action, e.g. `Start process`."""
    started_at: float
    """Monotonic seconds."""
    state: StepState = StepState.RUNNING
    """Its state."""
    waits: bool = False
    """True while it waits for a response of the server."""
    times_out_at: float | None = None
    """Monotonic seconds until which it waits; None without a limit."""
    ended_at: float | None = None
    """Monotonic seconds; None while it runs."""
    status_text: str = ""
    """The outcome, or the cause of the failure."""
    hint: str = ""
    """What to try next, after a failure."""
    detail: str = ""
    """Details: the last lines of stderr, the data of an error."""
    frame: int | None = None
    """The frame that shows it."""

    @property
    def took_seconds(self) -> float | None:
        """How long it took; None while it runs."""
        return None if self.ended_at is None else self.ended_at - self.started_at


class Steps:
    """The steps of one session, oldest first."""

    def __init__(self, clock: Clock) -> None:
        """Start without steps."""
        self.changed: Event[()] = Event()
        self.clock = clock
        self._steps: list[Step] = []

    def __iter__(self) -> Iterator[Step]:
        """Oldest first."""
        return iter(tuple(self._steps))

    def __len__(self) -> int:
        """How many there are."""
        return len(self._steps)

    def __getitem__(self, position: int) -> Step:
        """The step at `position`."""
        return self._steps[position]

    @contextmanager
    def run(self, name: str) -> Generator[Step]:
        """Run a step: done when the block ends, failed when it raises. One that failed before is unsuccessful: this is another attempt."""
        self._set_aside_failed()
        step = Step(name, self.clock.monotonic())
        self._steps.append(step)
        self.changed.fire()
        try:
            yield step
        except InspectorError as error:
            self._end(step, StepState.FAILED)
            step.status_text, step.hint, step.frame = (
                error.reason,
                error.hint,
                error.frame or step.frame,
            )
            raise
        except BaseException:
            self._end(step, StepState.FAILED)
            step.status_text = step.status_text or "cancelled"
            raise
        else:
            self._end(step, StepState.DONE)
        finally:
            self.changed.fire()

    @property
    def running(self) -> Step | None:
        """The step that runs; None between steps."""
        return next((step for step in self._steps if step.state is StepState.RUNNING), None)

    def await_response(self, step: Step, seconds: float) -> None:
        """Show that a step waits for a response, for at most `seconds`."""
        if math.isfinite(seconds):
            step.times_out_at = self.clock.monotonic() + seconds
        step.waits = True
        self.set_text(step, WAITING)

    @property
    def pending(self) -> Step | None:
        """The step that waits for a response; None while no step does."""
        running = (step for step in reversed(self._steps) if step.state is StepState.RUNNING)
        return next((step for step in running if step.waits), None)

    def remove_limit(self) -> None:
        """Show that the step that waits has no limit any more."""
        step = self.pending
        if step is not None:
            step.times_out_at = None
            self.changed.fire()

    def set_text(self, step: Step, text: str, *, frame: int | None = None) -> None:
        """Set the text of a step, and the frame that shows it."""
        step.status_text = text
        step.frame = frame if frame is not None else step.frame
        self.changed.fire()

    def fail(self, step: Step, error: InspectorError) -> None:
        """Mark a step as failed by `error`, also after it ended."""
        step.state, step.status_text, step.hint = StepState.FAILED, error.reason, error.hint
        step.frame = error.frame or step.frame
        self.changed.fire()

    def blame(self, causes: range) -> None:
        """Let the latest unsuccessful step at the positions `causes` be the one by which the connection failed, and no other."""
        self._set_aside_failed()
        for at in reversed(causes):
            if self._steps[at].state is StepState.UNSUCCESSFUL:
                self._steps[at].state = StepState.FAILED
                break
        self.changed.fire()

    def _set_aside_failed(self) -> None:
        for step in self._steps:
            if step.state is StepState.FAILED:
                step.state = StepState.UNSUCCESSFUL

    def skip(self, step: Step, text: str) -> None:
        """Mark a step as skipped: its outcome does not matter, because another step decided."""
        step.state, step.hint = StepState.SKIPPED, ""
        self.set_text(step, text)

    def _end(self, step: Step, state: StepState) -> None:
        if step.state is StepState.RUNNING:
            step.state = state
        step.waits = False
        step.ended_at = self.clock.monotonic()
