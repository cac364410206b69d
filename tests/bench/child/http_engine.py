"""Our engine over streamable HTTP, as the workspace runs it: recording every head and body into a file and judging aside."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from inspector.config.profile import Profile
from inspector.wire.frame import Channel
from inspector.workspace import Workspace
from tests.bench.child import figures, http_load, telling
from tests.bench.child.engine import Ours


async def main() -> None:
    options = figures.options()
    found: dict[str, float] = {}
    for form in http_load.FORMS:
        with http_load.serving(form) as url, tempfile.TemporaryDirectory() as folder:
            workspace = Workspace(Path(folder))
            opened = workspace.open(Profile(name="load", transport="http", url=url))
            await opened.connect()
            async with asyncio.timeout(30):
                while opened.sweep.pending:  # noqa: ASYNC110 - until the validators are loaded and have caught up
                    await asyncio.sleep(0.1)
            found |= await http_load.measure(Ours(opened), form, options.seconds)
            channels = opened.session.transcript.columns.channel
            assert channels.count(Channel.HTTP) > channels.count(Channel.BODY)
            await workspace.aclose()
    telling.report(found)


if __name__ == "__main__":
    asyncio.run(main())
