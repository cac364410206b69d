"""A typed synchronous observer.

An event says *that* something changed; receivers pull what they need. Receivers run in the order of subscription, and one
that raises does not keep the others from running: its error goes to the running loop's exception handler, or is
raised where there is no loop.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Generic, TypeVarTuple

if TYPE_CHECKING:
    from collections.abc import Callable

Ts = TypeVarTuple("Ts")


class Event(Generic[*Ts]):
    """Something that happened; calls its subscribers."""

    __slots__ = ("_receivers",)

    def __init__(self) -> None:
        self._receivers: list[Callable[[*Ts], object]] = []

    def subscribe(self, receiver: Callable[[*Ts], object]) -> Callable[[], None]:
        """Call `receiver` each time from now on; the returned function ends that, and may be called twice."""
        self._receivers.append(receiver)

        def unsubscribe() -> None:
            if receiver in self._receivers:
                self._receivers.remove(receiver)

        return unsubscribe

    def fire(self, *args: *Ts) -> None:
        """Tell every receiver."""
        for receiver in tuple(self._receivers):
            try:
                receiver(*args)
            except Exception as error:  # noqa: BLE001 - one faulty receiver must not silence the others
                report_failure("An event receiver failed", error)


def report_failure(message: str, error: Exception) -> None:
    """Report a fault of Spyglass to the running loop, which goes on; without a loop, raise it."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        raise error from None
    loop.call_exception_handler({"message": message, "exception": error})
