"""The whole program by keyboard alone: no step needs a mouse, and at each the focus is on the screen."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QAccessible, QGuiApplication

from tests.e2e import work
from tests.e2e.keyboard import Keyboard
from tests.e2e.listener import Listener
from tests.e2e.peers import DEMO
from tests.e2e.waits import until
from tests.support.spoken import Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.e2e.user import User

pytestmark = pytest.mark.timeout(180, method="thread")


@pytest.fixture(params=["in silence", "read out"])
def listener(request: pytest.FixtureRequest) -> Iterator[Listener]:
    """What is read out of each part that gets the focus, with and without a screen reader."""
    before = QAccessible.isActive()
    QAccessible.setActive(before or request.param == "read out")
    yield Listener()
    QAccessible.setActive(before)


async def test_a_session_from_the_first_paste_to_its_recording(
    user: User, listener: Listener
) -> None:
    """Ours; WCAG 2.2, 2.1.1 Keyboard, 2.4.3 Focus Order, 2.4.7 Focus Visible, 4.1.2 Name, Role, Value."""
    keys = Keyboard(user, listener.hear)
    await connect(keys)
    await listener.hears(user.window, "onnected")
    await call_with_a_nested_form(keys)
    await listener.hears(user.window, "ok")
    city = listener.has_heard("field:/address/city")
    assert (city.name, city.description) in {
        ("address, city", "required"),
        ("address, city", "string"),
    }
    await read_the_result(keys)
    await answer_a_sampling_request(keys, listener)
    await filter_the_traffic(keys)
    await open_the_recording(keys)
    await listener.hears(user.window, "read-only")
    assert not listener.faults, "\n".join(dict.fromkeys(listener.faults))
    assert (
        listener.roles("paste_text", "answer_text", "traffic_filter_line")
        == [Role.EditableText] * 3
    )
    assert listener.roles("save_server", "sampling_later", "traffic_table") == [
        Role.Button,
        Role.Button,
        Role.Table,
    ]


async def connect(keys: Keyboard) -> None:
    """Type a command line into the dialog for a new server, go on to its button."""
    user = keys.user
    await keys.presses("Ctrl+N")
    await keys.is_at("paste_text")
    await keys.types(" ".join(DEMO.argv_alone()))
    editor = await user.finds_window("server_editor")
    await until(lambda: user.reads("paste_outcome", editor).startswith("Detected"), "the server")
    await keys.tabs_to("save_and_connect")
    await keys.presses("Space")
    await until(lambda: user.app.controller.session is not None, "the session")
    await work.is_ready(user)
    await keys.is_at("main_window")


async def choose(keys: Keyboard, text: str) -> None:
    """Take the first match of the palette."""
    await keys.presses("Ctrl+K")
    await keys.is_at("palette_field")
    await keys.types(text)
    await keys.presses("Return")
    await keys.is_at("main_window")


async def call_with_a_nested_form(keys: Keyboard) -> None:
    """Fill in an object in an object, add an entry to a list, and send."""
    user = keys.user
    await choose(keys, "form_lists tool")
    await work.form_is_made(user)
    await keys.is_at("row:/address")
    await keys.tabs_to("field:/address/city")
    await keys.types("Oslo")
    await keys.tabs_to("put")  # the object inside is optional
    await keys.presses("Space")
    await keys.tabs_to("field:/address/location/latitude")
    await keys.types("59.9")
    await keys.tabs_to("field:/address/location/longitude")
    await keys.types("10.7")
    await keys.tabs_to("add:/tags")
    await keys.presses("Space")
    await keys.is_at("row:/tags/0")
    await keys.types("north")
    await keys.presses("Ctrl+Return")
    calls = work.shown(user).tools.history.operations
    await until(lambda: calls and calls[-1].is_finished, "the call")
    arguments = json.loads(calls[-1].arguments or "")
    assert arguments["address"]["location"] == {"latitude": 59.9, "longitude": 10.7}
    assert arguments["tags"] == ["north"]


async def read_the_result(keys: Keyboard) -> None:
    """Go to the text of the result and copy it."""
    await until(lambda: work.outcome(keys.user) == "ok", "the outcome")
    await keys.tabs_to("text_edit")
    await keys.presses("Ctrl+A")
    await keys.presses("Ctrl+C")
    assert "Oslo" in QGuiApplication.clipboard().text()


async def answer_a_sampling_request(keys: Keyboard, listener: Listener) -> None:
    """Call what asks, open the request by its keys, write a response and send it."""
    user = keys.user
    await choose(keys, "ask_sampling tool")
    await work.form_is_made(user)
    await keys.is_at("call_panel")
    await keys.presses("Ctrl+Return")
    await until(lambda: user.app.workspace.inbox.pending, "the request")
    before = keys.focus
    await listener.hears(user.window, "1 request")
    await keys.presses("Ctrl+Shift+R")
    await keys.is_at("answer_text")
    await listener.hears(await user.finds_window("sheet_sampling"), "Describe a telescope")
    await keys.types("A long tube")
    await keys.tabs_to("sampling_send")
    await keys.presses("Space")
    await until(lambda: not user.app.workspace.inbox.pending, "the response")
    calls = work.shown(user).tools.history.operations
    await until(lambda: calls[-1].is_finished, "the call")
    await user.reads_soon("call_content", "A long tube")
    await keys.is_at("main_window")
    assert keys.focus is before


async def filter_the_traffic(keys: Keyboard) -> None:
    """Filter, go down to the rows, and read a frame."""
    user = keys.user
    await keys.presses("Ctrl+L")
    await keys.is_at("traffic_filter_line")
    await keys.types("method:tools/call dir:in")
    await until(lambda: len(user.reads_rows("traffic_table")) == 2, "two responses")
    await keys.presses("Down")
    await keys.is_at("traffic_table")
    await keys.presses("Home")
    await keys.presses("Down")
    response = work.shown(user).tools.history.operations[-1].response_frame
    await until(lambda: user.window.parts.traffic.detail.number() == response, "the frame")
    assert user.sees("traffic_detail")


async def open_the_recording(keys: Keyboard) -> None:
    """Disconnect, and open what was recorded through the dialog for files."""
    user = keys.user
    path = user.transcript.path
    assert path is not None
    await keys.presses("Ctrl+Shift+D")
    await until(lambda: not user.app.controller.is_live, "the end")
    await keys.presses("Ctrl+O")
    await keys.is_at("record_dialog")
    await keys.types(str(path))
    await keys.presses("Return")
    await user.reads_soon("header_state", "read-only")
    await keys.is_at("main_window")
