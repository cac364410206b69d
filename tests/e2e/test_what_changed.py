"""What changed of a server since the last run, and what an argument changes, is answered from the window alone; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e import work
from tests.e2e.peers import Act
from tests.e2e.test_fix_loop import CALL, told
from tests.e2e.waits import until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.user import User

pytestmark = pytest.mark.timeout(180, method="thread")


def compared(user: User) -> list[list[str]]:
    """The rows of the compare page."""
    return user.reads_rows("compare_lines") if user.sees("compare_lines") else []


async def test_the_tools_that_changed_since_the_last_run_are_named_and_compared(
    user: User, tmp_path: Path
) -> None:
    """Ours: the list says how many, the page which and what."""
    async with told("stdio", "stateful", tmp_path) as server:
        await work.connect(user, server.address)
        first = work.shown(user)
        server.edit("after the fix")
        await user.presses("Ctrl+R")
        await until(lambda: work.shown(user) is not first, "the next run")
        await work.is_ready(user)
        await user.opens_tab("Tools")
        await user.reads_soon("tools_news", "1 new, 1 changed since run 1")

        await user.presses("Ctrl+F9")

        await until(lambda: compared(user), "the difference")
        text = "\n".join(" | ".join(row) for row in compared(user))
        assert user.reads("compare_added") == "2 added"
        assert '"loud"' in text
        assert '"whisper"' in text


async def test_what_another_argument_changes_is_compared(user: User, tmp_path: Path) -> None:
    """Ours: the same call with one argument changed, and both side by side."""
    async with told("stdio", "stateful", tmp_path) as server:
        await work.connect(user, server.address)
        await work.call(user, CALL)
        await work.call(user, Act("tell", {"/word": "louder"}, CALL.seen))

        await user.presses("F9")
        await until(lambda: user.sees("compare_notice"), "the results, which are equal")
        await user.clicks("compare_parts_arguments")

        await until(lambda: compared(user), "the arguments")
        assert ['"word": "again"', '"word": "louder"'] in compared(user)
        assert user.reads("compare_changed") == "1 changed"
