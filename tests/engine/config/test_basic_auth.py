"""A user name and a password become what a header carries; ours, after RFC 7617."""

from __future__ import annotations

import pytest

from inspector.config.authorization import encode_basic, is_basic_entered


@pytest.mark.parametrize(
    ("value", "result"),
    [
        ("Basic Aladdin:open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        ("basic test:123£", "basic dGVzdDoxMjPCow=="),
        ("Basic :", "Basic Og=="),
    ],
)
def test_credentials_that_were_entered_are_encoded(value: str, result: str) -> None:
    """Ours: the examples of RFC 7617, section 2 and 2.1."""
    assert is_basic_entered("authorization", value)
    assert encode_basic((("X", "a:b"), ("Authorization", value))) == (
        ("X", "a:b"),
        ("Authorization", result),
    )


@pytest.mark.parametrize("value", ["Basic QWxh", "Bearer a:b", "", "Basic ", "Basic"])
def test_what_is_encoded_or_of_another_scheme_stays(value: str) -> None:
    """Ours."""
    assert not is_basic_entered("Authorization", value)
    assert encode_basic((("Authorization", value),)) == (("Authorization", value),)
