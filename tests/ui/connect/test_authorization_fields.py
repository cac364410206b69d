"""How a server is authorized, as its editor shows it: the way first, then what that way needs; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton, QToolButton, QWidget

from inspector.auth.settings import Settings, Waiver, Way
from inspector.config.profile import Profile
from inspector.config.secret_extraction import extract_secrets
from tests.support.authorization_settings import EVERY
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.config.server_list import ServerList
    from ui.connect.editor import ServerEditor

WEB = Profile(name="web", transport="http", url="https://x.example/mcp")


def field(editor: ServerEditor, name: str) -> QLineEdit:
    found = editor.findChild(QLineEdit, name)
    assert isinstance(found, QLineEdit), name
    return found


def choose(editor: ServerEditor, name: str, value: object) -> None:
    box = editor.findChild(QComboBox, name)
    assert isinstance(box, QComboBox), name
    box.setCurrentIndex(box.findData(value))


def shown(editor: ServerEditor) -> set[str]:
    """Names of the fields of this section that can be seen."""
    fields = editor.form.authorization
    return {
        each.objectName()
        for kind in (QLineEdit, QComboBox)
        for each in fields.findChildren(kind)
        if each.isVisible() and each.objectName() and not each.objectName().startswith("qt_")
    }


def opened(open_editor: Callable[..., ServerEditor], profile: Profile = WEB) -> ServerEditor:
    editor = open_editor(profile)
    editor.form.access.set_open(True)
    return editor


@pytest.mark.parametrize("way", list(Way))
def test_every_choice_is_shown_and_given_back(
    open_editor: Callable[..., ServerEditor], way: Way
) -> None:
    profile = replace(WEB, authorization=replace(EVERY, way=way))
    editor = open_editor(profile)

    assert editor.form.access.is_open()
    assert editor.form.profile() == profile
    assert not editor.is_changed()


def test_a_server_without_a_choice_keeps_the_section_closed(
    open_editor: Callable[..., ServerEditor],
) -> None:
    editor = open_editor(WEB)

    assert not editor.form.access.is_open()
    assert editor.form.profile().authorization == WEB.authorization


@pytest.mark.parametrize(
    ("way", "there", "not_there"),
    [
        (Way.CODE, {"client_id", "client_secret", "scopes", "callback_port"}, {"assertion"}),
        (Way.CLIENT_CREDENTIALS, {"client_id", "client_secret"}, {"callback_port", "assertion"}),
        (Way.WORKLOAD, {"assertion", "scopes"}, {"callback_port", "idp_id_token"}),
        (Way.ENTERPRISE, {"idp_token_endpoint", "idp_id_token"}, {"assertion"}),
        (Way.VARIABLE, {"token_variable"}, {"client_id", "scopes"}),
        (Way.NONE, {"authorization_way"}, {"client_id", "scopes", "callback_port"}),
    ],
)
def test_only_fields_of_the_way_are_shown(
    open_editor: Callable[..., ServerEditor], way: Way, there: set[str], not_there: set[str]
) -> None:
    editor = opened(open_editor)
    choose(editor, "authorization_way", way)

    assert there <= shown(editor)
    assert not not_there & shown(editor)


def test_a_private_key_is_asked_for_where_the_client_signs(
    open_editor: Callable[..., ServerEditor],
) -> None:
    editor = opened(open_editor)
    assert "private_key" not in shown(editor)

    choose(editor, "client_auth", "private_key_jwt")

    assert {"private_key", "signing_algorithm"} <= shown(editor)


def test_secrets_are_masked_until_they_are_to_be_seen(
    open_editor: Callable[..., ServerEditor],
) -> None:
    editor = opened(open_editor, replace(WEB, authorization=EVERY))
    secret = field(editor, "client_secret")
    assert secret.echoMode() is QLineEdit.EchoMode.Password

    eye = editor.findChild(QToolButton, "show_client_secret")
    assert isinstance(eye, QToolButton)
    eye.click()

    assert secret.echoMode() is QLineEdit.EchoMode.Normal


async def test_a_sealed_secret_is_fetched_when_it_is_to_be_seen_and_kept_otherwise(
    open_editor: Callable[..., ServerEditor], server_list: ServerList
) -> None:
    """Ours: saving a server whose secret was not looked at loses nothing."""
    server_list.add(replace(WEB, authorization=EVERY))
    await server_list.save()
    (profile,) = server_list.profiles
    sealed, _ = extract_secrets(profile)
    server_list.replace(sealed)
    editor = opened(open_editor, sealed)
    assert editor.form.profile() == sealed

    eye = editor.findChild(QToolButton, "show_client_secret")
    assert isinstance(eye, QToolButton)
    eye.click()
    await wait_until(lambda: field(editor, "client_secret").text() == EVERY.client_secret)


def test_a_secret_that_is_typed_again_takes_the_place_of_the_sealed_one(
    open_editor: Callable[..., ServerEditor],
) -> None:
    sealed, _ = extract_secrets(
        replace(WEB, authorization=Settings(way=Way.CODE, client_secret="old-secret"))
    )
    editor = opened(open_editor, sealed)

    field(editor, "client_secret").setText("new-secret")

    profile = editor.form.profile()
    assert profile.authorization.client_secret == "new-secret"
    assert profile.extracted == ()


def test_a_header_that_takes_the_place_of_a_token_is_named(
    open_editor: Callable[..., ServerEditor],
) -> None:
    editor = opened(open_editor, replace(WEB, headers=(("Authorization", "Bearer mine"),)))

    note = editor.findChild(QLabel, "authorization_note")
    assert isinstance(note, QLabel)
    assert note.isVisible()


def test_parameters_of_the_login_are_typed_as_pairs(
    open_editor: Callable[..., ServerEditor],
) -> None:
    """Ours: some authorization servers require `audience` or a `prompt` of their own."""
    editor = opened(open_editor)

    editor.form.authorization.parameters.begin("audience", "mcp")

    assert editor.form.profile().authorization.extra == (("audience", "mcp"),)


def test_a_user_name_and_a_password_are_encoded_on_demand(
    open_editor: Callable[..., ServerEditor],
) -> None:
    """Ours: nobody has Base64 in their head."""
    editor = open_editor(WEB)
    link = editor.findChild(QPushButton, "encode_basic")
    assert isinstance(link, QPushButton)
    assert not link.isVisible()
    editor.form.headers.begin("Authorization", "Basic ")
    assert not link.isVisible()

    editor.form.headers.set_pairs((("Authorization", "Basic me:pw"),))
    editor.form.headers.changed.emit()
    assert link.isVisible()
    link.click()

    assert editor.form.profile().headers == (("Authorization", "Basic bWU6cHc="),)
    assert not link.isVisible()


def test_a_paste_over_a_server_keeps_how_it_is_authorized(
    open_editor: Callable[..., ServerEditor],
) -> None:
    settings = Settings(way=Way.CODE, client_id="a", waivers=frozenset({Waiver.ISSUER}))
    editor = open_editor(replace(WEB, authorization=settings))

    editor.paste("https://other.example/mcp")

    profile = editor.form.profile()
    assert profile.url == "https://other.example/mcp"
    assert profile.authorization == settings


def test_a_server_over_stdio_has_no_authorization(
    open_editor: Callable[..., ServerEditor],
) -> None:
    editor = open_editor(Profile(name="local", command="node"))

    assert not editor.form.access.isVisible()


def test_every_field_has_a_name_to_be_spoken(open_editor: Callable[..., ServerEditor]) -> None:
    editor = opened(open_editor)
    fields = editor.form.authorization

    for kind in (QLineEdit, QComboBox):
        for each in fields.findChildren(kind):
            assert each.accessibleName() or not _is_ours(each), each.objectName()


def _is_ours(widget: QWidget) -> bool:
    return bool(widget.objectName()) and not widget.objectName().startswith("qt_")
