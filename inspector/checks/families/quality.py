"""What makes a server hard to use.

Not a part of the protocol, but for what is deprecated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.families.listing import (
    counting,
    listed,
    members,
    quoted,
    text_of,
)
from inspector.checks.families.tool_calls import tool_of
from inspector.checks.seen import PAUSE_ITEMS, At
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.spec.pointer import join
from inspector.spec.revision import find

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage, WholeList
    from inspector.finding import Finding

FEATURES = ("tools", "prompts", "resources", "completions", "tasks", "extensions")
"""Capabilities by which a server offers anything."""

MIN_ANSWERS = 20
"""Answers of one method from which on times say anything."""

SLOW_SECONDS = 5.0
"""The time that one in twenty answers may take longer than."""

MAX_TEXT = 100_000
"""Characters of a text that are searched."""


def check_offer(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a server that declares nothing it offers."""
    del history
    capabilities = message.result.get("capabilities")
    if isinstance(capabilities, dict) and not any(key in capabilities for key in FEATURES):
        text = "the server declares no tools, prompts or resources"
        yield make_finding("L-Q-01", text, "/result/capabilities", message.revision)


def check_age(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a server that speaks only an older revision than we asked for."""
    del history
    params = message.request_params()
    requested = find(params.get("protocolVersion")) if isinstance(params, dict) else None
    chosen = find(message.result.get("protocolVersion"))
    if requested is not None and chosen is not None and chosen < requested:
        text = f"{requested} was requested, but the server returned {chosen}"
        yield make_finding("L-Q-02", text, "/result/protocolVersion", message.revision)


def check_repeatable(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a call that had another result before, though the tool is read-only, idempotent and closed."""
    before = history.same_call
    if before is not None and not before[1]:
        text = f"the same call of {quoted(tool_of(message))} had a different result in #{before[0]}"
        yield make_finding("L-Q-04", text, "/result/content", message.revision)


def _is_repeated(message: ReceivedMessage, history: History) -> bool:
    del message
    return history.same_call is not None


def check_encoding(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about each text with characters that stand for unreadable bytes."""
    del history
    content = message.result.get("content")
    for index, block in enumerate(content if isinstance(content, list) else ()):
        text = text_of(block.get("text"))[:MAX_TEXT] if isinstance(block, dict) else ""
        count = text.count("\ufffd")
        if count:
            summary = (
                f"the text has {count:,} replacement character{'' if count == 1 else 's'} (U+FFFD)"
            )
            pointer = join("/result/content", index, "text")
            yield make_finding("L-Q-05", summary, pointer, message.revision)


def _has_text(message: ReceivedMessage, history: History) -> bool:
    del history
    return any(block.get("type") == "text" for block in message.blocks)


def check_titles(whole: WholeList, history: History) -> Iterator[At | None]:
    """Yield a finding for items that have one title."""
    del history
    by_title: dict[str, list[int]] = {}
    for index, item in enumerate(whole.items):
        if title := text_of(members(item).get("title")).strip():
            by_title.setdefault(title, []).append(index)
        if not index % PAUSE_ITEMS:
            yield None
    for title, indexes in by_title.items():
        if len(indexes) > 1:
            items = [whole.items[index] for index in indexes]
            names = [text_of(members(item).get("name")) for item in items]
            text = f"{len(items):,} items have the title {quoted(title)}: {listed(names)}"
            pointer = join(items[1].pointer, "title")
            finding = make_finding("L-Q-06", text, pointer, whole.revision)
            yield At(items[1].number, counting(finding, names))


def _has_titles(whole: WholeList, history: History) -> bool:
    del history
    return sum(1 for item in whole.items if members(item).get("title")) > 1


def check_times(history: History, _: History) -> Iterator[Finding]:
    """Yield a finding about each method whose answers take long."""
    for method, seconds in history.answer_seconds.items():
        if len(seconds) >= MIN_ANSWERS:
            slow = sorted(seconds)[len(seconds) * 95 // 100]
            if slow > SLOW_SECONDS:
                text = f"one in twenty responses to `{method}` takes {slow:.1f} s or more"
                yield make_finding("L-Q-07", text)


def _has_times(history: History, _: History) -> bool:
    return any(len(seconds) >= MIN_ANSWERS for seconds in history.answer_seconds.values())


_OPENING = (On(Subject.RESULT, "initialize"), On(Subject.RESULT, "server/discover"))
_CALL = (On(Subject.RESULT, "tools/call"),)

RULES = (
    Rule(
        "L-Q-01",
        Severity.INFO,
        "capabilities",
        "server that offers nothing",
        why="Clients request only declared features, so users see an empty server.",
        hint="Declare `tools`, `prompts` or `resources` in `capabilities`.",
        level="quality",
        on=_OPENING,
        check=check_offer,
    ),
    Rule(
        "L-Q-02",
        Severity.INFO,
        "lifecycle",
        "older revision than requested",
        why="Clients cannot use the features of later revisions, and some drop old ones.",
        hint="Update the SDK of the server.",
        level="quality",
        until=4,
        on=(On(Subject.RESULT, "initialize"),),
        check=check_age,
    ),
    Rule(
        "L-Q-04",
        Severity.INFO,
        "tools",
        "same call with a different result",
        why="The tool is marked read-only, idempotent and closed-world, so clients may reuse a result.",
        hint="Set `openWorldHint` to true, or remove `idempotentHint`, if results depend on more than the arguments.",
        level="quality",
        since=2,
        on=_CALL,
        check=check_repeatable,
        when=_is_repeated,
    ),
    Rule(
        "L-Q-05",
        Severity.INFO,
        "tools",
        "text with replacement characters",
        why="The original characters are lost, and readers see placeholders.",
        hint="Decode what the tool reads with its actual encoding.",
        level="quality",
        on=_CALL,
        check=check_encoding,
        when=_has_text,
    ),
    Rule(
        "L-Q-06",
        Severity.INFO,
        "tools",
        "several items with one title",
        why="Users cannot distinguish them in lists.",
        hint="Give each item a unique title.",
        level="quality",
        since=3,
        on=tuple(On(Subject.LIST, f"{each}/list") for each in ("tools", "prompts", "resources")),
        check=check_titles,
        when=_has_titles,
    ),
    Rule(
        "L-Q-07",
        Severity.INFO,
        "",
        "slow responses",
        why="Users and models wait, and clients with short timeouts fail.",
        hint="Respond faster, or send progress.",
        level="quality",
        on=(On(Subject.CONNECTION),),
        check=check_times,
        when=_has_times,
    ),
)
