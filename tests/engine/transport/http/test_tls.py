"""Failures of TLS are told by their own cause, with the party that they are about; ours."""

from __future__ import annotations

import ssl

import pytest

from inspector.errors import for_cli
from inspector.transport.http import tls


def untrusted(code: int, said: str) -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, said)
    error.verify_code, error.verify_message = code, said
    return error


@pytest.mark.parametrize(
    ("code", "text", "hint"),
    [
        (62, "was issued for another host name", "Use the host name in the URL"),
        (64, "was issued for another IP address", "Use the host name in the URL"),
        (10, "has expired", "Renew"),
        (9, "is not yet valid", "date of this computer"),
        (18, "not trusted", "CA"),
    ],
)
def test_each_reason_not_to_trust_a_certificate_has_its_own_hint(
    code: int, text: str, hint: str
) -> None:
    """Ours: another authority does not help where the host or the date is wrong."""
    failure = tls.verification_error(untrusted(code, "x"), "https://a.test")

    assert f"certificate of https://a.test {text}" in failure.reason
    assert hint in failure.hint
    assert "--insecure" in for_cli(failure.hint)
    assert "--ca" in for_cli(failure.hint) or code != 18


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("[SSL: WRONG_VERSION_NUMBER] x", "does not respond in TLS"),
        ("The operation did not complete (read)", "closed it during the handshake"),
        ("[SSL: SSLV3_ALERT_HANDSHAKE_FAILURE] x", "no TLS version or cipher"),
    ],
)
def test_a_handshake_that_fails_names_who_failed(said: str, text: str) -> None:
    """Ours: the proxy is another party than the server."""
    error = ssl.SSLError(1, said)
    error.reason = said

    failure = tls.handshake_error(error, "the proxy x", is_proxy=True)

    assert text in failure.reason
    assert "the proxy x" in failure.reason
