"""What is set for one request on the three pages that ask for something, and what is said of it before it is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect
from PySide6.QtWidgets import (
    QAbstractButton,
    QDoubleSpinBox,
    QPlainTextEdit,
    QSpinBox,
    QWidget,
)

from inspector.spec.revision import NEWEST
from tests.support.answering import AnsweringServer, silence
from tests.support.modern import always, complete, discovered, meta_of, modern, said
from tests.support.opened import make_session, opened
from tests.support.wait import wait_until
from tests.ui.counted import Counted
from tests.ui.features.conftest import on_screen
from tests.ui.qt_actions import click, find, reads, sees
from ui.features.prompts.page import PromptsPage
from ui.features.resources.page import ResourcesPage
from ui.features.tools.page import ToolsPage
from ui.list_layout import MIN_FORM
from ui.request.row import RequestRow
from ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json, JsonObject
    from ui.theme import Theme

OWN = "io.modelcontextprotocol/protocolVersion"
CACHED: JsonObject = {"ttlMs": 0, "cacheScope": "private"}
RESULTS: dict[str, Json] = {
    "tools/list": complete(tools=[{"name": "a", "inputSchema": {"type": "object"}}], **CACHED),
    "prompts/list": complete(prompts=[{"name": "a"}], **CACHED),
    "resources/list": complete(resources=[{"name": "a", "uri": "a:1"}], **CACHED),
    "resources/templates/list": complete(resourceTemplates=[], **CACHED),
    "tools/call": said(),
    "prompts/get": complete(messages=[]),
    "resources/read": complete(contents=[], **CACHED),
}
OFFERS = discovered(capabilities={"tools": {}, "prompts": {}, "resources": {}})
ASKING = [
    (ToolsPage, "call", "tools/call"),
    (PromptsPage, "get", "prompts/get"),
    (ResourcesPage, "read", "resources/read"),
]

AskingPage = ToolsPage | PromptsPage | ResourcesPage


async def chosen(page: AskingPage) -> None:
    """Wait for the list, and choose the only thing in it."""
    await wait_until(lambda: page.list.model.rowCount() > 0)
    page.choose(0)


def made(page: AskingPage, qtbot: QtBot) -> AskingPage:
    return on_screen(page, qtbot)


@pytest.mark.parametrize(("kind", "name", "method"), ASKING)
async def test_what_takes_the_place_of_ours_is_said_before_it_is_sent(
    qtbot: QtBot, theme: Theme, kind: type[AskingPage], name: str, method: str
) -> None:
    """modern-11-meta-required, C-MET-08: which key, and what would have been there; and it is sent."""
    page = made(kind(theme=theme), qtbot)
    async with modern(always(RESULTS), discover=OFFERS) as (server, session):
        page.set_session(session)
        await chosen(page)
        assert not sees(page, f"{name}_replaced")
        click(page, "limits_button")
        text = find(page, QPlainTextEdit, f"{name}_meta_text")
        text.setPlainText(f'{{"traceparent": "00-1", "{OWN}": "1999-01-01"}}')
        assert reads(page, f"{name}_problem") == "with 2 _meta members overridden"
        told = f'⚠ {OWN} overridden: "1999-01-01" instead of "{NEWEST.date}"'
        assert reads(page, f"{name}_replaced") == told
        click(page, "limits_button")
        assert reads(page, f"{name}_replaced") == told  # also while the options are folded

        click(page, f"{name}_button")
        await wait_until(lambda: server.of(method))
        meta = meta_of(server.of(method)[0])
        assert (meta["traceparent"], meta[OWN]) == ("00-1", "1999-01-01")
        page.set_session(None)


@pytest.mark.parametrize(("kind", "name", "method"), ASKING)
async def test_what_cannot_be_sent_is_not_and_that_is_said(
    qtbot: QtBot, theme: Theme, kind: type[AskingPage], name: str, method: str
) -> None:
    """Ours: `_meta` is an object."""
    page = made(kind(theme=theme), qtbot)
    async with modern(always(RESULTS), discover=OFFERS) as (server, session):
        page.set_session(session)
        await chosen(page)
        click(page, "limits_button")
        text = find(page, QPlainTextEdit, f"{name}_meta_text")
        text.setPlainText("[1]")
        click(page, f"{name}_button")
        assert "_meta must be a JSON object" in reads(page, f"{name}_problem")
        assert server.of(method) == []

        text.setPlainText("")
        assert reads(page, f"{name}_problem") == ""
        page.set_session(None)


@pytest.mark.parametrize(("kind", "name", "method"), ASKING)
async def test_the_time_limit_and_the_rounds_can_be_changed(
    qtbot: QtBot, theme: Theme, kind: type[AskingPage], name: str, method: str
) -> None:
    """C-MRTR-09; ours: what a user sets for a request holds for it."""
    page = made(kind(theme=theme), qtbot)
    answers = {**always(RESULTS), method: silence}
    async with modern(answers, discover=OFFERS) as (_, session):
        page.set_session(session)
        await chosen(page)
        click(page, "limits_button")
        find(page, QSpinBox, "most_rounds").setValue(3)
        assert session.session.max_rounds == 3
        find(page, QDoubleSpinBox, "limit_total").setValue(0.1)
        click(page, f"{name}_button")
        await wait_until(lambda: "timed out" in reads(page).lower())
        page.set_session(None)


async def test_what_is_set_stays_with_its_server(qtbot: QtBot, theme: Theme) -> None:
    """Ours: another server is not sent it, and a new session with the same one still is."""
    page = made(PromptsPage(theme=theme), qtbot)
    assert isinstance(page, PromptsPage)
    text = find(page, QPlainTextEdit, "get_meta_text")
    idle = find(page, QDoubleSpinBox, "limit_idle")
    one, two = AnsweringServer(), AnsweringServer()
    async with opened(one) as first:
        other = make_session(two, id_="two")
        page.set_session(first)
        text.setPlainText('{"a": 1}')
        idle.setValue(7)
        page.set_session(other)
        assert text.toPlainText() == ""
        assert idle.value() == 5
        page.set_session(None)
        await other.aclose()
    async with opened(one) as again:
        page.set_session(again)
        assert text.toPlainText() == '{"a": 1}'
        assert page.panel.row.options.timeouts().idle_seconds == 7
        page.set_session(None)


async def test_limits_that_nobody_changes_are_those_of_the_server_to_the_last_digit(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: a field with one decimal must not round them."""
    page = made(ResourcesPage(theme=theme), qtbot)
    assert isinstance(page, ResourcesPage)
    async with opened(AnsweringServer(), timeout=0.123) as session:
        page.set_session(session)
        assert page.panel.row.options.timeouts() == session.session.timeouts
        page.set_session(None)


def settle() -> None:
    for _ in range(5):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)


def layouts(row: RequestRow) -> int:
    """How often parts of a row are laid out again without any change."""
    counts = [Counted(each, QEvent.Type.LayoutRequest) for each in row.findChildren(QWidget)]
    settle()
    return sum(each.count for each in counts)


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_everything_is_on_one_line_in_the_narrowest_form(
    qtbot: QtBot, qapp: QApplication, theme: Theme, scale: float
) -> None:
    """Ours: at every text size; the problem gives way, no button is cut, a call that ends moves nothing, and the layout comes to rest."""
    theme.apply(qapp, "light", scale)
    row = RequestRow("Call", theme=theme, name="call", cancel="cancel_button")
    qtbot.addWidget(row)
    row.resize(theme.px(MIN_FORM), theme.px(60))
    row.show()
    parts = [find(row, QWidget, name) for name in ("call_button", "call_problem", "limits_button")]
    lefts: list[list[int]] = []
    for running, text, short in ((True, "word " * 20, ""), (False, "1,234 problems", "1,234")):
        row.show_state(
            connected=True, running=running, anyway=True, text=text, short=short, action="Show"
        )
        settle()
        assert layouts(row) == 0
        line = find(row, ElidedLabel, "call_problem")
        assert line.is_elided() is not bool(short)  # a number is never cut
        assert (line.whole_text(), line.accessibleName()) == (text, text)
        middles = [part.mapTo(row, part.rect().center()).y() for part in parts]
        assert max(middles) - min(middles) <= 1
        buttons = [button for button in row.findChildren(QAbstractButton) if button.isVisible()]
        assert [
            button.objectName()
            for button in buttons
            if button.width() < button.minimumSizeHint().width()
        ] == []
        assert all(
            row.rect().contains(QRect(button.mapTo(row, QPoint()), button.size()))
            for button in buttons
        )
        around = line.parentWidget()
        assert around is not None
        in_row = (parts[0], around, parts[2])
        lefts.append([part.mapTo(row, QPoint()).x() for part in in_row])
    assert lefts[0] == lefts[1]
