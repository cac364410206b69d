"""Every rule that a finding can name.

    rule.py     what a rule is, and the families
    jsonrpc.py, opening.py, utilities.py, listed_tools.py, contents.py, client_requests.py, stateless.py, tasks.py, authorization.py
                the rules that readers of these decide, with their reasons
    table.py    the other rules that readers decide while they read a message, a header or a document

The rules with a function of their own are in `checks.families`, one module a family; `checks.catalog` adds them here. The ids are
those of the catalog of rules and never change: searches of recordings and reports may rely on them. An id alone tells a
reader nothing, so it is displayed with its title.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.rules import (
    authorization,
    client_requests,
    contents,
    jsonrpc,
    listed_tools,
    opening,
    stateless,
    tasks,
    utilities,
)
from inspector.rules.rule import Rule
from inspector.rules.table import READER_RULES

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["RULES", "Rule", "add_rules", "rule_label"]

RULES: dict[str, Rule] = {}
"""Every rule, by its id."""


def add_rules(rules: Iterable[Rule]) -> None:
    """Add rules to `RULES`.

    Raises:
        ValueError: an id is used twice.
    """
    for rule in rules:
        if RULES.setdefault(rule.id, rule) is not rule:
            raise ValueError(f"two rules have the id {rule.id}")


def rule_label(rule: str) -> str:
    """Return an id with its title, e.g. `L-JR-23 · result without resultType`; a plain name stays alone, e.g. `late-response`."""
    known = RULES.get(rule) if rule.startswith("L-") else None
    return f"{rule} · {known.title}" if known else rule


for _module in (
    jsonrpc,
    opening,
    utilities,
    listed_tools,
    contents,
    client_requests,
    stateless,
    tasks,
    authorization,
):
    add_rules(_module.RULES)
add_rules(READER_RULES)
