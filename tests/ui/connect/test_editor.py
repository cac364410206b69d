"""Adding and correcting servers; ours, after "Connecting" in the description of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from inspector.config.profile import Profile
from inspector.config.secrets import MASK
from inspector.session.era_cache import CachedEra
from inspector.spec.revision import Era
from tests.support.wait import wait_until
from ui.connect.editor import ServerEditor
from ui.connect.paste_box import READ_AT_ONCE
from ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from inspector.config.secrets import MemorySecrets
    from inspector.config.server_list import ServerList
    from ui.theme import Theme

W = TypeVar("W", bound=QWidget)
Open = "Callable[..., ServerEditor]"

STDIO = Profile(
    name="odd",
    command="node",
    args=("-e", "", "a b", '"q"', "ü", "--x=1 2", "two\nlines"),
    env=(("EMPTY", ""), ("SPACED", "a b"), ("API_TOKEN", "hush")),
    cwd="/srv",
    revision="2025-06-18",
    timeout_seconds=2.5,
    total_timeout_seconds=100,
    extra={"kept": [1]},
)
HTTP = Profile(
    name="web", transport="http", url="https://x.example/mcp", headers=(("Authorization", "psst"),)
)


def part(editor: ServerEditor, kind: type[W], name: str) -> W:
    found = editor.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def shown(editor: ServerEditor) -> str:
    return part(editor, QPlainTextEdit, "full_command").toPlainText()


def saved_by(editor: ServerEditor) -> list[tuple[tuple[Profile, ...], bool]]:
    saved: list[tuple[tuple[Profile, ...], bool]] = []

    def keep(profiles: tuple[Profile, ...], connect: bool) -> None:
        saved.append((profiles, connect))

    editor.saved.connect(keep)
    return saved


@pytest.mark.parametrize(
    "profile", [STDIO, HTTP, Profile(name="x", transport="tcp", url="tcp://h:1")]
)
def test_a_profile_goes_through_the_fields_unchanged(
    open_editor: Callable[..., ServerEditor], profile: Profile
) -> None:
    """Corpus stdio-22: empty arguments, quotes and spaces survive."""
    editor = open_editor(profile)
    assert editor.chosen() == (profile,)
    assert not editor.is_changed()


def test_a_pasted_command_line_is_shown_argument_by_argument(
    open_editor: Callable[..., ServerEditor],
) -> None:
    """C-SEC-04: the whole command, before anything is started."""
    editor = open_editor()
    editor.paste("A_TOKEN=hush npx -y pkg '' 'a b'")
    assert part(editor, QLineEdit, "command").text() == "npx"
    assert part(editor, QLineEdit, "argument_3").text() == ""
    assert part(editor, QLineEdit, "argument_4").text() == "a b"
    assert "Detected: a command line" in part(editor, QLabel, "paste_outcome").text()
    assert part(editor, QLabel, "found_program").text() == "Found: /usr/bin/npx"
    assert shown(editor) == f"A_TOKEN={MASK} npx -y pkg '' 'a b'"


async def test_what_is_typed_into_the_paste_box_is_read_when_the_typing_pauses(
    open_editor: Callable[..., ServerEditor],
) -> None:
    editor = open_editor()
    QTest.keyClicks(part(editor, QPlainTextEdit, "paste_text"), "https://x.example/mcp")
    await wait_until(lambda: editor.chosen())
    assert editor.chosen()[0].url == "https://x.example/mcp"
    assert not part(editor, QLineEdit, "command").isVisible()
    assert part(editor, QLineEdit, "url").isVisible()


async def test_a_long_text_is_read_beside_the_window_and_the_latest_text_counts(
    open_editor: Callable[..., ServerEditor],
) -> None:
    """Ours: reading it takes longer than a frame of the display."""
    editor = open_editor()
    editor.paste(f"first {'a' * READ_AT_ONCE}")
    editor.paste(f"second {'a' * READ_AT_ONCE}")
    assert editor.chosen() == ()
    await wait_until(lambda: editor.chosen())
    assert editor.chosen()[0].command == "second"


def test_a_text_that_names_no_server_says_why_and_leaves_nothing_to_save(
    open_editor: Callable[..., ServerEditor],
) -> None:
    editor = open_editor()
    editor.paste("npx pkg")
    editor.paste("npx 'pkg")
    assert "quote ' at character 5" in part(editor, QLabel, "paste_outcome").text()
    assert editor.chosen() == ()


def test_warnings_of_the_paste_stand_below_it(open_editor: Callable[..., ServerEditor]) -> None:
    editor = open_editor()
    editor.paste("node x.js | tee log &")
    assert "“tee log”" in part(editor, QLabel, "paste_warnings").text()


def test_arguments_are_added_moved_and_removed_by_keyboard(
    open_editor: Callable[..., ServerEditor],
) -> None:
    editor = open_editor()
    editor.paste("node a b")
    first = part(editor, QLineEdit, "argument_1")
    QTest.keyClick(first, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert editor.chosen()[0].args == ("b", "a")
    QTest.keyClick(part(editor, QLineEdit, "argument_2"), Qt.Key.Key_Return)
    assert editor.chosen()[0].args == ("b", "a", "")
    QTest.keyClick(part(editor, QLineEdit, "argument_3"), Qt.Key.Key_Backspace)
    assert editor.chosen()[0].args == ("b", "a")


def test_a_new_variable_is_typed_into_the_last_row(
    open_editor: Callable[..., ServerEditor],
) -> None:
    editor = open_editor()
    editor.paste("node x.js")
    environment = editor.form.env
    name = environment.findChildren(QLineEdit, "pair_name")[-1]
    value = environment.findChildren(QLineEdit, "pair_value")[-1]
    QTest.keyClicks(name, "API_KEY")
    QTest.keyClicks(value, "hush ")
    assert editor.chosen()[0].env == (("API_KEY", "hush "),)
    assert value.echoMode() is QLineEdit.EchoMode.Password
    assert len(environment.findChildren(QLineEdit, "pair_name")) == 2


def test_a_secret_is_masked_until_it_is_asked_for(open_editor: Callable[..., ServerEditor]) -> None:
    editor = open_editor(HTTP)
    value = editor.form.headers.findChildren(QLineEdit, "pair_value")[0]
    assert value.echoMode() is QLineEdit.EchoMode.Password
    eye = editor.form.headers.findChildren(QToolButton, "reveal_value")[0]
    QTest.mouseClick(eye, Qt.MouseButton.LeftButton)
    assert value.echoMode() is QLineEdit.EchoMode.Normal


async def test_a_sealed_secret_stays_sealed_unless_it_is_replaced_or_asked_for(
    server_list: ServerList,
    secrets: MemorySecrets,
    open_editor: Callable[..., ServerEditor],
) -> None:
    server_list.add(HTTP)
    await server_list.save()
    await server_list.load()
    sealed = server_list.profiles[0]
    editor = open_editor(sealed)
    assert editor.chosen() == (sealed,)
    eye = editor.form.headers.findChildren(QToolButton, "reveal_value")[0]
    QTest.mouseClick(eye, Qt.MouseButton.LeftButton)
    await wait_until(lambda: editor.chosen() == (HTTP,))
    assert not editor.is_changed()
    assert secrets.kept


def test_a_variable_that_is_named_twice_is_pointed_out(
    open_editor: Callable[..., ServerEditor],
) -> None:
    editor = open_editor(Profile(command="node", env=(("A", "1"), ("A", "2"))))
    hints = [label.text() for label in editor.form.env.findChildren(QLabel) if label.isVisible()]
    assert any("Duplicate name: A" in hint for hint in hints)


def test_arguments_that_were_typed_into_the_command_can_be_split_off(
    open_editor: Callable[..., ServerEditor],
) -> None:
    """Corpus stdio-17."""
    editor = open_editor()
    editor.paste('{"mcpServers": {"n": {"command": "npx -y pkg"}}}')
    assert part(editor, QLabel, "caution_typed-arguments").text().startswith("Warning: ")
    QTest.mouseClick(part(editor, QPushButton, "split_command"), Qt.MouseButton.LeftButton)
    assert (editor.chosen()[0].command, editor.chosen()[0].args) == ("npx", ("-y", "pkg"))


def test_danger_is_named_before_anything_runs(open_editor: Callable[..., ServerEditor]) -> None:
    """C-SEC-04, C-SEC-05."""
    editor = open_editor()
    editor.paste("sudo rm -rf /tmp/x")
    assert "sudo" in part(editor, QLabel, "caution_root").text()
    assert "delete" in part(editor, QLabel, "caution_destructive").text()
    assert editor.will_run.property("background") == "error"


def test_several_servers_are_chosen_from_a_checklist(
    open_editor: Callable[..., ServerEditor],
) -> None:
    editor = open_editor()
    saved = saved_by(editor)
    editor.paste('{"mcpServers": {"a": {"command": "npx"}, "b": {"url": "https://b.example"}}}')
    rows = part(editor, QListWidget, "checklist_list")
    assert rows.count() == 2
    rows.setCurrentRow(1)
    part(editor, QLineEdit, "url").setText("https://c.example")
    rows.item(0).setCheckState(Qt.CheckState.Unchecked)
    QTest.mouseClick(part(editor, QPushButton, "save_server"), Qt.MouseButton.LeftButton)
    ((profiles, connect),) = saved
    assert [(item.name, item.url) for item in profiles] == [("b", "https://c.example")]
    assert not connect


def test_nothing_can_be_saved_while_nothing_is_named(
    open_editor: Callable[..., ServerEditor],
) -> None:
    editor = open_editor()
    assert not part(editor, QPushButton, "save_server").isEnabled()
    editor.paste("npx pkg")
    assert part(editor, QPushButton, "save_server").isEnabled()


def test_a_server_without_a_name_is_named_after_what_it_runs(
    qtbot: QtBot, open_editor: Callable[..., ServerEditor]
) -> None:
    editor = open_editor()
    saved = saved_by(editor)
    part(editor, QLineEdit, "command").setText("/opt/thing-server")
    qtbot.waitUntil(editor.isActiveWindow)
    QTest.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert (saved[0][0][0].name, saved[0][1]) == ("thing-server", True)


def test_a_name_that_is_taken_is_pointed_out(
    server_list: ServerList, open_editor: Callable[..., ServerEditor]
) -> None:
    server_list.add(HTTP)
    editor = open_editor()
    editor.paste("claude mcp add web -- npx web")
    assert "web 2" in part(editor, QLabel, "name_taken").text()
    assert part(editor, QLabel, "name_taken").isVisible()


def test_escape_asks_before_it_loses_input(open_editor: Callable[..., ServerEditor]) -> None:
    editor = open_editor()
    editor.paste("npx pkg")
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert editor.isVisible()
    assert part(editor, QLabel, "notice_text").isVisible()
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert editor.isVisible()
    assert not part(editor, QLabel, "notice_text").isVisible()
    editor.close()
    assert editor.isVisible()
    QTest.mouseClick(part(editor, QPushButton, "discard_edit"), Qt.MouseButton.LeftButton)
    assert not editor.isVisible()


def test_escape_closes_at_once_when_there_is_nothing_to_lose(
    open_editor: Callable[..., ServerEditor],
) -> None:
    editor = open_editor(STDIO)
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert not editor.isVisible()


def test_a_paste_over_a_saved_server_keeps_its_identity_and_name(
    open_editor: Callable[..., ServerEditor],
) -> None:
    editor = open_editor(STDIO)
    editor.paste("npx other")
    (profile,) = editor.chosen()
    assert (profile.id, profile.name, profile.command) == (STDIO.id, "odd", "npx")


def test_every_revision_is_on_offer_and_an_unknown_one_is_kept(
    open_editor: Callable[..., ServerEditor],
) -> None:
    editor = open_editor(Profile(command="node", revision="2031-01-01"))
    box = part(editor, QComboBox, "revision")
    texts = [box.itemText(row) for row in range(box.count())]
    assert texts[0].startswith("Automatic")
    assert "2024-11-05, initialize handshake" in texts
    assert "2026-07-28, stateless" in texts
    assert editor.chosen()[0].revision == "2031-01-01"


def test_the_working_directory_is_chosen_without_blocking(
    open_editor: Callable[..., ServerEditor],
) -> None:
    editor = open_editor(STDIO)
    QTest.mouseClick(part(editor, QPushButton, "browse_cwd"), Qt.MouseButton.LeftButton)
    dialog = part(editor, QFileDialog, "cwd_dialog")
    dialog.fileSelected.emit("/opt")
    assert editor.chosen()[0].cwd == "/opt"
    dialog.close()


def test_every_control_has_an_accessible_name(open_editor: Callable[..., ServerEditor]) -> None:
    editor = open_editor(STDIO)
    kinds = (QLineEdit, QComboBox, QPushButton, QToolButton, QPlainTextEdit, QCheckBox)
    for kind in kinds:
        for control in editor.findChildren(kind):
            inner = isinstance(control.parent(), QComboBox) or control.objectName().startswith(
                "qt_"
            )
            assert inner or control.accessibleName(), (kind, control.objectName())


def test_hostile_text_is_shown_as_plain_text(open_editor: Callable[..., ServerEditor]) -> None:
    editor = open_editor()
    editor.paste('{"<b>\u202ex</b>": {"command": "<img src=x>", "args": ["\u202e"]}}')
    assert "\u202e" not in shown(editor)
    for label in editor.findChildren(QLabel):
        assert label.textFormat() is Qt.TextFormat.PlainText or "<" not in label.text()


def test_the_clipboard_is_pasted_as_plain_text(open_editor: Callable[..., ServerEditor]) -> None:
    editor = open_editor()
    QApplication.clipboard().setText("npx pkg")
    part(editor, QPlainTextEdit, "paste_text").paste()
    editor.paste_box.read_now()
    assert editor.chosen()[0].args == ("pkg",)


def test_what_earlier_connections_found_out_is_told_and_can_be_forgotten(
    qtbot: QtBot, server_list: ServerList, theme: Theme
) -> None:
    """C-VER-09: what is kept of a server is in sight, and goes when the user wants that."""
    kept = [CachedEra(Era.STATEFUL, "x", "files 1.0")]
    editor = ServerEditor(
        server_list=server_list,
        theme=theme,
        profile=replace(STDIO, revision=""),
        recall=lambda _: kept[0] if kept else None,
    )
    qtbot.addWidget(editor)
    editor.show()
    text = part(editor, ElidedLabel, "cached_era_text")
    assert text.isVisible()
    assert text.whole_text() == (
        "Remembered: requires initialize; server/discover is skipped (files 1.0)"
    )

    def forget(_profile: Profile) -> None:
        kept.clear()

    editor.forget_requested.connect(forget)
    QTest.mouseClick(part(editor, QPushButton, "cached_era_link"), Qt.MouseButton.LeftButton)

    assert not text.isVisible()


def test_what_was_found_out_is_of_no_interest_where_a_revision_is_pinned(
    qtbot: QtBot, server_list: ServerList, theme: Theme
) -> None:
    """Ours."""
    found = CachedEra(Era.STATELESS, "x", "")
    editor = ServerEditor(
        server_list=server_list, theme=theme, profile=STDIO, recall=lambda _: found
    )
    qtbot.addWidget(editor)
    editor.show()
    assert not part(editor, ElidedLabel, "cached_era_text").isVisible()
