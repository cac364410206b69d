"""TLS: the certificates that are trusted and the client certificate, and the errors of handshakes and alerts.

Making a context takes long (the files of the system are parsed), so that it runs in a thread. An encrypted key is rejected: there is no dialog
for its password.

Source: RFC 8446, section 6; OpenSSL, X509_verify_cert_error_string(3).
"""

from __future__ import annotations

import os
import ssl
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import httpx

from inspector.errors import ConnectFailed, Hint

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.transport.http.config import HttpConfig
    from inspector.transport.http.proxies import Proxy

MAX_PEM_BYTES = 1 << 20
"""Bytes of a file that are searched for its parts."""

_ONE_FILE = "The PEM file must contain the certificate and its private key."


def tls_context(config: HttpConfig, proxy: Proxy | None = None) -> ssl.SSLContext:
    """Return the TLS settings of a connection, through `proxy` if there is one.

    Raises:
        ConnectFailed: a certificate file is not usable.
    """
    proxied = proxy.url.partition(":")[0].lower() if proxy is not None else ""
    if config.verify and "https" in (config.origin[0], proxied):
        context = _system_context()
        if config.ca_file:
            _load_ca(context, config.ca_file)
    else:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if config.client_cert:
        _load_client_certificate(context, config.client_cert)
    return context


def _system_context() -> ssl.SSLContext:
    """Return a context that trusts the certificates of the system; environment variables may name other files."""
    try:
        context = httpx.create_ssl_context()
        context.load_default_certs()
    except (OSError, ValueError) as error:
        raise _environment_error(error) from error
    return context


def _environment_error(error: Exception) -> ConnectFailed:
    """Find the environment variable whose file is not usable: the errors of the libraries have neither name nor file."""
    for name in _VARIABLES:
        if text := _unusable(name):
            return ConnectFailed(
                f"cannot set up the connection: {text}", hint=f"Correct or unset {name}."
            )
    return ConnectFailed(
        f"cannot set up the connection: the trusted certificates cannot be loaded: {_reason(error)}",
        hint=f"Check the certificates of the system, and the variables {', '.join(_VARIABLES)} and OPENSSL_CONF.",
    )


def _unusable(name: str) -> str:
    """Return why the value of an environment variable is not usable; empty if it is, or is not set."""
    value = os.environ.get(name)
    try:
        if value:
            _VARIABLES[name](value)
    except (OSError, ValueError) as found:
        return (
            f"the environment variable {name} names {value}, which cannot be used: {_reason(found)}"
        )
    return ""


def _append_to(file: str) -> None:
    with Path(file).open("a"):
        pass


def _load(file: str) -> None:
    ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cafile=file)


def _list(folders: str) -> None:
    for folder in folders.split(os.pathsep):
        os.scandir(folder).close()


_VARIABLES = {"SSLKEYLOGFILE": _append_to, "SSL_CERT_FILE": _load, "SSL_CERT_DIR": _list}
"""Environment variables of OpenSSL and httpx → a function that fails when the value is not usable."""


def _load_ca(context: ssl.SSLContext, file: str) -> None:
    try:
        context.load_verify_locations(file)
    except OSError as error:
        raise ConnectFailed(
            f"cannot load CA file {file}: {_reason(error)}",
            hint=Hint(
                "Check the server's certificate settings. Certificates must be PEM files.",
                cli="Check the file of --ca. Certificates must be PEM files.",
            ),
            is_of_settings=True,
        ) from error


def _load_client_certificate(context: ssl.SSLContext, file: str) -> None:
    try:
        context.load_cert_chain(file, password=_reject_password)
    except (OSError, ValueError) as error:
        raise ConnectFailed(
            f"cannot load client certificate {file}: {_missing_part(file) or _reason(error)}",
            hint=Hint(
                f"Check the server's certificate settings. {_ONE_FILE}",
                cli=f"Check the file of --client-cert. {_ONE_FILE}",
            ),
            is_of_settings=True,
        ) from error


def _missing_part(file: str) -> str:
    """Return what a PEM file lacks; empty when nothing is missing or it cannot be read."""
    try:
        text = Path(file).read_bytes()[:MAX_PEM_BYTES]
    except OSError:
        return ""
    if b"-----BEGIN" not in text:
        return "not a PEM file"
    missing = [
        name for name in ("PRIVATE KEY", "CERTIFICATE") if f"{name}-----".encode() not in text
    ]
    return f"no {missing[0].lower()} in the file" if missing else ""


def _reject_password() -> NoReturn:
    raise ValueError("the private key is encrypted; use an unencrypted key file")


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLError):
        return (error.reason or str(error)).replace("_", " ").lower()
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


_OR_UNVERIFIED = "or turn off “Verify certificates” for this server."
_OR_UNVERIFIED_CLI = "or do not verify it with --insecure."

NOT_TRUSTED = Hint(
    f"Add its CA under Trusted certificates, {_OR_UNVERIFIED}",
    cli=f"Pass its CA file with --ca, {_OR_UNVERIFIED_CLI}",
)


def _or_unverified(text: str) -> Hint:
    return Hint(f"{text}, {_OR_UNVERIFIED}", cli=f"{text}, {_OR_UNVERIFIED_CLI}")


_RENEW = _or_unverified("Renew the certificate of the server, check the date of this computer")
_CLOCK = _or_unverified("Check the date of this computer and of the certificate")
_OTHER_HOST = _or_unverified(
    "Use the host name in the URL that the certificate was issued for, give the server a certificate for this one"
)

_OF_VERIFICATION = {
    9: ("is not yet valid", _CLOCK),
    10: ("has expired", _RENEW),
    62: ("was issued for another host name", _OTHER_HOST),
    64: ("was issued for another IP address", _OTHER_HOST),
}
"""Verification error of OpenSSL → text and hint."""

_SELF_SIGNED = 18
"""Verification error of OpenSSL for a certificate that the server signed itself."""

_NO_TLS = (
    "WRONG_VERSION_NUMBER",
    "RECORD_LAYER_FAILURE",
    "HTTP_REQUEST",
    "UNKNOWN_PROTOCOL",
    "PACKET_LENGTH",
)
_CLOSED = ("EOF", "did not complete")
_NO_COMMON_VERSION = (
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
            "Add a client certificate for this server.",
            cli="Pass a client certificate with --client-cert.",
        ),
    ),
    (
        ("NO_APPLICATION_PROTOCOL",),
        "does not support HTTP/1.1 (possibly HTTP/2 only)",
        "Enable HTTP/1.1 on the server or its proxy.",
    ),
    (
        (
            "ALERT_UNKNOWN_CA",
            "ALERT_BAD_CERTIFICATE",
            "ALERT_CERTIFICATE",
            "ALERT_UNSUPPORTED_CERT",
        ),
        "rejected the client certificate",
        "Check which client certificate the server requires.",
    ),
    (
        ("UNRECOGNIZED_NAME",),
        "has no certificate for this host name",
        "Check the host name of the URL, and the certificates of the server.",
    ),
)
"""Parts of the name of an alert, text, and hint."""


def alert_error(causes: Iterable[BaseException], peer: str) -> ConnectFailed | None:
    """Return the error of a TLS alert of `peer` among `causes`; with TLS 1.3 it may arrive after the handshake, with the first response."""
    for cause in causes:
        reason = (cause.reason or "") if isinstance(cause, ssl.SSLError) else ""
        for parts, text, hint in _ALERTS:
            if any(part in reason for part in parts):
                return ConnectFailed(f"{peer} {text} ({reason})", hint=hint)
    return None


def verification_error(error: ssl.SSLCertVerificationError, peer: str) -> ConnectFailed:
    """Return the error of a certificate of `peer` that is not trusted."""
    message = error.verify_message.rstrip(".")
    known = _OF_VERIFICATION.get(error.verify_code)
    if known is None:
        reason = f"certificate of {peer} not trusted: {message}"
        is_own = error.verify_code == _SELF_SIGNED
        found = _environment_trust(reason, is_self_signed=is_own)
        return found or ConnectFailed(reason, hint=NOT_TRUSTED)
    return ConnectFailed(f"certificate of {peer} {known[0]}: {message}", hint=known[1])


def _environment_trust(reason: str, *, is_self_signed: bool) -> ConnectFailed | None:
    """Return the error where environment variables name trusted certificates; a missing folder has none.

    A certificate that the server signed itself would be in no other store either: then only variables that cannot be used are told.
    Which certificates of the system stay trusted beside them is not told: with one of the two, OpenSSL still reads the default of the other.
    """
    names = [name for name in ("SSL_CERT_DIR", "SSL_CERT_FILE") if os.environ.get(name)]
    if not names:
        return None
    unusable = {name: text for name in names if (text := _unusable(name))}
    if is_self_signed and not unusable:
        return None
    texts = [
        unusable.get(name) or f"the environment variable {name} names {os.environ[name]}"
        for name in names
    ]
    hint = f"Correct or unset {' and '.join(unusable or names)}."
    hints = Hint(f"{hint} {NOT_TRUSTED}", cli=f"{hint} {NOT_TRUSTED.cli}")
    return ConnectFailed("; ".join((reason, *texts)), hint=hints)


def handshake_error(error: ssl.SSLError, peer: str, *, is_proxy: bool) -> ConnectFailed:
    """Return the error of a failed handshake with `peer`."""
    reason = error.reason or str(error)
    url = "the URL of the proxy" if is_proxy else "the URL"
    if any(part in reason for part in _NO_TLS):
        return ConnectFailed(
            f"TLS connection failed: {peer} does not respond in TLS ({reason})",
            hint=f"Change {url} to http if the server has no TLS, and check the port.",
            is_of_settings=not is_proxy,
        )
    if any(part in reason for part in _CLOSED):
        return ConnectFailed(
            f"TLS connection failed: {peer} closed it during the handshake",
            hint=f"Check the port, and change {url} to http if the server has no TLS.",
        )
    if any(part in reason for part in _NO_COMMON_VERSION):
        return ConnectFailed(
            f"TLS connection failed: {peer} supports no TLS version or cipher of this computer ({reason})",
            hint="Let it support TLS 1.2 or 1.3 with usual ciphers.",
        )
    return ConnectFailed(
        f"TLS connection to {peer} failed: {reason}",
        hint=f"Check {url}, and the TLS configuration of the server.",
    )
