"""The loop of mending a server: call, edit the server, restart it, call again, look at both answers; nothing is typed twice."""

from __future__ import annotations

import shlex
import sys
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QCheckBox

from tests.e2e import work
from tests.e2e.peers import Act
from tests.e2e.waits import patience, until
from tests.servers.told_server import answer as told_answer
from tests.support.http_stub import Asked, HttpStub, Reply, answer, reply, well_behaved
from tests.support.peers import SERVERS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from pathlib import Path

    from tests.e2e.user import User

pytestmark = pytest.mark.timeout(180, method="thread")

LOOP_SECONDS = 5.0
"""What the two actions and both runs may take where nothing else goes on."""

CALL = Act("tell", {"/word": "again"}, "before the fix")


class Told:
    """A server whose source is one text."""

    def __init__(self, address: str, edit: Callable[[str], object]) -> None:
        self.address = address
        """What a user pastes."""
        self.edit = edit
        """Writes another text; over HTTP it starts the server again with it."""


@asynccontextmanager
async def told(transport: str, era: str, folder: Path) -> AsyncGenerator[Told]:
    """The server on a transport, in an era."""
    source = folder / "source.txt"
    source.write_text(CALL.seen, encoding="utf-8")
    if transport == "stdio":
        argv = [sys.executable, str(SERVERS / "told_server.py"), str(source), era]
        yield Told(shlex.join(argv), lambda text: source.write_text(text, encoding="utf-8"))
        return
    text = CALL.seen

    def play(asked: Asked) -> Reply:
        if "id" not in asked.message or not asked.rpc:
            return well_behaved(asked)
        if era == "stateless" and asked.rpc == "initialize":
            return reply(400)
        return answer(told_answer(asked.message, text, era))

    def edit(now: str) -> None:
        nonlocal text
        text = now

    async with HttpStub({"POST": play}) as stub:
        yield Told(stub.url, edit)


def difference(user: User) -> str:
    """The lines of the compare page."""
    if not user.sees("compare_lines"):
        return ""
    return "\n".join(" ".join(row) for row in user.reads_rows("compare_lines"))


@pytest.mark.parametrize(
    ("transport", "era"),
    [("stdio", "stateful"), ("stdio", "stateless"), ("http", "stateful"), ("http", "stateless")],
)
async def test_an_edited_server_is_restarted_called_again_and_compared_in_two_actions(
    user: User, tmp_path: Path, transport: str, era: str
) -> None:
    """Ours."""
    async with told(transport, era, tmp_path) as server:
        await work.connect(user, server.address)
        await work.call(user, CALL)
        await user.reads_soon("call_content", CALL.seen)
        first, sent = work.shown(user), work.shown(user).tools.history.operations[-1].arguments
        server.edit("after the fix")

        began = time.perf_counter()
        await user.presses("Ctrl+F5")  # the first action
        await until(lambda: work.shown(user) is not first, "the next run")
        second = work.shown(user)
        await until(lambda: second.tools.history.operations, "the same call again", 15)
        await until(lambda: second.tools.history.operations[-1].is_finished, "its answer")
        await user.reads_soon("call_content", "after the fix")
        await user.presses("F9")  # the second
        await until(lambda: "after the fix" in difference(user), "the difference")
        took = time.perf_counter() - began

        assert CALL.seen in difference(user)
        assert second.tools.history.operations[-1].arguments == sent
        assert [call.run.number for call in second.tools.history.operations] == [2]
        assert took < patience(LOOP_SECONDS)


async def test_a_server_that_watches_its_files_needs_no_restart_by_hand(
    user: User, tmp_path: Path
) -> None:
    """Ours: chosen in its editor; the edit alone starts the next run."""
    async with told("stdio", "stateful", tmp_path) as server:
        await work.connect(user, server.address)
        await work.call(user, CALL)
        await user.reads_soon("call_content", CALL.seen)
        first = work.shown(user)
        editor = user.app.window.parts.servers.edit(first.profile)
        box = editor.findChild(QCheckBox, "restart_on_change")
        assert isinstance(box, QCheckBox)
        await user.goes_to(box)
        await user.presses("Space", box)
        await user.clicks("save_server", editor)
        transcript = first.session.transcript

        def is_watched() -> bool:
            numbers = range(1, transcript.count + 1)
            return any(b'"watching"' in transcript.raw(number) for number in numbers)

        await until(is_watched, "the files to be watched")

        server.edit("after the fix")
        await until(lambda: work.shown(user) is not first, "the next run", 15)
        await work.is_ready(user)
        await user.clicks("call_button")
        await user.reads_soon("call_content", "after the fix")
