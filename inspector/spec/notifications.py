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
        summary="says that the handshake is complete",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/cancelled",
        subject="cancellation",
        summary="gives up a request",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/progress",
        last=V2025_11_25,
        subject="progress",
        summary="reports progress of what the server asked for",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/roots/list_changed",
        last=V2025_11_25,
        needs=client("roots", "listChanged"),
        subject="roots",
        summary="says that the folders on offer changed",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/tasks/status",
        since=V2025_11_25,
        last=V2025_11_25,
        needs=client("tasks"),
        subject="tasks",
        summary="tells how a task is doing",
    ),
)

_SERVER_NOTIFICATIONS = (
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/cancelled",
        sender=Side.SERVER,
        subject="cancellation",
        summary="gives up a request, or ends a subscription",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/progress",
        sender=Side.SERVER,
        subject="progress",
        summary="reports progress of a request",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/message",
        sender=Side.SERVER,
        last=V2025_11_25,
        needs=server("logging"),
        subject="logging",
        summary="is a line of the server's log",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/message",
        sender=Side.SERVER,
        since=V2026_07_28,
        needs=server("logging"),
        subject="logging",
        deprecated=True,
        summary="is a line of the server's log, for one request",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/tools/list_changed",
        sender=Side.SERVER,
        needs=server("tools", "listChanged"),
        subject="tools",
        summary="says that the list of tools changed",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/prompts/list_changed",
        sender=Side.SERVER,
        needs=server("prompts", "listChanged"),
        subject="prompts",
        summary="says that the list of prompts changed",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/resources/list_changed",
        sender=Side.SERVER,
        needs=server("resources", "listChanged"),
        subject="resources",
        summary="says that the list of resources changed",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/resources/updated",
        sender=Side.SERVER,
        needs=server("resources", "subscribe"),
        subject="resources",
        name_param="uri",
        summary="says that a resource changed",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/elicitation/complete",
        sender=Side.SERVER,
        since=V2025_11_25,
        last=V2025_11_25,
        needs=client("elicitation", "url"),
        subject="elicitation",
        summary="says that what was done in the browser is complete",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/tasks/status",
        sender=Side.SERVER,
        since=V2025_11_25,
        last=V2025_11_25,
        needs=server("tasks"),
        subject="tasks",
        summary="tells how a task is doing",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/tasks",
        sender=Side.SERVER,
        since=V2026_07_28,
        extension=TASKS_EXTENSION,
        needs=server("extensions", TASKS_EXTENSION),
        subject="tasks",
        summary="tells how a task is doing",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/subscriptions/acknowledged",
        sender=Side.SERVER,
        since=V2026_07_28,
        subject="subscriptions",
        summary="says which announcements the server will send",
    ),
)

NOTIFICATIONS: tuple[Method, ...] = (*_CLIENT_NOTIFICATIONS, *_SERVER_NOTIFICATIONS)
"""Every row."""
