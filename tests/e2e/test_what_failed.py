"""Which request was never answered, and what exactly preceded a crash, is answered from the window alone; ours."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import pytest

from tests.e2e import work
from tests.e2e.peers import Act
from tests.e2e.waits import until
from tests.servers.crashing_server import TRACEBACK
from tests.support.peers import SERVERS
from ui.models.traffic_columns import position
from ui.traffic.operations.columns import COLUMNS

if TYPE_CHECKING:
    from tests.e2e.user import User

pytestmark = pytest.mark.timeout(180, method="thread")

SERVER = shlex.join([sys.executable, "-I", str(SERVERS / "crashing_server.py")])
ECHO, FORGET, CRASH = Act("echo"), Act("forget"), Act("crash")


def cells(user: User, name: str, key: str) -> list[str]:
    """One column of the rows."""
    at = [spec.key for spec in COLUMNS].index(key) if "operations" in name else position(key)
    return [row[at] for row in user.reads_rows(name)]


def beneath(user: User) -> str:
    """The rows from the call that crashed on."""
    rows = [" ".join(row) for row in user.reads_rows("operations_table")]
    at = next(at for at, row in enumerate(rows) if "tools/call crash" in row)
    return "\n".join(rows[at:])


async def test_the_request_that_was_never_answered_is_found(user: User) -> None:
    """Ours: while it is pending, and once the connection is closed; one filter for both, and one look at the operations."""
    await work.connect(user, SERVER)
    await work.call(user, ECHO)
    lost = await work.start_call(user, FORGET)
    await until(lambda: lost.request_frame, "the request")

    await user.types("traffic_filter_line", "is:unanswered")
    await until(lambda: len(user.reads_rows("traffic_table")) == 1, "the request alone")
    assert cells(user, "traffic_table", "number") == [f"{lost.request_frame}"]
    assert "Pending" in cells(user, "traffic_table", "status")[0]

    await work.disconnect(user)
    assert cells(user, "traffic_table", "number") == [f"{lost.request_frame}"]
    await user.clicks("traffic_mode_operations")
    await until(lambda: user.sees("operations_table"), "the operations")
    await until(lambda: len(user.reads_rows("operations_table")) == 1, "the operation alone")
    assert cells(user, "operations_table", "operation") == ["tools/call forget"]
    assert cells(user, "operations_table", "status") == ["No response"]


async def test_what_preceded_a_crash_is_read_in_order(user: User) -> None:
    """Ours: the call, what the server sent and wrote on stderr, and how it ended, beneath one row and as its sequence."""
    await work.connect(user, SERVER)
    await work.call(user, ECHO)
    crashed = await work.start_call(user, CRASH)
    await until(lambda: crashed.is_finished, "the end of the call")
    await user.reads_soon("header_state", "code 7")

    await user.clicks("traffic_mode_operations")
    await user.chooses_row("operations_table", "tools/call crash")  # on the chevron
    await until(lambda: "half done" in beneath(user), "what the server sent")
    await until(lambda: all(line in beneath(user) for line in TRACEBACK), "what it wrote")
    assert beneath(user).index("half done") < beneath(user).index("stderr · 2 lines")

    await user.clicks("operation_follow")
    await until(lambda: user.sees("traffic_table"), "the frames of the operation")
    await until(lambda: len(user.reads_rows("traffic_table")) >= 3, "all of them")
    frames = [" ".join(row) for row in user.reads_rows("traffic_table")]
    assert "tools/call" in frames[0]
    assert all(any(text in row for row in frames) for text in ("half done", TRACEBACK[0]))
    times = cells(user, "traffic_table", "time")
    assert times == sorted(times)
    await user.types("traffic_filter_line", "kind:stderr")
    await until(lambda: len(user.reads_rows("traffic_table")) == 2, "each line in a row")
    assert [
        text in row[-1]
        for text, row in zip(TRACEBACK, user.reads_rows("traffic_table"), strict=True)
    ] == [True] * 2
