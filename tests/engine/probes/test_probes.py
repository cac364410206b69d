"""Probes against servers in memory: each finds what a careless server does, and passes at one that keeps the rules."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.checks.background_validator import BackgroundValidator
from inspector.errors import PeerError
from inspector.probes import runner
from inspector.probes.probe import Outcome
from inspector.probes.runner import PROBES, run_probes
from inspector.wire.frame import Direction
from tests.support.answering import AnsweringServer, connected, silence
from tests.support.findings import rules_of
from tests.support.modern import modern

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.answering import Answer

EVERYTHING: JsonObject = {
    "tools": {},
    "prompts": {},
    "resources": {},
    "logging": {},
    "completions": {},
}
TOOL: JsonObject = {
    "name": "read",
    "description": "Reads a file.",
    "inputSchema": {"type": "object", "properties": {"a": {}}, "required": ["a"]},
    "annotations": {"readOnlyHint": True},
}
PROMPT: JsonObject = {"name": "greet", "arguments": [{"name": "who", "required": True}]}


def refusing(code: int, text: str = "Refused") -> Answer:
    """Refuse with this error."""

    def refuse(_params: JsonObject) -> Json:
        raise PeerError(code, text)

    return refuse


def gives(result: JsonObject) -> Answer:
    """Answer with this result."""
    return lambda _params: result


def lists(member: str, *items: Json, strict: bool = True) -> Answer:
    """A list that refuses every cursor if it is `strict`, and ignores it otherwise."""

    def answer(params: JsonObject) -> Json:
        if strict and "cursor" in params:
            raise PeerError(-32602, "Unknown cursor")
        return {member: [*items]}

    return answer


def fails(params: JsonObject) -> Json:
    """The result of a call that fails, or an error for another tool."""
    if params.get("name") != "read":
        raise PeerError(-32602, "Unknown tool")
    return {"content": [{"type": "text", "text": "a is missing"}], "isError": True}


GOOD: dict[str, Answer] = {
    "tools/list": lists("tools", TOOL),
    "tools/call": fails,
    "prompts/list": lists("prompts", PROMPT),
    "prompts/get": refusing(-32602),
    "resources/list": lists("resources"),
    "resources/read": refusing(-32002),
    "logging/setLevel": refusing(-32602),
    "completion/complete": refusing(-32602),
}
EMPTY = gives({})


async def outcomes(answers: dict[str, Answer]) -> dict[str, Outcome]:
    """What each probe comes to at a server that answers so."""
    server = AnsweringServer({**GOOD, **answers}, capabilities=EVERYTHING)
    async with connected(server) as session:
        return {each.probe.key: each.result.outcome async for each in run_probes(session)}


async def test_a_server_that_keeps_the_rules_passes_every_probe() -> None:
    """Ours: those of the other era and of HTTP do not apply."""
    found = await outcomes({})
    era = ("L-DSC", "L-MRTR", "L-TKX")
    others = {p.key for p in PROBES if p.edits_http or p.rules[0].startswith(era)}
    others -= {"early-requests", "second-initialize", "web-resources"}
    others |= {"parallel-calls"}  # the tool requires arguments

    assert {key for key, each in found.items() if each is Outcome.NOT_APPLICABLE} == others
    failed = {"early-requests"}  # this one in memory needs no handshake
    assert {key for key, each in found.items() if each is not Outcome.PASSED} == others | failed


@pytest.mark.parametrize(
    ("key", "answers", "rule"),
    [
        ("unknown-tool", {"tools/call": gives({"content": [], "isError": True})}, "L-TOOL-27"),
        ("tool-arguments", {"tools/call": refusing(-32602)}, "L-TOOL-25"),
        ("bad-cursor", {"tools/list": lists("tools", TOOL, strict=False)}, "L-PAG-02"),
        ("unknown-resource", {"resources/read": gives({"contents": []})}, "L-RES-10"),
        ("unknown-resource", {"resources/read": refusing(0)}, "L-RES-09"),
        ("unknown-prompt", {"prompts/get": refusing(-32603)}, "L-PRM-06"),
        ("missing-prompt-argument", {"prompts/get": gives({"messages": []})}, "L-PRM-07"),
        ("unknown-reference", {"completion/complete": refusing(-32000)}, "L-CMP-05"),
        ("invalid-level", {"logging/setLevel": EMPTY}, "L-LOG-03"),
        ("ping", {"ping": refusing(-32601)}, "L-LC-08"),
        ("unknown-method", {"spyglass/unknown": refusing(-32602)}, "L-CAP-10"),
        ("large-request", {"spyglass/large": silence}, "L-JR-14"),
    ],
)
async def test_a_probe_finds_what_a_careless_server_does(
    monkeypatch: pytest.MonkeyPatch, key: str, answers: dict[str, Answer], rule: str
) -> None:
    """Ours: the finding is at the response, or at the request without one."""
    monkeypatch.setattr("inspector.probes.probe.PROBE_SECONDS", 0.2)
    server = AnsweringServer({**GOOD, **answers}, capabilities=EVERYTHING)
    async with connected(server) as session:
        (concluded,) = [each async for each in run_probes(session, {key})]

        assert concluded.result.outcome is Outcome.FAILED
        assert rule in rules_of(session.transcript)
        assert rule in concluded.probe.rules


async def test_a_level_that_is_refused_by_another_code_is_not_accepted() -> None:
    """L-LOG-03."""
    found = await outcomes({"logging/setLevel": refusing(-32603)})
    assert found["invalid-level"] is Outcome.PASSED


async def test_lists_that_were_read_are_not_read_again() -> None:
    """Ours."""
    server = AnsweringServer(GOOD, capabilities=EVERYTHING)
    async with connected(server) as session:
        chosen = {"missing-prompt-argument"}
        (concluded,) = [
            each async for each in run_probes(session, chosen, lists={"prompts": [PROMPT]})
        ]

    assert concluded.result.outcome is Outcome.PASSED
    assert "prompts/list" not in {str(each.get("method")) for each in server.received}


@pytest.mark.parametrize(
    ("key", "perform", "outcome"),
    [
        ("unknown-version", EMPTY, Outcome.FAILED),
        ("unknown-version", refusing(-32022), Outcome.FAILED),
        ("missing-meta", EMPTY, Outcome.FAILED),
        ("missing-meta", refusing(-32602), Outcome.PASSED),
    ],
)
async def test_the_stateless_era_has_probes_of_its_own(
    key: str, perform: Answer, outcome: Outcome
) -> None:
    """L-DSC-06, L-DSC-07, L-DSC-08."""
    async with modern() as (server, opened):
        server.answers["server/discover"] = perform
        (concluded,) = [each async for each in run_probes(opened.session, {key})]

    assert concluded.result.outcome is outcome


async def test_no_tool_is_called_unless_the_user_allows_it() -> None:
    """Ours: even a read-only one."""
    server = AnsweringServer(GOOD, capabilities=EVERYTHING)
    async with connected(server) as session:
        found = [each async for each in run_probes(session, uses=[])]

    not_tried = {each.probe.key for each in found if each.result.outcome is Outcome.NOT_TRIED}
    assert not_tried == {"tool-arguments"}  # the others would not apply either
    called = [each for each in server.received if each.get("method") == "tools/call"]
    assert [each["params"]["name"] for each in called] == ["spyglass_unknown_tool"]  # type: ignore[index, call-overload]


async def test_a_lost_connection_ends_the_probes_and_blames_nobody() -> None:
    """Ours."""

    def end(_params: JsonObject) -> Json:
        server.end()
        return silence({})

    server = AnsweringServer({**GOOD, "spyglass/unknown": end}, capabilities=EVERYTHING)
    async with connected(server) as session:
        found = [each async for each in run_probes(session)]

    assert {each.result.outcome for each in found} <= {Outcome.NOT_TRIED, Outcome.NOT_APPLICABLE}


async def test_a_fault_of_a_probe_ends_that_probe_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours: it is reported, and the others are tried."""

    async def break_down(_context: ProbeContext) -> ProbeResult:
        raise KeyError("code")

    faulty = replace(PROBES[0], run=break_down)
    monkeypatch.setattr(runner, "PROBES", (faulty, *PROBES[1:3]))
    reported: list[object] = []
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    loop.set_exception_handler(lambda _, context: reported.append(context.get("exception")))
    async with connected(AnsweringServer(GOOD, capabilities=EVERYTHING)) as session:
        found = [each.result async for each in run_probes(session)]
    loop.set_exception_handler(before)

    outcomes = [each.outcome for each in found]
    assert outcomes == [Outcome.NOT_TRIED, Outcome.PASSED, Outcome.PASSED]
    assert found[0].text == "by a fault of Spyglass: KeyError: 'code'"
    assert [type(each) for each in reported] == [KeyError]


async def test_mistakes_on_purpose_are_no_findings() -> None:
    """Ours: what the server answers is checked as ever."""
    server = AnsweringServer(GOOD, capabilities=EVERYTHING)
    async with connected(server) as session:
        validator = BackgroundValidator(session.transcript, session.revision)
        concluded = [each async for each in run_probes(session)]
        await validator.finish(5)
        columns = session.transcript.columns
        ours = [n for n in range(1, len(columns) + 1) if columns.direction[n - 1] == Direction.SENT]

        assert concluded
        assert [each for n in ours for each in session.transcript.findings(n)] == []


def test_each_probe_says_what_it_sends_and_has_a_key_of_its_own() -> None:
    """Ours."""
    assert len({probe.key for probe in PROBES}) == len(PROBES)
    assert all(probe.sends and probe.title and probe.rules for probe in PROBES)
