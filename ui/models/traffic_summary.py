"""The summary of a frame in one line, made from the message alone.

Never raises. Of a large body no more is read than `large_body` allows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeGuard

from inspector.spec.keys import RESULT_INPUT_REQUIRED
from inspector.spec.media_types import base64_size
from inspector.spec.views.input_required import InputRequired
from inspector.visible_text import one_line, without_ansi
from inspector.wire import json_codec, lazy_json
from inspector.wire.incremental_json import CutArray, CutString
from inspector.wire.lazy_json import LazyArray, LazyObject
from inspector.wire.line_splitter import blank_lines, last_written
from inspector.wire.message import Absent, MessageKind, read
from ui.models.large_body import UnreadError, is_readable, read_member
from ui.widgets.units import plural, size

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import MaybeJson, Message

MAX_TEXT = 200
"""Characters, about."""
MEMBERS_NAMED = 6
"""Messages of a batch that are named."""

_EXCERPT_BYTES = 600


def about(message: Message, method: str) -> str:
    """Return one line; `method` is the method of the request, also for a response."""
    try:
        text = _MAKERS[message.kind](message, method)
    except UnreadError as error:
        text = _quoted(message, error.member)
    return one_line(text, MAX_TEXT)


def _request(message: Message, method: str) -> str:
    return _of_params(message, _REQUESTS.get(method))


def _of_params(message: Message, make: Callable[[JsonObject], str] | None) -> str:
    """What `make` says of the params; all of them where it has nothing to say."""
    params = read_member(message, "params")
    if isinstance(params, Absent):
        return ""
    if not _is_object(params):
        return _json(params)
    return (make(params) if make else "") or _rest(params)


def _response(message: Message, method: str) -> str:
    result = read_member(message, "result")
    if not _is_object(result):
        return _json(result)
    if result.get("resultType") == RESULT_INPUT_REQUIRED and is_readable(message):
        return InputRequired(message).summary
    make = _task if _is_object(result.get("task")) else _RESULTS.get(method)
    return (make(result) if make else "") or _listed(result) or _rest(result)


def _error(message: Message, _method: str) -> str:
    error = read_member(message, "error")
    if not _is_object(error):
        return _json(error)
    code = error.get("code")
    named = "no code" if code is None else f"code {_json(code)}"
    text = f"{named} {_text(error.get('message'))}".strip()
    return f"{text} · {_json(error['data'])}" if error.get("data") is not None else text


def _notification(message: Message, method: str) -> str:
    return _of_params(message, _NOTIFICATIONS.get(method)) or _CHANGES.get(method, "")


def _batch(message: Message, _method: str) -> str:
    if not is_readable(message):
        return _plain(message.raw)
    items = lazy_json.read(message.raw)
    if not isinstance(items, LazyArray):
        return _named_members(message.members, len(message.members))
    first = [read(json_codec.write_bytes(item)) for item in items[:MEMBERS_NAMED]]
    return _named_members(first, len(items))


def _named_members(members: list[Message], count: int) -> str:
    formatted = (each.method or each.kind.name.lower() for each in members[:MEMBERS_NAMED])
    return f"{plural(count, 'message')}: {', '.join(formatted)}" if count else "empty batch"


def _malformed(message: Message, _method: str) -> str:
    return f"{message.problem} · {_plain(message.raw)}"


def _stderr(message: Message, _method: str) -> str:
    if not message.raw.strip():
        return _blank(message, "")
    raw = message.raw[-_EXCERPT_BYTES:] if b"\r" in message.raw.rstrip() else message.raw
    return without_ansi(last_written(_plain(raw)))


def _note(message: Message, _method: str) -> str:
    note = message.value
    return _text(note.get("words")) if _is_object(note) else _plain(message.raw)


def _blank(message: Message, _method: str) -> str:
    count = blank_lines(message.raw)
    return plural(count, "empty line") if count > 1 else "empty line"


def _http(message: Message, _method: str) -> str:
    return _plain(message.raw.partition(b"\r\n")[0])


def _event(message: Message, _method: str) -> str:
    lines = (line.strip("\r") for line in _plain(message.raw).split("\n"))
    return " · ".join(filter(None, lines)).strip(" ·") or plural(
        len(message.raw.splitlines()), "empty line"
    )


_MAKERS: dict[MessageKind, Callable[[Message, str], str]] = {
    MessageKind.REQUEST: _request,
    MessageKind.RESPONSE: _response,
    MessageKind.ERROR: _error,
    MessageKind.NOTIFICATION: _notification,
    MessageKind.BATCH: _batch,
    MessageKind.MALFORMED: _malformed,
    MessageKind.STDERR: _stderr,
    MessageKind.NOTE: _note,
    MessageKind.BLANK_LINE: _blank,
    MessageKind.HTTP: _http,
    MessageKind.SSE_OTHER: _event,
}


# --- by method ------------------------------------------------------------------------------------


def _named_call(params: JsonObject) -> str:
    arguments = params.get("arguments")
    name = _text(params.get("name"))
    return f"{name} {_json(arguments)}" if arguments else name


def _uri(params: JsonObject) -> str:
    return _text(params.get("uri"))


def _client(params: JsonObject) -> str:
    return _hello(params.get("clientInfo"), params.get("protocolVersion"))


def _server(result: JsonObject) -> str:
    return _hello(result.get("serverInfo"), result.get("protocolVersion"))


def _hello(info: Json, revision: Json) -> str:
    who = info if _is_object(info) else {}
    name = f"{_text(who.get('name'))} {_text(who.get('version'))}".strip()
    return " · ".join(part for part in (name, _text(revision)) if part)


def _completion(params: JsonObject) -> str:
    argument = params.get("argument")
    if not _is_object(argument):
        return _rest(params)
    return f"{_text(argument.get('name'))} = {_json(argument.get('value'))}"


def _sampling(params: JsonObject) -> str:
    messages = params.get("messages")
    last = messages[-1] if isinstance(messages, list) and messages else None
    return _content(last.get("content")) if _is_object(last) else _rest(params)


def _elicitation(params: JsonObject) -> str:
    return _text(params.get("message")) or _rest(params)


def _tool_result(result: JsonObject) -> str:
    text = _content(result.get("content"))
    if not text and result.get("structuredContent") is not None:
        text = _json(result["structuredContent"])
    return text


def _read_result(result: JsonObject) -> str:
    contents = result.get("contents")
    return _content(contents[0]) if isinstance(contents, list) and contents else ""


def _prompt_result(result: JsonObject) -> str:
    messages = result.get("messages")
    first = messages[0] if isinstance(messages, list) and messages else None
    return _content(first.get("content")) if _is_object(first) else ""


def _sampled(result: JsonObject) -> str:
    return _content(result.get("content"))


def _completed(result: JsonObject) -> str:
    completion = result.get("completion")
    values = completion.get("values") if _is_object(completion) else None
    return ", ".join(_text(value) for value in values[:10]) if isinstance(values, list) else ""


def _log(params: JsonObject) -> str:
    logger = params.get("logger")
    start = f"{_text(params.get('level'))} {_text(logger)}".strip()
    return f"{start}: {_text(params.get('data'))}"


def _progress(params: JsonObject) -> str:
    done, total = _json(params.get("progress", Absent())), params.get("total")
    share = f"{done}/{_json(total)}" if total is not None else done
    return f"{share} {_text(params.get('message'))}".strip()


def _cancelled(params: JsonObject) -> str:
    reason = _text(params.get("reason"))
    return f"request {_json(params.get('requestId', Absent()))}{f': {reason}' if reason else ''}"


def _task(body: JsonObject) -> str:
    """Which task, and how it is doing."""
    entry = body.get("task")
    task = entry if _is_object(entry) else body
    how = f"{_text(task.get('status'))} {_text(task.get('statusMessage'))}".strip()
    return " · ".join(part for part in (_text(task.get("taskId")), how) if part)


def _listened(params: JsonObject) -> str:
    """What is to be announced, or was agreed to be."""
    keys = params.get("notifications")
    if not _is_object(keys):
        return _rest(params)
    return ", ".join(key for key, value in keys.items() if value) or "nothing"


_REQUESTS: dict[str, Callable[[JsonObject], str]] = {
    "tools/call": _named_call,
    "prompts/get": _named_call,
    "resources/read": _uri,
    "resources/subscribe": _uri,
    "resources/unsubscribe": _uri,
    "initialize": _client,
    "completion/complete": _completion,
    "sampling/createMessage": _sampling,
    "elicitation/create": _elicitation,
    "subscriptions/listen": _listened,
    "tasks/get": _task,
    "tasks/result": _task,
    "tasks/update": _task,
    "tasks/cancel": _task,
}
_RESULTS: dict[str, Callable[[JsonObject], str]] = {
    "tools/call": _tool_result,
    "resources/read": _read_result,
    "prompts/get": _prompt_result,
    "initialize": _server,
    "completion/complete": _completed,
    "sampling/createMessage": _sampled,
    "tasks/get": _task,
    "tasks/update": _task,
    "tasks/cancel": _task,
}
_NOTIFICATIONS: dict[str, Callable[[JsonObject], str]] = {
    "notifications/message": _log,
    "notifications/progress": _progress,
    "notifications/cancelled": _cancelled,
    "notifications/resources/updated": _uri,
    "notifications/subscriptions/acknowledged": _listened,
    "notifications/tasks/status": _task,
    "notifications/tasks": _task,
}
_CHANGES: dict[str, str] = {
    "notifications/tools/list_changed": "tools list",
    "notifications/prompts/list_changed": "prompts list",
    "notifications/resources/list_changed": "resources lists",
    "notifications/roots/list_changed": "roots list",
}
"""What changed, where the message has nothing more to say."""


# --- parts ----------------------------------------------------------------------------------------


def _content(block: Json) -> str:
    """The first block that says something."""
    if isinstance(block, list):
        return next((text for item in block[:5] if (text := _content(item))), "")
    if not _is_object(block):
        return _text(block)
    if isinstance(block.get("text"), str):
        return _text(block["text"])
    for member in ("data", "blob"):
        data = block.get(member)
        if isinstance(data, str):
            what = _text(block.get("mimeType")) or _text(block.get("type")) or "data"
            is_cut = isinstance(data, CutString)
            return what if is_cut else f"{what}, {size(base64_size(data))}"
    if _is_object(block.get("resource")):
        return _content(block["resource"])
    return _text(block.get("uri")) or _text(block.get("name"))


_CAPITAL = re.compile("(?<=[a-z])(?=[A-Z])")


def _listed(result: JsonObject) -> str:
    """`13 tools: echo, get_sum, …` for a result that is a list of named things."""
    for member in result:
        items = result[member]
        if isinstance(items, list) and member != "content":
            named = _CAPITAL.sub(" ", member).lower()
            names = [
                _text(item.get("name", item.get("uri"))) for item in items[:8] if _is_object(item)
            ]
            formatted = ", ".join(name for name in names if name)
            if isinstance(items, CutArray):
                return f"{named}: {formatted}, …" if formatted else named
            what = named.removesuffix("s") if len(items) == 1 else named
            more = " · more pages" if result.get("nextCursor") is not None else ""
            return f"{len(items):,} {what}{f': {formatted}' if formatted else ''}{more}"
    return ""


def _rest(body: JsonObject) -> str:
    """The body but for `_meta`, as JSON; nothing when there is nothing else."""
    names = [name for name in body if name != "_meta"]
    if names == ["cursor"]:
        return f"next page, cursor {_text(body['cursor'])}"
    parts: list[str] = []
    for name in names:
        parts.append(f"{json_codec.write(name)}:{_json(body[name])}")
        if sum(map(len, parts)) > MAX_TEXT:  # the others would be cut off
            break
    return f"{{{','.join(parts)}}}" if parts else ""


def _json(value: MaybeJson) -> str:
    if isinstance(value, Absent):
        return "(absent)"
    if isinstance(value, (LazyObject, LazyArray)):
        return _plain(bytes(memoryview(value.text)[:_EXCERPT_BYTES]))
    try:
        return json_codec.write(value[: MAX_TEXT * 3] if isinstance(value, str) else value)
    except ValueError:
        return "(nested too deeply)"


def value_text(value: Json) -> str:
    """Return the beginning of a value: a string as it is, another value as JSON."""
    return value[: MAX_TEXT * 3] if isinstance(value, str) else _json(value)


def _text(value: Json) -> str:
    if isinstance(value, str):
        return value[: MAX_TEXT * 3]
    return "" if value is None else _json(value)


def _is_object(value: MaybeJson) -> TypeGuard[JsonObject]:
    return isinstance(value, dict)


def _quoted(message: Message, member: str) -> str:
    """The beginning of a member's bytes, where they are found near the beginning of the frame."""
    mark = b'"%b"' % member.encode()
    at = message.raw.find(mark, 0, lazy_json.LARGE)
    start = at + len(mark) if at >= 0 else 0
    return _plain(message.raw[start : start + _EXCERPT_BYTES].lstrip(b" :"))


def _plain(raw: bytes) -> str:
    return raw[:_EXCERPT_BYTES].decode(errors="backslashreplace")
