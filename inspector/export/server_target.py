"""How a server was reached, as far as the frames of a transcript show it; and the request that snippets send again."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inspector.export.curl import request_of, schemes
from inspector.export.offered import belongs_to_sent_request
from inspector.frozen import FrozenStruct
from inspector.spec import keys
from inspector.transcript.event_effects import note_at
from inspector.transcript.http_exchange import http_exchange
from inspector.transcript.index import newest_with
from inspector.wire import json_codec
from inspector.wire.frame import Channel
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.transcript.redaction import Masking
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json, JsonObject

MAX_NOTES = 200
"""Notes that are searched for how the server was reached."""

_OF_TRANSPORT = {"accept", "accept-encoding", "content-type", "user-agent", "cache-control"}
"""Headers that every client sets itself."""


class ServerTarget(FrozenStruct, frozen=True):
    """A server, as a command or as a URL; neither where the frames do not show it."""

    command: tuple[str, ...] = ()
    """The program and its arguments."""
    url: str = ""
    """The URL over HTTP or TCP."""
    headers: tuple[tuple[str, str], ...] = ()
    """HTTP headers that the user set."""


class SentRequest(FrozenStruct, frozen=True):
    """A request of the client."""

    method: str
    params: JsonObject
    """Its parameters without `_meta`."""
    meta: JsonObject
    """What the user put into `_meta`."""
    target: ServerTarget

    def text(self, name: str) -> str:
        """Return a parameter that is a string; empty for any other."""
        value = self.params.get(name)
        return value if isinstance(value, str) else ""

    @property
    def arguments(self) -> JsonObject | None:
        """The arguments of a tool or prompt; None without any."""
        value = self.params.get("arguments")
        return value if isinstance(value, dict) else None

    @property
    def all_params(self) -> JsonObject:
        """The parameters with `_meta`, where the user put something into it."""
        meta: Json = self.meta
        return {**self.params, keys.META: meta} if self.meta else self.params

    def has_only(self, *names: str) -> bool:
        """Whether there are no parameters but these, and no metadata."""
        return not self.meta and self.params.keys() <= {*names}


def sent_requests(
    transcript: Transcript, numbers: Iterable[int], masking: Masking
) -> Iterator[SentRequest]:
    """Yield the requests of the client that frames belong to, each once."""
    written: set[int] = set()
    for number in filter(partial(belongs_to_sent_request, transcript), numbers):
        owner = transcript.columns.request[number - 1]
        if owner not in written:
            written.add(owner)
            yield _sent_request(transcript, owner, masking)


def _sent_request(transcript: Transcript, number: int, masking: Masking) -> SentRequest:
    raw = masking.apply(number, transcript.message(number).raw)
    value = json_codec.read(raw).value
    message = value if isinstance(value, dict) else {}
    given, method = message.get("params"), message.get("method")
    params = dict(given) if isinstance(given, dict) else {}
    meta = params.pop(keys.META, None)
    target = server_target(transcript, number, masking)
    return SentRequest(method if isinstance(method, str) else "", params, _of_user(meta), target)


def _of_user(meta: Json) -> JsonObject:
    if not isinstance(meta, dict):
        return {}
    own = {keys.PROGRESS_TOKEN, *keys.OF_EVERY_REQUEST}
    return {name: value for name, value in meta.items() if name not in own}


def server_target(transcript: Transcript, number: int, masking: Masking) -> ServerTarget:
    """Return how the server of frame `number` was reached."""
    if transcript.columns.channel[number - 1] in {Channel.BODY, Channel.SSE, Channel.HTTP}:
        return _over_http(transcript, number, masking)
    for note in _notes_before(transcript, number, masking):
        arguments = note.get("args")
        if note.get("event") == "started" and isinstance(arguments, list):
            return ServerTarget((f"{note.get('program')}", *map(str, arguments)))
        if note.get("event") == "opened" and isinstance(url := note.get("url"), str):
            return ServerTarget(url=url)
    return ServerTarget()


def _notes_before(transcript: Transcript, number: int, masking: Masking) -> Iterator[JsonObject]:
    """The latest notes up to a frame, newest first."""
    found = newest_with(transcript.columns.kind, MessageKind.NOTE, 0, number)
    for _, at in zip(range(MAX_NOTES), found, strict=False):
        if note_at(transcript, at):
            note = json_codec.read(masking.raw(at)).value
            yield note if isinstance(note, dict) else {}


def _over_http(transcript: Transcript, number: int, masking: Masking) -> ServerTarget:

    exchange = http_exchange(transcript, number)
    hop = exchange.hop_of(number) if exchange is not None else None
    if hop is None:
        return ServerTarget()
    _, url, lines = request_of(schemes(transcript), hop, masking)
    parts = (line.partition(":") for line in lines)
    pairs = ((name.strip(), value.strip()) for name, _, value in parts)
    own = tuple(pair for pair in pairs if _is_of_user(pair[0].lower()))
    return ServerTarget(url=url, headers=own)


def _is_of_user(name: str) -> bool:
    return name not in _OF_TRANSPORT and not name.startswith("mcp-")
