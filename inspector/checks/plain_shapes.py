"""Messages as most are: one look tells that no reader of a message alone finds anything in them.

The official models, the rules of JSON-RPC and the views take forty microseconds to find nothing in a short message. Here one strict decoding
into the shapes below takes one. A shape is used in a revision only after those readers found nothing in its sample, which has every member of
the shape; its types leave no value that they look at. Any other message is read by all of them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError, convert, field

from inspector.checks.views import read_view
from inspector.spec.views.tool import MAX_NAME
from inspector.wire.frame import Direction
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

MAX_BLOCKS = 100
"""Texts of one result; more of them are read in the ordinary way, which counts them."""

MAX_ERROR_TEXT = 200
"""Characters of the text of an error, beyond which JSON-RPC calls it no concise sentence."""

T = TypeVar("T", bound=Struct)

_Id = int | str


class _Token(Struct, forbid_unknown_fields=True, gc=False):
    progress_token: _Id | UnsetType = field(name="progressToken", default=UNSET)


class _CallParams(Struct, forbid_unknown_fields=True, gc=False):
    name: str
    arguments: dict[str, object] | UnsetType = UNSET
    meta: _Token | UnsetType = field(name="_meta", default=UNSET)


class _Call(Struct, forbid_unknown_fields=True, gc=False):
    jsonrpc: Literal["2.0"]
    id: _Id
    method: Literal["tools/call"]
    params: _CallParams


class _Text(Struct, forbid_unknown_fields=True, gc=False):
    type: Literal["text"]
    text: str


class _TextResult(Struct, forbid_unknown_fields=True, gc=False):
    content: Annotated[list[_Text], Meta(min_length=1, max_length=MAX_BLOCKS)]
    is_error: bool | UnsetType = field(name="isError", default=UNSET)


class _TextResponse(Struct, forbid_unknown_fields=True, gc=False):
    jsonrpc: Literal["2.0"]
    id: _Id
    result: _TextResult


class _CompleteResult(_TextResult, kw_only=True, forbid_unknown_fields=True, gc=False):
    result_type: Literal["complete"] = field(name="resultType")


class _CompleteResponse(Struct, forbid_unknown_fields=True, gc=False):
    jsonrpc: Literal["2.0"]
    id: _Id
    result: _CompleteResult


class _Error(Struct, forbid_unknown_fields=True, gc=False):
    code: int
    message: Annotated[str, Meta(max_length=MAX_ERROR_TEXT)]


class _ErrorResponse(Struct, forbid_unknown_fields=True, gc=False):
    jsonrpc: Literal["2.0"]
    id: _Id
    error: _Error


class _LogParams(Struct, forbid_unknown_fields=True, gc=False):
    level: Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
    data: object
    logger: str | UnsetType = UNSET


class _Log(Struct, forbid_unknown_fields=True, gc=False):
    jsonrpc: Literal["2.0"]
    method: Literal["notifications/message"]
    params: _LogParams


class _ProgressParams(Struct, forbid_unknown_fields=True, gc=False):
    progress_token: _Id = field(name="progressToken")
    progress: int | float
    total: int | float | UnsetType = UNSET
    message: str | UnsetType = UNSET


class _Progress(Struct, forbid_unknown_fields=True, gc=False):
    jsonrpc: Literal["2.0"]
    method: Literal["notifications/progress"]
    params: _ProgressParams


class _UpdatedParams(Struct, forbid_unknown_fields=True, gc=False):
    uri: str


class _Updated(Struct, forbid_unknown_fields=True, gc=False):
    jsonrpc: Literal["2.0"]
    method: Literal["notifications/resources/updated"]
    params: _UpdatedParams


class _Parameter(Struct, forbid_unknown_fields=True, gc=False):
    type: Literal["string", "integer", "number", "boolean"]
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    default: str | int | bool | UnsetType = UNSET


class _InputSchema(Struct, forbid_unknown_fields=True, gc=False):
    type: Literal["object"]
    properties: dict[str, _Parameter] | UnsetType = UNSET
    required: list[str] | UnsetType = UNSET
    title: str | UnsetType = UNSET
    schema: Literal["http://json-schema.org/draft-07/schema#"] | UnsetType = field(
        name="$schema", default=UNSET
    )
    additional: bool | UnsetType = field(name="additionalProperties", default=UNSET)


class _Hints(Struct, forbid_unknown_fields=True, rename="camel", gc=False):
    title: str | UnsetType = UNSET
    read_only_hint: bool | UnsetType = UNSET
    destructive_hint: bool | UnsetType = UNSET
    idempotent_hint: bool | UnsetType = UNSET
    open_world_hint: bool | UnsetType = UNSET


class _Tool(Struct, forbid_unknown_fields=True, rename="camel", gc=False):
    name: Annotated[str, Meta(min_length=1, max_length=MAX_NAME, pattern=r"^[A-Za-z0-9_.-]+\Z")]
    input_schema: _InputSchema
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    annotations: _Hints | UnsetType = UNSET


class _ToolsResult(Struct, forbid_unknown_fields=True, rename="camel", gc=False):
    tools: list[_Tool]
    next_cursor: str | UnsetType = UNSET


class _ToolsResponse(Struct, forbid_unknown_fields=True, gc=False):
    jsonrpc: Literal["2.0"]
    id: _Id
    result: _ToolsResult


class _Shape(NamedTuple):
    """One kind of message."""

    type: type[Struct]
    sample: JsonObject
    """A message with every member of the shape."""
    is_plain: Callable[[Struct], bool] | None = None
    """Whether values of the right types are plain ones; None if they always are."""


def _notification(method: str, params: JsonObject) -> JsonObject:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def _is_forward(message: Struct) -> bool:
    """Whether progress lies between nothing and its total."""
    assert isinstance(message, _Progress)
    params = message.params
    return params.progress >= 0 and (params.total is UNSET or params.progress <= params.total)


_TEXT: JsonObject = {"content": [{"type": "text", "text": "a"}], "isError": True}
_ANSWER: JsonObject = {"jsonrpc": "2.0", "id": 1}

_LIST_METHOD = "tools/list"
_TOOL: JsonObject = {
    "name": "a",
    "title": "a",
    "description": "a",
    "inputSchema": {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "title": "a",
        "properties": {"a": {"type": "string", "title": "a", "description": "a", "default": "a"}},
        "required": ["a"],
        "additionalProperties": False,
    },
    "annotations": {
        "title": "a",
        "readOnlyHint": True,
        "destructiveHint": True,
        "idempotentHint": True,
        "openWorldHint": True,
    },
}

_LOG_METHOD, _PROGRESS_METHOD, _UPDATED_METHOD = (
    "notifications/message",
    "notifications/progress",
    "notifications/resources/updated",
)

_SENT: dict[tuple[int, str], tuple[_Shape, ...]] = {
    (MessageKind.REQUEST, "tools/call"): (
        _Shape(
            _Call,
            {
                **_ANSWER,
                "method": "tools/call",
                "params": {"name": "a", "arguments": {}, "_meta": {"progressToken": 1}},
            },
        ),
    )
}
"""What Spyglass sends, by kind and method: the shapes of each, of which the first fits that is plain in a revision."""

_RECEIVED: dict[tuple[int, str], tuple[_Shape, ...]] = {
    (MessageKind.RESPONSE, "tools/call"): (
        _Shape(_TextResponse, {**_ANSWER, "result": _TEXT}),
        _Shape(_CompleteResponse, {**_ANSWER, "result": {**_TEXT, "resultType": "complete"}}),
    ),
    (MessageKind.NOTIFICATION, _LOG_METHOD): (
        _Shape(_Log, _notification(_LOG_METHOD, {"level": "info", "data": "a", "logger": "a"})),
    ),
    (MessageKind.NOTIFICATION, _PROGRESS_METHOD): (
        _Shape(
            _Progress,
            _notification(
                _PROGRESS_METHOD, {"progressToken": 1, "progress": 1, "total": 2, "message": "a"}
            ),
            _is_forward,
        ),
    ),
    (MessageKind.NOTIFICATION, _UPDATED_METHOD): (
        _Shape(_Updated, _notification(_UPDATED_METHOD, {"uri": "file:///a"})),
    ),
}
"""What a server sends, likewise; its errors are of one shape for all methods."""

_SHAPES = {Direction.SENT: _SENT, Direction.RECEIVED: _RECEIVED}


def is_plain(
    value: Json, kind: MessageKind, method: str, revision: Revision, direction: Direction
) -> bool:
    """Whether a message is of a shape in which no reader of a message alone finds anything; False if that is not known.

    `method` is that of its request for a response.
    """
    if kind is MessageKind.ERROR:
        return direction is Direction.RECEIVED and _is_plain_error(value, revision)
    shape = _shape_of(kind, method, revision, direction)
    read = None if shape is None else _read(value, shape.type)
    if shape is None or read is None:
        return False
    return shape.is_plain is None or shape.is_plain(read)


def is_plain_page(value: Json, kind: MessageKind, method: str, revision: Revision) -> bool:
    """Whether a message is a page of tools in which the official validators find nothing; its view may still do."""
    if kind is not MessageKind.RESPONSE or method != _LIST_METHOD or not _has_plain_tools(revision):
        return False
    return _read(value, _ToolsResponse) is not None


def is_plain_tool(tool: Json, revision: Revision | None) -> bool:
    """Whether the view of a listed tool finds nothing in it; False if that is not known."""
    if revision is None or not _has_plain_tools(revision):
        return False
    read = _read(tool, _Tool)
    return read is not None and all(
        text is UNSET or (text.isascii() and text.isprintable())
        for text in (read.title, read.description)
    )


@lru_cache(maxsize=10)
def _has_plain_tools(revision: Revision) -> bool:
    """Whether nothing is found in a tool with every member of the shape."""
    page: JsonObject = {**_ANSWER, "result": {"tools": [_TOOL], "nextCursor": "a"}}
    return _is_clean(page, MessageKind.RESPONSE, _LIST_METHOD, revision, Direction.RECEIVED)


def _read(value: Json, shape: type[T]) -> T | None:
    """Return a value as a shape; None if it is not of it."""
    try:
        return convert(value, shape)
    except (
        ValidationError,
        UnicodeEncodeError,
    ):  # names are compared as UTF-8, which no lone surrogate has
        return None


def _is_plain_error(value: Json, revision: Revision) -> bool:
    read = _read(value, _ErrorResponse)
    if read is None:
        return False
    return "\n" not in read.error.message and _is_plain_code(read.error.code, revision)


@lru_cache(maxsize=1000)
def _is_plain_code(code: int, revision: Revision) -> bool:
    """Whether nothing is found in an error with this code; servers may choose any."""
    sample: JsonObject = {**_ANSWER, "error": {"code": code, "message": "a"}}
    return _is_clean(sample, MessageKind.ERROR, "ping", revision, Direction.RECEIVED)


@lru_cache(maxsize=1000)
def _shape_of(
    kind: MessageKind, method: str, revision: Revision, direction: Direction
) -> _Shape | None:
    """Return the shape of such messages that is plain in a revision; None without one."""
    shapes = _SHAPES[direction].get((kind, method), ()) if direction in _SHAPES else ()
    return next(
        (shape for shape in shapes if _is_clean(shape.sample, kind, method, revision, direction)),
        None,
    )


def _is_clean(
    value: JsonObject, kind: MessageKind, method: str, revision: Revision, direction: Direction
) -> bool:
    """Whether the readers find nothing in a message."""
    # A second of imports, which `BackgroundValidator` does in a thread.
    from inspector.spec.validation import validate

    if validate(value, kind=kind, method_of_request=method, revision=revision, direction=direction):
        return False
    view = read_view(kind, method, value, revision) if direction is Direction.RECEIVED else None
    return view is None or not view.findings
