"""The sheets that ask the user, over the real engine."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from inspector.features.elicitation import UNDER_WAY
from inspector.inbox import InboxItemStatus
from tests.support.asked import asker
from tests.support.modern import rounds_asker
from tests.support.sheets import Table, case, member
from tests.support.wait import wait_until
from tests.ui.qt_actions import reads
from ui.widgets.inner_scroll import InnerScroll

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.asked import Asker
    from ui.theme import Theme

METHOD = "elicitation/create"
Asks: TypeAlias = "Callable[..., AbstractAsyncContextManager[Asker]]"
ERAS = pytest.mark.parametrize("asks", [asker, rounds_asker], ids=["request", "result"])
"""The server asks by a request of its own, or through its results where it has no handshake."""
CASES = Path(__file__).with_name("cases")
VISIT: JsonObject = {
    "mode": "url",
    "message": "Please go there",
    "url": "https://good.test@xn--pple-43d.test/x?y=1",
    "elicitationId": "e1",
}


@ERAS
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("elicit-01-enum-five-forms", None),
        ("elicit-02-boolean-widget", '{"ok":true,"must":false}'),
        ("elicit-05-accept-content", None),
    ],
)
async def test_a_form_sends_what_the_case_expects(
    qtbot: QtBot, theme: Theme, name: str, text: str | None, asks: Asks
) -> None:
    """elicit-01, elicit-02, elicit-05; C-ELI-10: defaults are filled in, titles and empty texts are not sent."""
    given = case(CASES, name)
    expect = member(given, "expect")
    assert isinstance(expect, dict)
    wanted = expect["sends"] if "sends" in expect else member(expect, "variants", 0, "sends")
    async with asks() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, member(given, "input", "elicit"))
        sheet = table.form(await asking.waits())
        if text is not None:
            sheet.form.set_text(text)
        sheet.accept_button.click()

        assert (await asking.answer_to(1))["result"] == wanted
        await table.is_cleared()


def _focus_in(widget: QWidget) -> QWidget | None:
    focused = QApplication.focusWidget()
    return focused if focused is not None and widget.isAncestorOf(focused) else None


@pytest.mark.parametrize("count", [1, 60], ids=["made at once", "made in several turns"])
async def test_a_form_begins_in_its_first_field(count: int, qtbot: QtBot, theme: Theme) -> None:
    """Ours: what is typed first goes where it is asked for; the name of the field is in sight."""
    names = ["a", *(f"b{number}" for number in range(1, count))]
    schema: JsonObject = {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
    }
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, {"message": "m", "requestedSchema": schema})
        sheet = table.form(await asking.waits())
        await wait_until(sheet.isActiveWindow)
        await wait_until(lambda: _focus_in(sheet.form) is not None)

        focused = _focus_in(sheet.form)
        assert focused is not None
        (area,) = sheet.form.findChildren(InnerScroll)
        assert area.verticalScrollBar().value() == 0
        QTest.keyClicks(focused, "b")
        assert sheet.form.text() == '{"a":"b"}'
        sheet.accept_button.click()
        await table.is_cleared()


@ERAS
async def test_an_empty_schema_is_accepted_with_empty_content(
    qtbot: QtBot, theme: Theme, asks: Asks
) -> None:
    """elicit-05: content is never left out."""
    params: JsonObject = {"message": "m", "requestedSchema": {"type": "object", "properties": {}}}
    async with asks() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, params)
        table.form(await asking.waits()).accept_button.click()

        assert (await asking.answer_to(1))["result"] == {"action": "accept", "content": {}}
        await table.is_cleared()


@ERAS
async def test_declining_and_closing_send_no_content(
    qtbot: QtBot, theme: Theme, asks: Asks
) -> None:
    """elicit-04; C-ELI-05, C-ELI-07, C-ELI-12: whatever was typed, and valid or not."""
    given = case(CASES, "elicit-04-decline-cancel")
    async with asks() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        for number, end in ((0, "decline"), (1, "close")):
            asking.ask(number, METHOD, member(given, "input", "elicit"))
            sheet = table.form(await asking.waits())
            sheet.form.set_text('{"n": "abc"}')
            sheet.decline_button.click() if end == "decline" else sheet.close()
            wanted = member(given, "expect", "variants", number, "sends")
            assert (await asking.answer_to(number))["result"] == wanted
        await table.is_cleared()


@ERAS
async def test_the_sheet_goes_with_its_server_and_sends_nothing(
    qtbot: QtBot, theme: Theme, asks: Asks
) -> None:
    """elicit-04."""
    given = case(CASES, "elicit-04-decline-cancel")
    async with asks() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, member(given, "input", "elicit"))
        ask = await asking.waits()
        table.form(ask)
        asking.server.end()
        await table.is_cleared()

        assert asking.answers(1) == []
        assert asking.inbox.status(ask) is InboxItemStatus.WITHDRAWN


@pytest.mark.parametrize("by_button", [False, True])
async def test_escape_leaves_the_form_waiting_as_it_is(
    qtbot: QtBot, theme: Theme, *, by_button: bool
) -> None:
    """Ours: Esc never loses input."""
    given = case(CASES, "elicit-04-decline-cancel")
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, member(given, "input", "elicit"))
        ask = await asking.waits()
        sheet = table.form(ask)
        sheet.form.set_text('{"n":5}')
        assert sheet.cancel_button.text() == "Cancel request"  # it does not merely close
        sheet.later_button.click() if by_button else QTest.keyClick(sheet, Qt.Key.Key_Escape)

        assert not sheet.isVisible()
        assert table.form(ask).form.text() == '{"n":5}'
        sheet.cancel_button.click()
        assert (await asking.answer_to(1))["result"] == {"action": "cancel"}
        await table.is_cleared()


@ERAS
@pytest.mark.parametrize(("written", "value"), [("uri", "x"), ("email", "nobody")])
async def test_what_does_not_look_like_its_format_is_sent_only_when_asked_again(
    qtbot: QtBot, theme: Theme, asks: Asks, written: str, value: str
) -> None:
    """C-ELI-11: formats are part of the schemas that elicitation is restricted to."""
    properties: Json = {"f": {"type": "string", "format": written}}
    schema: Json = {"type": "object", "properties": properties}
    async with asks() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, {"message": "m", "requestedSchema": schema})
        sheet = table.form(await asking.waits())
        sheet.form.set_text(f'{{"f":"{value}"}}')

        sheet.accept_button.click()
        assert sheet.accept_button.text() == "Accept anyway"
        assert not asking.answers(1)
        sheet.accept_button.click()

        assert (await asking.answer_to(1))["result"] == {
            "action": "accept",
            "content": {"f": value},
        }
        await table.is_cleared()


@ERAS
async def test_what_does_not_fit_is_pointed_out_and_sent_when_asked_again(
    qtbot: QtBot, theme: Theme, asks: Asks
) -> None:
    """C-ELI-05, C-ELI-08, C-ELI-11: validated before sending; breaking the schema on purpose stays possible."""
    given = case(CASES, "elicit-04-decline-cancel")
    async with asks() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, member(given, "input", "elicit"))
        sheet = table.form(await asking.waits())
        sheet.form.set_text('{"n": 1.50}')
        sheet.accept_button.click()
        assert sheet.accept_button.text() == "Accept anyway"
        assert "/n" in reads(sheet, "elicitation_trouble")
        assert asking.answers(1) == []
        sheet.form.set_text('{"n": 5}')
        assert sheet.accept_button.text() == "Accept"
        sheet.form.set_text('{"n": 1.50}')
        sheet.accept_button.click()
        sheet.accept_button.click()
        await asking.answer_to(1)

        assert b'"content":{"n":1.50}' in asking.server.raws[-1]
        await table.is_cleared()


def _schemas() -> list[Json]:
    given = member(case(CASES, "elicit-07-unsupported-schema"), "input")
    also = member(given, "alsoVariants")
    assert isinstance(also, list)
    return [member(given, "elicit", "requestedSchema")] + [
        member(each, "requestedSchema") for each in also
    ]


@ERAS
@pytest.mark.parametrize("schema", _schemas())
async def test_an_unsupported_schema_is_told_and_answered_as_json(
    qtbot: QtBot, theme: Theme, schema: Json, asks: Asks
) -> None:
    """elicit-07: nobody declines for the user."""
    async with asks() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, {"message": "m", "requestedSchema": schema})
        sheet = table.form(await asking.waits())

        assert "⚠" in reads(sheet, "elicitation_findings")
        sheet.form.set_text('{"o":{"x":"1"}}')
        sheet.accept_button.click()
        if not asking.answers(1) and sheet.accept_button.text() == "Accept anyway":
            sheet.accept_button.click()
        wanted = {"action": "accept", "content": {"o": {"x": "1"}}}
        assert (await asking.answer_to(1))["result"] == wanted
        await table.is_cleared()


@ERAS
async def test_three_questions_are_answered_in_any_order(
    qtbot: QtBot, theme: Theme, asks: Asks
) -> None:
    """elicit-08: three sheets at once, none answers by itself."""
    params: JsonObject = {"message": "m", "requestedSchema": {"type": "object", "properties": {}}}
    async with asks() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        for number in (1, 2, 3):
            asking.ask(number, METHOD, params)
        await asking.waits(3)
        sheets = [table.form(ask) for ask in asking.inbox.pending]
        assert all(sheet.isVisible() for sheet in sheets)
        for number in (2, 1, 3):
            assert asking.answers(number) == []
            sheets[number - 1].decline_button.click()
            await asking.answer_to(number)
        await table.is_cleared()


@ERAS
async def test_a_hostile_message_is_plain_text_in_the_servers_frame(
    qtbot: QtBot, theme: Theme, asks: Asks
) -> None:
    """elicit-10, C-ELI-06, C-ELI-21: markup is not rendered, direction marks are seen."""
    given = member(case(CASES, "elicit-10-hostile-message"), "input")
    elicit = member(given, "elicit")
    assert isinstance(elicit, dict)
    async with asks(name="evil <b>server</b>") as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, {**elicit, "message": member(given, "message")})
        sheet = table.form(await asking.waits())

        said = reads(sheet, "elicitation_text")
        assert said.startswith("</dialog><b>Inspector:</b>")
        assert "⟨U+202E⟩" in said
        assert "evil <b>server</b>" in reads(sheet, "elicitation_says")
        assert "L-ELI-01" in reads(sheet, "elicitation_findings")
        sheet.decline_button.click()
        await table.is_cleared()


async def test_a_page_is_shown_whole_and_opened_by_the_person_alone(
    qtbot: QtBot, theme: Theme
) -> None:
    """C-ELI-09, C-ELI-16, C-ELI-17, C-ELI-19, C-ELI-20."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, VISIT)
        ask = await asking.waits()
        sheet = table.visit(ask)

        assert table.opened == []
        assert reads(sheet, "visit_host") == "xn--pple-43d.test"
        assert sheet.page.address.text() == VISIT["url"]
        cautions = reads(sheet, "visit_cautions")
        assert "user name" in cautions
        assert "imitate" in cautions
        sheet.accept_button.click()
        assert (await asking.answer_to(1))["result"] == {"action": "accept"}
        assert table.opened == [VISIT["url"]]
        assert asking.inbox.note(ask) == UNDER_WAY
        await table.is_cleared()


async def test_a_page_can_be_agreed_to_copied_or_declined_without_opening_it(
    qtbot: QtBot, theme: Theme
) -> None:
    """C-ELI-16."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, VISIT)
        table.visit(await asking.waits()).agree_button.click()
        assert (await asking.answer_to(1))["result"] == {"action": "accept"}
        asking.ask(2, METHOD, VISIT)
        sheet = table.visit(await asking.waits())
        sheet.page.findChild(type(sheet.decline_button), "visit_copy").click()  # type: ignore[union-attr]
        assert QGuiApplication.clipboard().text() == VISIT["url"]
        sheet.decline_button.click()

        assert (await asking.answer_to(2))["result"] == {"action": "decline"}
        assert table.opened == []
        await table.is_cleared()


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///etc/passwd", "", "https://"])
async def test_what_is_no_web_address_is_not_opened(qtbot: QtBot, theme: Theme, url: str) -> None:
    """C-ELI-20."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, {**VISIT, "url": url})
        sheet = table.visit(await asking.waits())

        assert not sheet.accept_button.isEnabled()
        sheet.cancel_button.click()
        assert (await asking.answer_to(1))["result"] == {"action": "cancel"}
        await table.is_cleared()


async def test_a_request_that_the_server_withdraws_takes_its_sheet_along(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, VISIT)
        table.visit(await asking.waits())
        asking.server.notify("notifications/cancelled", {"requestId": 1})
        await table.is_cleared()
        await wait_until(lambda: not asking.inbox.pending)
        await asyncio.sleep(0)

        assert asking.answers(1) == []
