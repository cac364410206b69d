"""A token that is broken on purpose differs in its signature alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inspector.auth.held_grant import broken

TOKENS = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), max_size=60)


@given(TOKENS)
def test_it_is_never_the_token_itself_and_can_be_sent(token: str) -> None:
    """Ours."""
    found = broken(token)

    assert found != token
    assert found.isascii()
    assert found.isprintable()


@given(TOKENS, TOKENS)
def test_only_the_last_part_of_a_json_web_token_differs(payload: str, signature: str) -> None:
    """Ours: header and claims stay what the server would otherwise reject it for."""
    signed = f"eyJhbGciOiJFUzI1NiJ9.{payload.replace('.', '')}.{signature.replace('.', '')}"

    assert broken(signed).rpartition(".")[0] == signed.rpartition(".")[0]
