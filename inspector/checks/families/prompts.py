"""Prompts as they are listed and rendered.

Source: server/prompts, "Error Handling", "Embedded Resources" and "Implementation Considerations".
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
from inspector.spec.error_codes import INTERNAL_ERROR, INVALID_PARAMS
from inspector.spec.findings import make_finding
from inspector.spec.json_types import format_value
from inspector.spec.pointer import join
from inspector.spec.revision import V2025_11_25

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import At, ListedItem, ReceivedMessage, WholeList
    from inspector.finding import Finding
    from inspector.json_value import Json, JsonObject

MAX_TEXT = 100_000
"""Characters of a text that are searched for placeholders."""

_REFUSAL = re.compile(
    r"unknown|not found|no such|not exist|n't exist|missing|required|invalid arguments?",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_]\w{0,60})(?:\.[\w.]{0,60})?\s*\}\}")


def arguments_of(prompt: Json) -> list[JsonObject]:
    """Return the arguments of a listed prompt."""
    found = prompt.get("arguments") if isinstance(prompt, dict) else None
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _listed_prompt(message: ReceivedMessage, history: History) -> JsonObject | None:
    params, prompts = message.request_params(), history.lists.get("prompts/list")
    name = params.get("name") if isinstance(params, dict) else None
    for item in prompts.items if prompts is not None else ():
        if members(item).get("name") == name:
            return members(item)
    return None


def _missing_arguments(message: ReceivedMessage, history: History) -> list[str]:
    """Return the names of the required arguments that the request lacks."""
    prompt, params = _listed_prompt(message, history), message.request_params()
    given = params.get("arguments") if isinstance(params, dict) else None
    names = given.keys() if isinstance(given, dict) else set[str]()
    return [
        text_of(each.get("name"))
        for each in arguments_of(prompt)
        if each.get("required") is True and text_of(each.get("name")) not in names
    ]


def check_presence(whole: WholeList, history: History) -> Iterator[At | None]:
    """Yield one finding about the prompts without a description, and one about those with an argument without one."""
    del history
    without = yield from matching(whole.items, lambda item: _lacks(item, "description"))
    yield from fold("L-PRM-02", without, f"{len(without):,} without a description")
    unclear = yield from matching(whole.items, _has_unclear_argument)
    yield from fold("L-PRM-02", unclear, f"{len(unclear):,} with an argument without a description")


def _lacks(item: ListedItem, key: str) -> bool:
    return not text_of(members(item).get(key))


def _has_unclear_argument(item: ListedItem) -> bool:
    return any(not text_of(each.get("description")) for each in arguments_of(item.value))


def check_titles(whole: WholeList, history: History) -> Iterator[At | None]:
    """Yield one finding about the prompts without a title."""
    del history
    without = yield from matching(whole.items, lambda item: _lacks(item, "title"))
    yield from fold("L-PRM-10", without, f"{len(without):,} without a title")


def check_embedded(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about each embedded resource without a URI, a media type or contents."""
    del history
    for index, resource in _embedded(message):
        missing = [key for key in ("uri", "mimeType") if not text_of(resource.get(key))]
        if "text" not in resource and "blob" not in resource:
            missing.append("text or blob")
        if missing:
            text = f"the embedded resource has no {', no '.join(missing)}"
            pointer = join("/result/messages", index, "content", "resource")
            yield make_finding("L-PRM-05", text, pointer, message.revision)


def _embedded(message: ReceivedMessage) -> Iterator[tuple[int, JsonObject]]:
    for index, content in _contents(message):
        resource = content.get("resource")
        if content.get("type") == "resource" and isinstance(resource, dict):
            yield index, resource


def _contents(message: ReceivedMessage) -> Iterator[tuple[int, JsonObject]]:
    messages = message.result.get("messages")
    for index, each in enumerate(messages if isinstance(messages, list) else ()):
        content = each.get("content") if isinstance(each, dict) else None
        if isinstance(content, dict):
            yield index, content


def _has_embedded(message: ReceivedMessage, history: History) -> bool:
    del history
    return any(True for _ in _embedded(message))


def check_code(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about an unknown prompt or a missing argument that is answered by another code."""
    del history
    code = message.error.get("code")
    if code != INVALID_PARAMS:
        text = f"an unknown prompt or a missing argument should return error {INVALID_PARAMS}, not {format_value(code)}"
        is_default = message.code in {0, INTERNAL_ERROR}  # what SDKs make of an exception
        severity = Severity.INFO if is_default else Severity.WARNING
        yield make_finding("L-PRM-06", text, "/error/code", message.revision, severity=severity)


def _is_refusal(message: ReceivedMessage, history: History) -> bool:
    text = text_of(message.error.get("message"))[:500]
    is_fault_of_ours = _listed_prompt(message, history) is None or _missing_arguments(
        message, history
    )
    return _REFUSAL.search(text) is not None and bool(is_fault_of_ours)


def check_ignored(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a prompt that renders without a required argument."""
    missing = _missing_arguments(message, history)
    text = f"rendered without a required argument: {listed(missing)}"
    yield make_finding("L-PRM-07", text, "/result", message.revision)


def _lacks_argument(message: ReceivedMessage, history: History) -> bool:
    return bool(_missing_arguments(message, history))


def _has_arguments(message: ReceivedMessage, history: History) -> bool:
    return bool(arguments_of(_listed_prompt(message, history)))


def check_placeholders(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about each message with a placeholder of an argument that was not filled in."""
    params = message.request_params()
    given = str(params.get("arguments")) if isinstance(params, dict) else ""
    names = {text_of(each.get("name")) for each in arguments_of(_listed_prompt(message, history))}
    for index, content in _contents(message):
        placeholders = _PLACEHOLDER.finditer(text_of(content.get("text"))[:MAX_TEXT])
        found = next((each for each in placeholders if each[1] in names), None)
        if found and found[0] not in given:
            text = f"the placeholder {quoted(found[0])} was not filled in"
            pointer = join("/result/messages", index, "content", "text")
            yield make_finding("L-PRM-09", text, pointer, message.revision)


def check_name(item: ListedItem, history: History) -> Iterator[Finding]:
    """Yield a finding about a name that is written for display, while the title is missing; of a tool it is L-TOOL-03 in revisions that limit its letters."""
    del history
    if item.pointer.startswith("/result/tools") and item.revision >= V2025_11_25:
        return
    name = name_of(item)
    if " " in name.strip() and not text_of(members(item).get("title")):
        text = f"the name {quoted(name)} has spaces, and `title` is missing"
        yield make_finding("L-Q-10", text, join(item.pointer, "name"), item.revision)


_RESULT, _ERROR = (On(Subject.RESULT, "prompts/get"),), (On(Subject.ERROR, "prompts/get"),)

RULES = (
    Rule(
        "L-PRM-02",
        Severity.INFO,
        "prompts",
        "prompt or argument without a description",
        why="Users have to guess what a prompt does and what to enter.",
        hint="Describe each prompt and each argument.",
        python="The docstring of a function under `@mcp.prompt()` becomes its description.",
        typescript="Pass `description` in the config of `registerPrompt`, and call `.describe(…)` on each argument.",
        section="Prompt",
        level="quality",
        on=(On(Subject.LIST, "prompts/list"),),
        check=check_presence,
    ),
    Rule(
        "L-PRM-05",
        Severity.WARNING,
        "prompts",
        "embedded resource incomplete",
        why="Clients cannot show it, or cannot determine its origin.",
        hint="Give an embedded resource a `uri`, a `mimeType`, and `text` or `blob`.",
        section="Embedded Resources",
        level="MUST",
        on=_RESULT,
        check=check_embedded,
        when=_has_embedded,
    ),
    Rule(
        "L-PRM-06",
        Severity.WARNING,
        "prompts",
        "unknown prompt or missing argument without -32602",
        why="Clients that check the code mistake a user error for a failure of the server.",
        hint="Return error -32602, and name the prompt or the argument in the message.",
        section="Error Handling",
        level="SHOULD",
        on=_ERROR,
        check=check_code,
        when=_is_refusal,
    ),
    Rule(
        "L-PRM-07",
        Severity.INFO,
        "prompts",
        "required argument ignored",
        why="The prompt has a gap that users do not notice.",
        hint="Reject a request without a required argument with error -32602, or make the argument optional.",
        section="Implementation Considerations",
        level="quality",
        on=_RESULT,
        check=check_ignored,
        when=_lacks_argument,
    ),
    Rule(
        "L-PRM-09",
        Severity.INFO,
        "prompts",
        "placeholder not filled in",
        why="The model reads the placeholder itself.",
        hint="Fill in every placeholder, or leave out the sentence around it.",
        level="quality",
        on=_RESULT,
        check=check_placeholders,
        when=_has_arguments,
    ),
    Rule(
        "L-Q-10",
        Severity.INFO,
        "prompts",
        "name with spaces and no title",
        why="Names are identifiers: clients and model APIs reject or change spaces in them.",
        hint="Use a name without spaces, and a `title` for display.",
        level="quality",
        since=3,
        on=(On(Subject.ITEM, "prompts/list"), On(Subject.ITEM, "tools/list")),
        check=check_name,
    ),
    Rule(
        "L-PRM-10",
        Severity.INFO,
        "prompts",
        "prompt without a title",
        why="Clients show the name, which is written for programs.",
        hint="Give each prompt a `title` for display.",
        python="Pass `title=` to `@mcp.prompt()`.",
        typescript="Pass `title` in the config of `registerPrompt`.",
        section="Prompt",
        level="quality",
        since=3,
        on=(On(Subject.LIST, "prompts/list"),),
        check=check_titles,
    ),
)
