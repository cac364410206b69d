"""Signals are connected only to methods whose owner can be referred to weakly.

PySide makes a weak reference to the owner of a connected method. Where the class has slots and none for that, `connect` fails
with a SystemError as soon as an accessibility client is active, and works as ever without one: no other test would notice.
"""

from __future__ import annotations

import functools
import weakref
from types import MethodType
from typing import TYPE_CHECKING

from PySide6.QtCore import SignalInstance

if TYPE_CHECKING:
    from collections.abc import Callable

CONNECT = "connect"
"""The method of signals that is listened to."""


class CannotConnect(Exception):
    """A method was connected whose owner cannot be referred to weakly; the words name it."""


def check_connections() -> None:
    """From now on a connection that would fail with an accessibility client fails at once."""
    connect = SignalInstance.connect
    if not hasattr(connect, "__wrapped__"):
        setattr(SignalInstance, CONNECT, _checking(connect))


def _checking(connect: Callable[..., object]) -> Callable[..., object]:
    @functools.wraps(connect)
    def check(signal: SignalInstance, *arguments: object, **named: object) -> object:
        for argument in arguments:
            if isinstance(argument, MethodType) and not _has_weak_references(argument.__self__):
                raise CannotConnect(f"{type(argument.__self__).__qualname__}.{argument.__name__}")
        return connect(signal, *arguments, **named)

    return check


def _has_weak_references(thing: object) -> bool:
    try:
        weakref.ref(thing)
    except TypeError:
        return False
    return True
