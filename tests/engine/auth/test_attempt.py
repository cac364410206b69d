"""The authorization request, and which callbacks are acted upon."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from inspector.auth import attempt, document
from inspector.auth.attempt import Attempt
from inspector.auth.messages import HttpResponse
from inspector.auth.metadata import read_server

ISSUER = "https://as.example"
OURS = Attempt(
    issuer=ISSUER,
    promises_iss=True,
    state="s" * 43,
    verifier="dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    redirect_uri="http://127.0.0.1:1234/callback",
    resource="https://mcp.example/mcp",
    scopes=("a", "b"),
)


def callback(**fields: str) -> str:
    return f"{OURS.redirect_uri}?{urlencode(fields)}"


def test_the_challenge_is_that_of_the_specification() -> None:
    """RFC 7636, appendix B; C-AUT-22, C-AUT-23."""
    assert OURS.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


def test_the_authorization_url_carries_everything_that_comes_back() -> None:
    """C-AUT-22, C-AUT-25."""
    found = document.Document("", HttpResponse())
    server = replace(
        read_server(found, ISSUER), authorization_endpoint=f"{ISSUER}/authorize?tenant=1"
    )
    url = attempt.authorization_url(server, "me", OURS)

    assert parse_qs(urlsplit(url).query) == {
        "tenant": ["1"],
        "response_type": ["code"],
        "client_id": ["me"],
        "redirect_uri": [OURS.redirect_uri],
        "code_challenge": [OURS.challenge],
        "code_challenge_method": ["S256"],
        "state": [OURS.state],
        "scope": ["a b"],
        "resource": [OURS.resource],
    }


@pytest.mark.parametrize(
    ("promised", "iss", "is_taken"),
    [
        (True, ISSUER, True),
        (True, None, False),
        (True, f"{ISSUER}/", False),
        (True, "HTTPS://as.example", False),
        (False, ISSUER, True),
        (False, None, True),
        (False, "https://evil.example", False),
        (False, "", False),
    ],
)
def test_a_code_is_taken_only_from_the_issuer_that_was_asked(
    promised: bool, iss: str | None, is_taken: bool
) -> None:
    """C-AUT-36, C-AUT-37, C-AUT-38."""
    fields = {"code": "c", "state": OURS.state, **({} if iss is None else {"iss": iss})}
    found, _ = attempt.read_callback(callback(**fields), replace(OURS, promises_iss=promised))

    assert (found.code == "c") is is_taken
    assert bool(found.reason) is not is_taken


@pytest.mark.parametrize("state", [None, "", "s" * 42, "S" * 43])
def test_a_callback_without_our_state_is_not_acted_upon(state: str | None) -> None:
    """C-AUT-40."""
    fields = {"code": "c", "iss": ISSUER, **({} if state is None else {"state": state})}
    found, _ = attempt.read_callback(callback(**fields), OURS)

    assert found.code == ""
    assert found.reason


def test_an_error_of_another_issuer_is_not_shown() -> None:
    """C-AUT-39."""
    url = callback(
        error="access_denied",
        error_description="BAIT",
        state=OURS.state,
        iss="https://evil.example",
    )
    found, checks = attempt.read_callback(url, OURS)

    assert "BAIT" not in found.reason + "".join(each.summary for each in checks)
    assert "denied" not in found.reason


def test_an_error_of_the_right_issuer_is_told_in_its_words() -> None:
    """RFC 6749, section 4.1.2.1."""
    url = callback(error="access_denied", error_description="no", state=OURS.state, iss=ISSUER)
    found, _ = attempt.read_callback(url, OURS)

    assert "access_denied: no" in found.reason


def test_a_callback_is_decoded_once() -> None:
    """C-AUT-38."""
    url = f"{OURS.redirect_uri}?code=a%2525&state={OURS.state}&iss=https%3A%2F%2Fas.example"
    found, _ = attempt.read_callback(url, OURS)

    assert found.code == "a%25"


def test_a_code_that_comes_twice_is_not_taken() -> None:
    """RFC 6749, section 3.1."""
    url = f"{callback(code='a', state=OURS.state, iss=ISSUER)}&code=b"

    assert attempt.read_callback(url, OURS)[0].reason


@given(
    st.text(max_size=200),
    st.dictionaries(st.sampled_from(["code", "state", "iss", "error"]), st.text(max_size=20)),
)
def test_whatever_a_callback_holds_there_is_a_code_or_a_sentence(
    junk: str, fields: dict[str, str]
) -> None:
    """Ours: never an exception."""
    for url in (
        junk,
        callback(
            **{key: value.encode("utf-8", "replace").decode() for key, value in fields.items()}
        ),
    ):
        found, checks = attempt.read_callback(url, OURS)
        assert bool(found.code) is not bool(found.reason)
        assert checks
