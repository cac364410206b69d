"""Secret values: shown masked, kept apart; ours. The real keyring is never touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import keyring
import pytest

from inspector.config.profile import Profile, endpoint_text, name_for
from inspector.config.secret_extraction import extract_secrets, restore_secrets
from inspector.config.secrets import (
    MASK,
    FileSecrets,
    KeyringSecrets,
    MemorySecrets,
    Secrets,
    mask_secret,
    open_secrets,
    secret_values,
    system_keyring,
)
from inspector.errors import StorageError
from tests.support.keyrings import KeyringInMemory, LockedKeyring

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(params=["memory", "file", "keyring"])
def secrets(request: pytest.FixtureRequest, tmp_path: Path) -> Secrets:
    places: dict[str, Secrets] = {
        "memory": MemorySecrets(),
        "file": FileSecrets(tmp_path),
        "keyring": KeyringSecrets(KeyringInMemory()),
    }
    return places[request.param]


def test_every_place_keeps_finds_and_forgets_a_secret(secrets: Secrets) -> None:
    assert secrets.get("a") is None
    secrets.put("a", "one")
    secrets.put("b", "ü \n")
    secrets.put("a", "two")
    assert (secrets.get("a"), secrets.get("b")) == ("two", "ü \n")
    secrets.delete("a")
    secrets.delete("a")
    assert (secrets.get("a"), secrets.get("b")) == (None, "ü \n")


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("GITHUB_TOKEN", "abc", MASK),
        ("api_key", "abc", MASK),
        ("X-Api-Key", "abc", MASK),
        ("Authorization", "Bearer abc", MASK),
        ("DB_PASSWORD", "x", MASK),
        ("CLIENT_SECRET", "x", MASK),
        ("PATH", "/usr/bin", "/usr/bin"),
        ("EMPTY_TOKEN", "", ""),
        ("TOKEN", "${input:token}", "${input:token}"),
        ("TOKEN", "$TOKEN", "$TOKEN"),
        ("Authorization", "Bearer ${TOKEN}", "Bearer ${TOKEN}"),
        ("X-Signature", "abc", MASK),
        ("GITHUB_PAT", "abc", MASK),
        ("UPSTREAM", "http://u:p@h/x", f"http://{MASK}@h/x"),
    ],
)
def test_values_that_look_secret_are_masked(name: str, value: str, shown: str) -> None:
    assert mask_secret(name, value) == shown


@pytest.mark.parametrize(
    "profile",
    [
        Profile(headers=(("X-Signature", "not-for-the-disk"),)),
        Profile(headers=(("X-Session", "not-for-the-disk"),)),
        Profile(env=(("GITHUB_PAT", "not-for-the-disk"),)),
        Profile(env=(("PGPASS", "not-for-the-disk"),)),
        Profile(env=(("UPSTREAM", "postgres://u:not-for-the-disk@h/db"),)),
        Profile(args=("x", "--token", "not-for-the-disk", "-v")),
        Profile(args=("--api-key=not-for-the-disk",)),
        Profile(command="srv --token not-for-the-disk -v"),
        Profile(args=("--header", "Authorization: Bearer not-for-the-disk")),
        Profile(args=("postgres://u:not-for-the-disk@h/db",)),
        Profile(transport="http", url="https://h/mcp?api_key=not-for-the-disk&page=2"),
        Profile(transport="http", url="https://u:not-for-the-disk@h/mcp"),
        Profile(transport="http", url="https://h/mcp", proxy="http://u:not-for-the-disk@p:8080"),
        Profile(extra={"oauth": {"clients": [{"client_secret": "not-for-the-disk"}]}}),
    ],
)
def test_what_is_hidden_on_the_screen_is_not_saved_in_plain_text(profile: Profile) -> None:
    """Ours: one definition."""
    sealed, values = extract_secrets(profile)

    assert "not-for-the-disk" not in repr(sealed)
    assert ["not-for-the-disk" in value for value in values.values()] == [True]
    assert restore_secrets(sealed, values.get)[0] == profile


def test_the_secrets_of_a_server_are_known_wherever_it_was_given_them() -> None:
    """C-SEC-17: arguments, variables, headers, and addresses."""
    profile = Profile(
        command="sh -c 'srv --key secret-8'",
        args=("--api-key=secret-1", "--token", "secret-2", "-c", "srv --token secret-9; wait"),
        env=(("DB_PASSWORD", "secret-3"), ("UPSTREAM", "http://u:secret-4@h")),
        headers=(("Authorization", "Bearer secret-5"),),
        url="http://u:secret-6@h/mcp?api_key=secret-7&page=longvalue",
    )

    found = set(secret_values(profile))

    assert {f"secret-{number}" for number in range(1, 10)} <= found
    assert "longvalue" not in found


@pytest.mark.parametrize("pair", [("MODE", "production"), ("API_TOKEN", "${TOKEN_OF_SHELL}")])
def test_plain_values_and_placeholders_are_no_secrets(pair: tuple[str, str]) -> None:
    """C-SEC-17: what is no secret stays readable in every copy."""
    assert secret_values(Profile(env=(pair,), headers=(pair,))) == ()


def test_a_command_is_displayed_without_its_secrets() -> None:
    """Ours: in lists, tooltips and the palette."""
    profile = Profile(command="npx", args=("pkg", "--api-key=secret-1", "a b"))

    assert endpoint_text(profile) == f"npx pkg --api-key={MASK} 'a b'"
    assert "secret" not in endpoint_text(Profile(command="srv --token secret-2"))
    assert name_for(Profile(command="npx", args=("--token", "secret-3", "pkg"))) == "pkg"


def test_the_private_file_is_for_its_owner_only_and_says_that_it_is_used(tmp_path: Path) -> None:
    secrets = FileSecrets(tmp_path)
    secrets.put("a", "one")
    assert secrets.path.stat().st_mode & 0o777 == 0o600
    assert str(secrets.path) in secrets.note


def test_without_a_keyring_the_private_file_serves(tmp_path: Path) -> None:
    assert isinstance(open_secrets(tmp_path, lambda: None), FileSecrets)
    assert isinstance(open_secrets(tmp_path, KeyringInMemory), KeyringSecrets)


def test_a_desktop_without_a_keyring_is_recognised() -> None:
    """The test run sets a backend that can keep nothing."""
    assert system_keyring() is None


@pytest.mark.parametrize("is_chained", [False, True])
def test_a_keyring_that_writes_plain_text_is_none(
    monkeypatch: pytest.MonkeyPatch, *, is_chained: bool
) -> None:
    """C-AUT-42."""
    plain: type[KeyringInMemory] = type(
        "PlaintextKeyring", (KeyringInMemory,), {"__module__": "keyrings.alt.file"}
    )
    backend = KeyringInMemory()
    monkeypatch.setattr(keyring, "get_keyring", lambda: backend)
    assert system_keyring() is backend

    found = KeyringInMemory() if is_chained else plain()
    monkeypatch.setattr(found, "backends", [plain()], raising=False)
    monkeypatch.setattr(keyring, "get_keyring", lambda: found)
    assert system_keyring() is None


def test_a_locked_keyring_is_an_error_in_words() -> None:
    with pytest.raises(StorageError, match="could not read a secret: the collection is locked"):
        KeyringSecrets(LockedKeyring()).get("a")


def test_a_broken_private_file_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "secrets.json").write_text("{")
    with pytest.raises(StorageError, match="not valid JSON"):
        FileSecrets(tmp_path).put("a", "one")
    assert (tmp_path / "secrets.json").read_text() == "{"
