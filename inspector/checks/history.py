"""What rules know of a connection beside the message they look at: who declared what, what was listed, sent and not answered yet.

Every part is bounded: the oldest is forgotten, and a rule about it is silent then.
"""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TYPE_CHECKING

from inspector.checks.latest import MAX_REMEMBERED, Latest
from inspector.checks.seen import PAUSE_ITEMS
from inspector.checks.topics import Topics
from inspector.spec import methods
from inspector.spec.keys import META, META_CLIENT_CAPABILITIES, META_SERVER_INFO, META_UI
from inspector.spec.revision import find
from inspector.wire import json_codec
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inspector.checks.clients import Targets
    from inspector.checks.seen import ListedItem, ReceivedMessage, SentRequest, WholeList
    from inspector.checks.tokens import Tokens
    from inspector.spec.revision import Revision
    from inspector.spec.subschemas import Subschema
    from inspector.wire.json_codec import Json, JsonObject

MAX_BLOCKS = 1_000
"""Content blocks of one result that are looked at."""

MAX_CALLS = 200
"""Calls whose result is remembered, by hashes of arguments and result."""

MAX_ELICITATIONS = 6
"""Elicitations whose time is remembered."""

MAX_TIMES = 1_000
"""Times of answers of one method."""

MAX_METHODS = 200
"""Methods whose times are remembered: users may send any."""

MAX_URIS = 4 << 20
"""Characters of all URIs that we are subscribed to."""

_DEFINED = frozenset(row.name for row in methods.METHODS)

_ANSWERS = frozenset({MessageKind.RESPONSE, MessageKind.ERROR})

__all__ = ["History", "Latest"]


class History(Topics):
    """What is known of one connection so far."""

    walked: tuple[ListedItem, tuple[Subschema, ...], frozenset[str]] | None = None
    """The schemas inside of the tool that is checked now, and every keyword in them."""
    tool_tokens: tuple[WholeList, tuple[Tokens, ...]] | None = None
    """How many tokens each tool of a list costs."""
    has_apps: bool = False
    """Whether a listed tool has a user interface."""
    same_call: tuple[int, bool] | None = None
    """Frame of the result of the same call before the latest result, if its tool should repeat it, and whether it did."""

    has_forgotten_subscription: bool = False
    """Whether there were more subscriptions than are remembered: it is not known then whether one covers an update."""
    _subscribed_size: int = 0

    def __init__(self, transport: str = "") -> None:
        """Begin a connection over `transport`: `stdio`, `http`, `sse`, `tcp`, or empty if it is not known."""
        super().__init__()
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
        self.tools: dict[str, JsonObject] = {}
        """The tools of the latest whole list, by name; of one name the first."""
        self.answer_seconds: dict[str, deque[float]] = {}
        """How long the latest answers took, by method."""
        self._repeatable: set[str] = set()
        """Tools that say that the same call has the same result."""
        self._answers: Latest[tuple[str, int], tuple[int, int]] = Latest(MAX_CALLS)
        self.linked_resources: Latest[str, int] = Latest()
        """By the URI of a resource that a result linked to, the frame of that result."""
        self.subscribed: set[str] = set()
        """URIs that we are subscribed to by `resources/subscribe`, at most `MAX_REMEMBERED` of `MAX_URIS` characters together."""
        self.unsubscribed: Latest[str, float] = Latest()
        """When a subscription was ended, by its URI, on the clock of the frames."""
        self.sent: dict[str, int] = {}
        """How many messages of ours there were, by method; of those that a revision defines, because a recording may have any."""
        self.elicited_s: deque[float] = deque(maxlen=MAX_ELICITATIONS)
        """When the elicitations since our latest request were received: each call may ask."""
        self.targets: Targets = frozenset()
        """The clients that the server is for; empty for all."""
        self.find_secrets: Callable[[], tuple[str, ...]] = lambda: ()
        """Returns the secrets that the server was given."""
        self.find_earlier: Callable[[], History | None] = lambda: None
        """Finds the connection before with the same server, as long as it is kept."""

    @property
    def earlier(self) -> History | None:
        """What is known of the connection before with the same server; None without one, or if it told nothing."""
        found = self.find_earlier()
        return found if found is not None and found.server_capabilities is not None else None

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
        self.remember_sent(request)
        if method in _DEFINED:
            self.sent[method] = self.sent.get(method, 0) + 1
        if request.id is not None:
            self.elicited_s.clear()
        params = request.params if isinstance(request.params, dict) else {}
        self._add_subscription(method, params.get("uri"), request.monotonic_s)
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

    def knows_subscription(self, uri: str) -> bool:
        """Whether there is any subscription, or one to `uri` was ended."""
        is_any = bool(self.subscribed) or self.has_forgotten_subscription
        return is_any or uri in self.unsubscribed

    def _add_subscription(self, method: str, uri: Json, sent_s: float) -> None:
        if method == "resources/subscribe" and isinstance(uri, str):
            size = self._subscribed_size + len(uri)
            if uri in self.subscribed:
                pass
            elif len(self.subscribed) < MAX_REMEMBERED and size <= MAX_URIS:
                self.subscribed.add(uri)
                self._subscribed_size = size
            else:
                self.has_forgotten_subscription = True
            self.unsubscribed.pop(uri)
        elif method == "resources/unsubscribe" and isinstance(uri, str):
            self._subscribed_size -= len(uri) if uri in self.subscribed else 0
            self.subscribed.discard(uri)
            self.unsubscribed[uri] = sent_s

    def add_received(self, message: ReceivedMessage) -> None:
        """Take note of a message of the server, before the rules look at it."""
        self.now_s = message.monotonic_s
        self.remember_received(message)
        result = message.result
        method = message.method
        if method == "elicitation/create":
            self.elicited_s.append(message.monotonic_s)
        if message.kind in _ANSWERS and message.request in self.calls.open:
            self._add_time(message)
        if result and method == "tools/call":
            self._add_links(message.number, result.get("content"))
            self._add_answer(message)
        if not result or not methods.opens_session(method):
            return
        meta = result.get(META)
        in_meta = meta.get(META_SERVER_INFO) if isinstance(meta, dict) else None
        capabilities, info = result.get("capabilities"), result.get("serverInfo", in_meta)
        instructions = result.get("instructions")
        self.revision = find(result.get("protocolVersion")) or message.revision
        self.server_capabilities = capabilities if isinstance(capabilities, dict) else {}
        self.server_info = info if isinstance(info, dict) else None
        self.instructions = instructions if isinstance(instructions, str) else ""

    def _add_time(self, message: ReceivedMessage) -> None:
        """Take note of how long an answer took, but for one that waited for users."""
        if message.asked_s is None or message.request in self.calls.interrupted:
            return
        times = self.answer_seconds.get(message.method)
        if times is None and len(self.answer_seconds) < MAX_METHODS:
            times = self.answer_seconds[message.method] = deque(maxlen=MAX_TIMES)
        if times is not None:
            times.append(message.monotonic_s - message.asked_s)

    def skip_page(self, method: str) -> None:
        """Forget a list of which a page is not known: nothing can be told from the others."""
        self.pages.skipped.add(method)
        self.lists.pop(method, None)
        self.earlier_lists.pop(method, None)
        if method == "tools/list":
            self.tools, self.has_apps, self._repeatable = {}, False, set()

    def add_list(self, whole: WholeList) -> Iterator[None]:
        """Take note of a list that was read to its end, before the rules look at it; with pauses."""
        before = self.lists.get(whole.method)
        if before is not None:
            self.earlier_lists[whole.method] = before
        self.lists[whole.method] = whole
        self.pages.add_list(whole.method, whole.number, self.now_s)
        if whole.method != "tools/list":
            return
        self.tools, self.has_apps, self._repeatable = {}, False, set()
        for count, item in enumerate(whole.items):
            tool = item.value
            name = tool.get("name") if isinstance(tool, dict) else None
            if isinstance(tool, dict) and isinstance(name, str) and name not in self.tools:
                self.tools[name] = tool
                self.has_apps = self.has_apps or _has_app(tool)
                if _repeats(tool):
                    self._repeatable.add(name)
            if not count % PAUSE_ITEMS:
                yield

    def _add_answer(self, message: ReceivedMessage) -> None:
        self.same_call = None
        if not self._repeatable:
            return
        params = message.request_params()
        name = params.get("name") if isinstance(params, dict) else None
        if isinstance(params, dict) and isinstance(name, str) and name in self._repeatable:
            key = name, hash(json_codec.write(params.get("arguments")))
            content = hash(json_codec.write(message.result.get("content")))
            before = self._answers.get(key)
            self.same_call = None if before is None else (before[0], before[1] == content)
            self._answers[key] = (message.number, content)

    def _add_links(self, number: int, content: Json) -> None:
        for block in islice(content, MAX_BLOCKS) if isinstance(content, list) else ():
            uri = block.get("uri") if isinstance(block, dict) else None
            if (
                isinstance(block, dict)
                and block.get("type") == "resource_link"
                and isinstance(uri, str)
            ):
                self.linked_resources[uri] = number


def _repeats(tool: JsonObject) -> bool:
    """Whether a tool says that the same call has the same result: it is read-only, idempotent and closed."""
    hints = tool.get("annotations")
    return (
        isinstance(hints, dict)
        and hints.get("readOnlyHint") is True
        and hints.get("idempotentHint") is True
        and hints.get("openWorldHint") is False
    )


def _has_app(tool: JsonObject) -> bool:
    meta = tool.get(META)
    return isinstance(meta, dict) and META_UI in meta
