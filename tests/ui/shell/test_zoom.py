"""What a change of the text size leaves as it is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.ui.shell.shell_fixture import ShellFixture


async def test_a_theme_of_a_newer_version_outlasts_zooming(shell: ShellFixture) -> None:
    """Ours: until the user selects another one."""
    state, view = shell.window.layout_state, shell.window.commands.view
    state.settings = replace(state.settings, theme="sepia")
    view.step_scale(1)
    assert state.settings.theme == "sepia"
    view.set_theme("dark")
    view.step_scale(-1)
    assert state.settings.theme == "dark"
