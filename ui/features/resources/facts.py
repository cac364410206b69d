"""What a server says of a resource or template, as rows of a table. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.wire import jsontext
from ui.widgets import units
from ui.widgets.key_values import KeyValue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.spec.views.resource import Addressed

UNTRUSTED = "Reported by the server (untrusted)"


def facts(entry: Addressed) -> tuple[KeyValue, ...]:
    """The rows that have something to say."""
    return tuple(fact for fact in _facts(entry) if fact.value)


def _facts(entry: Addressed) -> Iterator[KeyValue]:
    if entry.name != entry.label:
        yield KeyValue("name", entry.name)
    yield KeyValue("type", entry.mime_type)
    size = getattr(entry, "size", None)
    if isinstance(size, int):
        yield KeyValue("size", units.size(size), units.size_exact(size), mono=False)
    annotations = entry.annotations
    yield KeyValue("for", ", ".join(annotations.audience), UNTRUSTED, mono=False)
    if annotations.priority is not None:
        words = {0: "0 (optional)", 1: "1 (required)"}
        priority = words.get(int(annotations.priority)) if annotations.priority in words else None
        yield KeyValue("priority", priority or f"{annotations.priority:g}", UNTRUSTED, mono=False)
    yield KeyValue("changed", annotations.last_modified, UNTRUSTED)
    if entry.icons:
        yield KeyValue("icons", f"{len(entry.icons)} (not loaded)", mono=False)
    if entry.unknown:
        yield KeyValue("other", ", ".join(entry.unknown), "Not defined in this revision (see JSON)")
    if entry.meta:
        yield KeyValue("_meta", jsontext.write(entry.meta))
