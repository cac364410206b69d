"""Which keys of an object are declared and required, as its value stands: a schema may have conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.schema.json_edit import MISSING
from ui.widgets.form.schema import FieldKind

if TYPE_CHECKING:
    from collections.abc import Collection

    from inspector.schema.json_edit import JsonOrMissing
    from ui.widgets.form.reader import Reader
    from ui.widgets.form.schema import Field, Property


NOTHING_TO_TYPE = frozenset({FieldKind.CONST, FieldKind.FALSE_SCHEMA})
"""Kinds of which there is only one value, or none."""


class Declared:
    """The declared keys of one object, in the order of the schema."""

    def __init__(self, reader: Reader, field: Field) -> None:
        """Begin as for an absent object."""
        self._reader = reader
        self._field = field
        self._declare(reader.current(field, MISSING))

    def _declare(self, current: Field) -> None:
        self.current = current
        """The object with what its conditions bring."""
        self.by_name = {each.name: each for each in self._reader.properties(current)}
        self.order = list(self.by_name)

    def follow(self, value: JsonOrMissing) -> bool:
        """Declare what holds for `value`; whether that is anything else than before."""
        current = self._reader.current(self._field, value)
        if current is self.current:
            return False
        self._declare(current)
        return True

    def changed(self, names: Collection[str], before: dict[str, Property]) -> list[str]:
        """Those of `names` that are declared otherwise than `before`."""
        return [name for name in names if self._is_other(before.get(name), self.by_name.get(name))]

    def _is_other(self, old: Property | None, new: Property | None) -> bool:
        if old is None or new is None:
            return old is not new
        field = self._reader.field
        return old.required != new.required or field(old.schema) is not field(new.schema)

    def extra(self, name: str) -> Field | None:
        """The field of a key that is not declared, or None where the schema says nothing about it."""
        return self._reader.extra(self.current, name)

    def can_be_typed(self, name: str) -> bool:
        """Whether a key has more than one value."""
        declared = self.by_name.get(name)
        return declared is None or self._reader.field(declared.schema).kind not in NOTHING_TO_TYPE

    def rules_text(self) -> str:
        """The rules about several of its keys, one a line."""
        return "\n".join(_capital(rule.text) for rule in self._reader.rules(self.current))

    def facts_text(self) -> str:
        """What is known of the whole object, for where no row tells it."""
        return _capital(" · ".join(self._field.facts))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
