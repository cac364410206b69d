"""Failures of TLS in words: certificates that are not trusted, handshakes that are not finished, alerts.

Source: RFC 8446, section 6; OpenSSL, X509_verify_cert_error_string(3).
"""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING

from inspector.errors import ConnectFailed, Hint

if TYPE_CHECKING:
    from collections.abc import Iterable

_OR_NOT = "or turn off “Verify certificates” for this server."
_OR_NOT_CLI = "or do not verify it with --insecure."

NOT_TRUSTED = Hint(
    f"Name the file of its certificate authority, {_OR_NOT}",
    cli=f"Name the file of its certificate authority with --ca, {_OR_NOT_CLI}",
)


def _or_not(text: str) -> Hint:
    return Hint(f"{text}, {_OR_NOT}", cli=f"{text}, {_OR_NOT_CLI}")


_RENEW = _or_not("Renew the certificate of the server, check the date of this computer")
_CLOCK = _or_not("Check the date of this computer and of the certificate")
_OTHER_HOST = _or_not(
    "Use the host name in the URL that the certificate was issued for, give the server a certificate for this one"
)

_OF_VERIFICATION = {
    9: ("is not yet valid", _CLOCK),
    10: ("has expired", _RENEW),
    62: ("was issued for another host name", _OTHER_HOST),
    64: ("was issued for another address", _OTHER_HOST),
}
"""What the number of a verification error means."""

_PLAIN = (
    "WRONG_VERSION_NUMBER",
    "RECORD_LAYER_FAILURE",
    "HTTP_REQUEST",
    "UNKNOWN_PROTOCOL",
    "PACKET_LENGTH",
)
_ENDED = ("EOF", "did not complete")
_NOTHING_IN_COMMON = (
    "PROTOCOL_VERSION",
    "UNSUPPORTED_PROTOCOL",
    "NO_PROTOCOLS",
    "HANDSHAKE_FAILURE",
    "NO_SHARED_CIPHER",
)

_ALERTS = (
    (
        ("CERTIFICATE_REQUIRED",),
        "requires a client certificate",
        Hint(
            "Name the file of your client certificate.",
            cli="Name the file of your client certificate with --client-cert.",
        ),
    ),
    (
        ("NO_APPLICATION_PROTOCOL",),
        "speaks no HTTP/1.1 (HTTP/2 alone, perhaps), which is all that Spyglass speaks",
        "Let the server, or the proxy in front of it, speak HTTP/1.1 too.",
    ),
    (
        (
            "ALERT_UNKNOWN_CA",
            "ALERT_BAD_CERTIFICATE",
            "ALERT_CERTIFICATE",
            "ALERT_UNSUPPORTED_CERT",
        ),
        "does not accept the client certificate",
        "Check which client certificates the server accepts.",
    ),
    (
        ("UNRECOGNIZED_NAME",),
        "has no certificate for this host name",
        "Check the host name of the URL, and the certificates of the server.",
    ),
)
"""What a server says while the secure connection is made: parts of the alert, in words, and what to do."""


def of_alert(causes: Iterable[BaseException], who: str) -> ConnectFailed | None:
    """An alert of `who` among `causes`; a server may send it after the connection is made, when we have begun to talk."""
    for cause in causes:
        reason = (cause.reason or "") if isinstance(cause, ssl.SSLError) else ""
        for parts, said, remedy in _ALERTS:
            if any(part in reason for part in parts):
                return ConnectFailed(f"{who} {said} ({reason})", remedy=remedy)
    return None


def of_verification(error: ssl.SSLCertVerificationError, who: str) -> ConnectFailed:
    """A certificate of `who` that is not trusted."""
    said = error.verify_message.rstrip(".")
    known = _OF_VERIFICATION.get(error.verify_code)
    if known is None:
        return ConnectFailed(f"the certificate of {who} is not trusted: {said}", remedy=NOT_TRUSTED)
    return ConnectFailed(f"the certificate of {who} {known[0]}: {said}", remedy=known[1])


def of_handshake(error: ssl.SSLError, who: str, *, is_proxy: bool) -> ConnectFailed:
    """A handshake with `who` that led to nothing."""
    reason = error.reason or str(error)
    url = "the URL of the proxy" if is_proxy else "the URL"
    if any(part in reason for part in _PLAIN):
        return ConnectFailed(
            f"no secure connection: {who} does not respond in TLS ({reason})",
            remedy=f"Change {url} to http if there is no TLS, and check the port.",
        )
    if any(part in reason for part in _ENDED):
        return ConnectFailed(
            f"no secure connection: {who} ended it during the TLS handshake",
            remedy=f"Check the port, and change {url} to http if there is no TLS.",
        )
    if any(part in reason for part in _NOTHING_IN_COMMON):
        return ConnectFailed(
            f"no secure connection: {who} supports no TLS version or cipher of this computer ({reason})",
            remedy="Let it support TLS 1.2 or 1.3 with usual ciphers.",
        )
    return ConnectFailed(
        f"no secure connection to {who}: {reason}",
        remedy=f"Check {url}, and the TLS configuration of the server.",
    )
