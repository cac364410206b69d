"""What is seen on the pages of a server that has just been connected, and what a person tries there first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.e2e import offers, work
from tests.e2e.patience import until

if TYPE_CHECKING:
    from inspector.wire.frame import Direction
    from tests.e2e.hosts import Host
    from tests.e2e.person import Person


def times(person: Person, method: str, direction: Direction) -> int:
    """How often a message of that method went that way."""
    rows = (person.transcript.row(number) for number in range(1, person.transcript.count + 1))
    return sum(row.method == method and row.direction is direction for row in rows)


async def see_overview(person: Person, host: Host) -> None:
    """Who it is, which revision was found and why, what both sides declare."""
    await person.opens_tab("Overview")
    await person.reads_soon("overview_title", host.title)
    await person.reads_soon("overview_identity", host.found)
    await person.reads_soon("overview_story", host.evidence.get(host.transport, host.found))
    assert _declared(person, "server_capabilities") & TOP == host.declares
    assert {"elicitation", "roots", "sampling"} <= _declared(person, "client_capabilities")
    assert person.sees("streams") == host.is_stateless
    if host.is_stateless:
        await person.reads_soon("streams", "tools list")


TOP = {"tools", "resources", "prompts", "logging", "completions", "tasks"}


def _declared(person: Person, table: str) -> set[str]:
    return {row[0] for row in person.reads_rows(table) if "yes" in row[1]}


async def see_results(person: Person, host: Host) -> None:
    """Structured content beside its schema, and a result that says isError."""
    await work.call(person, host.structures)
    assert work.outcome(person) == "ok"
    await person.clicks("result_views_structured")
    await person.reads_soon("result_structured", host.structures.seen)
    await person.reads_soon("structured_check", "Valid against the output schema")
    await person.clicks("result_views_content")
    await work.call(person, host.fails)
    assert work.outcome(person).startswith("tool error")
    await person.reads_soon("result_content", host.fails.seen)


async def watch(person: Person, host: Host) -> None:
    """Subscribe to what was read, have it changed, see that, read it again, and let go."""
    if host.watches is None:
        return
    await offers.list_flat(person)
    await person.chooses_row("resource_view", host.watches.label)
    await offers.read(person)
    await person.clicks("subscribe_button")
    await until(lambda: person.reads("subscribe_button") == "Unsubscribe", "the subscription")
    if host.is_stateless:
        await person.reads_soon("stream_line", "Notification stream: open")
    await work.call(person, host.watches.changes)
    await person.reads_soon("result_content", host.watches.changes.seen)
    await person.opens_tab("Resources")
    await person.reads_soon("update_words", "since last read")
    await person.clicks("update_read")
    await until(lambda: not person.sees("update_words"), "what is new")
    await person.clicks("subscribe_button")
    await until(lambda: person.reads("subscribe_button") == "Subscribe", "the end of it")
    await offers.list_flat(person)


async def send_raw(person: Person) -> None:
    """What the page offers first is a request that the server knows."""
    await person.opens_tab("Raw")
    await person.clicks("raw_send")
    await person.reads_soon("raw_answer_words", "response #")
    assert person.reads("raw_answer_words").endswith("ok")
