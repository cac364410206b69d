"""Servers on the current SDKs, which know the era without a handshake: alone, beside the older one, or not at all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.e2e.hosts import REFUSED, SDK1, STATELESS, Asker, Form, Watch
from tests.e2e.peers import Act
from tests.support.peers import NODE, SERVERS

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

AGREED = "stateless: using 2026-07-28"
"""What is said of a server that answers the first question."""


def _ts2(mode: str) -> Callable[[pytest.FixtureRequest, str, int], list[str]]:
    def argv(request: pytest.FixtureRequest, transport: str, port: int) -> list[str]:
        folder = str(request.getfixturevalue("npm_folder"))
        way = [] if transport == "stdio" else [transport, str(port)]
        return [str(NODE), str(SERVERS / "ts2_server.mjs"), folder, mode, *way]

    return argv


def _sdk2(*switches: str) -> Callable[[pytest.FixtureRequest, str, int], list[str]]:
    def argv(request: pytest.FixtureRequest, transport: str, port: int) -> list[str]:
        python = str(request.getfixturevalue("sdk2_python"))
        way = [] if transport == "stdio" else [transport, str(port)]
        return [python, str(SERVERS / "sdk2_modern_server.py"), *switches, *way]

    return argv


TS2_LEGACY = replace(
    SDK1,
    argv=_ts2("legacy"),
    title="Peer on the TypeScript SDK",
    declares=frozenset({"tools", "resources", "prompts", "logging", "completions"}),
    watches=Watch("today", Act("announce", {"/uri": "notes://today"}, "announced")),
    evidence=REFUSED,
)
"""On the TypeScript SDK, with a handshake alone."""

TS2_MODERN = replace(
    TS2_LEGACY,
    argv=_ts2("modern"),
    asks_twice=Act("greet", seen="Hello Ada in Rome."),
    found=STATELESS,
    evidence={"stdio": AGREED, "http": AGREED},
)
"""On the TypeScript SDK, without a handshake alone."""

TS2_DUAL = replace(TS2_MODERN, argv=_ts2("dual"))
"""On the TypeScript SDK, in both eras."""

SDK2_MODERN = replace(
    TS2_MODERN,
    argv=_sdk2("alone"),
    title="sdk2-modern",
    declares=frozenset({"tools", "resources", "prompts", "completions"}),
    prompts=(Form("ask", "Ask Ada.", {"name": "Ada"}), *SDK1.prompts[1:]),
    counts=Act("slow"),
    level="",
    asks_form=Asker(Act("ask_person", seen="Ada"), {"field:/name": "Ada"}),
)
"""On the Python SDK, without a handshake alone."""

SDK2_DUAL = replace(SDK2_MODERN, argv=_sdk2())
"""On the Python SDK, in both eras."""

ERA_HOSTS = {
    f"{name}-{transport}": replace(host, transport=transport)
    for name, host in {
        "ts2-modern": TS2_MODERN,
        "ts2-legacy": TS2_LEGACY,
        "sdk2-modern": SDK2_MODERN,
    }.items()
    for transport in ("stdio", "http")
}
"""By the name of the test case: what is used whole."""

DUAL_HOSTS = {
    f"{name}-{transport}": replace(host, transport=transport)
    for name, host in {"ts2": TS2_DUAL, "sdk2": SDK2_DUAL}.items()
    for transport in ("stdio", "http")
}
"""By the name of the test case: servers of both eras."""
