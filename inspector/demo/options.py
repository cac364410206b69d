"""How one run of the server differs from the next: what `command_line.py` reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from inspector.demo.auth.faults import Fault

BOTH_ERAS = "both"
STATEFUL_ERA = "stateful"
STATELESS_ERA = "stateless"
ERAS = (BOTH_ERAS, STATEFUL_ERA, STATELESS_ERA)
"""Conversations opened with `initialize`, requests that stand alone, or either as the client likes."""

ENTRIES_OF_CONFORMANCE = 48
"""On one page, so that the suite, which reads the first, finds what it looks for."""

EXIT_TEXT = "Cannot start: the environment variable DEMO_KEY is not set."


class Options(FrozenStruct, frozen=True):
    """How this run differs from a well-behaved server."""

    era: str = BOTH_ERAS
    """What is spoken: one of `ERAS`."""
    http_port: int | None = None
    """Serve streamable HTTP on this port instead of stdin and stdout."""
    sse_port: int | None = None
    """Serve HTTP+SSE on this port instead of stdin and stdout."""
    cut_streams: bool = False
    """Over streamable HTTP, end the stream of every call at once: the client has to ask for the rest."""
    conformance: bool = False
    """Offer what the conformance suite expects, in front of everything else."""
    page_size: int = 16
    """Entries on one page of a list."""
    banner: bool = False
    """Print text to stdout before the first message."""
    slow_start_seconds: float = 0
    """Do nothing for so long at first."""
    exit_code: int | None = None
    """Exit at once with this code."""
    exit_text: str = EXIT_TEXT
    """What stderr says then."""
    slow_answers_seconds: float = 0
    """Let every request wait for so long."""
    silent: bool = False
    """Read everything, answer nothing."""
    garble: str = ""
    """How to misspell an answer, a key of `GARBLES`."""
    garble_method: str = ""
    """Which method's answers to misspell; what opens a conversation when empty."""
    discovery: str = ""
    """How to answer `server/discover` wrongly, a key of `FAULTS` in `discovery.py`."""
    malformed_tools: bool = False
    """List malformed tools among the proper ones."""
    loop_pages: bool = False
    """Hand out the same cursor for ever."""
    stderr_lines: int = 0
    """Write so many lines to stderr at the start."""
    ignore_eof: bool = False
    """Go on when stdin ends."""
    ignore_sigterm: bool = False
    """Go on when told to terminate."""
    tls_file: str = ""
    """Over HTTP, speak TLS with a certificate made for this run, and write the certificate to this file."""
    tls_expired: bool = False
    """Let that certificate have expired."""
    auth: bool = False
    """Over HTTP, answer only requests with an access token, and be the issuer of those."""
    auth_faults: tuple[Fault, ...] = ()
    """What is wrong about that."""
    auth_consent: str = "page"
    """Who decides about an authorization request: one of `CONSENTS` in `auth/setup.py`."""
    auth_token_seconds: float = 3600
    """How long an access token lasts."""
    auth_dpop: str = ""
    """How tokens are bound to a key: one of `DPOPS` in `auth/setup.py`, or not at all."""
    auth_issuer_path: str = ""
    """Where the issuer lies below the origin."""

    @property
    def entries_a_page(self) -> int:
        """Entries on one page of a list."""
        return max(self.page_size, ENTRIES_OF_CONFORMANCE) if self.conformance else self.page_size
