"""One request of the stateless era: it says for itself which revision it follows, who asks and what they can do.

Source: basic, "_meta"; server/discover; server/utilities/caching.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.conversation import LEVELS, Conversation
from inspector.demo.embedded_inputs import inputs_of
from inspector.demo.lifecycle import SERVER
from inspector.demo.listeners import UPDATED
from inspector.demo.meta import (
    CLIENT_CAPABILITIES,
    CLIENT_INFO,
    COMPLETE,
    LOG_LEVEL,
    MISSING_CAPABILITY,
    PROTOCOL_VERSION,
    SERVER_INFO,
    UNSUPPORTED_VERSION,
)
from inspector.demo.request_errors import INVALID_PARAMS, RpcError
from inspector.demo.revision_filter import PERSONAL_FIELDS, fitted
from inspector.spec.revision import STATELESS

if TYPE_CHECKING:
    from inspector.demo.options import Options
    from inspector.demo.state import State
    from inspector.demo.writer import Outlet
    from inspector.wire.json_codec import Json, JsonObject

FRESHNESS: dict[str, JsonObject] = {
    "server/discover": {"ttlMs": 3_600_000, "cacheScope": "public"},
    "tools/list": {"ttlMs": 300_000, "cacheScope": "public"},
    "prompts/list": {"ttlMs": 300_000, "cacheScope": "public"},
    "resources/list": {"ttlMs": 300_000, "cacheScope": "private"},
    "resources/templates/list": {"ttlMs": 3_600_000, "cacheScope": "public"},
    "resources/read": {"ttlMs": 0, "cacheScope": "private"},
}
"""How long the result of a method may be kept, and by whom, unless it says so itself."""


class StatelessConversation(Conversation):
    """What one request says of itself."""

    def __init__(self, options: Options, outlet: Outlet, state: State, message: JsonObject) -> None:
        """Read the request.

        Raises:
            RpcError: it is not described as it must be, or follows a revision that we do not speak.
        """
        super().__init__(options, outlet, state)
        meta = described(message)
        self.revision = next(
            (each for each in STATELESS if each.date == meta[PROTOCOL_VERSION]), STATELESS[-1]
        )
        if self.revision.date != meta[PROTOCOL_VERSION]:
            raise unsupported(meta[PROTOCOL_VERSION])
        self.is_open = True
        self.tasks = state.tasks
        self.client = _object(meta.get(CLIENT_INFO))
        self.capabilities = _object(meta[CLIENT_CAPABILITIES])
        self.level = _level(meta)
        self.inputs = inputs_of(message.get("method"), _object(message.get("params")), state.secret)

    def touch(self, uri: str) -> bool:
        """Say that a resource changed, to those that listen; returns whether any does."""
        return self.state.listeners.announce(UPDATED, {"uri": uri}) > 0

    def announce(self, what: str) -> None:
        """Say that a list changed, to those that listen."""
        self.state.listeners.announce(f"notifications/{what}/list_changed", {})

    def require(self, capability: str, method: str, *, part: str = "") -> None:
        """Go on only if the client declared what `method` needs.

        Raises:
            RpcError: it did not; the error says what is missing.
        """
        declared = self.capabilities.get(capability)
        parts = _object(declared)
        is_plain_form = part == "form" and not parts
        if isinstance(declared, dict) and (not part or part in parts or is_plain_form):
            return
        inner: JsonObject = {part: {}} if part else {}
        raise RpcError(
            MISSING_CAPABILITY,
            f"{method} needs a capability that the client did not declare",
            {"requiredCapabilities": {capability: inner}},
        )

    def wrapped(self, method: str, result: JsonObject) -> JsonObject:
        """The result with its type, who we are, and for how long it holds."""
        whole: JsonObject = {"resultType": COMPLETE, **result}
        if whole["resultType"] == COMPLETE:
            whole = {**whole, **FRESHNESS.get(method, {}), **result}
        server = fitted(SERVER, PERSONAL_FIELDS, self.revision)
        if method != "server/discover":
            server = {name: server[name] for name in ("name", "version")}
        return {**whole, "_meta": {**_object(result.get("_meta")), SERVER_INFO: server}}


def names_version(message: JsonObject) -> bool:
    """Whether a request is described as those of this era are."""
    return PROTOCOL_VERSION in _object(_object(message.get("params")).get("_meta"))


def described(message: JsonObject) -> JsonObject:
    """`_meta` of a request, with what it must have.

    Raises:
        RpcError: it has not.
    """
    meta = _object(message.get("params")).get("_meta")
    if not isinstance(meta, dict):
        raise RpcError(INVALID_PARAMS, "_meta must be an object, and is needed in every request")
    if not isinstance(meta.get(PROTOCOL_VERSION), str):
        raise RpcError(INVALID_PARAMS, f"_meta lacks {PROTOCOL_VERSION}, a string")
    if not isinstance(meta.get(CLIENT_CAPABILITIES), dict):
        raise RpcError(INVALID_PARAMS, f"_meta lacks {CLIENT_CAPABILITIES}, an object")
    return meta


def unsupported(requested: Json) -> RpcError:
    """The refusal of a revision."""
    supported: list[Json] = [revision.date for revision in STATELESS]
    return RpcError(
        UNSUPPORTED_VERSION,
        f"Unsupported protocol version: {requested}",
        {"supported": supported, "requested": requested},
    )


def _level(meta: JsonObject) -> str:
    """The least urgent level of log messages that is wanted; empty when none are."""
    level = meta.get(LOG_LEVEL, "")
    if not isinstance(level, str) or (level and level not in LEVELS):
        raise RpcError(INVALID_PARAMS, f"Unknown log level: {level}", {"known": [*LEVELS]})
    return level


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}
