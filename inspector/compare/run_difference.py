"""How a server differs from what it was in an earlier run: version, revision, capabilities, instructions, and what it lists.

The difference names what changed and where; it holds no definitions, so that the differences of many runs cost little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.compare.json_difference import (
    STEP,
    ChangeKind,
    JsonDifference,
    Pair,
    PairState,
    compare_json,
)
from inspector.compare.json_text import OBJECT, json_text, members, readable, string
from inspector.compare.json_text import kind as item_kind
from inspector.compare.paths import path_text
from inspector.compare.server_snapshot import LIST_KINDS
from inspector.frozen import FrozenStruct
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inspector.background_tasks import Steps
    from inspector.compare.json_text import JsonText
    from inspector.compare.server_snapshot import ListKind, ServerSnapshot
    from inspector.json_value import Json

ASPECTS = {
    "inputSchema": "schema",
    "outputSchema": "schema",
    "description": "description",
    "arguments": "arguments",
}
"""Members of a definition that are named in a summary; changes of others count as changes of the item."""

MAX_PATHS = 20
"""Changes of one item that are kept with their path; more are counted."""

MAX_NAME = 200
"""Characters of an item without a name."""

MAX_ITEMS = 1000
"""Changed items of one list that are kept with their changes; of more, only the name is."""


class ItemChange(FrozenStruct, frozen=True):
    """A tool, resource, template or prompt that is listed in both runs and differs."""

    name: str
    aspects: tuple[str, ...]
    """What changed of it: `schema`, `description`, `arguments`, or an empty text for other members."""
    paths: tuple[tuple[ChangeKind, str], ...] = ()
    """The changes within it, as kind and path; at most `MAX_PATHS`."""
    count: int = 0
    """All changes within it."""


class ListDifference(FrozenStruct, frozen=True):
    """How a list differs."""

    key: str
    """`ListKind.key`."""
    noun: str
    added: tuple[str, ...] = ()
    """Names of the items that are listed only in the later run."""
    removed: tuple[str, ...] = ()
    """Names of the items that are listed only in the earlier run."""
    changed: tuple[ItemChange, ...] = ()
    moved: tuple[str, ...] = ()
    """Names of the items that are listed in another order."""

    @property
    def is_empty(self) -> bool:
        """Whether both lists are equal."""
        return not (self.added or self.removed or self.changed or self.moved)


class ChangeSummary(FrozenStruct, frozen=True):
    """Changes of one kind: what a badge shows."""

    kind: ChangeKind
    noun: str
    """What changed: `tool`, `schema`, `capability`."""
    count: int
    names: tuple[str, ...] = ()
    """What they are about: the tools whose schemas changed."""

    @property
    def subject(self) -> str:
        """`2 tools`, `1 schema`, `instructions`."""
        plural = self.noun if self.noun.endswith("s") else f"{self.noun}s"
        if self.noun.endswith("y"):
            plural = f"{self.noun[:-1]}ies"
        return f"{self.count:,} {self.noun if self.count == 1 else plural}"

    @property
    def text(self) -> str:
        """`2 tools added`, `schema of search_orders changed`."""
        if self.count == 1 and len(self.names) == 1 and self.kind is ChangeKind.CHANGED:
            of = self.names[0] if self.noun in {kind.noun for kind in LIST_KINDS} else ""
            return f"{self.noun} {of} changed" if of else f"{self.noun} of {self.names[0]} changed"
        return f"{self.subject} {self.kind.value}"


class RunDifference(FrozenStruct, frozen=True):
    """How a server differs from an earlier run."""

    version: tuple[str, str] | None = None
    """The versions before and after, where they differ."""
    revision: tuple[str, str] | None = None
    """The revisions before and after, where they differ."""
    info: tuple[tuple[ChangeKind, str], ...] = ()
    """Changes of `serverInfo` besides the version, as kind and path."""
    capabilities: tuple[tuple[ChangeKind, str], ...] = ()
    """Changes of the capabilities, as kind and path."""
    has_other_instructions: bool = False
    lists: tuple[ListDifference, ...] = ()
    """The lists that were read in both runs, in the order of `LIST_KINDS`."""
    unknown: tuple[str, ...] = ()
    """The keys of the lists that were read in one of the runs only, and cannot be compared."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing changed, as far as it is known in both runs."""
        return self.version is None and self.revision is None and not self.summaries

    @property
    def summaries(self) -> tuple[ChangeSummary, ...]:
        """What changed besides version and revision, in the order of importance."""
        found = [summary for each in self.lists for summary in _list_summaries(each)]
        for noun, changes in (("capability", self.capabilities), ("server property", self.info)):
            for kind in ChangeKind:
                names = tuple(path for how, path in changes if how is kind)
                if names:
                    found.append(ChangeSummary(kind, noun, len(names), names))
        if self.has_other_instructions:
            found.append(ChangeSummary(ChangeKind.CHANGED, "instructions", 1))
        return tuple(found)

    @property
    def text(self) -> str:
        """`2 tools added, schema of x changed`; empty for no difference."""
        parts = [
            f"{noun} {values[0] or 'none'} → {values[1] or 'none'}"
            for noun, values in (("version", self.version), ("revision", self.revision))
            if values is not None
        ]
        return ", ".join((*parts, *(summary.text for summary in self.summaries)))


def _list_summaries(difference: ListDifference) -> Iterable[ChangeSummary]:
    noun, kinds = difference.noun, ChangeKind
    for kind, names in ((kinds.ADDED, difference.added), (kinds.REMOVED, difference.removed)):
        if names:
            yield ChangeSummary(kind, noun, len(names), names)
    for aspect in (*dict.fromkeys(ASPECTS.values()), ""):
        names = tuple(each.name for each in difference.changed if aspect in each.aspects)
        if names:
            yield ChangeSummary(kinds.CHANGED, _aspect_noun(noun, aspect), len(names), names)
    if difference.moved:
        yield ChangeSummary(kinds.MOVED, noun, len(difference.moved), difference.moved)


def _aspect_noun(noun: str, aspect: str) -> str:
    if not aspect:
        return noun
    return aspect if noun == "tool" else f"{noun} {aspect}"


def compare_snapshots(before: ServerSnapshot, after: ServerSnapshot) -> Steps[RunDifference]:
    """Compare what a server was in two runs; lists that were not read in both are left out."""
    lists: list[ListDifference] = []
    unknown: list[str] = []
    for kind in LIST_KINDS:
        old, new = before.lists.get(kind.key), after.lists.get(kind.key)
        if old is not None and new is not None:
            lists.append((yield from _compare_lists(kind, old, new)))
        elif old is not None or new is not None:
            unknown.append(kind.key)
    if not (before.is_known and after.is_known):
        return RunDifference(lists=tuple(lists), unknown=tuple(unknown))
    info = yield from _compare_values(before.info, after.info)
    capabilities = yield from _compare_values(before.capabilities, after.capabilities)
    return RunDifference(
        _pair(before.version, after.version),
        _pair(before.revision, after.revision),
        tuple(each for each in info if each[1] != "version"),
        capabilities,
        before.instructions != after.instructions,
        tuple(lists),
        tuple(unknown),
    )


def _pair(before: str, after: str) -> tuple[str, str] | None:
    return (before, after) if before != after else None


def _compare_values(old: Json, new: Json) -> Steps[tuple[tuple[ChangeKind, str], ...]]:
    old_text, new_text = json_codec.write_bytes(old), json_codec.write_bytes(new)
    difference = yield from compare_json(old_text, new_text)
    return tuple((change.kind, path_text(change.path)) for change in difference.changes())


def _compare_lists(
    kind: ListKind, old: Sequence[bytes], new: Sequence[bytes]
) -> Steps[ListDifference]:
    difference = yield from compare_json(b"[%b]" % b",".join(old), b"[%b]" % b",".join(new))
    root = difference.root
    if root.state is PairState.EQUAL:
        return ListDifference(kind.key, kind.noun)
    parts = [part for part in root.parts if isinstance(part, Pair)]
    if root.state is PairState.CHANGED:  # too many differ: they are compared by name alone
        return (yield from _compare_names(kind, old, new))
    changed: list[ItemChange] = []
    for part in parts:
        if part.state in {PairState.INSIDE, PairState.CHANGED}:
            changed.append(_item_change(kind, part, with_paths=len(changed) < MAX_ITEMS))
            yield
    return ListDifference(
        kind.key,
        kind.noun,
        tuple(_name(kind, part.new) for part in parts if part.state is PairState.ADDED),
        tuple(_name(kind, part.old) for part in parts if part.state is PairState.REMOVED),
        tuple(changed),
        tuple(_name(kind, part.new) for part in parts if part.is_moved),
    )


def _item_change(kind: ListKind, part: Pair, *, with_paths: bool) -> ItemChange:
    steps = [str(inner.step) for inner in part.parts if isinstance(inner, Pair)]
    aspects = tuple(dict.fromkeys(ASPECTS.get(step, "") for step in steps)) or ("",)
    inside = JsonDifference(part).changes() if with_paths else ()
    changes = [(each.kind, path_text(each.path)) for each in inside if each.path]
    return ItemChange(_name(kind, part.new), aspects, tuple(changes[:MAX_PATHS]), len(changes))


def _compare_names(
    kind: ListKind, old: Sequence[bytes], new: Sequence[bytes]
) -> Steps[ListDifference]:
    """Compare lists in which too much differs to be compared item by item."""
    before = yield from _by_name(kind, old)
    after = yield from _by_name(kind, new)
    both = [name for name in after if name in before and before[name] != after[name]]
    return ListDifference(
        kind.key,
        kind.noun,
        tuple(name for name in after if name not in before),
        tuple(name for name in before if name not in after),
        tuple(ItemChange(name, ("",)) for name in both),
    )


def _by_name(kind: ListKind, items: Sequence[bytes]) -> Steps[dict[str, bytes]]:
    found: dict[str, bytes] = {}
    for at, item in enumerate(items):
        found.setdefault(_name(kind, json_text(item)), item)
        if not at % STEP:
            yield
    return found


def _name(kind: ListKind, item: JsonText | None) -> str:
    """Return what identifies an item; the item itself if it has no name."""
    if item is None:
        return ""
    found = (members(item) or {}).get(kind.identity) if item_kind(item) == OBJECT else None
    named = string(found) if found is not None else None
    return named if named else readable(found if found is not None else item)[:MAX_NAME]
