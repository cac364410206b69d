"""What a user does with a server, step by step as it is done by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QWidget

from inspector.session.session_state import SessionState
from tests.e2e.qt_queries import spot
from tests.e2e.waits import until
from ui.features.tools.call_result_panel import CallResultPanel
from ui.widgets.form.layout import TimeSlicer
from ui.widgets.outcome_line import OutcomeLine

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.features.tools import ToolCall
    from inspector.open_session import OpenSession
    from tests.e2e.peers import Act
    from tests.e2e.user import User

RUNNING = {"", "sending", "running"}
"""What is said of a call that is not over."""


def shown(user: User) -> OpenSession:
    """The session that is shown."""
    session = user.app.controller.session
    assert session is not None
    return session


async def enter_server(user: User, pasted: str) -> QWidget:
    """Open the dialog for a new server, paste, and wait until it was understood."""
    await user.clicks("add_server")
    editor = await user.finds_window("server_editor")
    await user.pastes("paste_text", pasted, editor)
    await until(
        lambda: user.reads("paste_outcome", editor).startswith("Detected"), "what was detected"
    )
    return editor


async def begin(
    user: User,
    pasted: str,
    fields: Mapping[str, str] | None = None,
    *,
    chosen: Mapping[str, str] | None = None,
) -> None:
    """Paste, fill in `fields` and choose `chosen` by name, save and connect; return when the session is shown."""
    before = user.app.controller.session
    editor = await enter_server(user, pasted)
    for name, text in (fields or {}).items():
        await user.types(name, text, editor)
    for name, message in (chosen or {}).items():
        await user.picks(name, message, editor)
    await user.clicks("save_and_connect", editor)
    controller = user.app.controller
    await until(lambda: controller.session not in (None, before), "the new session")


async def connect(
    user: User,
    pasted: str,
    fields: Mapping[str, str] | None = None,
    *,
    chosen: Mapping[str, str] | None = None,
) -> None:
    """Do that and wait until its tools are read."""
    await begin(user, pasted, fields, chosen=chosen)
    await is_ready(user)


async def is_ready(user: User) -> None:
    """Wait until the shown session is connected and its tools are read."""
    session = shown(user)
    await until(
        lambda: session.session.state is not SessionState.CONNECTING, "the end of connecting", 15
    )
    assert session.session.state is SessionState.READY, user.reads("workbench")
    await until(lambda: session.tools.state == "read", "tools list")
    await until(lambda: user.sees("workbench_tabs"), "the pages")


async def choose_tool(user: User, label: str) -> None:
    """Bring the tools to the front and click one."""
    await user.opens_tab("Tools")
    await user.chooses_row("tool_view", label)
    await until(lambda: user.reads("tool_title") == label, f"the tool {label}")
    await form_is_made(user)


async def form_is_made(user: User) -> None:
    """Wait until no more rows are being made."""
    panel = await user.finds(QWidget, "call_panel")
    paces = panel.findChildren(TimeSlicer)
    await until(lambda: all(pace.is_idle() for pace in paces), "the form")


async def fill(user: User, fields: Mapping[str, str]) -> None:
    """Fill in fields of the form by their JSON pointers."""
    panel = await user.finds(QWidget, "call_panel")
    for pointer, text in fields.items():
        name = f"field:{pointer}"
        box = await user.finds(QWidget, name, panel)
        if isinstance(box, QComboBox):
            await user.picks(name, text, panel)
        elif (button := spot(QAbstractButton, text, box)) is not None:
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        else:
            await user.types(name, text, panel)


async def start_call(user: User, act: Act) -> ToolCall:
    """Choose a tool, fill in its form, and press *Call*."""
    await choose_tool(user, act.tool)
    await fill(user, act.fields)
    calls = shown(user).tools.history.operations
    before = len(calls)
    await user.clicks("call_button")
    await until(lambda: len(calls) > before, "the call")
    return calls[-1]


async def call(user: User, act: Act) -> ToolCall:
    """Call and wait until it is over, is said to be, and its answer is shown."""
    made = await start_call(user, act)
    await until(lambda: made.is_finished, f"the answer of {act.tool}")
    await until(lambda: outcome(user) not in RUNNING, "the outcome")
    panel = await user.finds(CallResultPanel, "call_result")
    await until(lambda: panel.is_rendered, "the answer on the screen")
    return made


def outcome(user: User) -> str:
    """How the displayed call went."""
    line = spot(OutcomeLine, "call_outcome", user.window)
    return line.text() if line is not None else ""


async def disconnect(user: User) -> None:
    """Press *Disconnect* and wait until it is said."""
    await user.clicks("disconnect_button")
    await user.reads_soon("header_state", "Disconnected")
