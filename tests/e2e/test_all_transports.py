"""Everything that official servers have, by hand in the window, over every transport that they speak; ours, but for the ids named."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from inspector.session.transport_factory import transport_kind
from inspector.wire.frame import Direction
from tests.e2e import answers, offers, pages, work
from tests.e2e.era_hosts import DUAL_HOSTS, ERA_HOSTS
from tests.e2e.hosts import CUTTING, HOSTS, SDK2, Host, up
from tests.e2e.pages import times
from tests.e2e.waits import until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from tests.e2e.user import User

pytestmark = pytest.mark.timeout(180, method="thread")

STATEFUL = "2025-11-25"

ROOT = "file:///srv/project"


ALL = {**HOSTS, **ERA_HOSTS}


@pytest.fixture(params=ALL)
def host(request: pytest.FixtureRequest) -> Host:
    return ALL[request.param]


@pytest.fixture
async def address(
    host: Host, request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncGenerator[str]:
    async with up(host, request, tmp_path) as pasted:
        yield pasted


async def connect(user: User, host: Host, pasted: str) -> None:
    """Paste where the server is, choose the revision, connect."""
    await work.connect(user, pasted, chosen={"revision": host.revision})
    era = " · stateless" if host.is_stateless else ""
    badge = transport_kind(host.transport).badge
    await user.reads_soon("header_state", f"Connected · {badge} · {host.found}{era} · run 1")


async def test_everything_that_a_server_has_can_be_used_by_hand(
    user: User, host: Host, address: str
) -> None:
    """Ours, and the ids of each step: all in one session, since starting a window and a server costs more than a step."""
    await connect(user, host, address)

    await pages.see_overview(user, host)
    await pages.see_results(user, host)
    await see_what_is_offered(user, host)
    await pages.watch(user, host)
    await answer_what_is_asked(user, host)
    await see_logs(user, host)
    await run_a_task(user, host)
    await give_up_a_call(user, host)
    await pages.send_raw(user)
    await leave_and_begin_again(user, host)


async def see_what_is_offered(user: User, host: Host) -> None:
    """C-RES-01, C-PRM-01, C-CMP-01: every resource, template and prompt, with what the server suggests."""
    await offers.read_all(user, host)
    await offers.get_all(user, host)


async def answer_what_is_asked(user: User, host: Host) -> None:
    """C-ELI-08, C-ELI-09, C-MRTR-10, C-ROOT-04: an answer for a model, a form, a page; and roots, again after they changed."""
    await answers.answer(user, host.asks_model, "sampling", "sampling_send")
    await answers.answer(user, host.asks_form, "elicitation", "elicitation_accept")
    await answers.answer(user, host.asks_page, "elicitation", "elicitation_agree")
    if host.asks_twice is not None:
        await answers.answer_twice(user, host.asks_twice)
    asked = times(user, "roots/list", Direction.RECEIVED)
    await answers.add_root(user, ROOT)
    told = times(user, "notifications/roots/list_changed", Direction.SENT)
    assert (told == 0) == host.is_stateless
    if host.follows_roots:
        await until(lambda: has_taken_roots(user), "the server to have asked again")
    await answers.tell_roots(user, host.tells_roots, ROOT)
    assert (times(user, "roots/list", Direction.RECEIVED) == asked) == host.is_stateless


def has_taken_roots(user: User) -> bool:
    """Whether the server logged that it has roots after the last one was told."""
    raws = user.transcript.raws(1, user.transcript.count + 1)
    told = [at for at, raw in enumerate(raws) if ROOT.encode() in raw]
    return any(b"Roots updated" in raw for raw in raws[told[-1] :]) if told else False


async def see_logs(user: User, host: Host) -> None:
    """C-LOG-01: ask for a level, or be refused; have the server log, and find that among the logs."""
    await user.opens_tab("Logs")
    if host.level:
        await user.picks("log_level_box", host.level)
    else:
        await user.clicks("log_level_anyway")
    await user.clicks("log_level_ask")
    is_refused = not host.level and not host.is_stateless
    text = "rejected" if is_refused else "and above"
    await user.reads_soon("log_level_asked", text)
    await work.call(user, host.logs)
    await user.opens_tab("Logs")
    await until(lambda: host.logs.seen in str(user.reads_rows("log_table")), host.logs.seen)


async def run_a_task(user: User, host: Host) -> None:
    """C-TK4-04: where a tool runs as a task, follow it, answer what it asks in between, and see what it gave."""
    if host.runs_task is None:
        return
    made = await work.start_call(user, host.runs_task)
    await until(lambda: made.task is not None, "the task")
    await user.opens_tab("Tasks")
    await user.chooses_row("task_view", user.reads_rows("task_view")[0][0])
    sheet = await answers.review(user, "elicitation")
    await user.reads_soon("task_outcome", "Input required")
    await user.picks("field:/interpretation", "Python snake species", sheet)
    await user.clicks("elicitation_accept", sheet)
    await until(lambda: made.is_finished, "the end of the task", 10)
    await user.reads_soon("task_outcome", "Completed")
    await user.reads_soon("task_content", host.runs_task.seen)
    await user.clicks("task_answer_views_json")
    await user.reads_soon("task_result_json", "jsonrpc")


async def give_up_a_call(user: User, host: Host) -> None:
    """C-CAN-01: the server is told; its progress counts no more."""
    told, hangs_up = "notifications/cancelled", host.is_stateless and host.transport == "http"
    before = times(user, told, Direction.SENT)
    made = await work.start_call(user, host.counts)
    await until(lambda: made.progress_count >= 2, "progress")
    await user.clicks("cancel_button")
    await until(lambda: work.outcome(user).startswith("cancelled"), "the end of the call")
    after = before + (not hangs_up)
    await until(lambda: times(user, told, Direction.SENT) == after, "telling")
    assert user.transcript.status(made.request_frame) == "cancelled"


async def leave_and_begin_again(user: User, host: Host) -> None:
    """C-HTTP-16: the end of the session is told to the server; a new one works as the first did."""
    left = user.transcript
    await work.disconnect(user)
    deleted = [raw for raw in left.raws(1, left.count + 1) if raw.startswith(b"DELETE ")]
    assert len(deleted) == (host.transport == "http" and not host.is_stateless)
    await user.clicks("reconnect_button")
    await until(lambda: user.transcript is not left, "another session")
    await work.is_ready(user)
    await work.call(user, host.speaks)
    await user.reads_soon("call_content", host.speaks.seen)
    await user.clicks("call_answer_views_json")
    await user.reads_soon("call_answer_tree", "jsonrpc")


@pytest.mark.parametrize("name", CUTTING)
async def test_a_call_whose_stream_is_cut_gets_its_answer_by_coming_back(
    user: User, request: pytest.FixtureRequest, tmp_path: Path, name: str
) -> None:
    """C-HTTP-10, C-HTTP-13: the rest is asked for behind the last event that came, and the call ends as any other."""
    host = CUTTING[name]
    assert host.cuts is not None
    async with up(host, request, tmp_path) as pasted:
        await connect(user, host, pasted)

        await work.call(user, host.cuts)

        assert work.outcome(user) == "ok"
        await user.reads_soon("call_content", host.cuts.seen)
        raws = user.transcript.raws(1, user.transcript.count + 1)
        back = [raw for raw in raws if raw.startswith(b"GET ") and b"last-event-id" in raw.lower()]
        assert back
        await work.disconnect(user)


@pytest.mark.parametrize("name", DUAL_HOSTS)
async def test_a_server_of_both_eras_is_spoken_to_without_a_handshake_unless_one_is_insisted_on(
    user: User, request: pytest.FixtureRequest, tmp_path: Path, name: str
) -> None:
    """C-VER-01, C-VER-03: what is found is said with the evidence, and what is pinned is said to be pinned."""
    host = DUAL_HOSTS[name]
    async with up(host, request, tmp_path) as pasted:
        await connect(user, host, pasted)
        await pages.see_overview(user, host)
        await answers.answer(user, host.asks_form, "elicitation", "elicitation_accept")
        assert times(user, "elicitation/create", Direction.RECEIVED) == 0
        await work.disconnect(user)

        pinned = replace(host, revision=STATEFUL, found=STATEFUL, evidence={})
        await connect(user, pinned, pasted)
        await pages.see_overview(user, pinned)
        await user.reads_soon("overview_identity", "pinned")
        await answers.answer(user, host.asks_form, "elicitation", "elicitation_accept")
        assert times(user, "elicitation/create", Direction.RECEIVED) == 1
        await work.disconnect(user)


async def test_a_server_of_both_eras_is_used_over_the_older_http(
    user: User, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Ours: which transport it is, leaves one era."""
    host = replace(SDK2, transport="sse", revision="Automatic")
    async with up(host, request, tmp_path) as pasted:
        await connect(user, host, pasted)

        await work.call(user, host.speaks)

        await user.reads_soon("call_content", host.speaks.seen)
        await work.disconnect(user)
