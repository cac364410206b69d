"""What the rules of single features remember of a connection, each part bounded."""

from __future__ import annotations

from collections import Counter, deque
from itertools import chain, islice
from typing import TYPE_CHECKING

from inspector.checks.calls import Calls
from inspector.checks.latest import Latest, json_key
from inspector.checks.probed import PROBED, PROBING, ProbeRecords
from inspector.spec.keys import LOG_LEVELS, META, META_CLIENT_CAPABILITIES, META_SERVER_INFO
from inspector.wire import json_codec
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.checks.seen import At, ReceivedMessage, SentRequest
    from inspector.wire.json_codec import Json, JsonObject

MAX_ID = 200
"""Characters of an id, or of another text of the server, that is remembered."""

MAX_NAMES = 1_000
"""Names that are remembered together."""


READ_NOTES = frozenset({"opened", "stdout-closed", "exited", "closed", "signal"})
"""Events whose latest note rules read. A recording may have any others."""

MAX_LISTS = 100
"""Lists, and announcements of changes, whose time is remembered."""

_PROBE_ENDS = frozenset({PROBED, "closed"})


class Openings:
    """What opened the connection."""

    def __init__(self) -> None:
        """Begin before the first message."""
        self.offered = ""
        """The revision that our latest `initialize` offers."""
        self.declared: set[str] = set()
        """Every capability that we declared in any request so far, by its name."""
        self.discover_refused = 0
        """The frame of the error that answered `server/discover`; 0 after a success."""
        self.discovered: JsonObject | None = None
        """The latest result of `server/discover`."""
        self.discovered_s = 0.0
        """When it came."""
        self.result_info = ""
        """Name and version of `serverInfo` in `_meta` of the latest result that has it, as JSON."""
        self.id = ""
        """The id of our latest `initialize`, as JSON."""
        self.cancelled = 0
        """The frame of a cancellation of ours for a request that opens the connection."""

    def add_sent(self, request: SentRequest) -> None:
        """Take note of a request of ours."""
        params = request.params if isinstance(request.params, dict) else {}
        if request.method == "initialize":
            offered = params.get("protocolVersion")
            self.offered = offered if isinstance(offered, str) else ""
        elif request.method == "notifications/cancelled" and request.number:
            is_opening = json_key(params.get("requestId")) == self.id
            self.cancelled = request.number if is_opening else self.cancelled
        if request.method == "initialize":
            self.id = json_key(request.id)
        meta = params.get(META)
        declared = meta.get(META_CLIENT_CAPABILITIES) if isinstance(meta, dict) else None
        if isinstance(declared, dict) and len(self.declared) < MAX_NAMES:
            self.declared.update(declared)

    def add_received(self, message: ReceivedMessage) -> None:
        """Take note of a message of the server."""
        if message.method == "server/discover" and message.kind is MessageKind.ERROR:
            self.discover_refused = message.number
        elif message.method == "server/discover" and message.result:
            self.discover_refused = 0
            self.discovered, self.discovered_s = message.result, message.monotonic_s
        if not message.revision.stateful:
            self.result_info = identity_of(server_info_of(message)) or self.result_info


def server_info_of(message: ReceivedMessage) -> Json:
    """Return `serverInfo` in `_meta` of a result; None without one."""
    meta = message.result.get(META)
    return meta.get(META_SERVER_INFO) if isinstance(meta, dict) else None


def identity_of(info: Json) -> str:
    """Return name and version of a `serverInfo`, as JSON; empty for none. A result may leave out its texts for users."""
    if not isinstance(info, dict):
        return ""
    return json_codec.write([info.get("name"), info.get("version")])[:MAX_ID]


class ServerRequests:
    """Requests of the server."""

    def __init__(self) -> None:
        """Begin without any."""
        self.ids: Latest[str, int] = Latest()
        """The frame of each, by its id as JSON."""
        self.tasks: Latest[str, int] = Latest()
        """Likewise, of those that ask for a task."""

    def add_received(self, message: ReceivedMessage) -> None:
        """Take note of a message of the server."""
        if message.kind is MessageKind.REQUEST:
            key = json_key(message.value.get("id"))
            self.ids[key] = message.number
            if "task" in message.params:
                self.tasks[key] = message.number
        elif message.method == "initialize":
            self.ids, self.tasks = Latest(), Latest()


class Pages:
    """Lists, their pages, and what was announced about them."""

    def __init__(self) -> None:
        """Begin without any."""
        self.issued: Latest[str, int] = Latest()
        """Cursors of the server, after their method: the frame of the page that named each."""
        self.digests: Latest[str, tuple[int, int]] = Latest()
        """By cursor after its method: a hash of the page, and how many changes had been announced then."""
        self.changes: Counter[str] = Counter()
        """How often a list was announced as changed, by the feature."""
        self.changes_at: dict[str, int] = {}
        """The same when a list was read, by its method."""
        self.changes_before: dict[str, int] = {}
        """The same when it was read before that."""
        self.read_s: Latest[int, float] = Latest(MAX_LISTS)
        """When a list was read to its end, by the frame of its last page."""
        self.announced_s: dict[str, deque[float]] = {}
        """When changes were announced last, by the feature."""
        self.silent: Latest[int, tuple[str, At]] = Latest(MAX_LISTS)
        """By that frame, the feature of a list that changed unannounced, and the finding about it: the announcement may still come."""
        self._digested = (0, 0)
        """The frame of the latest page, and the hash of its items: a rule and this want it."""
        self.skipped: set[str] = set()
        """Methods of lists of which a page was too large to be read: what it named is not known."""

    def add_list(self, method: str, number: int, now_s: float) -> None:
        """Take note that a list was read to its end, in frame `number`."""
        self.read_s[number] = now_s
        if method in self.changes_at:
            self.changes_before[method] = self.changes_at[method]
        self.changes_at[method] = self.changes[FEATURE_OF[method]]

    def add_received(self, message: ReceivedMessage) -> None:
        """Take note of a message of the server."""
        feature = FEATURES.get(message.method)
        if feature is not None:
            self.changes[feature] += 1
            times = self.announced_s.setdefault(feature, deque(maxlen=MAX_LISTS))
            times.append(message.monotonic_s)
        if message.method not in FEATURE_OF or message.kind is not MessageKind.RESPONSE:
            return
        cursor, digest, changes = self.page(message)
        if cursor:
            self.digests[cursor] = (digest, changes)
        following = message.result.get("nextCursor")
        if isinstance(following, str):
            self.issued[f"{message.method} {following[:MAX_ID]}"] = message.number

    def page(self, message: ReceivedMessage) -> tuple[str, int, int]:
        """Return method and cursor of a page, a hash of its items, and the changes announced so far; an empty text for a first page."""
        params, changes = message.request_params(), self.changes[FEATURE_OF[message.method]]
        cursor = params.get("cursor") if isinstance(params, dict) else None
        if not isinstance(cursor, str):
            return "", 0, changes
        if self._digested[0] != message.number:
            items = (each for each in message.result.values() if isinstance(each, list))
            names = map(_name, islice(chain.from_iterable(items), MAX_PAGE))
            self._digested = message.number, hash(tuple(names))
        return f"{message.method} {cursor[:MAX_ID]}", self._digested[1], changes


FEATURES = {
    "notifications/tools/list_changed": "tools",
    "notifications/prompts/list_changed": "prompts",
    "notifications/resources/list_changed": "resources",
}
"""Which feature the announcement of a change is about."""


FEATURE_OF = {
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resources",
}
"""Which feature a list belongs to."""


_OPENS = frozenset({"initialize", "notifications/cancelled"})
"""Methods of ours that say something about the opening, besides what any request declares in `_meta`."""

_PAGED = frozenset({*FEATURES, *FEATURE_OF})
"""Methods that say something about lists."""

_LOG, _SET_LEVEL, _COMPLETE = "notifications/message", "logging/setLevel", "completion/complete"
_LOGGED = frozenset({_LOG, _SET_LEVEL})

MAX_PAGE = 10_000
"""Items of a page that are compared."""


def _name(item: Json) -> str:
    if not isinstance(item, dict):
        return ""
    return f"{item.get('uri') or item.get('uriTemplate') or item.get('name')}"[:MAX_ID]


class LogMessages:
    """Log messages, and the level that was set for them."""

    def __init__(self) -> None:
        """Begin without a level."""
        self.level = -1
        """The index of the level that was set last; -1 before one was."""
        self.level_s = 0.0
        """When it was confirmed."""
        self.count = 0
        """Log messages so far."""
        self.loggers: dict[str, None] = {}
        """Names of loggers."""
        self.second = 0
        """The second, by the clock of the frames, in which `in_second` were received."""
        self.in_second = 0
        self.has_flooded = False

    def add_received(self, message: ReceivedMessage) -> None:
        """Take note of a log message, or of the answer to `logging/setLevel`."""
        if message.method == _LOG:
            self.count += 1
            logger = message.params.get("logger")
            if isinstance(logger, str) and len(self.loggers) < MAX_NAMES:
                self.loggers[logger[:MAX_ID]] = None
        elif message.method == _SET_LEVEL and message.kind is MessageKind.RESPONSE:
            params = message.request_params()
            self.level = level_index(params.get("level") if isinstance(params, dict) else None)
            self.level_s = message.monotonic_s

    def is_flood(self, at_s: float, limit: int) -> bool:
        """Count one message at `at_s`; return whether it is the first beyond `limit` within a second."""
        if int(at_s) != self.second:
            self.second, self.in_second = int(at_s), 0
        self.in_second += 1
        is_first = self.in_second > limit and not self.has_flooded
        self.has_flooded |= is_first
        return is_first


def level_index(level: Json) -> int:
    """Return the position of a level, from 0 for `debug`; -1 if there is no such level."""
    return LOG_LEVELS.index(level) if isinstance(level, str) and level in LOG_LEVELS else -1


class Completed:
    """Completions, to compare those of the same text in different contexts."""

    def __init__(self) -> None:
        """Begin without any."""
        self.contexts: Latest[int, dict[int, int]] = Latest()
        """By reference, argument and text: the values by the context, each as the hash of its JSON."""

    def add_received(self, message: ReceivedMessage) -> None:
        """Take note of the result of a completion."""
        if message.method == _COMPLETE and message.kind is MessageKind.RESPONSE:
            key, context, digest = self.read(message)
            known = self.contexts.get(key) or {}
            if context and len(known) < MAX_CONTEXTS:
                self.contexts[key] = {**known, context: digest}

    def read(self, message: ReceivedMessage) -> tuple[int, int, int]:
        """Return hashes of what was asked, of its context, 0 for none, and of the values."""
        params = message.request_params()
        asked = params if isinstance(params, dict) else {}
        key = hash(json_codec.write([asked.get("ref"), asked.get("argument")]))
        completion = message.result.get("completion")
        values = completion.get("values") if isinstance(completion, dict) else None
        context = json_codec.write(asked.get("context"))
        return key, hash(context) if context != "null" else 0, hash(json_codec.write(values))


MAX_CONTEXTS = 3
"""Contexts of one text that are remembered."""


class Remembered:
    """What is known of one connection by the topics of its messages."""

    def __init__(self) -> None:
        """Begin before the first message."""
        self.calls = Calls()
        """Our requests, and what became of them."""
        self.openings = Openings()
        self.server_requests = ServerRequests()
        self.pages = Pages()
        self.logs = LogMessages()
        self.completed = Completed()
        self.probes = ProbeRecords()
        self.is_probing = False
        """Whether what we send is a mistake on purpose."""
        self.edits_http = False
        """Whether that is in requests of HTTP, beside the session."""
        self.notes: dict[str, JsonObject] = {}
        """The latest note of Spyglass by its event, of `READ_NOTES`."""
        self.now_s = 0.0
        """When the latest frame was recorded, in monotonic seconds."""

    @property
    def has_ended(self) -> bool:
        """Whether the end of the connection is on record: a recording may stop before it."""
        return "closed" in self.notes

    def remember_sent(self, request: SentRequest) -> None:
        """Take note of a request or notification of ours."""
        self.now_s = request.monotonic_s
        self.calls.add_sent(request)
        params = request.params
        if request.method in _OPENS or (isinstance(params, dict) and META in params):
            self.openings.add_sent(request)

    def add_checked(self, message: ReceivedMessage) -> None:
        """Take note of a message of the server, after the rules have looked at it."""
        self.calls.add_received(message)
        method = message.method
        if method == "server/discover" or not message.revision.stateful:
            self.openings.add_received(message)
        if message.kind is MessageKind.REQUEST or method == "initialize":
            self.server_requests.add_received(message)
        if method in _PAGED:
            self.pages.add_received(message)
        elif method in _LOGGED:
            self.logs.add_received(message)
        elif method == _COMPLETE:
            self.completed.add_received(message)

    def add_probed(self, message: ReceivedMessage) -> None:
        """Take note of a message that came while a probe ran: it still answers a request, or announces a change."""
        self.calls.add_received(message)
        if message.method in FEATURES:
            self.pages.add_received(message)

    def add_note(self, note: JsonObject, monotonic_s: float) -> None:
        """Take note of a remark of Spyglass."""
        event = note.get("event")
        if isinstance(event, str):
            self.is_probing = event == PROBING or (self.is_probing and event not in _PROBE_ENDS)
            edits_http = note.get("edits_http") is True if event == PROBING else self.edits_http
            self.edits_http = self.is_probing and edits_http
            self.now_s = monotonic_s
            if event in READ_NOTES:
                self.notes[event] = note
            self.calls.add_note(event, note, monotonic_s)
            if event == PROBED:
                self.probes.add_note(note)
