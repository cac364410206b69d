"""Which request created a task: later requests and notifications name the task alone."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from inspector.errors import StorageError
from inspector.transcript.exchange import response_in
from inspector.transcript.index import newest_with
from inspector.transcript.operation_folds import TASK_METHODS
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.transcript.operation_tree import OperationTree
    from inspector.transcript.transcript import Transcript
    from inspector.wire.message import Message

_K = TypeVar("_K")
_V = TypeVar("_V")

MAX_RESPONSES_SEARCHED = 200
"""Responses that are searched for the task that a request names."""
MAX_RESPONSE_BYTES = 64 << 10
"""Size of a response that is read: the one that creates a task says little else."""
MAX_TASKS = 10_000
"""Tasks whose request is remembered, and responses of which it is known what they create."""


class TaskCreators:
    """Finds the request that created a task: its response is found when the task is first named."""

    def __init__(self, transcript: Transcript, tree: OperationTree) -> None:
        """Look among the frames of `transcript` that have their position in `tree`."""
        self._transcript = transcript
        self._tree = tree
        self._known: OrderedDict[tuple[int, str], int] = OrderedDict()
        """Request that created the task of a side."""
        self._missed: OrderedDict[tuple[int, str], int] = OrderedDict()
        """Up to which frame the creation of a task was looked for in vain: it may come after what names the task."""
        self._created: OrderedDict[int, str] = OrderedDict()
        """Task that a response creates, of those that were read: each is read once, however many tasks are named."""

    def creator_of(self, number: int) -> int:
        """Return the request that created the task which frame `number` names; 0 if it is not known."""
        columns, at = self._transcript.columns, number - 1
        try:
            message = self._transcript.message(number)
        except StorageError:
            return 0
        params = message.params
        task = params.get("taskId") if isinstance(params, dict) else None
        if not isinstance(task, str):
            return 0
        is_request = message.kind is MessageKind.REQUEST
        creator = columns.direction[at] if is_request else 1 - columns.direction[at]
        key = creator, task
        known = self._known.get(key)
        if known is None:
            known = self._search(task, creator, self._missed.get(key, 0), number)
            if known:
                _remember(self._known, key, known)
            else:
                _remember(self._missed, key, number - 1)
        return known

    def _search(self, task: str, creator: int, after: int, before: int) -> int:
        columns = self._transcript.columns
        responses = newest_with(columns.kind, MessageKind.RESPONSE, after, before - 1)
        for response, _ in zip(responses, range(MAX_RESPONSES_SEARCHED), strict=False):
            owner = columns.request[response - 1]
            if columns.direction[response - 1] == creator or not self._tree.is_added(owner):
                continue
            if columns.methods.texts[columns.method[response - 1]] in TASK_METHODS:
                continue
            if self._task_of(response) == task:
                return owner
        return 0

    def _task_of(self, response: int) -> str:
        """Return the task that a response creates; empty for none, and for one that is too large or cannot be read."""
        known = self._created.get(response)
        if known is None:
            known = ""
            if self._transcript.columns.size[response - 1] <= MAX_RESPONSE_BYTES:
                with suppress(StorageError):
                    known = created_task(response_in(self._transcript, response))
            _remember(self._created, response, known)
        return known


def _remember(known: OrderedDict[_K, _V], key: _K, value: _V) -> None:
    known[key] = value
    if len(known) > MAX_TASKS:
        known.popitem(last=False)


def created_task(message: Message) -> str:
    """Return the id of the task that a result creates; empty if it creates none."""
    result = message.lazy_result
    task = result.get("task", result) if isinstance(result, dict) else None
    id_ = task.get("taskId") if isinstance(task, dict) else None
    return id_ if isinstance(id_, str) else ""
