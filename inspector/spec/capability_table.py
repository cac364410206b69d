"""Every capability: data only.

Source: the schema of each revision, ClientCapabilities and ServerCapabilities; basic, "Capability Negotiation".
"""

from __future__ import annotations

from enum import Enum

from inspector.frozen import FrozenStruct
from inspector.spec.keys import (
    CLIENT_CREDENTIALS_EXTENSION,
    ENTERPRISE_AUTHORIZATION_EXTENSION,
    TASKS_EXTENSION,
    UI_EXTENSION,
)
from inspector.spec.method import Side
from inspector.spec.revision import (
    NEWEST,
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
    Revision,
)


class CapabilityType(Enum):
    """What the value of a capability must be."""

    OBJECT = "an object"
    """Declared by being there, however empty."""
    FLAG = "a boolean"
    """Declared by being true."""
    MAP = "an object of objects"
    """Each of its members is a capability of its own, named by whoever declares it."""


class Capability(FrozenStruct, frozen=True):
    """One thing a side may declare."""

    side: Side
    """Who declares it."""
    path: tuple[str, ...]
    """Keys from `capabilities` inward."""
    summary: str
    """What it promises."""
    subject: str
    """The subject of `links` that describes it."""
    shape: CapabilityType = CapabilityType.OBJECT
    """What its value must be."""
    since: Revision = V2024_11_05
    """The first revision that has it."""
    last: Revision = NEWEST
    """The last one."""
    deprecated_in: Revision | None = None
    """The revision that advises against it."""

    @property
    def name(self) -> str:
        """How people write it, e.g. `resources.subscribe`."""
        return ".".join(self.path)

    def applies_to(self, revision: Revision) -> bool:
        """Whether `revision` defines it."""
        return self.since <= revision <= self.last


_S, _C = Side.SERVER, Side.CLIENT
_FLAG, _MAP = CapabilityType.FLAG, CapabilityType.MAP

_SERVER = (
    Capability(_S, ("tools",), "tools", "tools"),
    Capability(
        _S, ("tools", "listChanged"), "notifies when the tools list changes", "tools", _FLAG
    ),
    Capability(_S, ("resources",), "resources", "resources"),
    Capability(
        _S,
        ("resources", "subscribe"),
        "notifies when a subscribed resource changes",
        "resources",
        _FLAG,
    ),
    Capability(
        _S,
        ("resources", "listChanged"),
        "notifies when the resources list changes",
        "resources",
        _FLAG,
    ),
    Capability(_S, ("prompts",), "prompts", "prompts"),
    Capability(
        _S, ("prompts", "listChanged"), "notifies when the prompts list changes", "prompts", _FLAG
    ),
    Capability(_S, ("completions",), "argument completion", "completion", since=V2025_03_26),
    Capability(
        _S,
        ("logging",),
        "log notifications",
        "logging",
        deprecated_in=V2026_07_28,
    ),
    Capability(_S, ("tasks",), "tool calls as tasks", "tasks", since=V2025_11_25, last=V2025_11_25),
    Capability(
        _S,
        ("tasks", "list"),
        "task listing",
        "tasks",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    Capability(
        _S, ("tasks", "cancel"), "task cancellation", "tasks", since=V2025_11_25, last=V2025_11_25
    ),
    Capability(
        _S,
        ("tasks", "requests"),
        "requests that can run as tasks",
        "tasks",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    Capability(
        _S,
        ("tasks", "requests", "tools"),
        "tool requests that can run as tasks",
        "tasks",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    Capability(
        _S,
        ("tasks", "requests", "tools", "call"),
        "tool calls as tasks",
        "tasks",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    Capability(_S, ("experimental",), "non-standard features", "capabilities", _MAP),
    Capability(_S, ("extensions",), "optional extensions", "extensions", _MAP, since=V2026_07_28),
)

_CLIENT = (
    Capability(_C, ("roots",), "roots", "roots", deprecated_in=V2026_07_28),
    Capability(
        _C,
        ("roots", "listChanged"),
        "notifies when the roots change",
        "roots",
        _FLAG,
        last=V2025_11_25,
    ),
    Capability(_C, ("sampling",), "sampling", "sampling", deprecated_in=V2026_07_28),
    Capability(
        _C,
        ("sampling", "tools"),
        "sampling with tools",
        "sampling",
        since=V2025_11_25,
        deprecated_in=V2026_07_28,
    ),
    Capability(
        _C,
        ("sampling", "context"),
        "sampling with server context",
        "sampling",
        since=V2025_11_25,
        deprecated_in=V2025_11_25,
    ),
    Capability(_C, ("elicitation",), "elicitation", "elicitation", since=V2025_06_18),
    Capability(_C, ("elicitation", "form"), "form elicitation", "elicitation", since=V2025_11_25),
    Capability(
        _C,
        ("elicitation", "url"),
        "URL elicitation",
        "elicitation",
        since=V2025_11_25,
    ),
    Capability(_C, ("tasks",), "client-side tasks", "tasks", since=V2025_11_25, last=V2025_11_25),
    Capability(
        _C,
        ("tasks", "list"),
        "task listing",
        "tasks",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    Capability(
        _C, ("tasks", "cancel"), "task cancellation", "tasks", since=V2025_11_25, last=V2025_11_25
    ),
    Capability(
        _C,
        ("tasks", "requests"),
        "requests that can run as tasks",
        "tasks",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    Capability(
        _C,
        ("tasks", "requests", "sampling"),
        "sampling requests that can run as tasks",
        "tasks",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    Capability(
        _C,
        ("tasks", "requests", "sampling", "createMessage"),
        "sampling as a task",
        "tasks",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    Capability(
        _C,
        ("tasks", "requests", "elicitation"),
        "elicitation requests that can run as tasks",
        "tasks",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    Capability(
        _C,
        ("tasks", "requests", "elicitation", "create"),
        "elicitation as a task",
        "tasks",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    Capability(_C, ("experimental",), "non-standard features", "capabilities", _MAP),
    Capability(_C, ("extensions",), "optional extensions", "extensions", _MAP, since=V2026_07_28),
)

CAPABILITIES: tuple[Capability, ...] = (*_SERVER, *_CLIENT)
"""Every row; a row stands after the one that holds it."""

EXTENSIONS: dict[str, str] = {
    TASKS_EXTENSION: "tool calls as tasks",
    UI_EXTENSION: "MCP Apps user interfaces",
    CLIENT_CREDENTIALS_EXTENSION: "client-credentials authorization",
    ENTERPRISE_AUTHORIZATION_EXTENSION: "enterprise-managed authorization",
}
"""Known extensions and what they do."""
