"""Where a widget of the form stands in the value, and what all widgets of one form share.

Edits travel up: a widget sets its new value in its context, the context passes it to the container around it, and so on to the root,
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
    from ui.widgets.form.layout import TimeSlicer
    from ui.widgets.form.reader import Reader
    from ui.widgets.form.row import Row
    from ui.widgets.form.schema import Field

MAX_DEPTH = 10
"""Objects and arrays nested deeper are edited as JSON."""


@dataclass(slots=True, eq=False)
class FormContext:
    """What all widgets of one form share."""

    theme: Theme
    """Colors and sizes."""
    reader: Reader
    """The fields of the schema."""
    make_editor: Callable[[Field, FieldContext, QWidget], Editor]
    """Makes the editor of a field."""
    make_row: Callable[[Field, FieldContext, QWidget], Row]
    """Makes the labeled row of a field."""
    slicer: TimeSlicer
    """How many rows may be made in one turn of the event loop."""


@dataclass(slots=True, eq=False, weakref_slot=True)
class FieldContext:
    """Where one field stands in the value.

    Its methods are connected to signals, and PySide refers weakly to the owner of a method.
    """

    form: FormContext
    """What it shares with the other fields."""
    set_value: Callable[[JsonOrMissing], None]
    """Sets the value of the field."""
    parent: FieldContext | None = None
    """The container; None for the root."""
    key: str | int = ""
    """The key or index in the container; an index changes when items move."""
    required: bool = True
    """Whether the schema requires a value here."""
    label: str = ""
    """A name to show instead of the key."""
    remove: Callable[[], None] | None = None
    """Removes the field itself: an item, a key that was added."""
    move: Callable[[int], None] | None = None
    """Moves an item by this many positions."""
    hint: str = ""
    """What the hint under the field begins with: that the key is not declared."""

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
        """Whether it is an item of an array, where nothing can be absent."""
        return isinstance(self.key, int)

    @property
    def is_added(self) -> bool:
        """Whether it exists only because it was added, an item or an undeclared key: it is removed, never absent."""
        return self.is_item or self.remove is not None

    @property
    def name(self) -> str:
        """The label, or else the key."""
        if self.label:
            return one_line(self.label, 200)
        return f"[{self.key}]" if self.is_item else one_line(str(self.key), 200) or '""'

    @property
    def full_name(self) -> str:
        """The names from the root, for users who do not see the indentation."""
        if self.parent is None or self.parent.parent is None:
            return self.name
        return f"{self.parent.full_name}, {self.name}"

    def clear(self) -> None:
        """Make the value absent, or null where it cannot be absent."""
        self.set_value(None if self.is_added else MISSING)
