"""Every request, in both directions: data only.

Source: the schema of each revision, ClientRequest and ServerRequest.
"""

from __future__ import annotations

from inspector.spec.keys import TASKS_EXTENSION
from inspector.spec.method import Method, RequiredCapability, Side, client, server
from inspector.spec.revision import V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28

_CLIENT_REQUESTS = (
    Method(
        name="initialize", last=V2025_11_25, subject="lifecycle", summary="opens the conversation"
    ),
    Method(
        name="ping", last=V2025_11_25, subject="ping", summary="asks whether the server is alive"
    ),
    Method(
        name="server/discover",
        since=V2026_07_28,
        subject="discover",
        summary="asks what the server is and supports",
    ),
    Method(
        name="tools/list",
        needs=server("tools"),
        subject="tools",
        summary="lists the tools",
    ),
    Method(
        name="tools/call",
        needs=server("tools"),
        subject="tools",
        name_param="name",
        can_require_input=True,
        summary="calls a tool",
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
        summary="asks to be told of changes to a resource",
    ),
    Method(
        name="resources/unsubscribe",
        last=V2025_11_25,
        needs=server("resources", "subscribe"),
        subject="resources",
        name_param="uri",
        summary="asks no longer to be told of changes",
    ),
    Method(
        name="subscriptions/listen",
        since=V2026_07_28,
        subject="subscriptions",
        summary="opens the stream on which changes are announced",
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
        summary="fills in a prompt",
    ),
    Method(
        name="completion/complete",
        last=V2024_11_05,
        subject="completion",
        summary="suggests values for an argument",
    ),
    Method(
        name="completion/complete",
        since=V2025_03_26,
        needs=server("completions"),
        subject="completion",
        summary="suggests values for an argument",
    ),
    Method(
        name="logging/setLevel",
        last=V2025_11_25,
        needs=server("logging"),
        subject="logging",
        summary="sets from which level the server logs",
    ),
)


def _core_tasks(sender: Side) -> tuple[Method, ...]:
    """Tasks are hosted by whoever answers."""
    rows = (
        ("tasks/get", ("tasks",), "asks how a task is doing", "taskId"),
        ("tasks/result", ("tasks",), "waits for the result of a task", "taskId"),
        ("tasks/list", ("tasks", "list"), "lists the tasks", ""),
        ("tasks/cancel", ("tasks", "cancel"), "stops a task", "taskId"),
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
        ("tasks/get", "asks how a task is doing"),
        ("tasks/update", "gives a task the input it waits for"),
        ("tasks/cancel", "asks a task to stop"),
    )
)

_SERVER_REQUESTS = (
    Method(
        name="ping",
        sender=Side.SERVER,
        last=V2025_11_25,
        subject="ping",
        summary="asks whether the client is alive",
    ),
    Method(
        name="roots/list",
        sender=Side.SERVER,
        last=V2025_11_25,
        needs=client("roots"),
        subject="roots",
        summary="asks for the folders the client offers",
    ),
    Method(
        name="roots/list",
        sender=Side.SERVER,
        since=V2026_07_28,
        needs=client("roots"),
        subject="roots",
        only_in_results=True,
        deprecated=True,
        summary="asks for the folders the client offers",
    ),
    Method(
        name="sampling/createMessage",
        sender=Side.SERVER,
        last=V2025_11_25,
        needs=client("sampling"),
        subject="sampling",
        summary="asks for an answer from the client's model",
    ),
    Method(
        name="sampling/createMessage",
        sender=Side.SERVER,
        since=V2026_07_28,
        needs=client("sampling"),
        subject="sampling",
        only_in_results=True,
        deprecated=True,
        summary="asks for an answer from the client's model",
    ),
    Method(
        name="elicitation/create",
        sender=Side.SERVER,
        since=V2025_06_18,
        last=V2025_11_25,
        needs=client("elicitation"),
        subject="elicitation",
        summary="asks the person for input",
    ),
    Method(
        name="elicitation/create",
        sender=Side.SERVER,
        since=V2026_07_28,
        needs=client("elicitation"),
        subject="elicitation",
        only_in_results=True,
        summary="asks the person for input",
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
