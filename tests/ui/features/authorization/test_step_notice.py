"""What the user may do about a step that failed."""

from __future__ import annotations

import pytest

from inspector.auth.settings import Waiver
from ui.connect.authorization_fields import WAIVERS
from ui.features.authorization.step_notice import ACCEPTS, difference


def test_every_rule_that_a_server_may_break_has_its_button_and_its_check_box() -> None:
    """Ours: a rule without a text would stop the page."""
    assert set(ACCEPTS) == set(Waiver)
    assert set(WAIVERS) == set(Waiver)


@pytest.mark.parametrize(
    ("expected", "received", "differs"),
    [
        ("https://a.example/mcp", "https://b.example/mcp", "b"),
        ("aXbc", "aYYbc", "YY"),
        ("/mcp", "/mcp/", "/"),
        ("/mcp/", "/mcp", "p"),
        ("x/mcp", "/mcp", "/"),
        ("", "/mcp", "/mcp"),
        ("/mcp", "", ""),
    ],
)
def test_what_differs_is_marked_and_what_is_missing_beside_its_gap(
    expected: str, received: str, differs: str
) -> None:
    """Ours."""
    start, end = difference(expected, received)

    assert received[start:end] == differs
