"""Certificates: which of a server are trusted, and which one is ours. What is wrong with a file is said with its name.

Making a context takes long, so that it is made in a thread, and only where it is needed. A key that is locked is refused: nobody
could be asked for the password.
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
"""Bytes of a file in which its parts are looked for."""

_ONE_FILE = "The PEM file must contain the certificate and its private key."


def tls_context(address: HttpConfig, proxy: Proxy | None = None) -> ssl.SSLContext:
    """What decides about certificates, on the way through `proxy`.

    Raises:
        ConnectFailed: a file cannot be used.
    """
    proxied = proxy.url.partition(":")[0].lower() if proxy is not None else ""
    if address.verify and "https" in (address.origin[0], proxied):
        context = _of_system()
        if address.ca_file:
            _load_ca(context, address.ca_file)
    else:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if address.client_cert:
        _load_client_certificate(context, address.client_cert)
    return context


def _of_system() -> ssl.SSLContext:
    """A context that trusts what the system trusts; the environment may name other files."""
    try:
        context = httpx.create_ssl_context()
        context.load_default_certs()
    except (OSError, ValueError) as error:
        raise _of_environment(error) from error
    return context


def _of_environment(error: Exception) -> ConnectFailed:
    """Which variable names the file that cannot be used: the libraries tell neither."""
    for name, probe in _VARIABLES.items():
        value = os.environ.get(name)
        try:
            if value:
                probe(value)
        except (OSError, ValueError) as found:
            return ConnectFailed(
                f"cannot set up the connection: the environment variable {name} names {value}, "
                f"which cannot be used: {_reason(found)}",
                remedy=f"Correct or unset {name}.",
            )
    return ConnectFailed(
        f"cannot set up the connection: the trusted certificates cannot be loaded: {_reason(error)}",
        remedy=f"Check the certificates of the system, and the variables {', '.join(_VARIABLES)} and OPENSSL_CONF.",
    )


def _append_to(file: str) -> None:
    with Path(file).open("a"):
        pass


def _load(file: str) -> None:
    ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cafile=file)


def _list(folders: str) -> None:
    for folder in folders.split(os.pathsep):
        os.scandir(folder).close()


_VARIABLES = {"SSLKEYLOGFILE": _append_to, "SSL_CERT_FILE": _load, "SSL_CERT_DIR": _list}
"""Environment variables that the libraries of TLS read, and what each value must be good for."""


def _load_ca(context: ssl.SSLContext, file: str) -> None:
    try:
        context.load_verify_locations(file)
    except OSError as error:
        raise ConnectFailed(
            f"cannot load CA file {file}: {_reason(error)}",
            remedy=Hint(
                "Check the server's certificate settings. Certificates must be PEM files.",
                cli="Check the file of --ca. Certificates must be PEM files.",
            ),
        ) from error


def _load_client_certificate(context: ssl.SSLContext, file: str) -> None:
    try:
        context.load_cert_chain(file, password=_refuse)
    except (OSError, ValueError) as error:
        raise ConnectFailed(
            f"cannot load client certificate {file}: {_lacking(file) or _reason(error)}",
            remedy=Hint(
                f"Check the server's certificate settings. {_ONE_FILE}",
                cli=f"Check the file of --client-cert. {_ONE_FILE}",
            ),
        ) from error


def _lacking(file: str) -> str:
    """What a file of text lacks; empty where it is something else, or cannot be read."""
    try:
        text = Path(file).read_bytes()[:MAX_PEM_BYTES]
    except OSError:
        return ""
    if b"-----BEGIN" not in text:
        return "it is not text (PEM)"
    lacks = [name for name in ("PRIVATE KEY", "CERTIFICATE") if f"{name}-----".encode() not in text]
    return f"it holds no {lacks[0].lower()}" if lacks else ""


def _refuse() -> NoReturn:
    raise ValueError("the private key is encrypted; use an unencrypted key file")


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLError):
        return (error.reason or str(error)).replace("_", " ").lower()
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


_OR_NOT = "or turn off “Verify certificates” for this server."
_OR_NOT_CLI = "or do not verify it with --insecure."

NOT_TRUSTED = Hint(
    f"Add its CA under Trusted certificates, {_OR_NOT}",
    cli=f"Pass its CA file with --ca, {_OR_NOT_CLI}",
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
        return ConnectFailed(f"certificate of {who} not trusted: {said}", remedy=NOT_TRUSTED)
    return ConnectFailed(f"certificate of {who} {known[0]}: {said}", remedy=known[1])


def of_handshake(error: ssl.SSLError, who: str, *, is_proxy: bool) -> ConnectFailed:
    """A handshake with `who` that led to nothing."""
    reason = error.reason or str(error)
    url = "the URL of the proxy" if is_proxy else "the URL"
    if any(part in reason for part in _PLAIN):
        return ConnectFailed(
            f"TLS connection failed: {who} does not respond in TLS ({reason})",
            remedy=f"Change {url} to http if there is no TLS, and check the port.",
        )
    if any(part in reason for part in _ENDED):
        return ConnectFailed(
            f"TLS connection failed: {who} closed it during the handshake",
            remedy=f"Check the port, and change {url} to http if there is no TLS.",
        )
    if any(part in reason for part in _NOTHING_IN_COMMON):
        return ConnectFailed(
            f"TLS connection failed: {who} supports no TLS version or cipher of this computer ({reason})",
            remedy="Let it support TLS 1.2 or 1.3 with usual ciphers.",
        )
    return ConnectFailed(
        f"TLS connection to {who} failed: {reason}",
        remedy=f"Check {url}, and the TLS configuration of the server.",
    )
