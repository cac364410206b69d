"""The steps of connecting, as they happen."""

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
"""What is said of a step while nothing else is known."""


class StepState(StrEnum):
    """Where a step stands."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(slots=True)
class Step:
    """One step and what came of it."""

    name: str
    """What is done, e.g. `Start process`."""
    started_at: float
    """Monotonic seconds."""
    state: StepState = StepState.RUNNING
    """Where it stands."""
    waits: bool = False
    """True while it waits for a response of the server."""
    times_out_at: float | None = None
    """Monotonic seconds until which it waits; none where that is not known."""
    ended_at: float | None = None
    """Monotonic seconds; none while it runs."""
    status_text: str = ""
    """What was learnt, or the cause of the failure."""
    hint: str = ""
    """What to try next, after a failure."""
    detail: str = ""
    """More for whoever wants it: last lines of stderr, data of an error."""
    frame: int | None = None
    """The frame that shows it."""

    @property
    def took_seconds(self) -> float | None:
        """How long it took; none while it runs."""
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
        """A step that is done when the block ends, and failed when it raises."""
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
            step.status_text = step.status_text or "given up"
            raise
        else:
            self._end(step, StepState.DONE)
        finally:
            self.changed.fire()

    @property
    def running(self) -> Step | None:
        """The step that runs; none between them."""
        return next((step for step in self._steps if step.state is StepState.RUNNING), None)

    def await_response(self, step: Step, seconds: float) -> None:
        """Say that a step waits, for so many seconds at most."""
        if math.isfinite(seconds):
            step.times_out_at = self.clock.monotonic() + seconds
        step.waits = True
        self.set_text(step, WAITING)

    @property
    def waiting(self) -> Step | None:
        """The step that waits for a response; None while no step does."""
        running = (step for step in reversed(self._steps) if step.state is StepState.RUNNING)
        return next((step for step in running if step.waits), None)

    def remove_limit(self) -> None:
        """Say that the step that waits does so without limit."""
        step = self.waiting
        if step is not None:
            step.times_out_at = None
            self.changed.fire()

    def set_text(self, step: Step, text: str, *, frame: int | None = None) -> None:
        """Say what was learnt in a step."""
        step.status_text = text
        step.frame = frame if frame is not None else step.frame
        self.changed.fire()

    def fail(self, step: Step, error: InspectorError) -> None:
        """Say that a step failed after all, or by more than was known when it ended."""
        step.state, step.status_text, step.hint = StepState.FAILED, error.reason, error.hint
        step.frame = error.frame or step.frame
        self.changed.fire()

    def skip(self, step: Step, text: str) -> None:
        """Say that the outcome of a step does not matter: another one decided."""
        step.state, step.hint = StepState.SKIPPED, ""
        self.set_text(step, text)

    def _end(self, step: Step, state: StepState) -> None:
        if step.state is StepState.RUNNING:
            step.state = state
        step.waits = False
        step.ended_at = self.clock.monotonic()
