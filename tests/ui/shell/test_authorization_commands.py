"""The commands of the page *Authorization* in the Session menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.ui.shell.desk import Desk


async def test_they_need_a_server_with_authorization(desk: Desk) -> None:
    """Ours."""
    await desk.open()
    keys = ("authorize", "authorize_step", "authorize_stop")
    keys += ("token_refresh", "token_expire", "token_break")

    for key in keys:
        desk.window.actions_[key].trigger()
        assert not desk.window.actions_[key].isEnabled()
    assert desk.window.workbench.current.info.key != "authorization"
