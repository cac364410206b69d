"""Shows, in the connection step that waits for a response, what the server does meanwhile.

That is: output on stdout that is not JSON-RPC (the server may never respond), the latest line on stderr, and that the command may be
downloading the server first.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from inspector.session import story
from inspector.session.steps import WAITING
from inspector.wire.frame import Channel

if TYPE_CHECKING:
    from collections.abc import Generator

    from inspector.session.package_runner import PackageRunner
    from inspector.session.steps import Steps
    from inspector.transcript.transcript import Transcript


class WaitWatch:
    """Looks at what is received while Spyglass connects."""

    def __init__(self, steps: Steps, transcript: Transcript, runner: PackageRunner | None) -> None:
        """Show in `steps` what is appended to `transcript`; `runner` may download the server first."""
        self._steps = steps
        self._transcript = transcript
        self._runner = runner
        self._next = transcript.count + 1
        self._stray = 0
        self._stray_sentence = ""
        self._stderr = 0
        self._shown = ""

    @contextmanager
    def watching(self) -> Generator[None]:
        """Look until the block ends."""
        stops = (
            self._transcript.appended.subscribe(self._on_appended),
            self._steps.changed.subscribe(self._show),
        )
        try:
            yield
        finally:
            for stop in stops:
                stop()

    def _on_appended(self) -> None:
        fresh = range(self._next, self._transcript.count + 1)
        self._next = self._transcript.count + 1
        channels = self._transcript.columns.channel
        for number in fresh:
            if channels[number - 1] == Channel.STDERR:
                self._stderr = number
            elif not self._stray and story.is_stdout_noise(self._transcript, number):
                self._stray = number
                self._stray_sentence = story.stray_sentence(self._transcript, number)
        if fresh:
            self._show()

    def _show(self) -> None:
        """Renew the words of the step that waits, unless somebody else knew better."""
        step = self._steps.waiting
        if step is None or step.status_text not in {WAITING, self._shown}:
            return
        text = "; ".join(self._parts())
        if text != step.status_text:
            self._shown = text
            self._steps.set_text(step, text, frame=self._stray or self._stderr or None)

    def _parts(self) -> list[str]:
        parts = [WAITING]
        if self._stray:
            parts.insert(0, self._stray_sentence)
        elif self._runner is not None:
            parts.append(f"on its first start, `{self._runner.name}` may {self._runner.work}")
        if self._stderr:
            parts.append(f"latest stderr output: {story.line_of(self._transcript, self._stderr)}")
        return parts
