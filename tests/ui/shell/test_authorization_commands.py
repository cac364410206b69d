"""The commands of the page *Authorization* in the Session menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.ui.shell.shell_fixture import ShellFixture


async def test_they_need_a_server_with_authorization(shell: ShellFixture) -> None:
    """Ours."""
    await shell.open()
    keys = ("authorize", "authorize_step", "authorize_stop")
    keys += ("token_refresh", "token_expire", "token_break")

    for key in keys:
        shell.window.commands.actions[key].trigger()
        assert not shell.window.commands.actions[key].isEnabled()
    assert shell.window.parts.workbench.current.info.key != "authorization"
