"""The servers of the round trips: how each is started, and which of its tools shows what."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.config.importers.server_entry import OWN_KEY
from inspector.session.negotiation import HANDSHAKE
from tests.support.peers import SERVERS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pytest

    from inspector.wire.json_codec import JsonObject


@dataclass(frozen=True)
class Act:
    """One call of a tool: what is filled in, and what is to be seen then."""

    tool: str
    """The label of its row."""
    fields: Mapping[str, str] = field(default_factory=dict[str, str])
    """JSON pointers and what is typed or chosen there."""
    seen: str = ""
    """Words that appear."""


@dataclass(frozen=True)
class Peer:
    """One server."""

    name: str
    """What the overview calls it."""
    version: str
    """The version it names; empty where that depends on what is installed."""
    argv: Callable[[pytest.FixtureRequest], list[str]]
    """Its command line."""
    declares: tuple[str, ...]
    """Capabilities it declares."""
    speaks: Act
    """Answers with text."""
    structures: Act
    """Answers with structured content."""
    draws: Act
    """Answers with a picture."""
    fails: Act
    """Answers with a result that says isError."""
    counts: Act
    """Takes long enough to be watched, and reports progress."""
    logs: Act
    """Sends log messages."""
    refuses: Act | None = None
    """Answers with an error of the protocol; the shown code."""
    refused_in: str = "call_error"
    """Where that is shown."""
    asks: Act | None = None
    """Asks the client for something; the method it calls."""
    revision: str = ""
    """Which revision is insisted on; empty for none."""

    def command_line(self, request: pytest.FixtureRequest, mark: str) -> str:
        """What a user would paste; `mark` is for finding its processes again."""
        command, *args = [*self.argv(request), *self.marked(mark)]
        if not self.revision:
            return shlex.join([command, *args])
        own: JsonObject = {"revision": self.revision}
        entry: JsonObject = {"command": command, "args": [*args], OWN_KEY: own}
        return json.dumps({"mcpServers": {Path(args[0]).stem: entry}})

    def argv_alone(self) -> list[str]:
        """The command line of our own server, which needs nothing to be installed."""
        assert self is DEMO
        return [sys.executable, "-m", "inspector.demo", "--era", "stateful"]

    def marked(self, mark: str) -> list[str]:
        """Arguments that change nothing."""
        return ["--exit-words", mark] if self is DEMO else [mark]


def _everything(request: pytest.FixtureRequest) -> list[str]:
    return [*request.getfixturevalue("everything_server"), "stdio"]


def _sdk(version: int) -> Callable[[pytest.FixtureRequest], list[str]]:
    script = str(SERVERS / f"sdk{version}_server.py")
    return lambda request: [str(request.getfixturevalue(f"sdk{version}_python")), script]


EVERYTHING = Peer(
    name="Everything Reference Server",
    version="2.0.0",
    argv=_everything,
    declares=("tools", "resources", "prompts", "logging", "tasks"),
    speaks=Act("Echo Tool", {"/message": "hello"}, "Echo: hello"),
    structures=Act("Get Structured Content Tool", {"/location": "Chicago"}, "Light rain / drizzle"),
    draws=Act("Get Tiny Image Tool"),
    fails=Act("Get Sum Tool", {"/a": "3"}, "Invalid input"),
    counts=Act("Trigger Long Running Operation Tool", {"/duration": "60", "/steps": "300"}),
    logs=Act("Toggle Simulated Logging", seen="Started simulated"),
)

SDK1 = Peer(
    name="sdk1-peer",
    version="",
    argv=_sdk(1),
    declares=("tools", "resources", "prompts"),
    speaks=Act("Echo", {"/message": "hello"}, "Echo: hello"),
    structures=Act("Forecast", {"/place": "Rome", "/celsius": "false"}, "70.7"),
    draws=Act("picture"),
    fails=Act("fail", seen="The printer is out of paper."),
    counts=Act("countdown", {"/steps": "300", "/seconds": "60"}),
    logs=Act("chatter", seen="Sent 4 log messages."),
    refuses=Act("refuse", seen="-32042"),
    refused_in="visits_said",  # it wants a page visited
    asks=Act("ask_person", seen="elicitation/create"),
)

SDK2 = Peer(
    name="Peer on SDK 2",
    version="2.0.1",
    argv=_sdk(2),
    declares=("tools", "resources", "prompts"),
    speaks=Act("Echo", {"/message": "hello"}, "Echo: hello"),
    structures=Act("Forecast", {"/place": "Rome", "/celsius": "false"}, "70.7"),
    draws=Act("picture"),
    fails=Act("fail", seen="The printer is out of paper."),
    counts=Act("countdown", {"/steps": "300", "/seconds": "60"}),
    logs=Act("chatter", seen="Sent 4 log messages."),
    refuses=Act("refuse", seen="-32602"),
    asks=Act("ask_model", seen="sampling/createMessage"),
    revision=HANDSHAKE,  # without one it asks in another way, and logs nothing of itself
)

DEMO = Peer(
    name="Spyglass demo server",
    version="",
    argv=lambda _request: DEMO.argv_alone(),
    declares=("tools", "resources", "prompts", "logging"),
    speaks=Act("Echo", {"/message": "hello"}, "hello"),
    structures=Act("Weather", {"/city": "Oslo"}, "Oslo"),
    draws=Act("Show a picture"),
    fails=Act("Fail with a result", {"/words": "No paper"}, "No paper"),
    counts=Act("Count down", {"/steps": "300", "/seconds": "60"}),
    logs=Act("Log messages", seen="Sent"),
    refuses=Act("Fail with an error", seen="-32602"),
    asks=Act("Ask a model", {"/even_if_undeclared": "true"}, "sampling/createMessage"),
)

PEERS = {"everything": EVERYTHING, "sdk1": SDK1, "sdk2": SDK2, "demo": DEMO}
"""By the name of the test case."""
