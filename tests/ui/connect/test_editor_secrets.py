"""Editing a server whose secrets are kept elsewhere; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from inspector.config.profile import Profile
from inspector.config.secrets import MASK
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.config.secrets import MemorySecrets
    from inspector.config.server_list import ServerList
    from ui.connect.editor import ServerEditor

W = TypeVar("W", bound=QWidget)


def part(editor: ServerEditor, kind: type[W], name: str) -> W:
    found = editor.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


@pytest.mark.parametrize(
    "profile",
    [
        Profile(name="l", command="node", args=("x.js", "--token", "hush", "-v")),
        Profile(name="r", transport="http", url="https://x.example/mcp?api_key=hush"),
        Profile(name="p", transport="http", url="https://x.example", proxy="http://u:hush@p:80"),
    ],
)
async def test_arguments_and_urls_are_edited_with_their_secrets_in_them(
    profile: Profile, server_list: ServerList, open_editor: Callable[..., ServerEditor]
) -> None:
    """What is typed while they are being read is not lost."""
    server_list.add(profile)
    await server_list.save()
    await server_list.load()
    editor = open_editor(server_list.profiles[0])
    part(editor, QLineEdit, "server_name").setText("typed")
    await wait_until(lambda: editor.chosen() == (replace(profile, name="typed"),))
    assert editor.is_changed()
    part(editor, QLineEdit, "server_name").setText(profile.name)
    assert not editor.is_changed()


async def test_a_server_whose_secrets_cannot_be_read_can_be_edited_and_loses_none(
    server_list: ServerList, secrets: MemorySecrets, open_editor: Callable[..., ServerEditor]
) -> None:
    """Ours: the keyring was emptied meanwhile, or is another one."""
    profile = Profile(name="l", command="node", args=("x.js", "--token", "hush", "-v"))
    server_list.add(profile)
    await server_list.save()
    await server_list.load()
    kept = dict(secrets.kept)
    secrets.kept.clear()
    editor = open_editor(server_list.profiles[0])
    notice = part(editor, QFrame, "editor_notice")
    await wait_until(notice.isVisible)
    part(editor, QLineEdit, "argument_4").setText("-q")
    (edited,) = editor.chosen()
    assert edited.args == ("x.js", "--token", MASK, "-q")
    secrets.kept |= kept
    assert (await server_list.resolve(edited)).args == ("x.js", "--token", "hush", "-q")
