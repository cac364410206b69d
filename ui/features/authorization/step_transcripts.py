"""The recording of each step: a flow may start in one run of a server and end in the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from inspector.auth.flow import Flow, FlowStep
    from inspector.transcript.transcript import Transcript

_Key = tuple[int, float]
"""Number of a step and when it began: a number alone is used again by a step that is done again."""


class StepTranscripts:
    """The transcripts of the steps that were seen."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Flow, dict[_Key, Transcript]] = WeakKeyDictionary()

    def add(self, flow: Flow, transcript: Transcript) -> None:
        """Note that the steps of `flow` that were not seen yet are recorded in `transcript`."""
        known = self._known.setdefault(flow, {})
        for step in flow.steps:
            known.setdefault(_key(step), transcript)

    def find(self, flow: Flow, step: FlowStep) -> Transcript | None:
        """Return the transcript with the frames of a step; None if the step was not seen."""
        return self._known.get(flow, {}).get(_key(step))


def _key(step: FlowStep) -> _Key:
    return step.number, step.began_wall
