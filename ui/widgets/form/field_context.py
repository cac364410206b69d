"""Where a widget of the form stands in the value, and what all widgets of one form share.

Edits travel up: a widget puts its new value into its place, the place hands it to the container around it, and so on to the root,
which shows the new value from the top down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inspector.schema.json_edit import MISSING
from inspector.spec.pointer import join
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from inspector.schema.json_edit import JsonOrMissing, Path
    from ui.theme import Theme
    from ui.widgets.form.editor import Editor
    from ui.widgets.form.reader import Reader
    from ui.widgets.form.row import Row
    from ui.widgets.form.schema import Field
    from ui.widgets.form.time_slicer import TimeSlicer

MAX_DEPTH = 10
"""Objects and lists nested deeper are edited as JSON."""


@dataclass(slots=True, eq=False)
class FormContext:
    """What all widgets of one form share."""

    theme: Theme
    """Colours and sizes."""
    reader: Reader
    """Fields of the schema."""
    make_editor: Callable[[Field, FieldContext, QWidget], Editor]
    """Makes the editor of a field at a place."""
    make_row: Callable[[Field, FieldContext, QWidget], Row]
    """Makes the labelled row of a field at a place."""
    pace: TimeSlicer
    """How many rows may be made at a time."""


@dataclass(slots=True, eq=False, weakref_slot=True)
class FieldContext:
    """One place of the value.

    Its methods are connected to signals, and PySide refers weakly to the owner of a method.
    """

    site: FormContext
    """The form it belongs to."""
    put: Callable[[JsonOrMissing], None]
    """Takes the new value of this place."""
    parent: FieldContext | None = None
    """The container; None for the root."""
    key: str | int = ""
    """The key or index in the container; an index changes when items move."""
    required: bool = True
    """Whether the schema wants a value here."""
    label: str = ""
    """A name to show instead of the key."""
    remove: Callable[[], None] | None = None
    """Takes the whole place away: an item, a key that was added."""
    move: Callable[[int], None] | None = None
    """Moves an item by so many places."""
    remark: str = ""
    """Something to say about the place whatever its field: that the key is not declared."""

    @property
    def path(self) -> Path:
        """Keys and indices from the root."""
        return () if self.parent is None else (*self.parent.path, self.key)

    @property
    def pointer(self) -> str:
        """The JSON pointer from the root."""
        return join("", *self.path)

    @property
    def depth(self) -> int:
        """Containers around it."""
        return 0 if self.parent is None else self.parent.depth + 1

    @property
    def is_item(self) -> bool:
        """Whether it is an item of a list, where nothing can be absent."""
        return isinstance(self.key, int)

    @property
    def is_added(self) -> bool:
        """Whether it exists only because it was added, an item or an undeclared key: it is removed, never absent."""
        return self.is_item or self.remove is not None

    @property
    def name(self) -> str:
        """What to call it on screen."""
        if self.label:
            return one_line(self.label, 200)
        return f"[{self.key}]" if self.is_item else one_line(str(self.key), 200) or '""'

    @property
    def spoken(self) -> str:
        """The names from the root, for who does not see the indentation."""
        if self.parent is None or self.parent.parent is None:
            return self.name
        return f"{self.parent.spoken}, {self.name}"

    def clear(self) -> None:
        """Put the value away; where it cannot be absent it becomes null."""
        self.put(None if self.is_added else MISSING)
