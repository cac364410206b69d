"""What stays the same between connections and lists, and what is given back that should not be.

Source: server/tools, server/prompts and server/resources of the stateless revisions, "Capabilities": a list must not vary per connection.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.families.listing import listed, members, text_of
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.spec.pointer import join

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ListedItem, ReceivedMessage
    from inspector.finding import Finding

MIN_SECRET = 12
"""Characters of a secret that is searched for: a shorter one may be in a text by chance."""

MAX_TEXT = 200_000
"""Characters of a text that are searched."""

FLOOD_COUNT, FLOOD_SECONDS = 6, 10.0
"""Elicitations in so many seconds that are called a flood."""


def _check_list(
    rule: str, method: str, key: str
) -> Callable[[History, History], Iterator[Finding]]:
    """Return the check of one list beside that of the run before."""

    def check(earlier: History, history: History) -> Iterator[Finding]:
        now, before = history.lists[method], earlier.lists[method]
        names = {text_of(members(item).get(key)) for item in now.items}
        old = {text_of(members(item).get(key)) for item in before.items}
        if names != old:
            parts = [
                f"{what} {listed(sorted(found))}"
                for what, found in (("added", names - old), ("removed", old - names))
                if found
            ]
            text = f"the same version has a different list than in the previous run: {', '.join(parts)}"
            yield make_finding(rule, text, now.pointer, now.revision)

    return check


def _is_same(method: str) -> Callable[[History, History], bool]:
    """Return whether both runs have the list, of a server and a client that did not change."""

    def when(earlier: History, history: History) -> bool:
        old, new = earlier.server_info or {}, history.server_info or {}
        return (
            method in history.lists
            and method in earlier.lists
            and bool(new.get("version"))
            and all(old.get(key) == new.get(key) for key in ("name", "version"))
            and earlier.client_capabilities == history.client_capabilities
        )

    return when


def check_early_date(item: ListedItem, history: History) -> Iterator[Finding]:
    """Yield a finding about a date that only later revisions have."""
    del history
    annotations = members(item).get("annotations")
    if isinstance(annotations, dict) and "lastModified" in annotations:
        text = "`lastModified` is not part of this revision"
        pointer = join(item.pointer, "annotations", "lastModified")
        yield make_finding("L-ANN-04", text, pointer, item.revision)


def _is_annotated(item: ListedItem, history: History) -> bool:
    del history
    return isinstance(members(item).get("annotations"), dict)


def check_flood(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about more questions than a user can answer."""
    times = history.elicited_s
    if len(times) == FLOOD_COUNT and times[-1] - times[0] < FLOOD_SECONDS:
        text = f"{FLOOD_COUNT} elicitations within {times[-1] - times[0]:.1f} s"
        yield make_finding("L-ELI-18", text, "/method", message.revision)


def check_secrets(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about each text with a secret that the server was given; the secret is not quoted."""
    for index, block in enumerate(message.blocks):
        text = text_of(block.get("text"))[:MAX_TEXT]
        for secret in history.find_secrets():
            if len(secret) >= MIN_SECRET and secret in text:
                summary = f"the text contains a secret of {len(secret)} characters that Spyglass sent to the server"
                pointer = join("/result/content", index, "text")
                yield make_finding("L-Q-08", summary, pointer, message.revision)
                break


def _has_secrets(message: ReceivedMessage, history: History) -> bool:
    del message
    return any(len(secret) >= MIN_SECRET for secret in history.find_secrets())


_WHY = "Clients and caches assume the same list on every connection."
_HINT = (
    "Return the same list on every connection with the same authorization, or change the version."
)

RULES = (
    *(
        Rule(
            rule,
            Severity.INFO,
            topic,
            f"{topic} differ between connections",
            why=_WHY,
            hint=_HINT,
            section="Capabilities",
            level="MUST NOT",
            since=5,
            on=(On(Subject.RUNS, f"{topic}/list"),),
            check=_check_list(rule, f"{topic}/list", key),
            when=_is_same(f"{topic}/list"),
        )
        for rule, topic, key in (
            ("L-TOOL-32", "tools", "name"),
            ("L-RES-17", "resources", "uri"),
            ("L-PRM-08", "prompts", "name"),
        )
    ),
    Rule(
        "L-ANN-04",
        Severity.INFO,
        "resources",
        "lastModified of a later revision",
        why="Clients of this revision ignore it.",
        hint="Leave `lastModified` out in revisions that do not define it.",
        level="quality",
        until=2,
        on=(On(Subject.ITEM, "resources/list"), On(Subject.ITEM, "resources/templates/list")),
        check=check_early_date,
        when=_is_annotated,
    ),
    Rule(
        "L-ELI-18",
        Severity.WARNING,
        "elicitation",
        "too many elicitations at once",
        why="Users decline everything, or respond without reading.",
        hint="Request everything in one form.",
        section="Security Considerations",
        level="SHOULD",
        since=3,
        until=4,
        on=(On(Subject.REQUEST, "elicitation/create"),),
        check=check_flood,
    ),
    Rule(
        "L-Q-08",
        Severity.WARNING,
        "",
        "secret of the client in a result",
        why="Tool results go to the model and its provider, and into logs.",
        hint="Never return tokens, cookies or environment variables.",
        level="quality",
        on=(On(Subject.RESULT, "tools/call"),),
        check=check_secrets,
        when=_has_secrets,
    ),
)
