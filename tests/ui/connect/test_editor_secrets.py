"""Editing a server whose secrets are kept elsewhere; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import pytest
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from inspector.library.profile import Profile, with_
from inspector.library.secrets import DOTS
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.library.library import Library
    from inspector.library.secrets import MemorySecrets
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
    profile: Profile, library: Library, open_editor: Callable[..., ServerEditor]
) -> None:
    """What is typed while they are being read is not lost."""
    library.add(profile)
    await library.save()
    await library.load()
    editor = open_editor(library.profiles[0])
    part(editor, QLineEdit, "server_name").setText("typed")
    await wait_until(lambda: editor.chosen() == (with_(profile, name="typed"),))
    assert editor.is_changed()
    part(editor, QLineEdit, "server_name").setText(profile.name)
    assert not editor.is_changed()


async def test_a_server_whose_secrets_cannot_be_read_can_be_edited_and_loses_none(
    library: Library, secrets: MemorySecrets, open_editor: Callable[..., ServerEditor]
) -> None:
    """Ours: the keyring was emptied meanwhile, or is another one."""
    profile = Profile(name="l", command="node", args=("x.js", "--token", "hush", "-v"))
    library.add(profile)
    await library.save()
    await library.load()
    kept = dict(secrets.kept)
    secrets.kept.clear()
    editor = open_editor(library.profiles[0])
    notice = part(editor, QFrame, "editor_notice")
    await wait_until(notice.isVisible)
    part(editor, QLineEdit, "argument_4").setText("-q")
    (edited,) = editor.chosen()
    assert edited.args == ("x.js", "--token", DOTS, "-q")
    secrets.kept |= kept
    assert (await library.resolve(edited)).args == ("x.js", "--token", "hush", "-q")
