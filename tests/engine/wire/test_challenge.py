"""Challenges: read by the grammar, and tolerantly where a server breaks it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.wire import challenge
from inspector.wire.challenge import Challenge

URL = "https://mcp.example/.well-known/oauth-protected-resource/mcp"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            [f'Bearer resource_metadata="{URL}", scope="a b"'],
            [Challenge("Bearer", (("resource_metadata", URL), ("scope", "a b")))],
        ),
        (
            ['Basic realm="x, Bearer scope=\\"no\\"", Bearer realm=y , , DPoP algs="ES256"'],
            [
                Challenge("Basic", (("realm", 'x, Bearer scope="no"'),)),
                Challenge("Bearer", (("realm", "y"),)),
                Challenge("DPoP", (("algs", "ES256"),)),
            ],
        ),
        (
            ["Negotiate dG9rZW4=, bearer"],
            [Challenge("Negotiate", token68="dG9rZW4="), Challenge("bearer")],
        ),
        (["Bearer", "Basic realm=a"], [Challenge("Bearer"), Challenge("Basic", (("realm", "a"),))]),
        ([""], []),
        ([], []),
    ],
)
def test_challenges_are_read_by_the_grammar(fields: list[str], expected: list[Challenge]) -> None:
    """RFC 9110, section 11.6.1; C-AUT-03."""
    found = challenge.read(fields)

    assert list(found.items) == expected
    assert not found.is_broken


@pytest.mark.parametrize(
    "field",
    [
        f'Bearer error="invalid_token", error_description="unexpected "aud" claim value", scope="mcp:read", resource_metadata="{URL}"',
        f'Bearer scope = "mcp:read", resource_metadata = "{URL}"',
        f"Bearer scope='mcp:read', resource_metadata='{URL}'",
        f"Bearer scope=mcp:read, resource_metadata={URL}",
        f'Bearer scope="mcp:read" resource_metadata="{URL}"',
    ],
)
def test_a_challenge_that_breaks_the_grammar_is_read_all_the_same(field: str) -> None:
    """Ours: servers in the field send these."""
    found = challenge.read([field])

    assert found.is_broken
    assert found.get("resource_metadata") == URL


def test_a_parameter_of_another_scheme_or_inside_a_text_is_none_of_oauth() -> None:
    """Ours: what one regular expression over the whole header would take."""
    field = f'Basic realm="x", scope="basic", Bearer error_description="no scope=\\"y\\" resource_metadata=\\"{URL}\\""'
    found = challenge.read([field])

    assert found.scopes == ()
    assert found.get("resource_metadata") == ""


def test_the_metadata_is_taken_from_either_scheme_of_oauth() -> None:
    """RFC 9449, section 7.1."""
    found = challenge.read([f'DPoP algs="ES256", resource_metadata="{URL}"'])

    assert found.get("resource_metadata") == URL
    assert found.wants_dpop


def test_metadata_that_is_named_twice_is_kept() -> None:
    """RFC 9110, section 11.2."""
    found = challenge.read([f'Bearer resource_metadata="{URL}/no", resource_metadata="{URL}"'])

    assert found.all("resource_metadata") == (f"{URL}/no", URL)


_PIECES = st.sampled_from(
    [
        "Bearer",
        "DPoP",
        "Basic",
        " ",
        ",",
        "=",
        '"',
        "'",
        "\\",
        "scope",
        "resource_metadata",
        "a b",
        "é",
        "\x00",
    ]
)


@given(
    st.lists(
        st.one_of(st.text(max_size=200), st.lists(_PIECES, max_size=30).map("".join)), max_size=4
    )
)
def test_whatever_stands_in_the_header_there_are_challenges(fields: list[str]) -> None:
    """Ours: never an exception."""
    found = challenge.read(fields)

    assert found.scopes == tuple(dict.fromkeys(found.scopes))


@pytest.mark.parametrize("field", ['a="b" ,,', 'a="b" ,Bearer, ', "a='b' ,,", ', ,a="b"'])
def test_a_field_of_many_broken_parameters_is_read_in_linear_time(field: str) -> None:
    """Ours: the quote that ends a value was looked for to the end of the field for each of them."""
    before = time.thread_time()

    for _ in range(10):
        challenge.read([field * 2_500])

    assert time.thread_time() - before < 1
