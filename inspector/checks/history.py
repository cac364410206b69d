"""What rules know of a connection beside the message they look at: who declared what, what was listed, sent and not answered yet.

Every part is bounded: the oldest is forgotten, and a rule about it is silent then.
"""

from __future__ import annotations

from collections import OrderedDict
from itertools import islice
from typing import TYPE_CHECKING, Generic, TypeVar

from inspector.spec import methods
from inspector.spec.keys import META, META_CLIENT_CAPABILITIES

if TYPE_CHECKING:
    from inspector.checks.seen import ReceivedMessage, SentRequest, WholeList
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

MAX_BLOCKS = 1_000
"""Content blocks of one result that are looked at."""

MAX_REMEMBERED = 10_000
"""Entries of one part."""

K = TypeVar("K")
V = TypeVar("V")


class Latest(Generic[K, V]):
    """A mapping that keeps its latest entries."""

    def __init__(self, limit: int = MAX_REMEMBERED) -> None:
        """Keep `limit` entries."""
        self._entries: OrderedDict[K, V] = OrderedDict()
        self._limit = limit

    def __setitem__(self, key: K, value: V) -> None:
        """Add an entry, or replace one; it counts as the latest then."""
        self._entries[key] = value
        self._entries.move_to_end(key)
        if len(self._entries) > self._limit:
            self._entries.popitem(last=False)

    def __contains__(self, key: K) -> bool:
        """Whether it is remembered."""
        return key in self._entries

    def __len__(self) -> int:
        """How many are remembered."""
        return len(self._entries)

    def get(self, key: K) -> V | None:
        """Return what is remembered of `key`; None for nothing."""
        return self._entries.get(key)

    def pop(self, key: K) -> V | None:
        """Forget an entry and return it; None if it is not remembered."""
        return self._entries.pop(key, None)


class History:
    """What is known of one connection so far."""

    def __init__(self, transport: str = "") -> None:
        """Begin a connection over `transport`: `stdio`, `http`, `sse`, `tcp`, or empty if it is not known."""
        self.transport = transport
        self.revision: Revision | None = None
        """The negotiated one, once the server has answered the handshake."""
        self.server_capabilities: JsonObject | None = None
        """What the server declared; None before it did."""
        self.client_capabilities: JsonObject = {}
        """What we declared last."""
        self.server_info: JsonObject | None = None
        self.instructions = ""
        self.lists: dict[str, WholeList] = {}
        """The latest whole list, by method."""
        self.earlier_lists: dict[str, WholeList] = {}
        """The one before that, in the same connection."""
        self.linked_resources: Latest[str, int] = Latest()
        """By the URI of a resource that a result linked to, the frame of that result."""
        self.sent: dict[str, int] = {}
        """How many messages of ours there were, by method."""
        self.latest: dict[str, SentRequest] = {}
        """The latest request or notification of ours, by method; its `number` is its frame."""

    def has_capability(self, *path: str) -> bool | None:
        """Whether the server declared a capability such as `("tools", "listChanged")`; None if it has declared nothing yet."""
        value: Json = self.server_capabilities
        if value is None:
            return None
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        return value is not None and value is not False

    def add_sent(self, request: SentRequest) -> None:
        """Take note of a request or notification of ours."""
        method = request.method
        self.sent[method] = self.sent.get(method, 0) + 1
        self.latest[method] = request
        params = request.params if isinstance(request.params, dict) else {}
        meta = params.get(META)
        declared = (
            params.get("capabilities")
            if method == "initialize"
            else meta.get(META_CLIENT_CAPABILITIES)
            if isinstance(meta, dict)
            else None
        )
        if isinstance(declared, dict):
            self.client_capabilities = declared

    def add_received(self, message: ReceivedMessage) -> None:
        """Take note of a message of the server, before the rules look at it."""
        result = message.result
        if result and message.method == "tools/call":
            self._add_links(message.number, result.get("content"))
        if not result or not methods.opens_session(message.method):
            return
        capabilities, info = result.get("capabilities"), result.get("serverInfo")
        instructions = result.get("instructions")
        self.revision = message.revision
        self.server_capabilities = capabilities if isinstance(capabilities, dict) else {}
        self.server_info = info if isinstance(info, dict) else None
        self.instructions = instructions if isinstance(instructions, str) else ""

    def _add_links(self, number: int, content: Json) -> None:
        for block in islice(content, MAX_BLOCKS) if isinstance(content, list) else ():
            uri = block.get("uri") if isinstance(block, dict) else None
            if (
                isinstance(block, dict)
                and block.get("type") == "resource_link"
                and isinstance(uri, str)
            ):
                self.linked_resources[uri] = number
