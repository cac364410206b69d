"""Answers of token endpoints: read tolerantly, with a check for each fault."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.auth import tokens
from inspector.auth.check import CheckResult, worst
from inspector.auth.messages import FORM, JSON, HttpResponse

NOW = 1000.0
GOOD = {"access_token": "a", "token_type": "Bearer", "expires_in": 60, "refresh_token": "r"}


def answer(
    value: object, status: int = 200, *, asked: tuple[str, ...] = ()
) -> tokens.TokenResponse:
    headers = (("content-type", JSON), ("cache-control", "no-store"))
    response = HttpResponse(status, headers, json.dumps(value).encode())
    return tokens.read(response, requested=asked, now=NOW)


def test_a_sound_answer_breaks_no_rule() -> None:
    """RFC 6749, section 5.1."""
    found = answer(GOOD, asked=("x",))

    assert found.tokens == tokens.Tokens("a", "Bearer", "r", ("x",), NOW + 60)
    assert worst(found.checks) is CheckResult.PASSED


def test_an_error_with_a_good_status_is_an_error() -> None:
    """Ours: servers in the field send it."""
    found = answer({"error": "invalid_grant", "error_description": "gone"})

    assert (found.tokens, found.error) == (None, "invalid_grant")
    assert "gone" in found.reason
    assert worst(found.checks) is CheckResult.FAILED


def test_a_form_is_read_and_told() -> None:
    """Ours: servers in the field send it to clients that say nothing."""
    body = b"access_token=a&token_type=bearer&scope=x+y"
    found = tokens.read(HttpResponse(200, (("content-type", FORM),), body), requested=(), now=NOW)

    assert found.tokens is not None
    assert (found.tokens.access, found.tokens.scopes) == ("a", ("x", "y"))
    assert worst(found.checks) is CheckResult.FAILED


@pytest.mark.parametrize(
    ("expires_in", "expires_at", "verdict"),
    [
        ("60", NOW + 60, CheckResult.FAILED),
        (None, math.inf, CheckResult.INFO),
        (-1, math.inf, CheckResult.FAILED),
        (True, math.inf, CheckResult.FAILED),
        ([60], math.inf, CheckResult.FAILED),
        (10**400, math.inf, CheckResult.FAILED),
        (10**15, NOW + tokens.MAX_LIFE_SECONDS, CheckResult.WARNING),
    ],
)
def test_a_life_of_any_type_is_read_and_told(
    expires_in: object, expires_at: float, verdict: CheckResult
) -> None:
    """L-AUT-19; ours."""
    found = answer({**GOOD, "expires_in": expires_in})

    assert found.tokens is not None
    assert found.tokens.expires_at == expires_at
    assert worst(found.checks) is verdict


@pytest.mark.parametrize(
    ("scope", "read"),
    [("x y", ("x", "y")), ("x,y", ("x", "y")), (["x", "y"], ("x", "y")), (5, ()), ("", ())],
)
def test_scopes_are_read_however_they_are_spelled(scope: object, read: tuple[str, ...]) -> None:
    """Ours."""
    found = answer({**GOOD, "scope": scope}, asked=("x", "y"))

    assert found.tokens is not None
    assert found.tokens.scopes == read


@pytest.mark.parametrize("token", ["", None, 5, "a b", "a\nb", "ä", ["a"]])
def test_a_token_that_cannot_be_sent_is_none(token: object) -> None:
    """RFC 6750, section 2.1; C-SEC-08."""
    found = answer({**GOOD, "access_token": token})

    assert found.tokens is None
    assert found.reason


def test_tokens_do_not_show_themselves() -> None:
    """C-AUT-42."""
    assert "secret" not in repr(tokens.Tokens("secret", refresh="secret", id_token="secret"))


_VALUES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=9)
    | st.lists(st.text(max_size=3))
)


@given(
    st.dictionaries(st.sampled_from([*GOOD, "scope", "error", "error_description"]), _VALUES),
    st.sampled_from([0, 200, 302, 400, 500]),
    st.binary(max_size=30),
)
def test_whatever_a_token_endpoint_says_there_are_tokens_or_a_sentence(
    value: dict[str, object], status: int, junk: bytes
) -> None:
    """Ours: never an exception."""
    for found in (
        answer(value, status),
        tokens.read(HttpResponse(status, (), junk), requested=(), now=NOW),
    ):
        assert (found.tokens is None) is bool(found.reason)
