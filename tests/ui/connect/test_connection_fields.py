"""How an HTTP server is reached, as the editor shows it: certificates and the proxy; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from inspector.config.profile import Profile
from inspector.session.session import Session
from inspector.session.transport_factory import make_transport
from inspector.transcript.transcript import Transcript
from ui.connect.editor import ServerEditor
from ui.connect.servers_model import ServersModel
from ui.connect.steps_view import ConnectionSteps

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from inspector.config.server_list import ServerList
    from inspector.workspace import Workspace
    from ui.theme import Theme

W = TypeVar("W", bound=QWidget)

WEB = Profile(name="web", transport="http", url="https://x.example/mcp")
UNCHECKED = replace(WEB, verify=False)
UNUSUAL = replace(
    WEB, ca_file="/etc/a b.pem", client_cert="/home/me/c.pem", proxy="http://me@proxy:3128"
)


def part(within: QWidget, kind: type[W], name: str) -> W:
    found = within.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def nowhere(_profile: Profile, _command: str) -> str | None:
    return None


def edit(qtbot: QtBot, server_list: ServerList, theme: Theme, profile: Profile) -> ServerEditor:
    editor = ServerEditor(server_list=server_list, theme=theme, profile=profile, find=nowhere)
    qtbot.addWidget(editor)
    editor.show()
    return editor


@pytest.mark.parametrize("profile", [UNCHECKED, UNUSUAL, replace(UNUSUAL, transport="sse")])
def test_what_is_unusual_is_in_view_and_stays_what_it_is(
    qtbot: QtBot, server_list: ServerList, theme: Theme, profile: Profile
) -> None:
    editor = edit(qtbot, server_list, theme, profile)

    assert part(editor, QLineEdit, "proxy").isVisible()
    assert editor.chosen() == (profile,)
    assert not editor.is_changed()


def test_what_is_usual_is_folded_away_and_one_click_off(
    qtbot: QtBot, server_list: ServerList, theme: Theme
) -> None:
    editor = edit(qtbot, server_list, theme, WEB)
    assert not part(editor, QLineEdit, "proxy").isVisible()

    part(editor, QToolButton, "advanced_connection_head").click()
    part(editor, QLineEdit, "proxy").setText(" http://proxy:3128 ")

    assert part(editor, QCheckBox, "verify").isVisible()
    assert editor.chosen()[0].proxy == "http://proxy:3128"
    assert editor.is_changed()


def test_only_servers_on_the_web_have_certificates(
    qtbot: QtBot, server_list: ServerList, theme: Theme
) -> None:
    editor = edit(qtbot, server_list, theme, UNUSUAL)
    box = part(editor, QComboBox, "transport")

    box.setCurrentIndex(box.findData("stdio"))

    assert not part(editor, QToolButton, "advanced_connection_head").isVisible()
    box.setCurrentIndex(box.findData("sse"))
    assert part(editor, QToolButton, "advanced_connection_head").isVisible()


def test_not_to_check_the_certificate_is_warned_of_before_it_is_saved(
    qtbot: QtBot, server_list: ServerList, theme: Theme
) -> None:
    editor = edit(qtbot, server_list, theme, WEB)
    part(editor, QToolButton, "advanced_connection_head").click()

    part(editor, QCheckBox, "verify").click()
    qtbot.waitUntil(lambda: bool(editor.will_run.cautions()), timeout=20_000)

    assert [caution.rule for caution in editor.will_run.cautions()] == ["not-verified"]
    qtbot.waitUntil(part(editor, QLabel, "caution_not-verified").isVisible, timeout=20_000)
    assert not editor.chosen()[0].verify


def test_to_record_secrets_is_warned_of_and_saved(
    qtbot: QtBot, server_list: ServerList, theme: Theme
) -> None:
    """C-SEC-15."""
    editor = edit(qtbot, server_list, theme, WEB)

    part(editor, QCheckBox, "record_secrets").click()
    qtbot.waitUntil(lambda: bool(editor.will_run.cautions()), timeout=20_000)

    assert [caution.rule for caution in editor.will_run.cautions()] == ["secrets-recorded"]
    assert editor.chosen()[0].record_secrets


@pytest.mark.parametrize(("field", "text"), [("ca_file", "Trusted"), ("client_cert", "Client")])
def test_a_file_is_chosen_in_a_dialog_that_blocks_nothing(
    qtbot: QtBot, server_list: ServerList, theme: Theme, tmp_path: Path, field: str, text: str
) -> None:
    file = tmp_path / "mine.pem"
    file.write_text("")
    editor = edit(qtbot, server_list, theme, UNUSUAL)

    part(editor, QPushButton, f"browse_{field}").click()
    dialog = part(editor, QFileDialog, f"{field}_dialog")
    assert dialog.windowTitle().startswith(text)
    dialog.fileSelected.emit(str(file))
    dialog.close()

    chosen = editor.chosen()[0]
    assert str(file) in (chosen.ca_file, chosen.client_cert)


def test_the_connection_steps_say_that_it_could_be_anybody(qtbot: QtBot, theme: Theme) -> None:
    steps = ConnectionSteps(theme=theme)
    qtbot.addWidget(steps)
    steps.show()

    for profile, warns in ((UNCHECKED, True), (WEB, False)):
        steps.set_session(Session(profile, Transcript(), make_transport))
        assert part(steps, QLabel, "steps_unchecked").isVisible() is warns
    steps.set_session(None)


async def test_the_list_of_servers_marks_it(server_list: ServerList, workspace: Workspace) -> None:
    recording = replace(WEB, id="third", name="recording", record_secrets=True)
    server_list.add(UNCHECKED, replace(WEB, id="other", name="checked"), recording)
    model = ServersModel(server_list=server_list, workspace=workspace)

    found = [model.row(model.index(row)) for row in range(model.rowCount())]
    spoken = model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)

    assert [row.warnings for row in found if row is not None] == [
        ("certificate not verified",),
        (),
        ("secrets are recorded in clear",),
    ]
    assert "certificate not verified" in spoken
    model.deleteLater()
