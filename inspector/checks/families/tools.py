"""Tools as they are listed: names, titles, descriptions and hints, as a model and its user meet them.

Source: server/tools, "Tool" and "Tool Annotations"; schema, `ToolAnnotations`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.checks.families.listing import (
    fold,
    listed,
    matching,
    members,
    name_of,
    quoted,
    text_of,
)
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.spec.pointer import join

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import At, ListedItem, WholeList
    from inspector.finding import Finding
    from inspector.json_value import JsonObject

SHORT_DESCRIPTION = 10
"""Characters below which a description says nothing that the name does not."""

_CHANGING = frozenset(
    [
        "append",
        "archive",
        "clear",
        "create",
        "delete",
        "destroy",
        "drop",
        "edit",
        "erase",
        "execute",
        "insert",
        "kill",
        "move",
        "overwrite",
        "patch",
        "post",
        "publish",
        "purge",
        "remove",
        "rename",
        "replace",
        "reset",
        "revoke",
        "send",
        "submit",
        "terminate",
        "truncate",
        "update",
        "upload",
        "write",
    ]
)
"""How the name of a tool begins that changes something."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

_ORDERS = re.compile(
    r"<\s*/?\s*(?:important|system|instructions?)\s*>"
    r"|\b(?:ignore|disregard|forget)\b[^.\n]{0,40}\b(?:previous|prior|above|other|earlier)\b[^.\n]{0,30}\b(?:instructions?|rules|prompts?)"
    r"|(?:^|[.!?:;>*\n]\s*)(?:please\s+)?(?:do not|don't|never|you (?:must|should) (?:not|never))\s+(?:tell|inform|mention|notify)\b[^.\n]{0,15}"
    r"\bthe user\b",
    re.IGNORECASE,
)
"""Orders to a model that no user would give."""

_ORDERING = ("<", "ignore", "disregard", "forget", "user")
"""One of them is in each of those orders."""

_ENCODED = re.compile(r"[A-Za-z0-9+/]{120,}={0,2}")
"""A long run of what may be base64: a model can read what a user cannot."""

MAX_CHARACTERS = 20_000
"""Of a description that are searched."""


def _annotations(item: ListedItem) -> JsonObject:
    hints = members(item).get("annotations")
    return hints if isinstance(hints, dict) else {}


def _first_word(text: str) -> str:
    found = _WORD.search(text)
    return found[0].lower() if found else ""


def check_description(item: ListedItem, history: History) -> Iterator[Finding]:
    """Yield what is wrong with the description of a tool, as a model would read it."""
    del history
    tool = members(item)
    name, description = tool.get("name"), tool.get("description")
    if description is None:
        text = "the tool has no description"
    elif not isinstance(description, str):
        return  # the schema says so
    elif not description.strip():
        text = "the description is empty"
    elif isinstance(name, str) and description.strip().lower() == name.lower():
        text = "the description only repeats the name"
    elif len(description.strip()) < SHORT_DESCRIPTION:
        text = f"the description has only {_amount(len(description.strip()), 'character')}"
    else:
        return
    pointer = join(item.pointer, "description") if description is not None else item.pointer
    yield make_finding("L-TOOL-06", text, pointer, item.revision)


def check_titles(whole: WholeList, history: History) -> Iterator[At | None]:
    """Yield one finding about the tools without a title."""
    del history
    without = yield from matching(whole.items, _lacks_title)
    yield from fold("L-TOOL-07", without, f"{_count(without, 'tool')} without a title")


def _lacks_title(item: ListedItem) -> bool:
    return not text_of(members(item).get("title")) and not text_of(_annotations(item).get("title"))


def check_contradiction(item: ListedItem, history: History) -> Iterator[Finding]:
    """Yield a finding about a tool that is both read-only and destructive."""
    del history
    hints = _annotations(item)
    if hints.get("readOnlyHint") is True and hints.get("destructiveHint") is True:
        text = "`readOnlyHint` and `destructiveHint` are both true"
        pointer = join(item.pointer, "annotations")
        yield make_finding("L-TOOL-29", text, pointer, item.revision)


def check_read_only_name(item: ListedItem, history: History) -> Iterator[Finding]:
    """Yield a finding about a read-only tool whose name and description both begin with a word for a change."""
    del history
    if _annotations(item).get("readOnlyHint") is not True:
        return
    name, description = name_of(item), text_of(members(item).get("description"))
    word, verb = _first_word(name), _first_word(description)
    if word in _CHANGING and verb.rstrip("s") in {word, word.rstrip("e")}:
        text = f"`readOnlyHint` is true, but name and description start with {quoted(word)}"
        pointer = join(item.pointer, "annotations", "readOnlyHint")
        yield make_finding("L-TOOL-30", text, pointer, item.revision)


def check_hints(whole: WholeList, history: History) -> Iterator[At | None]:
    """Yield one finding about the tools without any annotations."""
    del history
    without = yield from matching(whole.items, lambda item: not _annotations(item))
    yield from fold("L-TOOL-31", without, f"{_count(without, 'tool')} without annotations")


def check_order(whole: WholeList, history: History) -> Iterator[Finding]:
    """Yield a finding if the same tools come in another order than in the list before."""
    before = history.earlier_lists.get(whole.method)
    if before is None:
        return
    names, earlier = (
        [name_of(item) for item in whole.items],
        [name_of(item) for item in before.items],
    )
    if names != earlier and sorted(names) == sorted(earlier):
        moved = [name for name, other in zip(names, earlier, strict=True) if name != other]
        text = f"the order of the same tools changed, starting with {quoted(moved[0])}"
        yield make_finding("L-TOOL-33", text, whole.pointer, whole.revision)


def check_changes(whole: WholeList, history: History) -> Iterator[Finding]:
    """Yield a finding if description or schema of a tool differ from the list before in the same connection."""
    before = history.earlier_lists.get(whole.method)
    if before is None:
        return
    earlier = {name_of(item): members(item) for item in before.items}
    changed = [
        name_of(item)
        for item in whole.items
        if (old := earlier.get(name_of(item))) is not None
        and any(old.get(key) != members(item).get(key) for key in ("description", "inputSchema"))
    ]
    if changed:
        text = f"description or schema changed since #{before.number}: {listed(changed)}"
        yield make_finding("L-TOOL-34", text, whole.pointer, whole.revision)


def check_orders(item: ListedItem, history: History) -> Iterator[Finding]:
    """Yield a finding about a description that gives orders to the model, or hides something from the user."""
    del history
    description = text_of(members(item).get("description"))[:MAX_CHARACTERS]
    found = _ORDERS.search(description) if _may_order(description) else None
    text = f"the description instructs the model: {quoted(found[0])}" if found else ""
    if not found and (encoded := _ENCODED.search(description)) and _is_base64(encoded[0]):
        text = f"the description has {len(encoded[0]):,} characters that may be base64"
    if text:
        pointer = join(item.pointer, "description")
        yield make_finding("L-TOOL-35", text, pointer, item.revision)


def _may_order(text: str) -> bool:
    """Whether there is a word without which there is no order; only in ASCII do the letters of any case fold as they are searched."""
    folded = text.lower()
    return not text.isascii() or any(each in folded for each in _ORDERING)


def _is_base64(text: str) -> bool:
    """Whether it looks like base64, and not like a path."""
    return text.count("/") * 10 < len(text) and any(each.isupper() for each in text)


def _had_list(whole: WholeList, history: History) -> bool:
    return whole.method in history.earlier_lists


def _has_hints(item: ListedItem, history: History) -> bool:
    del history
    return bool(_annotations(item))


def _count(items: list[ListedItem], noun: str) -> str:
    return _amount(len(items), noun)


def _amount(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


_ITEM, _LIST = (On(Subject.ITEM, "tools/list"),), (On(Subject.LIST, "tools/list"),)

RULES = (
    Rule(
        "L-TOOL-06",
        Severity.INFO,
        "tools",
        "tool without a useful description",
        why="Models select a tool by its description, and guess without one.",
        hint="Describe what the tool does, when to use it, and what it returns.",
        python="The docstring of a function under `@mcp.tool()` becomes its description.",
        typescript="Pass `description` in the config of `registerTool`.",
        section="Tool",
        level="quality",
        on=_ITEM,
        check=check_description,
    ),
    Rule(
        "L-TOOL-07",
        Severity.INFO,
        "tools",
        "tool without a title",
        why="Clients show the name, which is written for programs.",
        hint="Give each tool a `title` for display.",
        python="Pass `title=` to `@mcp.tool()`.",
        typescript="Pass `title` in the config of `registerTool`.",
        section="Tool",
        level="quality",
        since=3,
        on=_LIST,
        check=check_titles,
    ),
    Rule(
        "L-TOOL-29",
        Severity.WARNING,
        "tools",
        "tool both read-only and destructive",
        why="Some clients request confirmation and others do not, depending on the hint that they use.",
        hint="Set `destructiveHint` to false, or `readOnlyHint` if the tool changes something.",
        section="Tool",
        level="quality",
        since=2,
        on=_ITEM,
        check=check_contradiction,
        when=_has_hints,
    ),
    Rule(
        "L-TOOL-30",
        Severity.WARNING,
        "tools",
        "read-only tool that is described as changing something",
        why="Clients may run a read-only tool without confirmation.",
        hint="Remove `readOnlyHint` from tools that change something, or describe what this one reads.",
        section="Tool",
        level="quality",
        since=2,
        on=_ITEM,
        check=check_read_only_name,
        when=_has_hints,
    ),
    Rule(
        "L-TOOL-31",
        Severity.INFO,
        "tools",
        "tool without annotations",
        why="Clients have to assume that the tool may destroy data, and request confirmation for each call.",
        hint="Set `readOnlyHint`, and `destructiveHint` where it applies.",
        python="Pass `annotations=ToolAnnotations(readOnlyHint=True)` to `@mcp.tool()`; in version 2 the argument is `read_only_hint`.",
        typescript="Pass `annotations: { readOnlyHint: true }` in the config of `registerTool`.",
        section="Tool",
        level="quality",
        since=2,
        on=_LIST,
        check=check_hints,
    ),
    Rule(
        "L-TOOL-33",
        Severity.WARNING,
        "tools",
        "tools in another order than before",
        why="The list is part of every prompt, and a new order invalidates the prompt caches of model APIs.",
        hint="Return tools in a fixed order, such as by name.",
        section="Capabilities",
        level="SHOULD",
        since=5,
        on=_LIST,
        check=check_order,
        when=_had_list,
    ),
    Rule(
        "L-TOOL-34",
        Severity.INFO,
        "tools",
        "definition of a tool changed",
        why="Users approved the earlier definition, and a changed description can make a model act differently.",
        hint="Keep definitions stable within a session, or give a changed tool a new name.",
        level="quality",
        on=_LIST,
        check=check_changes,
        when=_had_list,
    ),
    Rule(
        "L-TOOL-35",
        Severity.INFO,
        "tools",
        "description with instructions to the model",
        why="The model may follow them against the intent of the user.",
        hint="Describe what the tool does, and leave its use to the model and the user.",
        level="quality",
        on=_ITEM,
        check=check_orders,
    ),
)
