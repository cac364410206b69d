"""The rows of the roots table: what the server may see, and what is still being written. Only the former is in the list of roots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.features.roots import Root, suggestion, troubles

if TYPE_CHECKING:
    from collections.abc import Sequence


class RootRow:
    """One row."""

    def __init__(self, root: Root | None, draft: Root | None = None) -> None:
        """Show `root`; None for a row that was not added yet."""
        self.root = root
        """What the server gets."""
        self.draft = draft
        """What was written and not committed; it stands in the row and is sent to nobody."""

    @property
    def shown(self) -> Root:
        """What stands in the row."""
        return self.draft or self.root or Root("")

    @property
    def suggestion(self) -> str:
        """The URI that the draft probably means; empty when there is no draft, or no such URI."""
        return suggestion(self.draft.uri) if self.draft is not None else ""


class RootRows:
    """The rows of one list of roots, in order."""

    def __init__(self) -> None:
        """Start empty."""
        self.rows: list[RootRow] = []

    def committed(self) -> tuple[Root, ...]:
        """Return what the server may see."""
        return tuple(row.root for row in self.rows if row.root is not None)

    def follow(self, items: Sequence[Root]) -> None:
        """Take over a list that was changed elsewhere; drafts stay as far as their rows do."""
        if self.committed() == tuple(items):
            return
        known = [row for row in self.rows if row.root is not None]
        new = [row for row in self.rows if row.root is None]
        rows: list[RootRow] = []
        for root in items:
            row = next((row for row in known if row.root == root), None)
            if row is not None:
                known.remove(row)
            rows.append(row or RootRow(root))
        self.rows = [*rows, *new]

    def begin(self) -> int:
        """Return the position of the row that is not added yet; append an empty one if there is none."""
        for at, row in enumerate(self.rows):
            if row.root is None:
                return at
        self.rows.append(RootRow(None, Root("")))
        return len(self.rows) - 1

    def write(self, at: int, root: Root, *, is_entered: bool) -> None:
        """Take what was written into a row: commit it when it was entered and may be a root, else keep it as a draft.

        A new row in which nothing was written goes.
        """
        row = self.rows[at]
        if row.root is None and not root.uri and not root.name:
            del self.rows[at]
            return
        is_same_uri = row.root is not None and row.root.uri == root.uri
        row.draft = root
        if is_same_uri or (is_entered and not troubles([root])[0]):
            self.commit(row)

    def commit(self, row: RootRow, uri: str | None = None) -> None:
        """Let the server have the draft of a row, with another `uri` if one is given."""
        if row.draft is not None:
            row.root = row.draft if uri is None else Root(uri, row.draft.name)
            row.draft = None

    def discard(self, row: RootRow) -> None:
        """Drop the draft of a row, and a row that is nothing else."""
        row.draft = None
        if row.root is None:
            self.rows.remove(row)

    def move(self, at: int, by: int) -> None:
        """Exchange a row with the one `by` rows further."""
        self.rows[at], self.rows[at + by] = self.rows[at + by], self.rows[at]
