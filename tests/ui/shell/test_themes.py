"""A theme is one palette: menu, window and settings derive from it; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ui.theme.palettes import LIGHT, PALETTES, Palette

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from tests.ui.shell.shell_fixture import ShellFixture
    from ui.theme import Theme

SEPIA = Palette("Se&pia theme", is_dark=False, colors=LIGHT | {"panel": "#f4ecd8"})


@pytest.fixture
def one_palette_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spyglass with one more palette."""
    monkeypatch.setitem(PALETTES, "sepia", SEPIA)


@pytest.mark.usefixtures("one_palette_more")
async def test_a_theme_added_by_one_palette_is_in_the_menu_and_in_the_settings(
    shell: ShellFixture, qapp: QApplication
) -> None:
    """Ours."""
    action = shell.window.commands.actions["theme_sepia"]

    action.trigger()

    assert action.isChecked()
    assert qapp.palette().window().color().name() == "#f4ecd8"
    shell.window.layout_state.save()
    assert shell.app.settings.load().theme == "sepia"


def test_a_theme_that_is_not_there_follows_the_system(qapp: QApplication, theme: Theme) -> None:
    """Ours: the settings of a version that has it."""
    theme.apply(qapp, "sepia")

    assert theme.mode == "system"
    assert theme.palette in PALETTES.values()
