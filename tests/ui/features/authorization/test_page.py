"""The page *Authorization* over a protected server: what is shown of a flow, and running it a step at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from inspector.auth.settings import Waiver
from inspector.auth.state import Stage
from inspector.workspace import Workspace
from tests.support.protected import Protected
from tests.support.wait import wait_signal, wait_until
from tests.ui.qt_actions import cells, click, find, press, reads, requested_frames, sees
from ui.features.authorization.content import AuthorizationContent
from ui.features.authorization.ladder_rows import RowStatus
from ui.features.authorization.step_transcripts import StepTranscripts
from ui.navigator import navigator_of
from ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from pytestqt.qtbot import QtBot

    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import JsonObject
    from ui.features.authorization.ladder_rows import LadderRow
    from ui.features.authorization.page import AuthorizationPage
    from ui.theme import Theme

    Shown = Callable[..., AbstractAsyncContextManager[OpenSession]]

SLASH: JsonObject = {"issuer": "http://127.0.0.1/"}


def row(page: AuthorizationPage, stage: Stage) -> LadderRow:
    return next(each for each in page.content.ladder.rows.rows if each.stage is stage)


def selected(page: AuthorizationPage) -> Stage | None:
    current = page.content.ladder.current_row()
    return current.stage if current is not None else None


def statuses(page: AuthorizationPage) -> list[RowStatus]:
    return [each.status for each in page.content.ladder.rows.rows]


async def paused(page: AuthorizationPage) -> None:
    await wait_until(lambda: not page.content.runner.is_running)


async def test_a_connection_fills_the_ladder_and_the_tokens(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours."""
    async with Protected() as server, shown(server):
        await wait_until(lambda: row(page, Stage.CALL).step is not None)

        assert RowStatus.FAILED not in statuses(page)
        assert row(page, Stage.CALL).status is RowStatus.DONE
        assert page.badge() == ""
        assert page.missing() == ""
        assert "client-1" in cells(page.content.tokens.table)[0][1]
        access = next(iter(server.valid))
        assert access not in reads(page)


async def test_a_failed_step_is_selected_and_says_why(
    page: AuthorizationPage, shown: Shown
) -> None:
    """C-AUT-07; ours."""
    async with Protected(metadata=SLASH) as server, shown(server):
        await wait_until(lambda: page.content.runner.failed_step is not None)

        assert selected(page) is Stage.SERVER
        assert page.badge() == "1"
        assert sees(page, "authorization_notice")
        assert server.issuer in reads(page, "authorization_expected")
        assert reads(page, "authorization_received") == "http://127.0.0.1/"
        assert reads(page, "authorization_hint")
        assert sees(page, "authorization_accept")
        assert "L-AUT-06" not in reads(page, "authorization_checks")  # a sentence, not an id alone
        assert "failed" in row(page, Stage.SERVER).accessible_text


async def test_what_the_user_selected_stays_selected_when_a_step_fails(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours."""
    async with Protected(metadata=SLASH) as server, shown(server, connects=False) as opened:
        await wait_until(lambda: page.content.ladder.rows.rowCount() > 0)
        page.content.ladder.select_row(0)

        with pytest.raises(Exception, match="issuer"):
            await opened.connect()

        await wait_until(lambda: page.content.runner.failed_step is not None)
        assert page.content.ladder.currentIndex().row() == 0


async def test_a_rule_is_waived_for_this_server_and_the_flow_goes_on(
    page: AuthorizationPage, shown: Shown
) -> None:
    """C-AUT-24; ours."""
    waived: list[object] = []
    page.waiver_accepted.connect(waived.append)
    async with (
        Protected(metadata={"code_challenge_methods_supported": []}) as server,
        shown(server),
    ):
        await wait_until(lambda: page.content.runner.failed_step is not None)
        asked = len(server.stub.asked)

        click(page, "authorization_accept")
        await wait_signal(navigator_of(page).reconnect_requested)

        assert waived == [Waiver.PKCE]
        assert page.content.runner.has_tokens
        assert server.count("GET /.well-known/oauth-protected-resource/mcp") == 1
        assert len(server.stub.asked) > asked


async def test_steps_are_done_one_at_a_time_and_selecting_one_runs_nothing(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours."""
    async with Protected() as server, shown(server):
        await wait_until(lambda: page.content.runner.has_tokens)
        click(page, "authorization_step")  # a flow that is done begins again
        await paused(page)

        assert [step.stage for step in page.content.runner.steps] == [Stage.CHALLENGE]
        assert selected(page) is Stage.RESOURCE
        assert row(page, Stage.RESOURCE).status is RowStatus.NEXT
        assert "GET" in find(page, TextView, "authorization_request").text()
        asked = len(server.stub.asked)
        page.content.ladder.select_row(0)
        assert len(server.stub.asked) == asked

        click(page, "authorization_step")
        await paused(page)
        assert [step.stage for step in page.content.runner.steps] == [
            Stage.CHALLENGE,
            Stage.RESOURCE,
        ]
        assert len(server.stub.asked) == asked + 1


async def test_a_flow_is_run_to_a_step_that_is_not_sent_yet(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours."""
    async with Protected() as server, shown(server):
        await wait_until(lambda: page.content.runner.has_tokens)
        click(page, "authorization_step")
        await paused(page)
        tokens = server.count("POST /token")

        click(page, "authorization_run_to")
        await paused(page)

        assert row(page, Stage.TOKEN).status is RowStatus.NEXT
        assert server.count("POST /token") == tokens


async def test_a_wrong_verifier_is_sent_when_the_user_edits_it(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours: what an authorization server should notice can be tried."""
    async with Protected() as server, shown(server):
        await wait_until(lambda: page.content.runner.has_tokens)
        page.content.again_from(row(page, Stage.TOKEN).number)
        await wait_until(lambda: page.content.detail.exchange.is_editing)
        editor = page.content.detail.exchange.editor
        before = server.forms()[-1]
        assert before["code_verifier"] not in editor.toPlainText()

        lines = editor.toPlainText().split("\n")
        kept = [each for each in lines if not each.startswith(("resource=", "code_verifier="))]
        editor.setPlainText("\n".join([*kept, "code_verifier=wrong"]))

        assert reads(page, "authorization_run") == "Run from here with 2 changes"
        click(page, "authorization_run")
        await wait_until(lambda: page.content.runner.has_tokens)
        form = server.forms()[-1]
        assert form["code_verifier"] == "wrong"
        assert "resource" not in form
        assert form["code"] == before["code"]


async def test_an_edit_is_taken_back_and_a_text_that_is_no_request_is_not_sent(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours."""
    async with Protected() as server, shown(server):
        await wait_until(lambda: page.content.runner.has_tokens)
        page.content.again_from(row(page, Stage.TOKEN).number)
        await wait_until(lambda: page.content.detail.exchange.is_editing)

        page.content.detail.exchange.editor.setPlainText("nonsense")
        assert sees(page, "authorization_edit_error")
        assert not page.content.bar.run_button.isEnabled()

        click(page, "authorization_reset")
        assert not sees(page, "authorization_editor")
        assert reads(page, "authorization_run") == "Run from here"
        assert page.content.bar.run_button.isEnabled()


async def test_rows_are_walked_with_the_keyboard_and_each_says_what_is_painted(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours; WCAG 2.1.1 and 4.1.2."""
    async with Protected() as server, shown(server):
        await wait_until(lambda: row(page, Stage.CALL).step is not None)
        assert page.focus_first()
        press(page.content.ladder, Qt.Key.Key_Home)
        seen: list[str] = []
        for _ in range(page.content.ladder.rows.rowCount()):
            index = page.content.ladder.currentIndex()
            seen.append(str(index.data(Qt.ItemDataRole.AccessibleTextRole)))
            current = page.content.ladder.current_row()
            assert current is not None
            assert reads(page, "authorization_step_title").endswith(current.title)
            press(page.content.ladder, Qt.Key.Key_Down)

        assert len(set(seen)) == page.content.ladder.rows.rowCount()
        assert all(
            each.status.value in text
            for each, text in zip(page.content.ladder.rows.rows, seen, strict=True)
        )


async def test_a_report_for_the_author_holds_the_problem_and_no_secret(
    page: AuthorizationPage, shown: Shown
) -> None:
    """C-SEC-14."""
    told: JsonObject = {"error": "invalid_grant", "error_description": "No code is “the-code”"}
    async with Protected(token=told) as server, shown(server):
        await wait_until(lambda: page.content.runner.failed_step is not None)
        click(page, "authorization_report")
        report = QGuiApplication.clipboard().text()

        form = server.forms()[-1]
        assert "invalid_grant" in report
        assert "grant_type=authorization_code" in report
        assert form["code_verifier"] not in report
        assert "the-code" not in report


async def test_secrets_of_an_exchange_are_shown_on_demand(
    page: AuthorizationPage, shown: Shown
) -> None:
    """C-SEC-14; ours."""
    async with Protected() as server, shown(server):
        await wait_until(lambda: page.content.runner.has_tokens)
        page.content.ladder.select_row(row(page, Stage.TOKEN).number - 1)
        access = next(iter(server.valid))
        response = find(page, TextView, "authorization_response")
        assert access not in response.text()

        click(page, "authorization_reveal")
        assert access in response.text()
        click(page, "authorization_reveal")
        assert access not in response.text()


async def test_the_frames_of_a_step_are_shown_in_the_traffic(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours."""
    async with Protected() as server, shown(server):
        await wait_until(lambda: page.content.runner.has_tokens)
        page.content.ladder.select_row(row(page, Stage.TOKEN).number - 1)
        frames = requested_frames(navigator_of(page))

        click(page, "authorization_traffic")

        step = row(page, Stage.TOKEN).step
        assert step is not None
        assert frames == [step.frame]


async def test_a_token_that_the_server_rejects_is_the_last_step(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours: logging in went well, and yet nothing works. The tab says it before anybody looks at the page."""
    page.hide()
    async with Protected(refuses_all=True) as server, shown(server):
        await wait_until(lambda: page.badge() == "1")
        assert page.findChild(AuthorizationContent) is None
        page.show()

        assert row(page, Stage.CALL).status is RowStatus.FAILED
        assert row(page, Stage.CALL).label == "401"
        assert reads(page, "authorization_problem")


async def test_a_server_that_lets_everybody_in_says_so(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours; what it would show of an authorization takes no memory."""
    edits: list[None] = []
    page.edit_requested.connect(lambda: edits.append(None))
    async with Protected(is_open=True) as server, shown(server, Workspace(None)):
        assert sees(page, "authorization_empty")
        assert page.missing()
        assert page.findChild(AuthorizationContent) is None
        click(page, "authorization_empty_action")
        assert len(edits) == 1


async def test_the_detail_stands_under_the_ladder_where_there_is_no_room(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours."""
    content = AuthorizationContent(StepTranscripts(), theme=theme)
    qtbot.addWidget(content)
    content.show()
    content.resize(1200, 600)
    assert content.panes.splitter.orientation() is Qt.Orientation.Horizontal
    content.resize(700, 600)
    assert content.panes.splitter.orientation() is Qt.Orientation.Vertical


async def test_a_status_that_is_not_401_is_named_and_the_flow_can_be_run_all_the_same(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours: clients start authorization at 401 only."""
    async with Protected(hides_behind=403) as server, shown(server):
        await wait_until(lambda: "HTTP 403" in reads(page, "authorization_status"))

        click(page, "authorization_run")
        await wait_signal(navigator_of(page).reconnect_requested)

        assert page.content.runner.has_tokens
        assert row(page, Stage.RESOURCE).status is RowStatus.DONE


async def test_frames_of_a_step_that_an_earlier_run_recorded_are_shown_there(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours: a flow outlives the run that it began in."""
    async with Protected() as server:
        workspace = server.workspace()
        async with shown(server, workspace) as first:
            await wait_until(lambda: page.content.runner.has_tokens)
            await workspace.end(first)
            second = workspace.open(first.profile)
            page.set_session(second)
            page.content.ladder.select_row(row(page, Stage.TOKEN).number - 1)
            wanted: list[tuple[object, int]] = []

            def take(number: int, transcript: object) -> None:
                wanted.append((transcript, number))

            navigator_of(page).frame_requested.connect(take)

            click(page, "authorization_traffic")

            step = row(page, Stage.TOKEN).step
            assert step is not None
            assert wanted == [(first.session.transcript, step.frame)]
