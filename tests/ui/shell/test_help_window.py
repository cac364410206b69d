"""Keys and filters, told by what does them; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.transcript.filter.fields import FIELDS
from inspector.transcript.filter.query import parse
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, find, reads
from ui.shell.help_window import HelpWindow, filter_text, keys_text

if TYPE_CHECKING:
    from tests.ui.shell.shell_fixture import ShellFixture


async def test_f1_tells_every_key_and_every_field_of_the_filter(shell: ShellFixture) -> None:
    """Ours; ux: keyboard first."""
    shell.window.commands.actions["help"].trigger()
    shell.window.commands.actions["help"].trigger()
    assert len(shell.window.findChildren(HelpWindow)) == 1
    shown = find(shell.window, HelpWindow, "help")
    text = reads(shown, "help_text")
    assert "Return" not in text
    for command in shell.window.commands.actions.commands:
        if command.shortcut:
            assert command.text.replace("&", "") in text
    click(shown, "help_views_filter")
    await wait_until(lambda: "status:" in reads(shown, "help_text"))
    shown.close()
    await wait_until(lambda: not shell.window.findChildren(HelpWindow))


async def test_the_demo_server_is_no_longer_a_key_away(shell: ShellFixture) -> None:
    """Ours: F1 is for help."""
    assert shell.window.commands.actions["demo"].shortcut().isEmpty()
    assert "F1" in keys_text(shell.window.commands.actions.commands)


def test_every_example_of_the_filter_works() -> None:
    """Ours."""
    text = filter_text()
    for field in FIELDS.values():
        assert field.example in text
        parse(field.example)
        for value in field.values or {}:
            assert f"      {value} " in text
