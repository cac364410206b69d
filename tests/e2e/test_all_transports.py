"""Everything that official servers have, by hand in the window, over every transport that they speak; ours, but for the ids named."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from inspector.wire.frame import Direction
from tests.e2e import answers, offers, work
from tests.e2e.hosts import CUTTING, HOSTS, SDK2, Host, up
from tests.e2e.patience import until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from tests.e2e.person import Person

pytestmark = pytest.mark.timeout(180, method="thread")

ROOT = "file:///srv/project"


@pytest.fixture(params=HOSTS)
def host(request: pytest.FixtureRequest) -> Host:
    return HOSTS[request.param]


@pytest.fixture
async def address(
    host: Host, request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncGenerator[str]:
    async with up(host, request, tmp_path) as pasted:
        yield pasted


async def connect(person: Person, host: Host, pasted: str) -> None:
    """Paste where the server is, choose the revision, connect."""
    await work.connect(person, pasted, chosen={"revision": host.revision})
    await person.reads_soon("header_state", f"connected · {host.transport} · {host.revision}")


def times(person: Person, method: str, direction: Direction) -> int:
    """How often a message of that method went that way."""
    rows = (person.transcript.row(number) for number in range(1, person.transcript.count + 1))
    return sum(row.method == method and row.direction is direction for row in rows)


async def test_everything_that_a_server_has_can_be_used_by_hand(
    person: Person, host: Host, address: str
) -> None:
    """Ours, and the ids of each step: all in one session, since starting a window and a server costs more than a step."""
    await connect(person, host, address)

    await see_what_is_offered(person, host)
    await answer_what_is_asked(person, host)
    await see_logs(person, host)
    await run_a_task(person, host)
    await give_up_a_call(person, host)
    await leave_and_begin_again(person, host)


async def see_what_is_offered(person: Person, host: Host) -> None:
    """C-RES-01, C-PRM-01, C-CMP-01: every resource, template and prompt, with what the server suggests."""
    await offers.read_all(person, host)
    await offers.get_all(person, host)


async def answer_what_is_asked(person: Person, host: Host) -> None:
    """C-ELI-08, C-ELI-09, C-ROOT-04: an answer for a model, a form, a page; and roots, again after they changed."""
    await answers.answer(person, host.asks_model, "sampling", "sampling_send")
    await answers.answer(person, host.asks_form, "elicitation", "elicitation_accept")
    await answers.answer(person, host.asks_page, "elicitation", "elicitation_agree")
    asked = times(person, "roots/list", Direction.RECEIVED)
    await answers.add_root(person, ROOT)
    assert times(person, "notifications/roots/list_changed", Direction.SENT) > 0
    if host.follows_roots:
        await until(lambda: has_taken_roots(person), "the server to have asked again")
    await answers.tell_roots(person, host.tells_roots, ROOT)
    assert times(person, "roots/list", Direction.RECEIVED) > asked


def has_taken_roots(person: Person) -> bool:
    """Whether the server logged that it has roots after the last one was told."""
    raws = person.transcript.raws(1, person.transcript.count + 1)
    told = [at for at, raw in enumerate(raws) if ROOT.encode() in raw]
    return any(b"Roots updated" in raw for raw in raws[told[-1] :]) if told else False


async def see_logs(person: Person, host: Host) -> None:
    """C-LOG-01: ask for a level, or be refused; have the server log, and find that among the logs."""
    await person.opens_tab("Logs")
    if host.level:
        await person.picks("log_level_box", host.level)
    else:
        await person.clicks("log_level_anyway")
    await person.clicks("log_level_ask")
    words = f"{host.level} and above" if host.level else "was refused"
    await person.reads_soon("log_level_asked", words)
    await work.call(person, host.logs)
    await person.opens_tab("Logs")
    await until(lambda: host.logs.seen in str(person.reads_rows("log_table")), host.logs.seen)


async def run_a_task(person: Person, host: Host) -> None:
    """C-TK4-04: where a tool runs as a task, follow it, answer what it asks in between, and see what it gave."""
    if host.runs_task is None:
        return
    made = await work.start_call(person, host.runs_task)
    await until(lambda: made.task is not None, "the task")
    await person.opens_tab("Tasks")
    await person.chooses_row("task_view", person.reads_rows("task_view")[0][0])
    sheet = await answers.review(person, "elicitation")
    await person.reads_soon("task_outcome", "input required")
    await person.picks("field:/interpretation", "Python snake species", sheet)
    await person.clicks("elicitation_accept", sheet)
    await until(lambda: made.is_over, "the end of the task", 10)
    await person.reads_soon("task_outcome", "completed")
    await person.reads_soon("task_content", host.runs_task.seen)
    await person.clicks("task_segments_json")
    await person.reads_soon("task_result_json", "jsonrpc")


async def give_up_a_call(person: Person, host: Host) -> None:
    """C-CAN-01: the server is told; its progress counts no more."""
    made = await work.start_call(person, host.counts)
    await until(lambda: made.progress_count >= 2, "progress")
    await person.clicks("cancel_button")
    await until(lambda: work.outcome(person).startswith("cancelled"), "the end of the call")
    await until(lambda: times(person, "notifications/cancelled", Direction.SENT) == 1, "telling")
    assert person.transcript.status(made.request_frame) == "cancelled"


async def leave_and_begin_again(person: Person, host: Host) -> None:
    """C-HTTP-16: the end of the session is told to the server; a new one works as the first did."""
    left = person.transcript
    await work.disconnect(person)
    deleted = [raw for raw in left.raws(1, left.count + 1) if raw.startswith(b"DELETE ")]
    assert len(deleted) == (host.transport == "http")
    await person.clicks("reconnect_button")
    await until(lambda: person.transcript is not left, "another session")
    await work.is_ready(person)
    await work.call(person, host.speaks)
    await person.reads_soon("result_content", host.speaks.seen)
    await person.clicks("result_views_json")
    await person.reads_soon("result_tree", "jsonrpc")


@pytest.mark.parametrize("name", CUTTING)
async def test_a_call_whose_stream_is_cut_gets_its_answer_by_coming_back(
    person: Person, request: pytest.FixtureRequest, tmp_path: Path, name: str
) -> None:
    """C-HTTP-10, C-HTTP-13: the rest is asked for behind the last event that came, and the call ends as any other."""
    host = CUTTING[name]
    assert host.cuts is not None
    async with up(host, request, tmp_path) as pasted:
        await connect(person, host, pasted)

        await work.call(person, host.cuts)

        assert work.outcome(person) == "ok"
        await person.reads_soon("result_content", host.cuts.seen)
        raws = person.transcript.raws(1, person.transcript.count + 1)
        back = [raw for raw in raws if raw.startswith(b"GET ") and b"last-event-id" in raw.lower()]
        assert back
        await work.disconnect(person)


@pytest.mark.parametrize("transport", ["stdio", "http", "sse"])
async def test_a_server_of_both_eras_is_used_in_the_one_that_is_found(
    person: Person, request: pytest.FixtureRequest, tmp_path: Path, transport: str
) -> None:
    """Ours: with the revision left to Spyglass, the tools are listed and called, whichever era it is."""
    host = replace(SDK2, transport=transport, revision="Automatic")
    async with up(host, request, tmp_path) as pasted:
        await work.connect(person, pasted)

        await work.call(person, host.speaks)

        await person.reads_soon("result_content", host.speaks.seen)
        await work.disconnect(person)
