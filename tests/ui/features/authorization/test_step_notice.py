"""What the user may do about a step that failed."""

from __future__ import annotations

from inspector.auth.settings import Waiver
from ui.connect.authorization_fields import WAIVERS
from ui.features.authorization.step_notice import ACCEPTS


def test_every_rule_that_a_server_may_break_has_its_button_and_its_check_box() -> None:
    """Ours: a rule without a text would stop the page."""
    assert set(ACCEPTS) == set(Waiver)
    assert set(WAIVERS) == set(Waiver)
