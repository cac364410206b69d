"""Every request, in both directions: data only.

Source: the schema of each revision, ClientRequest and ServerRequest.
"""

from __future__ import annotations

from inspector.spec.keys import TASKS_EXTENSION
from inspector.spec.method import Method, Need, Side, client, server
from inspector.spec.revision import FIFTH, FIRST, FOURTH, SECOND, THIRD

_CLIENT_REQUESTS = (
    Method(name="initialize", last=FOURTH, subject="lifecycle", words="opens the conversation"),
    Method(name="ping", last=FOURTH, subject="ping", words="asks whether the server is alive"),
    Method(
        name="server/discover",
        since=FIFTH,
        subject="discover",
        words="asks what the server is and supports",
    ),
    Method(
        name="tools/list",
        needs=server("tools"),
        subject="tools",
        words="lists the tools",
    ),
    Method(
        name="tools/call",
        needs=server("tools"),
        subject="tools",
        named_by="name",
        may_ask=True,
        words="calls a tool",
    ),
    Method(
        name="resources/list",
        needs=server("resources"),
        subject="resources",
        words="lists the resources",
    ),
    Method(
        name="resources/templates/list",
        needs=server("resources"),
        subject="resources",
        words="lists the resource templates",
    ),
    Method(
        name="resources/read",
        needs=server("resources"),
        subject="resources",
        named_by="uri",
        may_ask=True,
        words="reads a resource",
    ),
    Method(
        name="resources/subscribe",
        last=FOURTH,
        needs=server("resources", "subscribe"),
        subject="resources",
        named_by="uri",
        words="asks to be told of changes to a resource",
    ),
    Method(
        name="resources/unsubscribe",
        last=FOURTH,
        needs=server("resources", "subscribe"),
        subject="resources",
        named_by="uri",
        words="asks no longer to be told of changes",
    ),
    Method(
        name="subscriptions/listen",
        since=FIFTH,
        subject="subscriptions",
        words="opens the stream on which changes are announced",
    ),
    Method(
        name="prompts/list",
        needs=server("prompts"),
        subject="prompts",
        words="lists the prompts",
    ),
    Method(
        name="prompts/get",
        needs=server("prompts"),
        subject="prompts",
        named_by="name",
        may_ask=True,
        words="fills in a prompt",
    ),
    Method(
        name="completion/complete",
        last=FIRST,
        subject="completion",
        words="suggests values for an argument",
    ),
    Method(
        name="completion/complete",
        since=SECOND,
        needs=server("completions"),
        subject="completion",
        words="suggests values for an argument",
    ),
    Method(
        name="logging/setLevel",
        last=FOURTH,
        needs=server("logging"),
        subject="logging",
        words="sets from which level the server logs",
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
            since=FOURTH,
            last=FOURTH,
            needs=Need(sender.other, path),
            subject="tasks",
            named_by=named_by,
            words=words,
        )
        for name, path, words, named_by in rows
    )


_EXTENSION_TASKS = tuple(
    Method(
        name=name,
        since=FIFTH,
        extension=TASKS_EXTENSION,
        needs=server("extensions", TASKS_EXTENSION),
        subject="tasks",
        named_by="taskId",
        words=words,
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
        last=FOURTH,
        subject="ping",
        words="asks whether the client is alive",
    ),
    Method(
        name="roots/list",
        sender=Side.SERVER,
        last=FOURTH,
        needs=client("roots"),
        subject="roots",
        words="asks for the folders the client offers",
    ),
    Method(
        name="roots/list",
        sender=Side.SERVER,
        since=FIFTH,
        needs=client("roots"),
        subject="roots",
        embedded=True,
        deprecated=True,
        words="asks for the folders the client offers",
    ),
    Method(
        name="sampling/createMessage",
        sender=Side.SERVER,
        last=FOURTH,
        needs=client("sampling"),
        subject="sampling",
        words="asks for an answer from the client's model",
    ),
    Method(
        name="sampling/createMessage",
        sender=Side.SERVER,
        since=FIFTH,
        needs=client("sampling"),
        subject="sampling",
        embedded=True,
        deprecated=True,
        words="asks for an answer from the client's model",
    ),
    Method(
        name="elicitation/create",
        sender=Side.SERVER,
        since=THIRD,
        last=FOURTH,
        needs=client("elicitation"),
        subject="elicitation",
        words="asks the person for input",
    ),
    Method(
        name="elicitation/create",
        sender=Side.SERVER,
        since=FIFTH,
        needs=client("elicitation"),
        subject="elicitation",
        embedded=True,
        words="asks the person for input",
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
