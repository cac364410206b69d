"""The catalog as frames are checked by it, imported when the first frame is checked: until then a session connects, and has no time."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

from inspector.checks.clients import CLIENT_RULES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.rules import Rule


class CatalogLookup(NamedTuple):
    """The rules, and what every message is compared with."""

    every: Mapping[str, Rule]
    """By id."""
    checked: tuple[Rule, ...]
    """Those with functions of their own."""
    of_clients: tuple[Rule, ...]
    """Those of them that are about limits of clients."""
    members: tuple[str, ...]
    """Members of results that decide whether rules look: with each of them other rules do."""
    methods: frozenset[str]
    """Methods that a rule is about: those that a server invents are not remembered one by one."""


@cache
def catalog_lookup() -> CatalogLookup:
    """Return the catalog, imported now if it was not needed before: that takes up to a tenth of a second."""
    catalog = import_module("inspector.checks.catalog")
    every = cast("Mapping[str, Rule]", catalog.CATALOG)
    checked = cast("tuple[Rule, ...]", catalog.CHECKED_RULES)
    return CatalogLookup(
        every,
        checked,
        tuple(rule for rule in checked if rule.id in CLIENT_RULES),
        tuple({member: None for rule in checked for member in rule.members}),
        frozenset(on.method for rule in every.values() for on in rule.on),
    )
