"""Importing what brings httpx. It takes long, and only those who connect over HTTP need it: it is done then, in a thread."""

from __future__ import annotations

import asyncio
import contextlib
import importlib

_PARTS = ("post", "standing", "endpoint")

_IMPORTED_LATER = ("httpcore._backends.anyio", "anyio._backends._asyncio")
"""What httpx would import with the first request, in the thread of the event loop; named by no public door."""


async def load_http() -> None:
    """Import the parts that make exchanges."""
    await asyncio.to_thread(_load)


def _load() -> None:
    for name in _PARTS:
        importlib.import_module(f"inspector.transport.http.{name}")
    for name in _IMPORTED_LATER:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
