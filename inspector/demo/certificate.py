"""A certificate for TLS on the loopback interface, self-signed, made for one run."""

from __future__ import annotations

import datetime
import ipaddress
import ssl
import tempfile
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = datetime.timedelta(days=1)


def make(file: Path, *, is_expired: bool) -> ssl.SSLContext:
    """What the server uses; the certificate, without its key, is written to `file`.

    Raises:
        OSError: the file cannot be written.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = _certificate(key, is_expired=is_expired).public_bytes(serialization.Encoding.PEM)
    file.write_bytes(certificate)
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    # The standard library loads a key from a file only. The folder is for this user alone.
    with tempfile.TemporaryDirectory() as folder:
        both = Path(folder, "demo.pem")
        both.write_bytes(certificate + private)
        context.load_cert_chain(both)
    return context


def _certificate(key: ec.EllipticCurvePrivateKey, *, is_expired: bool) -> x509.Certificate:
    now = datetime.datetime.now(datetime.UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Spyglass demo server")])
    addresses = [x509.IPAddress(ipaddress.ip_address(each)) for each in ("127.0.0.1", "::1")]
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - 30 * DAY)
        .not_valid_after(now - DAY if is_expired else now + 30 * DAY)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost"), *addresses]), False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
