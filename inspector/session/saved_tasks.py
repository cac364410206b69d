"""Tasks that are not over, remembered beyond the session and the program, so that they can be asked for again.

They belong to one target: whoever edits the address or the command of a server begins anew, because the id of a task is for the server
alone that made it.

Source: the tasks extension, "Task Polling"; C-TKX-05, C-TKX-14.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from inspector.wire.json_codec import Json, JsonObject

MAX_KEPT = 100
"""Tasks that are remembered for one server, the latest."""

MAX_ID, MAX_WORDS = 2000, 500
"""Characters. A longer id is not kept, longer words are cut."""

MAX_ANSWERED = 200
"""Keys of one task that are kept."""

MAX_MS = 1e15
"""No time is longer."""

UNDATED_SECONDS = 30 * 86_400.0
"""How long a task is kept that has no end, or does not say."""

_TEXTS = ("taskId", "status", "statusMessage", "createdAt", "lastUpdatedAt")
_NUMBERS = ("ttlMs", "pollIntervalMs")


class SavedTask(FrozenStruct, frozen=True):
    """One task."""

    id: str
    """Its id."""
    raw: JsonObject
    """What it said of itself last, without its outcome and what it asked for."""
    origin: str
    """What became it, in words."""
    since: float
    """Since when it is known, unix seconds."""
    is_wanted: bool
    """It was followed."""
    answered: tuple[str, ...] = ()
    """Keys that were answered, and are not answered again."""

    @property
    def until(self) -> float:
        """When it may be forgotten, unix seconds."""
        ttl = self.raw.get("ttlMs")
        if isinstance(ttl, bool) or not isinstance(ttl, int | float):
            return self.since + UNDATED_SECONDS
        return self.since + ttl / 1000

    def as_json(self) -> JsonObject:
        """To be kept."""
        answered: list[Json] = [*self.answered[-MAX_ANSWERED:]]
        facts: JsonObject = {"origin": self.origin, "since": self.since, "wanted": self.is_wanted}
        return {"task": self.raw, **facts, "answered": answered}


def summarize(raw: Json) -> JsonObject:
    """What of a task is worth keeping."""
    members = raw if isinstance(raw, dict) else {}
    kept: JsonObject = {}
    for key in (*_TEXTS, *_NUMBERS):
        value = members.get(key)
        if isinstance(value, str):
            kept[key] = value if key == "taskId" else value[:MAX_WORDS]
        elif isinstance(value, int | float) and abs(value) < MAX_MS:
            kept[key] = value
    return kept


class SavedTasks:
    """The tasks of one server that are not over, oldest first."""

    def __init__(self, saved: Json = None, save: Callable[[Json], None] | None = None) -> None:
        """Begin with what was `saved`; `save` takes every change."""
        self._save = save
        self._target = ""
        self._tasks: dict[str, SavedTask] = {}
        if isinstance(saved, dict) and isinstance(target := saved.get("target"), str):
            self._target = target
            listed = saved.get("tasks")
            for each in (listed if isinstance(listed, list) else [])[-MAX_KEPT:]:
                task = _read(each)
                if task is not None:
                    self._tasks[task.id] = task

    def of(self, target: str, wall_s: float) -> tuple[SavedTask, ...]:
        """Those of the server at `target` (a digest) that may still be known at `wall`, unix seconds."""
        if target != self._target:
            return ()
        return tuple(task for task in self._tasks.values() if task.until > wall_s)

    def update(self, target: str, kept: Iterable[SavedTask], over: Iterable[str]) -> None:
        """Keep these tasks of the server at `target`, and forget those that are `over`."""
        before = self._as_json()
        if target != self._target:
            self._target, self._tasks = target, {}
        for id_ in over:
            self._tasks.pop(id_, None)
        for task in kept:
            if len(task.id) <= MAX_ID:
                self._tasks[task.id] = task
        for id_ in [*self._tasks][: max(0, len(self._tasks) - MAX_KEPT)]:
            del self._tasks[id_]
        after = self._as_json()
        if self._save is not None and after != before:
            self._save(after)

    def _as_json(self) -> JsonObject:
        tasks: list[Json] = [task.as_json() for task in self._tasks.values()]
        return {"target": self._target, "tasks": tasks} if tasks else {}


def _read(kept: Json) -> SavedTask | None:
    """One task as it was kept; None for anything that is none."""
    if not isinstance(kept, dict):
        return None
    raw, since, origin = summarize(kept.get("task")), kept.get("since"), kept.get("origin")
    id_, answered = raw.get("taskId"), kept.get("answered")
    if not isinstance(id_, str) or not id_ or not isinstance(since, int | float):
        return None
    keys = (key for key in (answered if isinstance(answered, list) else []) if isinstance(key, str))
    text = origin if isinstance(origin, str) else ""
    return SavedTask(id_, raw, text, float(since), kept.get("wanted") is True, tuple(keys))
