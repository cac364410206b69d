"""Grants among the secrets."""

from __future__ import annotations

import asyncio
import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from inspector.auth import grant as grants
from inspector.auth.client import BASIC, Client, Origin
from inspector.auth.grant import Access, Grant
from inspector.auth.settings import Settings, Way
from inspector.auth.tokens import Tokens
from inspector.config.atomic_file import locked
from inspector.config.profile import Profile
from inspector.config.saved_grants import MAX_PARTS, PART, SavedGrants, open_grants
from inspector.config.secrets import MemorySecrets
from inspector.config.server_list import ServerList
from inspector.config.servers_file import ServersFile
from inspector.errors import StorageError
from inspector.workspace import Workspace
from tests.support.keyrings import KeyringInMemory
from tests.support.protected import Protected
from tests.support.redirected import Redirected

CLIENT = Client(
    "https://as.example", "me", "s", BASIC, Origin.STORED, "http://127.0.0.1:1/callback"
)
GRANT = Grant(
    "https://mcp.example/mcp",
    CLIENT,
    "https://mcp.example",
    ("a", "b"),
    Tokens("access", "DPoP", "refresh", ("a",), 1234.0, "id"),
    "https://as.example/token",
    "https://as.example/revoke",
    '{"kty":"EC"}',
    "nonce",
)


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def grants_in(kept: MemorySecrets) -> SavedGrants:
    return SavedGrants(lambda: kept, Path("marks"))


class Asked(MemorySecrets):
    """Counts how often a keyring would be asked."""

    count = 0

    def get(self, account: str) -> str | None:
        """Return a secret; None if there is none."""
        self.count += 1
        return super().get(account)


def test_the_keyring_is_left_alone_for_a_server_without_a_grant() -> None:
    """Ours: it may ask its user for a password, and most servers need no authorization."""
    kept = Asked()
    assert grants_in(kept).find(GRANT.server_url) is None
    assert kept.count == 0

    grants_in(kept).put(GRANT)
    assert grants_in(kept).find(GRANT.server_url) == GRANT
    grants_in(kept).drop(GRANT)
    before = kept.count
    assert grants_in(kept).find(GRANT.server_url) is None
    assert kept.count == before


@pytest.mark.parametrize("size", [1, PART - 1, PART, 10 * PART, (MAX_PARTS - 1) * PART])
@pytest.mark.parametrize("expires_at", [1234.0, math.inf])
def test_a_grant_is_found_again_by_its_server_whatever_its_size(
    size: int, expires_at: float
) -> None:
    """C-AUT-42, C-AUT-18: no place holds more than the keyring of Windows can."""
    kept = MemorySecrets()
    grant = replace(GRANT, tokens=replace(GRANT.tokens, access="x" * size, expires_at=expires_at))
    grants_in(kept).put(grant)

    assert grants_in(kept).find("HTTPS://MCP.example:443/mcp") == grant
    assert max(map(len, kept.kept.values())) <= PART
    assert all("mcp.example" not in each for each in kept.kept)


def test_a_grant_that_is_replaced_or_dropped_leaves_nothing() -> None:
    """C-AUT-42."""
    kept = MemorySecrets()
    large = replace(GRANT, tokens=replace(GRANT.tokens, access="x" * 5000))
    grants_in(kept).put(large)
    grants_in(kept).put(GRANT)
    assert len(kept.kept) == 1

    grants_in(kept).drop(large)  # somebody else renewed it since
    assert grants_in(kept).find(GRANT.server_url) == GRANT
    grants_in(kept).drop(GRANT)
    assert kept.kept == {}


def test_half_a_grant_is_none_and_the_old_one_stays_until_the_new_one_is_whole() -> None:
    """Ours."""
    kept = MemorySecrets()
    grants_in(kept).put(GRANT)

    class Full(MemorySecrets):
        def put(self, account: str, value: str) -> None:
            if len(self.kept) >= 3:
                raise StorageError("full")
            super().put(account, value)

    full = Full()
    full.kept = dict(kept.kept)
    large = replace(GRANT, tokens=replace(GRANT.tokens, access="x" * 5000))
    with pytest.raises(StorageError):
        grants_in(full).put(large)
    assert grants_in(full).find(GRANT.server_url) == GRANT

    grants_in(kept).put(large)
    del kept.kept[next(each for each in kept.kept if each.endswith("/1"))]
    assert grants_in(kept).find(GRANT.server_url) is None


def test_a_client_is_found_by_its_issuer_and_at_no_other() -> None:
    """C-AUT-18, C-AUT-19."""
    kept = grants_in(MemorySecrets())
    kept.put_client(CLIENT)

    assert kept.client(CLIENT.issuer) == CLIENT
    assert kept.client(f"{CLIENT.issuer}/") is None
    kept.drop_client(CLIENT.issuer)
    assert kept.client(CLIENT.issuer) is None


@given(
    st.text(max_size=100),
    st.dictionaries(
        st.sampled_from(["server", "client", "access_token", "expires_at", "scopes"]),
        st.none()
        | st.integers()
        | st.text(max_size=5)
        | st.dictionaries(st.just("client_id"), st.text(max_size=3)),
    ),
)
def test_whatever_is_kept_nothing_is_raised(text: str, value: dict[str, object]) -> None:
    """Ours."""
    for each in (text, json.dumps(value)):
        grants.read(each)
        grants.read_client(each)


async def test_one_process_at_a_time_renews_a_grant(tmp_path: Path) -> None:
    """Ours: with rotation the second one would end the grant of both."""
    kept = MemorySecrets()
    async with Protected() as server:
        access = [
            Access(Settings(way=Way.CODE), SavedGrants(lambda: kept, tmp_path), Redirected)
            for _ in range(2)
        ]
        workspaces = [Workspace(None, access=lambda _, each=each: each) for each in access]
        sessions = [each.open(server.profile) for each in workspaces]
        for session in sessions:
            await session.connect()
            assert session.authorizer is not None
            session.authorizer.expire()
        await asyncio.gather(
            *(each.session.request("tools/call", {"name": "a"}) for each in sessions)
        )
        for workspace in workspaces:
            await workspace.aclose()

        used = [form["grant_type"] for form in server.forms()]
        assert used == ["authorization_code", "refresh_token"]


def test_a_lock_that_is_held_too_long_is_told(tmp_path: Path) -> None:
    """Ours."""
    path = tmp_path / "new" / "a.lock"
    with locked(path), pytest.raises(StorageError, match="another"), locked(path, wait_seconds=0):
        pass
    with locked(path, wait_seconds=0):
        pass


def test_grants_are_kept_in_a_keyring_and_nowhere_else(tmp_path: Path) -> None:
    """C-AUT-42: without one there is no place for them, not even a file for its owner's eyes."""
    backend = KeyringInMemory()
    with_keyring = open_grants(tmp_path, lambda: backend)
    assert with_keyring is not None
    with_keyring.put(GRANT)

    assert with_keyring.find(GRANT.server_url) == GRANT
    assert backend.kept
    assert open_grants(tmp_path, lambda: None) is None
    files = [each for each in tmp_path.rglob("*") if each.is_file()]
    assert [each.read_bytes() for each in files] == [b""]  # the mark that there is one


REMOTE = Profile(name="r", transport="http", url="HTTPS://mcp.example/mcp#part")


@pytest.mark.parametrize(
    ("other", "is_kept"),
    [
        (None, False),
        (Profile(name="o", transport="http", url="https://other.example/mcp"), False),
        (Profile(name="o", transport="tcp", url=REMOTE.url), False),
        (Profile(name="o", transport="sse", url="https://mcp.example/mcp"), True),
    ],
    ids=["alone", "another URL", "without authorization", "the same URL"],
)
async def test_the_grant_of_a_removed_server_is_dropped_unless_another_has_its_url(
    other: Profile | None, is_kept: bool, tmp_path: Path
) -> None:
    """Ours: a token that no server of the list uses does not stay in the keyring."""
    kept = MemorySecrets()
    grants_in(kept).put(GRANT)
    server_list = ServerList(ServersFile(tmp_path), lambda: kept, grants=grants_in(kept))
    server_list.add(*filter(None, (REMOTE, other)))
    server_list.remove(REMOTE.id)
    assert grants_in(kept).find(GRANT.server_url) == GRANT  # it may be restored
    await server_list.aclose()
    assert (grants_in(kept).find(GRANT.server_url) is not None) is is_kept
    assert bool(kept.kept) is is_kept


async def test_the_grant_of_a_restored_server_stays(tmp_path: Path) -> None:
    """Ours."""
    kept = MemorySecrets()
    grants_in(kept).put(GRANT)
    server_list = ServerList(ServersFile(tmp_path), lambda: kept, grants=grants_in(kept))
    server_list.add(REMOTE)
    removed = server_list.remove(REMOTE.id)
    assert removed is not None
    server_list.restore(removed)
    await server_list.aclose()
    assert grants_in(kept).find(GRANT.server_url) == GRANT


async def test_the_grant_of_a_url_with_a_secret_in_it_is_found_and_dropped(tmp_path: Path) -> None:
    """Ours: the list holds such a URL masked; the grant is stored under the whole."""
    url = "https://mcp.example/mcp?api_key=hush-hush-0123"
    kept = MemorySecrets()
    grants_in(kept).put(replace(GRANT, server_url=url))
    first = ServerList(ServersFile(tmp_path), lambda: kept)
    first.add(replace(REMOTE, url=url))
    await first.save()

    server_list = ServerList(ServersFile(tmp_path), lambda: kept, grants=grants_in(kept))
    await server_list.load()
    assert server_list.profiles[0].url != url
    server_list.remove(REMOTE.id)
    await server_list.aclose()
    assert not kept.kept
