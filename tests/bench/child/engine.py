"""Our engine without a window, as the workspace runs it: recording into a file and judging aside."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.config.profile import Profile
from inspector.wire.message import MessageKind
from inspector.workspace import Workspace
from tests.bench.child import figures, telling

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import JsonObject


class Ours:
    """A session of the workspace."""

    def __init__(self, opened: OpenSession) -> None:
        self._session = opened.session

    async def call(self, name: str, arguments: Mapping[str, str | int | float]) -> int:
        params: JsonObject = {"name": name, "arguments": dict(arguments)}
        reply = await self._session.request("tools/call", params)
        return len(reply.message.raw)


async def main() -> None:
    options = figures.options()
    program, *arguments = figures.server_command()
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(Path(folder))
        opened = workspace.open(Profile(name="load", command=program, args=tuple(arguments)))
        await opened.connect()
        async with asyncio.timeout(30):
            while opened.sweep.pending:  # noqa: ASYNC110 - until the validators are loaded and have caught up
                await asyncio.sleep(0.1)
        found = await figures.measure(Ours(opened), options.seconds, options.flood)
        kinds = opened.session.transcript.columns.kind
        assert kinds.count(MessageKind.NOTIFICATION) >= options.flood
        await workspace.aclose()
    telling.report(found)


if __name__ == "__main__":
    asyncio.run(main())
