"""What is seen on the pages of a server that has just been connected, and what a user tries there first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.e2e import offers, work
from tests.e2e.waits import until

if TYPE_CHECKING:
    from inspector.wire.frame import Direction
    from tests.e2e.hosts import Host
    from tests.e2e.user import User


def times(user: User, method: str, direction: Direction) -> int:
    """How often a message of that method went that way."""
    rows = (user.transcript.row(number) for number in range(1, user.transcript.count + 1))
    return sum(row.method == method and row.direction is direction for row in rows)


async def see_overview(user: User, host: Host) -> None:
    """Who it is, which revision was found and why, what both sides declare."""
    await user.opens_tab("Overview")
    await user.reads_soon("overview_title", host.title)
    await user.reads_soon("overview_identity", host.found)
    await user.reads_soon("overview_story", host.evidence.get(host.transport, host.found))
    assert _declared(user, "server_capabilities") & TOP == host.declares
    assert {"elicitation", "roots", "sampling"} <= _declared(user, "client_capabilities")
    assert user.sees("streams") == host.is_stateless
    if host.is_stateless:
        await user.reads_soon("streams", "tools list")


TOP = {"tools", "resources", "prompts", "logging", "completions", "tasks"}


def _declared(user: User, table: str) -> set[str]:
    return {row[0] for row in user.reads_rows(table) if "yes" in row[1]}


async def see_results(user: User, host: Host) -> None:
    """Structured content beside its schema, and a result that says isError."""
    await work.call(user, host.structures)
    assert work.outcome(user) == "ok"
    await user.clicks("call_answer_views_structured")
    await user.reads_soon("call_structured", host.structures.seen)
    await user.reads_soon("structured_check", "Valid against the output schema")
    await user.clicks("call_answer_views_content")
    await work.call(user, host.fails)
    assert work.outcome(user).startswith("tool error")
    await user.reads_soon("call_content", host.fails.seen)


async def watch(user: User, host: Host) -> None:
    """Subscribe to what was read, have it changed, see that, read it again, and let go."""
    if host.watches is None:
        return
    await offers.list_flat(user)
    await user.chooses_row("resource_view", host.watches.label)
    await offers.read(user)
    await user.clicks("subscribe_button")
    await until(lambda: user.reads("subscribe_button") == "Unsubscribe", "the subscription")
    if host.is_stateless:
        await user.reads_soon("stream_line", "Notification stream: open")
    await work.call(user, host.watches.changes)
    await user.reads_soon("call_content", host.watches.changes.seen)
    await user.opens_tab("Resources")
    await user.reads_soon("update_words", "since last read")
    await user.clicks("update_read")
    await until(lambda: not user.sees("update_words"), "what is new")
    await user.clicks("subscribe_button")
    await until(lambda: user.reads("subscribe_button") == "Subscribe", "the end of it")
    await offers.list_flat(user)


async def send_raw(user: User) -> None:
    """What the page offers first is a request that the server knows."""
    await user.opens_tab("Raw")
    await user.clicks("raw_send")
    await user.reads_soon("raw_answer_outcome_words", "OK")
