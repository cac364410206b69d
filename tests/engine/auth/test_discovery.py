"""What the rules say of challenges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.auth import discovery
from inspector.auth.check import CheckResult, worst
from inspector.wire import challenge

URL = "https://mcp.example/.well-known/oauth-protected-resource/mcp"


@pytest.mark.parametrize(
    "field",
    [
        f"Bearer scope='mcp:read', resource_metadata='{URL}'",
        f'Bearer scope="a", resource_metadata="{URL}/no", resource_metadata="{URL}"',
    ],
)
def test_a_broken_challenge_and_metadata_that_is_named_twice_are_told(field: str) -> None:
    """RFC 9110, sections 11.2 and 11.6.1."""
    found = challenge.read([field])

    checks = discovery.check_challenges(found, status=401, sent_token=False, wants_scope=True)
    assert worst(checks) is CheckResult.FAILED


def test_a_refusal_without_a_challenge_is_told() -> None:
    """RFC 9110, section 15.5.2."""
    found = challenge.read([])

    checks = discovery.check_challenges(found, status=401, sent_token=False, wants_scope=False)
    assert [each.rule for each in checks] == ["L-AUT-01"]


@pytest.mark.parametrize(("status", "sent_token"), [(401, False), (403, True)])
def test_only_a_request_without_a_token_must_be_refused_with_401(
    status: int, sent_token: bool
) -> None:
    """MCP, error handling."""
    found = challenge.read([f'Bearer scope="a", resource_metadata="{URL}"'])

    def rules(status: int) -> set[str]:
        made = discovery.check_challenges(
            found, status=status, sent_token=sent_token, wants_scope=True
        )
        return {each.rule for each in made if each.result is CheckResult.FAILED}

    assert rules(status) == set()
    assert rules(403) == (set() if sent_token else {"L-AUT-13"})


@given(
    st.text(max_size=200),
    st.sampled_from(["Bearer ", "DPoP ", "Basic "]),
    st.sampled_from([401, 403]),
)
def test_whatever_is_asked_for_the_checks_are_sentences(
    text: str, scheme: str, status: int
) -> None:
    """Ours: never an exception."""
    found = challenge.read([f"{scheme}{text}"])

    checks = discovery.check_challenges(found, status=status, sent_token=True, wants_scope=True)
    assert all(each.summary for each in checks)
