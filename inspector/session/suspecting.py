"""Telling, beside the step that waits, that the server prints on stdout what is no message: it may be waiting for ever."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from inspector.session.steps import WAITING
from inspector.session.story import is_stray, stray_sentence

if TYPE_CHECKING:
    from collections.abc import Generator

    from inspector.session.steps import Steps
    from inspector.transcript.transcript import Transcript


class StrayWatch:
    """Looks at what comes while the server is being reached."""

    def __init__(self, steps: Steps, transcript: Transcript) -> None:
        """Tell in `steps` what comes into `transcript`."""
        self._steps = steps
        self._transcript = transcript
        self._next = transcript.count + 1
        self._stray = 0

    @contextmanager
    def watching(self) -> Generator[None]:
        """Look until the block ends."""
        stop = self._transcript.appended.subscribe(self._on_appended)
        try:
            yield
        finally:
            stop()

    def _on_appended(self) -> None:
        fresh = range(self._next, self._transcript.count + 1)
        self._next = self._transcript.count + 1
        if not self._stray:
            self._stray = next((n for n in fresh if is_stray(self._transcript, n)), 0)
        step = self._steps.running
        if self._stray and step is not None and step.words == WAITING:
            words = f"{stray_sentence(self._transcript, self._stray)}; {WAITING}"
            self._steps.tell(step, words, frame=self._stray)
