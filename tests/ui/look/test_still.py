"""The window keeps still: what arrives, ends, is filtered or found wrong moves nothing outside of its own region."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from tests.support.wait import wait_until
from tests.ui.look.busy_server import REQUESTS, RESULTS, BusyServer
from tests.ui.look.stillness import Stillness
from tests.ui.qt_actions import click, find
from ui.widgets.form.layout import TimeSlicer

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from tests.ui.shell.shell_fixture import ShellFixture

pytestmark = pytest.mark.timeout(360, method="thread")
"""Six times what the longest takes on a calm machine, and no less: what hangs is ended by each wait, whose limit follows the load."""

ARRANGEMENTS = ((1360, 860, 1.0), (2560, 1440, 1.0), (1360, 860, 2.0), (1024, 640, 2.0))
"""Width, height, scale: the usual window, the widest, and those in which text of twice the size leaves little and least room. The traffic
is open in the first one, so that its counts grow before the eyes."""
USUAL_TEXT = ARRANGEMENTS[:2]

BADGE = ("header_requests", "header_texts", "status_for_user")
"""The badge, the text before it, which gives it the width, and the count in the status bar, whose place is kept."""
RESULT = ("call_result", "cancel_button", "Obstacle")
"""The result; *Cancel*, and the empty end of the line of text that it takes."""
FILTER = ("traffic_filter", "traffic_filter_problem")
"""What is typed, and over the rows what is wrong about it."""
ENDS = ("workbench_notice", "status_ping", "status_message", "call_problem", "call_problem_action")
"""What says that there is no connection, and what only a connection has."""
LAST_COUNT = ("status_problems", "status_message")
"""The last count of the status bar, with what is beside it."""
PAGES = ("overview", "tools", "logs", "raw")
"""Those that show what arrives, in a list or by counts, and two that do not."""


@pytest.fixture
def still(shell: ShellFixture) -> Stillness:
    def is_validating() -> bool:
        sweep = shell.controller.sweep
        return sweep is not None and shell.controller.is_live and sweep.pending > 0

    return Stillness(shell.window, is_validating)


async def arrangements(
    shell: ShellFixture,
    still: Stillness,
    chosen: Sequence[tuple[int, int, float]] = ARRANGEMENTS,
) -> AsyncGenerator[None]:
    """The window in each arrangement, with a tool chosen and traffic that has to be scrolled; all faults at the end."""
    await choose_tool(shell)
    for width, height, scale in chosen:
        shell.window.layout_state.set_theme("light", scale)
        shell.window.resize(width, height)
        still.where = f"{width}×{height} at {scale:.0%}: "
        await still.settled()
        yield
    assert not still.faults, "\n".join(still.faults)


async def choose_tool(shell: ShellFixture) -> None:
    shell.window.go("tools")
    await wait_until(lambda: shell.tools.list.model.rowCount() >= 40)
    shell.tools.choose(3)
    pace = shell.tools.call_panel.form.findChild(TimeSlicer)
    assert pace is not None
    await wait_until(pace.is_idle)


def pending(shell: ShellFixture) -> int:
    return len(shell.app.workspace.inbox.pending)


async def waits(shell: ShellFixture, count: int) -> None:
    """Wait until so many requests wait for the user."""
    await wait_until(lambda: pending(shell) == count)


async def arrived(shell: ShellFixture, count: int) -> None:
    """Wait until so many frames are rows."""
    await wait_until(lambda: shell.window.parts.traffic.model.timeline.count >= count)


def frames(shell: ShellFixture) -> int:
    return shell.window.parts.traffic.model.timeline.count


async def test_requests_of_the_server_move_nothing(
    shell: ShellFixture, server: BusyServer, still: Stillness
) -> None:
    """Ours: those for the user, those answered without one, and their ends; the badge takes its width from the text before it."""
    async for _ in arrangements(shell, still):
        asked: list[int] = []
        for method in REQUESTS:
            async with still.during(f"{method} arrives", *BADGE):
                asked.append(server.ask(method))
                await waits(shell, len(asked))
        for method in ("ping", "roots/list", "no/such/method"):
            async with still.during(f"{method} arrives"):
                before = frames(shell)
                server.ask(method)
                await arrived(shell, before + 2)
        async with still.during("a dialog opens"):
            shell.window.parts.inbox.review_next()
            await wait_until(lambda: shell.window.parts.inbox.dialogs.existing)
        (dialog,) = shell.window.parts.inbox.dialogs.existing
        async with still.during("a request is answered", *BADGE):
            click(dialog, "sampling_reject")
            await waits(shell, len(asked) - 1)
        async with still.during("a request is withdrawn", *BADGE):
            server.withdraw(asked[-1])
            await wait_until(lambda: not pending(shell))


async def test_a_call_moves_nothing_but_its_result(
    shell: ShellFixture, server: BusyServer, still: Stillness
) -> None:
    """Ours: running, with progress, waiting for the user, and ending in every way."""
    async for _ in arrangements(shell, still):
        await call(shell, server)
        server.answer_call(RESULTS["one line"])
        await is_rendered(shell)
        for name, result in RESULTS.items():
            async with still.during(f"the result is {name}", *RESULT):
                await call(shell, server)
                server.answer_call(result)
                await is_rendered(shell)
        async with still.during("a call starts", *RESULT):
            await call(shell, server)
        for done, total in ((1, None), (2, 10), (3, 10_000_000)):
            async with still.during(f"progress {done} of {total}", *RESULT):
                server.progress(done, total)
                await wait_until(lambda n=done: progress_count(shell) == n)
        async with still.during("the call waits for the user", *RESULT, *BADGE):
            asked = server.ask("sampling/createMessage")
            await wait_until(lambda: pending(shell) == 1)
        async with still.during("it waits no more", *RESULT, *BADGE):
            server.withdraw(asked)
            await wait_until(lambda: not pending(shell))
        async with still.during("the call is refused", *RESULT):
            server.refuse_call()
            await is_rendered(shell)


def progress_count(shell: ShellFixture) -> int:
    return shell.session.tools.history.operations[-1].progress_count


async def call(shell: ShellFixture, server: BusyServer) -> None:
    count = len(server.calls)
    shell.tools.call_panel.call_button.click()
    await wait_until(lambda: len(server.calls) > count)
    await wait_until(lambda: shell.tools.result_panel.is_running)


async def is_rendered(shell: ShellFixture) -> None:
    await wait_until(lambda: shell.session.tools.history.operations[-1].is_finished)
    await wait_until(lambda: shell.tools.result_panel.is_rendered)


async def test_what_is_filtered_and_found_wrong_moves_nothing_beside_it(
    shell: ShellFixture, server: BusyServer, still: Stillness
) -> None:
    """Ours: filters that match and do not, wrong ones, fields that are filled in wrong and right."""
    server.log(60)
    async for _ in arrangements(shell, still):
        for text in ("tool_00", "no such tool", ""):
            async with still.during(
                f"tools are filtered by «{text}»", "tool_view", "tools_filter_line", "tools_foot"
            ):
                shell.tools.list.filter.set_text(text)
        for text in ("method:tools/list", "no such frame", "took:>soon", ""):
            async with still.during(
                f"the traffic is filtered by «{text}»", "traffic_table", *FILTER
            ):
                shell.window.parts.traffic.set_filter(text)
        for pointer, wrong, right in (("/count", "x", "3"), ("/name", "y", "Ada")):
            for text in (wrong, right, ""):
                async with still.during(f"{pointer} is «{text}»", f"row:{pointer}", "call_row"):
                    type_into(shell, pointer, text)


def type_into(shell: ShellFixture, pointer: str, text: str) -> None:
    field = find(shell.tools.call_panel, QLineEdit, f"field:{pointer}")
    field.selectAll()
    QTest.keyClicks(field, text) if text else QTest.keyClick(field, Qt.Key.Key_Delete)


async def test_lists_that_change_move_nothing_beside_their_rows(
    shell: ShellFixture, server: BusyServer, still: Stillness
) -> None:
    """Ours: longer, shorter, and of the pages that are not in front."""
    async for _ in arrangements(shell, still):
        for count in (41, 39, 9, 40):
            async with still.during(f"{count} tools", "tool_view", "tools_foot"):
                server.tool_count = count
                server.notify("notifications/tools/list_changed")
                await wait_until(lambda n=count: shell.tools.list.model.rowCount() == n)
        for noun in ("prompts", "resources"):
            async with still.during(f"{noun} change"):
                before = frames(shell)
                server.notify(f"notifications/{noun}/list_changed")
                await arrived(shell, before + 3)


async def test_a_flood_moves_nothing_on_any_page(
    shell: ShellFixture, server: BusyServer, still: Stillness
) -> None:
    """Ours: log messages, lines on stderr and noise, with a frame selected and without."""
    async for _ in arrangements(shell, still):
        for page in PAGES:
            shell.window.go(page)
            async with still.during(f"a flood on {page}", "log_table", *LAST_COUNT):
                before = frames(shell)
                server.log(300)
                server.write_stderr(30)
                server.write_noise()
                await arrived(shell, before + 331)
        shell.window.go("tools")
        shell.window.parts.traffic.select_frame(2)
        async with still.during("a flood beside a frame", *LAST_COUNT):
            before = frames(shell)
            server.log(300)
            await arrived(shell, before + 300)


async def test_a_server_that_ends_and_comes_back_moves_nothing_beside_the_page(
    shell: ShellFixture, server: BusyServer, still: Stillness
) -> None:
    """Ours: an end by itself, another run, and a disconnection."""
    async for _ in arrangements(shell, still, USUAL_TEXT):
        async with still.during("the server ends", *ENDS):
            server.crash()
            await wait_until(lambda: not shell.controller.is_live)
        async with still.during("it is started again", *ENDS):
            before = shell.session
            shell.controller.reconnect()
            await wait_until(lambda old=before: shell.session is not old)
            await wait_until(lambda: shell.is_ready(shell.session.profile))
        async with still.during("disconnecting", *ENDS):
            shell.controller.disconnect_from(shell.session.profile)
            await wait_until(lambda: not shell.controller.is_live)
        shell.controller.reconnect()
        await wait_until(lambda: shell.is_ready(shell.session.profile))


NEWS = ("overview_story", "report_sums")
"""The steps of the connection, and at the end of a line what differs from the run before."""


@pytest.mark.parametrize("page", ["overview", "report", "raw"])
async def test_another_run_moves_nothing_on_a_page_but_its_own_news(
    shell: ShellFixture, still: Stillness, page: str
) -> None:
    """Ours: the report begins without a rule that has seen anything, and the overview without a step."""
    shell.window.go(page)
    async with still.during("it is started again", *ENDS, *LAST_COUNT, *NEWS):
        before = shell.session
        shell.controller.reconnect()
        await wait_until(lambda: shell.session is not before)
        await wait_until(lambda: shell.is_ready(shell.session.profile))
    assert not still.faults, "\n".join(still.faults)
