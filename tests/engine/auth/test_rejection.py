"""What a token says of itself, and what a page says: read without trust."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from inspector.auth import browser, rejection
from inspector.auth.client import Client
from inspector.auth.grant import Grant
from inspector.auth.messages import HttpResponse
from inspector.auth.tokens import Tokens

ISSUER, SERVER, NOW = "https://as.example", "https://mcp.example/mcp", 1000.0
GRANT = Grant(SERVER, Client(ISSUER, "me"), SERVER, (), Tokens("opaque"), f"{ISSUER}/token")
GOOD = {"aud": SERVER, "iss": ISSUER, "nbf": 900, "exp": 1100}


def jwt(value: object) -> str:
    def part(text: str) -> str:
        return base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()

    return f"{part('{}')}.{part(json.dumps(value))}.x"


def test_a_signature_that_only_the_issuer_can_check_is_told() -> None:
    """Ours: servers check tokens with the keys that are published."""
    part = base64.urlsafe_b64encode(b'{"alg":"HS256"}').rstrip(b"=").decode()
    token = f"{part}.{jwt(GOOD).partition('.')[2]}"

    assert "HS256" in rejection.explain(replace(GRANT, tokens=Tokens(token)), NOW)[0]


def words(value: object) -> str:
    grant = replace(GRANT, tokens=Tokens(jwt(value)))
    said, hint = rejection.explain(grant, NOW)
    assert hint
    return said


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, "are right"),
        ({"aud": ["x", SERVER.upper().replace("/MCP", "/mcp")]}, "are right"),
        ({"aud": "https://other.example"}, "https://other.example"),
        ({"aud": None}, "missing"),
        ({"aud": [5]}, "missing"),
        ({"nbf": 1060}, "60 s"),
        ({"exp": 940}, "60 s"),
        ({"iss": f"{ISSUER}/"}, f"{ISSUER}/"),
    ],
)
def test_what_a_token_says_is_compared_with_what_was_asked_for(
    change: dict[str, object], told: str
) -> None:
    """C-AUT-30; RFC 9068, section 4."""
    assert told in words({**GOOD, **change})


def test_a_token_for_the_resource_of_the_metadata_is_the_mistake_of_the_metadata() -> None:
    """C-AUT-30: the authorization server issued what was requested."""
    resource = "https://mcp.example/other"
    for_metadata = replace(GRANT, resource=resource, tokens=Tokens(jwt({**GOOD, "aud": resource})))
    for_another = replace(GRANT, tokens=Tokens(jwt({**GOOD, "aud": resource})))

    assert "metadata of the server" in rejection.explain(for_metadata, NOW)[1]
    assert "authorization server must" in rejection.explain(for_another, NOW)[1]


@pytest.mark.parametrize(
    ("change", "clocks", "told"),
    [
        ({"iat": 1060, "nbf": None}, {}, "authorization server is ahead"),
        ({"nbf": 1060}, {"issuer_ahead": 60.0}, "authorization server is 60 s ahead of ours"),
        ({"nbf": 990}, {"server_ahead": -74.0}, "the server is 74 s behind ours"),
        ({"exp": 1060}, {"server_ahead": 90.0}, "the server is 90 s ahead of ours"),
        ({"nbf": 1060}, {"server_ahead": 60.0}, "are right"),
        ({"nbf": 1060}, {"issuer_ahead": 2.0, "server_ahead": 1.0}, "server is ahead"),
    ],
)
def test_a_time_is_held_against_the_clock_of_the_server_and_the_wrong_clock_is_named(
    change: dict[str, object], clocks: dict[str, float], told: str
) -> None:
    """Ours: three clocks take part, and a user sees only his own."""
    grant = replace(GRANT, tokens=Tokens(jwt({**GOOD, **change})))

    said, hint = rejection.explain(grant, NOW, **clocks)
    assert told in said
    wrong = [whose for whose, ahead in clocks.items() if abs(ahead) > 5]
    assert ("both" in hint) is (not wrong) or "are right" in said


@pytest.mark.parametrize(
    ("date", "seconds"),
    [
        ("Thu, 01 Jan 1970 00:17:40 GMT", 60.0),
        (" Thu, 01 Jan 1970 00:15:40 GMT ", -60.0),
        ("", None),
        ("yesterday", None),
        ("Thu, 32 Jan 1970 00:17:40 GMT", None),
    ],
)
def test_the_clock_of_a_server_is_taken_from_its_date(date: str, seconds: float | None) -> None:
    """RFC 9110, section 6.6.1."""
    assert rejection.seconds_ahead(date, NOW) == seconds


@given(st.text(max_size=40))
def test_whatever_stands_in_a_date_there_is_a_number_or_nothing(date: str) -> None:
    """Ours: never an exception."""
    seconds = rejection.seconds_ahead(date, NOW)
    assert seconds is None or isinstance(rejection.skew_text("it", seconds), str)


_VALUES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.lists(st.text(max_size=3))
)


@given(
    st.dictionaries(st.sampled_from(list(GOOD)), _VALUES),
    st.text(max_size=60),
    st.binary(max_size=60),
)
def test_whatever_a_token_or_a_page_is_there_is_a_sentence(
    value: dict[str, object], token: str, page: bytes
) -> None:
    """Ours: never an exception."""
    assert words(value)
    assert rejection.explain(replace(GRANT, tokens=Tokens(token)), NOW)[0]
    assert rejection.explain(replace(GRANT, tokens=Tokens(f"a.{token}.b")), NOW)[0]
    assert browser.page_text(HttpResponse(400, (), page))


def test_only_what_can_be_seen_of_a_page_is_told() -> None:
    """Ours."""
    page = b"<html><head><title>no</title></head><style>no</style><body><h1>invalid_redirect_uri</h1><p>did not  match<script>no</script>"

    assert (
        browser.page_text(HttpResponse(400, (), page))
        == "invalid_redirect_uri did not match (HTTP 400)"
    )
