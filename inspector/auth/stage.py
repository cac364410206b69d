"""One step of an authorization: what it will send, and what follows from what came."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from inspector.auth.messages import HttpRequest, HttpResponse
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from inspector.auth.check import Check
    from inspector.auth.settings import Waiver
    from inspector.auth.state import State


class Stage(StrEnum):
    """The kinds of steps, in order."""

    CHALLENGE = "challenge"
    RESOURCE = "resource-metadata"
    SERVER = "server-metadata"
    CLIENT = "client"
    AUTHORIZATION = "authorization"
    ASSERTION = "assertion"
    TOKEN = "token"
    CALL = "call"
    """The first request that carries the new token; sent by the transport, never planned."""


class Planned(FrozenStruct, frozen=True):
    """A step that is to be done next."""

    stage: Stage
    """Its kind."""
    title: str
    """What it does, for the user."""
    state: State
    """What is known when it begins, what was made for it included."""
    request: HttpRequest | None = None
    """What it sends; None where it sends nothing."""
    visit: str = ""
    """The URL that is opened in a browser; empty for none."""


class Came(FrozenStruct, frozen=True):
    """What a step sent in the end, and what came."""

    request: HttpRequest | None = None
    """What was sent."""
    response: HttpResponse = HttpResponse()
    """What came back."""
    callback: str = ""
    """The URL to which the browser was redirected."""
    now: float = 0.0
    """Wall time when it came."""


class Conclusion(FrozenStruct, frozen=True):
    """What follows from what came."""

    state: State
    """What is known afterwards."""
    reason: str = ""
    """What came of it, in one line."""
    checks: tuple[Check, ...] = ()
    """What the rules say."""
    problem: str = ""
    """Why it cannot go on; empty where it can."""
    hint: str = ""
    """What to do about that."""
    waiver: Waiver | None = None
    """What the user may let this server break, so that it goes on."""
    expected: str = ""
    """The value that was required, where the problem is a difference."""
    received: str = ""
    """The value in its place."""
