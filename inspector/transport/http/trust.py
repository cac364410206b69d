"""Certificates: which of a server are trusted, and which one is ours. What is wrong with a file is said with its name.

Making a context takes long, so that it is made in a thread, and only where it is needed. A key that is locked is refused: nobody
could be asked for the password.
"""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING, NoReturn

import httpx

from inspector.errors import ConnectFailed

if TYPE_CHECKING:
    from inspector.transport.http.address import HttpAddress

_ONE_FILE = "The file has to hold the certificate and its private key, one after the other (PEM)."


def tls_context(address: HttpAddress) -> ssl.SSLContext:
    """What decides about certificates.

    Raises:
        ConnectFailed: a file cannot be used.
    """
    if address.verify and "https" in (address.origin[0], address.proxy.partition(":")[0]):
        context = httpx.create_ssl_context()
        context.load_default_certs()
        if address.ca_file:
            _trust(context, address.ca_file)
    else:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if address.client_cert:
        _present(context, address.client_cert)
    return context


def _trust(context: ssl.SSLContext, file: str) -> None:
    try:
        context.load_verify_locations(file)
    except OSError as error:
        raise ConnectFailed(
            f"the file of trusted certificates {file} cannot be used: {_said(error)}",
            remedy="Check the certificate files of this server; a file of certificates is text (PEM).",
        ) from error


def _present(context: ssl.SSLContext, file: str) -> None:
    try:
        context.load_cert_chain(file, password=_refuse)
    except (OSError, ValueError) as error:
        raise ConnectFailed(
            f"the client certificate {file} cannot be used: {_said(error)}",
            remedy=f"Check the certificate files of this server. {_ONE_FILE}",
        ) from error


def _refuse() -> NoReturn:
    raise ValueError("its key is locked with a password; unlock it into a file of its own")


def _said(error: Exception) -> str:
    if isinstance(error, ssl.SSLError):
        return (error.reason or str(error)).replace("_", " ").lower()
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
