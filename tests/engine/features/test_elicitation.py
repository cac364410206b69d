"""Requests for input of the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.errors import PeerError
from inspector.features.elicitation import DONE, UNDER_WAY, url_visits
from inspector.spec.revision import V2025_06_18
from inspector.spec.views.elicitation import ElicitationView, host_of, url_cautions
from tests.support.asked import Asker, asker
from tests.support.findings import rules_of, validate_all
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

METHOD = "elicitation/create"
COMPLETE = "notifications/elicitation/complete"
FORM: JsonObject = {
    "message": "Who?",
    "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
}
VISIT: JsonObject = {
    "mode": "url",
    "message": "Go",
    "url": "https://example.com/x",
    "elicitationId": "e1",
}


def rules(asking: Asker) -> set[str]:
    validate_all(asking.opened.sweep)
    return set(rules_of(asking.opened.session.transcript))


async def test_an_accepted_form_sends_its_content_as_written() -> None:
    """C-ELI-26."""
    async with asker() as asking:
        asking.ask(1, METHOD, FORM)
        ask = await asking.waits()
        assert ask.title == "Who?"
        asking.opened.elicitation.accept(ask, '{ "name": "A", "n": 1e3 }')
        await asking.answer_to(1)

        wanted = b'"result":{"action":"accept","content":{"name":"A","n":1e3}}'
        assert wanted in asking.server.raws[-1]


@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_declining_and_cancelling_are_two_things_and_send_no_content(action: str) -> None:
    """C-ELI-26; elicit-04."""
    async with asker() as asking:
        asking.ask(1, METHOD, FORM)
        getattr(asking.opened.elicitation, action)(await asking.waits())

        assert (await asking.answer_to(1))["result"] == {"action": action}


@pytest.mark.parametrize(
    ("declares", "params", "code"),
    [
        ({}, FORM, -32601),
        ({"elicitation": {}}, VISIT, -32602),
        ({"elicitation": {"url": {}}}, FORM, -32602),
        ({"elicitation": {"form": {}, "url": {}}}, {**FORM, "mode": "hologram"}, -32602),
    ],
)
async def test_an_undeclared_mode_is_refused(
    declares: JsonObject, params: JsonObject, code: int
) -> None:
    """C-LC-14, C-ELI-14."""
    async with asker(declares=declares) as asking:
        asking.ask(1, METHOD, params)
        error = (await asking.answer_to(1))["error"]

        assert isinstance(error, dict)
        assert error["code"] == code
        assert rules(asking) & {"L-ELI-08", "L-JR-32"}


async def test_an_empty_capability_means_forms() -> None:
    """C-ELI-04, C-ELI-03."""
    async with asker(declares={"elicitation": {}}) as asking:
        asking.ask(1, METHOD, FORM)
        await asking.waits()


async def test_consent_to_a_page_is_not_its_completion() -> None:
    """C-ELI-22, C-ELI-25."""
    async with asker() as asking:
        asking.ask(1, METHOD, VISIT)
        ask = await asking.waits()
        asking.opened.elicitation.consent(ask)

        assert (await asking.answer_to(1))["result"] == {"action": "accept"}
        assert asking.inbox.note(ask) == UNDER_WAY
        asking.server.notify(COMPLETE, {"elicitationId": "e1"})
        await wait_until(lambda: asking.inbox.note(ask) == DONE)
        assert asking.opened.elicitation.is_complete("e1")
        assert "L-ELI-14" not in rules(asking)


@pytest.mark.parametrize("params", [{"elicitationId": "other"}, {}, None, {"elicitationId": 5}])
async def test_a_completion_of_something_unknown_changes_nothing(params: JsonObject | None) -> None:
    """C-ELI-22."""
    async with asker() as asking:
        asking.ask(1, METHOD, VISIT)
        ask = await asking.waits()
        asking.server.notify(COMPLETE, params)
        await wait_until(lambda: "L-ELI-14" in rules(asking))

        assert asking.inbox.note(ask) == ""


async def test_a_page_that_is_complete_before_the_person_agreed_is_told_as_such() -> None:
    """C-ELI-22."""
    async with asker() as asking:
        asking.ask(1, METHOD, VISIT)
        ask = await asking.waits()
        asking.server.notify(COMPLETE, {"elicitationId": "e1"})
        await wait_until(lambda: asking.inbox.note(ask) == DONE)
        asking.opened.elicitation.consent(ask)

        assert asking.inbox.note(ask) == DONE


def test_an_error_lists_the_pages_it_wants_visited() -> None:
    """C-ELI-28."""
    data: Json = {"elicitations": [VISIT, {"mode": "form", "url": "https://b.test"}, 5, {}]}
    found = url_visits(PeerError(-32042, "first visit", data))

    assert [visit.url for visit in found] == ["https://example.com/x", "https://b.test"]
    assert [visit.elicitation_id for visit in found] == ["e1", None]
    assert url_visits(PeerError(-32602, "x", data)) == ()
    assert url_visits(PeerError(-32042, "x", None)) == ()


@pytest.mark.parametrize(
    ("url", "host", "rules"),
    [
        ("https://example.com/a", "example.com", set[str]()),
        ("http://example.com", "example.com", {"L-ELI-11"}),
        ("http://localhost:8080/", "localhost", set[str]()),
        ("https://good.test@evil.test/", "evil.test", {"L-ELI-12"}),
        ("https://xn--pple-43d.test", "xn--pple-43d.test", {"L-ELI-20"}),
        ("https://\u0430pple.test", "xn--pple-43d.test", {"L-ELI-20"}),
        ("https://a.test/?token=x", "a.test", {"L-ELI-12"}),
        ("https://good.test%40evil.test/", "good.test%40evil.test", {"L-ELI-09"}),
        ("https://a.test/\u202egpj.exe", "a.test", {"L-ELI-20"}),
        ("https://a.te\tst/", "a.test", {"L-ELI-20"}),
        ("https://[::1]/", "::1", set[str]()),
        ("javascript:alert(1)", "", {"L-ELI-09"}),
        ("https://[bad", "", {"L-ELI-09"}),
        ("https://a.test:99999999", "a.test", {"L-ELI-09"}),
        ("", "", {"L-ELI-09"}),
    ],
)
def test_what_is_suspicious_about_an_address_is_told(url: str, host: str, rules: set[str]) -> None:
    """C-ELI-19, C-ELI-20, C-SEC-10."""
    assert host_of(url) == host
    assert {rule for rule, _words in url_cautions(url)} == rules


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("https://example.com/a b", "the URL contains a space"),
        ("https://a.te\tst/", "the URL contains invisible characters"),
        ("https://[fe80::1%25eth0]/", "browsers do not open an IPv6 address with a zone"),
        ("https://a%b.test/", "the host is not a valid host name"),
    ],
)
def test_the_caution_about_an_address_says_what_is_wrong_with_it(url: str, text: str) -> None:
    """Ours."""
    assert [words for _rule, words in url_cautions(url)] == [text]


@pytest.mark.parametrize(
    ("field", "rule"),
    [
        ({"type": "object"}, "L-ELI-03"),
        ({"type": "array", "items": {"type": "object"}}, "L-ELI-03"),
        ({"$ref": "#/x"}, "L-ELI-03"),
        (5, "L-ELI-03"),
        ({"type": "string", "format": "ipv4"}, "L-ELI-04"),
        ({"type": "string", "title": "Your password"}, "L-ELI-01"),
        ({"type": "string", "description": "see https://evil.test/x"}, "L-ELI-13"),
    ],
)
def test_what_a_form_must_not_ask_is_found(field: Json, rule: str) -> None:
    """elicit-07, elicit-10."""
    schema: Json = {"type": "object", "properties": {"f": field}}
    view = ElicitationView({"message": "m", "requestedSchema": schema})

    assert rule in {note.rule for note in view.notes}


def test_a_field_that_says_what_not_to_enter_is_not_taken_for_one_that_asks_for_it() -> None:
    """Ours; met in the official server that has everything."""
    said = "Your favourite number (do not give us your phone number, pin, or card number)"
    field: Json = {"type": "integer", "description": said}
    schema: Json = {"type": "object", "properties": {"number": field}}

    assert not ElicitationView({"message": "m", "requestedSchema": schema}).notes


def test_an_older_revision_knows_no_pages() -> None:
    """C-ELI-04."""
    view = ElicitationView(VISIT, revision=V2025_06_18)

    assert not view.is_url
    assert "url" in view.unknown
