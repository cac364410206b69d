"""A request over HTTP as a command line of curl, for a POSIX shell."""

from __future__ import annotations

import re
import shlex
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inspector.export.offered import uses_http
from inspector.transcript.http_exchange import http_exchange
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from inspector.transcript.http_exchange import Hop, HttpExchange
    from inspector.transcript.redaction import Masking
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import JsonObject

MAX_NOTES = 200
"""Notes that are searched for the URL of the server."""

_OWN = {"host", "content-length", "connection", "transfer-encoding"}
"""Headers that curl sets itself."""


_PLAIN = re.compile(r"[^\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]*")
"""Text that is safe between quotes of a shell."""


def curl_commands(
    transcript: Transcript, numbers: Iterable[int], masking: Masking
) -> Iterator[str]:
    """Yield the command line of every HTTP request that the frames belong to, each once."""
    written: set[int] = set()
    for number in filter(partial(uses_http, transcript), numbers):
        exchange = http_exchange(transcript, number)
        hop = exchange.hop_of(number) if exchange is not None else None
        if exchange is not None and hop is not None and hop.request not in written:
            written.add(hop.request)
            yield curl_command(transcript, exchange, hop, masking)


def curl_command(transcript: Transcript, exchange: HttpExchange, hop: Hop, masking: Masking) -> str:
    """Return the command line that sends the request of `hop` again.

    Raises:
        StorageError: its frames are in the file and cannot be read.
    """
    verb, url, fields = request_of(schemes(transcript), hop, masking)
    parts = [["curl", "--include", "--no-buffer"]]
    if _is_unchecked(transcript):
        parts[0].append("--insecure")
    body = _body(transcript, exchange, verb, masking)
    if verb != ("POST" if body else "GET"):
        parts[0] += ["--request", verb]
    parts[0].append(quoted(url))
    parts += [["--header", quoted(field)] for field in fields]
    if body:
        parts.append(["--data-raw", quoted(body.decode("utf-8", "surrogateescape"))])
    return " \\\n  ".join(" ".join(line) for line in parts)


def request_of(
    known: Mapping[str, str], hop: Hop, masking: Masking
) -> tuple[str, str, tuple[str, ...]]:
    """Return verb, URL and header lines of a request, without the headers that every client sets itself; `known` are the `schemes`."""
    header = masking.raw(hop.request).decode("utf-8", "surrogateescape")
    request_line, *lines = header.split("\r\n")
    verb, _, rest = request_line.partition(" ")
    host = next((value.strip() for name, value in map(_pair, lines) if name == "host"), "")
    url = request_url(known, verb, rest.rpartition(" ")[0], host)
    return verb, url, tuple(line for line in lines if _pair(line)[0] not in _OWN)


def request_url(known: Mapping[str, str], verb: str, target: str, host: str) -> str:
    """Return the URL of a request line with this target, sent to `host`; `known` are the `schemes`."""
    is_absolute = "://" in target and not target.startswith("/")  # a query may contain a URL
    if is_absolute or verb == "CONNECT":
        return target
    return f"{known.get(host.lower(), 'http')}://{host}{target}"


def quoted(text: str) -> str:
    """Return `text` as one word of a shell; anything but plain text is written as escapes, which bash and zsh understand."""
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


def _notes(transcript: Transcript) -> list[JsonObject]:
    """The first notes of the transcript."""
    found: list[JsonObject] = []
    kinds, at = transcript.columns.kind, 0
    try:
        while len(found) < MAX_NOTES:
            at = kinds.index(MessageKind.NOTE, at) + 1
            value = transcript.message(at).value
            if isinstance(value, dict):
                found.append(value)
    except ValueError:
        pass
    return found


def _is_unchecked(transcript: Transcript) -> bool:
    return any(note.get("event") == "not-verified" for note in _notes(transcript))


def schemes(transcript: Transcript) -> dict[str, str]:
    """Return the schemes of servers by their host, as far as notes have them: header blocks do not."""
    found: dict[str, str] = {}
    for note in _notes(transcript):
        parts = urlsplit(str(note.get("url", "")))
        if parts.scheme:
            found.setdefault(parts.netloc.rpartition("@")[2].lower(), parts.scheme)
    return found
