"""Programs that are spoken to over their standard streams, and what they say."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from inspector.transport.stdio import StdioTransport
from tests.support.programs import Ear, python
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.transport.command import ProcessSpec

GRACE = 0.3
"""Seconds for a program to end by itself."""


@contextlib.asynccontextmanager
async def started(
    launch: ProcessSpec, **options: int
) -> AsyncGenerator[tuple[StdioTransport, Ear]]:
    """A process; afterwards its end was told once. That it is gone the guards see to."""
    transport, ear = StdioTransport(launch, grace_seconds=GRACE, **options), Ear()
    await transport.open(ear)
    try:
        yield transport, ear
    finally:
        await transport.aclose()
    assert len(ear.ends) == 1


async def output_of(code: str, *args: str, **options: int) -> Ear:
    """Everything a program says until it ends by itself."""
    async with started(python(code, *args), **options) as (_, ear):
        await wait_until(lambda: ear.ends)
    return ear
