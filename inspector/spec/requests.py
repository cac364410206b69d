"""Every request, in both directions: data only. A method has one row for each sender and each range of revisions with other facts.

Source: the schema of each revision, ClientRequest and ServerRequest.
"""

from __future__ import annotations

from functools import partial

from inspector.spec.keys import TASKS_EXTENSION
from inspector.spec.method import Method, RequiredCapability, Side, client, sent_by, server
from inspector.spec.revision import V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28

_TOOLS, _PROMPTS, _RESOURCES = server("tools"), server("prompts"), server("resources")
_SUBSCRIBE, _LOGGING = server("resources", "subscribe"), server("logging")
_ROOTS, _SAMPLING, _ELICITATION = client("roots"), client("sampling"), client("elicitation")
_OLD, _NEW = V2025_11_25, V2026_07_28
"""The last revision of the stateful era and the first of the stateless one."""

_query = partial(Method, is_repeatable=True)
"""A request that changes nothing."""

_CLIENT_REQUESTS = (
    Method("initialize", "lifecycle", "initialize the session", last=_OLD, opens_session=True),
    _query("ping", "ping", "ping the server", last=_OLD),
    _query(
        "server/discover",
        "discover",
        "discover server information and capabilities",
        since=_NEW,
        opens_session=True,
    ),
    _query("tools/list", "tools", "list tools", _TOOLS),
    Method("tools/call", "tools", "call a tool", _TOOLS, "name", can_require_input=True),
    _query("resources/list", "resources", "list resources", _RESOURCES),
    _query("resources/templates/list", "resources", "list resource templates", _RESOURCES),
    _query(
        "resources/read", "resources", "read a resource", _RESOURCES, "uri", can_require_input=True
    ),
    Method(
        "resources/subscribe", "resources", "subscribe to a resource", _SUBSCRIBE, "uri", last=_OLD
    ),
    Method(
        "resources/unsubscribe",
        "resources",
        "unsubscribe from a resource",
        _SUBSCRIBE,
        "uri",
        last=_OLD,
    ),
    Method("subscriptions/listen", "subscriptions", "open a notification stream", since=_NEW),
    _query("prompts/list", "prompts", "list prompts", _PROMPTS),
    _query("prompts/get", "prompts", "get a prompt", _PROMPTS, "name", can_require_input=True),
    _query("completion/complete", "completion", "complete an argument", last=V2024_11_05),
    _query(
        "completion/complete",
        "completion",
        "complete an argument",
        server("completions"),
        since=V2025_03_26,
    ),
    Method("logging/setLevel", "logging", "set the log level", _LOGGING, last=_OLD),
)


def _core_tasks(host: Side) -> tuple[Method, ...]:
    """Return the requests about tasks that `host` runs."""
    tasks, tasks_list, tasks_cancel = (
        RequiredCapability(host, path)
        for path in (("tasks",), ("tasks", "list"), ("tasks", "cancel"))
    )
    return (
        _query("tasks/get", "tasks", "get task status", tasks, "taskId", _OLD, _OLD),
        Method("tasks/result", "tasks", "get task result", tasks, "taskId", _OLD, _OLD),
        _query("tasks/list", "tasks", "list tasks", tasks_list, "", _OLD, _OLD),
        Method("tasks/cancel", "tasks", "cancel a task", tasks_cancel, "taskId", _OLD, _OLD),
    )


_EXTENSION = server("extensions", TASKS_EXTENSION)
_EXTENSION_TASKS = tuple(
    Method(name, "tasks", summary, _EXTENSION, "taskId", _NEW, extension=TASKS_EXTENSION)
    for name, summary in (
        ("tasks/get", "get task status"),
        ("tasks/update", "provide task input"),
        ("tasks/cancel", "cancel a task"),
    )
)

_SERVER_REQUESTS = (
    Method("ping", "ping", "ping the client", last=_OLD),
    Method("roots/list", "roots", "list roots", _ROOTS, last=_OLD),
    Method(
        "roots/list",
        "roots",
        "list roots",
        _ROOTS,
        since=_NEW,
        only_in_results=True,
        deprecated=True,
    ),
    Method("sampling/createMessage", "sampling", "sample the client's model", _SAMPLING, last=_OLD),
    Method(
        "sampling/createMessage",
        "sampling",
        "sample the client's model",
        _SAMPLING,
        since=_NEW,
        only_in_results=True,
        deprecated=True,
    ),
    Method(
        "elicitation/create",
        "elicitation",
        "request user input",
        _ELICITATION,
        since=V2025_06_18,
        last=_OLD,
    ),
    Method(
        "elicitation/create",
        "elicitation",
        "request user input",
        _ELICITATION,
        since=_NEW,
        only_in_results=True,
    ),
)

REQUESTS: tuple[Method, ...] = (
    *_CLIENT_REQUESTS,
    *_core_tasks(Side.SERVER),
    *_EXTENSION_TASKS,
    *sent_by(Side.SERVER, _SERVER_REQUESTS),
    *sent_by(Side.SERVER, _core_tasks(Side.CLIENT)),
)
"""Every row."""
