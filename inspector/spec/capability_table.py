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
    FLAG = "true or false"
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
    Capability(_S, ("tools",), "offers tools to call", "tools"),
    Capability(_S, ("tools", "listChanged"), "says when the list of tools changes", "tools", _FLAG),
    Capability(_S, ("resources",), "offers resources to read", "resources"),
    Capability(
        _S, ("resources", "subscribe"), "says when a watched resource changes", "resources", _FLAG
    ),
    Capability(
        _S,
        ("resources", "listChanged"),
        "says when the list of resources changes",
        "resources",
        _FLAG,
    ),
    Capability(_S, ("prompts",), "offers prompts", "prompts"),
    Capability(
        _S, ("prompts", "listChanged"), "says when the list of prompts changes", "prompts", _FLAG
    ),
    Capability(
        _S, ("completions",), "suggests values for arguments", "completion", since=V2025_03_26
    ),
    Capability(
        _S,
        ("logging",),
        "sends log messages as notifications",
        "logging",
        deprecated_in=V2026_07_28,
    ),
    Capability(_S, ("tasks",), "runs calls as tasks", "tasks", since=V2025_11_25, last=V2025_11_25),
    Capability(
        _S,
        ("tasks", "list"),
        "lists its running tasks",
        "tasks",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    Capability(
        _S, ("tasks", "cancel"), "stops tasks", "tasks", since=V2025_11_25, last=V2025_11_25
    ),
    Capability(
        _S,
        ("tasks", "requests"),
        "names the requests that may be tasks",
        "tasks",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    Capability(
        _S,
        ("tasks", "requests", "tools"),
        "names the tool requests that may be tasks",
        "tasks",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    Capability(
        _S,
        ("tasks", "requests", "tools", "call"),
        "runs tool calls as tasks",
        "tasks",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    Capability(
        _S, ("experimental",), "has abilities outside the specification", "capabilities", _MAP
    ),
    Capability(
        _S, ("extensions",), "supports optional extensions", "extensions", _MAP, since=V2026_07_28
    ),
)

_CLIENT = (
    Capability(
        _C, ("roots",), "says which folders the server may use", "roots", deprecated_in=V2026_07_28
    ),
    Capability(
        _C,
        ("roots", "listChanged"),
        "says when the folders change",
        "roots",
        _FLAG,
        last=V2025_11_25,
    ),
    Capability(
        _C, ("sampling",), "lets the server ask the model", "sampling", deprecated_in=V2026_07_28
    ),
    Capability(
        _C,
        ("sampling", "tools"),
        "lets the model call tools while sampling",
        "sampling",
        since=V2025_11_25,
        deprecated_in=V2026_07_28,
    ),
    Capability(
        _C,
        ("sampling", "context"),
        "adds context from servers while sampling",
        "sampling",
        since=V2025_11_25,
        deprecated_in=V2025_11_25,
    ),
    Capability(
        _C, ("elicitation",), "lets the server ask the person", "elicitation", since=V2025_06_18
    ),
    Capability(
        _C, ("elicitation", "form"), "shows a form to fill in", "elicitation", since=V2025_11_25
    ),
    Capability(
        _C,
        ("elicitation", "url"),
        "sends the person to the browser",
        "elicitation",
        since=V2025_11_25,
    ),
    Capability(
        _C, ("tasks",), "answers requests as tasks", "tasks", since=V2025_11_25, last=V2025_11_25
    ),
    Capability(
        _C,
        ("tasks", "list"),
        "lists its running tasks",
        "tasks",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    Capability(
        _C, ("tasks", "cancel"), "stops tasks", "tasks", since=V2025_11_25, last=V2025_11_25
    ),
    Capability(
        _C,
        ("tasks", "requests"),
        "names the requests that may be tasks",
        "tasks",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    Capability(
        _C,
        ("tasks", "requests", "sampling"),
        "names the sampling requests that may be tasks",
        "tasks",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    Capability(
        _C,
        ("tasks", "requests", "sampling", "createMessage"),
        "answers sampling as a task",
        "tasks",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    Capability(
        _C,
        ("tasks", "requests", "elicitation"),
        "names the elicitation requests that may be tasks",
        "tasks",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    Capability(
        _C,
        ("tasks", "requests", "elicitation", "create"),
        "answers elicitation as a task",
        "tasks",
        since=V2025_11_25,
        last=V2025_11_25,
    ),
    Capability(
        _C, ("experimental",), "has abilities outside the specification", "capabilities", _MAP
    ),
    Capability(
        _C, ("extensions",), "supports optional extensions", "extensions", _MAP, since=V2026_07_28
    ),
)

CAPABILITIES: tuple[Capability, ...] = (*_SERVER, *_CLIENT)
"""Every row; a row stands after the one that holds it."""

EXTENSIONS: dict[str, str] = {
    TASKS_EXTENSION: "runs tool calls as tasks",
    UI_EXTENSION: "brings user interfaces of its own (MCP Apps)",
    CLIENT_CREDENTIALS_EXTENSION: "authorizes a client by its own credentials",
    ENTERPRISE_AUTHORIZATION_EXTENSION: "authorizes through a company's identity provider",
}
"""Known extensions and what they do."""
