"""A JSON-RPC error in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.errors import PeerError
from ui.widgets.error_panel import error_text

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (-32601, "-32601 Method not found: no"),
        (0, "code 0: no"),
        (42, "code 42: no"),
        (None, "error without a code: no"),
        ("E1", 'error "E1": no'),
        ({"n": None}, 'error {"n": null}: no'),
        (True, "error true: no"),
    ],
)
def test_a_code_is_named_and_no_value_of_the_program_is_shown(code: Json, text: str) -> None:
    """Ours."""
    assert error_text(PeerError(code, "no"), None).text == text
