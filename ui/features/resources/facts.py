"""What a server says of a resource or template, as rows of a table. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.wire import jsontext
from ui.widgets import units
from ui.widgets.key_values import Fact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.spec.views.resource import Addressed

UNTRUSTED = "Reported by the server (untrusted)"


def facts(entry: Addressed) -> tuple[Fact, ...]:
    """The rows that have something to say."""
    return tuple(fact for fact in _facts(entry) if fact.value)


def _facts(entry: Addressed) -> Iterator[Fact]:
    if entry.name != entry.label:
        yield Fact("name", entry.name)
    yield Fact("type", entry.mime_type)
    size = getattr(entry, "size", None)
    if isinstance(size, int):
        yield Fact("size", units.size(size), units.size_exact(size), mono=False)
    annotations = entry.annotations
    yield Fact("for", ", ".join(annotations.audience), UNTRUSTED, mono=False)
    if annotations.priority is not None:
        words = {0: "0 (optional)", 1: "1 (required)"}
        priority = words.get(int(annotations.priority)) if annotations.priority in words else None
        yield Fact("priority", priority or f"{annotations.priority:g}", UNTRUSTED, mono=False)
    yield Fact("changed", annotations.last_modified, UNTRUSTED)
    if entry.icons:
        yield Fact("icons", f"{len(entry.icons)} (not loaded)", mono=False)
    if entry.unknown:
        yield Fact("other", ", ".join(entry.unknown), "Not defined in this revision (see JSON)")
    if entry.meta:
        yield Fact("_meta", jsontext.write(entry.meta))
