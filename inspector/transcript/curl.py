"""A request over HTTP as a command line of curl, for a POSIX shell. Secrets are hidden unless they are wanted."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inspector.transcript.masking import Masking
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import Kind

if TYPE_CHECKING:
    from inspector.transcript.http_exchange import Hop, HttpExchange
    from inspector.transcript.transcript import Transcript
    from inspector.wire.jsontext import JsonObject

NOTES = 200
"""Remarks that are searched for the address of the server."""

_OWN = {"host", "content-length", "connection", "transfer-encoding"}
"""Headers that curl sets itself."""

_PLAIN = re.compile(r"[^\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]*")
"""Text that a shell takes between quotes without harm."""


def curl_command(
    transcript: Transcript, exchange: HttpExchange, hop: Hop, *, with_secrets: bool = False
) -> str:
    """The command line that sends the request of `hop` again.

    Raises:
        StorageError: its frames are in the file and cannot be read.
    """
    masking = Masking(transcript, with_secrets=with_secrets)
    verb, url, fields = request_of(transcript, hop, masking)
    words = [["curl", "--include", "--no-buffer"]]
    if _is_unchecked(transcript):
        words[0].append("--insecure")
    body = _body(transcript, exchange, verb, masking)
    if verb != ("POST" if body else "GET"):
        words[0] += ["--request", verb]
    words[0].append(quoted(url))
    words += [["--header", quoted(field)] for field in fields]
    if body:
        words.append(["--data-raw", quoted(body.decode("utf-8", "surrogateescape"))])
    return " \\\n  ".join(" ".join(line) for line in words)


def request_of(
    transcript: Transcript, hop: Hop, masking: Masking
) -> tuple[str, str, tuple[str, ...]]:
    """Verb, whole address and header lines of a request, without the headers that every client sets itself."""
    head = masking.raw(hop.request).decode("utf-8", "surrogateescape")
    first, *lines = head.split("\r\n")
    verb, _, rest = first.partition(" ")
    target = rest.rpartition(" ")[0]
    host = next((value.strip() for name, value in map(_pair, lines) if name == "host"), "")
    url = target if "://" in target else f"{_scheme(transcript, host)}://{host}{target}"
    kept = tuple(line for line in lines if _pair(line)[0] not in _OWN)
    return verb, url if verb != "CONNECT" else target, kept


def quoted(text: str) -> str:
    """`text` as one word of a shell; what is no plain text is written as escapes, which bash and zsh know."""
    if _PLAIN.fullmatch(text):
        return shlex.quote(text)
    raw = text.encode("utf-8", "surrogateescape")
    return "$'" + "".join(_escaped(byte) for byte in raw) + "'"


def _escaped(byte: int) -> str:
    if byte in b"\\'":
        return f"\\{byte:c}"
    return f"{byte:c}" if 0x20 <= byte < 0x7F else f"\\x{byte:02x}"


def _pair(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name.strip().lower(), value


def _body(transcript: Transcript, exchange: HttpExchange, verb: str, masking: Masking) -> bytes:
    columns, opener = transcript.columns, exchange.opener
    sent = columns.direction[opener - 1] == Direction.SENT
    posted = sent and columns.channel[opener - 1] == Channel.BODY
    return masking.raw(opener) if posted and verb not in {"GET", "CONNECT"} else b""


def _remarks(transcript: Transcript) -> list[JsonObject]:
    """The first remarks of the record."""
    found: list[JsonObject] = []
    kinds, at = transcript.columns.kind, 0
    try:
        while len(found) < NOTES:
            at = kinds.index(Kind.NOTE, at) + 1
            value = transcript.message(at).value
            if isinstance(value, dict):
                found.append(value)
    except ValueError:
        pass
    return found


def _is_unchecked(transcript: Transcript) -> bool:
    return any(note.get("event") == "not-verified" for note in _remarks(transcript))


def _scheme(transcript: Transcript, host: str) -> str:
    """How the server at `host` was reached, as the record says."""
    for note in _remarks(transcript):
        parts = urlsplit(str(note.get("url", "")))
        if parts.netloc.rpartition("@")[2].lower() == host.lower() and parts.scheme:
            return parts.scheme
    return "http"
