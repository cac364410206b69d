"""Connections over TLS: whom we trust, what we show of ourselves, and what is said when either is not enough."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import ssl
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.errors import ConnectFailed
from inspector.session.session_state import SessionState
from tests.support.certificates import Certificates, make_certificates
from tests.support.http_session import at, call, connected, session_of, words_of
from tests.support.http_stub import HttpStub

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.config.profile import Profile


@pytest.fixture
def files(tmp_path: Path) -> Certificates:
    return make_certificates(tmp_path)


async def failure_of(profile: Profile) -> ConnectFailed:
    async with session_of(profile) as session:
        with pytest.raises(ConnectFailed) as failure:
            await session.connect()
        assert session.state is SessionState.FAILED
        return failure.value


async def test_a_certificate_of_an_unknown_authority_is_refused_with_both_ways_out(
    files: Certificates,
) -> None:
    """Ours."""
    async with HttpStub(tls=files.server_context()) as stub:
        failure = await failure_of(at(stub.url))

        assert f"certificate of {stub.origin} not trusted" in failure.reason
        assert "Add its CA" in failure.hint
        assert "Verify certificates" in failure.hint
        assert stub.asked == []


@pytest.mark.parametrize(("name", "has_file"), [("", False), ("none", False), ("", True)])
async def test_what_the_environment_names_is_told_where_a_certificate_is_not_trusted(
    name: str,
    files: Certificates,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    has_file: bool,
) -> None:
    """Ours: OpenSSL takes a missing folder for an empty one."""
    folder = tmp_path / name
    monkeypatch.setenv("SSL_CERT_DIR", str(folder))
    monkeypatch.setenv("SSL_CERT_FILE", str(files.stranger) if has_file else "")
    async with HttpStub(tls=files.server_context()) as stub:
        failure = await failure_of(at(stub.url))

    assert "not trusted" in failure.reason
    assert f"the environment variable SSL_CERT_DIR names {folder}" in failure.reason
    assert (f"SSL_CERT_FILE names {files.stranger}" in failure.reason) is has_file
    assert ("SSL_CERT_DIR and SSL_CERT_FILE" in failure.hint) is has_file
    assert "the trusted certificates are" not in failure.reason
    assert "unset SSL_CERT_DIR" in failure.hint
    assert "Add its CA" in failure.hint


async def test_a_self_signed_certificate_is_refused_as_one(
    files: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours, http-29-tls-dns; certificates that the environment names are not the reason."""
    monkeypatch.setenv("SSL_CERT_FILE", str(files.authority))
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    async with HttpStub(tls=files.server_context(self_signed=True)) as stub:
        failure = await failure_of(at(stub.url))

        assert "self-signed certificate" in failure.reason
        assert "SSL_CERT_FILE" not in f"{failure.reason} {failure.hint}"


async def test_a_file_of_trusted_certificates_is_enough(files: Certificates) -> None:
    """Ours."""
    async with (
        HttpStub(tls=files.server_context()) as stub,
        connected(replace(at(stub.url), ca_file=str(files.authority))) as session,
    ):
        await call(session)

        assert words_of(session, "not-verified") == []


async def test_a_certificate_that_is_not_checked_is_remarked_in_the_record(
    files: Certificates,
) -> None:
    """Ours."""
    async with (
        HttpStub(tls=files.server_context(self_signed=True)) as stub,
        connected(replace(at(stub.url), verify=False)) as session,
    ):
        await call(session)

        (text,) = words_of(session, "not-verified")
        assert text == "certificate verification is off"


async def test_a_client_certificate_is_shown_to_a_server_that_asks_for_one(
    files: Certificates,
) -> None:
    """Ours."""
    async with HttpStub(tls=files.server_context(asks_client=True)) as stub:
        ours = replace(at(stub.url), ca_file=str(files.authority), client_cert=str(files.client))
        async with connected(ours) as session:
            await call(session)


@pytest.mark.parametrize(
    ("shown", "text", "hint"),
    [
        ("", "requires a client certificate", "client certificate"),
        ("stranger", "rejected the client certificate", "which client certificate"),
    ],
)
async def test_a_server_that_does_not_take_our_certificate_is_understood(
    files: Certificates, shown: str, text: str, hint: str
) -> None:
    """Ours: the alert comes after the handshake, when the first message is already sent."""
    cert = str(files.stranger) if shown else ""
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    shaking = asyncio.create_task(asyncio.to_thread(shake_hands, listener, files))
    profile = replace(
        at(f"https://127.0.0.1:{port}/mcp"), ca_file=str(files.authority), client_cert=cert
    )
    failure = await failure_of(profile)
    await shaking

    assert text in failure.reason
    assert hint in failure.hint


def shake_hands(listener: socket.socket, files: Certificates) -> None:
    """Serve one handshake as servers do that tell the client why it failed; those of asyncio hang up without a word."""
    context = files.server_context(asks_client=True)
    with listener, listener.accept()[0] as connection:
        tls = context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        with tls:
            with contextlib.suppress(ssl.SSLError):
                tls.do_handshake()
            while os.read(
                tls.fileno(), 65536
            ):  # what is sent all the same; to close now would discard the alert
                pass


@pytest.mark.parametrize(
    ("field", "file", "text"),
    [
        ("client_cert", "locked", "private key is encrypted"),
        ("client_cert", "key_alone", "cannot load"),
        ("client_cert", "authority", "cannot load"),
        ("client_cert", "none", "No such file"),
        ("ca_file", "key_alone", "cannot load"),
        ("ca_file", "none", "No such file"),
    ],
)
async def test_a_file_that_cannot_be_used_is_named(
    files: Certificates, field: str, file: str, text: str
) -> None:
    """Ours: nobody is asked for a password on the terminal."""
    path = str(files.authority.with_name(f"{file}.pem"))
    profile = at("https://127.0.0.1:1/mcp")
    named = (
        replace(profile, ca_file=path) if field == "ca_file" else replace(profile, client_cert=path)
    )

    failure = await failure_of(named)

    assert text in failure.reason
    assert path in failure.reason
    assert "PEM" in failure.hint
