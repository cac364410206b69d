"""Rules about progress notifications that need those before: it increases, its total holds, it does not flood.

Source: basic/utilities/progress ("The progress value MUST increase with each notification"); L-PRG-03, L-PRG-04, L-PRG-06.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inspector.finding import Finding, Severity
from inspector.spec.spec_urls import link
from inspector.spec.views.progress import ProgressView
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import JsonObject

METHOD = "notifications/progress"

MAX_TOKENS = 1_000
"""Tokens remembered; the oldest is forgotten, and its next notification counts as the first."""

MAX_PER_SECOND = 50
"""Notifications of one token within a second before it counts as a flood: no display shows more."""


@dataclass(slots=True)
class _Last:
    """What is known of one token."""

    progress: int | float | None = None
    second: int = -1
    """The second, by the clock of the frames, in which `count` came."""
    count: int = 0
    has_flooded: bool = False


class ProgressOrder:
    """Compares each progress notification with the one before it."""

    def __init__(self) -> None:
        """Begin without any."""
        self._tokens: OrderedDict[str, _Last] = OrderedDict()

    def judge(self, params: JsonObject, at_seconds: float, revision: Revision) -> Iterator[Finding]:
        """Yield what is wrong with a notification that came at `at_seconds` (monotonic)."""
        view = ProgressView(params, revision=revision)
        if not view.has_token:
            return
        last = self._of(json_codec.write(view.token))
        page = link(ProgressView.SUBJECT, revision)
        value, before = view.progress, last.progress
        if value is not None:
            if before is not None and not value > before:
                text = (
                    f"`progress` must increase with each notification: {value} came after {before}"
                )
                yield Finding("L-PRG-03", Severity.ERROR, text, "/params/progress", page)
            last.progress = value
        yield from self._flood(last, at_seconds, page)

    def _of(self, token: str) -> _Last:
        last = self._tokens.setdefault(token, _Last())
        self._tokens.move_to_end(token)
        if len(self._tokens) > MAX_TOKENS:
            self._tokens.popitem(last=False)
        return last

    @staticmethod
    def _flood(last: _Last, at_seconds: float, page: str) -> Iterator[Finding]:
        second = int(at_seconds)
        last.count = last.count + 1 if second == last.second else 1
        last.second = second
        if last.count > MAX_PER_SECOND and not last.has_flooded:
            last.has_flooded = True
            text = f"more than {MAX_PER_SECOND} progress notifications for one token within a second; servers should limit the rate"
            yield Finding("L-PRG-06", Severity.WARNING, text, "", page)
