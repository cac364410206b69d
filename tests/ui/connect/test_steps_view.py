"""Connecting as it happens; ours, after "Connecting"."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING, TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QPlainTextEdit, QPushButton, QScrollArea, QWidget

from inspector.config.profile import Profile
from inspector.errors import InspectorError
from inspector.session.diagnostics.unusable_responses import NOT_ON_STDOUT
from inspector.session.run import Run
from inspector.session.session import Session
from inspector.session.steps import Step, StepState
from inspector.transcript.transcript import Transcript
from tests.support.memory_transport import MemoryTransport
from tests.support.protected import Protected
from tests.support.wait import wait_until
from tests.ui.connect.ending import everything_ends
from tests.ui.qt_actions import reads
from ui.connect.authorization_need import Need
from ui.connect.authorization_panel import AuthorizationPanel
from ui.connect.step_row import StepRow, searched_folders
from ui.connect.steps_view import ConnectionSteps
from ui.widgets.comparison_table import ComparisonRow, ComparisonTable
from ui.widgets.heading_parts import Excerpt

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from inspector.workspace import Workspace
    from ui.theme import Theme

W = TypeVar("W", bound=QWidget)
Answer = "Callable[[bytes, MemoryTransport], None]"


@pytest.fixture
async def view(qtbot: QtBot, theme: Theme) -> ConnectionSteps:
    view = ConnectionSteps(theme=theme)
    qtbot.addWidget(view)
    view.show()
    return view


def part(view: ConnectionSteps, kind: type[W], name: str) -> W:
    found = view.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def all_text(view: ConnectionSteps) -> str:
    rows = view.findChildren(StepRow)
    labels = [label.text() for row in rows for label in row.findChildren(QLabel)]
    labels += [text.accessibleName() for row in rows for text in row.findChildren(Excerpt)]
    details = [
        edit.toPlainText()
        for row in rows
        for edit in row.findChildren(QPlainTextEdit)
        if not edit.isHidden()
    ]
    return "\n".join((*labels, *details))


def primary(view: ConnectionSteps) -> list[str]:
    buttons = view.findChildren(QPushButton)
    return [each.objectName() for each in buttons if each.property("primary") and each.isVisible()]


async def fail(workspace: Workspace, view: ConnectionSteps, profile: Profile) -> None:
    opened = workspace.open(profile)
    view.set_session(opened.session)
    with pytest.raises(InspectorError):
        await opened.connect()
    await wait_until(lambda: part(view, QPushButton, "retry_connect").isVisible())


async def test_a_command_that_is_missing_is_named_with_the_folders_searched(
    workspace: Workspace, view: ConnectionSteps, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Corpus stdio-17, stdio-23."""
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    await fail(workspace, view, Profile(name="x", command="no-such-cmd-xyz"))
    text = all_text(view)
    assert "`no-such-cmd-xyz` is not on PATH" in text
    assert "\n/usr/bin\n/bin" in text
    assert reads(view, "steps_title") == "Connection failed: x"
    assert primary(view) == ["edit_profile"]
    await everything_ends(workspace)


async def test_a_process_that_exits_is_shown_with_its_last_words(
    workspace: Workspace, view: ConnectionSteps
) -> None:
    script = "import sys; print('no module named x', file=sys.stderr); sys.exit(3)"
    await fail(workspace, view, Profile(name="x", command=sys.executable, args=("-c", script)))
    text = all_text(view)
    assert "code 3" in text
    assert "no module named x" in text
    assert primary(view) == ["retry_connect"]
    await everything_ends(workspace)


async def test_a_process_that_exits_at_once_fails_in_the_step_and_is_quoted_once(
    workspace: Workspace, view: ConnectionSteps
) -> None:
    script = "import sys; print('no module named x', file=sys.stderr); sys.exit(3)"
    opened = workspace.open(Profile(name="x", command=sys.executable, args=("-c", script)))
    view.set_session(opened.session)
    with pytest.raises(InspectorError):
        await opened.connect()

    states = {step.name.split(":")[0]: step.state for step in opened.session.steps}
    assert states["Detect protocol"] is StepState.UNSUCCESSFUL
    assert list(states.values()).count(StepState.FAILED) == 1
    assert [
        step.status_text[:15] for step in opened.session.steps if step.name.startswith("Start")
    ] == ["started process"] * 2
    last = opened.session.steps[-1]
    assert last.detail.count("no module named x") == 1
    await everything_ends(workspace)


async def test_a_banner_and_then_silence_is_told_while_waiting_and_after(
    workspace: Workspace, view: ConnectionSteps
) -> None:
    """Ours: what came on stdout is the likely cause, so it comes first."""
    script = "import sys; print('Welcome', flush=True); sys.stdin.read()"
    profile = Profile(
        name="x",
        command=sys.executable,
        args=("-c", script),
        timeout_seconds=1.0,
        revision="2025-11-25",
    )
    opened = workspace.open(profile)
    view.set_session(opened.session)
    connecting = asyncio.create_task(opened.connect())
    cause = "the server printed on stdout what is not JSON-RPC (“Welcome”)"
    await wait_until(lambda: f"{cause}; waiting for response" in all_text(view))
    await wait_until(lambda: "1 s left" in all_text(view))

    with pytest.raises(InspectorError):
        await connecting

    failure = opened.session.failure
    assert failure is not None
    assert cause in failure.reason
    assert "timed out" in failure.reason
    assert failure.hint == NOT_ON_STDOUT
    await everything_ends(workspace)


async def test_the_user_may_keep_waiting_for_a_slow_start(
    workspace: Workspace, view: ConnectionSteps, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: offered once the wait is long enough for its limit to matter, and only until it is taken."""
    monkeypatch.setattr("ui.connect.steps_view.KEEP_WAITING_AFTER_S", 0.2)
    profile = Profile(
        name="x",
        command=sys.executable,
        args=("-c", "import sys; sys.stdin.read()"),
        timeout_seconds=60,
        revision="2025-11-25",
    )
    opened = workspace.open(profile)
    view.set_session(opened.session)
    connecting = asyncio.create_task(opened.connect())
    keep = part(view, QPushButton, "keep_waiting")
    assert not keep.isVisible()
    await wait_until(keep.isVisible)

    QTest.mouseClick(keep, Qt.MouseButton.LeftButton)

    waiting = opened.session.steps.pending
    assert waiting is not None
    assert waiting.times_out_at is None
    await wait_until(lambda: not keep.isVisible())
    await opened.session.aclose()
    with pytest.raises(InspectorError):
        await connecting
    await everything_ends(workspace)


async def test_what_never_started_is_in_the_record_all_the_same(
    workspace: Workspace, view: ConnectionSteps
) -> None:
    """Ours: else the traffic would promise frames."""
    await fail(workspace, view, Profile(name="x", command="no-such-cmd-xyz"))

    (opened,) = workspace.sessions
    assert b"connection failed: `no-such-cmd-xyz`" in opened.session.transcript.raw(1)
    await everything_ends(workspace)


async def test_an_error_in_answer_to_initialize_offers_another_revision(
    view: ConnectionSteps,
) -> None:
    def answer(raw: bytes, transport: MemoryTransport) -> None:
        error = {"code": -32603, "message": "<b>no</b>", "data": {"why": "because"}}
        reply = {"jsonrpc": "2.0", "id": json.loads(raw)["id"], "error": error}
        transport.deliver(json.dumps(reply).encode())

    session = Session(
        Profile(name="x", command="x"), Transcript(), lambda _: MemoryTransport(answer)
    )
    view.set_session(session)
    with pytest.raises(InspectorError):
        await session.connect()
    await wait_until(lambda: part(view, QComboBox, "other_revision").isVisible())
    text = all_text(view)
    assert "-32603" in text
    assert "<b>no</b>" in text
    assert '"why": "because"' in text
    wanted: list[str] = []
    view.revision_requested.connect(wanted.append)
    box = part(view, QComboBox, "other_revision")
    row = box.findText("2024-11-05")
    box.setCurrentIndex(row)
    box.activated.emit(row)
    automatic = box.findText("Automatic")
    assert automatic == 1
    box.activated.emit(automatic)
    assert wanted == ["2024-11-05", ""]
    await session.aclose()


async def test_while_a_step_runs_a_clock_runs(
    view: ConnectionSteps,
) -> None:
    session = Session(
        Profile(name="x", command="x"), Transcript(), lambda _: MemoryTransport(_mute)
    )
    session.run = Run(2)  # the first one was never connected
    view.set_session(session)
    with session.steps.run("Wait for the first bytes"):
        row = part(view, QWidget, "step_row")
        took = row.findChild(QLabel, "step_took")
        assert took is not None
        before = took.text()
        await wait_until(lambda: took.text() != before)
        title = reads(view, "steps_title")
        assert title.startswith("Connecting to x…")
        session.run = Run(2, reconnects=True)
        await wait_until(lambda: reads(view, "steps_title").startswith("Reconnecting to x…"))
    view.set_session(None)
    assert not view.findChildren(StepRow, options=Qt.FindChildOption.FindDirectChildrenOnly)
    await session.aclose()


def _mute(_raw: bytes, _transport: MemoryTransport) -> None:
    """Answer nothing."""


async def test_a_step_leads_to_its_frame(workspace: Workspace, view: ConnectionSteps) -> None:
    script = "import sys; sys.exit(3)"
    wanted: list[int] = []
    view.frame_requested.connect(wanted.append)
    await fail(workspace, view, Profile(name="x", command=sys.executable, args=("-c", script)))
    links = [link for link in view.findChildren(QPushButton, "step_frame") if link.isVisible()]
    QTest.mouseClick(links[0], Qt.MouseButton.LeftButton)
    assert wanted
    assert wanted[0] >= 1
    await everything_ends(workspace)


async def test_retry_edit_and_transcript_are_asked_for(
    workspace: Workspace, view: ConnectionSteps
) -> None:
    asked: list[str] = []
    view.retry_requested.connect(lambda: asked.append("retry"))
    view.edit_requested.connect(lambda: asked.append("edit"))
    view.transcript_requested.connect(lambda: asked.append("transcript"))
    await fail(workspace, view, Profile(name="x", command="no-such-cmd-xyz"))
    for name in ("retry_connect", "edit_profile", "open_transcript"):
        QTest.mouseClick(part(view, QPushButton, name), Qt.MouseButton.LeftButton)
    assert asked == ["retry", "edit", "transcript"]
    await everything_ends(workspace)


@pytest.mark.parametrize(
    ("text", "cause", "folders"),
    [
        ("`x` is not on PATH; PATH was /a:/b", "`x` is not on PATH", ["/a", "/b"]),
        (r"`x` is not on PATH; PATH was C:\a;D:\b", "`x` is not on PATH", [r"C:\a", r"D:\b"]),
        ("`x` is not on PATH; PATH was (empty)", "`x` is not on PATH; PATH was (empty)", []),
        ("anything else", "anything else", []),
    ],
)
def test_the_folders_of_path_are_listed_one_by_one(
    text: str, cause: str, folders: list[str]
) -> None:
    assert searched_folders(text)[0] == cause
    assert searched_folders(text)[1].split("\n")[1:] == folders


async def test_no_step_is_wider_than_the_window_however_large_the_text(
    qtbot: QtBot, qapp: QApplication, workspace: Workspace, view: ConnectionSteps, theme: Theme
) -> None:
    """Ours: nothing scrolls sideways here, so what stuck out could not be read."""
    await fail(workspace, view, Profile(name="x", command=sys.executable, args=("-c", "pass")))
    view.resize(700, 500)
    theme.apply(qapp, "light", 2.0)

    scroll = view.findChild(QScrollArea)
    assert isinstance(scroll, QScrollArea)
    room, rows = scroll.viewport(), view.findChildren(StepRow)
    assert rows
    await wait_until(lambda: all(row.width() <= room.width() for row in rows))
    await everything_ends(workspace)


def test_what_was_sent_beside_what_is_complained_of_stands_there_once(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: however often the step is told anew, and gone with the complaints."""
    row = StepRow(theme=theme)
    qtbot.addWidget(row)
    compared = (ComparisonRow("Capability roots", "declared", "required", fits=True),)
    for text in ("refused", "refused again"):
        failed = Step("initialize", 0.0, status_text=text, state=StepState.FAILED)
        row.set_step(failed, 1.0, compared)
    (table,) = row.findChildren(ComparisonTable, "beside")
    assert table.rows() == compared

    row.set_step(Step("initialize", 0.0), 1.0)
    assert not table.isVisibleTo(row)


def test_a_step_without_complaints_has_no_table(qtbot: QtBot, theme: Theme) -> None:
    """Ours: most steps have none."""
    row = StepRow(theme=theme)
    qtbot.addWidget(row)
    row.set_step(Step("initialize", 0.0), 1.0)

    assert row.findChildren(ComparisonTable) == []


async def test_what_a_login_needs_comes_under_the_steps(view: ConnectionSteps) -> None:
    """Ours: it comes late, and must not push down what is there; most servers need none."""
    async with Protected() as server:
        workspace = server.workspace(with_user=False)
        opened = workspace.open(server.profile)
        view.set_session(opened.session, opened.authorizer)
        assert view.findChild(AuthorizationPanel) is None
        with pytest.raises(InspectorError):
            await opened.connect()
        await wait_until(lambda: view.need is Need.LOGIN)
        await wait_until(lambda: part(view, QPushButton, "authorize").isVisible())

        panel = part(view, AuthorizationPanel, "authorization_panel")
        rows = view.findChildren(StepRow)
        assert rows
        await wait_until(lambda: panel.y() >= max(row.geometry().bottom() for row in rows))
        await workspace.aclose()
