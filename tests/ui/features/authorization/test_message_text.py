"""Requests and responses of an authorization as text, and back."""

from __future__ import annotations

import contextlib
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.auth.check import failed, warning
from inspector.auth.messages import FORM, JSON, HttpRequest, HttpResponse, form
from inspector.wire.redaction import MASK
from ui.features.authorization import message_text

TOKEN = HttpRequest(
    "POST",
    "https://as.example/token",
    (("Content-Type", FORM), ("Authorization", "Basic c2VjcmV0LXZhbHVl")),
    form(
        (
            ("grant_type", "authorization_code"),
            ("code", "the-secret-code"),
            ("code_verifier", "the-verifier"),
            ("resource", "https://mcp.example/mcp"),
        )
    ),
)
VISIT = "https://as.example/authorize?response_type=code&state=the-state&scope=a+b"


def test_a_form_is_a_parameter_a_line_without_its_secrets() -> None:
    """C-SEC-14; ours."""
    text = message_text.request_text(TOKEN)

    assert text.splitlines()[0] == "POST https://as.example/token"
    assert f"code={MASK}" in text.splitlines()
    assert "resource=https://mcp.example/mcp" in text.splitlines()
    for secret in ("the-secret-code", "the-verifier", "c2VjcmV0LXZhbHVl"):
        assert secret not in text
        assert secret in message_text.request_text(TOKEN, with_secrets=True)


def test_a_text_that_was_not_edited_is_the_request_itself() -> None:
    """Ours."""
    assert message_text.read_request(message_text.request_text(TOKEN), TOKEN) is TOKEN
    assert message_text.read_visit(message_text.visit_text(VISIT), VISIT) == VISIT


def test_a_masked_value_that_stays_is_sent_as_it_was() -> None:
    """Ours: a wrong resource is tried without looking at the code."""
    text = message_text.request_text(TOKEN).replace("https://mcp.example/mcp", "https://other/")

    edited = dict(message_text.read_request(text, TOKEN).form)

    assert edited["resource"] == "https://other/"
    assert edited["code"] == "the-secret-code"
    assert dict(message_text.read_request(text, TOKEN).headers)["Authorization"].endswith("Vl")


def test_a_parameter_can_be_left_out_and_changed_in_a_url_that_is_opened() -> None:
    """Ours."""
    text = message_text.visit_text(VISIT).replace("scope=a b", "scope=admin")
    text = text.replace(f"state={MASK}\n", "")

    query = parse_qs(urlsplit(message_text.read_visit(text, VISIT)).query)

    assert query == {"response_type": ["code"], "scope": ["admin"]}


@pytest.mark.parametrize(
    "text", ["", "POST", "POST nowhere", "GET ftp://x/", "GET https://x/\nfoo"]
)
def test_a_text_that_is_no_request_is_told_in_a_sentence(text: str) -> None:
    """Ours."""
    with pytest.raises(ValueError, match=r"must be .*\.$"):
        message_text.read_request(text, TOKEN)


def test_a_response_is_indented_and_hides_its_tokens() -> None:
    """C-SEC-14."""
    body = b'{"access_token":"abc-secret","expires_in":3600}'
    response = HttpResponse(200, (("Content-Type", JSON),), body)

    text = message_text.response_text(response)

    assert text.splitlines()[0] == "HTTP 200"
    assert f'  "access_token": "{MASK}",' in text.splitlines()
    assert "abc-secret" in message_text.response_text(response, with_secrets=True)


def test_json_with_a_name_twice_is_shown_as_it_came() -> None:
    """Ours: show first, judge after."""
    body = b'{"issuer":"a", "issuer":"b"}'

    assert body.decode() in message_text.response_text(HttpResponse(200, (), body))


def test_a_response_that_never_came_says_why() -> None:
    """Ours."""
    assert "refused" in message_text.response_text(HttpResponse(problem="connection refused"))


def test_lines_that_broken_rules_are_about_are_found_the_worst_last() -> None:
    """Ours."""
    text = 'HTTP 200\nContent-Type: text/plain\n\n{\n  "issuer": "x"\n}'
    checks = (
        failed("a", "RFC", "/issuer", ""),
        warning("b", "RFC", "Content-Type", ""),
        failed("c", "RFC", "/gone", ""),
    )

    assert message_text.checked_lines(text, checks) == {4: "error", 1: "warning"}


def test_edited_lines_are_counted() -> None:
    """Ours."""
    assert message_text.change_count("a\nb\nc", "a\nb\nc") == 0
    assert message_text.change_count("a\nx\nc", "a\nb\nc") == 1
    assert message_text.change_count("a", "a\nb\nc") == 2
    assert message_text.changed_lines("a\nx\nc", "a\nb\nc") == (1,)


@given(st.binary(max_size=200), st.lists(st.tuples(st.text(max_size=9), st.text(max_size=9))))
def test_any_response_has_a_text(body: bytes, headers: list[tuple[str, str]]) -> None:
    """Ours."""
    text = message_text.response_text(HttpResponse(200, tuple(headers), body))

    assert text.startswith("HTTP 200")


@given(st.text(max_size=120))
def test_any_url_has_a_text_and_any_edit_is_a_request_or_a_sentence(text: str) -> None:
    """Ours."""
    message_text.visit_text(text)
    with contextlib.suppress(ValueError):
        message_text.read_request(text, TOKEN)
