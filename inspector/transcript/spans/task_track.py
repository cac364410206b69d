"""The track of tasks: the requests that name one, and the notifications about its status."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.transcript.spans.track import NOTIFICATIONS, REQUESTS, SpanTone

if TYPE_CHECKING:
    from inspector.transcript.spans.track import Chunk
    from inspector.transcript.spans.transcript_spans import TranscriptSpans

MAX_NOTICES = 32
"""Notifications that are read in one chunk; the others are points alone."""
MAX_TASKS = 10_000
"""Tasks that have a span."""


@dataclass(slots=True)
class _Task:
    """What is known of one task."""

    at: int
    """Its position in the track."""
    latest_s: float
    """When it was named last."""
    open_requests: int = 0
    """Requests that name it and have not ended: it lasts as long as they do."""


class TaskTrack:
    """Fills the track."""

    def __init__(self, spans: TranscriptSpans) -> None:
        self._spans = spans
        self._tasks: dict[str, _Task] = {}

    def take(self, chunk: Chunk) -> None:
        """Let tasks begin, or last until the messages in `chunk` that name them."""
        columns = self._spans.transcript.columns
        texts, methods = columns.methods.texts, columns.method
        # A list for each chunk: there are few methods, and a set of their numbers makes the look at each frame short.
        of_tasks = {at for at, text in enumerate(texts) if text.startswith("tasks/")}
        if of_tasks:
            for number in chunk.chosen(REQUESTS)[0]:
                if methods[number - 1] in of_tasks:
                    self._extend(self._name_of(number), number, chunk.time(number), number)
        status = {at for at, text in enumerate(texts) if text == "notifications/tasks/status"}
        if status:
            numbers = chunk.chosen(NOTIFICATIONS)[0]
            notices = [number for number in numbers if methods[number - 1] in status]
            for number in notices[:MAX_NOTICES]:
                self._extend(self._named_by_notice(number), number, chunk.time(number), 0)

    def finish(self, request: int) -> None:
        """Let a task last until the end of a request that names it."""
        columns = self._spans.transcript.columns
        if columns.methods.texts[columns.method[request - 1]].startswith("tasks/"):
            task = self._tasks.get(self._name_of(request))
            if task is not None:
                task.open_requests -= 1
                self._prolong(task, self._spans.end_of(request), self._spans.tone_of(request))

    def _name_of(self, request: int) -> str:
        columns = self._spans.transcript.columns
        return columns.labels.texts[columns.label[request - 1]]

    def _named_by_notice(self, number: int) -> str:
        try:
            params = self._spans.transcript.message(number).params
        except StorageError:
            return ""
        task = params.get("taskId") if isinstance(params, dict) else None
        return task if isinstance(task, str) else ""

    def _extend(self, name: str, number: int, at_s: float, request: int) -> None:
        """Let a task last until a frame, or, with a `request`, until the end of that."""
        task = self._tasks.get(name)
        if task is None:
            if not name or len(self._tasks) >= MAX_TASKS:
                return
            task = self._tasks[name] = _Task(len(self._spans.tasks), at_s)
            self._spans.tasks.add_spans((number,), (at_s,), (inf,), (SpanTone.NORMAL,))
        end_s = self._spans.end_of(request) if request else at_s
        task.open_requests += end_s == inf
        self._prolong(task, at_s if end_s == inf else end_s, SpanTone.NORMAL)

    def _prolong(self, task: _Task, until_s: float, tone: int) -> None:
        task.latest_s = max(task.latest_s, until_s)
        self._spans.tasks.finish(task.at, inf if task.open_requests else task.latest_s, tone)
