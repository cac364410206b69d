"""The demo server as a process of its own: over HTTP, and a session with it over either transport."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.config.client_settings import ClientSettings
from inspector.config.profile import Profile
from inspector.workspace import Workspace
from tests.support.wait import patience

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.open_session import OpenSession

ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def demo(*switches: str) -> AsyncGenerator[str]:
    """The address of a running server."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "inspector.demo", *switches),
        cwd=ROOT,
        stdin=DEVNULL,
        stderr=PIPE,
    )
    try:
        assert process.stderr is not None
        async with asyncio.timeout(patience()):
            while b"listening on " not in (line := await process.stderr.readline()):
                assert line
        yield line.decode().rpartition("listening on ")[2].strip()
    finally:
        process.kill()
        await process.communicate()


@asynccontextmanager
async def declaring_all(profile: Profile) -> AsyncGenerator[OpenSession]:
    """A session that declares everything; closed afterwards."""
    workspace = Workspace(None, ClientSettings(None))
    opened = workspace.open(profile)
    opened.client.capabilities.switch("tasks_extension", on=True)
    try:
        await opened.connect()
        yield opened
    finally:
        await workspace.aclose()


@asynccontextmanager
async def demo_session(transport: str, *switches: str) -> AsyncGenerator[OpenSession]:
    """A session with the demo server, over `stdio` or `http`."""
    if transport == "stdio":
        text = ("-m", "inspector.demo", *switches)
        profile = Profile(name="demo", command=sys.executable, args=text, cwd=str(ROOT))
        async with declaring_all(profile) as opened:
            yield opened
        return
    async with (
        demo("--http", "0", *switches) as url,
        declaring_all(Profile(name="demo", transport="http", url=url)) as opened,
    ):
        yield opened
