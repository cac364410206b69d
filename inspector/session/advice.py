"""What to say about a failure, and what to try next: pure functions over the facts of `evidence.py`.

Every sentence names only what exists: no stderr over HTTP, no timeout where bytes came, no switch of the window on the command line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import Hint
from inspector.session import shapes
from inspector.transport.stdio import KEEP_STDIN, STDIN_CLOSED
from inspector.wire.frame import Channel

if TYPE_CHECKING:
    from inspector.session.evidence import Exit, Silence

SILENT = "without a sign of life"
"""Said where nothing at all came."""

INCREASE_TIMEOUT = Hint("Increase the timeout of this server.", cli="Increase --timeout.")

_SILENT_START = (
    "Check that the command starts an MCP server over stdio, that the server reads each line of standard input as one message (without "
    "`Content-Length` headers), and that it flushes stdout after each response."
)
_BUFFERS = "Let the server send its response as soon as it has it: the server, or a proxy in between, may hold back the event stream."
_OLD_STREAM = "Let the server send the response as a `message` event on the event stream that the client opened with GET."
_NO_CONNECTION = Hint(
    "Check host and port of the URL, any firewall or proxy in between, and whether the server uses TLS; or increase the timeout of this server.",
    cli="Check host and port of the URL, any firewall or proxy in between, and whether the server uses TLS; or increase --timeout.",
)
_SLOW_START = Hint(
    "If the server is only slow to start, select Keep waiting the next time.",
    cli="If the server is only slow to start, increase --timeout.",
)
_NO_STDIN = "Check that the server reads the standard input of the command: a script or a background process in between can keep it closed."


_CRASH = "Run the command in a terminal: the program crashed, perhaps in a native module."
_SIGNALS = {
    -9: "Check the memory limit: the system ends programs with SIGKILL when memory runs out.",
    -11: _CRASH,
    -6: _CRASH,
}
"""Exit code after a signal → what to do, where the program wrote nothing."""


def silence_words(facts: Silence) -> str:
    """Return the reason of a time-out as a clause: what came instead of the response, or that nothing did."""
    if facts.obstacle is not None:
        return f"no response; {facts.obstacle.text}: {_quoted(facts.stderr)}"
    if facts.runner is not None and facts.is_greeting and not facts.messages:
        latest = f"; latest stderr output: {_quoted(facts.stderr)}" if facts.stderr else ""
        return f"no response; `{facts.runner.name}` may still {facts.runner.work}{latest}"
    if facts.messages:
        several = "message" if facts.messages == 1 else "messages"
        what = f", the latest one {facts.latest_method}" if facts.latest_method else ""
        return f"no response, although {facts.messages:,} other {several} came{what} {_ago(facts.latest_ago_s)}"
    if facts.events:
        several = (
            "SSE comment or empty event" if facts.events == 1 else "SSE comments or empty events"
        )
        return f"no response; only {facts.events:,} {several} came, the latest one {_ago(facts.latest_ago_s)}"
    if facts.http_status.startswith("202"):
        return f"the server accepted {facts.method} ({facts.http_status}), but sent no response on its event stream"
    if facts.http_status:
        return f"the HTTP response ({facts.http_status}) began, but nothing came in it"
    return _quiet_words(facts)


def _quiet_words(facts: Silence) -> str:
    """The same where nothing came that could become a response."""
    if facts.is_stdin_closed:
        return f"no response; {STDIN_CLOSED}"
    if facts.cause:
        return f"no response; on stderr: {_quoted(facts.cause)}"
    if facts.stderr:
        return (
            f"no response; latest stderr output {_ago(facts.stderr_ago_s)}: {_quoted(facts.stderr)}"
        )
    if not facts.is_sent:
        return "no connection to the server"
    if facts.responses:
        before = "1 earlier request" if facts.responses == 1 else "earlier requests"
        return (
            f"no response to {facts.method}, and nothing else; the server did respond to {before}"
        )
    if facts.channel is Channel.BODY:
        return "the server accepted the connection and sent nothing back"
    return SILENT


def silence_hint(facts: Silence) -> str:
    """Return what to try after a time-out."""
    if facts.obstacle is not None:
        return facts.obstacle.hint
    if facts.runner is not None and facts.is_greeting and not facts.messages:
        return _runner_hint(facts.runner.name)
    if facts.messages:
        return f"Check what the server does on {facts.method}: it sends other messages, but no response with the id of the request."
    if facts.http_status and not facts.events:
        return _OLD_STREAM if facts.http_status.startswith("202") else _BUFFERS
    if facts.events:
        return f"Check what the server does on {facts.method}: it only keeps the event stream open."
    return _quiet_hint(facts)


def _quiet_hint(facts: Silence) -> str:
    """The same where nothing came that could become a response."""
    if facts.is_stdin_closed:
        return KEEP_STDIN
    known = shapes.end(facts.cause) if facts.cause else None
    if known is not None:
        return known.hint
    if facts.cause:
        return "Correct the error that is named on stderr, and let the server respond with an error where a request fails."
    if not facts.is_sent:
        return _NO_CONNECTION
    if facts.responses:
        return _hanging_hint(facts)
    if facts.channel is not Channel.STDIN:
        return _network_hint(facts)
    if not facts.is_greeting:
        return INCREASE_TIMEOUT
    return _joined(_NO_STDIN if facts.stderr else _SILENT_START, _SLOW_START)


def _hanging_hint(facts: Silence) -> Hint:
    """The server runs and responds, and this request is the one that hangs."""
    said = " Its output on stderr may tell." if facts.stderr else ""
    check = f"Check what the server does on {facts.method}: it may wait for a lock, a network, or input.{said} If it is only slow"
    return Hint(
        f"{check}, increase the timeout of this server.", cli=f"{check}, increase --timeout."
    )


def exit_words(text: str, facts: Exit) -> str:
    """Return how the process ended, before which response, with the line on stderr that names the cause."""
    if facts.method and facts.has_written:
        text = f"{text}, before it responded to {facts.method}"
    return f"{text}: {facts.cause}" if facts.cause else text


def exit_hint(facts: Exit) -> str:
    """Return what to try after the process ended without a response."""
    if facts.shape is not None:
        return facts.shape.hint
    if facts.container and not facts.has_written:
        return f"Add -i to the arguments of {facts.container}: without it standard input is closed."
    if facts.code == 0 and not (facts.has_written or facts.cause or facts.stdout):
        return (
            "Check that the server runs over stdio and waits for messages: it ended without an error, as programs do whose "
            "standard input is closed or not attached (docker: add -i), or that move themselves into the background."
        )
    if facts.cause and facts.stderr:
        return "Correct the error that is named on stderr."
    if facts.stderr:
        return "Read its output on stderr."
    if facts.stdout:
        return "Check the command: what it printed on stdout is not JSON-RPC."
    return _SIGNALS.get(facts.code or 0) or _quiet_exit_hint(facts)


def _quiet_exit_hint(facts: Exit) -> str:
    """The same where nothing was written to stderr."""
    if facts.has_written and facts.method:
        code = "without an error" if facts.code == 0 else "without a word on stderr"
        return f"Check what ends the server on {facts.method}, such as a call of exit(): it ended {code}."
    return "Run the command in a terminal: it wrote nothing to stderr."


def _runner_hint(name: str) -> Hint:
    again = "what was downloaded is kept."
    return Hint(
        f"Connect again: {again} Select Keep waiting to give `{name}` more time, or run the command once in a terminal.",
        cli=f"Run this again: {again} Increase --timeout to give `{name}` more time, or run the command once in a terminal.",
    )


def _network_hint(facts: Silence) -> Hint:
    check = (
        "Check that this URL is an MCP endpoint"
        if facts.is_greeting
        else "Look at the log of the server"
    )
    return Hint(
        f"{check}, or increase the timeout of this server.", cli=f"{check}, or increase --timeout."
    )


def _joined(first: str, second: Hint) -> Hint:
    return Hint(f"{first} {second}", cli=f"{first} {second.cli}")


def _ago(seconds: float) -> str:
    return f"{seconds:.1f} s before that"


def _quoted(text: str) -> str:
    return f"“{text}”"
