"""Requests of the server that run as tasks on our side.

Such a request gets a task as its result at once; the inbox asks the user as for any request, and the response waits for
`tasks/result`. Task ids cannot be guessed (C-TK4-19), a final status never changes (C-TK4-15), and a task is deleted after its time to
live. If the capability was not declared, `task` is ignored and the request handled as any other (C-TK4-14).

A response to a request that belongs to a task of the server names the same task (C-TK4-09).

Source: basic/utilities/tasks; C-TK4-14 to C-TK4-20.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from inspector.errors import ConnectionLost, InspectorError, PeerError
from inspector.event import Event
from inspector.session.inbox_requests import refuse_undeclared
from inspector.session.task_record import TaskRecord
from inspector.spec import tasks
from inspector.spec.capabilities import declares
from inspector.spec.error_codes import INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND
from inspector.spec.keys import META
from inspector.spec.views.task import TaskView
from inspector.wire import json_codec
from inspector.wire.json_codec import RawJson
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.inbox import Inbox
    from inspector.session.peer import InboundRequest
    from inspector.session.session import Session
    from inspector.session.task_registry import TaskRegistry
    from inspector.wire.json_codec import Json, JsonObject

    Respond = Callable[[InboundRequest], Awaitable[Json]]

HOSTABLE = {
    "sampling/createMessage": ("sampling", "createMessage"),
    "elicitation/create": ("elicitation", "create"),
}
"""Requests that can become a task, and the capability of each below `tasks.requests`."""

NAMEABLE = (*HOSTABLE, "roots/list")
"""Requests that a task of the server can cause."""

MAX_TTL_MS = 86_400_000
"""The longest time to live; a task without one ends with the session."""

POLL_MS = 1000
"""The poll interval that is suggested to the server."""

PAGE_SIZE = 50
"""Tasks on one page of `tasks/list`."""

MAX_OPEN = 500
"""Open tasks; further requests are rejected."""

MAX_KEPT = 1000
"""Tasks that are kept; beyond that, the oldest finished ones are deleted."""

WAITS = "Waiting for the user's response"
CANCELLED = "Cancelled by the server"
EXPIRED = "Expired before the user responded"
WITHDRAWN = "Request closed"


@dataclass(slots=True, eq=False)
class ClientTask:
    """A task on our side."""

    record: TaskRecord
    """The task as the server sees it."""
    done: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when there is an outcome."""
    introduced: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the server has the id."""
    result: Json = None
    """The result of `tasks/result`."""
    error: InspectorError | None = None
    """The error of `tasks/result`."""
    work: asyncio.Task[None] | None = None
    """Waits for the user."""

    def end(self, *, result: Json = None, error: InspectorError | None = None) -> None:
        """Set the outcome, unless there is one."""
        if not self.done.is_set():
            self.result, self.error = result, error
            self.done.set()


class ClientTaskHost:
    """The tasks on our side for one server, oldest first."""

    def __init__(self, session: Session, inbox: Inbox, server: TaskRegistry) -> None:
        """Wrap the responders of `session`: make it after the features that respond to server requests.

        `server` has the tasks of the server, which its requests may belong to.
        """
        self.changed: Event[()] = Event()
        self.hosted: dict[str, ClientTask] = {}
        self._session = session
        self._inbox = inbox
        self._server = server
        for method in NAMEABLE:
            own = session.responders.get(method)
            if own is not None:
                session.responders[method] = self._responder(method, own)
        session.responders[tasks.CORE.get_method] = self._get
        session.responders[tasks.CORE.result_method] = self._result
        session.responders[tasks.CORE.list_method] = self._list
        session.responders[tasks.CORE.cancel_method] = self._cancel

    @property
    def records(self) -> list[TaskRecord]:
        """The records of the tasks."""
        return [hosted.record for hosted in self.hosted.values()]

    def _responder(self, method: str, own: Respond) -> Respond:
        async def respond(inbound: InboundRequest) -> Json:
            params = or_null(inbound.message.lazily("params"))
            members = params if isinstance(params, dict) else {}
            group = tasks.related(members.get(META))
            if "task" in members and self._hosts(method, members["task"]):
                return stamped(await self._begin(inbound, own, members["task"]), group)
            return stamped(await own(inbound), group)

        return respond

    def _hosts(self, method: str, requested: Json) -> bool:
        """Return whether the request becomes a task (C-TK4-14)."""
        if method not in HOSTABLE or tasks.dialect(self._session.revision) is None:
            return False
        path = ("tasks", "requests", *HOSTABLE[method])
        is_declared = declares(self._session.client_capabilities, *path)
        return is_declared and isinstance(requested, dict)

    async def _begin(self, inbound: InboundRequest, own: Respond, requested: Json) -> JsonObject:
        """Make a task; a request that is rejected at once gets its error instead."""
        if sum(not hosted.done.is_set() for hosted in self.hosted.values()) >= MAX_OPEN:
            raise PeerError(INTERNAL_ERROR, f"too many open tasks ({MAX_OPEN})")
        hosted = self._make(inbound, self._ttl(requested))
        work = self._run(hosted, inbound, own)
        hosted.work = self._session.peer.serving.run_after_response(inbound.frame, work)
        await asyncio.sleep(0)
        if hosted.error is not None:
            hosted.work.cancel()
            raise hosted.error
        self._keep(hosted)
        hosted.introduced.set()
        return {"task": dict(_wire(hosted.record))}

    def _make(self, inbound: InboundRequest, ttl_ms: int | None) -> ClientTask:
        now = _moment(self._session.steps.clock.wall_s())
        wire: JsonObject = {
            "taskId": secrets.token_urlsafe(24),
            "status": "working",
            "statusMessage": WAITS,
            "createdAt": now,
            "lastUpdatedAt": now,
            "ttl": ttl_ms,
            "pollInterval": POLL_MS,
        }
        view = TaskView(wire, revision=self._session.revision)
        origin = inbound.message.method
        record = TaskRecord(view, origin=origin, origin_frame=inbound.frame, hosted=True)
        record.see(view, inbound.frame, self._session.steps.clock.wall_s())
        return ClientTask(record)

    def _ttl(self, requested: Json) -> int | None:
        asked = requested.get("ttl") if isinstance(requested, dict) else None
        if asked is None:
            return None
        if isinstance(asked, bool) or not isinstance(asked, int | float) or asked < 0:
            return None
        return int(min(asked, MAX_TTL_MS))

    def _keep(self, hosted: ClientTask) -> None:
        self.hosted[hosted.record.id] = hosted
        done = [id_ for id_, known in self.hosted.items() if known.done.is_set()]
        for id_ in done[: max(len(self.hosted) - MAX_KEPT, 0)]:
            del self.hosted[id_]
        self.changed.fire()

    async def _run(self, hosted: ClientTask, inbound: InboundRequest, own: Respond) -> None:
        """Wait for the response of the user, and notify the server."""
        ttl_ms = hosted.record.view.ttl_ms
        try:
            async with asyncio.timeout(None if ttl_ms is None else ttl_ms / 1000):
                hosted.end(result=await own(inbound))
            status, text = "completed", ""
        except TimeoutError:
            status, text = "failed", EXPIRED
        except PeerError as error:
            hosted.end(error=error)
            status, text = "failed", error.message
        except asyncio.CancelledError:
            if _is_cancelled():
                raise
            status, text = "cancelled", WITHDRAWN  # the inbox took it back
        hosted.end(error=PeerError(INTERNAL_ERROR, text))
        await hosted.introduced.wait()
        await self._become(hosted, status, text)

    async def _become(self, hosted: ClientTask, status: str, text: str) -> None:
        if hosted.record.is_final:
            return
        wire, wall_s = dict(_wire(hosted.record)), self._session.steps.clock.wall_s()
        wire |= {"status": status, "lastUpdatedAt": _moment(wall_s)}
        wire.pop("statusMessage", None)
        if text:
            wire["statusMessage"] = text
        hosted.record.see(TaskView(wire, revision=self._session.revision), 0, wall_s)
        hosted.record.settle()
        self.changed.fire()
        if self._session.peer.ended_with is None:
            with contextlib.suppress(ConnectionLost):
                await self._session.peer.notify(tasks.CORE.announced, wire)

    # Requests of the server about these tasks

    async def _get(self, inbound: InboundRequest) -> Json:
        return _wire(self._known(inbound).record)

    async def _result(self, inbound: InboundRequest) -> Json:
        """Wait for the result without a timeout (C-TK4-17)."""
        hosted = self._known(inbound)
        await hosted.done.wait()
        if hosted.error is not None:
            raise hosted.error
        return stamped(hosted.result, hosted.record.id)

    async def _list(self, inbound: InboundRequest) -> Json:
        self._demand(inbound, "list")
        params = or_null(inbound.message.params)
        cursor = params.get("cursor") if isinstance(params, dict) else None
        known = [hosted for hosted in self.hosted.values() if not self._is_expired(hosted)]
        start = 0
        if cursor is not None:
            ids = [hosted.record.id for hosted in known]
            if cursor not in ids:
                raise PeerError(INVALID_PARAMS, "Unknown cursor")
            start = ids.index(str(cursor)) + 1
        page = known[start : start + PAGE_SIZE]
        listed: JsonObject = {"tasks": [_wire(hosted.record) for hosted in page]}
        if start + PAGE_SIZE < len(known):
            listed["nextCursor"] = page[-1].record.id
        return listed

    async def _cancel(self, inbound: InboundRequest) -> Json:
        """Cancel a task before the response is sent (C-TK4-20)."""
        self._demand(inbound, "cancel")
        hosted = self._known(inbound)
        if hosted.record.is_final or hosted.done.is_set():
            text = f"Cannot cancel a finished task: {hosted.record.status}"
            raise PeerError(INVALID_PARAMS, text)
        hosted.end(error=PeerError(INTERNAL_ERROR, "The task was cancelled"))
        for ask in self._inbox.pending:
            if ask.origin is self._session and ask.frame == hosted.record.origin_frame:
                self._inbox.withdraw(ask, "the server cancelled the task")
        if hosted.work is not None:
            hosted.work.cancel()
        await self._become(hosted, "cancelled", CANCELLED)
        return _wire(hosted.record)

    def _demand(self, inbound: InboundRequest, *path: str) -> None:
        refuse_undeclared(self._session, "tasks")
        if not declares(self._session.client_capabilities, "tasks", *path):
            name = ".".join(("tasks", *path))
            raise PeerError(METHOD_NOT_FOUND, f"This client does not support {name}")

    def _known(self, inbound: InboundRequest) -> ClientTask:
        """Return the task, or fail for an unknown or expired one (C-TK4-18)."""
        self._demand(inbound)
        params = or_null(inbound.message.params)
        id_ = params.get("taskId") if isinstance(params, dict) else None
        hosted = self.hosted.get(id_) if isinstance(id_, str) else None
        if hosted is None:
            raise PeerError(INVALID_PARAMS, "Failed to retrieve task: Task not found")
        if self._is_expired(hosted):
            raise PeerError(INVALID_PARAMS, "Failed to retrieve task: Task has expired")
        return hosted

    def _is_expired(self, hosted: ClientTask) -> bool:
        until = hosted.record.expires_at
        hosted.record.is_deleted = until is not None and self._session.steps.clock.wall_s() > until
        return hosted.record.is_deleted


def stamped(result: Json, id_: str | None) -> Json:
    """Return `result` with the related task in `_meta`, unless the user set one."""
    if id_ is None:
        return result
    if isinstance(result, dict):
        meta = result.get(META)
        return {**result, META: {**(meta if isinstance(meta, dict) else {}), **tasks.relation(id_)}}
    if not isinstance(result, RawJson) or not result.startswith("{"):
        return result
    written = json_codec.read(result.encode("utf-8", "surrogatepass")).value
    if not isinstance(written, dict) or META in written:
        return result
    rest = result[1:].lstrip()
    comma = "" if rest.startswith("}") else ","
    return RawJson(f'{{"{META}":{json_codec.write(tasks.relation(id_))}{comma}{rest}')


def _wire(record: TaskRecord) -> JsonObject:
    """Return the task as it is sent."""
    raw = record.view.raw
    return raw if isinstance(raw, dict) else {}


def _moment(wall_s: float) -> str:
    moment = datetime.fromtimestamp(wall_s, UTC).isoformat(timespec="milliseconds")
    return moment.replace("+00:00", "Z")


def _is_cancelled() -> bool:
    """Whether the running task was cancelled itself, and not only what it waited for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
