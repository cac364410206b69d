"""A session that is read from a recording, for the pages: what was agreed on, the lists of the server, calls, prompts and reads.

It is disconnected, and nothing can be sent: a request gets the latest response that the recording has to it, or fails. It writes nothing.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from inspector.background_tasks import TimeSlices
from inspector.clock import Clock
from inspector.config.profile import Profile
from inspector.errors import ConnectionLost, PeerError, StorageError
from inspector.features.client_capabilities import ClientCapabilities
from inspector.features.prompts import METHOD as GET_PROMPT
from inspector.features.prompts import PromptGet
from inspector.features.resources import METHOD as READ_RESOURCE
from inspector.features.resources import ResourceRead
from inspector.features.roots import RootList
from inspector.features.sampling import SavedAnswers
from inspector.features.tools import METHOD as CALL_TOOL
from inspector.features.tools import ToolCall
from inspector.inbox import Inbox
from inspector.open_session import ClientProfile, OpenSession
from inspector.session.operation import MAX_OPERATIONS, Op, OperationHistory, OperationState
from inspector.session.outgoing import Reply
from inspector.session.protocol_mode import Agreement
from inspector.session.session import Session
from inspector.session.session_state import SessionState
from inspector.spec import methods
from inspector.spec.uri_template import UriTemplate
from inspector.spec.views.handshake import DiscoverResultView, InitializeResultView
from inspector.spec.views.prompt import PromptView
from inspector.spec.views.tool import ToolView
from inspector.transcript.exchange import Status, response_in
from inspector.wire import json_codec
from inspector.wire.frame import Direction
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.checks.opened_recording import OpenedRecording
    from inspector.session.operation import Operation
    from inspector.session.outgoing import Timeouts
    from inspector.session.transport_factory import ConnectionTarget
    from inspector.spec.revision import Revision
    from inspector.transcript.exchange import Exchange
    from inspector.transcript.transcript import Transcript
    from inspector.transport.base import Transport
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import Message

IS_RECORDING = "this is a recording"

MAX_OPENING = 2000
"""Frames at the beginning that are searched for the handshake."""

MAX_TEMPLATES = 1000
"""Templates that are tried for a URI that was read."""

BLOCK = 10_000
"""Frames that are looked through at once."""

_LISTS = {"tools/list", "resources/list", "resources/templates/list", "prompts/list"}

_STATES = {
    Status.OK: OperationState.DONE,
    Status.TOOL_ERROR: OperationState.TOOL_ERROR,
    Status.CANCELLED: OperationState.CANCELLED,
    Status.TIMED_OUT: OperationState.TIMED_OUT,
    Status.ERROR: OperationState.ERROR,
    Status.INVALID_RESULT: OperationState.ERROR,
}
"""How a recorded call ended; any other status means that nothing came."""


class _ClockOfRecording(Clock):
    """Stands at the time of the latest frame: ages are those at the end of the recording."""

    def __init__(self, transcript: Transcript) -> None:
        self._columns = transcript.columns

    def monotonic(self) -> float:
        return self._columns.monotonic_s[-1] if len(self._columns) else 0.0

    def wall_s(self) -> float:
        return self._columns.wall_s[-1] if len(self._columns) else 0.0


class RecordedSession(Session):
    """A disconnected session over the transcript of a recording."""

    is_recorded: ClassVar[bool] = True

    def __init__(self, profile: Profile, transcript: Transcript) -> None:
        """Over `transcript`, without responses to any request yet."""
        clock = _ClockOfRecording(transcript)
        super().__init__(profile, transcript, _no_transport, clock=clock)
        self.state = SessionState.CLOSED
        self.closed_reason = IS_RECORDING
        self.responses: dict[tuple[str, Json], int] = {}
        """The latest request for each page of a list that has a result: by method and cursor."""
        self._slices = TimeSlices()

    def declares(self, *path: str) -> bool:
        """Whether a feature was declared; that a list changes is not, for nothing can be subscribed to."""
        return path[-1:] != ("listChanged",) and super().declares(*path)

    async def request(
        self,
        method: str,
        params: JsonObject | None = None,
        *,
        timeouts: Timeouts | None = None,
        on_progress: Callable[[JsonObject], None] | None = None,
        on_sent: Callable[[int], None] | None = None,
        on_notice: Callable[[int, Message], None] | None = None,
        meta: JsonObject | None = None,
    ) -> Reply:
        """Return the latest recorded response to the request for this page of a list.

        Raises:
            ConnectionLost: the recording has none.
            StorageError: it cannot be read.
        """
        del timeouts, on_progress, on_sent, on_notice, meta
        await self._slices.checkpoint()  # a list of many pages waits for nothing else
        request = self.responses.get((method, _cursor(params)))
        response = self.transcript.columns.response[request - 1] if request else 0
        if not request or not response:
            raise ConnectionLost(f"{IS_RECORDING}: {method} is not in it")
        return Reply(request, response, response_in(self.transcript, response, request))


def _no_transport(target: ConnectionTarget) -> Transport:
    raise ConnectionLost(IS_RECORDING)


def _cursor(params: Json) -> Json:
    cursor = params.get("cursor") if isinstance(params, dict) else None
    return cursor if isinstance(cursor, str) else None


async def _requests(transcript: Transcript, *names: str) -> list[int]:
    """Return the requests of the client with one of these methods, in order; looked for in slices."""
    columns, slices = transcript.columns, TimeSlices()
    texts = columns.methods.texts
    keys = {number for number in range(len(texts)) if texts[number] in names}
    found: list[int] = []
    for start in range(0, len(columns), BLOCK):
        block = columns.method[start : start + BLOCK]
        if keys.intersection(block):
            found += [
                number
                for number, key in enumerate(block, start + 1)
                if key in keys
                and columns.request[number - 1] == number
                and columns.direction[number - 1] == Direction.SENT
            ]
        await slices.checkpoint()
    return found


def _agreement(transcript: Transcript, revision: Revision | None) -> Agreement | None:
    """What client and server agreed on: the result of the first request that opened a session, in the `revision` of the recording."""
    columns = transcript.columns
    for at in range(min(transcript.count, MAX_OPENING)):
        response, method = columns.response[at], columns.methods.texts[columns.method[at]]
        is_opening = bool(response) and methods.opens_session(method)
        if revision is None or not is_opening or transcript.status(at + 1) is not Status.OK:
            continue
        try:
            result = or_null(response_in(transcript, response, at + 1).result)
        except StorageError:
            continue
        made = InitializeResultView if method == "initialize" else DiscoverResultView
        return Agreement(revision, revision, made(result), response)
    return None


async def open_recorded(recording: OpenedRecording) -> OpenSession | None:
    """Return the session in a recording that was read, with its lists and calls; None if it has no handshake.

    What cannot be read is missing; nothing is written.
    """
    transcript = recording.transcript
    title = transcript.metadata.get("title", "") or recording.path.stem
    profile = Profile(name=title, command="recording")
    session = RecordedSession(profile, transcript)
    session.greeting = _agreement(transcript, recording.sweep.settings.revision)
    if session.greeting is None:
        return None
    await _find_lists(session)
    client = ClientProfile(ClientCapabilities(), RootList(), SavedAnswers())
    opened = OpenSession(profile, session, client, Inbox())
    await session.tasks.aclose()  # the recording is checked by what opened it
    opened.sweep = recording.sweep
    await opened.read_lists()
    await _add_histories(opened)
    return opened


async def _find_lists(session: RecordedSession) -> None:
    transcript, slices = session.transcript, TimeSlices()
    for number in await _requests(transcript, *_LISTS):
        await slices.checkpoint()
        if transcript.status(number) is Status.OK:
            with suppress(StorageError):
                cursor = _cursor(or_null(transcript.message(number).params))
                session.responses[transcript.row(number).method, cursor] = number


async def _add_history(
    opened: OpenSession,
    method: str,
    history: OperationHistory[Op],
    make: Callable[[JsonObject, Exchange], Op],
) -> None:
    """Put the latest requests of `method` into `history`, oldest first; `make` makes an operation of the params."""
    transcript = opened.session.transcript
    numbers, slices = await _requests(transcript, method), TimeSlices()
    history.dropped = max(0, len(numbers) - MAX_OPERATIONS)
    for number in numbers[-MAX_OPERATIONS:]:
        with suppress(StorageError):
            exchange = transcript.exchange(number)
            if exchange is not None:
                params = or_null(transcript.message(exchange.request).params)
                made = make(params if isinstance(params, dict) else {}, exchange)
                _end(opened, made, exchange)
                history.operations.append(made)
        await slices.checkpoint()


async def _add_histories(opened: OpenSession) -> None:
    """Put what was requested of tools, prompts and resources into the histories of their pages."""
    session = opened.session
    tools = {tool.id_label: tool for tool in reversed(opened.tools.items)}
    prompts = {prompt.id_label: prompt for prompt in reversed(opened.prompts.items)}
    find_source = _sources(opened)

    def call(params: JsonObject, exchange: Exchange) -> ToolCall:
        arguments = params.get("arguments")
        text = None if arguments is None else json_codec.write(arguments)
        tool = tools.get(exchange.label) or ToolView({"name": exchange.label})
        return ToolCall(session, tool, text, None)

    def get(params: JsonObject, exchange: Exchange) -> PromptGet:
        arguments = params.get("arguments")
        texts = arguments if isinstance(arguments, dict) else {}
        prompt = prompts.get(exchange.label) or PromptView({"name": exchange.label})
        return PromptGet(session, prompt, {name: f"{value}" for name, value in texts.items()})

    def read(params: JsonObject, exchange: Exchange) -> ResourceRead:
        uri = params.get("uri")
        text = uri if isinstance(uri, str) else exchange.label
        return ResourceRead(session, text, find_source(text))

    await _add_history(opened, CALL_TOOL, opened.tools.history, call)
    await _add_history(opened, GET_PROMPT, opened.prompts.history, get)
    await _add_history(opened, READ_RESOURCE, opened.reads.history, read)


def _sources(opened: OpenSession) -> Callable[[str], str]:
    """Return what tells the source of a URI that was read: the listed resource, the template that it may be made of, or empty for neither."""
    listed = {each.id_label for each in opened.resources.items}
    templates = [
        (UriTemplate(each.id_label), each.id_label)
        for each in opened.resources.templates.items[:MAX_TEMPLATES]
    ]

    def find(uri: str) -> str:
        found = (label for template, label in templates if template.can_make(uri))
        return uri if uri in listed else next(found, "")

    return find


def _end(opened: OpenSession, operation: Operation, exchange: Exchange) -> None:
    """End an operation as its exchange did."""
    transcript = opened.session.transcript
    operation.request_frame = exchange.request
    operation.response_frame = exchange.response or 0
    operation.started_at, operation.ended_at = exchange.started_at, exchange.ended_at
    operation.state = _STATES.get(exchange.status, OperationState.NO_RESPONSE)
    if exchange.status is Status.ERROR and exchange.response:
        error = or_null(response_in(transcript, exchange.response, exchange.request).error)
        members = error if isinstance(error, dict) else {"message": error}
        message = f"{members.get('message', '')}"
        operation.error = PeerError(
            members.get("code"), message, members.get("data"), frame=exchange.response
        )
    elif operation.state is OperationState.NO_RESPONSE:
        operation.error = ConnectionLost("no response in the recording")
    if operation.ended_at is None:
        operation.ended_at = opened.session.steps.clock.monotonic()
