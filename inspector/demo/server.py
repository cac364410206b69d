"""Reads lines, runs what they ask for, answers.

The reading thread answers what is quick; each call of a tool has a thread of its own, so that pings and cancellations get
through. All threads are daemons of the server: when stdin ends, running calls are cancelled and the process goes.
"""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING

from inspector.demo.calls import Calls
from inspector.demo.conversation import Conversation
from inspector.demo.extension_tasks import LastingTask, is_declared, undeclared
from inspector.demo.listeners import LISTEN, TASK_IDS, asks_for
from inspector.demo.malformed import GARBLES
from inspector.demo.methods import METHODS, STATELESS_METHODS
from inspector.demo.options import STATEFUL_ERA, STATELESS_ERA
from inspector.demo.request_errors import (
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    InputRequired,
    RpcError,
)
from inspector.demo.stateless import StatelessConversation, names_version, unsupported
from inspector.demo.writer import line, write_stderr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from inspector.demo.call import Call
    from inspector.demo.options import Options
    from inspector.demo.state import State
    from inspector.demo.tasks import Task
    from inspector.demo.writer import Outlet
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

GOODBYE_SECONDS = 0.5
"""How long running calls may take to notice the end."""

BLOCKING = ("tasks/result",)
"""What takes its time to answer, on a thread of its own."""

EARLY = ("initialize", "ping")
"""What may come before the handshake is done."""

GREETINGS = ("initialize", "server/discover")
"""What opens a conversation."""


class Server:
    """One server for one client."""

    def __init__(self, options: Options, outlet: Outlet, state: State | None = None) -> None:
        """Be ready for the first line; without `state` it has one of its own."""
        self._options = options
        self._outlet = outlet
        self._conversation = Conversation(options, outlet, state)
        self._calls = Calls()
        self._threads: list[threading.Thread] = []

    @property
    def revision(self) -> Revision:
        """What is spoken with the client."""
        return self._conversation.revision

    def serve(self, stdin: Iterable[bytes]) -> None:
        """Serve until `stdin` ends."""
        for raw in stdin:
            if raw.strip():
                self.receive(raw)
        if not self._options.ignore_eof:
            self._finish()

    def hang_up(self) -> None:
        """The client is gone: running calls are canceled, and nothing is announced any more."""
        self._calls.cancel_all()
        self._conversation.state.listeners.forget(self._outlet)

    def receive(self, raw: bytes) -> None:
        """Take one line."""
        try:
            message: Json = json.loads(raw, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            self._refuse(PARSE_ERROR, f"Not JSON: {error}")
            return
        if isinstance(message, list) and message and self._conversation.revision.has_batches:
            self._start(lambda: self._run_batch(message))
        elif isinstance(message, dict):
            self._take(message, raw)
        else:
            self._refuse(INVALID_REQUEST, "Not a JSON-RPC message")

    def _take(self, message: JsonObject, raw: bytes) -> None:
        if "method" not in message:
            self._take_response(message)
        elif "id" not in message:
            self._take_notification(message)
        elif not is_id(message["id"]):
            self._refuse(INVALID_REQUEST, "id must be a string or an integer")
        else:
            self._take_request(message, raw)

    def _take_request(self, message: JsonObject, raw: bytes) -> None:
        try:
            conversation = self._conversation_of(message)
        except RpcError as error:
            self._send(error_response(message["id"], error), "")
            self._outlet.done(message["id"])
            return
        if message["method"] == "tools/call":
            self._take_call(message, raw, conversation)
        elif message["method"] == LISTEN and not conversation.revision.stateful:
            self._listen(message, conversation)
        elif self._options.slow_answers_seconds or message["method"] in BLOCKING:
            self._start(lambda: self._answer(message, conversation))
        else:
            self._answer(message, conversation)

    def _conversation_of(self, message: JsonObject) -> Conversation:
        """The session, or what a request that stands alone says of itself."""
        era, method = self._options.era, message["method"]
        is_new = not self._conversation.is_open and method in ("server/discover", LISTEN)
        if era == STATEFUL_ERA or not (era == STATELESS_ERA or is_new or names_version(message)):
            return self._conversation
        if method == "initialize" and not names_version(message):
            raise unsupported(_params(message).get("protocolVersion"))
        state = self._conversation.state
        return StatelessConversation(self._options, self._outlet, state, message)

    def _listen(self, message: JsonObject, conversation: Conversation) -> None:
        """Announce from now on; there is no answer until it ends."""
        try:
            number = message["id"]
            assert isinstance(number, str | int)
            if asks_for(_params(message), TASK_IDS) and not is_declared(conversation):
                raise undeclared(TASK_IDS)
            conversation.state.listeners.open(number, self._outlet, _params(message))
        except RpcError as error:
            self._send(error_response(message["id"], error), "")
            self._outlet.done(message["id"])

    def _take_response(self, message: JsonObject) -> None:
        if "result" not in message and "error" not in message:
            self._refuse(INVALID_REQUEST, "Neither a request nor a response")
        elif not self._conversation.questions.settle(message):
            write_stderr("a response came that nobody waits for")

    def _take_notification(self, message: JsonObject) -> None:
        if message["method"] == "notifications/cancelled":
            number = _params(message).get("requestId")
            self._calls.cancel(number)
            if number is not None:
                self._conversation.state.listeners.forget(self._outlet, number)

    def _take_call(self, message: JsonObject, raw: bytes, conversation: Conversation) -> None:
        try:
            call = self._calls.open(message, raw, conversation)
            task = conversation.tasks.begin(call)
        except RpcError as error:
            self._send(error_response(message["id"], error), "")
            self._outlet.done(message["id"])
        except InputRequired as required:
            self._calls.let_go(message["id"])
            result = conversation.wrapped("tools/call", required.result)
            self._send({"jsonrpc": "2.0", "id": message["id"], "result": result}, "")
            self._outlet.done(message["id"])
        else:
            if task is None:
                self._start(lambda: self._run_call(call))
            else:
                self._start_task(call, task)

    def _start_task(self, call: Call, task: Task) -> None:
        """Answer with the task, which goes on in the background."""
        if isinstance(task, LastingTask):
            self._calls.let_go(call.id)
        result = call.conversation.wrapped("tools/call", task.created())
        self._send({"jsonrpc": "2.0", "id": call.id, "result": result}, "")
        self._outlet.done(call.id)
        self._start(lambda: self._run_task(call, task))

    def _run_task(self, call: Call, task: Task) -> None:
        try:
            answer = self._calls.run(call)
        except RpcError as error:
            task.fail(error)
        else:
            task.finish(answer)

    def _run_call(self, call: Call) -> None:
        garble = self._garble("tools/call")
        self._outlet.about(call.id)
        try:
            answer = self._calls.run(call)
        except RpcError as error:
            self._send(error_response(call.id, error), garble)
        else:
            if answer is not None:
                self._send(call.response(answer.result), garble)
        finally:
            self._outlet.done(call.id)

    def _answer(self, request: JsonObject, conversation: Conversation) -> None:
        if self._options.slow_answers_seconds:
            time.sleep(self._options.slow_answers_seconds)
        self._outlet.about(request["id"])
        self._send(self._response(request, conversation), self._garble(request["method"]))
        if not self._options.silent:
            self._outlet.done(request["id"])
        self._outlet.about(None)

    def _response(self, request: JsonObject, conversation: Conversation) -> JsonObject:
        """The message that answers a request other than a call."""
        method = str(request["method"])
        known = METHODS if conversation.revision.stateful else STATELESS_METHODS
        perform = known.get(method)
        try:
            if perform is None:
                raise RpcError(METHOD_NOT_FOUND, f"Unknown method: {method}")
            if not conversation.is_open and method not in EARLY:
                raise RpcError(INVALID_REQUEST, f"{method} came before initialize")
            result = perform(conversation, _params(request))
        except RpcError as error:
            return error_response(request["id"], error)
        except InputRequired as required:
            result = required.result
        whole = conversation.wrapped(method, result)
        return {"jsonrpc": "2.0", "id": request["id"], "result": whole}

    def _run_batch(self, messages: list[Json]) -> None:
        """Answer the requests of a batch in one array, one after the other."""
        responses = [self._batch_response(message) for message in messages]
        if answers := [response for response in responses if response is not None]:
            self._outlet.send([*answers])

    def _batch_response(self, message: Json) -> JsonObject | None:
        if not isinstance(message, dict) or not is_id(message.get("id", 0)):
            return error_response(None, RpcError(INVALID_REQUEST, "Not a JSON-RPC message"))
        if "method" not in message or "id" not in message:
            self._take(message, b"")
            return None
        if message["method"] != "tools/call":
            return self._response(message, self._conversation)
        try:
            call = self._calls.open(message, line(message), self._conversation)
            answer = self._calls.run(call)
        except RpcError as error:
            return error_response(message["id"], error)
        return None if answer is None else call.response(answer.result)

    def _garble(self, method: Json) -> str:
        method_to_garble = self._options.garble_method
        is_garbled = method == method_to_garble if method_to_garble else method in GREETINGS
        return self._options.garble if is_garbled else ""

    def _send(self, response: JsonObject, garble: str) -> None:
        if not self._options.silent:
            self._outlet.write(GARBLES[garble](response) if garble else line(response))

    def _refuse(self, code: int, text: str) -> None:
        """Answer a message whose id could not be read: without id, or with null where the revision wants one."""
        response = error_response(None, RpcError(code, text))
        if self._conversation.revision.error_id_optional:
            del response["id"]
        self._send(response, "")

    def _start(self, run: Callable[[], None]) -> None:
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(target=run, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _finish(self) -> None:
        self._calls.cancel_all()
        deadline = time.monotonic() + GOODBYE_SECONDS
        for thread in self._threads:
            thread.join(max(0, deadline - time.monotonic()))


def _params(message: JsonObject) -> JsonObject:
    params = message.get("params")
    return params if isinstance(params, dict) else {}


def is_id(value: Json) -> bool:
    """Whether a request may have this id."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def error_response(number: Json, error: RpcError) -> JsonObject:
    """The message that answers a request with an error."""
    body: JsonObject = {"code": error.code, "message": error.message}
    if error.data is not None:
        body["data"] = error.data
    return {"jsonrpc": "2.0", "id": number, "error": body}


def _refuse_constant(word: str) -> Json:
    raise ValueError(f"{word} is not JSON")
