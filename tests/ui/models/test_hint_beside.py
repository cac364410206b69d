"""The hint of an error never contradicts the table beside it."""

from __future__ import annotations

import pytest

from inspector.errors import PeerError
from ui.models.error_detail_rows import CONTRADICTIONS, hint_beside
from ui.widgets.comparison_table import ComparisonRow

FITS = ComparisonRow("Revision", "2026-07-28", "2026-07-28", True)
DIFFERS = ComparisonRow("Capability roots", "not declared", "required", False)


@pytest.mark.parametrize("code", [-32020, -32021, -32022])
def test_a_server_that_refuses_what_it_supports_is_said_to(code: int) -> None:
    """Ours."""
    error = PeerError(code, "no")

    assert hint_beside([FITS, FITS], error, "Connect again.") == CONTRADICTIONS[code]
    assert hint_beside([FITS, DIFFERS], error, "Connect again.") == "Connect again."
    assert hint_beside([], error, "Connect again.") == "Connect again."


def test_a_code_with_other_meanings_keeps_its_hint() -> None:
    """Ours: -32602 is about the arguments as a rule, whatever the metadata."""
    assert hint_beside([FITS], PeerError(-32602, "no"), "Check names.") == "Check names."
