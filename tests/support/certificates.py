"""Certificates for tests over TLS: an authority of our own, and what it signs."""

from __future__ import annotations

import datetime
import ipaddress
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

if TYPE_CHECKING:
    from pathlib import Path

DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Certificates:
    """Files in the folder of a test."""

    authority: Path
    """The certificate of the authority."""
    server: Path
    """Certificate and key of a server on this machine, signed by it."""
    client: Path
    """Certificate and key of a client, signed by it."""
    stranger: Path
    """Certificate and key of a client or server, signed by itself."""
    locked: Path
    """Certificate and key of a client, the key locked with a password."""
    key_alone: Path
    """A key without its certificate."""

    def server_context(
        self, *, asks_client: bool = False, self_signed: bool = False
    ) -> ssl.SSLContext:
        """What the server uses; it may ask for the client's certificate, and have signed its own."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.stranger if self_signed else self.server)
        if asks_client:
            context.load_verify_locations(self.authority)
            context.verify_mode = ssl.CERT_REQUIRED
        return context


class _Signed:
    """A key and a certificate of it."""

    def __init__(self, name: str, by: _Signed | None = None) -> None:
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.key = ec.generate_private_key(ec.SECP256R1())
        signer = by or self
        now = datetime.datetime.now(datetime.UTC)
        here = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
        self.certificate = (
            x509.CertificateBuilder()
            .subject_name(self.name)
            .issuer_name(signer.name)
            .public_key(self.key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - DAY)
            .not_valid_after(now + DAY)
            .add_extension(x509.SubjectAlternativeName([here]), critical=False)
            .add_extension(x509.BasicConstraints(ca=by is None, path_length=None), critical=True)
            .sign(signer.key, hashes.SHA256())
        )

    def text(self) -> bytes:
        """The certificate."""
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    def key_text(self, password: bytes = b"") -> bytes:
        """The key, locked when there is a password."""
        lock: serialization.KeySerializationEncryption = (
            serialization.BestAvailableEncryption(password)
            if password
            else serialization.NoEncryption()
        )
        return self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, lock
        )


def make_certificates(folder: Path) -> Certificates:
    """Make them in `folder`."""
    authority = _Signed("authority")
    server, client = _Signed("server", authority), _Signed("client", authority)
    stranger = _Signed("stranger")
    texts = {
        "authority": authority.text(),
        "server": server.text() + server.key_text(),
        "client": client.text() + client.key_text(),
        "stranger": stranger.text() + stranger.key_text(),
        "locked": client.text() + client.key_text(b"secret"),
        "key_alone": client.key_text(),
    }
    for name, text in texts.items():
        (folder / f"{name}.pem").write_bytes(text)
    return Certificates(**{name: folder / f"{name}.pem" for name in texts})
