"""The catalog: every rule, by its id. A rule is added in one module of `families`; a family, by a row here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.families import (
    apps,
    capabilities,
    client_requests,
    completion,
    discovery,
    envelope,
    event_streams,
    http,
    http_access,
    http_messages,
    http_resumption,
    http_sessions,
    http_sse,
    http_streams,
    identity,
    lifecycle,
    logging,
    model_schemas,
    models,
    prompts,
    quality,
    resource_errors,
    resources,
    stdio,
    tool_calls,
    tool_schemas,
    tools,
    utilities,
)
from inspector.rules import RULES, add_rules

if TYPE_CHECKING:
    from inspector.rules import Rule

FAMILIES = (
    envelope,
    identity,
    stdio,
    http,
    http_messages,
    http_access,
    http_sessions,
    http_streams,
    http_resumption,
    event_streams,
    http_sse,
    lifecycle,
    discovery,
    capabilities,
    tools,
    tool_schemas,
    tool_calls,
    models,
    model_schemas,
    utilities,
    logging,
    completion,
    resources,
    resource_errors,
    prompts,
    client_requests,
    apps,
    quality,
)
"""The modules whose `RULES` have functions of their own."""

_RULES: tuple[Rule, ...] = tuple(rule for family in FAMILIES for rule in family.RULES)

add_rules(_RULES)

CHECKED_RULES = tuple(rule for rule in _RULES if rule.check is not None)
"""The rules with functions of their own; the others of the families are decided by probes."""

CATALOG = RULES
"""Every rule, complete once this module is imported."""
