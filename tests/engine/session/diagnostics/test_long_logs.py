"""A process that wrote a long log before it ended."""

from __future__ import annotations

from time import process_time

import pytest

from inspector.session.diagnostics.process_exit import exit_of
from inspector.session.diagnostics.server_output import MAX_LAST
from inspector.session.diagnostics.silence import silence_of
from tests.support.talk import Talk

LINE = (
    b"12:00:01 worker.module handled one item of a batch in 17 ms and went on to the next one of it"
)
USAGE = b"usage: server [--stdio]"


@pytest.mark.parametrize("after", [0, MAX_LAST - 1])
def test_the_cause_is_found_at_both_ends_of_a_long_log_in_a_moment(after: int) -> None:
    """Ours: for each of the requests that it left without a response; the window waits meanwhile."""
    talk = Talk()
    talk.stderr(LINE if after else USAGE)
    for _ in range(4_000):
        talk.stderr(LINE)
    talk.stderr(USAGE if after else LINE)
    for _ in range(after):
        talk.stderr(LINE)
    talk.note("exited", "exited with code 1", code=1)
    began = process_time()

    found = [exit_of(talk.transcript) for _ in range(5)]

    took = process_time() - began
    assert {each.mistake.name for each in found if each.mistake is not None} == {"usage"}
    assert {each.cause for each in found} == {USAGE.decode()}
    assert took < 3.0  # half a second; ten, if each searched all lines


def test_a_log_on_stdout_is_searched_once_for_all_requests() -> None:
    """Ours: each request that the process left without a response asks for the cause."""
    talk = Talk()
    for _ in range(80):
        talk.received(LINE + LINE)
    talk.note("exited", "exited with code 1", code=1)
    began = process_time()
    exit_of(talk.transcript)
    first = process_time() - began

    found = [exit_of(talk.transcript) for _ in range(20)]

    assert {each.cause for each in found} == {(LINE + LINE).decode()}
    assert process_time() - began < 8 * first


@pytest.mark.parametrize("after", [0, 2_000])
def test_what_a_log_says_since_a_request_is_searched_in_a_moment(after: int) -> None:
    """Ours: for each request that times out; a cause is found wherever it stands, and what waits for the user at the ends."""
    talk = Talk()
    asked = talk.request(1, "tools/call", name="a")
    talk.stderr(b"Debugger listening on ws://127.0.0.1:9229")
    for at in range(4_000):
        talk.stderr(b"FATAL: no such table" if at == after else LINE)
    began = process_time()

    found = [silence_of(talk.transcript, asked, 20.0) for _ in range(10)]

    took = process_time() - began
    assert {each.cause for each in found} == {"FATAL: no such table"}
    assert {each.obstacle.name for each in found if each.obstacle is not None} == {"debugger"}
    assert took < 2.0  # a fifth of a second; three, if every line were searched for everything
