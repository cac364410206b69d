"""Requests of the server beside what the client declared.

Source: basic/lifecycle, "Operation"; basic/utilities/tasks, "Capabilities".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec import capabilities, methods
from inspector.spec.findings import make_finding
from inspector.spec.method import Side

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding

TASKABLE = {
    "sampling/createMessage": ("tasks", "requests", "sampling", "createMessage"),
    "elicitation/create": ("tasks", "requests", "elicitation", "create"),
}
"""Requests that may become tasks of the client, and the capability of each."""
OF_TASKS = {"tasks/list": ("tasks", "list"), "tasks/cancel": ("tasks", "cancel")}
"""Requests about tasks that need more than those."""


def check_declared(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a request for a capability that we did not declare."""
    method, declared, revision = message.method, history.client_capabilities, message.revision
    need = methods.required_capability(method, revision, Side.SERVER)
    path = OF_TASKS.get(method) or (need.path if need is not None else ())
    if path and not capabilities.declares(declared, *path):
        text = f"`{method}` was requested, but the client did not declare `{'.'.join(path)}`"
        yield _finding(text, "/method", message)
    elif "task" in message.params and revision.has_tasks and method in TASKABLE:
        if not capabilities.declares(declared, *TASKABLE[method]):
            name = ".".join(TASKABLE[method])
            text = f"a task was requested, but the client did not declare `{name}`; handled as a normal request"
        elif not isinstance(message.params["task"], dict):
            text = "`task` must be an object; handled as a normal request"
        else:
            return
        yield _finding(text, "/params/task", message)


def _finding(text: str, pointer: str, message: ReceivedMessage) -> Finding:
    rule, number = RULES[0], message.revision.number
    return make_finding(rule, text, pointer, message.revision, severity=rule.severity_in(number))


def _is_declared_known(message: ReceivedMessage, history: History) -> bool:
    del message
    return "initialize" in history.sent


RULES = (
    Rule(
        "L-JR-32",
        Severity.ERROR,
        "lifecycle",
        "server request for an undeclared capability",
        why="The client cannot serve the request, so the operation fails.",
        hint="Check the capabilities that the client declared before you send the request.",
        python="`ctx.session.check_client_capability(…)` returns whether the client declared it.",
        typescript="`server.getClientCapabilities()` returns what the client declared.",
        section="Operation",
        level="MUST",
        until=4,
        severities=((1, Severity.WARNING), (3, Severity.ERROR)),
        on=(On(Subject.REQUEST),),
        check=check_declared,
        when=_is_declared_known,
    ),
)
