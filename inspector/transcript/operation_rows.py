"""The frames of a transcript as operations: one row for each exchange that the client started, with all that belongs to it beneath.

What stands beneath what, the first rule that holds:

1. The wire says it: a response, progress, a cancellation, a round or a note of Spyglass names its request; an HTTP frame belongs to the message
   that opened its exchange; a message that came in the response to a POST belongs to the request of that POST; a request about a task belongs to
   the request that created it.
2. `notifications/initialized` belongs to `initialize`.
3. The wire does not say it, but exactly one operation was pending: a log message, a line on stderr, a request of the server and the HTTP of an
   authorization are put beneath that one. While several were pending they stand alone.
4. Everything else stands alone.

Neighbors that are equal fold into one row that counts them (`operation_folds.py`); lists that are read one after the other fold also over what
stands between them. Every frame is beneath exactly one row.

Works live and on recordings, in slices, from the packed columns; bytes are read of notes of Spyglass and of the first request about a task alone.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from inspector.transcript.event_effects import note_at
from inspector.transcript.exchange import Status
from inspector.transcript.operation_folds import (
    LIST_MEMBERS,
    PING,
    SUBSCRIPTION,
    TASK_METHODS,
    USER_METHODS,
    Fold,
    fold_key,
)
from inspector.transcript.operation_tasks import TaskCreators
from inspector.transcript.operation_tree import TOP, OperationTree
from inspector.wire.frame import Channel, Direction
from inspector.wire.message_kind import LINKED, MessageKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.json_value import JsonObject
    from inspector.transcript.transcript import Transcript

MAX_LISTS_GAP_S = 2.0
"""A list that is read later than this after the one before begins another row."""
MAX_DEPTH = 3
"""Frames above a frame, at most: an operation, a request in it, what belongs to that."""
MAX_RESTARTS = 20
"""Probes that are recognized only after their rows were made; of later ones the rows stay where they are."""
_FRAMES_PER_LOOK = 64
"""Frames between two looks at the time."""

_SENT, _RECEIVED = int(Direction.SENT), int(Direction.RECEIVED)
_AUTH, _HTTP = int(Channel.AUTH), int(Channel.HTTP)
_GIVEN_UP = frozenset({Status.CANCELLED, Status.TIMED_OUT, Status.NO_RESPONSE})
_MESSAGES = frozenset({*map(int, LINKED), int(MessageKind.BATCH), int(MessageKind.MALFORMED)})
_ENDINGS = frozenset({"timed-out", "cancelled", "failed"})
"""Events of notes that end the request they name."""


class OperationRows:
    """Rows of one transcript; `advance` processes what is new."""

    def __init__(self, transcript: Transcript) -> None:
        """Start before the first frame of `transcript`."""
        self.transcript = transcript
        self.is_watched = False
        """Whether a receiver reads, and clears, what the tree notes of changes."""
        self.generation = 0
        """Counts how often everything was started again, because frames turned out to be a probe."""
        self._start()

    def _start(self) -> None:
        self.tree = OperationTree()
        self.next = 1
        """The first frame that has no row yet."""
        self.user_requests: dict[int, list[int]] = {}
        """Operation → requests of the server in it that the user responds to."""
        self.polls: dict[int, list[int]] = {}
        """Operation → requests about the task that it created."""
        self.pauses: set[int] = set()
        """Rounds whose response asked for another try later, not for input."""
        self._pending: dict[int, None] = {}
        self._span: int | None = None
        self._tasks = TaskCreators(self.transcript, self.tree)
        self._initialize = 0
        self._lists, self._lists_at = 0, -math.inf

    def advance(self, stop: int, until: float = math.inf) -> bool:
        """Process the frames before `stop`, until `time.perf_counter()` is past `until`; return whether none is left."""
        stop = min(stop, self.transcript.count + 1)
        if self.next < stop:
            self.tree.grow(stop - 1)
        kinds, handlers, generation = self.transcript.columns.kind, self._handlers, self.generation
        while self.next < stop:
            for number in range(self.next, min(self.next + _FRAMES_PER_LOOK, stop)):
                handlers[kinds[number - 1]](self, number)
                if self.generation != generation:
                    return self.advance(stop, until)
                self.next = number + 1
            if time.perf_counter() >= until:
                break
        if not self.is_watched:
            self.tree.forget_changes()
        return self.next >= stop

    def operation(self, number: int) -> int:
        """Return the operation of a frame: the request at the top that it is, or stands beneath; 0 for none."""
        if not self.tree.is_added(number):
            return 0
        top = self.tree.member_at_top(number)
        return top if self.is_operation(top) else 0

    def is_operation(self, number: int) -> bool:
        """Whether a frame is a request that the client sent and that stands at the top."""
        columns, at = self.transcript.columns, number - 1
        return (
            columns.request[at] == number
            and columns.direction[at] == _SENT
            and self.tree.parent(number) == TOP
        )

    def frames(self, number: int) -> list[int]:
        """Return all frames beneath a frame, itself included, in the order of the wire."""
        return sorted(self.tree.all_beneath(number))

    # --- where a frame goes -----------------------------------------------------------------------

    def _add(self, number: int, parent: int, key: int | None = None, after: int = 0) -> None:
        columns, tree = self.transcript.columns, self.tree
        depth, above = 0, parent
        while above:
            depth, above = depth + 1, tree.parent(above)
        for _ in range(depth - MAX_DEPTH):
            parent = tree.parent(parent)
        own = fold_key(columns, number) if key is None else key
        tree.add(number, parent, own, columns.size[number - 1], after)

    def _add_request(self, number: int) -> None:
        columns, at = self.transcript.columns, number - 1
        owner = columns.request[at]
        method = columns.methods.texts[columns.method[at]]
        if columns.direction[at] != _SENT:
            self._add_server_request(number, method)
        elif 0 < owner < number:
            self._add(number, self.tree.member_at_top(owner), Fold.NONE)
            self._begin(owner)
        elif method in TASK_METHODS and (operation := self._tasks.creator_of(number)):
            self._add_poll(number, operation)
        else:
            self._add_operation(number, method)

    def _add_operation(self, number: int, method: str) -> None:
        key, columns = fold_key(self.transcript.columns, number), self.transcript.columns
        at = columns.monotonic_s[number - 1]
        if key == Fold.LISTS:
            joins = self._lists and at - self._lists_at <= MAX_LISTS_GAP_S
            self._add(number, TOP, key, self._lists if joins else 0)
            self._lists, self._lists_at = self.tree.fold(number), at
        else:
            self._add(number, TOP, Fold.NONE if key & 15 == Fold.POLL else key)
        if method in {PING, SUBSCRIPTION}:
            return
        if method not in LIST_MEMBERS:
            self._lists = 0
        if method == "initialize":
            self._initialize = number
        self._begin(number)

    def _add_poll(self, number: int, operation: int) -> None:
        self._add(number, operation)
        self.polls.setdefault(self.tree.member_at_top(operation), []).append(number)
        if self.transcript.columns.direction[number - 1] == _SENT:
            self._begin(number)

    def _add_server_request(self, number: int, method: str) -> None:
        columns = self.transcript.columns
        parent = self._opener(number)
        if not parent and method in TASK_METHODS and (parent := self._tasks.creator_of(number)):
            self._add_poll(number, parent)
            return
        if not parent and not columns.stream[number - 1] and method != PING:
            parent = self._pending_alone(number)
        self._add(number, parent)
        if parent and method in USER_METHODS:
            self.user_requests.setdefault(parent, []).append(number)

    def _add_response(self, number: int) -> None:
        columns, at = self.transcript.columns, number - 1
        owner = columns.request[at]
        if owner and owner != number and self.tree.is_added(owner):
            self._add(number, owner)
            self._end(owner)
            if self._lists and self.tree.key(owner) == Fold.LISTS:
                self._lists_at = columns.monotonic_s[at]
            return
        self._add(number, self._opener(number))
        if owner == number:  # requests in a batch
            self._begin(number)

    def _add_notification(self, number: int) -> None:
        columns, at = self.transcript.columns, number - 1
        owner = columns.request[at]
        method = columns.methods.texts[columns.method[at]]
        if owner and self.tree.is_added(owner):
            self._add(number, owner)
            if method == "notifications/cancelled":
                self._end(owner)
            return
        parent = self._opener(number)
        if not parent and method.startswith("notifications/tasks"):
            parent = self._tasks.creator_of(number)
        elif not parent and method == "notifications/initialized":
            parent = self._initialize
        elif method == "notifications/message" and not columns.stream[at]:
            parent = self._pending_alone(number)
        self._add(number, parent)

    def _add_output(self, number: int) -> None:
        """A line that no message explains: stderr, an empty line."""
        self._add(number, self._pending_alone(number))

    def _add_http(self, number: int) -> None:
        columns, at = self.transcript.columns, number - 1
        opener = columns.stream[at]
        if not opener or not self.tree.is_added(opener):
            is_flow = columns.channel[at] == _AUTH
            self._add(number, self._pending_alone(number) if is_flow else TOP)
        elif columns.kind[opener - 1] in _MESSAGES:
            self._add(number, opener)
        else:  # a header block opened it
            self._add(number, self.tree.parent(opener))

    def _add_malformed(self, number: int) -> None:
        owner = self.transcript.columns.request[number - 1]
        if owner and owner != number and self.tree.is_added(owner):
            self._add_response(number)
        else:
            self._add(number, self._opener(number))

    def _add_note(self, number: int) -> None:
        note = note_at(self.transcript, number)
        request, event = note.get("request"), note.get("event")
        if event == "closed":
            self._pending.clear()
            self._span = None
        if not (isinstance(request, int) and 0 < request < number and self.tree.is_added(request)):
            self._add(number, TOP)
        elif event == "probe" and self._should_restart(request):
            self.generation += 1
            self._start()
        else:
            self._apply(note, str(event), request)
            self._add(number, request)

    def _apply(self, note: JsonObject, event: str, request: int) -> None:
        retry = note.get("retry")
        if event in _ENDINGS:
            self._end(request)
        elif event == "input-required" and "try_number" in note:
            self.pauses.add(request)
        elif event == "input-given" and isinstance(retry, int) and self.tree.is_added(retry):
            self._join_round(request, retry)

    def _join_round(self, request: int, retry: int) -> None:
        """The request `retry` turned out to be another round."""
        operation = self.tree.member_at_top(request)
        self.tree.move(retry, operation)
        if retry in self._pending:
            self._end(retry)
            self._begin(operation)

    def _should_restart(self, request: int) -> bool:
        """Whether all rows are made again: `request` turned out to be a probe, and has a row as something else."""
        return self.tree.key(request) != Fold.PROBE and self.generation < MAX_RESTARTS

    # --- which operation a frame belongs to -------------------------------------------------------

    def _begin(self, request: int) -> None:
        self._pending[request] = None
        self._span = None

    def _end(self, request: int) -> None:
        if self._pending.pop(request, 0) is None:
            self._span = None

    def _opener(self, number: int) -> int:
        """Return the operation whose POST a message came in the response to; 0 for none."""
        columns = self.transcript.columns
        opener = columns.stream[number - 1]
        if not opener or not self.tree.is_added(opener):
            return TOP
        if columns.kind[opener - 1] not in _MESSAGES:
            return TOP
        return self.tree.member_at_top(opener)

    def _pending_alone(self, number: int) -> int:
        """Return the operation that was pending alone at a frame; 0 for none or several."""
        if len(self._pending) > 1:
            self._forget_given_up(number)
        if self._span is None:
            tops = {self.tree.member_at_top(request) for request in self._pending}
            self._span = tops.pop() if len(tops) == 1 else TOP
        return self._span

    def _forget_given_up(self, number: int) -> None:
        """Forget requests that ended without a frame that names them, such as those whose id was used again."""
        transcript = self.transcript
        ended = [each for each in self._pending if transcript.status(each) in _GIVEN_UP]
        for each in ended:
            exchange = transcript.exchange(each)
            if exchange is not None and exchange.given_up_at <= number:
                self._end(each)

    _handlers: tuple[Callable[[OperationRows, int], None], ...] = tuple(
        map(
            {
                MessageKind.REQUEST: _add_request,
                MessageKind.RESPONSE: _add_response,
                MessageKind.ERROR: _add_response,
                MessageKind.NOTIFICATION: _add_notification,
                MessageKind.BATCH: _add_response,
                MessageKind.MALFORMED: _add_malformed,
                MessageKind.STDERR: _add_output,
                MessageKind.NOTE: _add_note,
                MessageKind.BLANK_LINE: _add_output,
                MessageKind.HTTP: _add_http,
                MessageKind.SSE_OTHER: _add_http,
            }.__getitem__,
            MessageKind,
        )
    )
    """By kind."""
