"""What a child process measures and how it tells. Standard library alone: the peers import it too."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

SERVER = Path(__file__).parents[1] / "server.py"
"""The load server."""

IN_FLIGHT = 16
"""Calls that wait at the same time in the second measurement."""


class Caller(Protocol):
    """A connected client."""

    async def call(self, name: str, arguments: Mapping[str, str | int | float]) -> int:
        """Call a tool and give the length of the text it answered."""
        ...


def server_command(*options: object) -> tuple[str, ...]:
    """How the load server is started."""
    return (sys.executable, str(SERVER), *map(str, options))


def options() -> argparse.Namespace:
    """What to measure: for how many seconds, how many notifications, and what share of the large results."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--flood", type=int, default=50_000)
    parser.add_argument("--share", type=float, default=1.0)
    return parser.parse_args()


async def measure(client: Caller, seconds: float, flood: int) -> dict[str, float]:
    """Calls one after the other, many at a time, and notifications, each as a rate."""
    await client.call("echo", {"text": "warm"})
    return {
        "sequential": await sequential(client, seconds),
        "concurrent": await concurrent(client, seconds),
        "notifications": await _flood(client, flood),
    }


async def sequential(client: Caller, seconds: float) -> float:
    """Calls a second, one after the other."""
    began, done = time.perf_counter(), 0
    until = began + seconds
    while time.perf_counter() < until:
        await client.call("echo", {"text": "hello"})
        done += 1
    return done / (time.perf_counter() - began)


async def concurrent(client: Caller, seconds: float) -> float:
    """Calls a second, `IN_FLIGHT` at a time."""
    began, done = time.perf_counter(), 0
    until = began + seconds

    async def work() -> None:
        nonlocal done
        while time.perf_counter() < until:
            await client.call("echo", {"text": "hello"})
            done += 1

    await asyncio.gather(*(work() for _ in range(IN_FLIGHT)))
    return done / (time.perf_counter() - began)


async def _flood(client: Caller, count: int) -> float:
    began = time.perf_counter()
    await client.call("flood", {"n": count})
    return count / (time.perf_counter() - began)
