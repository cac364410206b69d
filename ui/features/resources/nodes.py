"""The rows of the list as a tree of nodes that grows. Pure: from what is listed to groups, folders and leaves.

Leaves refer to entries by position, so equal URIs stay apart. A folder that only contains one folder shares a row with it; the row
is split when something else is added to the outer one. The work of growing depends on the number of new rows only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

from ui.features.resources.resource_facts import segments

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Leaf = tuple[int, str]
"""Position in the server's list, URI."""


class ResourceKind(Enum):
    """What a row stands for."""

    GROUP = "group"
    FOLDER = "folder"
    RESOURCE = "resource"
    TEMPLATE = "template"


@dataclass(slots=True, eq=False)
class ResourceNode:
    """One row."""

    kind: ResourceKind
    """What the row shows."""
    text: str
    """The last segment of its URI, which is displayed if it has no title."""
    position: int = -1
    """The position of a leaf in the server's list."""
    path: str = ""
    """The URI of a folder; the name of a group."""
    parent: ResourceNode | None = None
    """The row above it in the tree."""
    row: int = 0
    """Its place among its siblings."""
    children: list[ResourceNode] = field(default_factory=list["ResourceNode"])
    """What is in it."""
    leaves: int = 0
    """The number of leaves below it."""
    covers: list[str] = field(default_factory=list[str])
    """The URIs of the folders that are joined in it, outermost first."""

    def add(self, child: ResourceNode) -> ResourceNode:
        """Put `child` at the end."""
        child.parent, child.row = self, len(self.children)
        self.children.append(child)
        return child

    def insert(self, row: int, child: ResourceNode) -> None:
        """Put `child` at a row."""
        self.children.insert(row, child)
        child.parent = self
        for at in range(row, len(self.children)):
            self.children[at].row = at


class Watcher(Protocol):
    """Is notified before and after rows change, as `QAbstractItemModel` requires."""

    def begin_insert(self, parent: ResourceNode, first: int, last: int) -> None:
        """Rows come into `parent`."""
        ...

    def end_insert(self) -> None:
        """They are there."""
        ...

    def begin_move(self, parent: ResourceNode, last: int, target: ResourceNode) -> None:
        """The rows of `parent` up to `last` move into `target`, which is empty."""
        ...

    def end_move(self) -> None:
        """They have moved."""
        ...

    def node_changed(self, node: ResourceNode) -> None:
        """The text or the count of `node` changed."""
        ...


class Branch:
    """One group and what is below it."""

    def __init__(self, kind: ResourceKind, group: ResourceNode, *, has_folders: bool) -> None:
        """Put leaves of `kind` into `group`, in folders by the segments of their URIs or one below the other."""
        self.group = group
        self._kind = kind
        self._has_folders = has_folders
        self._folders: dict[str, ResourceNode] = {}

    def add(self, leaves: Iterable[Leaf], watcher: Watcher | None) -> list[ResourceNode]:
        """Put leaves at the end of their folders, and return them; without a `watcher` the group has no view yet."""
        added: list[ResourceNode] = []
        grown: dict[int, ResourceNode] = {}
        for above, run in groupby(map(self._segmented, leaves), key=lambda leaf: leaf[2]):
            nodes = [ResourceNode(self._kind, text, position) for position, text, _above in run]
            added += nodes
            folder = self._insert(above, nodes, watcher)
            while folder is not None and (
                folder is self.group or folder.kind is ResourceKind.FOLDER
            ):
                folder.leaves += len(nodes)
                grown[id(folder)] = folder
                folder = folder.parent
        for folder in grown.values():
            if watcher is not None:
                watcher.node_changed(folder)
        return added

    def _segmented(self, leaf: Leaf) -> tuple[int, str, tuple[str, ...]]:
        position, address = leaf
        if not self._has_folders:
            return position, address, ()
        *above, last = segments(address)
        return position, last, tuple(above)

    def _insert(
        self, above: Sequence[str], nodes: list[ResourceNode], watcher: Watcher | None
    ) -> ResourceNode:
        """Add `nodes` to the folder of these segments, which is created if it is missing; return the folder."""
        paths = ["".join(above[: at + 1]) for at in range(len(above))]
        known = sum(path in self._folders for path in paths)
        folder = self._folders[paths[known - 1]] if known else self.group
        if known and folder.path != paths[known - 1]:
            self._split(folder, paths[known - 1], watcher)
        made: ResourceNode | None = None
        if known < len(paths):
            made = ResourceNode(
                ResourceKind.FOLDER, "".join(above[known:]), path=paths[-1], covers=paths[known:]
            )
            self._folders |= dict.fromkeys(made.covers, made)
            for node in nodes:
                made.add(node)
        _insert_rows(folder, [made] if made is not None else nodes, watcher)
        return made or folder

    def _split(self, folder: ResourceNode, path: str, watcher: Watcher | None) -> None:
        """Let `folder`, in which several are joined, end at `path`, and put the rest into a folder below."""
        cut = folder.covers.index(path) + 1
        rest = ResourceNode(
            ResourceKind.FOLDER, folder.path[len(path) :], path=folder.path, leaves=folder.leaves
        )
        folder.covers, rest.covers = folder.covers[:cut], folder.covers[cut:]
        folder.text = folder.text.removesuffix(rest.text)
        folder.path = path
        self._folders |= dict.fromkeys(rest.covers, rest)
        _insert_rows(folder, [rest], watcher)
        children = folder.children[:-1]
        if watcher is not None:
            watcher.begin_move(folder, len(children) - 1, rest)
        rest.children, folder.children, rest.row = children, [rest], 0
        for child in children:
            child.parent = rest
        if watcher is not None:
            watcher.end_move()
            watcher.node_changed(folder)


def _insert_rows(
    parent: ResourceNode, nodes: Sequence[ResourceNode], watcher: Watcher | None
) -> None:
    first = len(parent.children)
    if watcher is not None:
        watcher.begin_insert(parent, first, first + len(nodes) - 1)
    for node in nodes:
        parent.add(node)
    if watcher is not None:
        watcher.end_insert()
