"""A message is sent again, as it was or edited, and the results are compared; ours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit

from inspector.compare.compared_frame import ComparedFrame
from inspector.export.formats import CLI, PYTHON, TYPESCRIPT
from inspector.features.repeat import MAX_EDITED
from inspector.wire.frame import Direction
from inspector.wire.json_codec import compact
from tests.support.answering import AnsweringServer, tool
from tests.support.opened import open_again, opened, shown
from tests.support.wait import wait_until
from tests.ui.features.conftest import on_screen
from tests.ui.qt_actions import click, find, reads, requested_comparisons, requested_frames, sees
from ui.features.repeat.page import RepeatPage
from ui.navigator import navigator_of

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inspector.json_value import Json, JsonObject
    from inspector.open_session import OpenSession
    from ui.theme import Theme


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> RepeatPage:
    return on_screen(RepeatPage(theme=theme), qtbot)


def orders() -> AnsweringServer:
    """A server that counts orders; one tool says that it reads, one that it destroys, one nothing."""

    def answer(params: JsonObject) -> Json:
        given = params["arguments"]
        assert isinstance(given, dict)
        return {"content": [], "structuredContent": {"total": int(str(given["limit"])) // 10}}

    tools: list[Json] = [
        tool("search", annotations={"readOnlyHint": True}),
        tool("purge", annotations={"destructiveHint": True}),
        tool("plain"),
    ]
    return AnsweringServer({"tools/list": lambda _: {"tools": tools}, "tools/call": answer})


async def called(session: OpenSession, name: str = "search") -> ComparedFrame:
    """The request of a call with a limit of 10."""
    item = next(each for each in session.tools.items if each.name == name)
    call = session.tools.call(item, '{"limit":10}')
    await call.wait()
    assert call.request_frame
    return ComparedFrame(session.session.transcript, call.request_frame)


def sent(session: OpenSession) -> list[str]:
    transcript = session.session.transcript
    numbers = range(1, transcript.count + 1)
    return [
        transcript.raw(number).decode()
        for number in numbers
        if transcript.row(number).direction is Direction.SENT
    ]


def rows(page: RepeatPage) -> list[tuple[str, str, str, str]]:
    """Number, change, status and comparison of the rows."""
    texts = [page.list.model.painted_row(at).texts for at in range(page.list.model.rowCount())]
    return [(each[0], each[2], each[3], each[6]) for each in texts]


def edit(page: RepeatPage, old: str, new: str) -> None:
    text = page.edit.message()
    assert old in text
    page.edit.replace(text.index(old), text.index(old) + len(old), new)


async def send(page: RepeatPage) -> None:
    """Send, and wait until the result is compared."""
    number = page.editing.next_number
    QTest.keyClick(page.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await wait_until(lambda: any(row[0] == str(number) and row[3] for row in rows(page)))


async def test_a_call_with_another_argument_is_sent_and_both_results_compared(
    page: RepeatPage,
) -> None:
    """Ours: what was changed and what differs is said, and the text leaves as it is seen."""
    async with shown(page, orders()) as (_, session):
        original = await called(session)
        page.repeat(original)
        assert reads(page, "repeat_changes") == f"Same as #{original.number}"
        assert '"id": "rep-1"' in page.edit.message()
        edit(page, '"limit": 10', '"limit": 50')
        assert reads(page, "repeat_changes") == f"1 change from #{original.number}: limit"
        assert rows(page) == [("draft", "limit: 50", "", "")]
        visible = page.edit.message()

        await send(page)

        assert sent(session)[-1] == compact(visible)
        assert rows(page) == [("1", "limit: 50", "OK", "1 changed: total")]
        assert reads(page, "repeat_answer_views_difference") == f"Difference to #{original.number}"
        click(page, "repeat_answer_views_difference")
        await wait_until(lambda: sees(page, "repeat_difference"))
        await wait_until(lambda: page.difference.rowCount() > 0)
        texts = [
            page.difference.cell(page.difference.index(at, 0)) for at in page.difference.starts()
        ]
        assert [each.line.text for each in texts if each and each.line] == ['"total": 1']


async def test_every_send_gets_a_new_id_that_is_seen_unless_it_is_to_stay(
    page: RepeatPage,
) -> None:
    """Ours: the id in the editor is the one that leaves."""
    async with shown(page, orders()) as (_, session):
        page.repeat(await called(session))
        await send(page)
        await send(page)
        find(page, QCheckBox, "repeat_new_id").click()
        await send(page)

        ids = [re.search(r'"id":("rep-\d")', text) for text in sent(session)[-3:]]
        assert [each[1] for each in ids if each] == ['"rep-1"', '"rep-2"', '"rep-2"']
        assert [row[3] for row in rows(page)][:2] == ["same as 2", "same as 1"]


async def test_a_row_brings_both_texts_back_and_nothing_typed_is_lost(page: RepeatPage) -> None:
    """Ours: an edit that was not sent stays as a draft."""
    async with shown(page, orders()) as (_, session):
        page.repeat(await called(session))
        await send(page)
        edit(page, '"limit": 10', '"limit": 70')
        draft = page.edit.message()
        page.list.table.selectRow(1)
        assert '"limit": 10' in page.edit.message()
        assert "rep-1" in reads(page, "repeat_answer_tree")
        edit(page, '"limit": 10', '"limit": 90')
        assert [row[0] for row in rows(page)] == ["draft", "draft", "1"]

        page.list.table.selectRow(1)

        assert page.edit.message() == draft
        assert reads(page, "repeat_changes").endswith("limit")


async def test_a_tool_that_is_not_read_only_is_said_and_a_destructive_one_asks_once(
    page: RepeatPage,
) -> None:
    """Ours: nothing leaves before the user agrees."""
    async with shown(page, orders()) as (_, session):
        page.repeat(await called(session))
        assert reads(page, "repeat_tool_hints") == "search is read-only"
        page.repeat(await called(session, "plain"))
        assert reads(page, "repeat_tool_hints") == "plain is not marked read-only"
        page.repeat(await called(session, "purge"))
        assert reads(page, "repeat_tool_hints") == "purge is destructive"
        before = len(sent(session))

        click(page, "repeat_send")
        assert sees(page, "repeat_question")
        click(page, "repeat_cancel")
        assert not sees(page, "repeat_question")
        click(page, "repeat_send")
        assert len(sent(session)) == before
        click(page, "repeat_agree")
        await wait_until(lambda: bool(rows(page)) and bool(rows(page)[0][3]))
        assert len(sent(session)) == before + 1
        await send(page)
        assert len(sent(session)) == before + 2


async def test_everything_stays_over_a_reconnect_and_is_sent_in_the_next_run(
    page: RepeatPage,
) -> None:
    """Ours: text, rows and the selected one; results are compared over runs."""
    server = orders()
    async with opened(server) as first:
        page.set_session(first)
        page.repeat(await called(first))
        await send(page)
        edit(page, '"limit": 10', '"limit": 30')
        text, before = page.edit.message(), rows(page)
        second = await open_again(first, server)
        page.set_session(second)
        try:
            assert page.edit.message() == text
            assert rows(page) == before
            await send(page)
            assert rows(page)[0] == ("2", "limit: 30", "OK", "1 changed: total")
        finally:
            page.set_session(None)
            await second.aclose()
    assert rows(page) == []
    assert sees(page, "repeat_empty")


async def test_text_that_is_no_message_leaves_as_it_is(page: RepeatPage) -> None:
    """Ours: also a no-break space, which Qt would turn into a space."""
    async with shown(page, orders()) as (_, session):
        page.repeat(await called(session))
        page.edit.setPlainText("{\u00a0broken 𝄞")
        click(page, "repeat_send")
        await wait_until(lambda: sent(session)[-1] == "{\u00a0broken 𝄞")
        assert reads(page, "repeat_changes").endswith(": text")


async def test_an_id_behind_characters_of_two_units_is_replaced(page: RepeatPage) -> None:
    """Ours."""
    async with shown(page, orders()) as (_, session):
        page.repeat(await called(session))
        page.edit.setPlainText('{"jsonrpc":"2.0","method":"𝄞𝄞","id":5}')
        find(page, QCheckBox, "repeat_new_id").click()
        click(page, "repeat_send")
        await wait_until(
            lambda: sent(session)[-1] == '{"jsonrpc":"2.0","method":"𝄞𝄞","id":"rep-1"}'
        )


async def test_the_original_is_one_click_away(page: RepeatPage) -> None:
    """Ours."""
    async with shown(page, orders()) as (_, session):
        original = await called(session)
        page.repeat(original)
        numbers = requested_frames(navigator_of(page))
        click(page, "repeat_original")
        assert numbers == [original.number]


async def test_nothing_is_sent_without_a_connection(page: RepeatPage) -> None:
    """Ours: the text stays, and why is said."""
    async with shown(page, orders()) as (_, session):
        page.repeat(await called(session))
        await session.aclose()
        await wait_until(lambda: reads(page, "repeat_state") == "Not connected")
        assert not page.bar.send.isEnabled()


async def test_another_text_size_is_no_edit(
    page: RepeatPage, theme: Theme, qapp: QApplication
) -> None:
    """Ours: Qt reports the change of fonts as a change of the text."""
    async with shown(page, orders()) as (_, session):
        page.repeat(await called(session))
        await send(page)
        theme.apply(qapp, "dark", 2.0)
        theme.apply(qapp, "light", 1.0)
        assert [row[0] for row in rows(page)] == ["1"]


async def test_what_was_typed_for_a_server_is_there_after_a_look_at_another(
    page: RepeatPage,
) -> None:
    """Ours: sends and drafts of each server, until the tab is closed."""
    async with opened(orders()) as other, shown(page, orders()) as (_, session):
        page.repeat(await called(session))
        await send(page)
        edit(page, '"limit": 10', '"limit": 30')
        text, before = page.edit.message(), rows(page)
        page.set_session(other)
        assert rows(page) == []
        assert sees(page, "repeat_empty")

        page.set_session(session)

        assert page.edit.message() == text
        assert rows(page) == before
        page.clear()
        page.set_session(other)
        page.set_session(session)
        assert rows(page) == []


async def test_a_message_that_is_too_long_to_edit_is_refused_and_said(page: RepeatPage) -> None:
    """Ours."""
    async with shown(page, orders()) as (_, session):
        number = await session.raw.send('{"method":"' + "x" * MAX_EDITED + '"}')
        page.repeat(ComparedFrame(session.session.transcript, number))
        assert sees(page, "repeat_empty")
        assert page.edit.message() == ""


async def test_a_send_is_compared_with_the_one_before_on_the_compare_page(page: RepeatPage) -> None:
    """Ours: offered while it is selected, and not for a draft."""
    async with shown(page, orders()) as (_, session):
        original = await called(session)
        page.repeat(original)
        await send(page)
        compared = requested_comparisons(navigator_of(page))
        assert reads(page, "repeat_compare") == f"Compare #{original.number} → 1"
        click(page, "repeat_compare")
        assert compared == [original, page.work.sends.rows[0].frame]
        edit(page, '"limit": 10', '"limit": 30')
        assert not sees(page, "repeat_compare")


async def test_the_method_is_changed_in_the_box_above_the_text(page: RepeatPage) -> None:
    """Ours: it offers those of the revision, takes any other, and follows the text."""
    async with shown(page, orders()) as (_, session):
        original = await called(session)
        page.repeat(original)
        box = page.message.method
        offered = [box.itemText(at) for at in range(box.count())]
        assert box.currentText() == "tools/call"
        assert {"tools/list", "ping", "notifications/cancelled"} <= {*offered}
        assert "server/discover" not in offered

        line = find(page, QLineEdit, "repeat_method_edit")
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, "odd/method")
        QTest.keyClick(line, Qt.Key.Key_Return)

        assert '"method": "odd/method"' in page.edit.message()
        assert reads(page, "repeat_changes") == f"1 change from #{original.number}: method"
        page.edit.undo()
        assert box.currentText() == "tools/call"


async def test_the_envelope_of_the_revision_is_removed_and_added_again(page: RepeatPage) -> None:
    """Ours: what is checked is what the text has, and the user can undo it."""
    async with shown(page, orders()) as (_, session):
        page.repeat(await called(session))
        envelope = find(page, QCheckBox, "repeat_envelope")
        assert envelope.accessibleName() == "Envelope and _meta of 2025-11-25"
        assert envelope.isChecked()
        text = page.edit.message()

        envelope.click()
        assert "jsonrpc" not in page.edit.message()
        assert rows(page)[0][0] == "draft"
        envelope.click()

        assert page.edit.message() == text
        edit(page, '"jsonrpc": "2.0"', '"jsonrpc": "1.0"')
        assert not envelope.isChecked()


async def test_the_edited_message_is_copied_in_other_formats(page: RepeatPage) -> None:
    """Ours: what is in the editor, not what was sent; formats of requests only for requests."""
    async with shown(page, orders()) as (_, session):
        page.repeat(await called(session))
        edit(page, '"limit": 10', '"limit": 50')
        assert page.copying.formats() == [CLI, PYTHON, TYPESCRIPT]
        page.message.copy_requested.emit(CLI)
        assert '{"limit":50}' in QApplication.clipboard().text()
        assert reads(page, "repeat_state") == "Copied as spyglass-cli"
        page.edit.setPlainText("{broken")
        assert page.copying.formats() == []


async def test_the_progress_token_is_renewed_with_the_id(page: RepeatPage) -> None:
    """Ours; C-PRG-02: a token is unique across the requests that are active."""
    async with shown(page, orders()) as (_, session):
        page.repeat(await called(session))
        page.edit.setPlainText(
            '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":"p-1"}}}'
        )
        new_id = find(page, QCheckBox, "repeat_new_id")
        assert not new_id.isChecked()
        new_id.click()
        click(page, "repeat_send")
        await wait_until(lambda: '"progressToken":"rep-1"' in sent(session)[-1])
        assert '"id":"rep-1"' in sent(session)[-1]


async def test_an_id_that_was_typed_is_sent(page: RepeatPage) -> None:
    """Ours: and the check mark for new ids says so."""
    async with shown(page, orders()) as (_, session):
        page.repeat(await called(session))
        edit(page, '"rep-1"', '"mine"')
        assert not find(page, QCheckBox, "repeat_new_id").isChecked()
        click(page, "repeat_send")
        await wait_until(lambda: '"id":"mine"' in sent(session)[-1])


async def test_json_in_lines_can_be_sent_in_lines(page: RepeatPage) -> None:
    """Ours: what a server does with line breaks is worth a try."""
    async with shown(page, orders()) as (_, session):
        page.repeat(await called(session))
        text = page.edit.message()
        assert "on one line" in reads(page, "repeat_state")
        find(page, QCheckBox, "repeat_join").click()
        assert "sent as several" in reads(page, "repeat_state")
        click(page, "repeat_send")
        await wait_until(lambda: sent(session)[-1] == text)
        page.edit.setPlainText('{"a":1}')
        assert not sees(page, "repeat_join")
