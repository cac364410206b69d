"""A member of a message that is not there, as opposed to null."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json


class Absent:
    """A member that was not there, as opposed to null."""

    _only: Absent | None = None

    def __new__(cls) -> Absent:
        """Return the only instance."""
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cls._only

    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False


ABSENT = Absent()


MaybeJson: TypeAlias = "Json | Absent"
