"""Messages to begin with: one for every method that the client may send, with the parameters that the revision requires, and frames that break a rule."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from inspector.errors import ConnectionLost
from inspector.frozen import FrozenStruct
from inspector.schema.example import example
from inspector.spec import methods
from inspector.spec.method import MethodKind
from inspector.visible_text import one_line
from inspector.wire import json_codec
from inspector.wire.json_edits import remove_member, set_member, value_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.session.session import Session
    from inspector.spec.method import Method
    from inspector.wire.json_codec import Json, JsonObject

MAX_NAMES = 10
"""Tools, prompts and resources that are offered each; the names of others are typed."""

MAX_LABEL = 80
"""Characters of a name in a title."""

ID = "raw-1"
"""The id of a message before it is sent."""

PING = '{"jsonrpc":"2.0","id":"raw-1","method":"ping"}'
"""Harmless wherever there is a handshake."""


class ListedTool(FrozenStruct, frozen=True):
    """A tool of the server."""

    name: str
    schema: Json = None


class ListedPrompt(FrozenStruct, frozen=True):
    """A prompt of the server."""

    name: str
    arguments: tuple[str, ...] = ()
    """The names of those that are required."""


class Listed(FrozenStruct, frozen=True):
    """What the server lists."""

    tools: tuple[ListedTool, ...] = ()
    prompts: tuple[ListedPrompt, ...] = ()
    uris: tuple[str, ...] = ()


class Template(FrozenStruct, frozen=True):
    """One message."""

    title: str
    """The method, with the name of what it is about; of a broken frame, what is wrong with it."""
    text: str


class Templates(FrozenStruct, frozen=True):
    """Messages by kind."""

    requests: tuple[Template, ...] = ()
    notifications: tuple[Template, ...] = ()
    broken: tuple[Template, ...] = ()

    @property
    def groups(self) -> tuple[tuple[Template, ...], ...]:
        """The kinds, in order."""
        return self.requests, self.notifications, self.broken

    def find(self, title: str) -> Template | None:
        """Return the message with this title."""
        return next((each for group in self.groups for each in group if each.title == title), None)


def harmless_request(session: Session) -> str:
    """Return a request that the server answers and that changes nothing; `PING` before a revision is agreed on."""
    if session.greeting is None or session.supports("ping"):
        return PING
    return _message(session, "server/discover", {}, MethodKind.REQUEST)


def templates(session: Session, listed: Listed) -> Templates:
    """Return what can be sent in the revision of a session; nothing before one is agreed on."""
    greeting = session.greeting
    if greeting is None:
        return Templates()
    kinds = (MethodKind.REQUEST, MethodKind.NOTIFICATION)
    requests, notifications = (
        [
            template
            for name in methods.names(greeting.revision, kind=kind, extensions=greeting.extensions)
            for template in _of_method(session, name, kind, listed)
        ]
        for kind in kinds
    )
    broken = broken_frames(harmless_request(session))
    return Templates(tuple(requests), tuple(notifications), broken)


def _of_method(session: Session, name: str, kind: MethodKind, listed: Listed) -> Iterator[Template]:
    """Yield the templates of a method: one that has its name, then one for each further thing that the server lists."""
    assert session.revision is not None
    row = methods.find(name, session.revision)
    choices = list(islice(_choices(name, listed), MAX_NAMES))
    params = choices[0][1] if choices else _params(session, name, row)
    yield Template(name, _message(session, name, params, kind))
    titles = Counter[str]()
    for label, other in choices[1:]:
        title = f"{name} {one_line(label, MAX_LABEL)}"
        titles[title] += 1
        again = f" ({titles[title]})" if titles[title] > 1 else ""
        yield Template(title + again, _message(session, name, other, kind))


def _choices(name: str, listed: Listed) -> Iterator[tuple[str, JsonObject]]:
    """Yield the names of what the server lists for a method, with parameters."""
    if name == "tools/call":
        for tool in listed.tools:
            arguments = example(tool.schema)
            given = arguments if isinstance(arguments, dict) else {}
            yield tool.name, {"name": tool.name, "arguments": given}
    elif name == "prompts/get":
        for prompt in listed.prompts:
            values: JsonObject = dict.fromkeys(prompt.arguments, "")
            yield prompt.name, {"name": prompt.name, "arguments": values}
    elif name in {"resources/read", "resources/subscribe", "resources/unsubscribe"}:
        for uri in listed.uris:
            yield uri, {"uri": uri}


def _params(session: Session, name: str, row: Method | None) -> JsonObject:
    """Return the parameters that the revision requires."""
    if name == "initialize" and session.revision is not None and session.identity is not None:
        return {
            "protocolVersion": session.revision.date,
            "capabilities": session.client_capabilities,
            "clientInfo": session.identity.to_json(with_title=session.revision.has_titles),
        }
    if name in _REQUIRED:
        return _REQUIRED[name]
    return {row.name_param: ""} if row is not None and row.name_param else {}


_REQUIRED: dict[str, JsonObject] = {
    "prompts/get": {"name": ""},
    "completion/complete": {
        "ref": {"type": "ref/prompt", "name": ""},
        "argument": {"name": "", "value": ""},
    },
    "logging/setLevel": {"level": "info"},
    "subscriptions/listen": {"notifications": {"toolsListChanged": True}},
    "tasks/get": {"taskId": ""},
    "tasks/result": {"taskId": ""},
    "tasks/cancel": {"taskId": ""},
    "tasks/update": {"taskId": "", "inputResponses": {}},
    "notifications/cancelled": {"requestId": ID, "reason": ""},
    "notifications/progress": {"progressToken": ID, "progress": 0},
    "notifications/tasks/status": {
        "taskId": "",
        "status": "working",
        "ttl": None,
        "createdAt": "2026-01-01T00:00:00Z",
        "lastUpdatedAt": "2026-01-01T00:00:00Z",
    },
}
"""Parameters of methods that need more than a name."""


def _message(session: Session, method: str, params: JsonObject, kind: MethodKind) -> str:
    message: JsonObject = {"jsonrpc": "2.0"}
    carried = params
    if kind is MethodKind.REQUEST:
        message["id"] = ID
        try:
            carried = session.stamped(params)
        except ConnectionLost:
            carried = params
    message["method"] = method
    if carried:
        message["params"] = carried
    return json_codec.write(message)


def broken_frames(request: str) -> tuple[Template, ...]:
    """Return frames that are made of a valid request, each of which breaks one rule."""
    version, id_ = "jsonrpc", "id"
    result = f'{{"jsonrpc":"2.0","id":{value_text(request, id_)},"result":{{}}'
    frames = {
        "Not JSON": request[:-1],
        "No jsonrpc": remove_member(request, version),
        "jsonrpc 1.0": set_member(request, '"1.0"', version),
        "No method": remove_member(request, "method"),
        "Method is a number": set_member(request, "7", "method"),
        "Unknown method": set_member(request, '"unknown/method"', "method"),
        "Unknown notification": _unknown_notification(request),
        "Id is null": set_member(request, "null", id_),
        "Id with a fraction": set_member(request, "1.5", id_),
        "Id is an object": set_member(request, "{}", id_),
        "Two ids": request.replace('"id":', '"id":0,"id":', 1),
        "Params is a string": set_member(remove_member(request, "params"), '"text"', "params"),
        "Batch": f"[{request},{request}]",
        "Empty batch": "[]",
        "Two messages on one line": f"{request} {request}",
        "Response without a request": f"{result}}}",
        "Result and error": f'{result},"error":{{"code":-32603,"message":""}}}}',
        "Not an object": '"text"',
        "Empty line": " ",
    }
    return tuple(Template(title, text) for title, text in frames.items())


def _unknown_notification(request: str) -> str:
    return set_member(remove_member(request, "id"), '"notifications/unknown"', "method")
