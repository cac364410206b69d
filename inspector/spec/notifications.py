"""Every notification, in both directions: data only.

Source: the schema of each revision, ClientNotification and ServerNotification.
"""

from __future__ import annotations

from inspector.spec.keys import TASKS_EXTENSION
from inspector.spec.method import Method, MethodKind, Side, client, server
from inspector.spec.revision import FIFTH, FOURTH

_CLIENT_NOTIFICATIONS = (
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/initialized",
        last=FOURTH,
        subject="lifecycle",
        words="says that the handshake is complete",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/cancelled",
        subject="cancellation",
        words="gives up a request",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/progress",
        last=FOURTH,
        subject="progress",
        words="reports progress of what the server asked for",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/roots/list_changed",
        last=FOURTH,
        needs=client("roots", "listChanged"),
        subject="roots",
        words="says that the folders on offer changed",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/tasks/status",
        since=FOURTH,
        last=FOURTH,
        needs=client("tasks"),
        subject="tasks",
        words="tells how a task is doing",
    ),
)

_SERVER_NOTIFICATIONS = (
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/cancelled",
        sender=Side.SERVER,
        subject="cancellation",
        words="gives up a request, or ends a subscription",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/progress",
        sender=Side.SERVER,
        subject="progress",
        words="reports progress of a request",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/message",
        sender=Side.SERVER,
        last=FOURTH,
        needs=server("logging"),
        subject="logging",
        words="is a line of the server's log",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/message",
        sender=Side.SERVER,
        since=FIFTH,
        needs=server("logging"),
        subject="logging",
        deprecated=True,
        words="is a line of the server's log, for one request",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/tools/list_changed",
        sender=Side.SERVER,
        needs=server("tools", "listChanged"),
        subject="tools",
        words="says that the list of tools changed",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/prompts/list_changed",
        sender=Side.SERVER,
        needs=server("prompts", "listChanged"),
        subject="prompts",
        words="says that the list of prompts changed",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/resources/list_changed",
        sender=Side.SERVER,
        needs=server("resources", "listChanged"),
        subject="resources",
        words="says that the list of resources changed",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/resources/updated",
        sender=Side.SERVER,
        needs=server("resources", "subscribe"),
        subject="resources",
        named_by="uri",
        words="says that a resource changed",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/elicitation/complete",
        sender=Side.SERVER,
        since=FOURTH,
        last=FOURTH,
        needs=client("elicitation", "url"),
        subject="elicitation",
        words="says that what was done in the browser is complete",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/tasks/status",
        sender=Side.SERVER,
        since=FOURTH,
        last=FOURTH,
        needs=server("tasks"),
        subject="tasks",
        words="tells how a task is doing",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/tasks",
        sender=Side.SERVER,
        since=FIFTH,
        extension=TASKS_EXTENSION,
        needs=server("extensions", TASKS_EXTENSION),
        subject="tasks",
        words="tells how a task is doing",
    ),
    Method(
        kind=MethodKind.NOTIFICATION,
        name="notifications/subscriptions/acknowledged",
        sender=Side.SERVER,
        since=FIFTH,
        subject="subscriptions",
        words="says which announcements the server will send",
    ),
)

NOTIFICATIONS: tuple[Method, ...] = (*_CLIENT_NOTIFICATIONS, *_SERVER_NOTIFICATIONS)
"""Every row."""
