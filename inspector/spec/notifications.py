"""Every notification, in both directions: data only.

Source: the schema of each revision, ClientNotification and ServerNotification.
"""

from __future__ import annotations

from inspector.spec.keys import TASKS_EXTENSION
from inspector.spec.method import Method, MethodKind, Side, client, server
from inspector.spec.revision import V2025_11_25, V2026_07_28

_CLIENT_NOTIFICATIONS = (
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/initialized",
        last=V2025_11_25,
        subject="lifecycle",
        summary="initialization complete",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/cancelled",
        subject="cancellation",
        summary="request cancelled",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/progress",
        last=V2025_11_25,
        subject="progress",
        summary="progress of a server request",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/roots/list_changed",
        last=V2025_11_25,
        needs=client("roots", "listChanged"),
        subject="roots",
        summary="roots changed",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/tasks/status",
        since=V2025_11_25,
        last=V2025_11_25,
        needs=client("tasks"),
        subject="tasks",
        summary="task status",
    ),
)

_SERVER_NOTIFICATIONS = (
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/cancelled",
        sender=Side.SERVER,
        subject="cancellation",
        summary="request cancelled or subscription ended",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/progress",
        sender=Side.SERVER,
        subject="progress",
        summary="request progress",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/message",
        sender=Side.SERVER,
        last=V2025_11_25,
        needs=server("logging"),
        subject="logging",
        summary="log message",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/message",
        sender=Side.SERVER,
        since=V2026_07_28,
        needs=server("logging"),
        subject="logging",
        deprecated=True,
        summary="log message of one request",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/tools/list_changed",
        sender=Side.SERVER,
        needs=server("tools", "listChanged"),
        subject="tools",
        summary="tools list changed",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/prompts/list_changed",
        sender=Side.SERVER,
        needs=server("prompts", "listChanged"),
        subject="prompts",
        summary="prompts list changed",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/resources/list_changed",
        sender=Side.SERVER,
        needs=server("resources", "listChanged"),
        subject="resources",
        summary="resources list changed",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/resources/updated",
        sender=Side.SERVER,
        needs=server("resources", "subscribe"),
        subject="resources",
        name_param="uri",
        summary="resource updated",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/elicitation/complete",
        sender=Side.SERVER,
        since=V2025_11_25,
        last=V2025_11_25,
        needs=client("elicitation", "url"),
        subject="elicitation",
        summary="URL elicitation completed",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/tasks/status",
        sender=Side.SERVER,
        since=V2025_11_25,
        last=V2025_11_25,
        needs=server("tasks"),
        subject="tasks",
        summary="task status",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/tasks",
        sender=Side.SERVER,
        since=V2026_07_28,
        extension=TASKS_EXTENSION,
        needs=server("extensions", TASKS_EXTENSION),
        subject="tasks",
        summary="task status",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/subscriptions/acknowledged",
        sender=Side.SERVER,
        since=V2026_07_28,
        subject="subscriptions",
        summary="subscription acknowledged",
    ),
)

NOTIFICATIONS: tuple[Method, ...] = (*_CLIENT_NOTIFICATIONS, *_SERVER_NOTIFICATIONS)
"""Every row."""
