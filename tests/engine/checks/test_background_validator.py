"""Judging a record in the background."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.checks import message_validator
from inspector.checks.background_validator import BackgroundValidator
from inspector.checks.transcript_validator import LARGE, SIZE_LIMIT
from inspector.finding import MAX_FINDINGS, Severity
from inspector.rules import Rule
from inspector.spec.findings import make_finding
from inspector.spec.revision import V2024_11_05, V2025_03_26, V2025_11_25
from inspector.spec.spec_urls import link
from tests.support.findings import validate_all
from tests.support.json_texts import FOREIGN, quick
from tests.support.records import Written, notification, request, result
from tests.support.talk import Talk
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject


def judge(record: Written, sweep: BackgroundValidator | None = None) -> BackgroundValidator:
    sweep = sweep or BackgroundValidator(record.transcript)
    validate_all(sweep)
    return sweep


def test_a_proper_conversation_has_no_findings() -> None:
    """Ours."""
    record = Written()
    record.sent(request(1, "ping"))
    record.received(result(1))
    record.received(notification("notifications/message", {"level": "info", "data": "x"}))
    record.stderr("whatever")
    record.received(b"")
    judge(record)

    assert [record.rules(number) for number in range(1, 6)] == [[]] * 5


@pytest.mark.parametrize(
    ("raw", "rule"),
    [
        (b'{"id":1,"result":{}}', "L-JR-01"),
        (b'{"jsonrpc":"1.0","id":1,"result":{}}', "L-JR-01"),
        (b'{"jsonrpc":2.0,"id":1,"result":{}}', "L-JR-01"),
        (b'{"jsonrpc":"2.0","id":1,"id":1,"result":{}}', "L-JR-19"),
        (b'{"jsonrpc":"2.0","id":1,"result":{"n":NaN}}', "L-JR-19"),
        (b'{"jsonrpc":"2.0","id":1,"result":{"s":"\xff"}}', "L-JR-18"),
    ],
)
def test_a_broken_rule_is_found_where_it_was_broken(raw: bytes, rule: str) -> None:
    """jsonrpc-10; C-JR-01, C-JR-14."""
    record = Written()
    record.sent(request(1))
    number = record.received(raw)
    judge(record)

    assert rule in record.rules(number)
    assert record.transcript.counts.problems == 1


@pytest.mark.parametrize(("offered", "count"), [(V2025_11_25, 0), (V2024_11_05, 1)])
def test_initialize_is_judged_by_the_revision_that_it_offers(offered: Revision, count: int) -> None:
    """Ours: the one that is agreed on comes later."""
    record = Written()
    info: JsonObject = {"name": "x", "title": "X", "version": "1"}
    params: JsonObject = {
        "protocolVersion": offered.date,
        "capabilities": {},
        "clientInfo": info,
    }
    number = record.sent(request(1, "initialize", params))
    judge(record, BackgroundValidator(record.transcript, V2024_11_05))

    assert record.rules(number).count("L-JR-34") == count


def test_what_is_right_depends_on_the_revision() -> None:
    """C-JR-10, C-JR-12."""
    batch = b'[{"jsonrpc":"2.0","method":"notifications/x"}]'
    found: dict[str, bool] = {}
    for revision in (V2025_03_26, V2025_11_25):
        record = Written()
        number = record.received(batch)
        judge(record, BackgroundValidator(record.transcript, revision))
        worst = [f.severity for f in record.transcript.findings(number)]
        found[revision.date] = Severity.ERROR in worst

    assert list(found.values()) == [False, True]


def test_a_message_over_several_lines_marks_each_of_them_and_is_told_at_once() -> None:
    """stdio-14: the step that waits says why."""
    record = Written()
    told: list[tuple[str, int]] = []
    sweep = BackgroundValidator(record.transcript)
    sweep.settings.suspect = lambda text, frame: told.append((text, frame))
    for line in (b"{", b'"jsonrpc": "2.0",', b'"id": 1, "result": {}', b"}"):
        record.received(line)
    judge(record, sweep)

    assert all("L-STD-02" in record.rules(number) for number in range(1, 5))
    assert [frame for _, frame in told] == [1]
    assert "#1–#4" in told[0][0]


def test_a_large_message_is_not_judged_and_says_so() -> None:
    """C-SEC-18."""
    record = Written()
    record.sent(request(1))
    number = record.received(result(1, {"s": "x" * SIZE_LIMIT}))
    judge(record)

    assert record.rules(number) == ["not-judged"]
    assert record.transcript.counts.problems == 0


def test_observers_are_told_when_something_was_found_and_only_then() -> None:
    """Ours."""
    record = Written()
    told: list[int] = []
    record.transcript.findings_changed.subscribe(lambda: told.append(1))
    record.sent(request(1))
    sweep = judge(record)
    assert told == []

    record.received(b'{"id":1,"result":{}}')
    judge(record, sweep)
    assert told == [1]


@quick
@given(st.lists(FOREIGN, max_size=6))
def test_judging_never_raises(frames: list[bytes]) -> None:
    """Ours: the judge is shown everything a server may send."""
    record = Written()
    record.sent(request(1, "tools/list"))
    for frame in frames:
        record.received(frame)
    judge(record)

    assert record.transcript.count == 1 + len(frames)


@pytest.mark.parametrize("depth", [100, 400, 700, 900, 5000])
@pytest.mark.parametrize("method", ["tools/list", "tools/call", "initialize"])
def test_judging_what_is_deep_does_no_harm(depth: int, method: str) -> None:
    """C-SEC-18."""
    record = Written()
    record.sent(request(1, method))
    lists = b"[" * depth + b"]" * depth
    objects = b'{"a":' * depth + b"1" + b"}" * depth
    for deep in (lists, objects):
        tools = b'{"tools":[{"name":"a","inputSchema":{"type":"object","x":%b}}],"content":%b}'
        record.received(b'{"jsonrpc":"2.0","id":1,"result":%b}' % deep)
        record.received(b'{"jsonrpc":"2.0","id":1,"result":%b}' % (tools % (deep, deep)))
        record.received(b'{"jsonrpc":"2.0","method":"notifications/message","params":%b}' % deep)
    judge(record)

    assert record.transcript.count == 7
    if depth > 1000:
        assert all("not-judged" in record.rules(number) for number in range(2, 8))


async def test_the_sweep_judges_what_is_there_and_what_comes_until_it_is_stopped() -> None:
    """Ours."""
    record = Written()
    sweep = BackgroundValidator(record.transcript)
    bad: JsonObject = {"id": 1, "result": {}}
    record.sent(request(1))
    running = asyncio.create_task(sweep.run())
    first = record.received(bad)
    await wait_until(lambda: "L-JR-01" in record.rules(first))
    second = record.received(bad)
    await wait_until(lambda: "L-JR-01" in record.rules(second))
    running.cancel()
    await asyncio.wait([running])

    assert sweep.pending == 0


@pytest.mark.parametrize("count", [150, 101])
def test_what_is_kept_of_a_page_does_not_depend_on_where_a_slice_ends(count: int) -> None:
    """Ours: a hundred tools of one fault are a hundred findings, and one that counts the others."""
    nameless: Json = [
        {"name": f"tool{n}", "description": f"Number {n}.", "inputSchema": {"type": "object"}}
        for n in range(count)
    ]
    kept: list[int] = []
    for is_split in (False, True):
        talk = Talk()
        talk.request(1, "tools/list")
        talk.result(1, tools=nameless)
        sweep = BackgroundValidator(talk.transcript)
        while sweep.pending:
            if is_split and sweep.rules.pending:
                sweep.rules.work(until=0.0)
            else:
                sweep.validate_slice()
        found = talk.transcript.rule_findings["L-MDL-06"]
        kept.append(found.count)
        assert (f"(and {count - 101} more" in found.findings[-1].summary) == (count > 101)

    assert kept == [101, 101]


def test_a_rule_is_added_by_one_function_and_one_row() -> None:
    """Ours: its findings stand at the messages of the server, with the severity and the link of the row."""
    row = Rule("L-NEW-01", Severity.WARNING, "tools", "result in capitals")

    def check_capitals(message: ReceivedMessage) -> Iterator[Finding]:
        if message.method == "tools/call" and "LOUD" in str(message.value.get("result")):
            yield make_finding(row, "the result is in capitals", "/result", message.revision)

    record = Written()
    record.sent(request(1, "tools/call", {"name": "a"}))
    number = record.received(result(1, {"content": [{"type": "text", "text": "LOUD"}]}))
    judge(record, BackgroundValidator(record.transcript, V2025_11_25, [lambda: check_capitals]))

    assert record.rules(number) == ["L-NEW-01"]
    (found,) = record.transcript.findings(number)
    assert (found.severity, found.link) == (row.severity, link("tools", V2025_11_25))


def test_a_large_message_is_read_in_one_slice_and_validated_in_the_next() -> None:
    """Ours: both take milliseconds, and what is small before it is validated in a slice of its own."""
    record = Written()
    record.sent(request(1, "ping"))
    record.received(result(1, {"note": "x" * LARGE}))
    record.received(b'{"id":2,"result":{}}')
    sweep = BackgroundValidator(record.transcript)

    left: list[int] = []
    while sweep.pending:
        sweep.validate_slice(10.0)
        left.append(sweep.pending)

    assert left == [2, 2, 0]
    assert "L-JR-01" in record.rules(3)


async def test_findings_do_not_depend_on_the_thread_that_reads_a_large_message() -> None:
    """Ours: and there are few, however many tolerances it needs."""
    members = b",".join(b'{"a%d":1,"a%d":1}' % (number, number) for number in range(5_000))
    request_line = (
        b'{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[%b]}}'
    )
    found: list[tuple[Finding, ...]] = []
    for is_beside in (True, False):
        record = Written()
        number = record.received(request_line % members)
        sweep = BackgroundValidator(record.transcript)
        if is_beside:
            await sweep.finish()
        while sweep.pending:
            sweep.validate_slice()
        found.append(record.transcript.findings(number))

    assert found[0] == found[1]
    assert {"L-JR-19", "more-findings"} <= {finding.rule for finding in found[0]}
    assert len(found[0]) <= 3 * MAX_FINDINGS


@pytest.mark.parametrize("count", [1, 7, 100])
def test_findings_about_lists_do_not_depend_on_where_a_slice_ends(count: int) -> None:
    """L-TOOL-34, L-CAP-13: a list is compared with the one before it, however many frames after it are there already."""
    talk = Talk()
    sweep = BackgroundValidator(talk.transcript, V2025_11_25)
    for number, write in enumerate(relisted(talk), 1):
        write()
        talk.wait(10.0)
        if not number % count:
            validate_all(sweep)
    sweep.end()
    validate_all(sweep)
    numbers = range(1, talk.transcript.count + 1)
    found = [(number, each.rule) for number in numbers for each in talk.transcript.findings(number)]

    assert [each for each in found if each[1] in {"L-TOOL-34", "L-CAP-13"}] == [
        (7, "L-TOOL-34"),
        (11, "L-TOOL-34"),
        (11, "L-CAP-13"),
    ]


def relisted(talk: Talk) -> list[Callable[[], object]]:
    """What writes a conversation in which tools change, at last their names, and calls come in between."""

    def answer(id_: int, description: str, *names: str) -> Callable[[], object]:
        schema: Json = {"type": "object"}
        tools: list[Json] = [
            {"name": each, "description": description, "inputSchema": schema} for each in names
        ]
        return lambda: talk.result(id_, tools=tools)

    info: JsonObject = {"name": "s", "version": "1"}
    version = "2025-11-25"
    capabilities: JsonObject = {"tools": {"listChanged": True}}
    return [
        lambda: talk.request(
            1, "initialize", protocolVersion=version, capabilities={}, clientInfo=info
        ),
        lambda: talk.result(1, protocolVersion=version, capabilities=capabilities, serverInfo=info),
        lambda: talk.sent({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        lambda: talk.request(2, "tools/list"),
        answer(2, "first", "a", "b"),
        lambda: talk.request(3, "tools/list"),
        answer(3, "second", "a", "b"),
        lambda: talk.call(4, "a"),
        lambda: talk.text_result(4, "x"),
        lambda: talk.request(5, "tools/list"),
        answer(5, "third", "a"),
        lambda: talk.call(6, "a"),
        lambda: talk.text_result(6, "x"),
    ]


@pytest.mark.parametrize("place", ["view", "rule"])
async def test_a_fault_about_one_frame_ends_no_other_check(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: it is reported as any internal error, and the frame says so."""
    reported: list[str] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _, about: reported.append(about["message"])
    )

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    def check(message: ReceivedMessage) -> tuple[Finding, ...]:
        if place == "rule" and message.number == 2:
            fail()
        return ()

    if place == "view":
        monkeypatch.setattr(message_validator, "read_view", fail)
    talk = Talk()
    talk.request(1, "prompts/get", name="a")
    talk.result(1, messages=[])
    talk.request(2, "ping")
    after = talk.received(b'{"id":2,"result":{}}')
    validate_all(BackgroundValidator(talk.transcript, V2025_11_25, (lambda: check,)))

    assert [each.rule for each in talk.transcript.findings(2)].count("not-judged") == 1
    assert "L-JR-01" in [each.rule for each in talk.transcript.findings(after)]
    assert reported
