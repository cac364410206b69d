"""Tools as language models and their clients take them: what one client refuses makes all tools of a server unusable in it.

None of this is a part of the protocol; the limits and their sources are in `checks.clients`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.checks.clients import Limit, effects, limits, severity_for
from inspector.checks.families.listing import fold, members, name_of, quoted, text_of
from inspector.checks.seen import PAUSE_ITEMS
from inspector.checks.tokens import Tokens, definition_tokens, estimate_tokens, sum_of
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.spec.pointer import join

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from inspector.checks.clients import ClientLimit
    from inspector.checks.history import History
    from inspector.checks.seen import At, ListedItem, ReceivedMessage, WholeList
    from inspector.finding import Finding
    from inspector.json_value import Json

LARGE_TOOL, VERY_LARGE_TOOL = 600, 1_900
"""Tokens of one definition: more than nine tenths, and than 99 in a hundred, of 626 published tools."""

LARGE_LIST, VERY_LARGE_LIST = 14_000, 25_000
"""Tokens of all definitions: more than nine tenths of 32 published servers, and more than all."""

MANY_TOOLS = 40
"""Tools above which clients begin to group them, or leave some out."""

LARGE_RESULT, VERY_LARGE_RESULT = 10_000, 25_000
"""Tokens of a result at which Claude Code warns, and above which it refuses."""

PAUSE_COUNTED = 20
"""Tools whose tokens are counted without a pause."""

SHORT_FAILURE = 400
"""Characters of a text that tells of a failure; a longer one is content that begins so."""

_UNUSUAL = re.compile(r"[^a-zA-Z0-9_-]")

_SEPARATORS = {ord(each): None for each in "-_. \t\n"}

_FAILURE = re.compile(
    r"\s*(?:Error|Exception|Failed|Failure)\b\s*[:!(]|\s*Traceback \(most recent call last\)"
    r"|\s*Failed to\s|\s*(?:[A-Z]\w*\.)*[A-Z]\w*(?:Error|Exception):\s"
    r"|\s*(?:API|Authentication|Connection|Database|Execution|HTTP|IO|Internal|Network|Parser|Permission|Query|Request|Runtime|SQL|Server"
    r"|Syntax|Tool|Unexpected|Validation) (?:[Ee]rror|[Ff]ailed|[Ff]ailure)\s*:\s*+(?!none\b|no(?: (?:error|problem|issue)s?)?\s*$|\d)"
)
_MAY_FAIL = re.compile(
    r"\s*(?:Could not|Cannot|Unable to) "
    r"(?:access|authenticate|connect|create|delete|execute|fetch|load|open|parse|read|resolve|write)\b"
)
"""How failures and data alike may begin."""
_STATUS_FAILED = re.compile(
    r'\{\s*"(?:error|errors)"\s*:\s*+(?!null|""|\[\]|\{\}|false|\d)'
    r'|\{(?=[^{}]{0,400}"(?:error|message)"\s*:\s*[{"])[^{}]{0,200}(?:"(?:success|ok)"\s*:\s*false|"status"\s*:\s*"(?:error|failed|failure)")'
)
"""A status alone is data that was asked for, such as that of a build."""
_SAYING = re.compile(r"error|fail|exception", re.IGNORECASE)


def _texts(value: Json) -> Iterator[str]:
    stack: list[Json] = [value]
    while stack:
        inner = stack.pop()
        if isinstance(inner, str):
            yield inner
        elif isinstance(inner, dict):
            stack += inner.values()
        elif isinstance(inner, list):
            stack += inner


def check_failure_in_prose(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a result that tells of a failure and is no error.

    Nothing is found if the arguments themselves are about errors, or structured content is beside the text.
    """
    del history
    found = message.blocks
    text = text_of(found[0].get("text"))
    short = text if len(text) <= SHORT_FAILURE else ""
    is_failure = _FAILURE.match(short) or _STATUS_FAILED.match(text[:2000])
    if "structuredContent" in message.result or not (is_failure or _MAY_FAIL.match(short)):
        return
    params = message.request_params()
    arguments = params.get("arguments") if isinstance(params, dict) else None
    if any(_SAYING.search(each[:1000]) for each in _texts(arguments)):
        return
    summary = f"the text reports a failure, but `isError` is not true: {quoted(text)}"
    severity = None if is_failure else Severity.INFO
    pointer = "/result/content/0/text"
    yield make_finding("L-MDL-01", summary, pointer, message.revision, severity=severity)


def _is_one_text(message: ReceivedMessage, history: History) -> bool:
    del history
    found = message.blocks
    is_good = message.result.get("isError") is not True
    return is_good and len(found) == 1 and found[0].get("type") == "text"


def _weight(rows: tuple[ClientLimit, ...], history: History) -> Severity | None:
    """Return how much a limit matters; without targets more if several clients have it."""
    default = Severity.WARNING if len(rows) > 1 else Severity.INFO
    return severity_for(rows, history.targets, default)


def check_name_length(item: ListedItem, history: History) -> Iterator[Finding]:
    """Yield a finding about a name that is too long for a client, which puts the name of the server before it."""
    name = name_of(item)
    rows = limits(Limit.NAME_LENGTH, len(name) - 1, history.targets)
    if rows:
        text = f"{quoted(name)} has {len(name)} characters: {effects(rows)}"
        pointer = join(item.pointer, "name")
        weight = _weight(rows, history)
        yield make_finding("L-MDL-10", text, pointer, item.revision, severity=weight)


def check_name_characters(item: ListedItem, history: History) -> Iterator[Finding]:
    """Yield a finding about a name with characters that a client does not take, which the protocol allows."""
    name = name_of(item)
    if not _UNUSUAL.search(name):
        return
    if rows := limits(Limit.NAME_CHARACTERS, targets=history.targets):
        text = f"{quoted(name)} has other characters than letters, digits, `_` and `-`: {effects(rows)}"
        weight, pointer = severity_for(rows, history.targets, None), join(item.pointer, "name")
        yield make_finding("L-MDL-17", text, pointer, item.revision, severity=weight)


def check_description_length(item: ListedItem, history: History) -> Iterator[Finding]:
    """Yield a finding about a description that is too long for a client."""
    size = len(text_of(members(item).get("description")))
    rows = limits(Limit.DESCRIPTION_LENGTH, size - 1, history.targets)
    if rows:
        text = f"the description has {size:,} characters: {effects(rows)}"
        pointer = join(item.pointer, "description")
        weight = _weight(rows, history)
        yield make_finding("L-MDL-11", text, pointer, item.revision, severity=weight)


def check_count(whole: WholeList, history: History) -> Iterator[Finding]:
    """Yield a finding about more tools than clients take."""
    count = len(whole.items)
    rows = limits(Limit.TOOL_COUNT, count - 1, history.targets)
    if rows or (count > MANY_TOOLS and not history.targets):
        text = f"{count:,} tools" + (f": {effects(rows)}" if rows else "")
        weight = _weight(rows, history)
        yield make_finding("L-MDL-12", text, whole.pointer, whole.revision, severity=weight)


def check_result_size(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about texts that are more than a client gives to a model."""
    size = sum(len(text_of(block.get("text"))) for block in message.blocks)
    tokens, targets = estimate_tokens(size), history.targets
    rows = limits(Limit.RESULT_SIZE, size - 1, targets)
    if rows if targets else tokens > LARGE_RESULT:
        text = f"the text has {size:,} characters, about {tokens:,} tokens: {effects(rows)}"
        default = Severity.WARNING if tokens > VERY_LARGE_RESULT else Severity.INFO
        weight, pointer = severity_for(rows, targets, default), "/result/content"
        yield make_finding("L-MDL-13", text, pointer, message.revision, severity=weight)


def check_alike(whole: WholeList, history: History) -> Iterator[At | None]:
    """Yield a finding for tools that have one description, or names that differ by separators alone."""
    del history
    by_text: dict[str, list[ListedItem]] = {}
    by_name: dict[str, list[ListedItem]] = {}
    for count, item in enumerate(whole.items, 1):
        if description := text_of(members(item).get("description")).strip().lower():
            by_text.setdefault(description, []).append(item)
        by_name.setdefault(name_of(item).translate(_SEPARATORS).lower(), []).append(item)
        if not count % PAUSE_ITEMS:
            yield None
    for group in by_text.values():
        if len(group) > 1:
            yield from fold("L-MDL-14", group, "tools with the same description", "description")
    yield None
    for group in by_name.values():
        if len(group) > 1 and len({name_of(item).lower() for item in group}) > 1:
            yield from fold("L-MDL-14", group, "names that differ only by separators", "name")


def _costs(whole: WholeList, history: History) -> Generator[None, None, tuple[Tokens, ...]]:
    """Return the tokens of each tool; both rules about them share one count."""
    if history.tool_tokens is None or history.tool_tokens[0] is not whole:
        found: list[Tokens] = []
        for count, item in enumerate(whole.items, 1):
            found.append(definition_tokens(members(item)))
            if not count % PAUSE_COUNTED:
                yield None
        history.tool_tokens = whole, tuple(found)
    return history.tool_tokens[1]


def check_tool_tokens(whole: WholeList, history: History) -> Iterator[At | None]:
    """Yield a finding about the definitions that cost most."""
    costs = yield from _costs(whole, history)
    for above, limit, severity in (
        (VERY_LARGE_TOOL, None, Severity.WARNING),
        (LARGE_TOOL, VERY_LARGE_TOOL, Severity.INFO),
    ):
        found = [
            (cost, item)
            for cost, item in zip(costs, whole.items, strict=True)
            if cost.number > above and (limit is None or cost.number <= limit)
        ]
        found.sort(key=lambda each: -each[0].number)
        if found:
            text = f"definitions of up to {found[0][0]}"
            for at in fold("L-MDL-15", [item for _, item in found], text):
                yield at and at._replace(finding=_graver(at.finding, severity))


def check_list_tokens(whole: WholeList, history: History) -> Iterator[Finding | None]:
    """Yield a finding about what all definitions cost together."""
    total = sum_of((yield from _costs(whole, history)))
    if total.number > LARGE_LIST:
        text = f"the definitions of {len(whole.items):,} tools have {total}"
        severity = Severity.WARNING if total.number > VERY_LARGE_LIST else Severity.INFO
        yield make_finding("L-TOOL-40", text, whole.pointer, whole.revision, severity=severity)


def check_instructions(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about instructions that are too long for a client."""
    size = len(text_of(message.result.get("instructions")))
    rows = limits(Limit.INSTRUCTIONS_LENGTH, size - 1, history.targets)
    if rows:
        text = f"the instructions have {size:,} characters: {effects(rows)}"
        weight, pointer = severity_for(rows, history.targets, None), "/result/instructions"
        yield make_finding("L-MDL-16", text, pointer, message.revision, severity=weight)


def _has_instructions(message: ReceivedMessage, history: History) -> bool:
    del history
    return bool(message.result.get("instructions"))


def _graver(finding: Finding, severity: Severity) -> Finding:
    return replace(finding, severity=severity)


def _has_tools(whole: WholeList, history: History) -> bool:
    del history
    return bool(whole.items)


def _has_several(whole: WholeList, history: History) -> bool:
    del history
    return len(whole.items) > 1


def _has_text(message: ReceivedMessage, history: History) -> bool:
    del history
    return any(block.get("type") == "text" for block in message.blocks)


_ITEM, _LIST = (On(Subject.ITEM, "tools/list"),), (On(Subject.LIST, "tools/list"),)
_RESULT = (On(Subject.RESULT, "tools/call"),)

RULES = (
    Rule(
        "L-MDL-01",
        Severity.WARNING,
        "tools",
        "failure in prose without isError",
        why="Clients and models treat the call as a success.",
        hint="Set `isError` to true in results that report a failure.",
        python='Raise `ToolError("…")`: the SDK returns its text with `isError`, and version 2 hides the text of other exceptions.',
        typescript="Throw in the callback, or return `{ content, isError: true }`.",
        section="Error Handling",
        level="quality",
        on=_RESULT,
        check=check_failure_in_prose,
        when=_is_one_text,
    ),
    Rule(
        "L-MDL-10",
        Severity.INFO,
        "tools",
        "tool name too long for a client",
        why="Clients put the server name before it, and reject or omit names that are longer than model APIs allow.",
        hint="Keep tool names below 47 characters.",
        level="quality",
        on=_ITEM,
        check=check_name_length,
    ),
    Rule(
        "L-MDL-17",
        Severity.INFO,
        "tools",
        "tool name with characters that a client refuses",
        why="Model APIs that take letters, digits, `_` and `-` alone refuse the request with all tools.",
        hint="Use `_` or `-` in names of tools in place of dots and other signs.",
        level="quality",
        on=_ITEM,
        check=check_name_characters,
    ),
    Rule(
        "L-MDL-11",
        Severity.INFO,
        "tools",
        "description too long for a client",
        why="Clients truncate it, or reject the request with all tools.",
        hint="Keep descriptions below 1,024 characters, and put the rest into results or resources.",
        level="quality",
        on=_ITEM,
        check=check_description_length,
    ),
    Rule(
        "L-MDL-12",
        Severity.INFO,
        "tools",
        "more tools than clients support",
        why="Clients omit tools or reject the request, and models select worse among many tools.",
        hint="Offer fewer tools, or let users enable groups of them.",
        level="quality",
        on=_LIST,
        check=check_count,
        when=_has_tools,
    ),
    Rule(
        "L-MDL-13",
        Severity.INFO,
        "tools",
        "result larger than clients pass to a model",
        why="Clients truncate the text or write it to a file, and the model sees only a part.",
        hint="Return one page, and explain how to get the next one.",
        level="quality",
        on=_RESULT,
        check=check_result_size,
        when=_has_text,
    ),
    Rule(
        "L-MDL-14",
        Severity.INFO,
        "tools",
        "tools with nearly the same name or description",
        why="Models cannot determine which of them to call.",
        hint="Describe in each tool what distinguishes it from the others.",
        level="quality",
        on=_LIST,
        check=check_alike,
        when=_has_several,
    ),
    Rule(
        "L-MDL-15",
        Severity.INFO,
        "tools",
        "definition that costs many tokens",
        why="The definition is part of every request to a model, whether the tool is called or not.",
        hint="Shorten the description and the schema, or split the tool.",
        level="quality",
        on=_LIST,
        check=check_tool_tokens,
        when=_has_tools,
    ),
    Rule(
        "L-MDL-16",
        Severity.INFO,
        "lifecycle",
        "instructions too long for a client",
        why="Clients truncate them, and the model never reads the end.",
        hint="Keep instructions below 2,048 characters, the important parts first.",
        level="quality",
        on=(On(Subject.RESULT, "initialize"), On(Subject.RESULT, "server/discover")),
        check=check_instructions,
        when=_has_instructions,
    ),
    Rule(
        "L-TOOL-40",
        Severity.INFO,
        "tools",
        "tools that cost many tokens together",
        why="All definitions are part of every request to a model, and leave less room for the conversation.",
        hint="Offer fewer tools with shorter descriptions.",
        level="quality",
        on=_LIST,
        check=check_list_tokens,
        when=_has_tools,
    ),
)
