"""What a user sees of the cases about the stateless era, over HTTP and the real engine: the pages, and the traffic beside them."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtWidgets import QCheckBox, QPlainTextEdit, QPushButton

from inspector.clock import SystemClock
from inspector.session import notification_stream
from inspector.spec.revision import NEWEST
from tests.support.corpus_stateless import Play, plays
from tests.support.findings import validate_all
from tests.support.http_stub import HttpStub, answer, stream
from tests.support.modern import (
    always,
    complete,
    listing,
    meta_of,
    modern,
    offering,
    opened_at,
    params_of,
    said,
)
from tests.support.sheets import Table
from tests.support.wait import wait_until
from tests.ui.features.prompts import user as prompts_user
from tests.ui.features.tools.user import (
    badges,
    call,
    click_tool,
    listed,
    outcome,
    problem,
    start,
    tip,
    title,
    view,
)
from tests.ui.qt_actions import click, find, reads, sees
from ui.models.timeline import timeline_of
from ui.models.traffic_columns import position
from ui.traffic.frame_details import Tab
from ui.traffic.panel import TrafficPanel
from ui.widgets.key_values import KeyValues

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from pytestqt.qtbot import QtBot

    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import JsonObject
    from tests.support.http_stub import Rule
    from ui.features.overview.page import OverviewPage
    from ui.features.prompts.page import PromptsPage
    from ui.features.resources.page import ResourcesPage
    from ui.features.tools.page import ToolsPage
    from ui.page import Page
    from ui.theme import Theme

CALL = "POST tools/call"


def play_of(name: str) -> pytest.MarkDecorator:
    """The test takes each play of a case as `play`."""
    return pytest.mark.parametrize("play", plays(name), ids=str)


def entries(play: Play, key: str) -> list[JsonObject]:
    return cast("list[JsonObject]", play.given[key])


@asynccontextmanager
async def shown(
    page: Page, rules: Mapping[str, Rule]
) -> AsyncGenerator[tuple[HttpStub, OpenSession]]:
    """The page over a session with a stub that plays the rules."""
    async with HttpStub(rules, otherwise=offering) as stub, opened_at(stub) as session:
        page.set_session(session)
        yield stub, session
        page.set_session(None)


class Traffic:
    """The traffic of a session, as it is shown."""

    def __init__(self, session: OpenSession, qtbot: QtBot, theme: Theme) -> None:
        self._session = session
        self.panel = TrafficPanel(theme=theme, clock=SystemClock())
        qtbot.addWidget(self.panel)
        self.panel.resize(1200, 500)
        self.panel.show()
        self.panel.set_timeline(timeline_of(session.session.transcript))

    def is_marked(self, text: str) -> bool:
        """Whether the first row whose frame has that text in it shows a problem, in the color of its status or behind it."""
        painted = self.panel.model.painted_row(self._select(text))
        return bool(painted.note) or painted.tones[position("status")] in {"warning", "error"}

    def row(self, text: str) -> dict[int, str]:
        """What the first row says whose frame has that text in it, once it is selected."""
        row, model = self._select(text), self.panel.model
        columns = range(model.columnCount())
        return {column: str(model.index(row, column).data() or "") for column in columns}

    def _select(self, text: str) -> int:
        transcript = self._session.session.transcript
        frames = range(1, transcript.count + 1)
        number = next(n for n in frames if text.encode() in transcript.raw(n))
        self.panel.select_frame(number)
        row = self.panel.model.visible_frames.row_of(number)
        assert row is not None
        return row

    def problems(self, text: str) -> str:
        """What is said to be wrong with that frame."""
        self._select(text)
        validate_all(self._session.sweep)
        self.panel.detail.show_tab(Tab.PROBLEMS)
        return reads(self.panel.detail.problems)


def foretold(page: ToolsPage) -> dict[str, str]:
    """The headers that are announced beside the form."""
    return {fact.name: fact.value for fact in find(page, KeyValues, "call_header_facts").facts()}


def with_prefix(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): v for name, v in headers.items() if name.lower().startswith("mcp-param")}


@play_of("modern-01-xheader-mirror")
async def test_the_form_says_which_fields_go_into_headers(
    tools_page: ToolsPage, play: Play
) -> None:
    """modern-01-xheader-mirror: before the call, each with its value as it will be sent; and so it is."""
    wanted = {k.lower(): v for k, v in cast("dict[str, str]", play.expect["sendsHeaders"]).items()}
    arguments = json.dumps(play.given["args"], ensure_ascii=False)
    async with shown(tools_page, {"POST tools/list": listing(play.given["tool"])}) as (
        stub,
        session,
    ):
        await listed(tools_page, 1)
        click_tool(tools_page, "route")
        tools_page.call_panel.set_arguments(arguments)

        await wait_until(lambda: with_prefix(foretold(tools_page)) == wanted)
        assert foretold(tools_page)["Mcp-Name"] == "route"
        assert foretold(tools_page)["Mcp-Method"] == "tools/call"
        await call(tools_page, session)
        (asked,) = stub.said(CALL)
        assert with_prefix(asked.headers) == wanted
        assert params_of(asked.message)["arguments"] == play.given["args"]


@play_of("modern-02-xheader-invalid-tools")
async def test_excluded_tools_stand_in_the_list_each_with_its_reason(
    tools_page: ToolsPage, play: Play
) -> None:
    """modern-02-xheader-invalid-tools: two are usable, ten are listed as excluded and not called as if nothing were."""
    names = [str(tool["name"]) for tool in entries(play, "tools")]
    async with shown(tools_page, {"POST tools/list": listing(*entries(play, "tools"))}) as (
        stub,
        session,
    ):
        await listed(tools_page, len(names))
        excluded = {n for row, n in enumerate(names) if "excluded" in badges(tools_page, row)}
        assert set(names) - excluded == {"good", "nested_ok"}
        for row, name in enumerate(names):
            click_tool(tools_page, name)
            button = find(tools_page, QPushButton, "call_button").text()
            if name in excluded:
                assert "x-mcp-header" in tip(tools_page, row)
                assert problem(tools_page).startswith("Excluded: `x-mcp-header` ")
                assert button == "Call anyway"
            else:
                assert button == "Call"
                assert not problem(tools_page).startswith("excluded")
        click_tool(tools_page, "nested_ok")
        await call(tools_page, session)
        assert outcome(tools_page) == "ok"
        assert [params_of(asked.message)["name"] for asked in stub.said(CALL)] == ["nested_ok"]


@play_of("modern-02-xheader-invalid-tools")
async def test_nothing_is_excluded_where_there_are_no_headers(
    tools_page: ToolsPage, play: Play
) -> None:
    """modern-02-xheader-invalid-tools: over stdio all twelve are usable."""
    listed_ = complete(tools=[*entries(play, "tools")], ttlMs=0, cacheScope="private")
    answers = always({"tools/list": listed_, "tools/call": said()})
    async with modern(answers) as (_, session):
        tools_page.set_session(session)
        await listed(tools_page, 12)
        assert all("excluded" not in badges(tools_page, row) for row in range(12))
        click_tool(tools_page, "dupe")
        assert find(tools_page, QPushButton, "call_button").text() == "Call"
        await call(tools_page, session)
        assert outcome(tools_page) == "ok"
        tools_page.set_session(None)


@pytest.mark.parametrize("play", plays("modern-04-name-header-encoding")[:1], ids=str)
async def test_the_name_of_a_tool_is_shown_as_it_is_and_travels_in_base64(
    tools_page: ToolsPage, play: Play
) -> None:
    """modern-04-name-header-encoding, a tool: in the header alone; the screen and the body say the name itself."""
    name = str(play.given["name"])
    tool: JsonObject = {"name": name, "inputSchema": {"type": "object"}}
    async with shown(tools_page, {"POST tools/list": listing(tool)}) as (stub, session):
        await listed(tools_page, 1)
        click_tool(tools_page, name)
        await call(tools_page, session)
        assert title(tools_page) == name
        assert stub.said(CALL)[0].headers["mcp-name"] == play.expect["sendsMcpName"]
        assert params_of(stub.said(CALL)[0].message)["name"] == name


@pytest.mark.parametrize("play", plays("modern-04-name-header-encoding")[1:3], ids=str)
async def test_an_address_travels_in_a_header_and_as_it_is(
    resources_page: ResourcesPage, play: Play
) -> None:
    """modern-04-name-header-encoding, addresses."""
    async with shown(resources_page, {}) as (stub, _):
        resources_page.read_uri(str(play.given["uri"]))
        await wait_until(lambda: stub.said("POST resources/read"))
        (asked,) = stub.said("POST resources/read")
        assert asked.headers["mcp-name"] == play.expect["sendsMcpName"]
        assert params_of(asked.message) == {"uri": play.given["uri"]}
        await wait_until(lambda: "no contents" in reads(resources_page, "read_answer"))


@pytest.mark.parametrize("play", plays("modern-04-name-header-encoding")[3:], ids=str)
async def test_a_name_with_a_space_before_it_is_got_by_that_name(
    prompts_page: PromptsPage, play: Play
) -> None:
    """modern-04-name-header-encoding, a prompt."""
    name = str(play.given["name"])
    prompts = complete(prompts=[{"name": name}], ttlMs=0, cacheScope="private")
    async with shown(prompts_page, {"POST prompts/list": answer({"result": prompts})}) as (
        stub,
        session,
    ):
        await prompts_user.listed(prompts_page, 1)
        prompts_user.click_prompt(prompts_page, prompts_user.rows(prompts_page)[0])
        await prompts_user.get(prompts_page, session)
        (asked,) = stub.said("POST prompts/get")
        assert asked.headers["mcp-name"] == play.expect["sendsMcpName"]
        assert params_of(asked.message) == {"name": name}


OF_RESULT_TYPE = (
    ("ok", "`resultType` is missing; treated as complete"),
    ("ok", ""),
    ("the result has an undefined type 'partial'", "undefined `resultType` 'partial'"),
    ("the result has an undefined type 5", "undefined `resultType` 5"),
)
"""For each variant what the page says, and what the problems of the frame say."""


@play_of("modern-06-result-type")
async def test_only_a_complete_result_is_shown_as_a_success(
    tools_page: ToolsPage, qtbot: QtBot, theme: Theme, play: Play
) -> None:
    """modern-06-result-type: an unknown kind is called so, with the answer as it came; the finding stands in the traffic."""
    text, found = OF_RESULT_TYPE[play.number - 1]
    result = play.given["result"]
    async with shown(tools_page, {CALL: answer({"result": result})}) as (_, session):
        await listed(tools_page, 1)
        click_tool(tools_page, "a")
        made = await call(tools_page, session)

        assert (outcome(tools_page) == "ok") is (play.number < 3)
        assert text.casefold() in reads(tools_page, "call_result").casefold()
        raw = await view(tools_page, "raw")
        assert json.dumps(result) in raw
        traffic = Traffic(session, qtbot, theme)
        problems = traffic.problems(json.dumps(result))
        assert found in problems
        assert traffic.is_marked(json.dumps(result)) is bool(found)
        assert made.is_finished


@play_of("modern-07-mrtr-state-exact")
async def test_two_rounds_stand_under_one_call(
    tools_page: ToolsPage, qtbot: QtBot, theme: Theme, play: Play
) -> None:
    """modern-07-mrtr-state-exact: the user answers on a sheet; one call, a new id, the same arguments."""
    first = answer({"result": play.given["reply1"]})
    async with shown(tools_page, {CALL: [first, None]}) as (stub, session):
        table = Table(session.inbox, theme)
        qtbot.addWidget(table.window)
        await listed(tools_page, 1)
        click_tool(tools_page, "a")
        tools_page.call_panel.set_arguments('{"q":1.0}')
        made = await start(tools_page, session)
        await wait_until(lambda: session.inbox.pending)
        await wait_until(lambda: outcome(tools_page).startswith("Waiting for you"))
        sheet = table.form(session.inbox.pending[0])
        assert "m" in reads(sheet, "elicitation_text")
        sheet.form.set_text('{"n":"v"}')
        sheet.accept_button.click()
        await wait_until(lambda: outcome(tools_page).startswith("ok · input requested once"))
        await table.is_cleared()

        one, two = stub.said(CALL)
        wanted = cast("JsonObject", cast("JsonObject", play.expect["sendsPartial"])["params"])
        assert {key: params_of(two.message)[key] for key in wanted} == wanted
        assert b'"arguments":{"q":1.0}' in one.body
        assert b'"arguments":{"q":1.0}' in two.body
        assert one.message["id"] != two.message["id"]
        assert [each.request_frame for each in session.tools.history.operations] == [
            made.request_frame
        ]
        traffic = Traffic(session, qtbot, theme)
        traffic.row('"inputResponses"')
        traffic.panel.detail.show_tab(Tab.TIMING)
        facts = {f.name: f.value for f in traffic.panel.detail.timing.facts.facts()}
        assert facts["Rounds"] == "2; input requested once"


@play_of("modern-09-no-session-no-get")
async def test_a_session_id_is_told_to_be_ignored_and_a_lost_call_can_be_made_again(
    tools_page: ToolsPage, qtbot: QtBot, theme: Theme, play: Play
) -> None:
    """modern-09-no-session-no-get: nothing is resumed."""
    pieces = [str(piece["text"]) for piece in entries(play, "sse")]
    headers = cast("dict[str, str]", play.given["replyHeaders"])
    lost = stream(*pieces, **{name.replace("-", "_"): v for name, v in headers.items()})
    async with shown(tools_page, {CALL: [lost, None]}) as (stub, session):
        await listed(tools_page, 1)
        click_tool(tools_page, "a")
        await call(tools_page, session)
        assert outcome(tools_page).startswith("no response")
        assert "ended without a response" in reads(tools_page, "call_result")
        about = Traffic(session, qtbot, theme).row("session-ignored")[position("summary")]
        assert "session id ignored: this revision has no HTTP sessions" in about

        await call(tools_page, session)
        assert outcome(tools_page) == "ok"
        assert {asked.verb for asked in stub.asked} == {"POST"}


@play_of("modern-11-meta-required")
async def test_metadata_set_by_hand_is_warned_of_before_and_after(
    tools_page: ToolsPage, qtbot: QtBot, theme: Theme, play: Play
) -> None:
    """modern-11-meta-required: in the place of what the protocol asks for, it is sent, and said."""
    own = "io.modelcontextprotocol/protocolVersion"
    assert "without warning" in str(play.expect["mustNot"])
    async with shown(tools_page, {}) as (stub, session):
        await listed(tools_page, 1)
        click_tool(tools_page, "a")
        click(tools_page, "limits_button")
        find(tools_page, QPlainTextEdit, "call_meta_text").setPlainText(f'{{"{own}":"1999-01-01"}}')
        assert problem(tools_page) == "with 1 _meta member overridden"
        await call(tools_page, session)

        assert meta_of(stub.said(CALL)[0].message)[own] == "1999-01-01"
        about = Traffic(session, qtbot, theme).row("meta-by-hand")[position("summary")]
        assert own in about
        others = [asked for asked in stub.asked if asked.rpc != "tools/call"]
        assert {str(meta_of(asked.message)[own]) for asked in others} == {NEWEST.date}


@play_of("modern-12-subscriptions-stream")
async def test_a_stream_that_died_says_so_and_when_it_is_opened_again(
    overview_page: OverviewPage,
    qtbot: QtBot,
    theme: Theme,
    play: Play,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """modern-12-subscriptions-stream: what does not belong there is flagged in the traffic."""
    monkeypatch.setattr(notification_stream, "FIRST_PAUSE_SECONDS", 30.0)
    pieces: list[str | float] = []
    for piece in entries(play, "listen"):
        text = (
            f"data: {json.dumps(piece['json'])}\n\n" if "json" in piece else piece.get("text", "")
        )
        pieces.append(str(text).replace('"{{id}}"', "{{id}}"))
    rules = {"POST subscriptions/listen": stream(*pieces, 0.05)}
    async with shown(overview_page, rules) as (stub, session):
        await wait_until(lambda: sees(overview_page, "listen_open"))
        find(overview_page, QCheckBox, "listen_tools").setChecked(True)
        click(overview_page, "listen_open")
        await wait_until(lambda: "reopening in 30 s" in reads(overview_page, "streams"))

        assert reads(overview_page, "stream_state_words").startswith("Lost")
        assert "ended without a response" in reads(overview_page, "stream_words")
        assert len(stub.said("POST subscriptions/listen")) == 1
        traffic = Traffic(session, qtbot, theme)
        assert 'unknown subscription "other"' in traffic.problems('"other"')
        assert "progress token" in traffic.problems('"progressToken"')
        assert traffic.is_marked('"other"')
