"""Settings, saved servers and what else lies in the folder of Spyglass, edited by a careless hand or a hostile one."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from inspector.config.client_settings import ClientSettings
from inspector.config.importers.server_entry import is_entry, read_entry, write_entry
from inspector.config.profile import Profile, endpoint_text
from inspector.config.secret_extraction import extract_secrets, restore_secrets
from inspector.config.secrets import FileSecrets, secret_values
from inspector.config.servers_file import ServersFile
from inspector.config.window_settings import WindowSettingsFile, write_settings
from inspector.errors import StorageError
from inspector.workspace import Workspace

if TYPE_CHECKING:
    from random import Random

    from inspector.wire.json_codec import Json, JsonObject
    from tests.fuzz.case import Case

GOOD: dict[str, JsonObject] = {
    "settings.json": {
        "theme": "dark",
        "text_scale": 1.5,
        "columns": {"traffic": "AAAA"},
        "draft": "",
    },
    "client.json": {
        "p": {
            "declares": {"roots": True, "sampling": False},
            "roots": [{"uri": "file:///x", "name": "x", "on": True}],
            "answers": [{"name": "a", "result": {}}],
            "tasks": [{"id": "t", "method": "tools/call"}],
            "era": {"revision": "2025-11-25", "address": "x"},
        }
    },
    "servers.json": {
        "mcpServers": {
            "one": {"command": "x", "args": ["--token", "y"], "env": {"A": "b"}, "cwd": "/"},
            "two": {"url": "https://u:p@h/mcp", "headers": {"X-Key": "z"}, "timeout": 5},
        }
    },
    "secrets.json": {"p/env:A": "b"},
}

ODD: tuple[Json, ...] = (
    *(None, True, False, 0, -1, 10**30, 1e308, "", "\0", "\ud800", "a" * 10_000, [], {}),
    *([[[]]], {"": {}}, {"command": 5}, ["x", None], float(2**70)),
)


async def run(case: Case) -> None:
    """Change every file in some place, then load all of them and save what can be."""
    for name, good in GOOD.items():
        (case.folder / name).write_bytes(_bytes(case.random, good))
    with suppress(StorageError):
        write_settings(WindowSettingsFile(case.folder).load())
    client = ClientSettings(case.folder)
    with suppress(StorageError):
        await client.load()
    workspace = Workspace(None, client)
    profile = Profile(id="p", name="n", command="x")
    workspace.client_profile(profile)
    workspace.cached_era(profile)
    servers = ServersFile(case.folder)
    with suppress(StorageError):
        servers.save(servers.load().profiles)
    with suppress(StorageError):
        FileSecrets(case.folder).get("p/env:A")
    await client.aclose()


def _bytes(random: Random, good: JsonObject) -> bytes:
    value: Json = json.loads(json.dumps(good))
    for _ in range(random.randint(0, 3)):
        value = _changed(random, value)
    data = json.dumps(value).encode("utf-8", "surrogatepass")
    match random.randrange(8):
        case 0:
            return data[: random.randrange(len(data) + 1)]
        case 1:
            return data.replace(b":", random.choice([b"::", b"\xff", b"\0", b": NaN,"]), 1)
        case 2:
            return b"\xef\xbb\xbf" + data
        case 3:
            return b"[" * random.choice([100, 100_000]) + data
        case _:
            return data


def _changed(random: Random, value: Json) -> Json:
    """The value with something in it replaced, left out, or added."""
    if isinstance(value, dict) and value and random.random() < 0.85:
        name = random.choice(list(value))
        if random.random() < 0.1:
            return {each: item for each, item in value.items() if each != name}
        return {**value, name: _changed(random, value[name])}
    if isinstance(value, list) and value and random.random() < 0.7:
        at = random.randrange(len(value))
        return [*value[:at], _changed(random, value[at]), *value[at + 1 :]]
    return random.choice(ODD)


TEXT = st.text(max_size=12) | st.sampled_from(
    ["--token", "--api-key=x", "https://u:p@h/?key=v", "${A}", "Bearer x", "%zz", "://", "\0"]
)
JSON: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
KEYS = (
    "command",
    "args",
    "env",
    "cwd",
    "url",
    "headers",
    "type",
    "timeout",
    "spyglass",
    "disabled",
)
ENTRIES: st.SearchStrategy[JsonObject] = st.dictionaries(
    st.sampled_from(KEYS) | TEXT, JSON, max_size=6
)


async def run_profiles(case: Case) -> None:
    """Entries of any form: read, displayed, sealed and written."""
    await asyncio.to_thread(_try_entries, case.random.getrandbits(32))


def _try_entries(number: int) -> None:
    @seed(number)
    @settings(
        max_examples=30,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    @given(TEXT, ENTRIES)
    def try_entry(name: str, entry: JsonObject) -> None:
        if not is_entry(entry):
            return
        profile = read_entry(name, entry)[0]
        endpoint_text(profile)
        secret_values(profile)
        sealed, kept = extract_secrets(profile)
        assert restore_secrets(sealed, kept.get)[0].env == profile.env
        write_entry(sealed)

    try_entry()
