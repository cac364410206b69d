"""Streams of announcements in a record are judged as live ones are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.checks.background_validator import BackgroundValidator
from inspector.spec.keys import META, META_SUBSCRIPTION_ID
from inspector.spec.revision import V2026_07_28
from inspector.spec.subscription_filter import ACKNOWLEDGED, LISTEN, SubscriptionFilter, read_filter
from tests.support.findings import rules_of, validate_all
from tests.support.talk import Talk

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

TOOLS, PROMPTS = "notifications/tools/list_changed", "notifications/prompts/list_changed"
UPDATED = "notifications/resources/updated"
ASKED: JsonObject = {"toolsListChanged": True, "resourceSubscriptions": ["a:1"]}


def announced(talk: Talk, method: str, **params: Json) -> None:
    tag: JsonObject = {META_SUBSCRIPTION_ID: 1}
    talk.received({"jsonrpc": "2.0", "method": method, "params": {**params, META: tag}})


def opened(agreed: JsonObject | None) -> Talk:
    """A stream that was asked for, and agreed to unless that is None."""
    talk = Talk()
    talk.request(1, LISTEN, notifications=ASKED)
    if agreed is not None:
        announced(talk, ACKNOWLEDGED, notifications=agreed)
    return talk


def rules(talk: Talk) -> list[str]:
    validate_all(BackgroundValidator(talk.transcript, V2026_07_28))
    return [rule for rule in rules_of(talk.transcript) if rule.startswith("L-SUB")]


@pytest.mark.parametrize(
    ("method", "params", "found"),
    [
        (TOOLS, {}, []),
        (UPDATED, {"uri": "a:1/part"}, []),
        (PROMPTS, {}, ["L-SUB-03"]),
        (UPDATED, {"uri": "b:1"}, ["L-SUB-03"]),
    ],
)
def test_what_was_not_asked_for_is_found(method: str, params: JsonObject, found: list[str]) -> None:
    """L-SUB-03."""
    talk = opened(ASKED)
    announced(talk, method, **params)
    assert rules(talk) == found


def test_what_comes_before_the_agreement_is_found() -> None:
    """L-SUB-01."""
    talk = opened(None)
    announced(talk, TOOLS)
    assert rules(talk) == ["L-SUB-01"]


def test_an_agreement_to_more_is_found() -> None:
    """L-SUB-05."""
    assert rules(opened({**ASKED, "promptsListChanged": True})) == ["L-SUB-05"]


@pytest.mark.parametrize(("tag", "found"), [(1, []), (2, ["L-SUB-07"])])
def test_an_end_of_another_stream_is_found(tag: int, found: list[str]) -> None:
    """L-SUB-07."""
    talk = opened(ASKED)
    talk.result(1, resultType="complete", _meta={META_SUBSCRIPTION_ID: tag})
    assert rules(talk) == found


def test_a_filter_is_read_as_it_was_written() -> None:
    """Ours."""
    written = SubscriptionFilter(frozenset({TOOLS}), ("a:1",), {"own": [1]})
    assert read_filter(written.as_json()) == written
