"""Tools as they are listed and called.

Source: server/tools.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.spec.pointer import join

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ListedItem
    from inspector.finding import Finding

SHORT_DESCRIPTION = 10
"""Characters below which a description says nothing that the name does not."""


def check_description(item: ListedItem, history: History) -> Iterator[Finding]:
    """Yield what is wrong with the description of a tool, as a model would read it."""
    del history
    tool = item.value
    if not isinstance(tool, dict):
        return
    name, description = tool.get("name"), tool.get("description")
    if description is None:
        text = "the tool has no description"
    elif not isinstance(description, str):
        return  # the schema says so
    elif not description.strip():
        text = "the description is empty"
    elif isinstance(name, str) and description.strip().lower() == name.lower():
        text = "the description is the name again"
    elif len(description.strip()) < SHORT_DESCRIPTION:
        text = f"the description has {len(description.strip())} characters"
    else:
        return
    pointer = join(item.pointer, "description") if description is not None else item.pointer
    yield make_finding("L-TOOL-06", text, pointer, item.revision)


RULES = (
    Rule(
        "L-TOOL-06",
        Severity.INFO,
        "tools",
        "tool without a useful description",
        why="A model chooses a tool by its description, and guesses without one.",
        hint="Describe what the tool does, when to use it, and what it returns.",
        python="The docstring of a function under `@mcp.tool()` becomes its description.",
        typescript="Pass `description` in the config of `registerTool`.",
        section="Tool",
        level="quality",
        on=(On(Subject.ITEM, "tools/list"),),
        check=check_description,
    ),
)
