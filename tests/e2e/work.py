"""What a person does with a server, step by step as it is done by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QWidget

from inspector.session.session import SessionState
from tests.e2e.eyes import spot
from tests.e2e.patience import until
from ui.features.tools.call_result_panel import CallResultPanel
from ui.widgets.form.time_slicer import TimeSlicer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.features.tool_call import ToolCall
    from inspector.workspace import OpenSession
    from tests.e2e.peers import Act
    from tests.e2e.person import Person

RUNNING = {"", "sending", "running"}
"""What is said of a call that is not over."""


def shown(person: Person) -> OpenSession:
    """The session that is shown."""
    session = person.app.conductor.session
    assert session is not None
    return session


async def enter_server(person: Person, pasted: str) -> QWidget:
    """Open the dialog for a new server, paste, and wait until it was understood."""
    await person.clicks("add_server")
    editor = await person.finds_window("server_editor")
    await person.pastes("paste_text", pasted, editor)
    await until(
        lambda: person.reads("paste_outcome", editor).startswith("Detected"), "what was detected"
    )
    return editor


async def begin(
    person: Person,
    pasted: str,
    fields: Mapping[str, str] | None = None,
    *,
    chosen: Mapping[str, str] | None = None,
) -> None:
    """Paste, fill in `fields` and choose `chosen` by name, save and connect; return when the session is shown."""
    before = person.app.conductor.session
    editor = await enter_server(person, pasted)
    for name, text in (fields or {}).items():
        await person.types(name, text, editor)
    for name, message in (chosen or {}).items():
        await person.picks(name, message, editor)
    await person.clicks("save_and_connect", editor)
    conductor = person.app.conductor
    await until(lambda: conductor.session not in (None, before), "the new session")


async def connect(
    person: Person,
    pasted: str,
    fields: Mapping[str, str] | None = None,
    *,
    chosen: Mapping[str, str] | None = None,
) -> None:
    """Do that and wait until its tools are read."""
    await begin(person, pasted, fields, chosen=chosen)
    await is_ready(person)


async def is_ready(person: Person) -> None:
    """Wait until the shown session is connected and its tools are read."""
    session = shown(person)
    await until(
        lambda: session.session.state is not SessionState.CONNECTING, "the end of connecting", 15
    )
    assert session.session.state is SessionState.READY, person.reads("workbench")
    await until(lambda: session.tools.state == "read", "tools list")
    await until(lambda: person.sees("workbench_tabs"), "the pages")


async def choose_tool(person: Person, label: str) -> None:
    """Bring the tools to the front and click one."""
    await person.opens_tab("Tools")
    await person.chooses_row("tool_view", label)
    await until(lambda: person.reads("tool_title") == label, f"the tool {label}")
    await form_is_made(person)


async def form_is_made(person: Person) -> None:
    """Wait until no more rows are being made."""
    panel = await person.finds(QWidget, "call_panel")
    paces = panel.findChildren(TimeSlicer)
    await until(lambda: all(pace.is_idle() for pace in paces), "the form")


async def fill(person: Person, fields: Mapping[str, str]) -> None:
    """Fill in fields of the form by their JSON pointers."""
    panel = await person.finds(QWidget, "call_panel")
    for pointer, text in fields.items():
        name = f"field:{pointer}"
        box = await person.finds(QWidget, name, panel)
        if isinstance(box, QComboBox):
            await person.picks(name, text, panel)
        elif (button := spot(QAbstractButton, text, box)) is not None:
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        else:
            await person.types(name, text, panel)


async def start_call(person: Person, act: Act) -> ToolCall:
    """Choose a tool, fill in its form, and press *Call*."""
    await choose_tool(person, act.tool)
    await fill(person, act.fields)
    calls = shown(person).tools.calls
    before = len(calls)
    await person.clicks("call_button")
    await until(lambda: len(calls) > before, "the call")
    return calls[-1]


async def call(person: Person, act: Act) -> ToolCall:
    """Call and wait until it is over, is said to be, and its answer is shown."""
    made = await start_call(person, act)
    await until(lambda: made.is_over, f"the answer of {act.tool}")
    await until(lambda: outcome(person) not in RUNNING, "the outcome")
    panel = await person.finds(CallResultPanel, "result_panel")
    await until(lambda: panel.is_drawn, "the answer on the screen")
    return made


def outcome(person: Person) -> str:
    """How the shown call went."""
    label = spot(QLabel, "call_outcome_words", person.window)
    return label.text() if label is not None else ""


async def disconnect(person: Person) -> None:
    """Press *Disconnect* and wait until it is said."""
    await person.clicks("disconnect_button")
    await person.reads_soon("header_state", "disconnected")
