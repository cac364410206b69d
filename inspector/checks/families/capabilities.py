"""Capabilities beside what the server does: what is declared has to work, and what works has to be declared.

Source: server/tools, server/prompts, server/resources, each "Capabilities" and "List Changed Notification".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.calls import RACE_SECONDS
from inspector.checks.families.listing import text_of
from inspector.checks.families.stateless_http import is_removed
from inspector.checks.message_order import LISTS
from inspector.checks.remembered import FEATURE_OF, FEATURES
from inspector.checks.seen import At, WholeList
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec import methods
from inspector.spec.error_codes import METHOD_NOT_FOUND
from inspector.spec.findings import make_finding
from inspector.spec.json_types import format_value
from inspector.spec.method import Side
from inspector.spec.pointer import join
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding
    from inspector.wire.json_codec import Json

MAX_CONTENTS = 100
"""Items of the content of a result that are looked at."""


def _is_declared_known(_: object, history: History) -> bool:
    return history.server_capabilities is not None


def check_undeclared_list(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a list that is served and was not declared."""
    feature = FEATURE_OF[message.method]
    if not history.has_capability(feature):
        text = f"`{message.method}` returns a result, but `{feature}` is not declared"
        yield make_finding("L-CAP-01", text, "", message.revision)


def _is_about_method(message: ReceivedMessage) -> bool:
    """Whether the error is about `tools/call` itself: tools that require a task, or ask a client that refuses, fail with the same code."""
    return "method" in text_of(message.error.get("message")).lower()


def check_missing(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a request that is not served although its capability is declared."""
    needs = methods.required_capability(message.method, message.revision)
    if (
        needs is None
        or needs.side is not Side.SERVER
        or message.error.get("code") != METHOD_NOT_FOUND
        or (message.method == "tools/call" and not _is_about_method(message))
    ):
        return
    if history.has_capability(*needs.path):
        is_rare = message.method == "resources/templates/list"
        severity = Severity.INFO if is_rare else None
        text = f"`{needs.name}` is declared, but `{message.method}` returns error -32601"
        yield make_finding("L-CAP-02", text, "/error/code", message.revision, severity=severity)


def _needs_capability(message: ReceivedMessage, history: History) -> bool:
    is_known = history.server_capabilities is not None
    return is_known and methods.required_capability(message.method, message.revision) is not None


def check_list_changed(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a change that is announced and was not declared."""
    feature = FEATURES[message.method]
    if not history.has_capability(feature, "listChanged"):
        text = f"`{message.method}` was sent, but `{feature}.listChanged` is not declared"
        yield make_finding("L-CAP-03", text, "/method", message.revision)


def check_updated(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about an update without any subscription; beside one it is L-RES-15, and after one L-RES-16."""
    uri = message.params.get("uri")
    if not history.has_capability("resources", "subscribe"):
        text = f"`{message.method}` was sent, but `resources.subscribe` is not declared"
        yield make_finding("L-CAP-04", text, "/method", message.revision)
    elif isinstance(uri, str) and not history.knows_subscription(uri):
        text = f"update of “{one_line(uri, 80)}”, but the client has no subscription"
        yield make_finding("L-CAP-04", text, "/params/uri", message.revision)


def check_logging(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about the first log message that is not declared."""
    if not history.has_capability("logging") and not history.logs.count:
        text = "the server sends log messages, but `logging` is not declared"
        yield make_finding("L-CAP-05", text, "/method", message.revision)


def check_completions(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about completion that is served and was not declared."""
    if not history.has_capability("completions"):
        text = "`completion/complete` returns a result, but `completions` is not declared"
        yield make_finding("L-CAP-06", text, "", message.revision)


def check_empty(history: History, _: History) -> Iterator[Finding]:
    """Yield a finding about each feature that is declared and lists nothing."""
    for feature in ("tools", "prompts", "resources"):
        lists = [each for method, each in history.lists.items() if FEATURE_OF[method] == feature]
        is_read = f"{feature}/list" in history.lists
        if history.has_capability(feature) and is_read and not any(each.items for each in lists):
            text = f"`{feature}` is declared, but its lists are empty"
            yield make_finding("L-CAP-08", text, "", history.revision)


def _has_lists(history: History, _: History) -> bool:
    return bool(history.lists)


def check_embedded(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about an embedded resource of a server without resources."""
    content = message.result.get("content")
    if history.has_capability("resources") or not isinstance(content, list):
        return
    for index, item in enumerate(content[:MAX_CONTENTS]):
        if isinstance(item, dict) and item.get("type") == "resource":
            text = "the result embeds a resource, but `resources` is not declared"
            yield make_finding("L-CAP-09", text, join("/result/content", index), message.revision)
            return


def check_unknown_method(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about an unknown method that is refused by another code; one that was removed is L-MOD-19."""
    del history
    code = message.error.get("code")
    if code != METHOD_NOT_FOUND and not is_removed(message.method, message.revision):
        text = f"unknown method `{one_line(message.method, 60)}` must return error -32601, not {format_value(code)}"
        yield make_finding("L-CAP-10", text, "/error/code", message.revision)


def _is_unadvertised(message: ReceivedMessage, history: History) -> bool:
    """Whether a method is answered that the revision does not know, or that was not declared."""
    if not message.request or methods.opens_session(message.method):
        return False
    row = methods.find(message.method, message.revision)
    if row is None or row.needs is None:
        return row is None and bool(message.method)
    is_of_server = row.needs.side is Side.SERVER
    return is_of_server and history.has_capability(*row.needs.path) is False


def check_tasks(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about tasks of a server that does not declare them."""
    is_task = message.method.startswith("tasks/") or "task" in message.result
    if is_task and not history.has_capability("tasks"):
        text = f"`{message.method}` returns a task or its result, but `tasks` is not declared"
        yield make_finding("L-CAP-11", text, "", message.revision)


def check_silent_change(seen: WholeList | History, history: History) -> Iterator[At]:
    """Yield a finding about each list that changed without an announcement that was promised, and that did not come right after it either."""
    pages = history.pages
    for number in [*pages.silent]:
        read_s, kept = pages.read_s.get(number) or 0.0, pages.silent.get(number)
        if kept is None or history.now_s - read_s <= RACE_SECONDS:
            continue
        pages.silent.pop(number)
        feature, found = kept
        times = pages.announced_s.get(feature, ())
        if not any(read_s <= each <= read_s + RACE_SECONDS for each in times):
            yield found
    if isinstance(seen, WholeList):
        _keep_silent_change(seen, history)


def _keep_silent_change(whole: WholeList, history: History) -> None:
    """Remember that a list has changed without an announcement, until it is known that none follows."""
    feature, before = FEATURE_OF[whole.method], history.earlier_lists.get(whole.method)
    if before is None or not history.has_capability(feature, "listChanged"):
        return
    pages = history.pages
    if pages.changes_at.get(whole.method) != pages.changes_before.get(whole.method):
        return
    _, key = LISTS[whole.method]
    names = [{_name(item.value, key) for item in each.items} for each in (before, whole)]
    if names[0] != names[1]:
        changed = sorted(names[0] ^ names[1])
        text = f"the list changed since #{before.number} without a notification: “{one_line(changed[0], 60)}”"
        more = f" and {len(changed) - 1:,} more" if len(changed) > 1 else ""
        found = make_finding("L-CAP-13", text + more, whole.pointer, whole.revision)
        pages.silent[whole.number] = (feature, At(whole.number, found))


def _name(item: Json, key: str) -> str:
    name = item.get(key) if isinstance(item, dict) else None
    return name if isinstance(name, str) else ""


def _was_read_before(seen: WholeList | History, history: History) -> bool:
    if isinstance(seen, WholeList):
        return seen.method in history.earlier_lists
    return len(history.pages.silent) > 0


RULES = (
    Rule(
        "L-CAP-01",
        Severity.WARNING,
        "capabilities",
        "list served without its capability",
        why="Clients that rely on capabilities never request the list.",
        hint="Declare the feature in `capabilities`.",
        level="MUST",
        on=tuple(On(Subject.RESULT, method) for method in FEATURE_OF),
        check=check_undeclared_list,
        when=_is_declared_known,
    ),
    Rule(
        "L-CAP-02",
        Severity.WARNING,
        "capabilities",
        "declared capability does not work",
        why="Clients use the feature, and some report the whole server as failed at the first error.",
        hint="Serve every method of the capability, or do not declare it.",
        level="MUST",
        severities=((1, Severity.WARNING), (5, Severity.ERROR)),
        on=(On(Subject.ERROR),),
        check=check_missing,
        when=_needs_capability,
    ),
    Rule(
        "L-CAP-03",
        Severity.ERROR,
        "tools",
        "list_changed sent without listChanged",
        why="Clients that rely on the capability do not refresh the list, and keep showing the old one.",
        hint="Declare `listChanged: true` for the feature, or do not send the notification.",
        python="Pass `NotificationOptions(tools_changed=True)` to `create_initialization_options()` of the low-level `Server`.",
        typescript="Pass `{ capabilities: { tools: { listChanged: true } } }` as options to the `Server`; `McpServer` declares it.",
        section="Capabilities",
        level="MUST",
        severities=((1, Severity.WARNING), (3, Severity.ERROR)),
        on=tuple(On(Subject.NOTIFICATION, method) for method in FEATURES),
        check=check_list_changed,
        when=_is_declared_known,
    ),
    Rule(
        "L-CAP-04",
        Severity.ERROR,
        "subscriptions",
        "resource update without a subscription",
        why="Clients ignore it, or read the resource again for nothing.",
        hint="Send updates only for subscribed resources, and declare `resources.subscribe`.",
        section="Subscriptions",
        level="MUST",
        until=4,
        severities=((1, Severity.WARNING), (3, Severity.ERROR)),
        on=(On(Subject.NOTIFICATION, "notifications/resources/updated"),),
        check=check_updated,
        when=_is_declared_known,
    ),
    Rule(
        "L-CAP-05",
        Severity.INFO,  # servers on the Python SDK, unless they handle `logging/setLevel`
        "logging",
        "log messages without the logging capability",
        why="Clients that rely on the capability do not show them, and offer no log level.",
        hint="Declare `logging: {}`, or write to stderr.",
        typescript="Pass `{ capabilities: { logging: {} } }` as options to the `McpServer`.",
        section="Capabilities",
        level="MUST",
        on=(On(Subject.NOTIFICATION, "notifications/message"),),
        check=check_logging,
        when=_is_declared_known,
    ),
    Rule(
        "L-CAP-06",
        Severity.ERROR,
        "completion",
        "completion without the completions capability",
        why="Clients that rely on the capability never request suggestions.",
        hint="Declare `completions: {}`.",
        section="Capabilities",
        level="MUST",
        since=2,
        on=(On(Subject.RESULT, "completion/complete"),),
        check=check_completions,
        when=_is_declared_known,
    ),
    Rule(
        "L-CAP-08",
        Severity.INFO,
        "capabilities",
        "capability declared, but nothing listed",
        why="Clients show empty pages, and request lists for nothing.",
        hint="Declare a feature only if the server can list something.",
        python="`FastMCP` and `MCPServer` declare prompts and resources for every server; no change is needed.",
        level="quality",
        on=(On(Subject.CONNECTION),),
        check=check_empty,
        when=_has_lists,
    ),
    Rule(
        "L-CAP-09",
        Severity.WARNING,
        "tools",
        "embedded resource without the resources capability",
        why="Clients offer to read the resource again, which fails.",
        hint="Declare `resources: {}`, or return the text as a block of type `text`.",
        section="Embedded Resources",
        level="SHOULD",
        since=3,
        on=(On(Subject.RESULT, "tools/call"),),
        check=check_embedded,
        when=_is_declared_known,
    ),
    Rule(
        "L-CAP-10",
        Severity.INFO,
        "errors",
        "unknown method without error -32601",
        why="Clients cannot distinguish a missing method from wrong parameters.",
        hint="Reject an unknown method with error -32601.",
        python="Version 1 of the SDK sends -32602 for a method that MCP does not define; version 2 sends -32601.",
        level="MUST",
        severities=((1, Severity.INFO), (5, Severity.WARNING)),
        on=(On(Subject.ERROR),),
        check=check_unknown_method,
        when=_is_unadvertised,
    ),
    Rule(
        "L-CAP-11",
        Severity.ERROR,
        "tasks",
        "task without the tasks capability",
        why="Clients that rely on the capability do not expect a task as the result.",
        hint="Declare `tasks` with the requests that may become tasks.",
        section="Capabilities",
        level="MUST",
        since=4,
        until=4,
        on=tuple(
            On(Subject.RESULT, method)
            for method in ("tools/call", "tasks/get", "tasks/list", "tasks/result", "tasks/cancel")
        ),
        check=check_tasks,
        when=_is_declared_known,
    ),
    Rule(
        "L-CAP-13",
        Severity.INFO,
        "tools",
        "list changed without list_changed",
        why="Clients rely on the declared notification, and keep showing the old list.",
        hint="Send the `list_changed` notification when the list changes.",
        section="List Changed Notification",
        level="quality",
        until=4,
        on=(*(On(Subject.LIST, method) for method in FEATURE_OF), On(Subject.CONNECTION)),
        check=check_silent_change,
        when=_was_read_before,
    ),
)
