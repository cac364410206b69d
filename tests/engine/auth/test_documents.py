"""Metadata documents: what is read of them, and what the rules say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.auth import document
from inspector.auth.check import CheckResult, worst
from inspector.auth.messages import JSON, HttpResponse
from inspector.auth.metadata import check_resource, check_server, read_resource, read_server

if TYPE_CHECKING:
    from inspector.auth.check import Check

SERVER, ISSUER = "https://mcp.example/mcp", "https://as.example"
GOOD = {
    "issuer": ISSUER,
    "authorization_endpoint": f"{ISSUER}/authorize",
    "token_endpoint": f"{ISSUER}/token",
    "code_challenge_methods_supported": ["S256"],
    "client_id_metadata_document_supported": True,
    "authorization_response_iss_parameter_supported": True,
}


def found(value: object, status: int = 200) -> document.Document:
    response = HttpResponse(status, (("Content-Type", JSON),), json.dumps(value).encode())
    return document.read("https://x.example", response)


def resource_checks(value: object) -> tuple[Check, ...]:
    return check_resource(read_resource(found(value)), SERVER)


def server_checks(value: object) -> tuple[Check, ...]:
    metadata = read_server(found(value), ISSUER)
    return check_server(metadata, needs_authorization=True, must_list_pkce=True)


def broken(checks: tuple[Check, ...]) -> list[str]:
    return [each.rule for each in checks if each.result is CheckResult.FAILED]


@pytest.mark.parametrize(
    ("status", "body", "media_type", "text"),
    [
        (404, b"", "", "HTTP 404"),
        (200, b"<html>", "text/html", "a web page came instead of JSON"),
        (200, b" <!doctype html>", JSON, "a web page came instead of JSON"),
        (200, b"", JSON, "the body is empty"),
        (200, b"[1]", JSON, "the body is an array, not an object"),
        (200, b"null", JSON, "the body is null, not an object"),
        (200, b'"x"', JSON, "the body is a string, not an object"),
        (200, b"1e9", JSON, "the body is a number, not an object"),
        (200, b"true", JSON, "the body is a boolean, not an object"),
    ],
)
def test_what_comes_in_the_place_of_a_document_is_told(
    status: int, body: bytes, media_type: str, text: str
) -> None:
    """Ours."""
    response = HttpResponse(status, (("content-type", media_type),), body)
    read = document.read("https://x.example", response)

    assert (read.value, read.reason) == (None, text)


def test_a_sound_document_breaks_no_rule() -> None:
    """RFC 9728, section 2; RFC 8414, section 2."""
    assert (
        worst(resource_checks({"resource": SERVER, "authorization_servers": [ISSUER]}))
        is CheckResult.PASSED
    )
    assert worst(server_checks(GOOD)) is CheckResult.PASSED


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ({"authorization_servers": [ISSUER]}, "L-AUT-04"),
        ({"resource": "https://evil.example/mcp", "authorization_servers": [ISSUER]}, "L-AUT-04"),
        ({"resource": "http://mcp.example/mcp", "authorization_servers": [ISSUER]}, "L-AUT-04"),
        ({"resource": SERVER}, "L-AUT-03"),
        ({"resource": SERVER, "authorization_servers": []}, "L-AUT-03"),
        ({"resource": SERVER, "authorization_servers": ISSUER}, "L-AUT-03"),
        ({"resource": SERVER, "authorization_servers": ["http://as.example"]}, "L-AUT-08"),
    ],
)
def test_metadata_of_a_server_that_breaks_a_rule_is_told(value: object, rule: str) -> None:
    """C-AUT-02, C-AUT-49."""
    assert rule in broken(resource_checks(value))


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"issuer": f"{ISSUER}/"}, "L-AUT-06"),
        ({"issuer": "https://AS.example"}, "L-AUT-06"),
        ({"issuer": 5}, "L-AUT-06"),
        ({"token_endpoint": None}, "RFC 8414, section 2"),
        ({"token_endpoint": "http://as.example/token"}, "L-AUT-08"),
        ({"authorization_endpoint": "javascript:alert(1)"}, "L-AUT-23"),
        ({"code_challenge_methods_supported": ["plain"]}, "L-AUT-07"),
        ({"code_challenge_methods_supported": None}, "L-AUT-07"),
    ],
)
def test_metadata_of_an_authorization_server_that_breaks_a_rule_is_told(
    change: dict[str, object], rule: str
) -> None:
    """C-AUT-07, C-AUT-24, C-AUT-46."""
    assert rule in broken(server_checks({**GOOD, **change}))


def test_an_issuer_that_differs_in_a_slash_only_says_so() -> None:
    """C-AUT-07."""
    text = next(
        each.summary
        for each in server_checks({**GOOD, "issuer": f"{ISSUER}/"})
        if each.rule == "L-AUT-06"
    )

    assert "slash" in text


_NAMES = st.sampled_from(
    [
        *GOOD,
        "resource",
        "authorization_servers",
        "scopes_supported",
        "token_endpoint_auth_methods_supported",
    ]
)
_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.just(ISSUER),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(_NAMES, _VALUES), st.binary(max_size=40))
def test_whatever_a_document_holds_there_is_a_sentence(
    value: dict[str, object], junk: bytes
) -> None:
    """Ours: never an exception."""
    for read in (found(value), document.read("", HttpResponse(200, (), junk))):
        assert read.is_found or read.reason
    for checks in (resource_checks(value), server_checks(value)):
        assert all(each.summary for each in checks)
