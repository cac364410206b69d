"""How the docks at the bottom share the height of the window; ours throughout."""

from __future__ import annotations

from ui.shell.docks import DockHeightKeeper


def test_a_lower_window_takes_from_the_docks_and_gives_it_back() -> None:
    """Ours; ux: usable down to 1024 by 640."""
    share = DockHeightKeeper(0.4)

    assert share.height(360, 900, 640) == 256
    assert share.height(256, 640, 700) == 280
    assert share.height(280, 700, 900) == 360
    assert share.height(360, 900, 1200) == 360


def test_docks_that_are_low_already_give_nothing() -> None:
    """Ours."""
    assert DockHeightKeeper(0.4).height(200, 900, 640) == 200


def test_what_a_person_drags_holds_from_then_on() -> None:
    """Ours."""
    share = DockHeightKeeper(0.4)
    assert share.height(360, 900, 640) == 256

    assert share.height(320, 640, 600) == 300
    assert share.height(300, 600, 900) == 320
