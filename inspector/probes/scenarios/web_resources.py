"""Resources of the web, which clients may fetch themselves. Source: server/resources, "Common URI Schemes"."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.errors import InspectorError
from inspector.probes import probe as probes
from inspector.probes.probe import Effect, Outcome, Probe, ProbeResult
from inspector.transport.http.config import check
from inspector.transport.http.connection import import_http

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext

MAX_FETCHED = 3
"""Resources that are tried."""

_REFUSED = frozenset({401, 403, 404, 410})


async def run(context: ProbeContext) -> ProbeResult:
    """Expect that they are there, for everyone; no header or credential of the session is sent."""
    await import_http()
    fetched = 0
    for uri in _uris(context)[:MAX_FETCHED]:
        frame, status = await _head(context, uri)
        fetched += status > 0
        if status in _REFUSED:
            text = f"{uri} cannot be fetched without the server: HTTP {status}"
            context.find("L-RES-12", text, frame)
    if context.failed is not None:
        return context.failed
    outcome = Outcome.PASSED if fetched else Outcome.NOT_TRIED
    return ProbeResult(outcome, f"{fetched} fetched" if fetched else "no host can be reached")


async def _head(context: ProbeContext, uri: str) -> tuple[int, int]:
    """Return the frame and the status of a response; 0 without one."""
    from inspector.transport.http.client import RecordingClient

    profile = context.session.profile
    try:
        config = replace(check(uri, ()), ca_file=profile.ca_file, proxy=profile.proxy)
        client = RecordingClient(config, context.session.peer)
        async with asyncio.timeout(probes.PROBE_SECONDS), aclosing(client):
            await client.open()
            async with client.exchange("HEAD", headers=[]) as response:
                return response.frame, response.status
    except (InspectorError, TimeoutError):
        return 0, 0


def _uris(context: ProbeContext) -> list[str]:
    uris = (item.get("uri") for item in context.listed("resources"))
    return [uri for uri in uris if isinstance(uri, str) and uri.startswith("https://")]


def needs(context: ProbeContext) -> str:
    """Apply to servers that list such resources."""
    return "" if _uris(context) else "no resource with https is listed"


PROBE = Probe(
    "web-resources",
    "Resources of the web",
    f"HEAD of up to {MAX_FETCHED} https resources, to their own hosts and without credentials",
    ("L-RES-12",),
    run,
    needs,
    Effect.CONTACTS_HOSTS,
    requests=MAX_FETCHED,
    edits_headers=True,
)
