"""What rules know of messages that no rule looks at: answers to probes, and messages that are too large."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from inspector.checks import background_validator, closing_answers
from inspector.checks.background_validator import BackgroundValidator
from inspector.checks.latest import MAX_KEY, Latest
from inspector.checks.remembered import PROBED, PROBING
from inspector.checks.transcript_validator import SIZE_LIMIT
from inspector.spec.revision import V2025_11_25, V2026_07_28
from tests.engine.checks.families.conversations import ask, connect, discover, end
from tests.support.findings import rules_of, validate_all
from tests.support.talk import Talk
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.checks.history import History
    from inspector.wire.json_codec import JsonObject

LARGE = "x" * SIZE_LIMIT
LONG_AFTER = 100


def checked(talk: Talk) -> History:
    """Check the conversation as a whole."""
    validator = BackgroundValidator(talk.transcript, V2025_11_25)
    validator.end()
    validate_all(validator)
    return validator.rules.history


def pages(talk: Talk, id_: int, first: str = "", cursor: str = "p2") -> None:
    """A list of tools in two pages, with such a text on the first."""
    talk.request(id_, "tools/list")
    talk.result(id_, tools=[{"name": "a", "description": first}], nextCursor=cursor)
    talk.request(id_ + 1, "tools/list", cursor=cursor)
    talk.result(id_ + 1, tools=[{"name": "b"}])


def test_a_request_of_a_probe_that_was_answered_is_not_open() -> None:
    """Ours: no request is without a response when the connection ends."""
    talk = Talk()
    connect(talk)
    talk.note(PROBING, "a probe")
    talk.request(2, "spyglass/unknown")
    talk.error(2, -32601, "Method not found")
    talk.note(PROBED, "passed")
    talk.wait(LONG_AFTER)
    end(talk)

    assert not len(checked(talk).calls.open)
    assert "L-JR-14" not in rules_of(talk.transcript)


def test_a_change_that_is_announced_while_a_probe_runs_is_announced() -> None:
    """Ours."""
    talk = Talk()
    connect(talk, tools={"listChanged": True})
    pages(talk, 2)
    talk.note(PROBING, "a probe")
    talk.received({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    talk.note(PROBED, "passed")
    talk.request(4, "tools/list")
    talk.result(4, tools=[{"name": "c"}])
    checked(talk)

    assert "L-CAP-13" not in rules_of(talk.transcript)


def test_a_response_that_is_too_large_to_be_read_answers_its_request() -> None:
    """Ours."""
    talk = Talk()
    connect(talk)
    talk.call(2, "a")
    talk.text_result(2, LARGE)
    talk.wait(LONG_AFTER)
    end(talk)
    checked(talk)

    assert "not-judged" in rules_of(talk.transcript)
    assert "L-JR-14" not in rules_of(talk.transcript)


def test_nothing_is_found_about_a_list_with_a_page_that_is_too_large_to_be_read() -> None:
    """Ours: its cursor, its items and whether they are repeated are not known."""
    talk = Talk()
    connect(talk, tools={"listChanged": True})
    pages(talk, 2)
    pages(talk, 4, LARGE)
    pages(talk, 6, LARGE, "p3")
    history = checked(talk)

    assert "tools/list" not in history.lists
    assert not {"L-PAG-02", "L-PAG-05", "L-CAP-13"}.intersection(rules_of(talk.transcript))


def test_a_list_is_whole_again_once_all_its_pages_were_read() -> None:
    """Ours."""
    talk = Talk()
    connect(talk)
    pages(talk, 2, LARGE)
    pages(talk, 4)

    assert [*checked(talk).tools] == ["a", "b"]


def test_answers_are_timed_by_method_and_only_those_to_requests_of_ours() -> None:
    """Ours: a server can name any number of methods; one that asks users something waits for them."""
    talk = Talk()
    connect(talk)
    for number in range(9):
        talk.received({"jsonrpc": "2.0", "id": f"s{number}", "method": f"invented/{number}"})
    talk.request(2, "ping")
    talk.result(2)
    talk.call(3, "a")
    talk.received({"jsonrpc": "2.0", "id": "s", "method": "elicitation/create", "params": {}})
    talk.wait(LONG_AFTER)
    talk.text_result(3, "done")

    assert set(checked(talk).answer_seconds) == {"initialize", "ping"}


def given_up(talk: Talk, *, is_ours: bool) -> None:
    """A call that ends with an error, after we cancelled it if that is ours."""
    connect(talk)
    talk.request(2, "tools/list")
    talk.result(2, tools=[{"name": "a"}])
    talk.call(3, "a")
    if is_ours:
        params: JsonObject = {"requestId": 3}
        talk.sent({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
    talk.error(3, 0, "Request cancelled")


@pytest.mark.parametrize("is_ours", [True, False])
def test_an_error_that_answers_a_cancellation_of_ours_is_no_failure_of_the_tool(
    *, is_ours: bool
) -> None:
    """Ours."""
    talk = Talk()
    given_up(talk, is_ours=is_ours)
    checked(talk)

    assert ("L-TOOL-26" in rules_of(talk.transcript)) is not is_ours


@pytest.mark.parametrize("is_ours", [True, False])
def test_an_error_by_which_open_requests_end_when_we_close_is_no_fault(*, is_ours: bool) -> None:
    """Ours: another end, or anything that we send afterwards, shows that there was another reason."""
    talk = Talk()
    discover(talk)
    ask(talk, 2, "subscriptions/listen", notifications={})
    talk.error(2, -32000, "Connection closed")
    if not is_ours:
        ask(talk, 3, "tools/list")
    end(talk)
    validator = BackgroundValidator(talk.transcript, V2026_07_28)
    validator.end()
    validate_all(validator)

    assert ("L-JR-27" in rules_of(talk.transcript)) is not is_ours


async def test_an_error_that_no_end_follows_is_a_problem_after_a_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours: nothing else needs to happen for it to be displayed."""
    monkeypatch.setattr(closing_answers, "CLOSING_SECONDS", 0.01)
    monkeypatch.setattr(background_validator, "IDLE_SECONDS", 0.0)
    talk = Talk()
    discover(talk)
    ask(talk, 2, "subscriptions/listen", notifications={})
    talk.error(2, -32000, "Connection closed")
    running = asyncio.create_task(BackgroundValidator(talk.transcript, V2026_07_28).run())

    await wait_until(lambda: "L-JR-27" in rules_of(talk.transcript))

    running.cancel()
    await asyncio.wait([running])


def test_only_notes_that_rules_read_are_remembered() -> None:
    """Ours: a recording may have any."""
    talk = Talk()
    connect(talk)
    talk.note("invented", "x")
    end(talk)

    assert set(checked(talk).notes) == {"closed"}


def test_long_keys_are_remembered_by_a_short_form() -> None:
    """Ours."""
    kept: Latest[str, int] = Latest()
    long = "k" * 10_000
    kept[long], kept[long + "2"] = 1, 2

    assert [kept.get(long), kept.get(long + "2")] == [1, 2]
    assert [kept.get(key) for key in kept] == [1, 2]
    assert all(len(key) <= MAX_KEY for key in kept)
    pairs: Latest[tuple[str, str], int] = Latest()
    pairs["a", long] = 3
    assert pairs.get(("a", long)) == 3
    assert len(str([*pairs])) < 2 * MAX_KEY
