"""The catalog: every rule, by its id. A rule is added in one module of `families`; a family, by a row here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.families import (
    capabilities,
    model_schemas,
    models,
    tool_calls,
    tool_schemas,
    tools,
)
from inspector.rules import RULES, add_rules

if TYPE_CHECKING:
    from inspector.rules import Rule

FAMILIES = (capabilities, tools, tool_schemas, tool_calls, models, model_schemas)
"""The modules whose `RULES` have functions of their own."""

CHECKED_RULES: tuple[Rule, ...] = tuple(rule for family in FAMILIES for rule in family.RULES)
"""The rules with functions of their own."""

add_rules(CHECKED_RULES)

CATALOG = RULES
"""Every rule, complete once this module is imported."""
