"""A server on the official Python SDK, version 2, for what only the era without a handshake has.

    sdk2_modern_server.py             over stdio
    sdk2_modern_server.py http PORT   over streamable HTTP

Runs in the environment of the peer `sdk2`, never in ours.
"""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUntypedFunctionDecorator=false, reportUnknownArgumentType=false, reportUnknownParameterType=false
# The SDK is not in our environment on purpose: Spyglass must not lean on it.

from __future__ import annotations

import sys
from typing import Annotated

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel, Field

server = MCPServer("sdk2-modern", version="1", instructions="Ask away.", log_level="ERROR")


class Name(BaseModel):
    """What `greet` wants to know."""

    name: str = Field(description="What to call you")


class Town(BaseModel):
    """What `greet` wants to know then."""

    town: str = Field(description="Where you are")


async def who() -> Elicit[Name]:
    """Ask the person."""
    return Elicit("Who are you?", Name)


async def where(name: Annotated[Name, Resolve(who)]) -> Elicit[Town]:
    """Ask again, knowing the first answer."""
    return Elicit(f"Where are you, {name.name}?", Town)


@server.tool(structured_output=False)
async def greet(name: Annotated[Name, Resolve(who)], town: Annotated[Town, Resolve(where)]) -> str:
    """Take two rounds to know whom to greet."""
    return f"Hello {name.name} in {town.town}."


Zone = Annotated[str, Field(json_schema_extra={"x-mcp-header": "Zone"})]


@server.tool(structured_output=False)
def route(zone: Zone, other: str = "") -> str:
    """Have an argument that is repeated in a header."""
    return f"{zone}/{other}"


@server.tool(structured_output=False)
async def announce(uri: str, ctx: Context) -> str:
    """Announce that the list of tools and one resource changed."""
    await ctx.notify_tools_changed()
    await ctx.notify_resource_updated(uri)
    return "announced"


@server.tool(structured_output=False)
async def slow(ctx: Context) -> str:
    """Report progress for as long as somebody waits."""
    for done in range(1000):
        await ctx.report_progress(done, 1000)
        await anyio.sleep(0.02)
    return "done"


@server.resource("notes://today", mime_type="text/plain")
def today() -> str:
    """A resource."""
    return "Nothing on."


@server.prompt()
def ask(name: str) -> str:
    """A prompt."""
    return f"Ask {name}."


if __name__ == "__main__":
    if sys.argv[1:2] == ["http"]:
        server.run("streamable-http", port=int(sys.argv[2]))
    else:
        server.run("stdio")
