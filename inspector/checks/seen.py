"""What rules look at: messages of the server, items and lists, each with its frame; and where a finding belongs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from inspector.wire.message import or_null

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from inspector.finding import Finding
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import MessageKind


T = TypeVar("T")

PAUSE_ITEMS = 200
"""Items after which work on a page or a list may pause."""


def batched(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield the items of a page or a list, as many at a time as may be looked at without a pause."""
    return (items[at : at + PAUSE_ITEMS] for at in range(0, len(items), PAUSE_ITEMS))


class _ReadOnce(Generic[T]):
    """A property that is read once: `functools.cached_property` without its lock, which takes a microsecond."""

    def __init__(self, read: Callable[[Any], T]) -> None:
        self._read = read
        self.__doc__ = read.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type) -> T:
        found = instance.__dict__[self._name] = self._read(instance)
        return found


class SentRequest(NamedTuple):
    """A request of ours, as far as an answer is checked beside it."""

    number: int
    """Its frame."""
    id: Json
    method: str
    params: Json
    """As sent; null without any."""
    monotonic_s: float


class _Received(NamedTuple):
    """What a message of the server is made of."""

    number: int
    """Its frame."""
    kind: MessageKind
    method: str
    """The method of the message, or of the request of a response."""
    value: JsonObject
    """The whole message."""
    revision: Revision
    monotonic_s: float
    read_request: Callable[[], SentRequest | None]
    """Reads the request of a response, which may be large; None for what answers none."""
    stream: int = 0
    """The frame of the request of HTTP on whose response it came; 0 where all come on one line."""
    is_event: bool = False
    """Whether it is the data of a server-sent event."""
    asked_s: float | None = None
    """When the request of a response was sent, on the same clock; None for what answers none."""
    request: int = 0
    """The frame of the request that it answers or belongs to; 0 for none."""


class ReceivedMessage(_Received):
    """A message of the server, as rules read it; its parts are read once, however many rules look at them."""

    def request_params(self) -> Json:
        """Return the params of the request of a response; null for none."""
        request = self.read_request()
        return request.params if request is not None else None

    @_ReadOnce
    def result(self) -> JsonObject:
        """The result; an empty object without one, or if it is no object."""
        result = self.value.get("result")
        return result if isinstance(result, dict) else {}

    @_ReadOnce
    def error(self) -> JsonObject:
        """The error; an empty object without one, or if it is no object."""
        error = self.value.get("error")
        return error if isinstance(error, dict) else {}

    @_ReadOnce
    def params(self) -> JsonObject:
        """The params of a request or a notification; an empty object if there are none, or they are no object."""
        params = or_null(self.value.get("params"))
        return params if isinstance(params, dict) else {}

    @_ReadOnce
    def code(self) -> int | None:
        """The code of an error; None for a success, or if it is no integer."""
        code = self.error.get("code")
        return code if isinstance(code, int) and not isinstance(code, bool) else None

    @_ReadOnce
    def blocks(self) -> list[JsonObject]:
        """The content blocks of a result that are objects."""
        content = self.result.get("content")
        found = content if isinstance(content, list) else []
        return [each for each in found if isinstance(each, dict)]


class ListedItem(NamedTuple):
    """An item of a list, such as one tool."""

    number: int
    """The frame of its page."""
    pointer: str
    """Where in the message, e.g. `/result/tools/3`."""
    value: Json
    """The item as it was sent; anything."""
    revision: Revision


class WholeList(NamedTuple):
    """A list that was read to its end: all pages together, in order."""

    method: str
    """That of the request, e.g. `tools/list`."""
    items: tuple[ListedItem, ...]
    revision: Revision
    number: int
    """The frame of its last page."""
    pointer: str
    """Where the items of a page are, e.g. `/result/tools`."""


class Line(NamedTuple):
    """A line that is no message."""

    number: int
    """Its frame."""
    raw: bytes
    """Without its line end."""
    revision: Revision


class Note(NamedTuple):
    """A note of Spyglass about the connection."""

    number: int
    """Its frame."""
    event: str
    """What happened."""
    request: int
    """The frame of the request that it is about; 0 for none."""
    value: JsonObject
    """The whole note."""
    revision: Revision
    monotonic_s: float


class At(NamedTuple):
    """A finding about another frame than the current one."""

    number: int
    finding: Finding
