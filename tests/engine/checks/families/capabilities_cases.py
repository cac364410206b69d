"""Cases of `checks.families.capabilities`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.rule_cases import Case

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json
    from tests.support.talk import Talk

SERVER: Json = {"name": "sample", "version": "1.2.3"}


def connect(talk: Talk, **capabilities: Json) -> None:
    """The handshake with a server that declares these capabilities."""
    talk.request(1, "initialize", protocolVersion="2025-11-25", capabilities={})
    talk.result(1, protocolVersion="2025-11-25", capabilities=capabilities, serverInfo=SERVER)


def announce(talk: Talk) -> None:
    """The server announces a change of its tools."""
    talk.received({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})


def undeclared_change(talk: Talk) -> None:
    """The list is announced as changed, and that is not declared."""
    connect(talk, tools={})
    announce(talk)


def declared_change(talk: Talk) -> None:
    """It is declared."""
    connect(talk, tools={"listChanged": True})
    announce(talk)


CASES = (Case("L-CAP-03", undeclared_change, declared_change),)
