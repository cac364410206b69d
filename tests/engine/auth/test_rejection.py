"""What a token says of itself, and what a page says: read without trust."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from inspector.auth import first_look, rejection
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


def words(value: object) -> str:
    grant = replace(GRANT, tokens=Tokens(jwt(value)))
    said, remedy = rejection.explain(grant, NOW)
    assert remedy
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
    assert first_look.page_words(HttpResponse(400, (), page))


def test_only_what_can_be_seen_of_a_page_is_told() -> None:
    """Ours."""
    page = b"<html><head><title>no</title></head><style>no</style><body><h1>invalid_redirect_uri</h1><p>did not  match<script>no</script>"

    assert (
        first_look.page_words(HttpResponse(400, (), page))
        == "invalid_redirect_uri did not match (HTTP 400)"
    )
