"""The catalog: every rule, by its id. A rule is added in one module of `families`; a family, by a row here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.families import (
    apps,
    caching,
    capabilities,
    challenges,
    client_features,
    client_requests,
    completion,
    discovery,
    elicitation,
    envelope,
    event_streams,
    http,
    http_access,
    http_messages,
    http_resumption,
    http_sessions,
    http_sse,
    http_streams,
    icons,
    identity,
    input_required,
    lifecycle,
    logging,
    model_schemas,
    models,
    output_schemas,
    prompts,
    quality,
    resource_errors,
    resources,
    stability,
    stateless_headers,
    stateless_http,
    stateless_streams,
    stdio,
    subscriptions,
    tasks_core,
    tasks_extension,
    tasks_promises,
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
    client_features,
    identity,
    icons,
    stdio,
    http,
    http_messages,
    http_access,
    challenges,
    http_sessions,
    http_streams,
    http_resumption,
    event_streams,
    http_sse,
    stateless_http,
    stateless_headers,
    stateless_streams,
    subscriptions,
    caching,
    input_required,
    tasks_core,
    tasks_promises,
    tasks_extension,
    lifecycle,
    discovery,
    capabilities,
    tools,
    tool_schemas,
    tool_calls,
    output_schemas,
    models,
    model_schemas,
    utilities,
    logging,
    completion,
    resources,
    resource_errors,
    prompts,
    client_requests,
    elicitation,
    apps,
    quality,
    stability,
)
"""The modules whose `RULES` have functions of their own."""

_RULES: tuple[Rule, ...] = tuple(rule for family in FAMILIES for rule in family.RULES)

add_rules(_RULES)

CHECKED_RULES = tuple(rule for rule in _RULES if rule.check is not None)
"""The rules with functions of their own; the others of the families are decided by probes."""

CATALOG = RULES
"""Every rule, complete once this module is imported."""
