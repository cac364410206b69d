"""What was found out of a server is kept beside its profile, and spares the next session a question."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.config.client_settings import ClientSettings
from inspector.config.profile import Profile
from inspector.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.open_session import OpenSession

OLD = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        version = message["params"].get("protocolVersion")
        who = {"name": "old", "version": "1"}
        result = {"protocolVersion": version, "capabilities": {}, "serverInfo": who}
        error = {"code": -32601, "message": "no"}
        answer = {"result": result} if version else {"error": error}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}), flush=True)
"""
PROFILE = Profile(id="old", name="old", command=sys.executable, args=("-I", "-S", "-c", OLD))


def first_method(opened: OpenSession) -> str:
    transcript = opened.session.transcript
    methods = (transcript.row(n).method for n in range(1, transcript.count + 1))
    return next(method for method in methods if method)


async def connected(workspace: Workspace, profile: Profile) -> OpenSession:
    opened = workspace.open(profile)
    await opened.connect()
    await workspace.close(opened)
    return opened


async def test_a_server_is_asked_once_what_it_is(tmp_path: Path) -> None:
    """C-VER-08, C-VER-09: kept in a file, by what the server was reached by."""
    file = ClientSettings(tmp_path)
    workspace = Workspace(None, file)
    first = await connected(workspace, PROFILE)
    second = await connected(workspace, PROFILE)
    await file.aclose()
    again = ClientSettings(tmp_path)
    await again.load()
    third = await connected(Workspace(None, again), PROFILE)
    moved = await connected(workspace, replace(PROFILE, args=(*PROFILE.args, "elsewhere")))
    await file.aclose()
    await again.aclose()

    methods = [first_method(each) for each in (first, second, third, moved)]
    assert methods == ["server/discover", "initialize", "initialize", "server/discover"]
    assert "elsewhere" not in (tmp_path / "client.json").read_text()


async def test_what_is_declared_fits_the_revision_that_is_spoken() -> None:
    """C-LC-13: each offer has its own, also after falling back."""
    file = ClientSettings(None)
    opened = await connected(Workspace(None, file), PROFILE)

    session = opened.session
    transcript = session.transcript
    raws = [transcript.raw(n) for n in range(1, transcript.count + 1)]
    discover = next(raw for raw in raws if b"server/discover" in raw)
    initialize = next(raw for raw in raws if b'"initialize"' in raw)
    assert b'"roots":{}' in discover
    assert b'"roots":{"listChanged":true}' in initialize
    assert session.client_capabilities["roots"] == {"listChanged": True}
