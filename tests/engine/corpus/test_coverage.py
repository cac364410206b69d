"""Every case that is here is played by a test that names it, and again without a handshake wherever it makes sense; ours."""

from __future__ import annotations

import functools
import json
from collections import Counter
from pathlib import Path

import pytest

from tests.support.corpus import CASES
from tests.support.corpus_stateless import TESTS as ALL_TESTS
from tests.support.corpus_stateless import all_plays, played_in

TESTS = Path(__file__).parent

OF_THE_ERA = {
    "http-14-array-body": 1,
    "lifecycle-09-discover-fallbacks": 6,
    "lifecycle-10-discover-unsupported-version": 1,
    "list-01-cursor-empty-modern": 1,
    "list-09-result-shapes": 1,
    "modern-01-xheader-mirror": 7,
    "modern-02-xheader-invalid-tools": 1,
    "modern-04-name-header-encoding": 4,
    "modern-06-result-type": 4,
    "modern-07-mrtr-state-exact": 1,
    "modern-09-no-session-no-get": 1,
    "modern-11-meta-required": 1,
    "modern-12-subscriptions-stream": 1,
    "resource-10-not-found-codes": 1,
    "result-29-structured-non-object": 3,
    "sse-12-closes-before-response": 1,
}
"""The cases that are about the stateless era, each with the number of its plays there."""

IN_BOTH_ERAS = (
    "elicitation",
    "http",
    "list",
    "prompt",
    "resource",
    "result",
    "sampling",
    "sse",
    "text",
)
"""Kinds whose cases are played without a handshake too."""

WITHOUT_PLAYS = {
    "http-16-redirect-307-slash": "test_http_ways.py plays it in both eras",
    "http-17-redirect-downgrade": "test_http_ways.py plays it in both eras",
    "http-19-redirect-loop": "test_http_ways.py plays it in both eras",
    "http-24-version-refused-early": "about the handshake; test_hostile_discovery.py has its like",
    "http-26-compressed": "test_http_ways.py plays it in both eras",
    "http-29-tls-dns": "ends before there is an era",
    "http-30-custom-headers": "ends before there is an era",
    "http-32-http2-and-keepalive": "test_http_ways.py plays it in both eras",
    "list-11-endless-distinct-pages": "the era has no part in it: pages are read in one place",
    "prompt-03-get-only-when-filled": "nothing is sent",
    "prompt-04-completion-on-focus": "about the screen alone",
    "prompt-08-prompts-list-unsupported": "about what a handshake declares",
    "resource-01-template-encodes": "about the text of an address",
    "resource-03-template-operators": "about the text of an address",
    "resource-04-template-same-var-twice": "about the text of an address",
    "resource-07-custom-scheme-read": "about the screen; what leaves is played by resource-06",
    "resource-13-subscribe-unsupported": "this era subscribes by streams: test_hostile_streams.py",
    "sse-15-legacy-endpoint-relative": "a transport that the era does not have",
    "sse-17-legacy-no-endpoint": "a transport that the era does not have",
    "text-05-copy-exactness": "about the clipboard; the call is a play of its own",
}
"""Cases of those kinds that are not, each with the reason."""


@functools.cache
def played() -> dict[str, list[str]]:
    """The plays that the tests of this folder take."""
    return played_in(TESTS)


def test_every_case_has_a_test_that_names_it() -> None:
    """Ours."""
    tests = "".join(file.read_text() for file in TESTS.glob("test_*.py"))
    names = {file.stem for file in CASES.rglob("*.json")}

    assert len(names) > 30
    assert {name for name in names if f'"{name}"' not in tests and f"{name}:" not in tests} == set()


def test_every_case_is_where_its_id_and_kind_say() -> None:
    """Ours."""
    for file in CASES.rglob("*.json"):
        case = json.loads(file.read_text())
        assert (case["id"], case["kind"]) == (file.stem, file.parent.name)
        assert set(case) == {"id", "kind", "title", "input", "expect"}


def test_the_cases_of_the_stateless_era_are_known() -> None:
    """Ours: a case or a variant that goes is missed."""
    assert Counter(play.case for play in all_plays()) == OF_THE_ERA


@pytest.mark.parametrize("name", [str(play) for play in all_plays()])
def test_each_variant_of_the_stateless_era_is_played(name: str) -> None:
    """Ours."""
    assert played().get(name, []) != []


def test_the_other_cases_are_played_without_a_handshake_too() -> None:
    """Ours; a reason that is no longer needed goes."""
    files = set(ALL_TESTS.rglob("cases/**/*.json"))
    kinds = {path.stem: json.loads(path.read_text())["kind"] for path in files}
    cases = {play.partition("/")[0] for play in played()}
    missing = {name for name, kind in kinds.items() if kind in IN_BOTH_ERAS} - cases

    assert missing == set(WITHOUT_PLAYS)
