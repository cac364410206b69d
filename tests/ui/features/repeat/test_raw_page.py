"""Any text as a frame, and what comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from inspector.wire.frame import Direction
from inspector.wire.json_codec import compact
from tests.support.answering import AnsweringServer, silence, tool
from tests.support.modern import modern
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, double_click, find, press, reads, requested_frames, sees
from ui.navigator import navigator_of

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import JsonObject
    from ui.features.repeat.method_box import MethodBox
    from ui.features.repeat.raw_page import RawPage
    from ui.theme import Theme

WORDS = "raw_answer_outcome_words"
"""What came of the frame that was sent."""

NARROW = 420
"""Pixels of the response in a window of 1024."""

PING = '{"jsonrpc":"2.0","id":"raw-1","method":"ping"}'


def plain() -> AnsweringServer:
    return AnsweringServer(capabilities={})


def last_sent(session: OpenSession) -> bytes:
    transcript = session.session.transcript
    numbers = range(transcript.count, 0, -1)
    number = next(n for n in numbers if transcript.row(n).direction is Direction.SENT)
    return transcript.raw(number)


async def answered(page: RawPage) -> None:
    """Wait for the response."""
    await wait_until(lambda: reads(page, WORDS) in {"OK", "Error"})


def hint(page: RawPage) -> str:
    return reads(page, "raw_state")


@pytest.fixture
def edit(raw_page: RawPage) -> QPlainTextEdit:
    return find(raw_page, QPlainTextEdit, "raw_edit")


async def test_a_text_leaves_byte_for_byte_and_its_answer_is_shown(
    raw_page: RawPage, edit: QPlainTextEdit
) -> None:
    """Ours; raw is truth: no token, no other id, no white space changed."""
    async with shown(raw_page, plain()) as (_, session):
        text = '{ "id":"raw-1", "jsonrpc":"2.0","method":"ping"  }'
        edit.setPlainText(text)

        click(raw_page, "raw_send")

        await answered(raw_page)
        assert last_sent(session) == text.encode()
        assert "raw-1" in reads(raw_page, "raw_answer_tree")
        click(raw_page, "raw_answer_views_raw")
        assert '"id":"raw-1"' in reads(raw_page, "raw_answer_text")


async def test_what_is_selected_in_an_answer_stays_while_other_frames_come(
    raw_page: RawPage, edit: QPlainTextEdit
) -> None:
    """Ours: an answer that is shown is not shown anew."""
    server = plain()
    async with shown(raw_page, server) as (page, session):
        edit.setPlainText(PING)
        click(page, "raw_send")
        await answered(page)
        click(page, "raw_answer_views_raw")
        (text,) = page.answer.text.findChildren(QPlainTextEdit)
        text.selectAll()
        selected = text.textCursor().selectedText()

        count = session.session.transcript.count
        server.notify("notifications/message", {"level": "info", "data": "x"})
        page.answer.poll()
        assert session.session.transcript.count > count
        assert text.textCursor().selectedText() == selected != ""


async def test_what_a_server_says_of_a_text_it_cannot_read_is_shown(
    raw_page: RawPage, edit: QPlainTextEdit
) -> None:
    """Ours: such an error has no id, so that it answers nothing that was asked."""
    server = plain()
    async with shown(raw_page, server):
        edit.setPlainText('{"jsonrpc":"2.0","method":"notifications/x"}')
        click(raw_page, "raw_send")
        await wait_until(lambda: reads(raw_page, WORDS).startswith("Sent"))
        for text in ("Parse error", "Parse error again"):
            error: JsonObject = {"code": -32700, "message": text}
            server.send({"jsonrpc": "2.0", "id": None, "error": error})

        await wait_until(lambda: "2 unsolicited responses" in reads(raw_page, WORDS))
        below, line = (
            find(raw_page, QWidget, f"raw_answer_{part}") for part in ("views", "outcome")
        )
        for width, is_below in ((NARROW, True), (3 * NARROW, False)):
            raw_page.answer.setFixedWidth(width)
            await wait_until(lambda: (below.y() >= line.geometry().bottom()) == is_below)  # noqa: B023
            await wait_until(lambda: sees(raw_page, "raw_answer_outcome_response"))
        assert "-32700" in reads(raw_page, "raw_answer_tree")
        click(raw_page, "raw_answer_views_raw")
        assert "Parse error again" in reads(raw_page, "raw_answer_text")


async def test_an_answer_that_is_waited_for_is_said_to_be(raw_page: RawPage) -> None:
    """Ours: until the connection ends."""
    server = plain()
    server.answers["ping"] = silence
    async with shown(raw_page, server):
        click(raw_page, "raw_send")

        await wait_until(lambda: reads(raw_page, WORDS) == "Waiting for response")
        server.end()
        await wait_until(lambda: reads(raw_page, WORDS) == "No response")


async def test_what_is_no_request_is_sent_and_nothing_is_waited_for(
    raw_page: RawPage, edit: QPlainTextEdit
) -> None:
    """Ours; testing how a server takes broken input is a normal day's work."""
    server = plain()
    # It would read what it gets as JSON; a notification will do.
    async with shown(raw_page, server):
        edit.setPlainText('{"jsonrpc":"2.0","method":"notifications/x"}')

        click(raw_page, "raw_send")

        await wait_until(lambda: reads(raw_page, WORDS).startswith("Sent"))
        assert server.methods() == ["notifications/x"]


async def test_before_sending_the_text_is_judged_in_words(
    raw_page: RawPage, edit: QPlainTextEdit
) -> None:
    """Ours; C-STD-03: a newline ends a message."""
    async with shown(raw_page, plain()) as (_, session):
        assert hint(raw_page) == "Sends exactly the text above"

        edit.setPlainText('{"a":')
        assert hint(raw_page).startswith("Not JSON (")
        edit.setPlainText('{\n "a": "b c"\n}')
        assert "on one line" in hint(raw_page)

        click(raw_page, "raw_send")
        await wait_until(lambda: last_sent(session) == b'{"a":"b c"}')
        edit.setPlainText("{\n")
        assert "sent as several" in hint(raw_page)
        session.session.profile = replace(session.profile, transport="http")
        raw_page.refresh()
        assert "sent exactly as typed" in hint(raw_page)


async def test_control_enter_sends(raw_page: RawPage, edit: QPlainTextEdit) -> None:
    """Ours."""
    server = plain()
    async with shown(raw_page, server):
        await wait_until(raw_page.isActiveWindow)
        edit.setFocus()

        press(edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)

        await wait_until(lambda: server.methods() == ["ping"])
        assert edit.toPlainText() == PING


async def test_the_frame_is_one_click_away(raw_page: RawPage) -> None:
    """Ours: in a narrow panel as well."""
    raw_page.answer.setFixedWidth(NARROW)
    async with shown(raw_page, plain()) as (_, session):
        click(raw_page, "raw_send")
        await answered(raw_page)
        await wait_until(lambda: sees(raw_page, "raw_answer_outcome_request"))
        wanted = requested_frames(navigator_of(raw_page))

        click(raw_page, "raw_answer_outcome_request")

        assert len(wanted) == 1
        assert session.session.transcript.message(wanted[0]).id == "raw-1"


async def test_without_a_connection_there_is_nothing_to_send_to(raw_page: RawPage) -> None:
    """Ours; what was typed stays."""
    assert not raw_page.bar.send.isEnabled()
    assert hint(raw_page) == "Not connected"

    server = plain()
    async with shown(raw_page, server):
        assert raw_page.bar.send.isEnabled()
        raw_page.set_text("kept")
        server.end()
        await wait_until(lambda: not raw_page.bar.send.isEnabled())
        assert raw_page.edit.toPlainText() == "kept"
        assert "No response yet" in reads(raw_page, "raw_answer_empty")


async def test_the_answer_is_drawn_once_however_much_arrives_after_it(raw_page: RawPage) -> None:
    """Ours; nothing jumps while data arrives."""
    server = plain()
    async with shown(raw_page, server) as (_, session):
        click(raw_page, "raw_send")
        await answered(raw_page)
        resets: list[None] = []
        raw_page.answer.text.edit.textChanged.connect(lambda: resets.append(None))
        before = session.session.transcript.count

        for _ in range(20):
            server.notify("notifications/message", {"level": "info", "data": "x"})
        await wait_until(lambda: session.session.transcript.count >= before + 20)

        assert resets == []


async def test_the_example_fits_the_server_until_somebody_writes_another_text(
    raw_page: RawPage, edit: QPlainTextEdit
) -> None:
    """Ours: where there is no ping, the question what the server can do, with all that belongs into it."""
    async with shown(raw_page, plain()):
        assert edit.toPlainText() == PING

    async with modern() as (_, session):
        raw_page.set_session(session)
        assert '"method":"server/discover"' in edit.toPlainText()
        click(raw_page, "raw_send")
        await wait_until(lambda: reads(raw_page, WORDS) == "OK")
        raw_page.set_session(None)

    async with modern() as (_, other), shown(raw_page, plain()) as (page, session):
        edit.setPlainText("my own")
        page.set_session(other)
        assert '"method":"server/discover"' in compact(edit.toPlainText())
        page.set_session(session)
        assert edit.toPlainText() == "my own"


async def test_a_template_of_every_method_is_in_the_box_and_nothing_typed_is_lost(
    raw_page: RawPage, edit: QPlainTextEdit
) -> None:
    """Ours: with names that the server lists; broken frames are sent as they are."""
    server = AnsweringServer({"tools/list": lambda _: {"tools": [tool("first"), tool("second")]}})
    async with shown(raw_page, server) as (page, session):
        box = page.message.method
        await wait_until(lambda: box.findText("tools/call second") > 0)
        edit.setPlainText("typed")
        choose(box, "tools/call second")
        assert '"name":"second"' in compact(edit.toPlainText())
        assert box.currentText() == "tools/call"
        assert [row.text for row in page.work.sends.rows] == ["typed"]

        choose(box, "Not JSON")
        click(page, "raw_send")
        await wait_until(lambda: last_sent(session) == PING[:-1].encode())
        choose(box, "notifications/cancelled")
        click(page, "raw_send")
        await wait_until(lambda: b"notifications/cancelled" in last_sent(session))
        assert b'"id"' not in last_sent(session)


def choose(box: MethodBox, entry: str) -> None:
    """As a user does in the list of the box."""
    at = box.findText(entry)
    assert at >= 0
    box.setCurrentIndex(at)
    box.textActivated.emit(entry)


async def test_sends_of_one_method_are_compared_with_each_other(
    raw_page: RawPage, edit: QPlainTextEdit
) -> None:
    """Ours: there is no original message here."""
    async with shown(raw_page, plain()) as (page, _):
        for _turn in range(2):
            before = len(page.work.sends.rows)
            click(page, "raw_send")
            await wait_until(lambda count=before: len(page.work.sends.rows) > count)
            await wait_until(lambda: page.work.sends.rows[0].against is not None)
        await wait_until(lambda: page.work.sends.rows[0].against == "same as 1")
        assert page.work.sends.rows[0].changed == "ping"


async def test_a_double_click_sends_once(raw_page: RawPage, edit: QPlainTextEdit) -> None:
    """Ours: what was sent cannot be taken back."""
    async with shown(raw_page, plain()) as (_, session):
        edit.setPlainText(PING)

        double_click(raw_page, "raw_send")

        await answered(raw_page)
        transcript = session.session.transcript
        sent = [transcript.raw(n) for n in range(1, transcript.count + 1)]
        assert sent.count(PING.encode()) == 1


async def test_the_outcome_of_a_frame_looks_like_that_of_a_call(
    raw_page: RawPage, edit: QPlainTextEdit
) -> None:
    """Ours: time, size and the numbers of both frames follow the outcome, which is never cut."""
    async with shown(raw_page, plain()) as (_, session):
        edit.setPlainText(PING)
        click(raw_page, "raw_send")
        await answered(raw_page)
        assert reads(raw_page, "raw_answer_outcome_time").endswith("s")
        assert reads(raw_page, "raw_answer_outcome_size").endswith("B")
        last = session.session.transcript.count
        links = [reads(raw_page, f"raw_answer_outcome_{end}") for end in ("request", "response")]
        assert [link.lstrip("#") for link in links] == [str(last - 1), str(last)]


def test_the_method_has_the_font_of_the_zoom(
    raw_page: RawPage, theme: Theme, qapp: QApplication
) -> None:
    """Ours: the field in the box too, which keeps the font that it had before."""
    for scale in (2.0, 1.0):
        theme.apply(qapp, "light", scale)
        line = find(raw_page, QLineEdit, "raw_method_edit")
        assert line.font().pointSizeF() == theme.mono().pointSizeF()
