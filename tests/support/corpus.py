"""Cases of the corpus, played by `corpus_player.py` as live servers and looked at through the engine.

A case file has `id`, `kind`, `title`, `input` and `expect`. A test of a case names its id and asserts what `expect` says, as
far as the engine is concerned.
"""

from __future__ import annotations

import json
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.config.profile import Profile
from inspector.errors import InspectorError
from inspector.session.negotiation import HANDSHAKE
from inspector.workspace import Workspace
from tests.support.findings import validate_all
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import MessageKind

CASES = Path(__file__).parents[1] / "engine" / "corpus" / "cases"
PLAYER = Path(__file__).with_name("corpus_player.py")


def case(name: str) -> JsonObject:
    """A case by its id."""
    kind = name.partition("-")[0]
    found: JsonObject = json.loads((CASES / kind / f"{name}.json").read_text())
    assert found["id"] == name
    return found


def variants(name: str) -> range:
    """The numbers of a case's variants."""
    given = case(name)["input"]
    assert isinstance(given, dict)
    entries = given["variants"]
    assert isinstance(entries, list)
    return range(1, len(entries) + 1)


class Played:
    """A case that is being played, and what can be seen of it."""

    def __init__(self, opened: OpenSession, log: Path) -> None:
        self.opened = opened
        self.session = opened.session
        self.transcript = opened.session.transcript
        self._log = log

    def received(self) -> list[JsonObject]:
        """The messages that the server got, in order."""
        return [json.loads(raw) for raw in self.raws()]

    def raws(self) -> list[str]:
        """The lines that the server got, in order."""
        if not self._log.exists():
            return []
        lines = self._log.read_text().splitlines()
        return [json.loads(line)["raw"] for line in lines]

    def methods(self) -> list[Json]:
        """The methods of the requests and notifications that the server got."""
        return [message["method"] for message in self.received() if "method" in message]

    async def received_soon(self, method: str) -> JsonObject:
        """The first message of that method that the server gets."""
        await wait_until(lambda: method in self.methods())
        return next(m for m in self.received() if m.get("method") == method)

    def names(self) -> list[str]:
        """The names of the tools as shown."""
        return [item.id_label for item in self.opened.tools.items]

    def judge(self) -> None:
        """Judge everything that is there now."""
        validate_all(self.opened.sweep)

    def rules(self, number: int) -> list[str]:
        """The rules of the findings about a frame."""
        return [finding.rule for finding in self.transcript.findings(number)]

    def frames(
        self, *, kind: MessageKind | None = None, rule: str = "", text: str = ""
    ) -> list[int]:
        """The numbers of the frames of a kind, with a finding of a rule, with a text in them."""
        return [
            number
            for number in range(1, self.transcript.count + 1)
            if (kind is None or self.transcript.row(number).kind is kind)
            and (not rule or rule in self.rules(number))
            and text.encode() in self.transcript.raw(number)
        ]

    def texts(self, kind: MessageKind) -> Iterator[str]:
        """The text of each frame of a kind."""
        return (self.transcript.raw(number).decode() for number in self.frames(kind=kind))


@asynccontextmanager
async def playing(
    name: str,
    folder: Path,
    variant: int = 0,
    *,
    timeout: float = 5,
    total: float = 60,
    revision: str = HANDSHAKE,
) -> AsyncGenerator[Played]:
    """A session with the case, not yet connected; afterwards it is closed."""
    kind, log = name.partition("-")[0], folder / "log"
    arguments = [str(CASES / kind / f"{name}.json"), "--variant", str(variant), "--log", str(log)]
    profile = Profile(
        name=name,
        command=sys.executable,
        args=("-I", "-S", str(PLAYER), *arguments),
        revision=revision,
        timeout_seconds=timeout,
        total_timeout_seconds=total,
    )
    workspace = Workspace(None)
    opened = workspace.open(profile)
    try:
        yield Played(opened, log)
    finally:
        await workspace.aclose()


@asynccontextmanager
async def connected(
    name: str, folder: Path, variant: int = 0, *, timeout: float = 5, total: float = 60
) -> AsyncGenerator[Played]:
    """A session with the case, connected, its lists read."""
    async with playing(name, folder, variant, timeout=timeout, total=total) as played:
        await played.opened.connect()
        yield played


async def failure_of(played: Played) -> InspectorError:
    """Why the case cannot be connected to."""
    try:
        await played.opened.connect()
    except InspectorError as error:
        return error
    raise AssertionError("it connected")
