"""What a server declared and listed in one run, as JSON texts: of a session, or as a recording shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.frozen import FrozenStruct
from inspector.spec.keys import META, META_SERVER_INFO
from inspector.transcript.exchange import response_in
from inspector.wire import json_codec
from inspector.wire.frame import Direction
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inspector.background_tasks import Steps
    from inspector.json_value import Json
    from inspector.transcript.transcript import Transcript


class ListKind(FrozenStruct, frozen=True):
    """One kind of list."""

    key: str
    """A stable name."""
    noun: str
    """One item, in a sentence."""
    method: str
    """The request for a page."""
    member: str
    """The member of its result that has the items."""
    identity: str
    """The member that identifies an item."""


LIST_KINDS = (
    ListKind("tools", "tool", "tools/list", "tools", "name"),
    ListKind("resources", "resource", "resources/list", "resources", "uri"),
    ListKind(
        "templates",
        "resource template",
        "resources/templates/list",
        "resourceTemplates",
        "uriTemplate",
    ),
    ListKind("prompts", "prompt", "prompts/list", "prompts", "name"),
)
"""Every kind of list, in the order of the pages."""

HANDSHAKES = ("initialize", "server/discover")
"""The requests with whose result a server describes itself."""

MAX_EXCHANGES = 20_000
"""Requests for lists that are read of a recording; a server that announces changes all the time has many."""


class ServerSnapshot(FrozenStruct, frozen=True):
    """What a server declared and listed."""

    revision: str = ""
    """The date of the revision; empty before one was agreed on."""
    info: Json = None
    """`serverInfo`."""
    capabilities: Json = None
    instructions: str = ""
    lists: Mapping[str, tuple[bytes, ...] | None] = {}
    """The items of each list as JSON texts, by `ListKind.key`; None for a list that was not read to its end."""
    is_known: bool = False
    """Whether the server described itself."""

    @property
    def version(self) -> str:
        """The version of the server; empty without one."""
        version = self.info.get("version") if isinstance(self.info, dict) else None
        return version if isinstance(version, str) else ""


def described(result: Json, revision: str = "") -> ServerSnapshot:
    """Return the snapshot, without lists, of a server with this result of a handshake."""
    members = result if isinstance(result, dict) else {}
    meta = members.get(META)
    info = meta.get(META_SERVER_INFO) if isinstance(meta, dict) else None
    named, instructions = members.get("protocolVersion"), members.get("instructions")
    return ServerSnapshot(
        revision or (named if isinstance(named, str) else ""),
        members.get("serverInfo") if info is None else info,
        members.get("capabilities"),
        instructions if isinstance(instructions, str) else "",
        is_known=True,
    )


def recorded_snapshot(transcript: Transcript, revision: str = "") -> Steps[ServerSnapshot]:
    """Return what the server declared and listed last, as a transcript has it; `revision` wins over the one in the handshake."""
    snapshot = ServerSnapshot()
    for _, result in _results(transcript, *HANDSHAKES):
        snapshot = described(result, revision)
        yield
    lists: dict[str, tuple[bytes, ...] | None] = {}
    for kind in LIST_KINDS:
        lists[kind.key] = yield from _listed(transcript, kind)
    return ServerSnapshot(
        snapshot.revision,
        snapshot.info,
        snapshot.capabilities,
        snapshot.instructions,
        lists,
        snapshot.is_known,
    )


def _listed(transcript: Transcript, kind: ListKind) -> Steps[tuple[bytes, ...] | None]:
    """Return the items of the last reading that came to its end."""
    found: tuple[bytes, ...] | None = None
    items: list[bytes] = []
    for params, result in _results(transcript, kind.method):
        members = result if isinstance(result, dict) else {}
        if not (isinstance(params, dict) and "cursor" in params):
            items = []
        listed = members.get(kind.member)
        items += map(json_codec.write_bytes, listed if isinstance(listed, list) else ())
        if not isinstance(members.get("nextCursor"), str):
            found = tuple(items)
        yield
    return found


def _results(transcript: Transcript, *methods: str) -> Iterator[tuple[Json, Json]]:
    """Yield params and result of the requests of these methods that Spyglass sent, as far as they can be read."""
    columns = transcript.columns
    numbers = {at for at, text in enumerate(columns.methods.texts) if text in methods}
    requests = [
        at + 1
        for at, method in enumerate(columns.method)
        if method in numbers
        and columns.request[at] == at + 1
        and columns.response[at]
        and columns.direction[at] == Direction.SENT
    ]
    for request in requests[-MAX_EXCHANGES:]:
        try:
            params = or_null(transcript.message(request).params)
            result = or_null(response_in(transcript, columns.response[request - 1], request).result)
        except StorageError:
            continue
        if result is not None:
            yield params, result
