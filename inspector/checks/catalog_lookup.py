"""The catalog as frames are checked by it, imported when the first frame is checked: until then a session connects, and has no time."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, NamedTuple, cast

from inspector.background_tasks import import_in_slices
from inspector.checks import families
from inspector.checks.clients import CLIENT_RULES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.rules import Rule


_CATALOG = "inspector.checks.catalog"


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


async def load_catalog() -> None:
    """Import the catalog in small pieces, if it was not needed before."""
    if _CATALOG not in sys.modules:
        found = iter_modules(families.__path__, f"{families.__name__}.")
        await import_in_slices(*(module.name for module in found), _CATALOG)
    catalog_lookup()


@cache
def catalog_lookup() -> CatalogLookup:
    """Return the catalog, imported now if it was not needed before: that takes up to a tenth of a second."""
    catalog = import_module(_CATALOG)
    every = cast("Mapping[str, Rule]", catalog.CATALOG)
    checked = cast("tuple[Rule, ...]", catalog.CHECKED_RULES)
    return CatalogLookup(
        every,
        checked,
        tuple(rule for rule in checked if rule.id in CLIENT_RULES),
        tuple({member: None for rule in checked for member in rule.members}),
        frozenset(on.method for rule in every.values() for on in rule.on),
    )
