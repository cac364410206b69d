"""Importing what brings httpx. It takes long, and only those who connect over HTTP need it: it is done then, in a thread."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import importlib.util
import sys
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from types import ModuleType

_PARTS = ("post", "standing", "endpoint")

_IMPORTED_LATER = ("httpcore._backends.anyio", "anyio._backends._asyncio")
"""What httpx would import with the first request, in the thread of the event loop; named by no public door."""

_LOOKED_FOR = "sniffio"
"""What httpcore tries to import with every lock it takes, several times a request. Where it is not installed, to search the folders
each time costs more than the request itself; an entry of None in `sys.modules` says at once that it is not there."""


async def import_http() -> None:
    """Import the parts that make exchanges."""
    await asyncio.to_thread(_load)


def _load() -> None:
    if _LOOKED_FOR not in sys.modules and importlib.util.find_spec(_LOOKED_FOR) is None:
        cast("dict[str, ModuleType | None]", sys.modules)[_LOOKED_FOR] = None
    for name in _PARTS:
        importlib.import_module(f"inspector.transport.http.{name}")
    for name in _IMPORTED_LATER:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
