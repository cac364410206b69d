"""Servers on all transports: how each is started and reached, and what a user does there."""

from __future__ import annotations

import shlex
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tests.e2e.listeners import listening
from tests.e2e.peers import Act
from tests.support.peers import SERVERS
from tests.support.ports import HERE, free_port

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping
    from pathlib import Path

    import pytest

STATELESS = "2026-07-28"

PATHS = {"http": "/mcp", "sse": "/sse"}
"""Where the servers wait."""


@dataclass(frozen=True)
class Form:
    """A thing with fields: a template or a prompt."""

    label: str
    """What its row says."""
    seen: str
    """Words of what it gives."""
    typed: Mapping[str, str] = field(default_factory=dict[str, str])
    """Its fields by name, and what is typed there."""
    picked: Mapping[str, str] = field(default_factory=dict[str, str])
    """Its fields by name, and which suggestion is taken for what was typed."""


@dataclass(frozen=True)
class Asker:
    """A tool that asks for something, and how it is answered."""

    act: Act
    """The call, and what its result says then."""
    filled: Mapping[str, str] = field(default_factory=dict[str, str])
    """Fields of the sheet by name."""


@dataclass(frozen=True)
class Watch:
    """A resource that can be watched."""

    label: str
    """Its row."""
    changes: Act
    """The tool that has it announced as changed."""


@dataclass(frozen=True)
class Host:
    """A server on one transport."""

    transport: str
    """`stdio`, `http` or `sse`."""
    argv: Callable[[pytest.FixtureRequest, str, int], list[str]]
    """Its command line for a transport and a port."""
    title: str
    """What the overview calls it."""
    declares: frozenset[str]
    """All capabilities that it declares."""
    resources: tuple[str, ...]
    """The rows of all its resources."""
    templates: tuple[Form, ...]
    """All its templates."""
    prompts: tuple[Form, ...]
    """All its prompts."""
    speaks: Act
    """Answers with text."""
    structures: Act
    """Answers with structured content."""
    fails: Act
    """Answers with a result that says isError."""
    counts: Act
    """Takes long enough to be watched, and reports progress."""
    asks_model: Asker
    """Wants a model's answer."""
    asks_form: Asker
    """Wants a form to be filled in."""
    asks_page: Asker
    """Wants a page to be visited."""
    asks_twice: Act | None
    """Wants two forms, the second knowing the first, in rounds of one call."""
    tells_roots: str
    """The tool that tells the roots."""
    follows_roots: bool
    """Whether it asks for them as soon as it hears that they changed; otherwise that tool asks."""
    logs: Act
    """Logs something; words of a row."""
    level: str = "debug"
    """The level that it is asked for; nothing where it knows no levels."""
    runs_task: Act | None = None
    """Runs as a task and asks in between; what it gives."""
    cuts: Act | None = None
    """Ends the stream of the call before the answer."""
    watches: Watch | None = None
    """What can be watched."""
    revision: str = "Automatic"
    """What is chosen in the dialog."""
    found: str = "2025-11-25"
    """The revision that is spoken then."""
    evidence: Mapping[str, str] = field(default_factory=dict[str, str])
    """By transport, why it is that one, in the words of the steps of connecting."""

    @property
    def is_stateless(self) -> bool:
        """Whether it is spoken to without a handshake."""
        return self.found == STATELESS


@asynccontextmanager
async def up(host: Host, request: pytest.FixtureRequest, folder: Path) -> AsyncGenerator[str]:
    """Have a server running, unless Spyglass starts it; what a user would paste to reach it."""
    if host.transport == "stdio":
        yield shlex.join(host.argv(request, "stdio", 0))
        return
    port = free_port()
    async with listening(host.argv(request, host.transport, port), port, folder / "said.txt"):
        yield f"http://{HERE}:{port}{PATHS[host.transport]}"


def _everything(request: pytest.FixtureRequest, transport: str, _port: int) -> list[str]:
    modes = {"stdio": "stdio", "http": "streamableHttp", "sse": "sse"}
    return [*request.getfixturevalue("everything_server"), modes[transport]]


def _sdk(version: int) -> Callable[[pytest.FixtureRequest, str, int], list[str]]:
    def argv(request: pytest.FixtureRequest, transport: str, port: int) -> list[str]:
        python = str(request.getfixturevalue(f"sdk{version}_python"))
        way = [] if transport == "stdio" else [transport, str(port)]
        return [python, str(SERVERS / f"sdk{version}_server.py"), *way]

    return argv


def _cutting_demo(_request: pytest.FixtureRequest, _transport: str, port: int) -> list[str]:
    return [sys.executable, "-m", "inspector.demo", "--http", str(port), "--cut-streams"]


REFUSED = {
    "stdio": "server/discover not supported: error -32601: Method not found",
    "http": "server/discover not supported: error -32000: Bad Request: Server not initialized",
    "sse": "using 2025-11-25",
}
"""How the official servers of the older era answer the first question; over the older HTTP it is not asked."""


EVERYTHING = Host(
    transport="stdio",
    argv=_everything,
    title="Everything Reference Server",
    declares=frozenset({"tools", "resources", "prompts", "logging", "completions", "tasks"}),
    resources=(
        *("architecture.md", "extension.md", "features.md", "how-it-works.md"),
        *("instructions.md", "startup.md", "structure.md"),
    ),
    templates=(
        Form("Dynamic Text Resource", "Resource 7: This is a plaintext", {"resourceId": "7"}),
        Form("Dynamic Blob Resource", "8: This is a base64", picked={"resourceId": "8"}),
    ),
    prompts=(
        Form("Simple Prompt", "This is a simple prompt without arguments."),
        Form("Arguments Prompt", "weather in Oslo", {"city": "Oslo"}),
        Form(
            "Team Management",
            "Please promote Eve to the head of the Sales team.",
            {"department": "Sa", "name": "E"},
            {"department": "Sales", "name": "Eve"},
        ),
        Form(
            "Resource Prompt",
            "Resource 5: This is a base64",
            {"resourceType": "B", "resourceId": "5"},
            {"resourceType": "Blob"},
        ),
    ),
    speaks=Act("Echo Tool", {"/message": "hello"}, "Echo: hello"),
    structures=Act("Get Structured Content Tool", {"/location": "Chicago"}, "Light rain / drizzle"),
    fails=Act("Get Sum Tool", {"/a": "3"}, "Invalid input"),
    counts=Act("Trigger Long Running Operation Tool", {"/duration": "60", "/steps": "300"}),
    asks_model=Asker(
        Act("Trigger Sampling Request Tool", {"/prompt": "Sing"}, "La la"),
        {"answer_text": "La la", "answer_model": "by hand"},
    ),
    asks_form=Asker(
        Act("Trigger Elicitation Request Tool", seen="- Name: Ada"), {"field:/name": "Ada"}
    ),
    asks_page=Asker(
        Act("Trigger URL Elicitation Tool", {"/url": "https://example.com/in"}, "User completed")
    ),
    asks_twice=None,
    tells_roots="Get Roots List Tool",
    follows_roots=True,
    logs=Act("Toggle Simulated Logging", seen="essage"),
    runs_task=Act(
        "Simulate Research Query", {"/topic": "python", "/ambiguous": "true"}, "Research Report"
    ),
    watches=Watch("features.md", Act("Toggle Subscriber Updates", seen="Started simulated")),
    evidence=REFUSED,
)

SDK1 = Host(
    transport="stdio",
    argv=_sdk(1),
    title="sdk1-peer",
    declares=frozenset({"tools", "resources", "prompts", "logging", "completions"}),
    resources=("today",),
    templates=(Form("note", "Nothing on monday.", {"day": "m"}, {"day": "monday"}),),
    prompts=(
        Form("greet", "Please greet Ada.", {"name": "Ada"}),
        Form(
            "travel",
            "Plan three days in Oslo, Norway.",
            {"country": "N", "city": "O"},
            {"country": "Norway", "city": "Oslo"},
        ),
    ),
    speaks=Act("Echo", {"/message": "hello"}, "Echo: hello"),
    structures=Act("Forecast", {"/place": "Rome", "/celsius": "false"}, "70.7"),
    fails=Act("fail", seen="The printer is out of paper."),
    counts=Act("countdown", {"/steps": "300", "/seconds": "60"}),
    asks_model=Asker(Act("ask_model", seen="A long tube"), {"answer_text": "A long tube"}),
    asks_form=Asker(Act("ask_person", seen="accept"), {"field:/name": "Ada"}),
    asks_page=Asker(Act("visit_page", seen="accept")),
    asks_twice=None,
    tells_roots="list_folders",
    follows_roots=False,
    logs=Act("chatter", seen="something bad happened"),
    evidence={
        "stdio": "server/discover not supported: error -32602: Invalid request",
        "http": "(HTTP 400 Bad Request); using initialize",
        "sse": "using 2025-11-25",
    },
)

SDK2 = replace(
    SDK1,
    argv=_sdk(2),
    title="Peer on SDK 2",
    declares=SDK1.declares - {"logging"},
    level="",
    revision="2025-11-25",
    evidence={},
)
"""Knows both eras, and asks as one does with a handshake: that is insisted on."""

DEMO_CUT = Act("Echo", {"/message": "hello"}, "hello")
SDK_CUT = Act("cut_off", seen="Said after the cut.")

HOSTS = {
    f"{name}-{transport}": replace(host, transport=transport)
    for name, host in {"everything": EVERYTHING, "sdk1": SDK1, "sdk2": SDK2}.items()
    for transport in ("stdio", "http", "sse")
    if (name, transport) != ("sdk2", "sse")
}
"""By the name of the test case. Version 2 of the SDK over the older HTTP is met where both eras are."""

CUTTING = {
    "demo": replace(
        SDK1, transport="http", argv=_cutting_demo, cuts=DEMO_CUT, revision="2025-11-25"
    ),
    "sdk1": replace(SDK1, transport="http", cuts=SDK_CUT),
    "sdk2": replace(SDK2, transport="http", cuts=SDK_CUT),
}
"""Servers that end streams early."""
