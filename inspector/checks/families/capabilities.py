"""Capabilities beside what the server does: what is declared has to work, and what works has to be declared.

Source: server/tools, server/prompts, server/resources, each "Capabilities" and "List Changed Notification".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec.findings import make_finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding

_FEATURES = {
    "notifications/tools/list_changed": "tools",
    "notifications/prompts/list_changed": "prompts",
    "notifications/resources/list_changed": "resources",
}
"""Which feature a notification is about."""


def _is_declared_known(message: ReceivedMessage, history: History) -> bool:
    del message
    return history.server_capabilities is not None


def check_list_changed(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a change that is announced and was not declared."""
    feature = _FEATURES[message.method]
    if not history.has_capability(feature, "listChanged"):
        text = f"{message.method} is sent, and `{feature}.listChanged` is not declared"
        yield make_finding("L-CAP-03", text, "/method", message.revision)


RULES = (
    Rule(
        "L-CAP-03",
        Severity.ERROR,
        "tools",
        "list change announced and not declared",
        why="Clients that go by the capability do not read the list again, and keep showing an old one.",
        hint="Declare `listChanged: true` for the feature, or do not send the notification.",
        python="The SDK declares it by the `NotificationOptions` that `get_capabilities` gets.",
        typescript="Pass `{ capabilities: { tools: { listChanged: true } } }` to the `Server`.",
        section="Capabilities",
        level="MUST",
        severities=((1, Severity.WARNING), (3, Severity.ERROR)),
        on=tuple(On(Subject.NOTIFICATION, method) for method in _FEATURES),
        check=check_list_changed,
        when=_is_declared_known,
    ),
)
