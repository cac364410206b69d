"""Every capability: data only.

Source: the schema of each revision, ClientCapabilities and ServerCapabilities; basic, "Capability Negotiation".
"""

from __future__ import annotations

from enum import Enum

from msgspec.structs import replace

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
    """Declared if present, even when empty."""
    FLAG = "a boolean"
    """Declared if true."""
    MAP = "an object of objects"
    """Each member is a capability with a name of the declaring side."""


class Capability(FrozenStruct, frozen=True):
    """A feature that one side may declare."""

    side: Side
    """The side that declares it."""
    path: tuple[str, ...]
    """Keys from `capabilities` inward."""
    summary: str
    """A label."""
    subject: str
    """The topic of `spec_urls` that describes it."""
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
        """The path with dots, e.g. `resources.subscribe`."""
        return ".".join(self.path)

    def applies_to(self, revision: Revision) -> bool:
        """Whether `revision` defines it."""
        return self.since <= revision <= self.last


_FLAG, _MAP = CapabilityType.FLAG, CapabilityType.MAP


def _row(
    name: str,
    summary: str,
    shape: CapabilityType = CapabilityType.OBJECT,
    *,
    since: Revision = V2024_11_05,
    last: Revision = NEWEST,
    deprecated_in: Revision | None = None,
    subject: str = "",
) -> Capability:
    """Return a capability of the server; the topic is the first key unless `subject` names another one."""
    path = tuple(name.split("."))
    return Capability(
        Side.SERVER, path, summary, subject or path[0], shape, since, last, deprecated_in
    )


def _core_tasks(*rows: tuple[str, str]) -> tuple[Capability, ...]:
    """Return the capabilities of the revision in which tasks are part of the core."""
    return tuple(_row(name, text, since=V2025_11_25, last=V2025_11_25) for name, text in rows)


_EXPERIMENTAL = _row("experimental", "non-standard features", _MAP, subject="capabilities")
_EXTENSIONS = _row("extensions", "optional extensions", _MAP, since=V2026_07_28)

_SERVER = (
    _row("tools", "tools"),
    _row("tools.listChanged", "notifies when the tools list changes", _FLAG),
    _row("resources", "resources"),
    _row("resources.subscribe", "notifies when a subscribed resource changes", _FLAG),
    _row("resources.listChanged", "notifies when the resources list changes", _FLAG),
    _row("prompts", "prompts"),
    _row("prompts.listChanged", "notifies when the prompts list changes", _FLAG),
    _row("completions", "argument completion", since=V2025_03_26, subject="completion"),
    _row("logging", "log notifications", deprecated_in=V2026_07_28),
    *_core_tasks(
        ("tasks", "tool calls as tasks"),
        ("tasks.list", "task listing"),
        ("tasks.cancel", "task cancellation"),
        ("tasks.requests", "requests that can run as tasks"),
        ("tasks.requests.tools", "tool requests that can run as tasks"),
        ("tasks.requests.tools.call", "tool calls as tasks"),
    ),
    _EXPERIMENTAL,
    _EXTENSIONS,
)

_CLIENT = (
    _row("roots", "roots", deprecated_in=V2026_07_28),
    _row("roots.listChanged", "notifies when the roots change", _FLAG, last=V2025_11_25),
    _row("sampling", "sampling", deprecated_in=V2026_07_28),
    _row("sampling.tools", "sampling with tools", since=V2025_11_25, deprecated_in=V2026_07_28),
    _row(
        "sampling.context",
        "sampling with server context",
        since=V2025_11_25,
        deprecated_in=V2025_11_25,
    ),
    _row("elicitation", "elicitation", since=V2025_06_18),
    _row("elicitation.form", "form elicitation", since=V2025_11_25),
    _row("elicitation.url", "URL elicitation", since=V2025_11_25),
    *_core_tasks(
        ("tasks", "client-side tasks"),
        ("tasks.list", "task listing"),
        ("tasks.cancel", "task cancellation"),
        ("tasks.requests", "requests that can run as tasks"),
        ("tasks.requests.sampling", "sampling requests that can run as tasks"),
        ("tasks.requests.sampling.createMessage", "sampling as a task"),
        ("tasks.requests.elicitation", "elicitation requests that can run as tasks"),
        ("tasks.requests.elicitation.create", "elicitation as a task"),
    ),
    _EXPERIMENTAL,
    _EXTENSIONS,
)

CAPABILITIES: tuple[Capability, ...] = (
    *_SERVER,
    *(replace(row, side=Side.CLIENT) for row in _CLIENT),
)
"""Every row; a row stands after the one that holds it."""

EXTENSIONS: dict[str, str] = {
    TASKS_EXTENSION: "tool calls as tasks",
    UI_EXTENSION: "MCP Apps user interfaces",
    CLIENT_CREDENTIALS_EXTENSION: "client-credentials authorization",
    ENTERPRISE_AUTHORIZATION_EXTENSION: "enterprise-managed authorization",
}
"""Known extensions and what they do."""
