"""Names that the protocol reserves: `_meta` keys, HTTP headers, content types, extensions, log levels.

Source: basic, "_meta"; transports, headers; server features, content types; RFC 5424 for the levels.
"""

from __future__ import annotations

import re

from inspector.frozen import FrozenStruct
from inspector.spec.revision import (
    NEWEST,
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
    Revision,
)

META = "_meta"
"""Where metadata lives in params, results and definitions."""

PREFIX = "io.modelcontextprotocol/"
"""What the protocol's own `_meta` keys and extensions begin with."""

PROGRESS_TOKEN = "progressToken"
META_PROTOCOL_VERSION = PREFIX + "protocolVersion"
META_CLIENT_INFO = PREFIX + "clientInfo"
META_CLIENT_CAPABILITIES = PREFIX + "clientCapabilities"
META_LOG_LEVEL = PREFIX + "logLevel"
OF_EVERY_REQUEST = frozenset(
    {META_PROTOCOL_VERSION, META_CLIENT_INFO, META_CLIENT_CAPABILITIES, META_LOG_LEVEL}
)
"""What a request of the stateless era says of itself."""

META_SERVER_INFO = PREFIX + "serverInfo"
META_SUBSCRIPTION_ID = PREFIX + "subscriptionId"
META_RELATED_TASK = PREFIX + "related-task"
META_IMMEDIATE_RESPONSE = PREFIX + "model-immediate-response"
META_UI = "ui"

TASKS_EXTENSION = PREFIX + "tasks"
UI_EXTENSION = PREFIX + "ui"
CLIENT_CREDENTIALS_EXTENSION = PREFIX + "oauth-client-credentials"
ENTERPRISE_AUTHORIZATION_EXTENSION = PREFIX + "enterprise-managed-authorization"

HEADER_PROTOCOL_VERSION = "MCP-Protocol-Version"
HEADER_SESSION_ID = "Mcp-Session-Id"
HEADER_METHOD = "Mcp-Method"
HEADER_NAME = "Mcp-Name"
HEADER_PARAM_PREFIX = "Mcp-Param-"
HEADER_LAST_EVENT_ID = "Last-Event-ID"

LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""From the least to the most severe."""

RESULT_COMPLETE = "complete"
RESULT_INPUT_REQUIRED = "input_required"
RESULT_TASK = "task"
"""What `resultType` may say; the last one belongs to the tasks extension."""

CACHE_SCOPES = ("private", "public")
"""What `cacheScope` may say."""


class Reserved(FrozenStruct, frozen=True):
    """A name with a meaning of its own."""

    name: str
    """As on the wire."""
    summary: str
    """What it says."""
    since: Revision = V2024_11_05
    """The first revision that has it."""
    last: Revision = NEWEST
    """The last one."""

    def applies_to(self, revision: Revision) -> bool:
        """Whether `revision` has it."""
        return self.since <= revision <= self.last


META_KEYS: tuple[Reserved, ...] = (
    Reserved(PROGRESS_TOKEN, "token for progress notifications"),
    Reserved(META_RELATED_TASK, "related task", V2025_11_25, V2025_11_25),
    Reserved(META_IMMEDIATE_RESPONSE, "interim message for the model", V2025_11_25, V2025_11_25),
    Reserved(META_PROTOCOL_VERSION, "protocol revision of the request", V2026_07_28),
    Reserved(META_CLIENT_CAPABILITIES, "client capabilities", V2026_07_28),
    Reserved(META_CLIENT_INFO, "client information", V2026_07_28),
    Reserved(META_LOG_LEVEL, "minimum log level", V2026_07_28),
    Reserved(META_SERVER_INFO, "server information", V2026_07_28),
    Reserved(META_SUBSCRIPTION_ID, "subscription id", V2026_07_28),
    Reserved("traceparent", "W3C trace context", V2026_07_28),
    Reserved("tracestate", "W3C trace state", V2026_07_28),
    Reserved("baggage", "W3C baggage", V2026_07_28),
    Reserved(META_UI, "user interface (MCP Apps)"),
)
"""Keys of `_meta` that the specification or a known extension defines."""

CONTENT_TYPES: tuple[Reserved, ...] = (
    Reserved("text", "text"),
    Reserved("image", "image"),
    Reserved("audio", "sound", V2025_03_26),
    Reserved("resource", "embedded resource"),
    Reserved("resource_link", "resource link", V2025_06_18),
    Reserved("tool_use", "tool use", V2025_11_25),
    Reserved("tool_result", "tool result", V2025_11_25),
)
"""What `type` of a content block may say."""

SAMPLING_ONLY = frozenset({"tool_use", "tool_result"})
"""Content types that occur only in sampling messages."""

SERVER_CONTENT = frozenset(row.name for row in CONTENT_TYPES) - SAMPLING_ONLY
"""Content types of results of tools and of messages of prompts."""

_CONTENT_BY_NAME = {row.name: row for row in CONTENT_TYPES}
_META_BY_NAME = {row.name: row for row in META_KEYS}

# "Labels MUST start with a letter and end with a letter or digit; interior characters can be letters, digits, or
# hyphens" and "Unless empty, MUST begin and end with an alphanumeric character".
_LABEL = r"[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_META_KEY = re.compile(
    rf"(?:(?P<prefix>{_LABEL}(?:\.{_LABEL})*)/)?(?P<name>(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?)"
)
_OWN_LABELS = frozenset({"mcp", "modelcontextprotocol"})


def content_type(name: str) -> Reserved | None:
    """Return what is known of a content type."""
    return _CONTENT_BY_NAME.get(name)


def meta_key(name: str) -> Reserved | None:
    """Return what is known of a `_meta` key."""
    return _META_BY_NAME.get(name)


def is_meta_key(key: str) -> bool:
    """Whether `key` follows the grammar `[prefix/]name`."""
    return bool(key) and _META_KEY.fullmatch(key) is not None


def is_reserved_prefix(key: str, revision: Revision) -> bool:
    """Whether the prefix of `key` belongs to the protocol.

    Before 2025-11-25: any label `mcp` or `modelcontextprotocol` that another label follows. From then on prefixes are reversed
    domain names and the second label decides.
    """
    prefix, slash, _ = key.rpartition("/")
    labels = prefix.split(".")
    if not slash or not revision.defines_meta_keys:
        return False
    if revision < V2025_11_25:
        return any(label in _OWN_LABELS for label in labels[:-1])
    return len(labels) > 1 and labels[1] in _OWN_LABELS
