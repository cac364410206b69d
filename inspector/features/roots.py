"""The roots of one server: edited by the user, returned by `roots/list`, announced when they change.

Source: client/roots; C-ROOT-01 to C-ROOT-11.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.errors import InspectorError
from inspector.event import Event
from inspector.frozen import FrozenStruct
from inspector.session.inbox_requests import refuse_undeclared
from inspector.session.session_state import SessionState
from inspector.spec.capabilities import declares
from inspector.spec.views.root import path_of, uri_of, uri_problem, uri_suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.session.peer import InboundRequest
    from inspector.session.session import Session
    from inspector.wire.json_codec import Json, JsonObject

METHOD = "roots/list"
CHANGED = "notifications/roots/list_changed"


class Root(FrozenStruct, frozen=True):
    """One place."""

    uri: str
    """Its address; sent as it is."""
    name: str = ""
    """What to call it; not sent while empty."""


class RootList:
    """The roots of one server, in order. They outlive its sessions."""

    def __init__(self, saved: Json = None, save: Callable[[Json], None] | None = None) -> None:
        """Begin with what was `saved`; `save` takes every change."""
        self.changed: Event[()] = Event()
        self.items: tuple[Root, ...] = tuple(
            Root(uri, name if isinstance(name := item.get("name"), str) else "")
            for item in (saved if isinstance(saved, list) else [])
            if isinstance(item, dict) and isinstance(uri := item.get("uri"), str)
        )
        self._save = save

    def set(self, items: Sequence[Root]) -> None:
        """Have these from now on."""
        if tuple(items) == self.items:
            return
        self.items = tuple(items)
        if self._save is not None:
            self._save(self.as_json())
        self.changed.fire()

    def add_folder(self, path: str) -> None:
        """Append a folder, named as it is."""
        self.set((*self.items, Root(uri_of(path), Path(path).name)))

    def as_json(self) -> list[Json]:
        """The roots as `roots/list` gives them."""
        return [_as_json(root) for root in self.items]


class Roots:
    """Roots in one session."""

    def __init__(self, session: Session, roots: RootList) -> None:
        """Answer `session` with `roots`."""
        self.list = roots
        self.notified_count = 0
        """How many times the server was told that they changed."""
        self.failure: InspectorError | None = None
        self._session = session
        self._stale = False
        session.responders[METHOD] = self._respond
        self._unsubscribe = roots.changed.subscribe(self._on_changed)
        session.changed.subscribe(self._on_session_changed)

    @property
    def is_declared(self) -> bool:
        """Whether this session may be asked for them."""
        return declares(self._session.client_capabilities, "roots")

    @property
    def announces(self) -> bool:
        """Whether the server is told of changes."""
        return declares(self._session.client_capabilities, "roots", "listChanged")

    async def _respond(self, inbound: InboundRequest) -> Json:
        refuse_undeclared(self._session, "roots")
        return {"roots": self.list.as_json()}

    def _on_changed(self) -> None:
        """C-ROOT-04; several changes in one turn of the loop are one."""
        ready = self._session.state is SessionState.READY
        if ready and self.announces and not self._stale:
            self._stale = True
            self._session.tasks.spawn(self._announce(), name="notify roots changed")

    async def _announce(self) -> None:
        self._stale = False
        try:
            await self._session.peer.notify(CHANGED)
        except InspectorError as error:
            self.failure = error
            return
        self.notified_count += 1

    def _on_session_changed(self) -> None:
        if self._session.state in {SessionState.CLOSED, SessionState.FAILED}:
            self._unsubscribe()


def root_problems(roots: Sequence[Root]) -> list[str]:
    """Return the problem of each root; empty for a valid one. Does not access the disk."""
    uris = [root.uri.rstrip("/") for root in roots]
    return [
        uri_problem(root.uri)
        or ("duplicate root URI" if uris.count(root.uri.rstrip("/")) > 1 else "")
        for root in roots
    ]


def suggestion(text: str) -> str:
    """Return the valid URI that was probably meant by `text`, such as a plain path or `~/work`; "" if no URI is likely."""
    text = text.strip()
    if text.startswith("~"):
        try:
            text = str(Path(text).expanduser())
        except RuntimeError:  # no such user
            return ""
    return uri_suggestion(text)


async def missing(roots: Sequence[Root]) -> set[str]:
    """The addresses that lead to nothing on this machine (C-ROOT-11); looked up in a thread."""
    return await asyncio.to_thread(_missing, tuple(root.uri for root in roots))


def _missing(uris: tuple[str, ...]) -> set[str]:
    return {uri for uri in uris if (path := path_of(uri)) and not _exists(path)}


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def _as_json(root: Root) -> JsonObject:
    return {"uri": root.uri, "name": root.name} if root.name else {"uri": root.uri}
