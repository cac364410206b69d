"""How a server is authorized is kept with its profile: every choice, its secrets apart, and what other clients write."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import asdict, replace

from inspector.auth.grant import MemoryGrants
from inspector.auth.settings import Settings, Way
from inspector.config import authorization
from inspector.config.authorization import AUTOMATIC, access_of, settings_of
from inspector.config.fill_placeholders import fill_placeholders
from inspector.config.importers.paste import import_text
from inspector.config.importers.result import Imported
from inspector.config.importers.server_entry import read_entry, write_entry
from inspector.config.profile import Profile
from inspector.config.profile_warnings import profile_warnings
from inspector.config.secret_extraction import accounts, extract_secrets, restore_secrets
from inspector.config.secrets import secret_values
from inspector.config.servers_file import ServersFile, mcp_json, problems
from tests.support.authorization_settings import EVERY

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.wire.json_codec import JsonObject

REMOTE = Profile(name="remote", transport="http", url="https://mcp.test/mcp", authorization=EVERY)


def pasted(entry: JsonObject) -> tuple[Profile, tuple[str, ...]]:
    reading = import_text(
        json.dumps({"mcpServers": {"x": {"url": "https://mcp.test/mcp", **entry}}})
    )
    assert isinstance(reading, Imported)
    return reading.profiles[0], reading.warnings


def test_every_choice_survives_being_saved() -> None:
    """Ours: none of the settings is left out of the saved form."""
    usual = asdict(AUTOMATIC)
    assert not [name for name, value in asdict(EVERY).items() if value == usual[name]]

    entry = write_entry(REMOTE)

    assert problems(entry) == []
    assert read_entry("remote", entry) == (REMOTE, ())


def test_a_profile_without_a_choice_saves_none_and_logs_the_user_in() -> None:
    """Ours: a server that asks for OAuth needs no configuration."""
    plain = Profile(id="1", name="x", transport="http", url="https://mcp.test/mcp")

    assert write_entry(plain)["spyglass"] == {"id": "1"}
    assert settings_of(plain).way is Way.CODE


def test_no_secret_is_saved_in_the_list_of_servers_and_all_come_back(tmp_path: Path) -> None:
    """Ours."""
    sealed, secrets = extract_secrets(REMOTE)
    ServersFile(tmp_path).save([sealed])

    text = (tmp_path / "servers.json").read_text()
    assert not [each for each in EVERY.secrets if json.dumps(each)[1:-1] in text]
    assert sorted(secrets.values()) == sorted(EVERY.secrets)
    assert set(accounts(sealed)) == set(secrets)
    (loaded,) = ServersFile(tmp_path).load().profiles
    opened, _ = restore_secrets(loaded, secrets.get)
    assert opened == REMOTE


def test_a_placeholder_in_the_place_of_a_secret_stays_where_it_is() -> None:
    """Ours: it is no secret."""
    profile = replace(REMOTE, authorization=Settings(way=Way.CODE, client_secret="${SECRET}"))

    assert extract_secrets(profile) == (profile, {})


def test_the_secrets_of_the_authorization_are_hidden_wherever_they_come_back() -> None:
    """Ours."""
    assert set(EVERY.secrets) <= set(secret_values(REMOTE))


def test_members_that_are_unknown_are_written_back() -> None:
    """Ours: a newer Spyglass may have more of them."""
    entry = write_entry(REMOTE)
    own = entry["spyglass"]
    assert isinstance(own, dict)
    access = own["authorization"]
    assert isinstance(access, dict)
    access["futureMember"] = {"a": [1]}

    profile, _ = read_entry("remote", entry)

    assert write_entry(profile)["spyglass"] == own


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("way", "magic"),
        ("way", []),
        ("clientId", 7),
        ("scopes", "read"),
        ("scopes", [1]),
        ("callbackPort", 70_000),
        ("callbackPort", True),
        ("alwaysDpop", "yes"),
        ("waivers", {}),
        ("parameters", [["a", "b"]]),
    ],
)
def test_a_saved_choice_of_the_wrong_kind_is_named_and_never_an_exception(
    member: str, value: object
) -> None:
    """Ours."""
    entry: JsonObject = json.loads(
        json.dumps({"url": "https://x/mcp", "spyglass": {"authorization": {member: value}}})
    )

    assert f"spyglass.authorization.{member}" in problems(entry)[0]
    assert isinstance(read_entry("x", entry)[0].authorization, Settings)


def test_an_authorization_that_is_no_object_is_named() -> None:
    """Ours."""
    assert problems({"url": "https://x", "spyglass": {"authorization": "oauth"}}) == [
        "spyglass.authorization is not an object"
    ]


@pytest.mark.parametrize(
    "profile",
    [
        Profile(name="local", command="x"),
        Profile(name="socket", transport="tcp", url="tcp://127.0.0.1:1"),
        replace(REMOTE, headers=(("authorization", "Bearer mine"),)),
        replace(REMOTE, headers=(("Authorization", ""),), extracted=("header:Authorization",)),
        replace(REMOTE, authorization=Settings(way=Way.NONE)),
    ],
    ids=["stdio", "tcp", "header", "sealed header", "none"],
)
def test_where_no_token_can_be_used_none_is_looked_for(profile: Profile) -> None:
    """Ours: a header that the user entered is sent in the place of a token."""
    assert settings_of(profile).way is Way.NONE
    assert access_of(profile, MemoryGrants()) is None


def test_everything_else_is_what_the_engine_is_given() -> None:
    """Ours."""
    found = access_of(REMOTE, MemoryGrants())

    assert found is not None
    assert found.settings == EVERY


@pytest.mark.parametrize(
    ("entry", "settings"),
    [
        (
            {"oauth": {"clientId": "a", "callbackPort": 8080}},
            Settings(way=Way.CODE, client_id="a", callback_port=8080),
        ),
        (
            {"auth": {"CLIENT_ID": "a", "CLIENT_SECRET": "b", "scopes": ["r", "w"]}},
            Settings(way=Way.CODE, client_id="a", client_secret="b", scopes=("r", "w")),
        ),
        (
            {"oauth": {"client_id": "a", "scope": "r w"}},
            Settings(way=Way.CODE, client_id="a", scopes=("r", "w")),
        ),
        (
            {"bearer_token_env_var": "MAIL_TOKEN"},
            Settings(way=Way.VARIABLE, token_variable="MAIL_TOKEN"),
        ),
        ({"oauthClientId": "a"}, Settings(way=Way.CODE, client_id="a")),
        ({"oauth": {"authServerMetadataUrl": "https://as.test/m"}}, None),
    ],
)
def test_the_client_of_another_configuration_is_used(
    entry: JsonObject, settings: Settings | None
) -> None:
    """Ours: Claude Code, Cursor, VS Code and others name it in an object."""
    expected = settings or Settings(way=Way.CODE, server_metadata_url="https://as.test/m")

    profile, warnings = pasted(entry)

    assert profile.authorization == expected
    assert profile.extra == {}
    assert len(warnings) == 1
    assert "not used" not in warnings[0]


def test_placeholders_in_the_credentials_are_named_and_filled_on_demand() -> None:
    """Ours: a copied configuration often names the secret of its client so."""
    profile, _ = pasted({"oauth": {"clientId": "a", "clientSecret": "${MAIL_SECRET}"}})
    told = [
        each.text
        for each in profile_warnings(profile, lambda _: None)
        if each.rule == "placeholder"
    ]
    assert [each for each in told if "${MAIL_SECRET}" in each]

    filling = fill_placeholders(profile, {"MAIL_SECRET": "the-secret"})

    assert filling.profile.authorization.client_secret == "the-secret"
    assert filling.filled == ("${MAIL_SECRET}",)


def test_of_another_configuration_what_cannot_be_used_is_kept_and_named() -> None:
    """Ours."""
    profile, warnings = pasted({"oauth": {"clientId": "a", "tokenUrl": "https://as.test/token"}})

    assert profile.authorization.client_id == "a"
    assert profile.extra == {"oauth": {"tokenUrl": "https://as.test/token"}}
    assert [each for each in warnings if "“oauth” is not used" in each]


def test_what_is_copied_for_other_clients_names_the_client_and_hides_its_secret() -> None:
    """Ours."""
    sealed, _ = extract_secrets(REMOTE)
    for profile in (REMOTE, sealed):
        copied = json.loads(mcp_json([profile]))["mcpServers"]["remote"]
        assert copied["oauth"]["clientId"] == "the-client"
        assert copied["oauth"]["clientSecret"] not in ("", "client-secret")
    whole = json.loads(mcp_json([REMOTE], with_secrets=True))["mcpServers"]["remote"]
    profile, _ = read_entry("remote", whole)
    assert profile.authorization == authorization.read(whole["oauth"])
