"""Which request created a task: later requests and notifications name the task alone."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.transcript.index import newest_with
from inspector.transcript.operation_folds import TASK_METHODS
from inspector.wire import json_codec
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.transcript.operation_tree import OperationTree
    from inspector.transcript.transcript import Transcript
    from inspector.wire.message import Message

MAX_RESPONSES_SEARCHED = 200
"""Responses that are searched for the task that a request names."""
MAX_TASKS = 10_000
"""Tasks whose request is remembered."""


class TaskCreators:
    """Finds the request that created a task: its response is found when the task is first named."""

    def __init__(self, transcript: Transcript, tree: OperationTree) -> None:
        """Look among the frames of `transcript` that have their position in `tree`."""
        self._transcript = transcript
        self._tree = tree
        self._known: OrderedDict[tuple[int, str], int] = OrderedDict()

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
        known = self._known.get((creator, task))
        if known is None:
            known = self._known[creator, task] = self._search(task, creator, number)
            if len(self._known) > MAX_TASKS:
                self._known.popitem(last=False)
        return known

    def _search(self, task: str, creator: int, before: int) -> int:
        columns, quoted = self._transcript.columns, json_codec.write_bytes(task)
        responses = newest_with(columns.kind, MessageKind.RESPONSE, 0, before - 1)
        for response, _ in zip(responses, range(MAX_RESPONSES_SEARCHED), strict=False):
            owner = columns.request[response - 1]
            if columns.direction[response - 1] == creator or not self._tree.is_added(owner):
                continue
            if columns.methods.texts[columns.method[response - 1]] in TASK_METHODS:
                continue
            try:
                message = self._transcript.message(response)
            except StorageError:
                return 0
            if quoted in message.raw and created_task(message) == task:
                return owner
        return 0


def created_task(message: Message) -> str:
    """Return the id of the task that a result creates; empty if it creates none."""
    result = message.result
    task = result.get("task", result) if isinstance(result, dict) else None
    id_ = task.get("taskId") if isinstance(task, dict) else None
    return id_ if isinstance(id_, str) else ""
