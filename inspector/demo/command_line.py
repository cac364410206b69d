"""The switches. They reach what no tool can: the time before the handshake, and the handshake itself."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.demo.auth.faults import FAULTS as FAULTS_OF_AUTH
from inspector.demo.auth.faults import NEEDS_TLS, Fault
from inspector.demo.auth.setup import CONSENTS, DPOPS
from inspector.demo.discovery import FAULTS
from inspector.demo.malformed import GARBLES
from inspector.demo.options import ERAS, Options

if TYPE_CHECKING:
    from collections.abc import Sequence

DESCRIPTION = """\
The MCP server that ships with Spyglass. It speaks MCP over stdin and stdout or over HTTP, shows every feature of the protocol, and
misbehaves on request: with the switches below, or in the middle of a session with the tools called fault_...
"""

AUTH_DESCRIPTION = """\
Tools that change something need the scope mcp:write, everything else mcp:read. Clients register by themselves or use a client id
metadata document on this machine. Registered by hand are demo-client (client_secret_basic) and demo-post-client
(client_secret_post), both with the secret demo-secret and fit for client credentials, and demo-public-client.
"""

EPILOG = "names for --auth-fault:\n" + "\n".join(
    f"  {fault.value:<27} {text}" for fault, text in FAULTS_OF_AUTH.items()
)

ISSUER_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)+")


def read(arguments: Sequence[str] | None = None) -> Options:
    """Read the command line, or `arguments`; exits with a usage message when they are wrong."""
    parser = _parser()
    options = Options(**vars(parser.parse_args(arguments)))
    if options.auth and options.http_port is None and options.sse_port is None:
        parser.error("--auth protects what is served with --http or --sse")
    faults = tuple(map(Fault, options.auth_faults))
    if not options.tls_file and not NEEDS_TLS.isdisjoint(faults):
        parser.error(f"--auth-fault {' and '.join(sorted(NEEDS_TLS))} need --tls")
    return replace(options, auth_faults=faults)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m inspector.demo",
        description=DESCRIPTION,
        argument_default=argparse.SUPPRESS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=EPILOG,
    )
    parser.add_argument(
        "--era",
        choices=ERAS,
        metavar="ERA",
        help="protocol mode: stateful, stateless or both (default)",
    )
    parser.add_argument(
        "--page-size",
        type=_positive,
        metavar="N",
        help="entries on one page of a list (default 16)",
    )
    parser.add_argument(
        "--conformance",
        action="store_true",
        help="offer what the official conformance suite expects, in front of everything else",
    )
    _add_http(parser.add_argument_group("over HTTP, on the loopback interface"))
    _add_auth(parser.add_argument_group("authorization, over HTTP", AUTH_DESCRIPTION))
    _add_start(parser.add_argument_group("startup faults"))
    _add_session(parser.add_argument_group("session faults"))
    _add_end(parser.add_argument_group("shutdown faults"))
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def _add_http(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage] - argparse names it nowhere else
    add = group.add_argument
    port = "PORT, or on any free one with 0"
    add(
        "--http",
        dest="http_port",
        type=int,
        metavar="PORT",
        help=f"speak streamable HTTP on {port}",
    )
    add("--sse", dest="sse_port", type=int, metavar="PORT", help=f"speak HTTP+SSE on {port}")
    add(
        "--cut-streams",
        action="store_true",
        help="end the stream of every call at once, so that the client has to ask for the rest",
    )
    add(
        "--tls",
        dest="tls_file",
        metavar="FILE",
        help="speak TLS with a certificate made for this run, and write the certificate to FILE, so that a client can trust it",
    )
    add("--tls-expired", action="store_true", help="let that certificate have expired yesterday")


def _add_auth(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage] - argparse names it nowhere else
    add = group.add_argument
    add(
        "--auth",
        action="store_true",
        help="answer only requests with an access token, and be the authorization server that issues them",
    )
    add(
        "--auth-consent",
        choices=CONSENTS,
        metavar="HOW",
        help="ask the user on a web page (page, the default), or redirect at once with a code (auto) or with access_denied (deny)",
    )
    add(
        "--auth-token-seconds",
        type=float,
        metavar="SECONDS",
        help="let access tokens expire after SECONDS (default 3600)",
    )
    add(
        "--auth-dpop",
        choices=DPOPS,
        metavar="HOW",
        help="bind tokens to a key with DPoP: required, or nonce, where proofs need a nonce of the server as well",
    )
    add(
        "--auth-issuer-path",
        type=_issuer_path,
        metavar="PATH",
        help="put the issuer at PATH instead of the root, for instance /tenant1",
    )
    add(
        "--auth-fault",
        dest="auth_faults",
        action="append",
        choices=[fault.value for fault in FAULTS_OF_AUTH],
        metavar="NAME",
        help="be wrong in one way; repeat it for several. NAME is one of those below",
    )


def _issuer_path(text: str) -> str:
    path = "/" + text.strip("/")
    if path == "/" or not ISSUER_PATH.fullmatch(path):
        raise ValueError(text)
    return path


def _add_start(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage] - argparse names it nowhere else
    add = group.add_argument
    add("--banner", action="store_true", help="print a banner to stdout before anything else")
    add(
        "--slow-start",
        dest="slow_start_seconds",
        type=float,
        metavar="SECONDS",
        help="wait SECONDS before reading the first message",
    )
    add("--exit", dest="exit_code", type=int, metavar="CODE", help="exit immediately with CODE")
    add(
        "--discover",
        dest="discovery",
        choices=tuple(FAULTS),
        metavar="HOW",
        help=f"answer server/discover wrongly; HOW is one of {', '.join(FAULTS)}",
    )
    add("--exit-words", dest="exit_text", metavar="TEXT", help="what --exit writes to stderr")
    add(
        "--stderr-lines",
        type=_positive,
        metavar="N",
        help="write N lines to stderr before reading the first message",
    )


def _add_session(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage] - argparse names it nowhere else
    add = group.add_argument
    add(
        "--slow-answers",
        dest="slow_answers_seconds",
        type=float,
        metavar="SECONDS",
        help="delay every response by SECONDS",
    )
    add("--silent", action="store_true", help="read messages but never respond")
    add(
        "--garble",
        choices=tuple(GARBLES),
        metavar="HOW",
        help=f"misspell the answer to initialize and server/discover; HOW is one of {', '.join(GARBLES)}",
    )
    add("--garble-method", metavar="METHOD", help="misspell the answers to METHOD instead")
    add(
        "--odd-tools",
        dest="malformed_tools",
        action="store_true",
        help="include malformed tools in the list",
    )
    add("--loop-pages", action="store_true", help="always return the same cursor")


def _add_end(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage] - argparse names it nowhere else
    add = group.add_argument
    add("--ignore-eof", action="store_true", help="keep running after stdin closes")
    add("--ignore-sigterm", action="store_true", help="ignore SIGTERM")
