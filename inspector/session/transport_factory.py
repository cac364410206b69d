"""The kinds of transport: one row each, from which every table about transports derives.

To add a transport: a class with the members of `inspector.transport.base.Transport` in a file of its own, and a row in `TRANSPORTS`. The profile
form, the importers, the command line, the badges and the connection steps read the rows when they need them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from inspector.errors import ConnectFailed
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.transport.base import Transport
    from inspector.transport.http.config import HttpConfig
    from inspector.transport.http.credentials import Credentials

RUNNER_GRACE_SECONDS = 20.0
"""Time for a program that downloads the server after SIGTERM, while the server has not started: a package manager that is killed
can leave an installation behind that no later start repairs."""

PROCESS_FIELDS = frozenset({"command", "args", "env", "cwd", "restart_on_change"})
HTTP_FIELDS = frozenset(
    {"url", "headers", "authorization", "verify", "ca_file", "client_cert", "proxy"}
)


class ConnectionTarget(Protocol):
    """How to reach a server and how long to wait for it: a saved profile, or anything else with these members."""

    @property
    def name(self) -> str:
        """The name that the user gave it."""
        ...

    @property
    def transport(self) -> str:
        """`stdio`, `http` and so on."""
        ...

    @property
    def command(self) -> str:
        """The program to start."""
        ...

    @property
    def args(self) -> tuple[str, ...]:
        """The arguments of the program."""
        ...

    @property
    def env(self) -> tuple[tuple[str, str], ...]:
        """Variables added to the environment."""
        ...

    @property
    def cwd(self) -> str:
        """Working directory; empty for the one of Spyglass."""
        ...

    @property
    def url(self) -> str:
        """Address of the server, for every transport but stdio."""
        ...

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """Headers sent with every request, for the transports over HTTP."""
        ...

    @property
    def verify(self) -> bool:
        """Whether the certificate of the server is checked."""
        ...

    @property
    def ca_file(self) -> str:
        """File of certificates to trust besides those of the system; empty for none."""
        ...

    @property
    def client_cert(self) -> str:
        """File with the certificate of the client and its key; empty for none."""
        ...

    @property
    def proxy(self) -> str:
        """Address of the proxy; empty for the one in the environment."""
        ...

    @property
    def revision(self) -> str:
        """Date of the pinned revision; `negotiation.HANDSHAKE` for any with a handshake, empty for automatic."""
        ...

    @property
    def timeout_seconds(self) -> float:
        """The idle timeout of a request."""
        ...

    @property
    def total_timeout_seconds(self) -> float:
        """The total timeout of a request."""
        ...


class TransportKind(FrozenStruct, frozen=True):
    """The facts that Spyglass needs to offer, import, name and open a transport."""

    key: str
    """The value of `Profile.transport`, in saved lists and on the command line too."""
    title: str
    """The name in a list of transports."""
    badge: str
    """The name in badges and status lines."""
    step_title: str
    """The name of the connection step that opens it."""
    fields: frozenset[str]
    """The fields of a profile that it uses."""
    make: Callable[[ConnectionTarget, Credentials | None], Transport]
    """Makes one that is not open yet; raises `ConnectFailed` for a target that it cannot reach."""
    schemes: tuple[str, ...] = ()
    """The schemes of its URLs, in lower case; empty for a process."""
    path_end: str = ""
    """The end of the path of URLs for this kind, of several kinds with the same scheme."""
    type_names: tuple[str, ...] = ()
    """Values of `type` in the configurations of other clients, in lower case and without separators."""
    can_be_stateless: bool = True
    """Whether a server over it may be of the stateless era."""

    @property
    def is_process(self) -> bool:
        """Whether the server is a child process; otherwise it has a URL."""
        return "command" in self.fields

    @property
    def has_headers(self) -> bool:
        """Whether it sends HTTP headers, which authorization needs."""
        return "headers" in self.fields


def transport_kind(key: str) -> TransportKind:
    """Return the kind with this key; for an unknown one, a kind that uses no field and cannot be made."""
    found = next((kind for kind in TRANSPORTS if kind.key == key), None)
    return found or TransportKind(key, key, key, "Open the connection", frozenset(), _unknown)


def url_schemes() -> tuple[str, ...]:
    """Return the schemes of the URLs that lead to a server, in the order of `TRANSPORTS`."""
    return tuple(dict.fromkeys(scheme for kind in TRANSPORTS for scheme in kind.schemes))


def guess_transport(url: str) -> str:
    """Return the key of the transport that a URL suggests; a URL of an unknown scheme is taken for one of HTTP."""
    scheme = url.partition(":")[0].lower()
    path = url.partition("?")[0].partition("#")[0].rstrip("/")
    known = scheme if scheme in url_schemes() else "http"
    kinds = [kind for kind in TRANSPORTS if known in kind.schemes]
    return max(kinds, key=lambda kind: bool(kind.path_end) and path.endswith(kind.path_end)).key


def make_transport(target: ConnectionTarget, credentials: Credentials | None = None) -> Transport:
    """Return the transport that reaches a target, with `credentials` for those over HTTP.

    Raises:
        ConnectFailed: the target cannot be reached over this transport.
    """
    return transport_kind(target.transport).make(target, credentials)


def http_address(target: ConnectionTarget) -> HttpConfig:
    """Return how a target is reached over HTTP.

    Raises:
        ConnectFailed: the URL or the headers are invalid.
    """
    from inspector.transport.http import config

    checked = config.check(target.url, target.headers)
    return replace(
        checked,
        verify=target.verify,
        ca_file=target.ca_file,
        client_cert=target.client_cert,
        proxy=target.proxy,
    )


# The transports are imported when they are made: the table is read long before, by everything that shows a profile.


def _stdio(target: ConnectionTarget, _: Credentials | None) -> Transport:
    from inspector.session.package_runner import find_runner
    from inspector.transport.command import resolve
    from inspector.transport.stdio import StdioTransport

    launch = resolve(target.command, target.args, dict(target.env), target.cwd)
    if find_runner(target.command, target.args) is None:
        return StdioTransport(launch)
    return StdioTransport(launch, start_grace_seconds=RUNNER_GRACE_SECONDS)


def _http(target: ConnectionTarget, credentials: Credentials | None) -> Transport:
    from inspector.transport.streamable_http import StreamableHttpTransport

    return StreamableHttpTransport(http_address(target), credentials=credentials)


def _sse(target: ConnectionTarget, credentials: Credentials | None) -> Transport:
    from inspector.transport.legacy_sse import LegacySseTransport

    return LegacySseTransport(http_address(target), credentials=credentials)


def _tcp(target: ConnectionTarget, _: Credentials | None) -> Transport:
    from inspector.transport.tcp import TcpTransport, host_and_port

    return TcpTransport(*host_and_port(target.url))


def _unknown(target: ConnectionTarget, _: Credentials | None) -> Transport:
    raise ConnectFailed(
        f"unknown transport {target.transport}",
        hint=f"Use one of {', '.join(kind.key for kind in TRANSPORTS)}.",
        is_of_settings=True,
    )


TRANSPORTS: tuple[TransportKind, ...] = (
    TransportKind(
        key="stdio",
        title="stdio",
        badge="stdio",
        step_title="Start process",
        fields=PROCESS_FIELDS,
        make=_stdio,
        type_names=("stdio", "local"),
    ),
    TransportKind(
        key="http",
        title="Streamable HTTP",
        badge="HTTP",
        step_title="Prepare streamable HTTP",
        fields=HTTP_FIELDS,
        make=_http,
        schemes=("http", "https"),
        type_names=(
            *("http", "streamablehttp", "streamable", "httpstream", "shttp"),
            *("remote", "url", "mcp"),
        ),
    ),
    TransportKind(
        key="sse",
        title="HTTP+SSE (legacy)",
        badge="SSE",
        step_title="Open the event stream (HTTP+SSE)",
        fields=HTTP_FIELDS,
        make=_sse,
        schemes=("http", "https"),
        path_end="/sse",
        type_names=("sse",),
        can_be_stateless=False,  # deprecated by 2025-03-26, two revisions before the stateless era
    ),
    TransportKind(
        key="tcp",
        title="TCP",
        badge="TCP",
        step_title="Connect",
        fields=frozenset({"url"}),
        make=_tcp,
        schemes=("tcp",),
        type_names=("tcp",),
    ),
)
"""The kinds of transport, in the order in which they are offered."""
