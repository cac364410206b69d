"""What a session has to know of where it leads. The saved profiles fit; so does anything else with these members."""

from __future__ import annotations

from typing import Protocol


class ConnectionTarget(Protocol):
    """How to reach a server and how long to wait for it."""

    @property
    def name(self) -> str:
        """What a person calls it."""
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
        """Its arguments."""
        ...

    @property
    def env(self) -> tuple[tuple[str, str], ...]:
        """Variables added to the environment."""
        ...

    @property
    def cwd(self) -> str:
        """Working directory; empty for our own."""
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
        """File with our certificate and its key; empty for none."""
        ...

    @property
    def proxy(self) -> str:
        """Address of the proxy; empty for what the environment says."""
        ...

    @property
    def revision(self) -> str:
        """Date of the revision to insist on; `negotiate.HANDSHAKE` for any with a handshake, empty for automatic."""
        ...

    @property
    def timeout_seconds(self) -> float:
        """How long to wait for an answer while nothing is heard."""
        ...

    @property
    def total_timeout_seconds(self) -> float:
        """How long to wait for an answer in any case."""
        ...
