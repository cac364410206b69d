"""Exchanges that are right, and that checks of servers are known to report: nothing is found in any of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from inspector.spec.revision import V2024_11_05, V2025_11_25, V2026_07_28, Revision
from tests.engine.checks.families.conversations import ask, connect, discover, meta, notify
from tests.engine.checks.families.tools_cases import called, listed, says, schema, tool
from tests.support.rule_cases import found_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.finding import Finding
    from inspector.json_value import Json
    from tests.support.talk import Talk

EXPECTED = frozenset(["L-IMP-02", "L-CAP-08", "L-Q-01"])
"""Notes about what the samples leave out for brevity. None of the alarms is about it."""


class Alarm(NamedTuple):
    """Something that is right."""

    name: str
    """What is reported about it elsewhere."""
    write: Callable[[Talk], object]
    revision: Revision = V2025_11_25
    allowed: frozenset[str] = frozenset()
    """Rules that find something else in it, which is true."""


def declares_tasks(talk: Talk) -> None:
    """A handshake with a capability that came with the revision."""
    connect(talk, tasks={"list": {}, "cancel": {}})


def unknown_method(talk: Talk) -> None:
    """A request of a method that no server has, answered as it should be."""
    connect(talk)
    talk.request(2, "no/such/method")
    talk.error(2, -32601, "Method not found")


def announcement_before_the_answer(talk: Talk) -> None:
    """A list that changes while a call runs: the notification comes before the answer."""
    connect(talk, tools={"listChanged": True})
    talk.call(2, "get_sum")
    notify(talk, "notifications/tools/list_changed")
    talk.text_result(2, "3")


def discovery_in_the_older_era(talk: Talk) -> None:
    """A server of both eras, which does not know `server/discover` in a session that began with a handshake."""
    connect(talk)
    ask(talk, 2, "server/discover")
    talk.error(2, -32601, "Method not found")


def asked_with_an_old_revision(talk: Talk) -> None:
    """A client that asks for the first revision, and gets it."""
    connect(talk, "2024-11-05")


def two_results(name: str, **hints: Json) -> Callable[[Talk], object]:
    """The same call twice, with different results."""

    def write(talk: Talk) -> None:
        listed(tool(name=name, annotations=hints))(talk)
        for id_, text in ((7, "on"), (8, "off")):
            talk.call(id_, name)
            talk.text_result(id_, text)

    return write


def discovered_without_older_revisions(talk: Talk) -> None:
    """A server of both eras whose discovery names what a stateless request can choose."""
    discover(talk, capabilities={"tools": {}})
    ask(talk, 2, "tools/list", meta())
    talk.result(2, resultType="complete", tools=[], ttlMs=0, cacheScope="public")


def open_on_loopback(talk: Talk) -> None:
    """A server on this computer that needs no login."""
    talk.http.host = "127.0.0.1:80"
    talk.http.request("tools/list")
    talk.http.result("application/json", {"tools": []})


OPEN: Json = {"type": "object"}
STRING: Json = {"type": "string", "description": "What to compare with, such as a branch."}
ANY: Json = {
    "description": "A value.",
    "anyOf": [{"type": each} for each in ("string", "number", "null")],
}

ALARMS = (
    Alarm("the capability tasks is unknown", declares_tasks),
    Alarm("an unknown method has no code -32601", unknown_method, allowed=frozenset(["L-JR-33"])),
    Alarm(
        "the input schema is empty",
        listed(tool(inputSchema={"type": "object", "additionalProperties": False})),
        allowed=frozenset(["L-MDL-06"]),
    ),
    Alarm("a parameter that is named target is a URL", listed(tool(name="git_diff", inputSchema=schema(target=STRING)))),
    Alarm("the id of the response is another", announcement_before_the_answer),
    Alarm("server/discover is missing", discovery_in_the_older_era),
    Alarm("the revision is four behind", asked_with_an_old_revision, V2024_11_05, frozenset(["L-JR-34"])),
    Alarm("results differ though the tool keeps a state", two_results("toggle_logging", readOnlyHint=False)),
    Alarm("results differ though the tool is not idempotent", two_results("think", readOnlyHint=True)),
    Alarm(
        "invalid arguments are accepted",
        called(says("3"), (tool(inputSchema=OPEN),), arguments={"surplus": 1}),
        allowed=frozenset(["L-TOOL-16", "L-MDL-06"]),
    ),
    Alarm(
        "the collection has no limit",
        listed(tool(name="create_entities", description="Create multiple new entities.", annotations={"readOnlyHint": False})),
    ),
    Alarm("success tells of an error", called(says("Error: Operation failed"), arguments={"messageType": "error"})),
    Alarm(
        "the description does not state effects",
        listed(tool(name="delete_entities", description="Delete multiple entities and their relations.", annotations={"readOnlyHint": False, "destructiveHint": True})),
    ),
    Alarm(
        "words about networks contradict openWorldHint",
        listed(tool(name="read_file", description="Reads a file from the path; no URL is fetched.", annotations={"readOnlyHint": True, "openWorldHint": False})),
    ),
    Alarm(
        "the name of a read-only tool has a verb of effect",
        listed(tool(name="trigger-long-running-operation", description="Demonstrates progress of a long operation.", annotations={"readOnlyHint": True})),
    ),
    Alarm(
        "a model API refuses minItems and anyOf",
        listed(tool(inputSchema=schema(a={"type": "array", "minItems": 1, "items": {"type": "string"}, "description": "Names."}, b=ANY))),
    ),
    Alarm(
        "clients refuse integers, lists of types and long descriptions",
        listed(tool(description="Adds two numbers. " * 20, inputSchema=schema(a={"type": "integer", "description": "One."}, b={"type": ["string", "null"], "description": "Two."}))),
    ),
    Alarm("discovery leaves out the older revision", discovered_without_older_revisions, V2026_07_28),
    Alarm("loopback without TLS and OAuth", open_on_loopback),
)  # fmt: skip


@pytest.mark.parametrize("alarm", ALARMS, ids=lambda alarm: alarm.name)
def test_what_is_right_is_no_finding(alarm: Alarm) -> None:
    """Ours: a false alarm costs more than a miss."""
    found = found_in(alarm.write, alarm.revision)

    assert [_text(each) for each in found if each.rule not in EXPECTED | alarm.allowed] == []


def _text(finding: Finding) -> str:
    return f"{finding.rule} {finding.summary}"
