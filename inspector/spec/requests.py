"""Every request, in both directions: data only.

Source: the schema of each revision, ClientRequest and ServerRequest.
"""

from __future__ import annotations

from inspector.spec.keys import TASKS_EXTENSION
from inspector.spec.method import Method, RequiredCapability, Side, client, server
from inspector.spec.revision import V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28

_CLIENT_REQUESTS = (
    Method(
        name="initialize", last=V2025_11_25, subject="lifecycle", summary="initialize the session"
    ),
    Method(name="ping", last=V2025_11_25, subject="ping", summary="ping the server"),
    Method(
        name="server/discover",
        since=V2026_07_28,
        subject="discover",
        summary="discover server information and capabilities",
    ),
    Method(
        name="tools/list",
        needs=server("tools"),
        subject="tools",
        summary="list tools",
    ),
    Method(
        name="tools/call",
        needs=server("tools"),
        subject="tools",
        name_param="name",
        can_require_input=True,
        summary="call a tool",
    ),
    Method(
        name="resources/list",
        needs=server("resources"),
        subject="resources",
        summary="lists the resources",
    ),
    Method(
        name="resources/templates/list",
        needs=server("resources"),
        subject="resources",
        summary="lists the resource templates",
    ),
    Method(
        name="resources/read",
        needs=server("resources"),
        subject="resources",
        name_param="uri",
        can_require_input=True,
        summary="reads a resource",
    ),
    Method(
        name="resources/subscribe",
        last=V2025_11_25,
        needs=server("resources", "subscribe"),
        subject="resources",
        name_param="uri",
        summary="subscribe to a resource",
    ),
    Method(
        name="resources/unsubscribe",
        last=V2025_11_25,
        needs=server("resources", "subscribe"),
        subject="resources",
        name_param="uri",
        summary="unsubscribe from a resource",
    ),
    Method(
        name="subscriptions/listen",
        since=V2026_07_28,
        subject="subscriptions",
        summary="open a notification stream",
    ),
    Method(
        name="prompts/list",
        needs=server("prompts"),
        subject="prompts",
        summary="lists the prompts",
    ),
    Method(
        name="prompts/get",
        needs=server("prompts"),
        subject="prompts",
        name_param="name",
        can_require_input=True,
        summary="get a prompt",
    ),
    Method(
        name="completion/complete",
        last=V2024_11_05,
        subject="completion",
        summary="complete an argument",
    ),
    Method(
        name="completion/complete",
        since=V2025_03_26,
        needs=server("completions"),
        subject="completion",
        summary="complete an argument",
    ),
    Method(
        name="logging/setLevel",
        last=V2025_11_25,
        needs=server("logging"),
        subject="logging",
        summary="set the log level",
    ),
)


def _core_tasks(sender: Side) -> tuple[Method, ...]:
    """Tasks are hosted by whoever answers."""
    rows = (
        ("tasks/get", ("tasks",), "get task status", "taskId"),
        ("tasks/result", ("tasks",), "get task result", "taskId"),
        ("tasks/list", ("tasks", "list"), "lists the tasks", ""),
        ("tasks/cancel", ("tasks", "cancel"), "cancel a task", "taskId"),
    )
    return tuple(
        Method(
            name=name,
            sender=sender,
            since=V2025_11_25,
            last=V2025_11_25,
            needs=RequiredCapability(sender.other, path),
            subject="tasks",
            name_param=named_by,
            summary=text,
        )
        for name, path, text, named_by in rows
    )


_EXTENSION_TASKS = tuple(
    Method(
        name=name,
        since=V2026_07_28,
        extension=TASKS_EXTENSION,
        needs=server("extensions", TASKS_EXTENSION),
        subject="tasks",
        name_param="taskId",
        summary=words,
    )
    for name, words in (
        ("tasks/get", "get task status"),
        ("tasks/update", "provide task input"),
        ("tasks/cancel", "cancel a task"),
    )
)

_SERVER_REQUESTS = (
    Method(
        name="ping",
        sender=Side.SERVER,
        last=V2025_11_25,
        subject="ping",
        summary="ping the client",
    ),
    Method(
        name="roots/list",
        sender=Side.SERVER,
        last=V2025_11_25,
        needs=client("roots"),
        subject="roots",
        summary="list roots",
    ),
    Method(
        name="roots/list",
        sender=Side.SERVER,
        since=V2026_07_28,
        needs=client("roots"),
        subject="roots",
        only_in_results=True,
        deprecated=True,
        summary="list roots",
    ),
    Method(
        name="sampling/createMessage",
        sender=Side.SERVER,
        last=V2025_11_25,
        needs=client("sampling"),
        subject="sampling",
        summary="sample the client's model",
    ),
    Method(
        name="sampling/createMessage",
        sender=Side.SERVER,
        since=V2026_07_28,
        needs=client("sampling"),
        subject="sampling",
        only_in_results=True,
        deprecated=True,
        summary="sample the client's model",
    ),
    Method(
        name="elicitation/create",
        sender=Side.SERVER,
        since=V2025_06_18,
        last=V2025_11_25,
        needs=client("elicitation"),
        subject="elicitation",
        summary="request user input",
    ),
    Method(
        name="elicitation/create",
        sender=Side.SERVER,
        since=V2026_07_28,
        needs=client("elicitation"),
        subject="elicitation",
        only_in_results=True,
        summary="request user input",
    ),
)

REQUESTS: tuple[Method, ...] = (
    *_CLIENT_REQUESTS,
    *_core_tasks(Side.CLIENT),
    *_EXTENSION_TASKS,
    *_SERVER_REQUESTS,
    *_core_tasks(Side.SERVER),
)
"""Every row."""
