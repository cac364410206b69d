"""Which transport a target asks for. A new kind of transport gets one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.errors import ConnectFailed
from inspector.session.package_runner import find_runner
from inspector.transport.command import resolve
from inspector.transport.http import config
from inspector.transport.legacy_sse import LegacySseTransport
from inspector.transport.stdio import StdioTransport
from inspector.transport.streamable_http import StreamableHttpTransport
from inspector.transport.tcp import TcpTransport, host_and_port

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.session.target import Target
    from inspector.transport.base import Transport
    from inspector.transport.http.config import HttpConfig
    from inspector.transport.http.credentials import Credentials


RUNNER_GRACE_SECONDS = 20.0
"""What a program that downloads the server gets after SIGTERM, as long as the server has not started: a package manager that is killed
can leave an installation behind that no later start repairs."""


def make_transport(target: Target, credentials: Credentials | None = None) -> Transport:
    """The transport that reaches a target, let in by `credentials` where it goes over HTTP.

    Raises:
        ConnectFailed: it cannot be reached this way.
    """
    make = _MAKERS.get(target.transport)
    if make is None:
        known = ", ".join(_MAKERS)
        raise ConnectFailed(
            f"Spyglass does not know the transport {target.transport}",
            remedy=f"Choose one of {known}.",
        )
    return make(target, credentials)


def _stdio(target: Target, _: Credentials | None) -> Transport:
    launch = resolve(target.command, target.args, dict(target.env), target.cwd)
    if find_runner(target.command, target.args) is None:
        return StdioTransport(launch)
    return StdioTransport(launch, start_grace_seconds=RUNNER_GRACE_SECONDS)


def _http(target: Target, credentials: Credentials | None) -> Transport:
    return StreamableHttpTransport(http_address(target), credentials=credentials)


def _sse(target: Target, credentials: Credentials | None) -> Transport:
    return LegacySseTransport(http_address(target), credentials=credentials)


def _tcp(target: Target, _: Credentials | None) -> Transport:
    return TcpTransport(*host_and_port(target.url))


def http_address(target: Target) -> HttpConfig:
    """Where a target is reached over HTTP, and with what.

    Raises:
        ConnectFailed: it cannot be reached so.
    """
    checked = config.check(target.url, target.headers)
    return replace(
        checked,
        verify=target.verify,
        ca_file=target.ca_file,
        client_cert=target.client_cert,
        proxy=target.proxy,
    )


_MAKERS: dict[str, Callable[[Target, Credentials | None], Transport]] = {
    "stdio": _stdio,
    "http": _http,
    "sse": _sse,
    "tcp": _tcp,
}
