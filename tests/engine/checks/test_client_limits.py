"""Limits of clients: restricted to the clients that a server is for, also after it was checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.checks.background_validator import BackgroundValidator
from inspector.checks.clients import CLIENTS, Limit, find_client, limits, read_targets
from inspector.checks.probed import PROBED, PROBING
from inspector.finding import Finding, Severity
from tests.engine.checks.families.conversations import connect
from tests.engine.checks.families.tools_cases import listed, schema, tool
from tests.support.findings import validate_all
from tests.support.talk import Talk

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.json_value import Json

LONG = "A tool. " * 200
"""1,600 characters: more than one client takes, and less than another one cuts."""


def checked(*targets: str) -> tuple[Talk, BackgroundValidator]:
    """The list of one tool that several clients refuse for several reasons, checked for these clients."""
    talk = Talk()
    array = schema(a={"type": "array"})
    listed(tool(name="n" * 50, description=LONG, inputSchema=array))(talk)
    validator = BackgroundValidator(talk.transcript)
    validator.set_targets(frozenset(targets))
    validate_all(validator)
    return talk, validator


def limits_found(talk: Talk) -> dict[str, Severity]:
    """The rules about limits of clients that found something, with their severity."""
    found = talk.transcript.rule_findings
    return {
        rule: found[rule].severity for rule in ("L-MDL-04", "L-MDL-10", "L-MDL-11") if rule in found
    }


def test_only_limits_of_the_targets_are_found_and_a_refusal_is_an_error() -> None:
    """Ours."""
    everyone, _ = checked()
    openai, _ = checked("OpenAI API")
    claude, _ = checked("Claude Code")

    assert limits_found(everyone) == {
        "L-MDL-04": Severity.WARNING,
        "L-MDL-10": Severity.INFO,
        "L-MDL-11": Severity.INFO,
    }
    assert limits_found(openai) == {"L-MDL-04": Severity.ERROR, "L-MDL-11": Severity.ERROR}
    assert limits_found(claude) == {}
    (finding,) = openai.transcript.rule_findings["L-MDL-04"].findings
    assert "VS Code" not in finding.summary


def test_other_targets_check_again_what_was_checked_before() -> None:
    """Ours: the counts of the transcript are as if they had been the targets from the start."""
    fresh, _ = checked("VS Code")
    talk, validator = checked()
    known = talk.transcript.rule_findings["L-MDL-04"]
    before = known.generation

    validator.set_targets(frozenset({"Cursor"}))
    validator.validate_slice(0.0)  # what was found is not all forgotten
    validator.set_targets(frozenset({"VS Code"}))
    validate_all(validator)

    assert (
        limits_found(talk)
        == limits_found(fresh)
        == {
            "L-MDL-04": Severity.ERROR,
            "L-MDL-10": Severity.ERROR,
        }
    )
    assert known.generation > before
    assert talk.transcript.counts == fresh.transcript.counts
    validator.set_targets(frozenset({"Cursor"}))
    validate_all(validator)
    assert talk.transcript.counts.problems == 0


def test_other_findings_stay_when_the_targets_change() -> None:
    """Ours."""
    talk, validator = checked()
    before = {
        rule: found.count
        for rule, found in talk.transcript.rule_findings.items()
        if not rule.startswith("L-MDL")
    }

    validator.set_targets(frozenset({"Cursor"}))
    validate_all(validator)

    after = {rule: found.count for rule, found in talk.transcript.rule_findings.items()}
    assert before
    assert after == before


def list_while_probed(talk: Talk) -> None:
    """A probe lists a tool that clients refuse."""
    talk.note(PROBING, "a probe", probe="slow-reader", edits_http=False)
    talk.request(3, "tools/list")
    talk.result(3, tools=[tool(name="n" * 50, description=LONG)])
    talk.note(PROBED, "passed: all", probe="slow-reader")


def list_with_a_page_that_is_not_read(talk: Talk) -> None:
    """A list of more tools than clients take, with a page between them that is too large."""
    big = tool(description="x" * (1 << 20))
    pages: dict[str, list[Json]] = {
        "a": [tool(name=f"a{n}") for n in range(100)],
        "b": [big],
        "c": [tool(name=f"c{n}") for n in range(100)],
    }
    for id_, (name, following) in enumerate((("a", "b"), ("b", "c"), ("c", None)), 3):
        talk.request(id_, "tools/list", **({} if name == "a" else {"cursor": name}))
        talk.result(id_, tools=pages[name], **({"nextCursor": following} if following else {}))


def list_in_a_later_session(talk: Talk) -> None:
    """A list of a session of another revision than the first one."""
    talk.note("session-renewed", "session expired")
    connect(talk, "2025-03-26", tools={})
    talk.request(4, "tools/list")
    talk.result(4, tools=[tool(name="n" * 70, description=LONG, title="T")])


@pytest.mark.parametrize(
    "say", [list_while_probed, list_with_a_page_that_is_not_read, list_in_a_later_session]
)
def test_what_is_checked_again_is_found_as_if_it_had_not_been_checked_before(
    say: Callable[[Talk], None],
) -> None:
    """Ours: not what a probe provokes, nor lists of which a page is not known; each session by its revision."""
    found: list[dict[str, tuple[Finding, ...]]] = []
    for chosen_late in (False, True):
        talk = Talk()
        connect(talk, tools={})
        say(talk)
        validator = BackgroundValidator(talk.transcript)
        if chosen_late:
            validate_all(validator)
        validator.set_targets(frozenset({"VS Code"}))
        validate_all(validator)
        found.append(
            {rule: tuple(each.findings) for rule, each in talk.transcript.rule_findings.items()}
        )

    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["VS Code", "vscode", "vs-code", "VS code"])
def test_a_client_is_found_however_its_name_is_spelled(name: str) -> None:
    """Ours."""
    assert find_client(name) == "VS Code"


def test_a_saved_value_of_another_version_names_the_clients_that_are_known() -> None:
    """Ours."""
    assert read_targets(["Cursor", "A new client", 5]) == {"Cursor"}
    assert read_targets({"Cursor": True}) == frozenset()


@pytest.mark.parametrize("client", CLIENTS)
def test_every_client_has_a_limit(client: str) -> None:
    """Ours: a choice without any effect would be no choice."""
    assert any(limits(each, 10**9, frozenset({client})) for each in Limit)
