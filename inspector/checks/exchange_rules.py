"""Rules about messages that take more than one of them: an answer beside its request, an announcement beside the stream it came on.

Nothing here raises, and everything holds for a record that is opened as well.

Source: basic/patterns/subscriptions; the tasks extension; L-SUB-02, L-SUB-08, L-SUB-09, L-SUB-13, L-TKX-13, and `spec.task_rules`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.latest import json_key
from inspector.checks.message_order import LISTS
from inspector.spec import task_rules, tasks
from inspector.spec.findings import make_finding
from inspector.spec.jsonrpc_rules import ANNOUNCED
from inspector.spec.keys import META, META_SUBSCRIPTION_ID
from inspector.spec.subscription_filter import (
    ACKNOWLEDGED,
    LISTEN,
    check_acknowledgment,
    check_notification,
    check_stream_end,
    read_filter,
)
from inspector.wire.frame import Direction
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.finding import Finding
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json, JsonObject

CALL_RULES = frozenset({"notifications/progress", "notifications/message"})
"""What comes with the answer of a request, and never on such a stream."""


class ExchangeRules:
    """Checks the frames of one record, in order."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._last_id = ""
        """Of the task that was made last."""
        self._acknowledged: set[int] = set()
        """Frames of requests for a stream that the server has agreed to."""
        self._streams: dict[str, int] = {}
        """By the id of each request for a stream, as JSON, its frame."""

    def check(
        self, number: int, kind: MessageKind, value: Json, revision: Revision
    ) -> Iterator[Finding]:
        """What is wrong with frame `number`, which is `value`."""
        columns = self._transcript.columns
        if revision.stateful or not isinstance(value, dict):
            return
        if columns.direction[number - 1] != Direction.RECEIVED:
            if value.get("method") == LISTEN:
                self._streams[json_key(value.get("id"))] = number
        elif kind is MessageKind.NOTIFICATION:
            yield from self._notification(number, value, revision)
        elif kind in {MessageKind.RESPONSE, MessageKind.ERROR} and columns.request[number - 1]:
            yield from self._answer(columns.request[number - 1], value, revision)

    def _answer(self, request: int, message: JsonObject, revision: Revision) -> Iterator[Finding]:
        method = self._method(request)
        if method == LISTEN:
            id_ = self._transcript.message(request).id
            yield from check_stream_end(id_, message.get("result"), revision)
        if method not in task_rules.METHODS:
            return
        if method != task_rules.CALL or _needs_request(message):
            params = self._transcript.message(request).params
            sent: JsonObject = params if isinstance(params, dict) else {}
            yield from task_rules.check_response(method, sent, message, revision)
        id_ = task_rules.created_task_id(method, message)
        if id_:
            yield from task_rules.check_task_id(id_, self._last_id, revision)
            self._last_id = id_

    def _notification(
        self, number: int, message: JsonObject, revision: Revision
    ) -> Iterator[Finding]:
        method = message.get("method")
        if method in CALL_RULES:
            yield from self._of_call(number, message, revision)
        elif method in ANNOUNCED:
            opener = self._opener(number)
            if opener and self._method(opener) != LISTEN:
                text = f"{method} must be sent on a notification stream, not on the response stream of {self._method(opener) or 'a GET'}"
                yield make_finding("L-SUB-09", text, "/method", revision)
            elif opener and self._transcript.columns.request[number - 1] not in {0, opener}:
                text = f"received on the stream of #{opener}, but its subscription id is that of #{self._transcript.columns.request[number - 1]}"
                pointer = f"/params/{META}/{META_SUBSCRIPTION_ID.replace('/', '~1')}"
                yield make_finding("L-SUB-02", text, pointer, revision)
            if method == ACKNOWLEDGED:
                yield from self._of_agreement(number, message, revision)
            yield from self._of_subscription(number, str(method), message, revision)

    def _of_subscription(
        self, number: int, method: str, message: JsonObject, revision: Revision
    ) -> Iterator[Finding]:
        """What the request for the stream says about what comes on it."""
        request, params = self._transcript.columns.request[number - 1], message.get("params")
        if not request or self._method(request) != LISTEN:
            return
        requested = read_filter(self._filter(request))
        read: JsonObject = params if isinstance(params, dict) else {}
        if method == ACKNOWLEDGED:
            self._acknowledged.add(request)
            yield from check_acknowledgment(requested, read.get("notifications"), revision)
        else:
            is_acknowledged = request in self._acknowledged
            yield from check_notification(
                requested, method, read, revision, is_acknowledged=is_acknowledged
            )

    def _of_call(self, number: int, message: JsonObject, revision: Revision) -> Iterator[Finding]:
        """Progress and log messages among announcements."""
        stream = self._opener(number) or self._tagged(message)
        if not stream or self._method(stream) != LISTEN:
            return
        is_for_tasks = tasks.FILTER in self._filter(stream)
        rule = "L-TKX-13" if is_for_tasks else "L-SUB-08"
        text = f"{message.get('method')} must not be sent on a notification stream"
        yield make_finding(rule, text, "/method", revision)

    def _of_agreement(
        self, number: int, message: JsonObject, revision: Revision
    ) -> Iterator[Finding]:
        """Streams for tasks are for those who take tasks."""
        params, request = message.get("params"), self._transcript.columns.request[number - 1]
        agreed = params.get("notifications") if isinstance(params, dict) else None
        if not request or not isinstance(agreed, dict) or tasks.FILTER not in agreed:
            return
        asked = self._transcript.message(request).params
        if isinstance(asked, dict) and not task_rules.declares_tasks(asked):
            text = "task notifications acknowledged although the client did not declare the tasks extension"
            pointer = f"/params/notifications/{tasks.FILTER}"
            yield make_finding("L-SUB-13", text, pointer, revision, subject="tasks")

    def _opener(self, number: int) -> int:
        """The request on whose stream a frame came; 0 where there is one line for all."""
        return self._transcript.columns.stream[number - 1]

    def _tagged(self, message: JsonObject) -> int:
        """The request for the stream that it names; 0 for none."""
        params = message.get("params")
        meta = params.get(META) if isinstance(params, dict) else None
        if not isinstance(meta, dict) or META_SUBSCRIPTION_ID not in meta:
            return 0
        return self._streams.get(json_key(meta[META_SUBSCRIPTION_ID]), 0)

    def _filter(self, request: int) -> JsonObject:
        params = self._transcript.message(request).params
        requested = params.get("notifications") if isinstance(params, dict) else None
        return requested if isinstance(requested, dict) else {}

    def _method(self, number: int) -> str:
        columns = self._transcript.columns
        return columns.methods.texts[columns.method[number - 1]]


def _needs_request(message: JsonObject) -> bool:
    """Whether the answer to a call is worth a look at what was asked: most are plain results."""
    result = message.get("result")
    return "error" in message or (
        isinstance(result, dict) and ("task" in result or "taskId" in result)
    )


def unprovoked(transcript: Transcript, number: int, found: list[Finding]) -> list[Finding]:
    """Return the findings about a frame that count although a probe runs.

    A probe makes mistakes on purpose and reports on what it looks at; what is wrong with a list is found when it is read otherwise.
    """
    columns = transcript.columns
    request = columns.request[number - 1]
    is_list = request > 0 and columns.methods.texts[columns.method[request - 1]] in LISTS
    if columns.direction[number - 1] == Direction.SENT or is_list:
        return []
    known = {each.rule for each in transcript.findings(number)}
    return [each for each in found if each.rule not in known]
