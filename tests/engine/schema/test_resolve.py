"""What references point at; ours throughout, after JSON Schema 2020-12 core, section 8.2."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.schema.json_edit import MISSING
from inspector.schema.resolve import Resolver

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

DOCUMENT: JsonObject = {
    "prefixItems": [{"title": "first"}, {"title": "second"}],
    "$defs": {"a/b": {"title": "escaped"}, "named": {"$anchor": "name", "title": "anchored"}},
    "type": "array",
}


@pytest.mark.parametrize(
    ("reference", "target"),
    [
        ("#", DOCUMENT),
        ("#/type", "array"),
        ("#/prefixItems/0", {"title": "first"}),
        ("#/prefixItems/1", {"title": "second"}),
        ("#/prefixItems/2", MISSING),
        ("#/prefixItems/-1", MISSING),
        ("#/prefixItems/x", MISSING),
        ("#/prefixItems/99999999999999999999", MISSING),
        ("#/type/0", MISSING),
        ("#/none", MISSING),
        ("#/$defs/a~1b", {"title": "escaped"}),
        ("#name", {"$anchor": "name", "title": "anchored"}),
        ("#other", MISSING),
    ],
)
def test_a_reference_points_at_a_part_of_the_document_or_at_nothing(
    reference: str, target: Json
) -> None:
    """Nothing is raised for any of them."""
    assert Resolver(DOCUMENT).target(reference) == target
