"""The rows of the list as a tree of nodes. Pure: from what is listed to groups, folders and leaves.

Leaves refer to what they stand for by its position in the server's list, so equal addresses stay apart. A folder with nothing but
one folder in it is shown with it in one row.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from ui.features.resources.address import steps

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Kind(Enum):
    """What a row stands for."""

    GROUP = "group"
    FOLDER = "folder"
    RESOURCE = "resource"
    TEMPLATE = "template"


@dataclass(slots=True, eq=False)
class Node:
    """One row."""

    kind: Kind
    """What it stands for."""
    words: str
    """What it is called where no title is known: the last step of its address."""
    position: int = -1
    """The place in the server's list, of a leaf."""
    path: str = ""
    """The address down to here, of a folder; the name of a group."""
    parent: Node | None = None
    """The row above it in the tree."""
    row: int = 0
    """Its place among its siblings."""
    children: list[Node] = field(default_factory=list["Node"])
    """What is in it."""
    leaves: int = 0
    """How many leaves are below it."""

    def add(self, child: Node) -> Node:
        """Put `child` at the end."""
        child.parent, child.row = self, len(self.children)
        self.children.append(child)
        return child


def flat(kind: Kind, group: Node, leaves: Iterable[tuple[int, str]]) -> None:
    """Put leaves, given as (position, address), into `group` as they come."""
    for position, address in leaves:
        group.add(Node(kind, address, position))
    group.leaves = len(group.children)


def by_path(kind: Kind, group: Node, leaves: Iterable[tuple[int, str]]) -> None:
    """Put leaves into `group` by the steps of their addresses."""
    folders: dict[str, Node] = {"": group}
    for position, address in leaves:
        *above, last = steps(address)
        folder = _folder(folders, above)
        folder.add(Node(kind, last, position))
        at: Node | None = folder
        while at is not None and at.kind is not Kind.GROUP:
            at.leaves += 1
            at = at.parent
        group.leaves += 1
    _join_lonely(group)


def _folder(folders: dict[str, Node], above: Sequence[str]) -> Node:
    path, folder = "", folders[""]
    for step in above:
        path += step
        known = folders.get(path)
        if known is None:
            known = folders[path] = folder.add(Node(Kind.FOLDER, step, path=path))
        folder = known
    return folder


def _join_lonely(node: Node) -> None:
    waiting = [node]
    while waiting:
        parent = waiting.pop()
        for row, child in enumerate(parent.children):
            joined = child
            while len(joined.children) == 1 and joined.children[0].kind is Kind.FOLDER:
                only = joined.children[0]
                only.words = joined.words + only.words
                joined = only
            joined.parent, joined.row = parent, row
            parent.children[row] = joined
            if joined.children:
                waiting.append(joined)
