"""Reading arguments that were checked before; what is absent has the default of the schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject


class Arguments:
    """The arguments of one call."""

    def __init__(self, values: JsonObject, schema: JsonObject) -> None:
        """Keep what came and what was asked for."""
        self.values = values
        properties = schema.get("properties")
        self._properties = properties if isinstance(properties, dict) else {}

    def value(self, name: str) -> Json:
        """What came under `name`, else its default."""
        if name in self.values:
            return self.values[name]
        schema = self._properties.get(name)
        return schema.get("default") if isinstance(schema, dict) else None

    def text(self, name: str) -> str:
        """A string; empty when absent without default."""
        value = self.value(name)
        return value if isinstance(value, str) else ""

    def number(self, name: str) -> float:
        """A number; 0 when absent without default."""
        value = self.value(name)
        return value if isinstance(value, int | float) else 0

    def whole(self, name: str) -> int:
        """An integer; 0 when absent without default."""
        return int(self.number(name))

    def flag(self, name: str) -> bool:
        """A yes or no; no when absent without default."""
        return self.value(name) is True
