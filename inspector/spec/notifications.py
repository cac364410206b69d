"""Every notification, in both directions: data only.

Source: the schema of each revision, ClientNotification and ServerNotification.
"""

from __future__ import annotations

from inspector.spec.keys import TASKS_EXTENSION
from inspector.spec.method import Method, MethodKind, Side, client, sent_by, server
from inspector.spec.revision import V2025_11_25, V2026_07_28

_OLD, _NEW = V2025_11_25, V2026_07_28
"""The last revision of the stateful era and the first of the stateless one."""

_CLIENT_NOTIFICATIONS = (
    Method("notifications/initialized", "lifecycle", "initialization complete", last=_OLD),
    Method("notifications/cancelled", "cancellation", "request cancelled"),
    Method("notifications/progress", "progress", "progress of a server request", last=_OLD),
    Method(
        "notifications/roots/list_changed",
        "roots",
        "roots changed",
        needs=client("roots", "listChanged"),
        last=_OLD,
    ),
    Method(
        "notifications/tasks/status", "tasks", "task status", client("tasks"), since=_OLD, last=_OLD
    ),
)

_SERVER_NOTIFICATIONS = (
    Method("notifications/cancelled", "cancellation", "request cancelled or subscription ended"),
    Method("notifications/progress", "progress", "request progress"),
    Method("notifications/message", "logging", "log message", server("logging"), last=_OLD),
    Method(
        "notifications/message",
        "logging",
        "log message of one request",
        server("logging"),
        since=_NEW,
        deprecated=True,
    ),
    *(
        Method(
            f"notifications/{lists}/list_changed",
            lists,
            f"{lists} list changed",
            needs=server(lists, "listChanged"),
        )
        for lists in ("tools", "prompts", "resources")
    ),
    Method(
        "notifications/resources/updated",
        "resources",
        "resource updated",
        needs=server("resources", "subscribe"),
        name_param="uri",
    ),
    Method(
        "notifications/elicitation/complete",
        "elicitation",
        "URL elicitation completed",
        needs=client("elicitation", "url"),
        since=_OLD,
        last=_OLD,
    ),
    Method(
        "notifications/tasks/status", "tasks", "task status", server("tasks"), since=_OLD, last=_OLD
    ),
    Method(
        "notifications/tasks",
        "tasks",
        "task status",
        server("extensions", TASKS_EXTENSION),
        since=_NEW,
        extension=TASKS_EXTENSION,
    ),
    Method(
        "notifications/subscriptions/acknowledged",
        "subscriptions",
        "subscription acknowledged",
        since=_NEW,
    ),
)

NOTIFICATIONS: tuple[Method, ...] = (
    *sent_by(Side.CLIENT, _CLIENT_NOTIFICATIONS, MethodKind.NOTIFICATION),
    *sent_by(Side.SERVER, _SERVER_NOTIFICATIONS, MethodKind.NOTIFICATION),
)
"""Every row."""
